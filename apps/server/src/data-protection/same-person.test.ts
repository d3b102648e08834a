/** Whose data an export hands out, and whom a hold holds: the rows that one number proves to be one person, and nobody beside. */
import { beforeEach, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let one: BuiltInvoice
let other: BuiltInvoice

beforeEach(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'handler'])
  one = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '11122' })
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
})

type Shown = { number: string | null; name?: string; email?: string | null; country?: string }
const shown = ({ debtorId }: BuiltInvoice, { number, name, email = null, country = 'SE' }: Shown) =>
  server.test.owner.query(
    `update debtor set identification_number = $2, name = coalesce($3, name), email = $4, country = $5 where id = $1`,
    [debtorId, number, name, email, country],
  )
const exported = async () =>
  (await ask('handler', `POST /debtors/${one.debtorId}/personal-data`, { reason: 'asked' })).json as {
    debtors: string[]
    perhaps: string[]
    rows: { debtor: object[] }
  }

test.each(['saknas', '-', '000000-0000', '12345'])(
  'where %s is printed instead of a number, another person’s data are not handed out',
  async (number) => {
    await shown(one, { number, name: 'Alva Ettlund' })
    await shown(other, { number, name: 'Bo Tvåberg' })
    const { debtors, perhaps, rows } = await exported()
    expect([debtors, perhaps]).toEqual([[one.debtorId], []])
    expect(JSON.stringify(rows)).not.toContain('Tvåberg')
  },
)

test('ten and twelve digits of one number are one person', async () => {
  await shown(one, { number: '19900729-2387' })
  await shown(other, { number: '900729-2387' })
  const both = [one.debtorId, other.debtorId].toSorted()
  expect((await exported()).debtors.toSorted()).toEqual(both)
  await shown(one, { number: '9007292387' })
  await shown(other, { number: '199007292387' })
  expect((await exported()).debtors.toSorted()).toEqual(both)
})

test('one number of two countries, or of another century, is not one person', async () => {
  await shown(one, { number: '199007292387' })
  await shown(other, { number: '900729+2387' })
  expect((await exported()).debtors).toEqual([one.debtorId])
  await shown(other, { number: '199007292387', country: 'NO' })
  expect((await exported()).debtors).toEqual([one.debtorId])
})

test('an e-mail is perhaps the same person’s, unless two numbers say otherwise', async () => {
  const email = 'hem@example.com'
  await shown(one, { number: 'saknas', email })
  await shown(other, { number: 'saknas', email })
  expect(await exported()).toMatchObject({ debtors: [one.debtorId], perhaps: [other.debtorId] })
  await shown(one, { number: '199007292387', email })
  await shown(other, { number: '5599990040', email })
  expect(await exported()).toMatchObject({ debtors: [one.debtorId], perhaps: [] })
})
