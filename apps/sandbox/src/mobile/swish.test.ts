import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newInstructionId, startTestSandbox, SWISH_REQUEST } from '../testing/start-test-sandbox.ts'
import type { TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const BASE = '/swish-cpcapi/api'
const put = (id: string, body: object = {}, headers = {}) =>
  sandbox.callBank('PUT', `${BASE}/v2/paymentrequests/${id}`, {
    headers,
    body: { ...SWISH_REQUEST, callbackUrl: 'https://kvitt.example/c', ...body },
  })
const read = async (id: string) => (await sandbox.callBank('GET', `${BASE}/v1/paymentrequests/${id}`)).body
const cancel = (id: string, body: unknown = [{ op: 'replace', path: '/status', value: 'cancelled' }]) =>
  sandbox.callBank('PATCH', `${BASE}/v1/paymentrequests/${id}`, {
    headers: { 'content-type': 'application/json-patch+json' },
    body,
  })
const heard = () => sandbox.product.received.map((notice) => notice.status)
const expectHeard = (statuses: string[]) =>
  vi.waitFor(() => expect(heard()).toEqual(statuses), { interval: 10, timeout: 5_000 })

test('a request with a token, approved: paid, and the callback carries the identifier', async () => {
  const id = newInstructionId()
  const callbackUrl = `http://127.0.0.1:${sandbox.product.port}/hear/swish`
  const made = await put(id, { callbackUrl })
  expect(made.status).toBe(201)
  expect(made.headers['location']).toMatch(new RegExp(`/paymentrequests/${id}$`))
  expect(made.headers['paymentrequesttoken']).toMatch(/^[0-9a-f]{32}$/)
  expect(await read(id)).toMatchObject({ id, status: 'CREATED', amount: 842, paymentReference: null })
  await sandbox.control('POST', `orders/${id}/approve`)
  expect(await read(id)).toMatchObject({
    status: 'PAID',
    paymentReference: expect.stringMatching(/^[0-9A-F]{32}$/),
  })
  await expectHeard(['PAID'])
  expect(sandbox.product.received[0]).toMatchObject({ identifier: SWISH_REQUEST.callbackIdentifier, id })
})

test('a request by number has no token, and the number can have one at a time', async () => {
  const payerAlias = '46701234567'
  const first = await put(newInstructionId(), { payerAlias })
  expect([first.status, first.headers['paymentrequesttoken']]).toEqual([201, undefined])
  const second = await put(newInstructionId(), { payerAlias })
  expect([second.status, second.body]).toEqual([422, [expect.objectContaining({ errorCode: 'RP06' })]])
})

describe('refused at creation', () => {
  test.each<[object, number, string]>([
    [{ payeeAlias: undefined }, 422, 'RP01'],
    [{ payeeAlias: 'x' }, 403, 'PA01'],
    [{ callbackUrl: 'http://kvitt.example/' }, 422, 'RP03'],
    [{ callbackUrl: undefined }, 422, 'RP03'],
    [{ payeePaymentReference: 'å' }, 422, 'FF08'],
    [{ message: '<' }, 422, 'RP02'],
    [{ message: 'x'.repeat(51) }, 422, 'RP02'],
    [{ payerAlias: '0701' }, 422, 'BE18'],
    [{ amount: 'much' }, 422, 'PA02'],
    [{ amount: '0.00' }, 422, 'AM06'],
    [{ amount: '1234567890123' }, 422, 'AM02'],
    [{ currency: 'EUR' }, 422, 'AM03'],
    ...[
      'FF08',
      'BE18',
      'RP03',
      'PA02',
      'AM06',
      'AM02',
      'AM03',
      'RP01',
      'RP06',
      'ACMT03',
      'ACMT01',
      'ACMT07',
    ].map((code): [object, number, string] => [{ message: code }, 422, code]),
  ])('%j: %i %s', async (body, status, errorCode) => {
    const id = newInstructionId()
    const answer = await put(id, body)
    expect([answer.status, answer.body]).toEqual([status, [expect.objectContaining({ errorCode })]])
    expect((await sandbox.callBank('GET', `${BASE}/v1/paymentrequests/${id}`)).status).toBe(404)
  })

  test('an id twice, a bad id, a wrong content type, an identifier that is too short', async () => {
    const id = newInstructionId()
    await put(id)
    expect((await put(id)).body).toMatchObject([{ errorCode: 'RP09' }])
    expect((await put(id.toLowerCase())).status).toBe(400)
    expect((await put(newInstructionId(), {}, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await put(newInstructionId(), { callbackIdentifier: 'short' })).status).toBe(400)
  })
})

test.each(['RF07', 'FF10', 'TM01', 'DS24', 'BANKIDCL'])(
  'the message %s ends in that error after four seconds',
  async (code) => {
    const id = await sandbox.createSwish({ message: code })
    await sandbox.clock.advance(3_500)
    expect(await read(id)).toMatchObject({ status: 'CREATED' })
    await sandbox.clock.advance(1_000)
    expect(await read(id)).toMatchObject({ status: 'ERROR', errorCode: code })
    await expectHeard(['ERROR'])
  },
)

test('only an open request can be taken back', async () => {
  const id = await sandbox.createSwish()
  expect((await cancel(id, [])).status).toBe(400)
  expect((await cancel(newInstructionId())).status).toBe(404)
  expect((await cancel(id)).body).toMatchObject({ status: 'CANCELLED' })
  expect((await cancel(id)).body).toMatchObject([{ errorCode: 'RP07' }])
  expect((await sandbox.control('POST', `orders/${id}/approve`)).status).toBe(409)
})

test('nobody answers: the request ends by itself', async () => {
  const id = await sandbox.createSwish()
  const asked = await sandbox.createSwish({ payerAlias: '46701234567' })
  await sandbox.clock.advance(3 * 60_000 + 500)
  expect([(await read(id)).status, (await read(asked)).errorCode]).toEqual(['CREATED', 'TM01'])
  await sandbox.clock.advance(2.5 * 60_000)
  expect((await read(id)).errorCode).toBe('TM01')
})

test('an end that nobody knows can still be found out', async () => {
  const [paid, unpaid] = [await sandbox.createSwish(), await sandbox.createSwish()]
  for (const id of [paid, unpaid])
    await sandbox.control('POST', `orders/${id}/decline`, { errorCode: 'DS24' })
  expect(await read(paid)).toMatchObject({ status: 'ERROR', errorCode: 'DS24' })
  await sandbox.control('POST', `orders/${paid}/approve`)
  await sandbox.control('POST', `orders/${unpaid}/decline`)
  expect([await read(paid), await read(unpaid)]).toMatchObject([
    { status: 'PAID', errorCode: null },
    { status: 'DECLINED', errorCode: null },
  ])
})

test('a callback that is not taken is repeated after 5, 10, 20, 40 and then 60 seconds, ten times', async () => {
  sandbox.product.answers = Array.from({ length: 20 }, () => 500)
  const id = await sandbox.createSwish()
  await sandbox.control('POST', `orders/${id}/approve`)
  await vi.waitFor(() => expect(heard()).toHaveLength(1))
  const settled = () => new Promise((resolve) => setTimeout(resolve, 15))
  for (const [index, seconds] of [5, 10, 20, 40, 60, 60, 60, 60, 60, 60].entries()) {
    await settled()
    const sinceMs = sandbox.clock.now()
    await sandbox.clock.advance(seconds * 1_000 - 1_000)
    await settled()
    expect(heard()).toHaveLength(index + 1)
    while (heard().length === index + 1 && sandbox.clock.now() < sinceMs + seconds * 1_000 + 1_500) {
      await sandbox.clock.advance(250)
      await settled()
    }
    expect(heard()).toHaveLength(index + 2)
  }
  await sandbox.clock.advance(600_000)
  expect(heard()).toHaveLength(11)
})

describe('a refund', () => {
  const pay = async (): Promise<string> => {
    const id = await sandbox.createSwish()
    await sandbox.control('POST', `orders/${id}/approve`)
    await expectHeard(['PAID'])
    return (await read(id)).paymentReference
  }
  const refund = (refundId: string, body: object) =>
    sandbox.callBank('PUT', `${BASE}/v2/refunds/${refundId}`, {
      body: {
        callbackUrl: `http://127.0.0.1:${sandbox.product.port}/hear/refund`,
        payerAlias: SWISH_REQUEST.payeeAlias,
        amount: '800.00',
        currency: 'SEK',
        ...body,
      },
    })
  const readBack = async (refundId: string) =>
    (await sandbox.callBank('GET', `${BASE}/v1/refunds/${refundId}`)).body
  const arm = (fault: string) => sandbox.control('POST', 'faults', { target: 'mobile', fault })

  test('of what was paid, and not of more; the callback says how it ended', async () => {
    const originalPaymentReference = await pay()
    const refundId = newInstructionId()
    expect((await refund(refundId, { originalPaymentReference })).status).toBe(201)
    expect(await readBack(refundId)).toMatchObject({ status: 'CREATED' })
    await sandbox.clock.advance(1_600)
    expect(await readBack(refundId)).toMatchObject({ status: 'PAID', amount: 800, errorCode: null })
    await expectHeard(['PAID', 'PAID'])
    expect(sandbox.product.received[1]).toMatchObject({ id: refundId, amount: 800 })
    const codeOf = async (changes: object) =>
      (await refund(newInstructionId(), { originalPaymentReference, ...changes })).body[0].errorCode
    expect(await codeOf({ amount: '42.01' })).toBe('RF08')
    expect(await codeOf({ originalPaymentReference: 'none' })).toBe('RF02')
    expect(await codeOf({ payerAlias: '1231181189' })).toBe('RF03')
    expect(await codeOf({ callbackUrl: 'http://kvitt.example/' })).toBe('RP03')
  })

  test('can fail, and is then as if it had never been', async () => {
    const originalPaymentReference = await pay()
    await arm('expire')
    const refundId = newInstructionId()
    await refund(refundId, { originalPaymentReference })
    await sandbox.clock.advance(1_600)
    expect(await readBack(refundId)).toMatchObject({ status: 'ERROR', errorCode: 'TM01' })
    await expectHeard(['PAID', 'ERROR'])
    expect((await refund(newInstructionId(), { originalPaymentReference })).status).toBe(201)
  })

  test('is told wrongly when it is asked to be', async () => {
    const originalPaymentReference = await pay()
    const refundId = newInstructionId()
    await refund(refundId, { originalPaymentReference })
    await arm('wrong-amount')
    await sandbox.clock.advance(1_600)
    expect(await readBack(refundId)).toMatchObject({ status: 'PAID', amount: 801 })
  })
})

describe('faults', () => {
  const arm = (fault: string) => sandbox.control('POST', 'faults', { target: 'mobile', fault })

  test('error500 does nothing, error-after-success does it all the same', async () => {
    const id = newInstructionId()
    await arm('error500')
    expect((await put(id)).status).toBe(500)
    await arm('error-after-success')
    expect((await put(id)).status).toBe(500)
    expect(await read(id)).toMatchObject({ status: 'CREATED' })
  })

  test('wrong-amount and wrong-currency misreport what was paid', async () => {
    await arm('wrong-amount')
    await arm('wrong-currency')
    const id = await sandbox.createSwish()
    await sandbox.control('POST', `orders/${id}/approve`)
    expect(await read(id)).toMatchObject({ amount: 843, currency: 'EUR', status: 'PAID' })
  })

  test('expire, drop-callback, late-callback and duplicate-callback', async () => {
    await arm('expire')
    const expired = await sandbox.createSwish()
    await sandbox.clock.advance(600)
    expect(await read(expired)).toMatchObject({ status: 'ERROR', errorCode: 'TM01' })
    await expectHeard(['ERROR'])
    const end = async (fault: string) => {
      await arm(fault)
      await sandbox.control('POST', `orders/${await sandbox.createSwish()}/decline`)
    }
    await end('drop-callback')
    await end('duplicate-callback')
    await expectHeard(['ERROR', 'DECLINED', 'DECLINED'])
    await end('late-callback')
    await sandbox.clock.advance(9_000)
    expect(heard()).toHaveLength(3)
    await sandbox.clock.advance(1_600)
    await expectHeard(['ERROR', 'DECLINED', 'DECLINED', 'DECLINED'])
  })
})

test('after a kill every request stands where it stood', async () => {
  const [open, paid, unknown] = [
    await sandbox.createSwish(),
    await sandbox.createSwish(),
    await sandbox.createSwish(),
  ]
  await sandbox.control('POST', `orders/${paid}/approve`)
  await sandbox.control('POST', `orders/${unknown}/decline`, { errorCode: 'DS24' })
  const after = await sandbox.startAgainAfterKill()
  const orders = (await after.control('GET', 'orders?all=true')).body as { id: string; status: string }[]
  const statusOf = (id: string) => orders.find((order) => order.id === id)?.status
  expect([statusOf(open), statusOf(paid), statusOf(unknown)]).toEqual(['waiting', 'executed', 'unknown'])
  await after.stop()
})
