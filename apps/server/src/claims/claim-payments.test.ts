/** Paying a claim while somebody still holds a payment of one of its invoices, started before it was handed over. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { buildInstanceAccount, NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})

type Door = { readonly subject: string; readonly reference: string; readonly zip: string }
const call = ({ subject, reference, zip }: Door, part = '', method = 'GET', body?: unknown) =>
  server.call(method, `/api/public/${subject}/${reference}/${zip}${part}`, { body })

async function start(door: Door, serviceProviderCode: string) {
  const { balances } = (await call(door)).json as { balances: { total: number } }
  return call(door, '/payment-requests', 'POST', {
    amount: balances.total.toFixed(2),
    redirectUri: `${server.origin}/`,
    serviceProviderCode,
    ...(serviceProviderCode === 'SWISH' ? {} : { paymentDate: TODAY }),
  })
}

async function night(): Promise<void> {
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  await performDailyRun(server.product.context, instance, server.clock.today('Europe/Stockholm'))
}

/** An invoice that is being paid on the day it is handed over, and its claim. */
async function handedOver(): Promise<{ invoice: Door; claim: Door }> {
  const dueDate = addDays(TODAY, -22)
  server.clock.moveTo(addDays(dueDate, -30))
  const built = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate })
  const invoice = { subject: 'invoices', reference: built.reference, zip: built.zip }
  for (const after of NIGHTS_TO_CLAIM) {
    server.clock.moveTo(addDays(dueDate, after))
    if (after === 22) expect((await start(invoice, 'DIRECT_BANK')).status).toBe(201)
    await night()
  }
  const { rows } = await server.test.owner.query<{ reference: string }>(
    'select c.payment_reference as reference from claim c join invoice i on i.claim_id = c.id where i.id = $1',
    [built.id],
  )
  const reference = rows[0]?.reference ?? ''
  return { invoice, claim: { subject: 'collection-batches', reference, zip: built.zip } }
}

async function approve({ reference }: Door): Promise<number> {
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const waiting = orders.filter((order) => order.reference === reference)
  for (const { id } of waiting) await server.control('POST', `/control/orders/${id}/approve`, { hold: true })
  return waiting.length
}

const statusesOf = async (door: Door): Promise<string[]> =>
  ((await call(door, '/payment-requests')).json as { status: string }[]).map(({ status }) => status)

test('what nobody has signed is cancelled at the bank first', async () => {
  const { invoice, claim } = await handedOver()
  expect((await start(claim, 'SWISH')).status).toBe(201)
  expect(await statusesOf(invoice)).toEqual(['FAILED'])
  expect(await statusesOf(claim)).toEqual(['IN_PROGRESS'])
  expect(await approve(invoice)).toBe(0)
})

test('what is signed is on its way: no second payment is taken', async () => {
  const { invoice, claim } = await handedOver()
  expect(await approve(invoice)).toBe(1)
  const answer = await start(claim, 'SWISH')
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, 'payment_in_progress'])
  expect(await statusesOf(invoice)).toEqual(['AUTHORIZED'])
  expect(await statusesOf(claim)).toEqual(['AUTHORIZED'])
  const methods: { code: string; enabled: boolean }[] = (await call(claim, '/payment-methods')).json
  expect(methods).toContainEqual(expect.objectContaining({ code: 'DIRECT_PAYMENT_BANK', enabled: false }))
  await server.control('POST', '/control/settle', { date: '2027-01-31', includeHeld: true })
  await server.product.sweepAll()
})
