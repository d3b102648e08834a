import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestSandbox } from './testing/start-test-sandbox.ts'
import type { TestSandbox } from './testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const heard = () => sandbox.product.received.map((notice) => notice.transactionStatus)
const expectHeard = (statuses: string[]) =>
  vi.waitFor(() => expect(heard()).toEqual(statuses), { interval: 10, timeout: 5_000 })

test('each status change is told, with an event id of its own', async () => {
  const { paymentId } = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${paymentId}/approve`)
  await expectHeard(['ACSP'])
  await sandbox.control('POST', 'settle')
  await expectHeard(['ACSP', 'ACSC'])
  const [first, second] = sandbox.product.received
  expect(first).toMatchObject({ path: '/hear/secret', paymentId })
  expect(first?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(first?.eventId).not.toBe(second?.eventId)
})

test('nobody is told who did not ask', async () => {
  const { paymentId } = await sandbox.createPayment({}, { 'tpp-notification-uri': '' })
  await sandbox.control('POST', `orders/${paymentId}/approve`)
  await sandbox.clock.advance(5_000)
  expect(heard()).toEqual([])
})

test('a refused notification comes again after 1, 2, 5, 10, 30 and 60 seconds, with the same event id', async () => {
  sandbox.product.answers = [500, 404, 302, 500, 500, 500]
  const { paymentId } = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${paymentId}/decline`)
  const heardAtSeconds: number[] = []
  for (let halfSeconds = 0; halfSeconds < 2 * 180; halfSeconds += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    while (heardAtSeconds.length < heard().length) heardAtSeconds.push(halfSeconds / 2)
    await sandbox.clock.advance(500)
  }
  const gaps = heardAtSeconds.slice(1).map((at, index) => at - (heardAtSeconds[index] ?? 0))
  expect(gaps).toHaveLength(6)
  for (const [index, seconds] of [1, 2, 5, 10, 30, 60].entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(seconds - 0.5)
    expect(gaps[index]).toBeLessThanOrEqual(seconds + 1.5)
  }
  expect(new Set(sandbox.product.received.map((notice) => notice.eventId)).size).toBe(1)
}, 20_000)

test('what was not delivered before a kill is delivered after it, and nothing else', async () => {
  const first = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${first.paymentId}/decline`)
  await expectHeard(['RJCT'])
  sandbox.product.answers = [500]
  const second = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${second.paymentId}/approve`)
  await expectHeard(['RJCT', 'ACSP'])
  const again = await sandbox.startAgainAfterKill()
  await expectHeard(['RJCT', 'ACSP', 'ACSP'])
  expect(sandbox.product.received[2]?.eventId).toBe(sandbox.product.received[1]?.eventId)
  await again.stop()
})
