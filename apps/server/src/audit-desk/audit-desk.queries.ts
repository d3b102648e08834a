/** The SQL of the audit log for an operator's staff: what is of the instance $1. */
import { AUDIT_LOGS } from '@kvitt/domain/audit/audit-log.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList } from '../staff/office-list.ts'
import { tasksOf } from '../tasks/tasks.ts'

/** The deeds of an instance are a chain of their own. */
const LOG = `case when e.chain = deeds_chain(e.instance_id) then 'DEEDS' else 'ACCESS' end`

/** A person by their id, or by the name with which they ran a command; a program by its key. */
const NAME = `coalesce(
  (select p.name from person p where p.id = (select r[1]::uuid from regexp_match(e.actor, '^person:([0-9a-f-]{36})') r)),
  (select k.name from api_key k where k.instance_id = e.instance_id
     and k.id = (select r[1]::uuid from regexp_match(e.actor, '^key:([0-9a-f-]{36})$') r)),
  case when e.actor ~ '^person:' and e.actor !~ '^person:[0-9a-f-]{36}' then substr(e.actor, 8) end)`

const json = (column: string) => asWritten(`coalesce(e.${column}::text, 'null')`)

export const searchAuditRows = openOfficeList({
  name: 'auditDesk.entries',
  // Nobody but an operator's staff has this door: $2 is never a creditor.
  from: () =>
    `audit_event e join instance n on n.id = e.instance_id where e.instance_id = $1 and $2::uuid is null`,
  json: sqlJson({
    id: `${LOG} || ':' || e.seq`,
    log: word(LOG),
    seq: asWritten('e.seq::text'),
    at: instantText('e.at'),
    kind: word('e.kind'),
    actor: 'e.actor',
    name: NAME,
    about: 'e.about',
    reason: 'e.reason',
    before: json('before'),
    after: json('after'),
    seal: word(`left(encode(e.hash, 'hex'), 8)`),
  }),
  targets: { name: `coalesce(${NAME}, '')`, about: 'e.about', kind: 'e.kind' },
  filters: {
    log: { kind: 'choice', values: AUDIT_LOGS, sql: LOG },
    kind: { kind: 'text', sql: 'e.kind' },
    actor: { kind: 'text', sql: 'e.actor' },
    about: { kind: 'text', sql: 'e.about' },
    at: { kind: 'day', sql: '(e.at at time zone n.time_zone)::date' },
  },
  orders: { id: 'e.at', at: 'e.at', kind: 'e.kind' },
  tie: '(e.chain, e.seq)',
})

/** How long an entry is kept (audit_kept), before which none of its log can be missing. */
const KEPT = `case when e.chain = deeds_chain(e.instance_id) then interval '10 years' else interval '12 months' end`

/**
 * The view of the invariant (inv_i21), for the chains of one instance. The first entry that was kept has nothing before it, and is
 * the first of all as long as the instance is younger than what is kept. What was cut off at the end only the anchors know: they
 * have made a task of it.
 */
const verify = statement(
  'auditDesk.verify',
  `with mine as (
     select e.*, e.hash is distinct from audit_hash(e) as is_changed,
       lag(e.hash) over w as hash_before, lag(e.seq) over w as seq_before
     from audit_event e where e.chain in ($1, deeds_chain($1)) window w as (partition by e.chain order by e.seq)),
   broken as (
     select ${LOG} as log, e.seq::int as seq, e.at from mine e
     where e.is_changed or (e.seq_before is not null and (e.prev_hash <> e.hash_before or e.seq <> e.seq_before + 1))
       or (e.seq_before is null and e.seq > 1 and exists (
         select from instance n where n.id = $1 and n.created_at > now() - ${KEPT}))
     order by e.at, e.seq limit 1)
   select (select count(*)::int from mine) as checked, exists (
       select from ${tasksOf(['audit_cut'])} k where k.instance_id = $1) as is_cut, b.log, b.seq, ${instantText('b.at')} as at
   from (select 1) one left join broken b on true`,
)

export type Verified = {
  readonly checked: number
  /** An anchor does not fit, and nobody has looked into it yet. */
  readonly is_cut: boolean
  readonly log: (typeof AUDIT_LOGS)[number] | null
  readonly seq: number | null
  readonly at: string | null
}

/** Looks at every entry of an instance's two logs, and names the first that is not as it was written. */
export async function verifyChains(db: Connection, instanceId: string): Promise<Verified> {
  const [row] = await db.rows<Verified>(verify, [instanceId])
  if (!row) throw new Error('the audit log said nothing')
  return row
}
