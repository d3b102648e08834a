import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const approve = (id: string, body?: object) => sandbox.control('POST', `orders/${id}/approve`, body)
const cancel = (id: string) => sandbox.callBank('DELETE', `/v1/payments/swedish-giro/${id}`)
const expectStatus = (id: string, status: string) =>
  vi.waitFor(async () => expect(await sandbox.statusOf(id)).toBe(status), { interval: 10, timeout: 5_000 })

test('pay now: signed, then executed by itself after three seconds', async () => {
  const { paymentId, _links } = await sandbox.createPayment()
  expect((await approve(paymentId)).body).toMatchObject({ status: 'signed', executionDate: '2026-11-20' })
  expect(await sandbox.statusOf(paymentId)).toBe('ACSP')
  expect((await sandbox.callBank('GET', _links.scaStatus.href)).body).toEqual({ scaStatus: 'finalised' })
  await sandbox.clock.advance(2_000)
  expect(await sandbox.statusOf(paymentId)).toBe('ACSP')
  await sandbox.clock.advance(1_500)
  await expectStatus(paymentId, 'ACSC')
})

test('pay on the due date: executed when the product’s day comes, not before', async () => {
  const { paymentId } = await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' })
  expect((await approve(paymentId)).body.status).toBe('due-date')
  await sandbox.clock.advance(10_000)
  expect(await sandbox.statusOf(paymentId)).toBe('ACCP')
  sandbox.product.today = '2026-11-27'
  await sandbox.clock.advance(3_000)
  expect(await sandbox.statusOf(paymentId)).toBe('ACCP')
  sandbox.product.today = '2026-11-28'
  await sandbox.clock.advance(3_000)
  await expectStatus(paymentId, 'ACSC')
})

test('moving the clock from the sandbox executes what became due', async () => {
  const { paymentId } = await sandbox.createPayment({ requestedExecutionDate: '2026-12-10' })
  await approve(paymentId)
  expect(await sandbox.control('POST', 'clock', { advanceDays: 30 })).toMatchObject({
    status: 200,
    body: { today: '2026-12-20' },
  })
  await expectStatus(paymentId, 'ACSC')
})

test('declined: nothing is paid and nothing can be signed after', async () => {
  const { paymentId, _links } = await sandbox.createPayment()
  expect((await sandbox.control('POST', `orders/${paymentId}/decline`)).body.status).toBe('declined')
  expect(await sandbox.statusOf(paymentId)).toBe('RJCT')
  expect((await sandbox.callBank('GET', _links.scaStatus.href)).body).toEqual({ scaStatus: 'failed' })
  expect((await approve(paymentId)).status).toBe(409)
  expect(await sandbox.statusOf(paymentId)).toBe('RJCT')
})

test('an unsigned payment dies after half an hour', async () => {
  const { paymentId } = await sandbox.createPayment()
  await sandbox.clock.advance(29 * 60_000)
  expect(await sandbox.statusOf(paymentId)).toBe('RCVD')
  await sandbox.clock.advance(61_000)
  expect(await sandbox.statusOf(paymentId)).toBe('RJCT')
  expect((await sandbox.control('GET', 'orders?all=true')).body[0].status).toBe('expired')
})

test('held: accepted until somebody settles with includeHeld', async () => {
  const { paymentId } = await sandbox.createPayment()
  expect((await approve(paymentId, { hold: true })).body.status).toBe('held')
  await sandbox.clock.advance(10_000)
  expect((await sandbox.control('POST', 'settle')).body).toEqual({ date: '2026-11-20', executed: [] })
  expect(await sandbox.statusOf(paymentId)).toBe('ACCP')
  expect((await cancel(paymentId)).status).toBe(405)
  const settled = await sandbox.control('POST', 'settle', { includeHeld: true })
  expect(settled.body.executed).toEqual([paymentId])
  expect(await sandbox.statusOf(paymentId)).toBe('ACSC')
})

test('a held due-date payment waits for both its day and includeHeld', async () => {
  const { paymentId } = await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' })
  await approve(paymentId, { hold: true })
  expect((await sandbox.control('POST', 'settle', { includeHeld: true })).body.executed).toEqual([])
  const settle = (includeHeld: boolean) =>
    sandbox.control('POST', 'settle', { date: '2026-11-28', includeHeld })
  expect((await settle(false)).body.executed).toEqual([])
  expect((await settle(true)).body.executed).toEqual([paymentId])
})

test('settle executes what is due at once, and only that', async () => {
  const now = await sandbox.createPayment()
  const later = await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' })
  await sandbox.createPayment()
  await approve(now.paymentId)
  await approve(later.paymentId)
  expect((await sandbox.control('POST', 'settle')).body.executed).toEqual([now.paymentId])
  expect((await sandbox.control('POST', 'settle')).body.executed).toEqual([])
  expect((await sandbox.control('POST', 'settle', { date: '2026-11-28' })).body.executed).toEqual([
    later.paymentId,
  ])
})

test('the client can take back what is unsigned or dated later, and nothing else', async () => {
  const unsigned = await sandbox.createPayment()
  expect((await cancel(unsigned.paymentId)).status).toBe(204)
  expect(await sandbox.statusOf(unsigned.paymentId)).toBe('CANC')
  expect((await cancel(unsigned.paymentId)).status).toBe(204)
  expect((await approve(unsigned.paymentId)).status).toBe(409)

  const later = await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' })
  await approve(later.paymentId)
  expect((await cancel(later.paymentId)).status).toBe(204)
  expect(await sandbox.statusOf(later.paymentId)).toBe('CANC')
  expect((await sandbox.control('POST', 'settle', { date: '2026-12-31' })).body.executed).toEqual([])

  const now = await sandbox.createPayment()
  await approve(now.paymentId)
  const refused = await cancel(now.paymentId)
  expect(refused.status).toBe(405)
  expect(refused.body.tppMessages[0].code).toBe('CANCELLATION_INVALID')
  await sandbox.control('POST', 'settle')
  expect((await cancel(now.paymentId)).status).toBe(405)
  expect(await sandbox.statusOf(now.paymentId)).toBe('ACSC')
})

test('fifty approvals at once sign once', async () => {
  const { paymentId } = await sandbox.createPayment()
  const answers = await Promise.all(Array.from({ length: 50 }, () => approve(paymentId)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
})

test('when the product is down the bank goes by the real day', async () => {
  await sandbox.product.stop()
  const { paymentId } = await sandbox.createPayment()
  expect((await approve(paymentId)).body).toMatchObject({ status: 'signed', executionDate: '2026-11-20' })
})

test('what waits for its day can be rejected on it, once; what is executed cannot', async () => {
  const later = await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' })
  const done = await sandbox.createPayment()
  const reject = (id: string) => sandbox.control('POST', `orders/${id}/decline`, { rejected: true })
  expect((await reject(later.paymentId)).status).toBe(409)
  for (const { paymentId } of [later, done]) await sandbox.control('POST', `orders/${paymentId}/approve`)
  await sandbox.control('POST', 'settle')
  expect((await reject(later.paymentId)).body).toMatchObject({
    status: 'rejected',
    transactionStatus: 'RJCT',
  })
  expect((await reject(later.paymentId)).status).toBe(409)
  expect((await reject(done.paymentId)).status).toBe(409)
  expect(await sandbox.statusOf(done.paymentId)).toBe('ACSC')
})
