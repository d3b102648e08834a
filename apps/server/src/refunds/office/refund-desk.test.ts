/** An operator's people send back what is owed back: once, never more than is owed, and above the limit by two people. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { decideDebt, upholdDispute } from '../../collection/collection.ts'
import { buildInvoice, TODAY, type BuiltInvoice, type InvoiceWishes } from '../../testing/build.ts'
import { openOffice, told, type AskOffice } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

type Refund = {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly left: number
  readonly ways: { readonly payment: string; readonly most: number }[]
  readonly tries: { readonly status: string; readonly amount: number }[]
  readonly transfer: object | null
  readonly needsAnother: boolean
  readonly proposal: string | null
}

let server: TestServer
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
  ask = await openOffice(server, ['finance', 'support', 'approver', 'manager'])
})

const call = (invoice: BuiltInvoice, part: string, body: object) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}${part}`, { body })

async function uphold(invoice: BuiltInvoice, creditMinor: number): Promise<void> {
  const opened = await call(invoice, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })
  expect(opened.status, opened.text).toBe(201)
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor }
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  expect(await upholdDispute(server.product.context, key, upheld)).toBe(true)
}

/** Pays by Swish, with `creditMinor` taken off before the payer approves: as much is owed back. */
async function payTooMuch(creditMinor: number, wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  const amount = ((wishes.totalMinor ?? 84_200) / 100).toFixed(2)
  const body = { amount, serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
  const started = await call(invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await uphold(invoice, creditMinor)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  const { id } = started.json as { id: string }
  const read = () => server.test.owner.query('select status from payment where id = $1', [id])
  await expect
    .poll(
      async () => {
        await server.product.sweepAll()
        return (await read()).rows
      },
      { timeout: 10_000 },
    )
    .toEqual([{ status: 'COMPLETED' }])
  return invoice
}

async function owedOf(invoice: BuiltInvoice, who: OperatorRole = 'support'): Promise<Refund> {
  const found = await ask(who, 'POST /refunds/search', {
    query: invoice.number,
    queryTarget: 'invoiceNumber',
  })
  expect(found.status, found.text).toBe(200)
  const [row] = found.json as Refund[]
  const one: { readonly json: unknown } = await ask(who, `GET /refunds/${row?.id}`)
  return one.json as Refund
}

async function clearingOf(invoice: BuiltInvoice): Promise<Record<string, number>> {
  const { rows } = await server.test.owner.query(
    `select a.gateway, sum(p.amount_minor)::int as minor from ledger_transaction t
     join posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
     where t.invoice_id = $1 and a.kind = 'clearing' group by 1`,
    [invoice.id],
  )
  return Object.fromEntries(
    (rows as { gateway: string; minor: number }[]).map((row) => [row.gateway, row.minor]),
  )
}

describe('by Swish', () => {
  test('whoever works with money sends back what is owed back, once however often and by how many it is asked', async () => {
    const invoice = await payTooMuch(10_000)
    const owed = await owedOf(invoice)
    expect(owed).toMatchObject({
      kind: 'refund',
      status: 'OWED',
      amount: 100,
      left: 100,
      debt: { type: 'invoices', id: invoice.id },
      ways: [{ gateway: 'SWISH', paid: 842, most: 100, paidOn: TODAY }],
      tries: [],
      needsAnother: false,
      proposal: null,
    })
    const payment = owed.ways[0]?.payment ?? ''
    const send = (who: OperatorRole, key?: string, body: object = { payment }) =>
      ask(who, `POST /refunds/${owed.id}/send`, body, key)
    expect(told(await send('support'))).toEqual([403, 'not_allowed'])
    expect(told(await send('finance', 'a', { payment: owed.id }))).toEqual([
      400,
      'invalid_request',
      'payment',
    ])
    const all = await Promise.all([
      send('finance', 'b'),
      send('finance', 'b'),
      send('manager', 'c'),
      send('finance'),
    ])
    // One of them wins, and its twin under the same key is told the same.
    expect([1, 2]).toContain(all.filter(({ status }) => status === 200).length)
    const refused = all.filter(({ status }) => status !== 200).map((answer) => told(answer)[1])
    for (const code of refused) expect(['refund_under_way', 'refund_not_owed']).toContain(code)
    await expect
      .poll(
        async () => {
          await server.product.sweepAll()
          return owedOf(invoice)
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ status: 'ENDED', left: 0, tries: [{ status: 'PAID', amount: 100 }] })
    expect(await clearingOf(invoice)).toEqual({ SWISH: 74_200 })
    expect(told(await send('finance', 'd'))).toEqual([400, 'refund_not_owed'])
  })
})

describe('by the bank', () => {
  test('what a person has ordered is on its way until somebody says that it has left', async () => {
    const invoice = await payTooMuch(20_000)
    const { id } = await owedOf(invoice)
    const act = (name: string, who: OperatorRole = 'finance', key?: string) =>
      ask(who, `POST /refunds/${id}/${name}`, undefined, key)
    expect(told(await act('confirm'))).toEqual([400, 'refund_not_owed'])
    expect(told(await act('record', 'support'))).toEqual([403, 'not_allowed'])
    const both = await Promise.all([act('record', 'finance', 'a'), act('record', 'finance', 'a')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(told(await act('record', 'manager', 'a'))).toEqual([400, 'refund_under_way'])
    expect(told(await act('confirm', 'finance', 'a'))).toEqual([400, 'idempotency_key_reused'])
    expect(await owedOf(invoice)).toMatchObject({
      status: 'UNDER_WAY',
      left: 0,
      ways: [],
      transfer: { orderedOn: TODAY, leftOn: null },
    })
    expect(await clearingOf(invoice)).toEqual({ SWISH: 84_200, BANK_RETURN: -20_000 })
    expect(told(await act('record'))[1]).toBe('refund_under_way')
    expect((await act('confirm')).status).toBe(200)
    expect(await owedOf(invoice)).toMatchObject({ status: 'ENDED', transfer: { leftOn: TODAY } })
    expect(told(await act('confirm'))).toEqual([400, 'refund_not_owed'])
  })
})

describe('above the limit', () => {
  test('what is small alone is summed for the debtor, and then another person decides', async () => {
    const first = await payTooMuch(480_000, { totalMinor: 1_000_000 })
    const { id: firstId, needsAnother } = await owedOf(first)
    expect(needsAnother).toBe(false)
    expect((await ask('finance', `POST /refunds/${firstId}/record`)).json).toMatchObject({
      status: 'UNDER_WAY',
    })

    const second = await payTooMuch(30_000, { beside: first })
    const owed = await owedOf(second)
    expect(owed).toMatchObject({ status: 'OWED', left: 300, needsAnother: true })
    const recorded = await ask('finance', `POST /refunds/${owed.id}/record`)
    expect(recorded.json, recorded.text).toMatchObject({ status: 'OWED', left: 300 })
    const { proposal } = recorded.json as Refund
    expect(proposal).not.toBeNull()
    expect(await clearingOf(second)).toEqual({ SWISH: 84_200 })
    expect(told(await ask('manager', `POST /refunds/${owed.id}/record`))).toEqual([400, 'proposal_open'])
    const approve = (who: OperatorRole) => ask(who, `POST /proposals/${proposal}/approve`)
    expect(told(await approve('finance'))).toEqual([403, 'not_allowed'])
    const approved = await approve('approver')
    expect(approved.json, approved.text).toMatchObject({
      kind: 'refund',
      status: 'APPROVED',
      before: { amount: '300.00', currency: 'SEK' },
      after: { amount: '300.00', way: 'BANK' },
    })
    expect(await owedOf(second)).toMatchObject({ status: 'UNDER_WAY', proposal: null })
    expect(await clearingOf(second)).toEqual({ SWISH: 84_200, BANK_RETURN: -30_000 })
  })

  test('proposed by somebody who has just shown who they are; refused, it is still owed; approved, it goes by Swish', async () => {
    const invoice = await payTooMuch(600_000, { totalMinor: 1_000_000 })
    const { id, ways } = await owedOf(invoice)
    const propose = (who: OperatorRole) => ask(who, `POST /refunds/${id}/send`, { payment: ways[0]?.payment })
    await server.test.owner.query(
      `update staff_session s set signed_in_at = now() - interval '11 minutes' from membership m join person p on p.id = m.person_id
       where m.id = s.membership_id and p.email = 'finance@example.com'`,
    )
    expect(told(await propose('finance'))).toEqual([403, 'sign_in_again'])
    const first = (await propose('manager')).json as Refund
    const reason = { reason: 'Fel konto.' }
    const refused = await ask('approver', `POST /proposals/${first.proposal}/refuse`, reason)
    expect(refused.status, refused.text).toBe(200)
    expect(await owedOf(invoice)).toMatchObject({ status: 'OWED', left: 6000, proposal: null, tries: [] })

    const again = (await propose('manager')).json as Refund
    const approved = await ask('approver', `POST /proposals/${again.proposal}/approve`)
    expect(approved.json, approved.text).toMatchObject({ after: { amount: '6000.00', way: 'SWISH' } })
    await expect
      .poll(
        async () => {
          await server.product.sweepAll()
          return owedOf(invoice)
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ status: 'ENDED', tries: [{ status: 'PAID', amount: 6000 }] })
  })
})

test('admin.by_hand: what was written off by hand counts for the limit of what is sent back', async () => {
  const invoice = await payTooMuch(100_000, { totalMinor: 600_000 })
  expect(await owedOf(invoice)).toMatchObject({ needsAnother: false })
  const beside = await buildInvoice(server.test, server.instanceId, server.clock, {
    totalMinor: 450_000,
    beside: invoice,
  })
  const by = { instanceId: server.instanceId, by: 'person:kim', reason: 'Litet' }
  const debt = { kind: 'invoice', name: beside.id } as const
  await decideDebt(server.product.context, { ...by, debt, decision: { act: 'write-off', amount: null } })
  expect(await owedOf(invoice)).toMatchObject({ needsAnother: true, ways: [{ needsAnother: true }] })
})
