/** What is agreed with a creditor is proposed by one person and holds when another has approved it. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let creditorId: string
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer()
  creditorId = (await buildInvoice(server.test, server.instanceId, server.clock)).creditorId
  ask = await openOffice(server, ['manager', 'approver', 'finance', 'auditor'])
})

const TERMS = {
  from: addDays(TODAY, 1),
  invoiceCommissionPercent: 2.5,
  claimCommissionPercent: '7',
  currency: 'SEK',
  paymentPrice: 1.5,
  vatPercent: 25,
  period: 'WEEK',
  smallestPayout: 100,
  source: 'Avtal 2026-11-20, punkt 6',
}
const propose = (wish: object = {}, who: OperatorRole = 'manager') =>
  ask(who, `POST /clients/${creditorId}/agreements`, { ...TERMS, ...wish })
const detail = async () =>
  (await ask('auditor', `GET /clients/${creditorId}`)).json as {
    agreement: object | null
    agreements: object[]
  }

test('a creditor stands in the list with what holds today', async () => {
  const list = (await ask('auditor', 'POST /clients/search', { filters: { id: creditorId } })).json
  expect(list).toMatchObject([{ id: creditorId, agreement: null, countryCode: 'SE' }])
  expect(await detail()).toMatchObject({ id: creditorId, agreement: null, agreements: [] })
})

test('bad terms change nothing and name the field', async () => {
  for (const [wish, field] of [
    [{ from: addDays(TODAY, -1) }, 'from'],
    [{ from: '2027-02-30' }, 'from'],
    [{ invoiceCommissionPercent: 100.01 }, 'invoiceCommissionPercent'],
    [{ vatPercent: -1 }, 'vatPercent'],
    [{ paymentPrice: '1.234' }, 'paymentPrice'],
    [{ currency: 'XXX' }, 'currency'],
    [{ source: ' ' }, 'source'],
    [{ period: 'YEAR' }, 'period'],
  ] as const)
    expect(told(await propose(wish)), field).toEqual([400, 'invalid_request', field])
  expect(told(await propose({}, 'finance'))).toEqual([403, 'not_allowed'])
  expect((await detail()).agreements).toEqual([])
})

test('what is proposed holds once another has approved it', async () => {
  const answer = await propose()
  expect(answer.json, answer.text).toMatchObject({
    kind: 'agreement',
    status: 'OPEN',
    before: {},
    after: {
      invoiceCommissionPercent: '2.50',
      claimCommissionPercent: '7.00',
      casePrice: '0.00',
      period: 'WEEK',
    },
  })
  expect(told(await propose())).toEqual([400, 'proposal_open'])
  const { id } = answer.json as { id: string }
  expect(told(await ask('manager', `POST /proposals/${id}/approve`))).toEqual([400, 'another_person_needed'])
  expect((await detail()).agreements).toEqual([])
  expect((await ask('approver', `POST /proposals/${id}/approve`)).status).toBe(200)
  expect(await detail()).toMatchObject({
    // It begins tomorrow.
    agreement: null,
    agreements: [
      {
        from: TERMS.from,
        invoiceCommissionPercent: 2.5,
        claimCommissionPercent: 7,
        paymentPrice: 1.5,
        casePrice: 0,
        vatPercent: 25,
        period: 'WEEK',
        smallestPayout: 100,
        source: TERMS.source,
        enteredBy: 'Prov manager',
      },
    ],
  })
})

test('what has become too late meanwhile is not carried out', async () => {
  const { id } = (await propose({ from: addDays(TODAY, 2), vatPercent: 0 })).json as { id: string }
  server.clock.moveTo(addDays(TODAY, 3))
  expect(told(await ask('approver', `POST /proposals/${id}/approve`))).toEqual([
    400,
    'invalid_request',
    'from',
  ])
  expect((await detail()).agreements).toHaveLength(1)
})
