import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INITIATION, startTestSandbox } from './testing/start-test-sandbox.ts'
import type { TestSandbox } from './testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const arm = (fault: string, times = 1) => sandbox.control('POST', 'faults', { target: 'bank', fault, times })
const approve = (id: string) => sandbox.control('POST', `orders/${id}/approve`)
const heard = () => sandbox.product.received.map((notice) => notice.transactionStatus)
const expectHeard = (statuses: string[]) =>
  vi.waitFor(() => expect(heard()).toEqual(statuses), { interval: 10, timeout: 5_000 })

test('timeout: the next call hangs for half a minute, then the line is cut and nothing was done', async () => {
  await arm('timeout')
  let ending = 'none'
  const call = sandbox.createPayment().then(
    () => {
      ending = 'answered'
    },
    () => {
      ending = 'cut'
    },
  )
  await sandbox.clock.advance(29_000)
  expect(ending).toBe('none')
  await vi.waitFor(
    async () => {
      await sandbox.clock.advance(31_000)
      expect(ending).toBe('cut')
    },
    { timeout: 5_000 },
  )
  await call
  expect((await sandbox.control('GET', 'orders')).body).toEqual([])
  await sandbox.createPayment()
})

test('error500: as many calls as armed answer 500 and do nothing', async () => {
  const { paymentId } = await sandbox.createPayment()
  await arm('error500', 2)
  await expect(sandbox.createPayment()).rejects.toThrow(/^500 .*INTERNAL_SERVER_ERROR/)
  expect((await sandbox.callBank('DELETE', `/v1/payments/swedish-giro/${paymentId}`)).status).toBe(500)
  expect(await sandbox.statusOf(paymentId)).toBe('RCVD')
  expect((await sandbox.control('GET', 'orders')).body).toHaveLength(1)
})

test('error-after-success: the payment is there although the answer says it failed', async () => {
  await arm('error-after-success')
  await expect(sandbox.createPayment()).rejects.toThrow(/^500/)
  const [order] = (await sandbox.control('GET', 'orders')).body
  expect(order).toMatchObject({
    endToEndIdentification: INITIATION.endToEndIdentification,
    status: 'waiting',
  })
})

test('duplicate-callback: the next notification arrives twice with one event id', async () => {
  await arm('duplicate-callback')
  const { paymentId } = await sandbox.createPayment()
  await approve(paymentId)
  await expectHeard(['ACSP', 'ACSP'])
  const [first, second] = sandbox.product.received
  expect(first?.eventId).toBe(second?.eventId)
})

test('late-callback: the next notification comes ten seconds late', async () => {
  await arm('late-callback')
  const { paymentId } = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${paymentId}/decline`)
  await sandbox.clock.advance(9_000)
  expect(heard()).toEqual([])
  await sandbox.clock.advance(1_500)
  await expectHeard(['RJCT'])
})

test('drop-callback: the next notification never comes, the one after it does', async () => {
  await arm('drop-callback')
  const { paymentId } = await sandbox.createPayment()
  await approve(paymentId)
  await sandbox.clock.advance(3_600)
  await expectHeard(['ACSC'])
})

test('reorder-callbacks: the next two of a payment arrive backwards', async () => {
  await arm('reorder-callbacks')
  const { paymentId } = await sandbox.createPayment()
  await approve(paymentId)
  await sandbox.clock.advance(2_000)
  expect(heard()).toEqual([])
  await sandbox.clock.advance(1_600)
  await expectHeard(['ACSC', 'ACSP'])
})

test('reorder-callbacks: without a second one the first is not lost', async () => {
  await arm('reorder-callbacks')
  const { paymentId } = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${paymentId}/decline`)
  await sandbox.clock.advance(10_600)
  await expectHeard(['RJCT'])
})

test('wrong-amount and wrong-currency: the bank misreports the next signed payment only', async () => {
  await arm('wrong-amount')
  await arm('wrong-currency')
  const first = await sandbox.createPayment()
  const second = await sandbox.createPayment()
  const amountOf = async (payment: typeof first) =>
    (await sandbox.callBank('GET', payment._links.self.href)).body.instructedAmount
  expect(await amountOf(first)).toEqual({ currency: 'SEK', amount: '842.00' })
  await approve(first.paymentId)
  await approve(second.paymentId)
  expect(await amountOf(first)).toEqual({ currency: 'EUR', amount: '843.00' })
  expect(await amountOf(second)).toEqual({ currency: 'SEK', amount: '842.00' })
})

test('expire: the next signing link is dead at once', async () => {
  await arm('expire')
  const { paymentId } = await sandbox.createPayment()
  expect(await approve(paymentId)).toMatchObject({
    status: 409,
    body: { error: 'The order no longer waits for the payer: it is expired.' },
  })
  await sandbox.clock.advance(600)
  expect(await sandbox.statusOf(paymentId)).toBe('RJCT')
  await expectHeard(['RJCT'])
})

test.each([
  ['eid', 'drop-callback', 'drop-callback means nothing there: the electronic ID calls nobody back'],
  [
    'mail',
    'expire',
    'expire means nothing there: mail calls nobody back, moves no money and does not expire.',
  ],
  ['bank', 'maintenance', 'maintenance means nothing there: only the electronic ID or the issuer has it.'],
  ['mail', 'nonsense', 'fault must be one of timeout, error500, error-after-success.'],
])('%s cannot have %s, and the refusal says why', async (target, fault, sentence) => {
  const answer = await sandbox.control('POST', 'faults', { target, fault })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain(sentence)
})

test('faults are shown, replaced and cleared', async () => {
  await arm('timeout', 3)
  expect((await arm('timeout', 2)).body).toEqual({
    bank: { timeout: 2 },
    mobile: {},
    eid: {},
    mail: {},
    issuer: {},
  })
  await arm('expire')
  expect((await sandbox.control('GET', 'faults')).body).toEqual({
    bank: { timeout: 2, expire: 1 },
    mobile: {},
    eid: {},
    mail: {},
    issuer: {},
  })
  expect((await sandbox.control('DELETE', 'faults')).body).toEqual({
    bank: {},
    mobile: {},
    eid: {},
    mail: {},
    issuer: {},
  })
})
