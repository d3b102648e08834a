import { describe, expect, test } from 'vitest'
import { type CollectAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { startProduct, type Product } from '../start.ts'
import {
  ALVA,
  server,
  second,
  openBrowser,
  act,
  codeOf,
  fault,
  wait,
  finish,
  useElectronicId,
  type Browser,
} from '../testing/electronic-id.ts'

useElectronicId()

describe('eid.hijack: an order is its browser’s', () => {
  test('another browser that knows the name learns nothing and gets nothing', async () => {
    const [mine, theirs] = [openBrowser(), openBrowser()]
    const { orderRef } = await mine.start()
    await theirs.start()
    await act(orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    const never = await theirs.collect('11111111-1111-1111-1111-111111111111')
    for (const answer of [await theirs.collect(orderRef), await theirs.cancel(orderRef), never]) {
      expect([answer.status, codeOf(answer)]).toEqual([400, 'eid_order_unknown'])
      expect(answer.text.replaceAll(/[0-9a-f-]{36}/g, '')).toBe(never.text.replaceAll(/[0-9a-f-]{36}/g, ''))
    }
    // The address that iOS comes back to names the order: in the browser that started it, that goes on.
    expect((await finish(mine, orderRef)).idToken).not.toBeNull()
  })

  test('the cookie of another order does not help', async () => {
    const [mine, theirs] = [openBrowser(), openBrowser()]
    const [first, second] = [await mine.start(), await theirs.start()]
    const secret = [...theirs.jar.values()][0] ?? ''
    for (const name of mine.jar.keys()) theirs.jar.set(name, secret)
    expect(codeOf(await theirs.collect(first.orderRef))).toBe('eid_order_unknown')
    expect((await theirs.collect(second.orderRef)).status).toBe(200)
  })

  test('two tabs of one browser do not disturb each other', async () => {
    const browser = openBrowser()
    const [first, second] = [await browser.start(), await browser.start()]
    expect((await browser.collect(first.orderRef)).status).toBe(200)
    expect((await browser.collect(second.orderRef)).status).toBe(200)
  })

  test('an order of one tenant is nothing at another', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.product.app.inject({
      method: 'POST',
      url: '/api/external/bankid/collect',
      headers: { host: second.host, cookie, 'content-type': 'application/json' },
      payload: JSON.stringify({ orderRef, type: 'QR_CODE' }),
    })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'eid_order_unknown'])
  })
})

describe('once', () => {
  test('of many callers at the end one gets the session', async () => {
    for (let round = 0; round < 3; round++) {
      const browser = openBrowser()
      const { orderRef } = await browser.start()
      await act(orderRef, 'approve', { personalNumber: ALVA })
      await wait(1_100)
      const answers = await Promise.all(Array.from({ length: 12 }, () => browser.collect(orderRef)))
      const tokens = answers
        .filter((a) => a.status === 200)
        .map((a) => (a.json as CollectAnswer).idToken)
        .filter((token) => token !== null)
      expect(tokens).toHaveLength(1)
      browser.jar.set('', '')
      expect((await browser.collect(orderRef)).status).toBe(400)
    }
  })

  test('token.stolen, H2: two processes give out one session between them, and a logout in one is a logout in both', async () => {
    const { config } = server.product.context
    const twin = await startProduct({
      config,
      database: server.test.address,
      version: 'twin',
      isDemo: false,
      clock: server.product.context.clock,
      sweepMs: 0,
    })
    try {
      for (let round = 0; round < 5; round++) {
        const browser = openBrowser()
        const { orderRef } = await browser.start()
        const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
        await act(orderRef, 'approve', { personalNumber: ALVA })
        await wait(1_100)
        const ask = (product: Product) =>
          product.app.inject({
            method: 'POST',
            url: '/api/external/bankid/collect',
            headers: { host: 'localhost', cookie },
            payload: { orderRef, type: 'QR_CODE' },
          })
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) => ask(n % 2 === 0 ? server.product : twin)),
        )
        const given = answers.filter((a) => a.statusCode === 200 && a.json<CollectAnswer>().idToken !== null)
        expect(given).toHaveLength(1)
        const headers = {
          host: 'localhost',
          authorization: `Bearer ${given[0]?.json<CollectAnswer>().idToken}`,
          cookie: String([given[0]?.headers['set-cookie']].flat()[0]).split(';', 1)[0],
        }
        const read = async (product: Product): Promise<number> =>
          (await product.app.inject({ url: '/api/debtor/session', headers })).statusCode
        expect(await Promise.all([read(server.product), read(twin)])).toEqual([200, 200])
        await twin.app.inject({ method: 'POST', url: '/api/debtor/logout', headers })
        expect(await Promise.all([read(server.product), read(twin)])).toEqual([401, 401])
      }
    } finally {
      await twin.stop()
    }
  })

  test('completed, the order is used up', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    const kept = new Map(browser.jar)
    await act(orderRef, 'approve', { personalNumber: ALVA })
    await finish(browser, orderRef)
    for (const [name, value] of kept) browser.jar.set(name, value)
    expect(codeOf(await browser.collect(orderRef))).toBe('eid_order_unknown')
    expect((await browser.cancel(orderRef)).status).toBe(200)
    expect(codeOf(await browser.collect(orderRef))).toBe('eid_order_unknown')
  })

  test('however often the page asks, the provider is asked once a second', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await browser.collect(orderRef)
    await fault('error500', 50)
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.collect(orderRef)))
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]))
    const faults = (await server.control('GET', '/control/faults')) as unknown as {
      eid: { error500?: number }
    }
    expect(faults.eid.error500).toBe(50)
  })
})

describe('cancelling', () => {
  test('ends the order here and at the provider, and can be repeated', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    const cancelled = await browser.cancel(orderRef)
    expect([cancelled.status, cancelled.json]).toEqual([200, { orderRef }])
    expect((await browser.cancel(orderRef)).status).toBe(200)
    expect(codeOf(await browser.collect(orderRef))).toBe('eid_order_unknown')
    const all = (await server.control('GET', '/control/orders?all=true')) as unknown as { id: string }[]
    expect(all.some((o) => o.id === orderRef)).toBe(false)
  })

  test('holds when the provider is not there, whatever the app does afterwards', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await fault('error500')
    expect((await browser.cancel(orderRef)).status).toBe(200)
    await act(orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    expect(codeOf(await browser.collect(orderRef))).toBe('eid_order_unknown')
  })

  test('of a cancel and a completion at once, one wins whole', async () => {
    for (let round = 0; round < 3; round++) {
      const browser = openBrowser()
      const { orderRef } = await browser.start()
      await act(orderRef, 'approve', { personalNumber: ALVA })
      await wait(1_100)
      const [collected, cancelled] = await Promise.all([browser.collect(orderRef), browser.cancel(orderRef)])
      const { rows } = await server.test.owner.query('select status from eid_order where order_ref = $1', [
        orderRef,
      ])
      const isComplete = collected.status === 200 && (collected.json as CollectAnswer).status === 'complete'
      expect([cancelled.status, rows]).toEqual([200, [{ status: isComplete ? 'COMPLETE' : 'CANCELLED' }]])
    }
  })
})

describe('csrf.sessionswap: an order that came with the address of a page', () => {
  const collectReturn = (browser: Browser, orderRef: string) =>
    browser.post('/external/bankid/collect?source=debtor', { orderRef, type: 'AUTO_START', isReturn: true })

  test('takes nobody’s place who is logged in in that browser, and waits', async () => {
    const browser = openBrowser()
    const mine = await browser.start()
    await act(mine.orderRef, 'approve', { personalNumber: ALVA })
    const { idToken } = await finish(browser, mine.orderRef)
    const planted = await browser.start()
    await act(planted.orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    expect(codeOf(await collectReturn(browser, planted.orderRef))).toBe('eid_session_open')
    expect(codeOf(await collectReturn(openBrowser(), planted.orderRef))).toBe('eid_order_unknown')
    const headers = { authorization: `Bearer ${idToken}` }
    expect((await browser.post('/debtor/logout', {}, headers)).status).toBe(204)
    // Nobody is there any more, and the order has not been used up.
    expect((await collectReturn(browser, planted.orderRef)).json).toMatchObject({ status: 'complete' })
  })

  test('goes on where nobody is logged in, or when the page has asked', async () => {
    const browser = openBrowser()
    const first = await browser.start()
    await act(first.orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    expect((await collectReturn(browser, first.orderRef)).json).toMatchObject({ status: 'complete' })
    const second = await browser.start()
    await act(second.orderRef, 'approve', { personalNumber: ALVA })
    await wait(1_100)
    expect(codeOf(await collectReturn(browser, second.orderRef))).toBe('eid_session_open')
    expect((await finish(browser, second.orderRef)).idToken).not.toBeNull()
  })
})
