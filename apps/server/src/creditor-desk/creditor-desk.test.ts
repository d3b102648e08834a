/** What a creditor sees of its claims, debtors, payments, settings and figures: all of its own, and nothing of another's. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let viewer: SignedIn
let claim: BuiltClaim
/** Of the creditor whose claim it is: paid by transfer, paid in part at a gateway, open, and disputed. */
let paid: BuiltInvoice
let begun: BuiltInvoice
let open: BuiltInvoice
/** Another creditor's, of the same debtor. */
let foreign: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  const { test: db, instanceId, clock } = server
  claim = await buildClaim(db, instanceId, clock, { invoices: [{ totalMinor: 100_000 }] })
  const [beside] = claim.invoices
  if (!beside) throw new Error('the claim has no invoice')
  paid = await buildInvoice(db, instanceId, clock, { beside, totalMinor: 50_000 })
  await transfer(server, paid, 50_000, addDays(TODAY, -1))
  begun = await buildInvoice(db, instanceId, clock, { totalMinor: 30_000 })
  open = await buildInvoice(db, instanceId, clock, { beside, totalMinor: 20_000 })
  await buildDispute(db, clock, await buildInvoice(db, instanceId, clock, { beside, totalMinor: 10_000 }))
  const shared = { ...beside, creditorId: begun.creditorId, reference: '5544332211' }
  await db.owner.query(
    'insert into payment_reference (instance_id, reference, debtor_id, creditor_id) values ($1, $2, $3, $4)',
    [instanceId, shared.reference, shared.debtorId, shared.creditorId],
  )
  foreign = await buildInvoice(db, instanceId, clock, { beside: shared, totalMinor: 77_700 })
  viewer = await signInStaff(server.product.context, {
    instanceId,
    creditorId: beside.creditorId,
    role: 'viewer',
  })
})

const get = (path: string, headers = viewer) => server.call('GET', `/api/client/${path}`, { headers })
const search = (resource: string, body: unknown, headers = viewer) =>
  server.call('POST', `/api/client/${resource}/search`, { body, headers })

test('a claim: found by its number, with its debt, invoices and story', async () => {
  const found = await search('collection-batches', { query: claim.number, queryTarget: 'invoiceNumber' })
  expect(found.json, found.text).toEqual([
    expect.objectContaining({
      id: claim.id,
      collectionBatchNumber: claim.number,
      status: 'OPEN',
      currency: 'SEK',
      invoiceCount: 1,
      totals: { totalToPay: 1000 },
      balances: expect.objectContaining({ principal: 1000 }),
      debtor: expect.objectContaining({ id: claim.invoices[0]?.debtorId }),
      nextStep: expect.objectContaining({ type: 'SCHEDULE_END' }),
      pauseReason: null,
      stopReason: null,
    }),
  ])
  expect((await get(`collection-batches/${claim.id}`)).json).toEqual((found.json as object[])[0])
  expect((await get(`collection-batches/${claim.id}/invoices`)).json).toEqual([
    expect.objectContaining({ id: claim.invoices[0]?.id, totalToPay: 1000 }),
  ])
  const events = (await get(`collection-batches/${claim.id}/events`)).json as { type: string }[]
  expect(events.map(({ type }) => type)).toContain('COLLECTION_CLAIM')
  expect((await search('collection-batches', { status: 'CLOSED' })).json).toEqual([])
})

test('a debtor: with what is this creditor’s alone', async () => {
  const { id, debtorId } = open
  const found = await search('debtors', { id: debtorId })
  const owed = (await get(`collection-batches/${claim.id}`)).json as { balances: { total: number } }
  expect(found.json, found.text).toEqual([
    expect.objectContaining({
      id: debtorId,
      name: 'Alva Provlund',
      invoiceCount: 4,
      openCount: 3,
      balances: [{ currency: 'SEK', total: owed.balances.total + 200 + 100 }],
    }),
  ])
  const one = await get(`debtors/${debtorId}`)
  const { invoices, claims } = one.json as { invoices: { id: string }[]; claims: { id: string }[] }
  expect(invoices.map((row) => row.id)).toEqual(
    expect.arrayContaining([id, paid.id, claim.invoices[0]?.id ?? '']),
  )
  expect(invoices).toHaveLength(4)
  expect(claims.map((row) => row.id)).toEqual([claim.id])
  for (const { text } of [found, one]) expect(text).not.toContain(foreign.number)
  expect((await search('debtors', { query: foreign.number })).json).toEqual([])
  expect((await get(`debtors/${begun.debtorId}`)).status).toBe(404)
})

test('a payment: what came by the bank, with its days', async () => {
  const found = await search('payments', {})
  expect(found.json, found.text).toEqual([
    {
      id: expect.any(String),
      version: expect.any(Number),
      status: 'COMPLETED',
      amount: 500,
      currency: 'SEK',
      way: 'BANK',
      gateway: null,
      bookedOn: TODAY,
      valueOn: addDays(TODAY, -1),
      createdAt: expect.any(String),
      subject: {
        type: 'invoices',
        id: paid.id,
        number: paid.number,
        paymentReference: paid.reference,
      },
      debtor: { id: paid.debtorId, name: 'Alva Provlund' },
      creditor: { id: paid.creditorId, name: expect.any(String) },
    },
  ])
  const [row] = found.json as { id: string }[]
  expect((await get(`payments/${row?.id}`)).json).toEqual(row)
})

test('a payment at a gateway is one row, under way and when it is booked', async () => {
  const at = { instanceId: server.instanceId, creditorId: begun.creditorId, role: 'viewer' } as const
  const other = await signInStaff(server.product.context, at)
  const path = `/api/public/invoices/${begun.reference}/${begun.zip}/payment-requests`
  const body = { paymentDate: TODAY, amount: '300.00', redirectUri: `${server.origin}/` }
  expect((await server.call('POST', path, { body })).status).toBe(201)
  const rows = async () => (await search('payments', {}, other)).json as Record<string, unknown>[]
  expect(await rows()).toEqual([
    expect.objectContaining({ amount: 300, way: 'GATEWAY', gateway: 'DIRECT_BANK', bookedOn: null }),
  ])
  await signAndSettle(server, begun.reference)
  expect(await rows()).toEqual([
    expect.objectContaining({ amount: 300, way: 'GATEWAY', status: 'COMPLETED', bookedOn: TODAY }),
  ])
})

test('the creditor’s own data, with its account and agreement', async () => {
  const { json, text } = await get('settings')
  expect(json, text).toMatchObject({
    id: open.creditorId,
    address: { countryCode: 'SE' },
    accounts: [{ accountNumber: '9990-0227', holder: 'INSTANCE', isUsable: true }],
    reminderFee: { agreedOn: expect.any(String), source: expect.any(String) },
    bounds: { mostDays: 14, planMonths: 12 },
    courtInstructions: [],
  })
})

test('the figures are what the books come to', async () => {
  const { json, text } = await get('figures')
  expect(json, text).toMatchObject({
    today: TODAY,
    claims: [{ status: 'OPEN', currency: 'SEK', count: 1, total: 1000 }],
    overdue: [],
    disputes: [{ status: 'OPEN', count: 1 }],
    received: [{ month: '2026-11', currency: 'SEK', amount: 500 }],
    // Sent today, and the money counts from yesterday.
    paid: { count: 1, beforeDue: 1, averageDays: -1, medianDays: -1 },
  })
  const { invoices } = json as { invoices: { status: string; count: number; balance: number }[] }
  const of = (status: string) => invoices.find((row) => row.status === status)
  expect(of('CLOSED')).toMatchObject({ count: 1, total: 500, balance: 0 })
  expect(of('DISPUTED')).toMatchObject({ count: 1, balance: 100 })
})
