import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from './testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from './testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const slow = (target: string, seconds: unknown) => sandbox.control('POST', 'delays', { target, seconds })
const phone = async (): Promise<string> =>
  ((await (await fetch(`http://127.0.0.1:${sandbox.port}/page/regions`)).json()) as Json).phone

test('a slow payer approves after a while, and the phone counts down', async () => {
  expect((await slow('payer', 5)).body).toMatchObject({ payer: 5, bank: 0 })
  const { paymentId } = await sandbox.createPayment()
  const pressed = await sandbox.control('POST', `orders/${paymentId}/approve`)
  expect([pressed.status, pressed.body.status]).toEqual([202, 'waiting'])
  await sandbox.clock.advance(2_000)
  expect(await phone()).toContain('Approves in 3 s')
  expect(await sandbox.statusOf(paymentId)).toBe('RCVD')
  await sandbox.clock.advance(3_000)
  expect(await sandbox.statusOf(paymentId)).toBe('ACSP')
})

test('who thinks again in time declines; who is quick by then decides at once', async () => {
  await slow('payer', 60)
  const first = await sandbox.createSwish()
  await sandbox.control('POST', `orders/${first}/approve`)
  await sandbox.control('POST', `orders/${first}/decline`)
  const second = await sandbox.createSwish()
  await sandbox.control('POST', `orders/${second}/approve`)
  await slow('payer', 0)
  expect((await sandbox.control('POST', `orders/${second}/decline`)).body.status).toBe('declined')
  await sandbox.clock.advance(60_000)
  const orders: Json[] = (await sandbox.control('GET', 'orders?all=true')).body
  expect(orders.map(({ id, status }) => [id, status])).toEqual([
    [second, 'declined'],
    [first, 'declined'],
  ])
})

test('who never answers lets it run out', async () => {
  await slow('payer', null)
  const id = await sandbox.createSwish()
  expect((await sandbox.control('POST', `orders/${id}/approve`)).status).toBe(202)
  expect(await phone()).toContain('Never is a long time')
  await sandbox.clock.advance(6 * 60_000)
  expect((await sandbox.control('GET', 'orders?all=true')).body).toMatchObject([{ status: 'expired' }])
})

test('a slow bank does what it is asked at once, and answers late; after a kill it is as slow', async () => {
  await slow('bank', 7)
  let answered = false
  const making = sandbox.createPayment().then((payment) => {
    answered = true
    return payment
  })
  const made = async (): Promise<Json[]> => (await sandbox.control('GET', 'orders')).body
  await expect.poll(made).toHaveLength(1)
  await sandbox.clock.advance(6_000)
  expect(answered).toBe(false)
  await expect
    .poll(async () => {
      await sandbox.clock.advance(1_000)
      return answered
    })
    .toBe(true)
  expect((await making).transactionStatus).toBe('RCVD')
  const after = await sandbox.startAgainAfterKill()
  expect((await after.control('GET', 'delays')).body).toMatchObject({ bank: 7, mobile: 0 })
  await after.stop()
})

test.each([
  ['post', 5],
  ['payer', -1],
  ['payer', 1.5],
  ['payer', '5'],
  ['bank', null],
  ['bank', 601],
])('%s after %j is refused', async (target, seconds) => {
  expect((await slow(target, seconds)).status).toBe(400)
  expect((await sandbox.control('GET', 'delays')).body).toEqual({
    payer: 0,
    bank: 0,
    mobile: 0,
    eid: 0,
    mail: 0,
    issuer: 0,
  })
})
