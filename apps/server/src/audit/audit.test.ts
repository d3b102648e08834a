/** What leaves a trace, and that nobody can wipe it away. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { forgetOldEvents, noteEvent } from './audit.ts'

let server: TestServer
let mine: BuiltInvoice
let theirs: BuiltInvoice
let limited: { host: string }
beforeAll(async () => {
  server = await startTestServer()
  limited = await buildInstance(server.test, {
    alias: 'kustklar',
    isDefault: false,
    guessLimits: { zipPerHour: null, networkPerHour: null, instancePerTenMinutes: null },
  })
  mine = await build()
  theirs = await build()
})

const build = () => buildInvoice(server.test, server.instanceId, server.clock)
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const signInAs = ({ debtorId }: BuiltInvoice) => signIn(server.product.context, server.instanceId, [debtorId])
const codeOf = (answer: { status: number; json: never }) => [
  answer.status,
  (answer.json as { code: string }).code,
]
type Event = { kind: string; actor: string; about: string }
const eventsOf = async (kind: string): Promise<Event[]> =>
  sql('select kind, actor, about from audit_event where kind = $1 order by seq', [kind])

describe('eid.other: who is signed in and asks for what is another’s', () => {
  test.each([
    ['an invoice by its reference', 'GET', () => `/api/debtor/invoices?paymentReference=${theirs.reference}`],
    ['its documents', 'GET', () => `/api/debtor/invoices/documents?paymentReference=${theirs.reference}`],
    ['its account by its identifier', 'GET', () => `/api/debtor/invoices/${theirs.id}/payment-account`],
  ])('%s: as if it were not there, and it leaves a trace', async (_, method, path) => {
    const headers = await signInAs(mine)
    const before = (await eventsOf('not_theirs')).length
    const refused = await server.call(method, path(), { headers })
    expect(refused.status).toBe(404)
    const events = await eventsOf('not_theirs')
    expect(events).toHaveLength(before + 1)
    const [session] = await sql('select id from session order by started_at desc limit 1')
    expect(events.at(-1)?.actor).toBe(`session:${session.id}`)
    expect(events.at(-1)?.about).toMatch(new RegExp(`^${method} /api/debtor/invoices`))
  })

  test('once an hour, however often it is tried', async () => {
    const headers = await signInAs(mine)
    const before = (await eventsOf('not_theirs')).length
    for (let tries = 0; tries < 20; tries++) {
      await server.call('GET', `/api/debtor/invoices?paymentReference=${theirs.reference}`, { headers })
    }
    expect(await eventsOf('not_theirs')).toHaveLength(before + 1)
  })

  test('what is theirs leaves none', async () => {
    const headers = await signInAs(mine)
    const before = await sql('select count(*) from audit_event')
    expect((await server.call('GET', '/api/debtor/session', { headers })).status).toBe(200)
    await server.call('GET', `/api/debtor/invoices?paymentReference=${mine.reference}`, { headers })
    expect(await sql('select count(*) from audit_event')).toEqual(before)
  })
})

describe('tokens', () => {
  test('that are none, or without their cookie, leave a trace; who has not signed in leaves none', async () => {
    await server.call('GET', '/api/debtor/session')
    expect(await eventsOf('token_refused')).toEqual([])
    const { authorization } = await signInAs(mine)
    for (const token of [authorization, 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Basic YTpi']) {
      expect(
        codeOf(await server.call('GET', '/api/debtor/session', { headers: { authorization: token } })),
      ).toEqual([401, 'not_signed_in'])
    }
    expect(await eventsOf('token_refused')).toMatchObject([
      { actor: expect.stringMatching(/^network:[0-9a-f]{32}$/) },
    ])
  })

  test('a logout is written down', async () => {
    const headers = await signInAs(mine)
    await server.call('POST', '/api/debtor/logout', { headers })
    expect((await eventsOf('signed_out')).at(-1)?.actor).toMatch(/^session:[0-9a-f-]{36}$/)
  })
})

test('guesses that are locked leave a trace, once for a network', async () => {
  const guess = async (zip: number) => {
    const answer = await server.product.app.inject({
      method: 'GET',
      url: `/api/public/invoices/${mine.reference}/${zip}`,
      headers: { host: limited.host },
    })
    return answer.json().code
  }
  for (let zip = 10_000; zip < 10_005; zip++) expect(await guess(zip)).toBe('login_error::invalid_data')
  expect(await eventsOf('guesses_locked')).toEqual([])
  for (let zip = 10_005; zip < 10_015; zip++) expect(await guess(zip)).toBe('login_throttled')
  expect(await eventsOf('guesses_locked')).toMatchObject([
    { about: expect.stringMatching(/^GET \/api\/public\/invoices\/:paymentReference\/:zip/) },
  ])
})

describe('callbacks', () => {
  async function start(invoice: BuiltInvoice) {
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
    const body = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    const [row] = await sql(
      'select id, callback_secret as secret, callback_identifier as identifier, gateway_payment_id as at from payment where invoice_id = $1',
      [invoice.id],
    )
    return row as { id: string; secret: string; identifier: string; at: string }
  }
  const call = (secret: string, identifier: string, body: object) =>
    server.call('POST', `/api/callbacks/swish/${secret}`, {
      body,
      headers: { callbackIdentifier: identifier },
    })

  test('cb.forged: to an address that nobody has, or without the identifier', async () => {
    const payment = await start(await build())
    const paid = { id: payment.at, status: 'PAID' }
    expect((await call('A'.repeat(27), payment.identifier, paid)).status).toBe(404)
    expect((await call(payment.secret, 'wrong', paid)).status).toBe(404)
    const events = await eventsOf('callback_forged')
    expect(events).toContainEqual({
      kind: 'callback_forged',
      actor: expect.stringMatching(/^network:/),
      about: 'POST /api/callbacks/swish/:secret',
    })
    expect(events).toContainEqual({
      kind: 'callback_forged',
      actor: 'gateway:SWISH',
      about: `payment:${payment.id}`,
    })
  })

  test('cb.forged: with everything right, of money that Swish knows nothing of', async () => {
    const payment = await start(await build())
    const paid = { id: payment.at, status: 'PAID' }
    expect((await call(payment.secret, payment.identifier, paid)).status).toBe(200)
    await expect
      .poll(async () => (await eventsOf('callback_mismatch')).map(({ about }) => about))
      .toEqual([`payment:${payment.id}`])
    expect(await sql('select status from payment where id = $1', [payment.id])).toEqual([
      { status: 'IN_PROGRESS' },
    ])
  })

  test('a true one leaves none', async () => {
    const payment = await start(await build())
    const before = (await eventsOf('callback_mismatch')).length
    await server.control('POST', `/control/orders/${payment.at}/approve`)
    expect((await call(payment.secret, payment.identifier, { id: payment.at, status: 'PAID' })).status).toBe(
      200,
    )
    await expect
      .poll(async () => (await sql('select status from payment where id = $1', [payment.id]))[0].status)
      .toBe('COMPLETED')
    expect(await eventsOf('callback_mismatch')).toHaveLength(before)
  })
})

describe('the electronic ID', () => {
  async function order() {
    const started = await server.call('POST', '/api/external/bankid/auth', { body: {} })
    const cookie = started.headers.getSetCookie().map((line) => line.split(';')[0])
    const { orderRef } = started.json as StartAnswer
    const collect = (headers: Record<string, string>) =>
      server.call('POST', '/api/external/bankid/collect?source=debtor', {
        body: { orderRef, type: 'QR_CODE' },
        headers,
      })
    const approve = (personalNumber: string, more: object = {}) =>
      server.control('POST', `/control/orders/${orderRef}/approve`, { personalNumber, ...more })
    return { collect, approve, cookie: { cookie: cookie.join('; ') } }
  }

  test('a login names the session and its debtors; a stranger and a foreign order leave a trace', async () => {
    const number = '19900729-2387'
    await sql('update debtor set identification_number = $2, identity = $3 where id = $1', [
      mine.debtorId,
      number,
      'SE:199007292387',
    ])
    const known = await order()
    await known.approve(number)
    await expect
      .poll(async () => ((await known.collect(known.cookie)).json as { status: string }).status, {
        timeout: 5_000,
      })
      .toBe('complete')
    expect(await eventsOf('eid_signed_in')).toMatchObject([
      { actor: expect.stringMatching(/^session:/), about: `debtor:${mine.debtorId}` },
    ])
    expect(await eventsOf('eid_from_elsewhere')).toEqual([])
    // The app shows the code of somebody else's browser: nothing but the networks tells.
    const relayed = await order()
    await relayed.approve(number, { ipAddress: '203.0.113.7' })
    await expect
      .poll(async () => ((await relayed.collect(relayed.cookie)).json as { status: string }).status, {
        timeout: 5_000,
      })
      .toBe('complete')
    expect(await eventsOf('eid_from_elsewhere')).toMatchObject([
      { actor: expect.stringMatching(/^session:/), about: `debtor:${mine.debtorId}` },
    ])
    const stranger = await order()
    await stranger.approve('190001019801')
    await expect
      .poll(async () => codeOf(await stranger.collect(stranger.cookie)), { timeout: 5_000 })
      .toEqual([400, 'eid_nothing_here'])
    expect(await eventsOf('eid_stranger')).toHaveLength(1)
    expect(codeOf(await (await order()).collect({}))).toEqual([400, 'eid_order_unknown'])
    expect(await eventsOf('eid_order_refused')).toHaveLength(1)
  })
})

test('a document that is opened is named', async () => {
  const list = await server.call('GET', `/api/public/invoices/${mine.reference}/${mine.zip}/documents`)
  const [copy] = list.json as { fileName: string }[]
  expect((await server.call('GET', `/api/storage/${copy?.fileName}`)).status).toBe(200)
  expect(await eventsOf('document_opened')).toMatchObject([{ about: `file:c:${mine.id}` }])
})

test('nobody and nothing can be read out of it', async () => {
  const text = JSON.stringify(await sql('select * from audit_event'))
  expect(text.length).toBeGreaterThan(500)
  for (const secret of [
    mine.reference,
    theirs.reference,
    '199007292387',
    '19900729-2387',
    '127.0.0',
    'Alva',
  ]) {
    expect(text).not.toContain(secret)
  }
})

describe('append-only', () => {
  const asProgram = (text: string) => server.test.db.rows({ name: text.slice(0, 40), text })

  test.each([
    `update audit_event set about = 'x'`,
    'delete from audit_event',
    'truncate audit_event',
    `insert into audit_event (chain, seq, kind, actor, about, prev_hash, hash) values ('00000000-0000-0000-0000-000000000000', 1, 'made_up', 'a', 'b', '', '')`,
  ])('the program may not: %s', async (text) => {
    await expect(asProgram(text)).rejects.toThrow('permission denied')
  })

  test.each([`update audit_event set about = 'x'`, 'delete from audit_event', 'truncate audit_event'])(
    'nor may whoever owns the database: %s',
    async (text) => {
      await expect(sql(text)).rejects.toThrow('append-only')
    },
  )

  test('fifty at once from two connections make one chain', async () => {
    const { context } = server.product
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        noteEvent(context, {
          instanceId: server.instanceId,
          kind: 'document_opened',
          actor: 'link',
          about: `file:c:${n}`,
        }),
      ),
    )
    const [{ count }] = await sql(
      `select count(*)::int as count from audit_event where actor = 'link' and instance_id = $1`,
      [server.instanceId],
    )
    expect(count).toBe(50)
    expect(await sql('select * from inv_i21_audit_events_are_chained')).toEqual([])
  })

  test.each([
    ['changed', `update audit_event set about = 'x' where seq = 3`, 'the row is not as it was written'],
    ['taken out', 'delete from audit_event where seq = 3', 'the row before it is another, or is missing'],
  ])('a row that is %s by force is named', async (_, force, violation) => {
    const client = await server.test.owner.connect()
    try {
      await client.query('begin')
      await client.query('alter table audit_event disable trigger audit_event_append_only')
      await client.query(force)
      const { rows } = await client.query(
        'select seq::int, violation from inv_i21_audit_events_are_chained where chain = $1 or chain is null',
        [server.instanceId],
      )
      expect(rows).toContainEqual(expect.objectContaining({ violation }))
      expect(rows).toContainEqual({
        seq: null,
        violation: 'the trigger audit_event_append_only is missing or disabled',
      })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('after twelve months rows go, and the chain goes on from there', async () => {
    const { id } = await buildInstance(server.test, { alias: 'gammal', isDefault: false })
    const add = (age: string) =>
      sql(
        `insert into audit_event (instance_id, kind, actor, about, at, hour) values ($1, 'signed_out', $2::text, 'x', now() - $2::text::interval, now() - $2::text::interval)`,
        [id, age],
      )
    for (const age of ['13 months', '366 days', '300 days']) await add(age)
    await expect(sql('delete from audit_event where instance_id = $1', [id])).rejects.toThrow('twelve months')
    await forgetOldEvents(server.product.context)
    await add('1 day')
    expect(
      await sql('select seq::int, actor from audit_event where instance_id = $1 order by seq', [id]),
    ).toEqual([
      { seq: 3, actor: '300 days' },
      { seq: 4, actor: '1 day' },
    ])
  })
})
