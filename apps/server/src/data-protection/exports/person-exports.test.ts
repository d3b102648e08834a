/** A copy of what is held about a person: asked for, made by a job once, seen by who asked alone, and kept a day. */
import { beforeAll, describe, expect, test } from 'vitest'
import { openInstances, type Instance } from '../../instances/instances.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import { buildKnownPerson, endLongAgo, WORDS } from '../../testing/debts/known-person.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'
import { makeTable } from '../../platform/tables/tables.ts'
import { languageFrom } from '../../platform/texts.ts'
import { headOf } from '../person-table.ts'
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
const deeds = (kind = 'person_copy_made') =>
  sql(
    `select reason, after ->> 'file' as file, after ->> 'copy' as copy, actor as by from audit_event where kind = $1 order by seq`,
    [kind],
  )
const statusOf = async (id: string) =>
  (await sql('select status, tries from person_export where id = $1', [id]))[0]

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

  test('is handed out when it is fetched, each time, and not when it is made', async () => {
    const before = (await deeds('person_exported')).length
    const id = idOf(await askFor('json', { reason: 'seen at the desk' }))
    await make()
    expect((await deeds()).at(-1)).toMatchObject({ copy: id, reason: 'seen at the desk' })
    expect(await deeds('person_exported')).toHaveLength(before)
    await Promise.all([fetchFile(id), fetchFile(id)])
    const fetched = (await deeds('person_exported')).slice(before)
    const person = await sql(`select id from person where email = 'handler@example.com'`)
    expect(fetched).toEqual(
      [0, 1].map(() => ({
        reason: 'seen at the desk',
        file: 'json',
        copy: id,
        by: expect.stringContaining(`person:${person[0]?.id}:`),
      })),
    )
    // Who may not have it has not got it.
    await fetchFile(id, 'manager')
    expect(await deeds('person_exported')).toHaveLength(before + 2)
  })

  test('answers a request only when it was made since, and fetched', async () => {
    const old = idOf(await askFor('json'))
    await make()
    const cameOn = server.clock.today('Europe/Stockholm')
    const entered = await ask('handler', `POST /debtors/${invoice.debtorId}/data-requests`, {
      wish: 'ACCESS',
      cameOn,
      cameBy: 'LETTER',
    })
    const { id } = entered.json as { id: string }
    const handOut = () =>
      ask('handler', `POST /data-requests/${id}/answer`, { answer: 'HANDED_OUT', toldOn: cameOn })
    const notYet = [400, 'export_not_made', 'answer']
    expect((await fetchFile(old)).status).toBe(200)
    expect(told(await handOut()), 'it was made before').toEqual(notYet)
    const made = idOf(await askFor('json'))
    await make()
    expect(told(await handOut()), 'nobody has fetched it').toEqual(notYet)
    expect((await fetchFile(made)).status).toBe(200)
    const done = await handOut()
    expect(done.status, done.text).toBe(200)
  })

  test('with another reason is another copy, and the log has both reasons', async () => {
    const reasons = ['asked by telephone', 'asked by letter']
    const ids = await Promise.all(reasons.map(async (reason) => idOf(await askFor('json', { reason }))))
    expect(new Set(ids).size).toBe(2)
    await make()
    const said = (await deeds()).filter(({ copy }) => ids.includes(String(copy)))
    expect(said.map(({ reason }) => String(reason)).toSorted((a, b) => a.localeCompare(b))).toEqual(
      reasons.toReversed(),
    )
  })

  test('an old key answers the copy that it named, however many came after it', async () => {
    const first = idOf(await askFor('json', { key: 'old' }))
    for (let n = 0; n < 21; n++) idOf(await askFor('json', { reason: `number ${n}` }))
    expect((await listed()).map(({ id }) => id)).not.toContain(first)
    expect(idOf(await askFor('json', { key: 'old' }))).toBe(first)
    await make()
  })

  test('is not made for who has lost the right since', async () => {
    const id = idOf(await askFor('json', { who: 'manager' }))
    const role = (to: string) =>
      sql(
        `update membership set role = $1 where person_id = (select id from person where email = 'manager@example.com')`,
        [to],
      )
    const before = (await deeds()).length
    await role('finance')
    await make()
    expect((await statusOf(id))?.status).toBe('FAILED')
    expect(await deeds()).toHaveLength(before)
    await role('manager')
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
    const killed = () =>
      beginExportRow(server.test.db, server.instanceId, {
        mostTries: 3,
        at: new Date(server.clock.now()).toISOString(),
      })
    expect((await killed())?.id).toBe(id)
    await make()
    expect((await listed()).find((one) => one.id === id)?.status).toBe('READY')
    const deadly = idOf(await askFor('json'))
    for (let n = 0; n < 3; n++) expect((await killed())?.id).toBe(deadly)
    await make()
    expect((await listed()).find((one) => one.id === deadly)?.status).toBe('FAILED')
    expect(told(await fetchFile(deadly))[0]).toBe(404)
  })

  test('lists that many wait for: it is made all the same', async () => {
    let open = (): void => {}
    const gate = new Promise<void>((done) => (open = done))
    async function* slow() {
      await gate
      yield []
    }
    const head = headOf('x', languageFrom('sv', 'sv'))
    const list = (format: 'pdf' | 'csv', by: number) =>
      makeTable(head, slow(), {
        format,
        requester: `${by}`,
        signal: new AbortController().signal,
        stamp: 'x',
      })
    const waiting = [
      ...Array.from({ length: 10 }, (_, n) => list('pdf', n % 5)),
      ...Array.from({ length: 20 }, (_, n) => list('csv', n % 5)),
    ]
    try {
      await expect(list('pdf', 9)).rejects.toMatchObject({ code: 'files_busy' })
      await expect(list('csv', 9)).rejects.toMatchObject({ code: 'files_busy' })
      const ids: string[] = []
      for (const format of ['pdf', 'csv', 'xlsx']) ids.push(idOf(await askFor(format)))
      await make()
      for (const id of ids) expect(await statusOf(id)).toEqual({ status: 'READY', tries: 1 })
    } finally {
      open()
      await Promise.all(waiting)
    }
  })

  test('what fails is tried again later and later, and then given up', async () => {
    const id = idOf(await askFor('json'))
    const MINUTE = 60_000
    await sql('revoke select on debtor_contact from kvitt_app')
    try {
      for (const [ahead, tries] of [
        [0, 1],
        [0.9, 1],
        [1.1, 2],
        [11, 2],
      ] as const) {
        aheadMs = ahead * MINUTE
        await make()
        expect(await statusOf(id), `${ahead} minutes`).toEqual({ status: 'WAITING', tries })
      }
      aheadMs = 11.2 * MINUTE
      await make()
      expect(await statusOf(id)).toEqual({ status: 'FAILED', tries: 3 })
    } finally {
      aheadMs = 0
      await sql('grant select on debtor_contact to kvitt_app')
    }
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

  /** Makes what waits, does `meanwhile` once who the person is has been read, and goes on. */
  const makeWhile = async (id: string, meanwhile: () => Promise<unknown>): Promise<void> => {
    const client = await server.test.owner.connect()
    try {
      // The log is read last.
      await client.query('begin; lock table audit_event in access exclusive mode')
      const making = make()
      const isRead = `select 1 from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'audit_event' and not l.granted`
      for (let n = 0; n < 200 && (await sql(isRead)).length === 0; n++)
        await new Promise((done) => setTimeout(done, 25))
      expect(await sql(isRead)).not.toEqual([])
      await meanwhile()
      await client.query('commit')
      await making
    } finally {
      client.release()
    }
    expect(await sql('select status, content, reason from person_export where id = $1', [id])).toEqual([
      { status: 'GONE', content: null, reason: '[erased]' },
    ])
  }
  const erase = async (debtorId: string) =>
    expect(await sql('select erase_person($1, $2) as done', [server.instanceId, debtorId])).toEqual([
      { done: true },
    ])

  test('another row of the same person is erased: no copy that has it is kept, made or being made', async () => {
    const second = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
    await sql(`update debtor set identification_number = '199007292387' where id = any ($1)`, [
      [invoice.debtorId, second.debtorId],
    ])
    await sql(`update debtor set name = 'Muskot Andersson' where id = $1`, [second.debtorId])
    await endLongAgo(server.test, second, 12 * 9)
    const kept = idOf(await askFor('json', { reason: 'Muskot asked' }))
    await make()
    expect((await fetchFile(kept)).text).toContain('Muskot Andersson')
    const running = idOf(await askFor('json', { reason: 'Muskot asked again' }))
    await makeWhile(running, () => erase(second.debtorId))
    expect(await sql('select status, content, reason from person_export where id = $1', [kept])).toEqual([
      { status: 'GONE', content: null, reason: '[erased]' },
    ])
    expect((await fetchFile(kept)).status).toBe(404)
  })

  test('a person is erased, and erased again with what came later: no copy is kept, made or being made', async () => {
    await endLongAgo(server.test, invoice, 12 * 9)
    const first = idOf(await askFor('json', { who: 'manager' }))
    await makeWhile(first, () => erase(invoice.debtorId))
    await sql(
      `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on, ended_on, ended_by, end_reason)
       values ($1, gen_random_uuid(), $2, 'DECEASED', '2026-11-01', 'Brodern på Kardemummavägen', 'person:x', '2026-11-01', '2026-11-02',
         'person:x', 'Systern')`,
      [server.instanceId, invoice.debtorId],
    )
    const kept = idOf(await askFor('csv'))
    await make()
    const { text } = await fetchFile(kept)
    expect(text).toContain('Kardemumma')
    expect(text).toMatch(/;\[erased\] · \[erased\] · PERSON;/)
    const running = idOf(await askFor('json', { reason: 'once more' }))
    await makeWhile(running, () => erase(invoice.debtorId))
    expect(await sql('select status, content from person_export where id = $1', [kept])).toEqual([
      { status: 'GONE', content: null },
    ])
    const late = idOf(await askFor('csv'))
    await make()
    expect((await fetchFile(late)).text).not.toContain('Kardemumma')
  })
})
