import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { beginSession, forgetEndedSessions } from './sessions.ts'

let aheadMs = 0
let server: TestServer
let own: BuiltInvoice
let other: BuiltInvoice
let foreign: BuiltInvoice & { host: string }
let locked: BuiltInvoice & { host: string }

beforeAll(async () => {
  server = await startTestServer({
    clock: { now: () => Date.now() + aheadMs, today: () => '2026-11-20' as never },
  })
  own = await build()
  other = await build()
  const second = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const guarded = await buildInstance(server.test, { alias: 'kustklar', isDefault: false, guessLimits: {} })
  locked = { ...(await buildInvoice(server.test, guarded.id, server.clock)), host: guarded.host }
  foreign = { ...(await buildInvoice(server.test, second.id, server.clock)), host: second.host }
})

const build = (wishes = {}) => buildInvoice(server.test, server.instanceId, server.clock, wishes)
type Proof = { authorization: string; cookie: string }
const enter = (...invoices: BuiltInvoice[]): Promise<Proof> =>
  signIn(
    server.product.context,
    invoices[0]?.instanceId ?? '',
    invoices.map((i) => i.debtorId),
  )
const get = (path: string, headers: Record<string, string> = {}) =>
  server.call('GET', `/api/debtor${path}`, { headers })
const told = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await get(path, headers)
  return [answer.status, (answer.json as { code?: string } | undefined)?.code]
}
const NO_SESSION = [401, 'not_signed_in']
const MINUTE = 60_000
async function ahead(ms: number, work: () => Promise<void>): Promise<void> {
  aheadMs = ms
  await work().finally(() => (aheadMs = 0))
}

describe('what is behind the door', () => {
  test('the own invoice, with the whole name and the e-mail address', async () => {
    const proof = await enter(own)
    const answer = await get(`/invoices?paymentReference=${own.reference}&zip=${own.zip}`, proof)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      id: own.id,
      debtor: { name: 'Alva Provlund', email: 'alva.provlund@example.com' },
    })
    const open = await server.call('GET', `/api/public/invoices/${own.reference}/${own.zip}`)
    expect(open.json).toMatchObject({ debtor: { name: 'Alva', email: null } })
  })

  test('the reference is enough; a zip beside it proves nothing, but has to be right', async () => {
    const proof = await enter(own)
    expect(await told(`/invoices?paymentReference=${own.reference}`, proof)).toEqual([200, undefined])
    expect(await told(`/invoices?paymentReference=${own.reference}&zip=99999`, proof)).toEqual([
      404,
      'not_found',
    ])
    expect(await told(`/invoices?paymentReference=${other.reference}&zip=${other.zip}`, proof)).toEqual([
      404,
      'not_found',
    ])
    expect(await told(`/invoices?paymentReference=${own.reference}&zip=%00`, proof)).toEqual([
      404,
      'not_found',
    ])
    for (const zip of ['', encodeURIComponent(` ${own.zip.slice(0, 3)} ${own.zip.slice(3)} `)]) {
      expect(await told(`/invoices?paymentReference=${own.reference}&zip=${zip}`, proof)).toEqual([
        200,
        undefined,
      ])
    }
    expect(
      await told(`/invoices?paymentReference=${own.reference}&invoiceNumber=${own.number}`, proof),
    ).toEqual([200, undefined])
    expect(await told(`/invoices?paymentReference=${own.reference}&invoiceNumber=none`, proof)).toEqual([
      404,
      'not_found',
    ])
    expect(await told('/invoices', proof)).toEqual([400, 'invalid_request'])
  })

  test('by identifier', async () => {
    const proof = await enter(own)
    expect((await get(`/invoices/${own.id}/payment-account`, proof)).json).toMatchObject({
      accountNumber: expect.any(String),
    })
    for (const id of [other.id, foreign.id, 'x', '%00', "'", own.id.replace(/.$/, 'g')]) {
      expect(await told(`/invoices/${id}/payment-account`, proof), id).toEqual([404, 'not_found'])
    }
  })

  test('lists and totals are of everything of the person, and of nobody else', async () => {
    const [first, second] = [await build(), await build({ totalMinor: 10_000 })]
    const beside = await build({ beside: first, number: 'beside' })
    const proof = await enter(first, second)
    const list = await server.call('POST', '/api/debtor/invoices/ledger', { body: {}, headers: proof })
    expect(list.headers.get('x-total-count')).toBe('3')
    expect(new Set((list.json as { id: string }[]).map((i) => i.id))).toEqual(
      new Set([first.id, second.id, beside.id]),
    )
    expect((await get('/invoices/stats', proof)).json).toEqual([{ currency: 'SEK', balance: 1784, count: 3 }])
    const named = await server.call(
      'POST',
      `/api/debtor/invoices/ledger?paymentReference=${other.reference}`,
      {
        body: {},
        headers: proof,
      },
    )
    expect([named.status, (named.json as { code: string }).code]).toEqual([404, 'not_found'])
  })

  test('who is signed in', async () => {
    expect((await get('/session', await enter(own))).json).toMatchObject({
      debtor: { name: 'Alva Provlund', email: 'alva.provlund@example.com' },
    })
  })

  test('paying, disputing and everything else in the same way', async () => {
    const invoice = await build()
    const proof = await enter(invoice)
    const at = `/api/debtor/invoices/payment-requests?paymentReference=${invoice.reference}&zip=${invoice.zip}`
    const started = await server.call('POST', at, {
      body: { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` },
      headers: proof,
    })
    expect([started.status, started.json]).toEqual([201, expect.objectContaining({ status: 'IN_PROGRESS' })])
    const objection = { debtorEmail: 'alva@example.com', reason: 'Fel belopp' }
    const disputed = await server.call(
      'POST',
      `/api/debtor/invoices/dispute?paymentReference=${invoice.reference}&zip=${invoice.zip}`,
      { body: objection, headers: proof },
    )
    expect(disputed.status).toBe(201)
  })
})

describe('what does not open it', () => {
  const flip = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

  test('token.stolen: a token without its cookie, a cookie without its token, those of two sessions', async () => {
    const [mine, theirs] = [await enter(own), await enter(own)]
    expect(await told('/session', mine)).toEqual([200, undefined])
    expect(await told('/session', { authorization: mine.authorization })).toEqual(NO_SESSION)
    expect(await told('/session', { cookie: mine.cookie })).toEqual(NO_SESSION)
    expect(await told('/session', { authorization: mine.authorization, cookie: theirs.cookie })).toEqual(
      NO_SESSION,
    )
    expect(await told('/session')).toEqual(NO_SESSION)
  })

  test('jwt.attacks: any token or cookie with one character changed', async () => {
    const { authorization, cookie } = await enter(own)
    for (let at = 'Bearer '.length; at < authorization.length; at++) {
      expect(await told('/session', { authorization: flip(authorization, at), cookie }), String(at)).toEqual(
        NO_SESSION,
      )
    }
    for (let at = cookie.indexOf('=') + 1; at < cookie.length; at++) {
      expect(await told('/session', { authorization, cookie: flip(cookie, at) }), String(at)).toEqual(
        NO_SESSION,
      )
    }
  })

  test('jwt.attacks, jwt.header: other schemes, forged tokens, long headers, two headers', async () => {
    const { authorization, cookie } = await enter(own)
    const token = authorization.slice('Bearer '.length)
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    for (const forged of [
      `Basic ${token}`, token, `Bearer  ${token}`, `Bearer ${token} `.padEnd(60, 'x'), `Bearer ${token},Bearer ${token}`,
      `Bearer ${none}`, 'Bearer', 'Bearer null', 'Bearer undefined', `Bearer ${'A'.repeat(7000)}`, "Bearer ' or 1=1--",
      `Bearer ${randomBytes(32).toString('base64url')}`,
    ]) // biome-ignore format: a list of tokens
      expect(await told('/session', { authorization: forged, cookie }), forged.slice(0, 40)).toEqual(
        NO_SESSION,
      )
    const two = await new Promise<number | undefined>((resolve, reject) => {
      const headers = [
        'host',
        'localhost',
        'authorization',
        authorization,
        'authorization',
        authorization,
        'cookie',
        cookie,
      ]
      request(`${server.origin}/api/debtor/session`, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(two).toBe(401)
  })

  test('tenant.crosshost: the token of another tenant', async () => {
    const proof = await enter(foreign)
    const at = (host: string) =>
      server.product.app.inject({ url: '/api/debtor/session', headers: { ...proof, host } })
    expect((await at(foreign.host)).statusCode).toBe(200)
    expect((await at('localhost')).statusCode).toBe(401)
    expect((await at('nobody.example')).statusCode).toBe(401)
  })

  test('a path behind the door, whatever it is and however it is spelled', async () => {
    for (const path of ['', '/', '/nothing', '/invoices', '/invoices/x/y/z']) {
      expect(await told(path), path).toEqual(NO_SESSION)
    }
    for (const path of ['/api/%64ebtor/session', '/api/debtor%2Fsession', '/api//debtor/session']) {
      expect((await server.call('GET', path)).status, path).toBeGreaterThanOrEqual(400)
    }
    const proof = await enter(own)
    expect(await told('/nothing', proof)).toEqual([404, 'not_found'])
    const wrong = await server.call('DELETE', '/api/debtor/invoices', { headers: proof })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

test('bf.dos: a reference that strangers have locked is open to its debtor', async () => {
  const guess = (zip: string) =>
    server.product.app.inject({
      url: `/api/public/invoices/${locked.reference}/${zip}`,
      headers: { host: locked.host },
      remoteAddress: '203.0.113.9',
    })
  for (let n = 0; n < 5; n++) await guess(`2000${n}`)
  expect((await guess(locked.zip)).json().code).toBe('login_throttled')
  const answer = await server.product.app.inject({
    url: `/api/debtor/invoices?paymentReference=${locked.reference}`,
    headers: { ...(await enter(locked)), host: locked.host },
  })
  expect([answer.statusCode, answer.json().id]).toEqual([200, locked.id])
})

describe('how long it lasts', () => {
  test('a token lives for fifteen minutes', async () => {
    const proof = await enter(own)
    await ahead(15 * MINUTE - 5_000, async () =>
      expect(await told('/session', proof)).toEqual([200, undefined]),
    )
    await ahead(15 * MINUTE + 1_000, async () => expect(await told('/session', proof)).toEqual(NO_SESSION))
  })

  test('in use it is renewed, once for many calls, and the one before stays good for calls under way', async () => {
    const proof = await enter(own)
    expect((await get('/session', proof)).headers.get('x-session-token')).toBeNull()
    let next: Proof = proof
    await ahead(6 * MINUTE, async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => get('/session', proof)))
      const tokens = answers.map((a) => a.headers.get('x-session-token')).filter((t) => t !== null)
      expect([tokens.length, answers.every((a) => a.status === 200)]).toEqual([1, true])
      next = { ...proof, authorization: `Bearer ${tokens[0]}` }
      expect(await told('/session', proof)).toEqual([200, undefined])
    })
    await ahead(20 * MINUTE, async () => {
      expect(await told('/session', proof)).toEqual(NO_SESSION)
      expect(await told('/session', next)).toEqual([200, undefined])
    })
  })

  test('a refusal brings the new token too', async () => {
    const proof = await enter(own)
    await ahead(6 * MINUTE, async () => {
      const answer = await get(`/invoices?paymentReference=${other.reference}`, proof)
      expect([answer.status, answer.headers.get('x-session-token')?.length]).toEqual([404, 43])
    })
  })

  test('however active, it ends after twelve hours', async () => {
    let proof = await enter(own)
    let lastGood = 0
    for (let minutes = 10; minutes <= 730; minutes += 10) {
      await ahead(minutes * MINUTE, async () => {
        const answer = await get('/session', proof)
        const renewed = answer.headers.get('x-session-token')
        if (answer.status === 200) lastGood = minutes
        if (renewed) proof = { ...proof, authorization: `Bearer ${renewed}` }
      })
    }
    expect(lastGood).toBe(710)
  })

  test('token.stolen: after the logout neither the token nor its followers are worth anything', async () => {
    const proof = await enter(own)
    let renewed = ''
    await ahead(6 * MINUTE, async () => {
      renewed = (await get('/session', proof)).headers.get('x-session-token') ?? ''
      const out = await server.call('POST', '/api/debtor/logout', { headers: proof })
      expect([out.status, out.text]).toEqual([204, ''])
      expect(out.headers.get('set-cookie')).toMatch(/^kvitt_session=;.*Max-Age=0/)
      expect(await told('/session', proof)).toEqual(NO_SESSION)
      expect(await told('/session', { ...proof, authorization: `Bearer ${renewed}` })).toEqual(NO_SESSION)
    })
  })

  test('nothing in the database opens a session, and what has ended is removed', async () => {
    const { authorization, cookie } = await enter(own)
    const { rows } = await server.test.owner.query(
      `select s::text || t::text as text from session s join session_token t on t.session_id = s.id`,
    )
    const kept = rows.map((r: { text: string }) => r.text).join('\n')
    expect(kept).not.toContain(authorization.slice(7))
    expect(kept).not.toContain(cookie.split('=')[1])
    await ahead(13 * 60 * MINUTE, () => forgetEndedSessions(server.product.context))
    const left = await server.test.owner.query('select from session union all select from session_token')
    expect(left.rowCount).toBe(0)
  })
})

test('the cookie is out of reach of scripts, other sites and, behind https, other hosts', async () => {
  const { context } = server.product
  const setCookie = async (isHttps: boolean): Promise<string> => {
    const owner = { instanceId: own.instanceId, debtorIds: [own.debtorId], isHttps }
    return (await context.db.transaction((tx) => beginSession(tx, context, owner))).setCookie
  }
  expect(await setCookie(false)).toMatch(/^kvitt_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(await setCookie(true)).toMatch(
    /^__Host-kvitt_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})
