import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.control('DELETE', 'faults'))
afterAll(() => sandbox.stop())

const rp = (act: string, body: unknown, headers = {}, method = 'POST') =>
  sandbox.callBank(method, `/rp/v6.0/${act}`, { body, headers })
const start = async (): Promise<Json> =>
  (await rp('auth', { endUserIp: '127.0.0.1', userVisibleData: Buffer.from('Log in').toString('base64') }))
    .body
const collect = async (orderRef: string) => {
  const { status, body } = await rp('collect', { orderRef })
  return [status, body.errorCode ?? body.status, body.hintCode]
}
const act = (orderRef: string, name: string, body = {}) =>
  sandbox.control('POST', `orders/${orderRef}/${name}`, body)

test('from the start to a person, and no further', async () => {
  const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = await start()
  expect(new Set([orderRef, autoStartToken, qrStartToken, qrStartSecret]).size).toBe(4)
  expect(createHmac('sha256', qrStartSecret).update('0').digest('hex')).toHaveLength(64)
  expect(await collect(orderRef)).toEqual([200, 'pending', 'outstandingTransaction'])
  const [order] = (await sandbox.control('GET', 'orders')).body
  expect(order).toMatchObject({ id: orderRef, kind: 'eid', text: 'Log in', status: 'waiting', amount: null })
  expect(JSON.stringify(order)).not.toContain(qrStartSecret)
  expect((await act(orderRef, 'approve', { personalNumber: '19900729-2387' })).status).toBe(200)
  expect(await collect(orderRef)).toEqual([200, 'pending', 'started'])
  await sandbox.clock.advance(500)
  expect(await collect(orderRef)).toEqual([200, 'pending', 'userSign'])
  await sandbox.clock.advance(500)
  const { body } = await rp('collect', { orderRef })
  expect(body).toMatchObject({
    orderRef,
    status: 'complete',
    completionData: { user: { personalNumber: '199007292387', name: 'Alva Provlund', surname: 'Provlund' } },
  })
  expect(await collect(orderRef)).toEqual([400, 'invalidParameters', undefined])
  expect((await act(orderRef, 'approve', { personalNumber: '199007292387' })).status).toBe(409)
})

test('declined, with the reason asked for', async () => {
  const { orderRef } = await start()
  await act(orderRef, 'decline', { hintCode: 'certificateErr' })
  expect(await collect(orderRef)).toEqual([200, 'failed', 'certificateErr'])
  const other = await start()
  await act(other.orderRef, 'decline')
  expect(await collect(other.orderRef)).toEqual([200, 'failed', 'userCancel'])
})

test('held at a hint until somebody identifies', async () => {
  const { orderRef } = await start()
  await act(orderRef, 'show', { hintCode: 'noClient' })
  await sandbox.clock.advance(10_000)
  expect(await collect(orderRef)).toEqual([200, 'pending', 'noClient'])
})

test('taken up by nobody it ends after three minutes, and is forgotten', async () => {
  const { orderRef } = await start()
  await sandbox.clock.advance(179_999)
  expect(await collect(orderRef)).toEqual([200, 'pending', 'outstandingTransaction'])
  await sandbox.clock.advance(1)
  expect(await collect(orderRef)).toEqual([200, 'failed', 'expiredTransaction'])
  const late = await start()
  await sandbox.clock.advance(480_000)
  expect(await collect(late.orderRef)).toEqual([400, 'invalidParameters', undefined])
})

test('cancelled once', async () => {
  const { orderRef } = await start()
  expect(await rp('cancel', { orderRef })).toMatchObject({ status: 200, body: {} })
  expect((await rp('cancel', { orderRef })).body).toMatchObject({ errorCode: 'invalidParameters' })
  expect(await collect(orderRef)).toEqual([400, 'invalidParameters', undefined])
})

test.each([
  ['auth', {}, {}, 'POST', 400, 'invalidParameters'],
  ['auth', { endUserIp: 'here' }, {}, 'POST', 400, 'invalidParameters'],
  ['auth', { endUserIp: '::1', userVisibleData: 'å' }, {}, 'POST', 400, 'invalidParameters'],
  ['auth', { endUserIp: '::1', web: {}, app: {} }, {}, 'POST', 400, 'invalidParameters'],
  ['auth', '[', {}, 'POST', 400, 'invalidParameters'],
  [
    'auth',
    { endUserIp: '::1' },
    { 'content-type': 'application/json; charset=utf-8' },
    'POST',
    415,
    'unsupportedMediaType',
  ],
  ['auth', undefined, {}, 'GET', 405, 'methodNotAllowed'],
  ['collect', {}, {}, 'POST', 400, 'invalidParameters'],
  ['sign', {}, {}, 'POST', 404, 'notFound'],
  ['constructor', {}, {}, 'POST', 404, 'notFound'],
] as const)('%s with %j %j %s answers %i %s', async (name, body, headers, method, status, errorCode) => {
  expect(await rp(name, body, headers, method)).toMatchObject({ status, body: { errorCode } })
})

test.each([
  ['error500', 500, 'internalError'],
  ['error-after-success', 500, 'internalError'],
  ['maintenance', 503, 'Maintenance'],
  ['already-in-progress', 400, 'alreadyInProgress'],
])('the fault %s happens once', async (fault, status, errorCode) => {
  await sandbox.control('POST', 'faults', { target: 'eid', fault })
  expect(await rp('auth', { endUserIp: '::1' })).toMatchObject({ status, body: { errorCode } })
  expect((await rp('auth', { endUserIp: '::1' })).status).toBe(200)
})

test.each([
  ['approve', {}],
  ['approve', { personalNumber: 199007292387 }],
  ['approve', { personalNumber: '<b>' }],
  ['decline', { hintCode: 'userSign' }],
  ['show', {}],
  ['show', { hintCode: 'userCancel' }],
])('%s with %j is no decision', async (name, body) => {
  const { orderRef } = await start()
  const answer = await act(orderRef, name, body)
  expect([answer.status, answer.body]).toEqual([400, { error: expect.stringMatching(/^\S.*\.$/) }])
  expect(await collect(orderRef)).toEqual([200, 'pending', 'outstandingTransaction'])
})

test('the phone asks who holds it', async () => {
  const { orderRef } = await start()
  const regions: Json = await (
    await fetch(`http://127.0.0.1:${sandbox.port}/page/regions?order=${orderRef}`)
  ).json()
  const phone: string = regions.phone
  expect(phone).toContain('<h2>Log in</h2>')
  for (const name of ['Alva Provlund', 'Ingrid Prøvestad', 'Somebody else']) expect(phone).toContain(name)
  await act(orderRef, 'decline')
})
