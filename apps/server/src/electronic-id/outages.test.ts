import { describe, expect, test } from 'vitest'
import { type CollectAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import {
  ALVA,
  time,
  server,
  limited,
  openBrowser,
  act,
  codeOf,
  fault,
  wait,
  useElectronicId,
} from '../testing/electronic-id.ts'
import { forgetOldOrders } from './electronic-id.ts'

useElectronicId()

describe('the provider is not there', () => {
  test.each([
    ['error500', 'provider_unavailable', 'BankID'],
    ['maintenance', 'provider_unavailable', 'BankID'],
    ['error-after-success', 'provider_unavailable', 'BankID'],
    ['already-in-progress', 'eid_already_in_progress', 'personnummer'],
  ])('a start that meets %s is %s', async (name, code, text) => {
    await fault(name)
    const browser = openBrowser()
    const answer = await browser.post('/external/bankid/auth')
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
    expect((answer.json as { message: string }).message).toContain(text)
    expect(browser.jar.size).toBe(0)
    expect((await browser.post('/external/bankid/auth')).status).toBe(200)
  })

  test('a start that is never answered is told within seconds', async () => {
    await fault('timeout')
    const answer = await openBrowser().post('/external/bankid/auth')
    expect([answer.status, codeOf(answer)]).toEqual([400, 'provider_unavailable'])
  }, 10_000)

  test('one silence while waiting is not told, three in a row are, and the order goes on', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await act(orderRef, 'show', { hintCode: 'userSign' })
    await browser.collect(orderRef)
    await fault('error500', 3)
    const told: unknown[] = []
    for (let n = 1; n <= 4; n++) {
      time.aheadMs = n * 2_000
      const answer = await browser.collect(orderRef)
      told.push(answer.status === 200 ? (answer.json as CollectAnswer).hintCode : codeOf(answer))
    }
    expect(told).toEqual(['userSign', 'userSign', 'provider_unavailable', 'userSign'])
  })

  test('while one caller waits for a silent provider, the page is answered from what is known', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await act(orderRef, 'show', { hintCode: 'userSign' })
    await browser.collect(orderRef)
    time.aheadMs = 2_000
    await fault('timeout')
    const slow = browser.collect(orderRef)
    await wait(300)
    const before = Date.now()
    expect((await browser.collect(orderRef)).json).toMatchObject({ status: 'pending', hintCode: 'userSign' })
    expect(Date.now() - before).toBeLessThan(1_000)
    expect((await slow).json).toMatchObject({ status: 'pending', hintCode: 'userSign' })
  }, 10_000)

  test('an end whose answer is lost is a failure, never a session', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await act(orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    await fault('error-after-success')
    expect((await browser.collect(orderRef)).json).toMatchObject({ status: 'pending' })
    time.aheadMs = 2_000
    expect((await browser.collect(orderRef)).json).toMatchObject({ status: 'failed', messageCode: 'RFA22' })
    expect(browser.jar.has('kvitt_session')).toBe(false)
  })
})

describe('starting too often', () => {
  test('eid.qr: ten in ten minutes from one address, however many at once; then the wait is told', async () => {
    const start = (remoteAddress: string) =>
      server.product.app.inject({
        method: 'POST',
        url: '/api/external/bankid/auth',
        remoteAddress,
        headers: { host: limited.host, 'content-type': 'application/json', 'accept-language': 'en' },
        // Nothing in the body counts: neither who it is for nor where it comes from.
        payload: '{"personalNumber":"199007292387","endUserIp":"198.51.100.1"}',
      })
    const answers = await Promise.all(Array.from({ length: 15 }, () => start('203.0.113.7')))
    const codes = answers.map((a) => (a.statusCode === 200 ? 'ok' : a.json<{ code: string }>().code))
    expect([
      codes.filter((c) => c === 'ok').length,
      codes.filter((c) => c === 'eid_rate_limited').length,
    ]).toEqual([10, 5])
    const refused = answers.find((a) => a.statusCode === 400)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(590)
    expect(refused?.json().message).toContain('10 minutes')
    expect((await start('203.0.113.8')).statusCode).toBe(200)
    time.aheadMs = 10 * 60_000 + 1_000
    expect((await start('203.0.113.7')).statusCode).toBe(200)
  })
})

test.each([
  [{ orderRef: 'x', type: 'FACE' }],
  [{ orderRef: '', type: 'QR_CODE' }],
  [{ orderRef: 1, type: 'QR_CODE' }],
  [{ type: 'QR_CODE' }],
  [{}],
])('a collect with %j is no collect', async (body) => {
  const answer = await openBrowser().post('/external/bankid/collect?source=debtor', body)
  expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
})

test('a source that this door does not have is refused', async () => {
  const answer = await openBrowser().post('/external/bankid/collect?source=admin', {
    orderRef: 'x',
    type: 'QR_CODE',
  })
  expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
})

test('old orders are forgotten', async () => {
  await openBrowser().start()
  time.aheadMs = 75 * 60_000
  await forgetOldOrders(server.product.context)
  const { rowCount } = await server.test.owner.query('select from eid_order')
  expect(rowCount).toBe(0)
})
