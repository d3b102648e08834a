/** M-34: whoever died, is bankrupt or has debt relief is not dunned, whatever was planned, until somebody says that it goes on. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { deliverMail } from '../mail/mail.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { brokenInvariants } from '../testing/test-database.ts'
import { performDailyRun } from './collection.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const sql = async (text: string, values: unknown[]) => (await server.test.owner.query(text, values)).rows
const flag = ({ instanceId, debtorId }: BuiltInvoice, kind = 'DECEASED') =>
  sql(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
     values ($1, gen_random_uuid(), $2, $3, $4, 'Skatteverket', 'person:x', $4)`,
    [instanceId, debtorId, kind, TODAY],
  )
const answered = ({ debtorId }: BuiltInvoice, answer: string) =>
  sql(
    `update debtor_flag set answer = $2, answered_by = 'person:x', answered_on = from_day, filed_with = case when $2 = 'FILED' then 'ESTATE' end,
       filed_on = case when $2 = 'FILED' then from_day end where debtor_id = $1`,
    [debtorId, answer],
  )
const ended = ({ debtorId }: BuiltInvoice) =>
  sql(`update debtor_flag set ended_on = from_day, ended_by = 'person:x' where debtor_id = $1`, [debtorId])
const night = (day: CalendarDate) => {
  server.clock.moveTo(day)
  const { context } = server.product
  return performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}
const nights = async (from: number, to: number) => {
  for (let day = from; day <= to; day++) await night(addDays(TODAY, day))
}
/** What was done to a debt: steps, costs, and messages. */
const done = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select (select count(*)::int from collection_step where debt_id = $1 and status = 'PERFORMED') as steps,
         (select costs_minor::int from invoice where id = $1) as costs, (select interest_minor::int from invoice where id = $1) as interest,
         (select claim_id is not null from invoice where id = $1) as "inClaim",
         (select count(*)::int from mail_outbox where invoice_id = $1) as letters`,
      [id],
    )
  )[0]
const NOTHING = { steps: 0, costs: 0, interest: 0, inClaim: false, letters: 0 }
const late = () => buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })

test.each(['DECEASED', 'BANKRUPT', 'DEBT_RELIEF'])(
  '%s: forty nights do nothing, and another debtor is dunned',
  async (kind) => {
    server.clock.moveTo(TODAY)
    const [resting, other] = [await late(), await late()]
    expect(resting.debtorId).not.toBe(other.debtorId)
    await flag(resting, kind)
    await nights(0, 40)
    expect(await done(resting)).toEqual(NOTHING)
    expect((await done(other)).steps, 'the rule is for one, not for all').toBeGreaterThan(0)
    expect(await brokenInvariants(server.test.owner)).toEqual({})
  },
)

test('filed, it goes on resting; told to go on, or ended, it is dunned from then on', async () => {
  server.clock.moveTo(TODAY)
  const [filed, going, over] = [await late(), await late(), await late()]
  for (const one of [filed, going, over]) await flag(one)
  await nights(0, 15)
  await answered(filed, 'FILED')
  await answered(going, 'GO_ON')
  await ended(over)
  await nights(16, 18)
  expect(await done(filed)).toEqual(NOTHING)
  for (const one of [going, over]) expect((await done(one)).steps).toBeGreaterThan(0)
})

test('a plan is not offered, and a letter that waited stays here, where that of another leaves', async () => {
  server.clock.moveTo(TODAY)
  const [one, other] = [await late(), await late()]
  await sql(`update debtor set email = 'nagon@example.com' where id = any ($1)`, [
    [one.debtorId, other.debtorId],
  ])
  await nights(0, 12)
  await flag(one)
  const waiting = async ({ id }: BuiltInvoice): Promise<string[]> =>
    (
      await sql(
        `select id from mail_outbox where invoice_id = $1 and status = 'WAITING' and kind = 'reminder'`,
        [id],
      )
    ).map((row) => row.id)
  const [kept, leaves] = [await waiting(one), await waiting(other)]
  expect([kept.length, leaves.length]).toEqual([1, 1])
  const sent: string[] = []
  const drawLetter = async () => ({ name: 'a.pdf', title: 'Påminnelse', bytes: Buffer.from('%PDF-') })
  await sql(`update mail_outbox set channel = 'EMAIL', next_at = now() where status = 'WAITING'`, [])
  const context = { ...server.product.context, drawLetter, dateLetter: async () => '2099-12-31' }
  await deliverMail(context as never, { EMAIL: async ({ id }) => void sent.push(id) })
  expect(sent).toEqual(expect.arrayContaining(leaves))
  expect(sent).not.toEqual(expect.arrayContaining(kept))
  const path = `/api/public/invoices/${one.reference}/${one.zip}/part-payment/options`
  expect((await server.call('GET', path)).json).toMatchObject({ plans: [] })
})

test('money comes as it does, before the flag and after it, and comes to the same', async () => {
  server.clock.moveTo(TODAY)
  const [first, then] = [await late(), await late()]
  await transfer(server, first, 20_000)
  await flag(first)
  await flag(then)
  await transfer(server, then, 20_000)
  await nights(0, 20)
  expect(await done(first)).toMatchObject({ steps: 0, costs: 0, interest: 0 })
  expect(await done(then)).toEqual(await done(first))
})
