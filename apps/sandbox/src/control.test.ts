import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox } from './testing/start-test-sandbox.ts'
import type { TestSandbox } from './testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.stop())

test('an order says what the payer is asked for', async () => {
  const { paymentId, _links } = await sandbox.createPayment({
    instructedAmount: { currency: 'SEK', amount: '842.5' },
  })
  const { status, body } = await sandbox.control('GET', 'orders')
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      id: paymentId,
      kind: 'bank',
      reference: '261185',
      amount: '842.50',
      currency: 'SEK',
      text: 'Pay Fjällström Demo Energi',
      status: 'waiting',
      createdAt: '2026-11-20T09:00:00.000Z',
      executionDate: '2026-11-20',
      payee: 'Fjällström Demo Energi',
      account: '123-4567',
      endToEndIdentification: 'a-payment-of-ours',
      transactionStatus: 'RCVD',
      link: _links.scaRedirect.href,
    },
  ])
  await sandbox.control('POST', `orders/${paymentId}/decline`)
  expect((await sandbox.control('GET', 'orders')).body).toEqual([])
  expect((await sandbox.control('GET', 'orders?all=true')).body).toMatchObject([{ status: 'declined' }])
})

test.each([
  ['POST', 'faults', { target: 'post', fault: 'timeout' }, 400],
  ['POST', 'faults', { target: 'eid', fault: 'wrong-amount' }, 400],
  ['POST', 'faults', { target: 'mobile', fault: 'fire' }, 400],
  ['POST', 'orders/nobody/decline', { errorCode: 'constructor' }, 400],
  ['POST', 'faults', { target: 'mail', fault: 'expire' }, 400],
  ['POST', 'faults', { target: 'bank', fault: 'fire' }, 400],
  ['POST', 'faults', { target: 'bank', fault: 'constructor' }, 400],
  ['POST', 'faults', { target: 'bank', fault: 'timeout', times: 0 }, 400],
  ['POST', 'faults', { target: 'bank', fault: 'timeout', times: 1.5 }, 400],
  ['POST', 'faults', { target: 'bank', fault: 'timeout', times: '1' }, 400],
  ['POST', 'faults', '{', 400],
  ['POST', 'faults', '[]', 400],
  ['POST', 'settle', { date: '20 November' }, 400],
  ['POST', 'settle', { date: '2026-02-30' }, 400],
  ['POST', 'settle', { includeHeld: 'yes' }, 400],
  ['POST', 'clock', {}, 400],
  ['POST', 'clock', { advanceDays: -1 }, 400],
  ['POST', 'clock', { advanceDays: 'many' }, 400],
  ['POST', 'orders/nobody/approve', {}, 404],
  ['POST', 'orders/nobody/decline', {}, 404],
  ['GET', 'post', undefined, 404],
  ['POST', 'mail', {}, 405],
  ['PUT', 'faults', {}, 405],
  ['GET', 'orders/nobody/approve', undefined, 405],
  ['POST', 'settle', 'x'.repeat(70_000), 413],
])('%s %s with %j answers %4$i and a sentence', async (method, path, body, status) => {
  const answer = await sandbox.control(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.stringMatching(/^\S.*\.$/) })
  expect((await sandbox.control('GET', 'faults')).body).toEqual({
    bank: {},
    mobile: {},
    eid: {},
    mail: {},
    issuer: {},
  })
})

test('hold must be a yes or a no', async () => {
  const { paymentId } = await sandbox.createPayment()
  expect((await sandbox.control('POST', `orders/${paymentId}/approve`, { hold: 1 })).status).toBe(400)
  expect(await sandbox.statusOf(paymentId)).toBe('RCVD')
})

test('clock and guesses are the product’s', async () => {
  expect((await sandbox.control('GET', 'clock')).body).toEqual({
    today: '2026-11-20',
    timeZone: 'Europe/Stockholm',
  })
  expect((await sandbox.control('POST', 'clock', { advanceDays: 1 })).body).toMatchObject({
    today: '2026-11-21',
  })
  expect((await sandbox.control('DELETE', 'guesses')).status).toBe(200)
  expect(sandbox.product.guessesCleared).toBe(1)
})

test('another website cannot press the buttons', async () => {
  const settleFrom = async (origin: string) => {
    const address = `http://127.0.0.1:${sandbox.port}/control/settle`
    return (await fetch(address, { method: 'POST', headers: { origin } })).status
  }
  expect(await settleFrom('https://elsewhere.example')).toBe(403)
  expect(await settleFrom('null')).toBe(403)
  expect(await settleFrom(`http://127.0.0.1:${sandbox.port}`)).toBe(200)
})

test('a name that was made to point here is not answered', async () => {
  const status = await new Promise((resolve, reject) => {
    const options = { port: sandbox.port, path: '/control/orders', headers: { host: 'elsewhere.example' } }
    request(options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
})

test('the books are read again for whoever asks a while later, not told as they were', async () => {
  const booked = (id: string) => ({
    checks: [],
    sums: [],
    orders: [
      {
        id,
        gateway: 'DIRECT_BANK',
        status: 'COMPLETED',
        amount: '1.00',
        currency: 'SEK',
        bookings: 1,
        withAPerson: false,
      },
    ],
  })
  const wrong = async () => (await sandbox.control('GET', 'ledger')).body.wrong
  sandbox.product.ledger = booked('first')
  expect(await wrong()).toEqual(['first'])
  sandbox.product.ledger = booked('second')
  expect(await wrong()).toEqual(['first'])
  await sandbox.clock.advance(11_000)
  expect(await wrong()).toEqual(['second'])
})

test('a payment is late by the age of the books, not by what time it is now', async () => {
  const ledger = async () => (await sandbox.control('GET', 'ledger')).body
  sandbox.product.ledger = { checks: [], sums: [], orders: [] }
  const { paymentId } = await sandbox.createPayment()
  await sandbox.control('POST', `orders/${paymentId}/approve`)
  await sandbox.control('POST', 'settle')
  await sandbox.clock.advance(175_000)
  expect(await ledger()).toMatchObject({ isRight: true, onTheWay: 1, lost: [] })
  // By now the payment is three minutes old, and the answer is still the one from five seconds before that.
  await sandbox.clock.advance(8_000)
  expect(await ledger()).toMatchObject({ isRight: true, onTheWay: 1, lost: [] })
  await sandbox.clock.advance(11_000)
  expect(await ledger()).toMatchObject({ isRight: false, onTheWay: 0, lost: ['261185'] })
})

test('a product that is down is named in a sentence', async () => {
  await sandbox.product.stop()
  expect(await sandbox.control('POST', 'clock', { advanceDays: 1 })).toEqual({
    status: 503,
    body: { error: expect.stringContaining(`port ${sandbox.product.port}`) },
  })
  expect((await sandbox.control('DELETE', 'guesses')).status).toBe(503)
})
