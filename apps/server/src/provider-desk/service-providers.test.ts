/** Which ways to log in and to pay a provider has, and what stands in the way of each: only what is so. */
import { beforeAll, expect, test } from 'vitest'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'auditor', 'approver'])
})

type Ways = Record<'logins' | 'payments', { code: string; state: string }[]>
async function ways(): Promise<Record<keyof Ways, string[]>> {
  const answer = await ask('auditor', 'GET /service-providers')
  expect(answer.status, answer.text).toBe(200)
  const { logins, payments } = answer.json as Ways
  const said = (list: Ways['logins']) => list.map(({ code, state }) => `${code} ${state}`)
  return { logins: said(logins), payments: said(payments) }
}
const sql = (text: string) => server.test.owner.query(text)

test('what nobody has tried says so, and what the counterparty knows says that', async () => {
  await sql(`update instance set logins = '{BANKID,PAYMENT_REFERENCE}'`)
  expect(await ways()).toEqual({
    logins: ['BANKID NOT_TRIED', 'PAYMENT_REFERENCE READY'],
    payments: ['DIRECT_BANK SHARED', 'SWISH NOT_TRIED', 'BANK_TRANSFER NO_ACCOUNT'],
  })
  const path = `/instance-providers/${server.instanceId}/credentials/try`
  for (const kind of ['BANKID', 'SWISH']) {
    const tried = await ask('manager', `POST ${path}`, { kind })
    expect(tried.json, kind).toMatchObject({ outcome: 'ACCEPTED' })
  }
  const { logins, payments } = await ways()
  expect([logins[0], payments[1]]).toEqual(['BANKID TRIED', 'SWISH TRIED'])
})

test('what is not chosen is off; only whoever sees the provider looks', async () => {
  await sql(`update instance set logins = '{PAYMENT_REFERENCE}'`)
  expect((await ways()).logins).toEqual(['BANKID OFF', 'PAYMENT_REFERENCE READY'])
  expect(told(await ask('approver', 'GET /service-providers'))).toEqual([403, 'not_allowed'])
})
