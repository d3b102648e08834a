/** The audit log as an operator's people read it: who did what, between which days, and that nobody has changed it since. */
import { beforeAll, expect, test } from 'vitest'
import { noteDeed } from '../audit/audit.ts'
import { buildInstance } from '../testing/build.ts'
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
