/** The search of the audit log among a million entries, as a page of the portal asks: 25 rows and how many there are. */
import { searchLogs } from '../../apps/server/src/audit-desk/audit-desk.ts'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import type { OfficePrincipal } from '../../apps/server/src/staff/staff.ts'
import { fillInstance, openBenchDatabase, type BenchDatabase } from '../bench-database.ts'
import type { Result } from '../run.ts'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000)
const ROUNDS = 40
const WANTED_P95_MS = 200

/** One of twenty entries is a deed. The hashes seal nothing here: nobody checks them. */
async function fillLogs(owner: BenchDatabase['owner'], instanceId: string): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query(
      `insert into person (id, email, name) select ${idOf('aa', 'n')}, 'p' || n || '@portal.example', 'Person ' || n
       from generate_series(0, 199) n`,
    )
    await client.query(
      `insert into audit_event (chain, seq, instance_id, at, kind, actor, about, hour, prev_hash, hash, is_deed, after)
       select case when is_deed then deeds_chain($1) else $1 end, row_number() over (partition by is_deed order by n), $1, at,
         case when is_deed then (array['invoice_credited', 'debt_paused', 'task_done', 'bounds_changed'])[1 + n / 20 % 4]
           else (array['staff_opened', 'staff_listed', 'staff_signed_in', 'document_opened'])[1 + n % 4] end,
         case n % 10 when 9 then 'session:' || gen_random_uuid() else 'person:' || ${idOf('aa', '(n * 7) % 200')} end,
         'invoice:' || ${idOf('cc', 'n % 200000')}, date_trunc('hour', at, 'UTC'), '\\x00', '\\x01', is_deed, '{}'
       from (select n, n % 20 = 0 as is_deed, now() - (($2 - n) * interval '20 seconds') as at
         from generate_series(1, $2::int) n) made`,
      [instanceId, EVENTS],
    )
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
}

const idOf = (kind: string, n: string): string =>
  `('${kind}000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

const uuid = (kind: string, n: number): string =>
  `${kind}000000-0000-7000-8000-${String(n).padStart(12, '0')}`

type Ask = readonly [query: { page?: string; orderBy?: string }, body: object]

/** What somebody looks for, a little else each time. */
const asksOf = (n: number): Readonly<Record<string, Ask>> => ({
  'the newest deeds': [{}, { filters: { log: 'DEEDS' } }],
  'the newest access': [{ page: String(1 + n) }, { filters: { log: 'ACCESS' } }],
  'both logs': [{}, {}],
  'a kind': [{}, { filters: { log: 'ACCESS', kind: 'staff_opened' } }],
  'a person': [{}, { filters: { log: 'ACCESS', actor: `person:${uuid('aa', n)}` } }],
  'an invoice': [{}, { filters: { about: `invoice:${uuid('cc', n * 31)}` } }],
  'a week': [{}, { filters: { log: 'ACCESS', at: { from: dayBefore(7 + n), to: dayBefore(1 + n) } } }],
  'a name': [{}, { query: `person ${n + 100}`, filters: { log: 'ACCESS' } }],
  'a word that many entries have': [{}, { query: 'staff', filters: { log: 'ACCESS' } }],
  'an identifier': [{}, { query: uuid('cc', n * 17), filters: { log: 'ACCESS' } }],
  'a text that is nowhere': [{}, { query: `nobody ${n}`, filters: { log: 'ACCESS' } }],
  'kinds in order': [{ orderBy: 'kind' }, { filters: { log: 'ACCESS' } }],
})

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export async function* benchAudit(): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillLogs(database.owner, instanceId)
    const { host, port, database: name } = database
    const db = openDatabase({ host, port, database: name, user: 'kvitt_app' }, 4)
    const principal = {
      instance: { id: instanceId, timeZone: 'Europe/Stockholm' },
      creditorId: null,
    } as unknown as OfficePrincipal
    try {
      const all: number[] = []
      for (const what of Object.keys(asksOf(0))) {
        const times: number[] = []
        for (let n = 0; n < ROUNDS; n++) {
          const [query, body] = asksOf(n)[what] ?? [{}, {}]
          const since = performance.now()
          await searchLogs({ db }, principal, { limit: '25', ...query }, { ...body })
          times.push(performance.now() - since)
        }
        all.push(...times)
        yield figure(`audit log of ${EVENTS}, ${what}, p95`, times)
      }
      yield figure(`audit log of ${EVENTS}, every search, p95`, all)
    } finally {
      await db.close()
    }
  } finally {
    await database.stop()
  }
}

function figure(name: string, times: readonly number[]): Result {
  const value = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  return { name, value, unit: 'ms', floor: WANTED_P95_MS, ratio: value / WANTED_P95_MS }
}
