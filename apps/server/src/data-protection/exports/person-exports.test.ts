/** A copy of what is held about a person: asked for, made by a job once, seen by who asked alone, and kept a day. */
import { beforeAll, describe, expect, test } from 'vitest'
import { openInstances, type Instance } from '../../instances/instances.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import { buildKnownPerson, WORDS } from '../../testing/debts/known-person.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'
import { makeExports, forgetExports } from './person-exports.ts'
import { beginExportRow } from './person-exports.queries.ts'

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice
let instances: readonly Instance[]
let other: { readonly id: string; readonly host: string }

const HOUR = 3_600_000
let aheadMs = 0

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler', 'manager', 'auditor', 'approver', 'finance'])
  other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  invoice = await buildKnownPerson(server)
  instances = await openInstances(server.test.db, server.clock).all()
})

type Listed = { id: string; format: string; status: string; until: string | null }
const sql = async (text: string, values?: unknown[]) => (await server.test.owner.query(text, values)).rows
const pathOf = (debtorId = invoice.debtorId) => `/debtors/${debtorId}/personal-data/exports`
const askFor = (format: string, { who = 'handler', reason = 'by letter', key = '', debtorId = '' } = {}) =>
  ask(who as 'handler', `POST ${pathOf(debtorId || undefined)}`, { format, reason }, key || undefined)
const idOf = ({ status, json, text }: Answer): string => {
  expect(status, text).toBe(202)
  return (json as Listed).id
}
const listed = async (who: Parameters<AskOffice>[0] = 'handler') =>
  ((await ask(who, `GET ${pathOf()}`)).json as { exports: Listed[] }).exports
const fetchFile = (id: string, who: Parameters<AskOffice>[0] = 'handler') =>
  ask(who, `GET /person-exports/${id}/file`)
const work = () => ({
  ...server.product.context,
  clock: { ...server.clock, now: () => server.clock.now() + aheadMs, today: server.clock.today },
})
const make = () => makeExports(work(), instances)
const deeds = () =>
  sql(`select reason, after ->> 'file' as file from audit_event where kind = 'person_exported' order by seq`)

describe('a copy', () => {
  test('waits, is made with its deed, and is the file that was asked for', async () => {
    const ids = new Map<string, string>()
    for (const format of ['json', 'csv', 'pdf', 'xlsx']) ids.set(format, idOf(await askFor(format)))
    expect(await listed()).toHaveLength(4)
    await make()
    const made = await listed()
    expect(made.map(({ status }) => status)).toEqual(['READY', 'READY', 'READY', 'READY'])
    expect(new Date(made[0]?.until ?? '').getTime()).toBeGreaterThan(server.clock.now() + 23 * HOUR)
    expect((await deeds()).map(({ file }) => String(file)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'csv',
      'json',
      'pdf',
      'xlsx',
    ])
    const json = await fetchFile(ids.get('json') ?? '')
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json.text).toContain(WORDS[0])
    expect((await fetchFile(ids.get('csv') ?? '')).text).toContain(WORDS[0])
    const pdf = await fetchFile(ids.get('pdf') ?? '')
    expect([pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
    expect((await fetchFile(ids.get('xlsx') ?? '')).text.slice(0, 2)).toBe('PK')
  })

  test('is made once for twins, and under a key', async () => {
    const before = (await deeds()).length
    const both = await Promise.all([
      askFor('json'),
      askFor('json'),
      askFor('json', { key: 'k' }),
      askFor('json', { key: 'k' }),
    ])
    expect(new Set(both.map(idOf)).size).toBe(1)
    await Promise.all([make(), make()])
    expect(await deeds()).toHaveLength(before + 1)
    // The key names what it has named, and another wish under it is refused; without a key it is another copy by now.
    expect(idOf(await askFor('json', { key: 'k' }))).toBe(idOf(both[0]))
    expect(told(await askFor('pdf', { key: 'k' }))[1]).toBe('idempotency_key_reused')
    expect(idOf(await askFor('json'))).not.toBe(idOf(both[0]))
    await make()
  })

  test('copy.other: is seen by whoever asked for it alone, as long as they have the right', async () => {
    const [mine, theirs] = [idOf(await askFor('json')), idOf(await askFor('json', { who: 'manager' }))]
    await make()
    expect((await fetchFile(mine)).status).toBe(200)
    expect(told(await fetchFile(theirs))).toEqual([404, 'not_found'])
    expect((await listed()).map(({ id }) => id)).not.toContain(theirs)
    for (const who of ['support', 'finance', 'auditor', 'approver'] as const) {
      expect(told(await askFor('json', { who })), who).toEqual([403, 'not_allowed'])
      expect(told(await fetchFile(mine, who)), who).toEqual([403, 'not_allowed'])
    }
    const members = `update membership set role = $1 where role = $2 and instance_id = $3`
    await sql(members, ['support', 'handler', server.instanceId])
    expect(told(await fetchFile(mine))).toEqual([403, 'not_allowed'])
    await sql(
      `update membership set role = 'handler' where person_id = (select id from person where email = 'handler@example.com')`,
    )
    expect((await fetchFile(mine)).status).toBe(200)
  })

  test('of another provider does not exist', async () => {
    const foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
    expect(told(await askFor('json', { debtorId: foreign.debtorId }))).toEqual([404, 'not_found'])
    const mine = idOf(await askFor('json'))
    await make()
    // The same person, with another provider's membership.
    const member = {
      instanceId: other.id,
      creditorId: null,
      role: 'handler',
      email: 'handler@example.com',
    } as const
    const { authorization } = await signInStaff(server.product.context, member)
    const url = `/api/admin/person-exports/${mine}/file`
    expect(
      (await server.product.app.inject({ url, headers: { host: other.host, authorization } })).statusCode,
    ).toBe(404)
  })
})

describe('what comes in between', () => {
  test('a process that was killed: another one makes it, and what kills three is given up', async () => {
    const id = idOf(await askFor('json'))
    const killed = () => beginExportRow(server.test.db, server.instanceId, { mostTries: 3, tried: [] })
    expect((await killed())?.id).toBe(id)
    await make()
    expect((await listed()).find((one) => one.id === id)?.status).toBe('READY')
    const deadly = idOf(await askFor('json'))
    for (let n = 0; n < 3; n++) expect((await killed())?.id).toBe(deadly)
    await make()
    expect((await listed()).find((one) => one.id === deadly)?.status).toBe('FAILED')
    expect(told(await fetchFile(deadly))[0]).toBe(404)
  })

  test('its time: a day later it is gone and its row says so, and a month later the row goes', async () => {
    const id = idOf(await askFor('json'))
    await make()
    aheadMs = 25 * HOUR
    await make()
    expect(await sql('select status, content from person_export where id = $1', [id])).toEqual([
      { status: 'GONE', content: null },
    ])
    expect((await listed()).find((one) => one.id === id)).toMatchObject({ status: 'GONE', until: null })
    expect((await fetchFile(id)).status).toBe(404)
    aheadMs = 32 * 24 * HOUR
    await forgetExports(work())
    expect(await sql('select 1 from person_export')).toEqual([])
    aheadMs = 0
  })

  test('the person is erased: no copy is left, and none is kept of what was read before', async () => {
    const kept = idOf(await askFor('json'))
    await make()
    const waiting = idOf(await askFor('json', { who: 'manager' }))
    const client = await server.test.owner.connect()
    try {
      await client.query(`begin; select set_config('kvitt.erasing', 'on', true)`)
      await client.query(
        `update debtor set identity = 'erased ' || id, name = '[erased]', identification_number = null, email = null, phone = null,
           address = null, address2 = null, zip = '[erased]', city = null, electronic_address = null where id = $1`,
        [invoice.debtorId],
      )
      // Reads who they were, and waits for the row.
      const making = make()
      await new Promise((done) => setTimeout(done, 500))
      await client.query(
        `update debtor_contact set name = '[erased]', email = null, phone = null, address = null, zip = '[erased]'`,
      )
      await client.query(`update invoice set zip = '[erased]' where debtor_id = $1`, [invoice.debtorId])
      await client.query('commit')
      await making
    } finally {
      client.release()
    }
    expect(
      await sql('select status, content from person_export where id = any ($1)', [[kept, waiting]]),
    ).toEqual([
      { status: 'GONE', content: null },
      { status: 'GONE', content: null },
    ])
    // What is asked for afterwards has what is left of them.
    const late = idOf(await askFor('csv'))
    await make()
    expect((await fetchFile(late)).text).toMatch(/;\[erased\] · \[erased\] · PERSON;/)
  })
})
