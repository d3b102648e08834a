import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { startProduct, type Product } from '../start.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { forgetOldOrders } from './electronic-id.ts'

const ALVA = '199007292387'
let aheadMs = 0
let server: TestServer
let invoice: BuiltInvoice
let second: { id: string; host: string }
let limited: { id: string; host: string }

beforeAll(async () => {
  server = await startTestServer({
    clock: { now: () => Date.now() + aheadMs, today: () => '2026-11-20' as never },
  })
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await number(invoice, '19900729-2387')
  second = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  limited = await buildInstance(server.test, { alias: 'kustklar', isDefault: false, guessLimits: {} })
})
beforeEach(async () => {
  aheadMs = 0
  await server.control('DELETE', '/control/faults')
})

async function number(of: BuiltInvoice, identificationNumber: string): Promise<void> {
  await server.test.owner.query(
    'update debtor set identification_number = $2::text, identity = $3 where id = $1',
    [of.debtorId, identificationNumber, `SE:${identificationNumber.replaceAll('-', '')}`],
  )
}

/** A browser: it keeps the cookies that it is given. */
function openBrowser(headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  async function post(path: string, body: unknown = {}, more: Record<string, string> = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.call('POST', `/api${path}`, {
      body,
      headers: { ...headers, ...more, cookie },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  return {
    jar,
    post,
    start: async () => (await post('/external/bankid/auth')).json as StartAnswer,
    collect: (orderRef: string, type = 'QR_CODE') =>
      post('/external/bankid/collect?source=debtor', { orderRef, type }),
    cancel: (orderRef: string) => post('/external/bankid/cancel', { orderRef }),
  }
}
type Browser = ReturnType<typeof openBrowser>

const act = (orderRef: string, name: string, body: object = {}) =>
  server.control('POST', `/control/orders/${orderRef}/${name}`, body)
const codeOf = (answer: { json: never }): string => (answer.json as { code: string }).code
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'eid', fault: name, times })
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks as the portal does until the order has an end. */
async function finish(browser: Browser, orderRef: string): Promise<CollectAnswer> {
  for (let asked = 0; asked < 40; asked++) {
    const answer = await browser.collect(orderRef)
    expect(answer.status, answer.text).toBe(200)
    const told = answer.json as CollectAnswer
    if (told.status !== 'pending') return told
    await wait(150)
  }
  throw new Error('the order never ended')
}

describe('logging in', () => {
  test('an order is started, followed and exchanged for a session', async () => {
    const browser = openBrowser({ 'accept-language': 'en' })
    const started = await browser.post('/external/bankid/auth')
    expect(started.status).toBe(200)
    const { orderRef, autoStartToken, qrCode } = started.json as StartAnswer
    expect(qrCode).toMatch(/^bankid\.[0-9a-f-]{36}\.0\.[0-9a-f]{64}$/)
    expect(autoStartToken).toMatch(/^[0-9a-f-]{36}$/)
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^kvitt_eid_[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect((await browser.collect(orderRef)).json).toEqual({
      orderRef,
      status: 'pending',
      hintCode: 'outstandingTransaction',
      messageCode: 'RFA13',
      message: 'Trying to start your BankID app.',
      qrCode: expect.stringMatching(/^bankid\./),
      idToken: null,
      tokenType: null,
      debtorName: null,
    })
    const waiting = (await server.control('GET', '/control/orders')) as unknown as {
      id: string
      text: string
    }[]
    expect(waiting.find((o) => o.id === orderRef)).toMatchObject({
      kind: 'eid',
      text: 'Log in to nordklar AB',
    })
    await act(orderRef, 'approve', { personalNumber: ALVA })
    const done = await finish(browser, orderRef)
    expect(done).toEqual({
      orderRef,
      status: 'complete',
      hintCode: null,
      messageCode: null,
      message: null,
      qrCode: null,
      idToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      debtorName: 'Alva Provlund',
    })
    expect([...browser.jar.keys()]).toEqual(['kvitt_session'])
    const mine = await server.call('GET', `/api/debtor/invoices?paymentReference=${invoice.reference}`, {
      headers: {
        authorization: `Bearer ${done.idToken}`,
        cookie: `kvitt_session=${browser.jar.get('kvitt_session')}`,
      },
    })
    expect([mine.status, mine.json]).toEqual([200, expect.objectContaining({ id: invoice.id })])
  })

  test('everything that is kept under the number, with and without its century, and nothing else', async () => {
    const person = '198112189876'
    const [long, short, plus] = [await built(), await built(), await built()]
    await number(long, '19811218-9876')
    await number(short, '811218-9876')
    await number(plus, '811218+9876').catch(() => undefined)
    const abroad = await buildInvoice(server.test, second.id, server.clock)
    await number(abroad, '19811218-9876')
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await act(orderRef, 'approve', { personalNumber: person })
    const { idToken } = await finish(browser, orderRef)
    const list = await server.call('POST', '/api/debtor/invoices/ledger', {
      body: {},
      headers: {
        authorization: `Bearer ${idToken}`,
        cookie: `kvitt_session=${browser.jar.get('kvitt_session')}`,
      },
    })
    expect(new Set((list.json as { id: string }[]).map((i) => i.id))).toEqual(new Set([long.id, short.id]))
  })

  test('somebody whom nobody has sent an invoice is told so, and gets nothing', async () => {
    const browser = openBrowser({ 'accept-language': 'en' })
    const { orderRef } = await browser.start()
    await act(orderRef, 'approve', { personalNumber: '190001019801' })
    await wait(1_100)
    const answer = await browser.collect(orderRef)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'eid_nothing_here'])
    expect((answer.json as { message: string }).message).toMatch(/^We know who you are/)
    expect(browser.jar.has('kvitt_session')).toBe(false)
    expect(codeOf(await browser.collect(orderRef))).toBe('eid_order_unknown')
  })
})

const built = () => buildInvoice(server.test, server.instanceId, server.clock)

describe('every hint', () => {
  const pending = [
    ['outstandingTransaction', 'RFA13', 'RFA13'], ['noClient', 'RFA1', 'RFA1'], ['started', 'RFA15A', 'RFA15A'],
    ['userSign', 'RFA9', 'RFA9'], ['userMrtd', 'RFA21', 'RFA21'], ['userCallConfirm', 'RFA21', 'RFA21'], ['processing', 'RFA21', 'RFA21'],
  ] as const // biome-ignore format: a table
  const failures = [
    ['expiredTransaction', 'RFA8', 'RFA8'], ['certificateErr', 'RFA16', 'RFA16'], ['userCancel', 'RFA6', 'RFA6'],
    ['cancelled', 'RFA3', 'RFA3'], ['startFailed', 'RFA17A', 'RFA17B'], ['userDeclinedCall', 'RFA22', 'RFA22'],
    ['notSupportedByUserApp', 'RFA22', 'RFA22'], ['transactionRiskBlocked', 'RFA22', 'RFA22'],
  ] as const // biome-ignore format: a table

  test.each(pending)('pending %s is %s in the app and %s with a code', async (hintCode, app, code) => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await act(orderRef, 'show', { hintCode })
    const [first, second] = [await browser.collect(orderRef), await browser.collect(orderRef, 'AUTO_START')]
    expect(first.json).toMatchObject({ status: 'pending', hintCode, messageCode: code })
    expect(second.json).toMatchObject({ status: 'pending', hintCode, messageCode: app, qrCode: null })
    // Once the app has the order the code is of no use but to others.
    const { qrCode } = first.json as CollectAnswer
    expect(qrCode !== null).toBe(hintCode === 'outstandingTransaction')
  })

  test.each(failures)(
    'failed %s is %s in the app and %s with a code, as often as asked',
    async (hintCode, app, code) => {
      const browser = openBrowser()
      const { orderRef } = await browser.start()
      await act(orderRef, 'decline', { hintCode })
      expect((await browser.collect(orderRef)).json).toMatchObject({
        status: 'failed',
        hintCode,
        messageCode: code,
      })
      expect((await browser.collect(orderRef, 'AUTO_START')).json).toMatchObject({
        status: 'failed',
        messageCode: app,
        qrCode: null,
        idToken: null,
      })
    },
  )

  test.each([
    ['sv', 'Skriv in din säkerhetskod'],
    ['en', 'Enter your security code'],
    ['nb', 'Skriv inn sikkerhetskoden'],
    ['da', 'Indtast din sikkerhedskode'],
    ['fi', 'Anna turvakoodisi'],
  ])('in %s', async (language, beginning) => {
    const browser = openBrowser({ 'accept-language': language })
    const { orderRef } = await browser.start()
    await act(orderRef, 'show', { hintCode: 'userSign' })
    expect((await browser.collect(orderRef)).json).toMatchObject({
      message: expect.stringMatching(`^${beginning}`),
    })
  })

  test('the way through: started, the code, done', async () => {
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    await browser.collect(orderRef)
    await act(orderRef, 'approve', { personalNumber: ALVA })
    const hints: (string | null)[] = []
    aheadMs = 1_000
    for (let told = 'pending'; told === 'pending'; ) {
      const answer = (await browser.collect(orderRef)).json as CollectAnswer
      told = answer.status
      if (hints.at(-1) !== answer.hintCode) hints.push(answer.hintCode)
      aheadMs += 1_000
      await wait(120)
    }
    expect(hints).toEqual(['started', 'userSign', null])
  })

  test('an order that nobody takes up ends', async () => {
    await fault('expire')
    const browser = openBrowser()
    const { orderRef } = await browser.start()
    expect((await browser.collect(orderRef)).json).toMatchObject({ status: 'failed', messageCode: 'RFA8' })
  })
})

describe('eid.qr: the animated code', () => {
  test('is another one every second, and its secret is in no answer and soon in no row', async () => {
    const browser = openBrowser()
    const { orderRef, qrCode } = await browser.start()
    const seen = [qrCode]
    let texts = ''
    for (const seconds of [1, 5, 30]) {
      aheadMs = seconds * 1000
      const answer = await browser.collect(orderRef)
      texts += answer.text
      seen.push((answer.json as CollectAnswer).qrCode ?? '')
    }
    expect(seen.map((code) => Number(code.split('.')[2]))).toEqual([0, 1, 5, 30])
    expect(new Set(seen.map((code) => code.split('.')[3])).size).toBe(4)
    const secretOf = async (): Promise<string | null> => {
      const { rows } = await server.test.owner.query(
        'select qr_start_secret from eid_order where order_ref = $1',
        [orderRef],
      )
      return (rows as { qr_start_secret: string | null }[])[0]?.qr_start_secret ?? null
    }
    const secret = await secretOf()
    expect(secret).toMatch(/^[0-9a-f-]{36}$/)
    expect(texts + seen.join()).not.toContain(secret)
    await browser.cancel(orderRef)
    expect(await secretOf()).toBeNull()
  })
})

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

  test('two processes give out one session between them, and a logout in one is a logout in both', async () => {
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
      aheadMs = n * 2_000
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
    aheadMs = 2_000
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
    aheadMs = 2_000
    expect((await browser.collect(orderRef)).json).toMatchObject({ status: 'failed', messageCode: 'RFA22' })
    expect(browser.jar.has('kvitt_session')).toBe(false)
  })
})

describe('starting too often', () => {
  test('ten in ten minutes from one address, however many at once; then the wait is told', async () => {
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
    aheadMs = 10 * 60_000 + 1_000
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
  aheadMs = 75 * 60_000
  await forgetOldOrders(server.product.context)
  const { rowCount } = await server.test.owner.query('select from eid_order')
  expect(rowCount).toBe(0)
})
