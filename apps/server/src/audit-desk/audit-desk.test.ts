/** The audit log as an operator's people read it: who did what, between which days, and that nobody has changed it since. */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { beforeAll, expect, test } from 'vitest'
import { noteAccess, noteDeed } from '../audit/audit.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

type Entry = {
  id: string
  log: string
  seq: number
  kind: string
  name: string | null
  about: string
  after: object
}

let server: TestServer
let auditor: SignedIn
let foreignId: string

beforeAll(async () => {
  server = await startTestServer()
  foreignId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  auditor = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: null,
    role: 'auditor',
  })
  const { db } = server.product.context
  const deed = {
    kind: 'bounds_changed',
    about: 'creditor:x',
    reason: 'letter',
    before: { mostDays: 10 },
  } as const
  for (const instanceId of [server.instanceId, foreignId])
    await db.transaction((tx) =>
      noteDeed(tx, {
        ...deed,
        instanceId,
        by: 'person:Eva Berg',
        after: { mostDays: instanceId === foreignId ? 1 : 14 },
      }),
    )
})

const get = (path: string) => server.call('GET', `/api/admin/audit${path}`, { headers: { ...auditor } })
const search = (body: object) =>
  server.call('POST', '/api/admin/audit/search', { body, headers: { ...auditor } })
const entries = ({ json }: { json: unknown }) => json as Entry[]

test('a deed has who, what, why, before and after, and none is another provider’s', async () => {
  const found = entries(await search({ filters: { kind: 'bounds_changed' } }))
  expect(found).toEqual([
    {
      id: 'DEEDS:1',
      log: 'DEEDS',
      seq: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      kind: 'bounds_changed',
      actor: 'person:Eva Berg',
      name: 'Eva Berg',
      about: 'creditor:x',
      reason: 'letter',
      before: { mostDays: 10 },
      after: { mostDays: 14 },
      seal: expect.stringMatching(/^[0-9a-f]{8}$/),
    },
  ])
  expect(entries(await search({ query: 'eva' }))).toHaveLength(1)
})

test('is found by who, what kind, what thing, the debt with a number, and between two days', async () => {
  const { db } = server.product.context
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const { rows } = await server.test.owner.query<{ invoice_number: string; payment_reference: string }>(
    'select invoice_number, payment_reference from invoice where id = $1',
    [invoice.id],
  )
  const [
    { invoice_number: number, payment_reference: reference } = { invoice_number: '', payment_reference: '' },
  ] = rows
  const about = `invoice:${invoice.id}`
  for (const [by, kind] of [
    ['person:Ida Lund', 'debt_paused'],
    ['person:Ida Lund', 'debt_resumed'],
    ['person:Åsa 100%', 'debt_paused'],
  ] as const)
    await db.transaction((tx) =>
      noteDeed(tx, { instanceId: server.instanceId, by, kind, about, before: {}, after: {} }),
    )
  const kinds = async (body: object) => entries(await search(body)).map(({ kind }) => kind)
  // The newest first.
  const all = ['debt_paused', 'debt_resumed', 'debt_paused']
  expect(await kinds({ filters: { log: 'DEEDS', about } })).toEqual(all)
  for (const query of [
    number,
    reference,
    reference.replaceAll(/(.{4})/g, '$1 '),
    invoice.id,
    invoice.id.slice(0, 13),
    about,
  ])
    expect(await kinds({ query, filters: { log: 'DEEDS' } }), query).toEqual(all)
  for (const query of ['ida', 'LUND', 'Ida Lund'])
    expect(await kinds({ query, filters: { log: 'DEEDS' } }), query).toEqual(['debt_resumed', 'debt_paused'])
  expect(await kinds({ query: '100%', filters: { log: 'DEEDS' } })).toEqual(['debt_paused'])
  expect(await kinds({ query: 'debt resumed' })).toEqual(['debt_resumed'])
  expect(await kinds({ query: 'ida', queryTarget: 'about', filters: { log: 'DEEDS' } })).toEqual([])
  expect(await kinds({ filters: { actor: 'person:Ida Lund', kind: 'debt_paused' } })).toEqual(['debt_paused'])
  for (const query of ['%', '_', "'", 'nobody at all', '\u{10ffff}', 'a'.repeat(200)])
    expect(await kinds({ query, filters: { log: 'DEEDS', about } }), query).toEqual(
      query === '%' ? ['debt_paused'] : query === '_' ? all : [],
    )
  const { rows: days } = await server.test.owner.query<{ today: string }>(
    `select (now() at time zone time_zone)::date::text as today from instance where id = $1`,
    [server.instanceId],
  )
  const today = days[0]?.today ?? ''
  expect(await kinds({ filters: { about, log: 'DEEDS', at: { from: today, to: today } } })).toEqual(all)
  expect(
    await kinds({ filters: { about, log: 'DEEDS', at: { from: addDays(date(today), 1), to: null } } }),
  ).toEqual([])
  expect(
    await kinds({ filters: { about, log: 'DEEDS', at: { from: null, to: addDays(date(today), -1) } } }),
  ).toEqual([])
})

test('who looked at a thing is found with it, also after a list of the same name; a person has all memberships', async () => {
  const { db } = server.product.context
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const id = invoice.id
  const { rows } = await server.test.owner.query<{ invoice_number: string }>(
    'select invoice_number from invoice where id = $1',
    [id],
  )
  const person = 'person:0198e1c0-5a1b-7c3d-8e4f-0123456789ab'
  const look = (actor: string, about: string) =>
    noteAccess({ db }, { instanceId: server.instanceId, kind: 'staff_opened', actor, about, details: {} })
  await look(`${person}:0198e1c0-5a1b-7c3d-8e4f-000000000001`, 'invoices')
  await look(`${person}:0198e1c0-5a1b-7c3d-8e4f-000000000001`, `invoices:${id}`)
  await look(`${person}:0198e1c0-5a1b-7c3d-8e4f-000000000002`, `invoices:${id}`)
  await look(`${person}x`, `invoices:${id}`)
  const abouts = async (body: object) => entries(await search(body)).map(({ about }) => about)
  const three = [`invoices:${id}`, `invoices:${id}`, `invoices:${id}`]
  for (const query of [id, id.slice(0, 18), String(rows[0]?.invoice_number)])
    expect(await abouts({ query, filters: { log: 'ACCESS' } }), query).toEqual(three)
  expect(await abouts({ filters: { actor: person } })).toEqual([...three.slice(1), 'invoices'])
  const twice = await search({ filters: { log: ['ACCESS', 'ACCESS'], actor: person } })
  expect([entries(twice).length, twice.headers.get('x-total-count')]).toEqual([3, '3'])
})

test('every entry is counted, over pages and both logs', async () => {
  const { rows } = await server.test.owner.query<{ n: number }>(
    'select count(*)::int as n from audit_event where instance_id = $1',
    [server.instanceId],
  )
  const page = async (n: number, limit = 3) =>
    server.call('POST', `/api/admin/audit/search?limit=${limit}&page=${n}&order=asc`, {
      body: {},
      headers: { ...auditor },
    })
  const whole = entries(await page(1, 1000))
  // Looking is written down too, so that there is more each time.
  expect(whole.length).toBeGreaterThanOrEqual(rows[0]?.n ?? 1)
  const pieces = [...entries(await page(1)), ...entries(await page(2)), ...entries(await page(3))]
  expect(pieces.map(({ id }) => id)).toEqual(whole.slice(0, 9).map(({ id }) => id))
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
})

test('to look at the log is itself written down, with the person', async () => {
  await get('')
  const own = entries(await search({ filters: { kind: 'staff_listed', about: 'audit' } }))
  expect(own.length).toBeGreaterThan(0)
  expect(own[0]).toMatchObject({ log: 'ACCESS', name: 'Prov auditor' })
})

test('between two days of the instance, both included; what is no day is refused', async () => {
  const { rows } = await server.test.owner.query<{ today: string }>(
    `select (now() at time zone time_zone)::date::text as today from instance where id = $1`,
    [server.instanceId],
  )
  const today = rows[0]?.today ?? ''
  expect(entries(await get(`?from=${today}&to=${today}`)).length).toBeGreaterThan(0)
  expect(entries(await get('?to=2001-01-01'))).toEqual([])
  for (const query of ['?from=yesterday', '?from=2026-02-30', '?limit=0', '?orderBy=nothing'])
    expect((await get(query)).status, query).toBe(400)
})

test('the log comes as a file', async () => {
  const answer = await server.call('POST', '/api/admin/audit/search', {
    body: {},
    headers: { ...auditor, accept: 'text/csv' },
  })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('bounds_changed')
})

test('one changed row is found, and named; another provider’s log is not looked at', async () => {
  expect((await get('/verify')).json).toMatchObject({ intact: true, checked: expect.any(Number) })
  const change = (instanceId: string, kind: string) =>
    server.test.owner.query(
      `begin; alter table audit_event disable trigger user;
       update audit_event set kind = '${kind}' where chain = deeds_chain('${instanceId}') and seq = 1;
       alter table audit_event enable trigger user; commit`,
    )
  await change(foreignId, 'account_told')
  expect((await get('/verify')).json).toMatchObject({ intact: true })
  await change(server.instanceId, 'account_told')
  expect((await get('/verify')).json).toMatchObject({ intact: false, firstBroken: { log: 'DEEDS', seq: 1 } })
  for (const id of [server.instanceId, foreignId]) await change(id, 'bounds_changed')
  expect((await get('/verify')).json).toMatchObject({ intact: true })
})
