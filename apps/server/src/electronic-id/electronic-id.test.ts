import { describe, expect, test } from 'vitest'
import { type CollectAnswer, type StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { buildInvoice } from '../testing/build.ts'
import {
  ALVA,
  time,
  server,
  invoice,
  second,
  number,
  openBrowser,
  act,
  codeOf,
  fault,
  wait,
  finish,
  built,
  useElectronicId,
} from '../testing/electronic-id.ts'

useElectronicId()

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
    time.aheadMs = 1_000
    for (let told = 'pending'; told === 'pending'; ) {
      const answer = (await browser.collect(orderRef)).json as CollectAnswer
      told = answer.status
      if (hints.at(-1) !== answer.hintCode) hints.push(answer.hintCode)
      time.aheadMs += 1_000
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
      time.aheadMs = seconds * 1000
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
