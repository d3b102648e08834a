/** The SQL of the audit log for an operator's staff: what is of the instance $1. */
import type { AuditLog } from '@kvitt/domain/audit/audit-log.ts'
import { INVOICE_TYPES } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
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

const ROW = sqlJson({
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
})

/** The chains of an instance $1 whose logs are asked for with $2. */
const CHAINS = `select case log when 'DEEDS' then deeds_chain($1) else $1::uuid end as chain from (select distinct unnest($2::text[]) as log) l`

/** What an entry has to be. What is not given asks nothing, so that each question finds the index made for it. */
export type AuditWish = {
  readonly logs: readonly AuditLog[]
  readonly kinds?: readonly string[] | undefined
  /** One of them alone stands for itself and for all that begins with it and a colon, such as each membership of a person. */
  readonly actors?: readonly string[] | undefined
  readonly abouts?: readonly string[] | undefined
  /** Days of the instance, both included. */
  readonly days?: { readonly from: string | null; readonly to: string | null } | undefined
  readonly found?: Found | undefined
}

/** What a text stands for in the logs: any of it will do. */
export type Found = {
  readonly kinds: readonly string[]
  readonly actors: readonly string[]
  readonly abouts: readonly string[]
  /** What `about` may begin with. */
  readonly beginnings: readonly string[]
}

/** Compared by their bytes, as the indexes are. */
const ACTOR = 'e.actor collate "C"'
const ABOUT = 'e.about collate "C"'

type Condition = { readonly sql: string; readonly values: readonly unknown[] }

function conditionsOf(
  { kinds, actors, abouts, days, found }: AuditWish,
  timeZone: string,
  first: number,
): Condition {
  const parts: string[] = []
  const values: unknown[] = []
  const place = (value: unknown): string => `$${first - 1 + values.push(value)}`
  // Of one value the index has the order too.
  const oneOf = (column: string, list: readonly string[]): string =>
    list.length === 1 ? `${column} = ${place(list[0])}::text` : `${column} = any(${place(list)}::text[])`
  const start = (day: string, ahead = 0): string =>
    `((${place(day)}::date + ${ahead})::timestamp at time zone ${place(timeZone)}::text)`
  if (kinds) parts.push(oneOf('e.kind', kinds))
  if (actors?.length === 1) {
    const one = `${place(actors[0])}::text`
    parts.push(
      `${ACTOR} >= ${one} and ${ACTOR} < ${one} || ';' and (${ACTOR} = ${one} or ${ACTOR} >= ${one} || ':')`,
    )
  } else if (actors) parts.push(oneOf(ACTOR, actors))
  if (abouts) parts.push(oneOf(ABOUT, abouts))
  if (typeof days?.from === 'string') parts.push(`e.at >= ${start(days.from)}`)
  if (typeof days?.to === 'string') parts.push(`e.at < ${start(days.to, 1)}`)
  if (found) {
    const ways = [
      ...(found.kinds.length > 0 ? [oneOf('e.kind', found.kinds)] : []),
      ...(found.actors.length > 0 ? [oneOf(ACTOR, found.actors)] : []),
      ...(found.abouts.length > 0 ? [oneOf(ABOUT, found.abouts)] : []),
    ]
    for (const beginning of found.beginnings) {
      const one = `${place(beginning)}::text`
      ways.push(`(${ABOUT} >= ${one} and ${ABOUT} < ${one} || chr(1114111))`)
    }
    parts.push(`(${ways.join(' or ') || 'false'})`)
  }
  return { sql: parts.map((part) => ` and ${part}`).join(''), values }
}

const ORDERS = { id: 'e.at', at: 'e.at', kind: 'e.kind' } as const
export type AuditOrder = keyof typeof ORDERS
export const isAuditOrder = (text: string): text is AuditOrder => Object.hasOwn(ORDERS, text)

/** Planned for what it asks, and not kept: there are as many shapes of a question as a person can combine. */
const once = (text: string): Statement => statement('', text)

export type AuditPage = {
  readonly order: AuditOrder
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** Entries of an instance, as the wire has them. Each chain gives as many as could be on the page. */
export async function readAuditRows(
  db: Connection,
  { id, timeZone }: { readonly id: string; readonly timeZone: string },
  wish: AuditWish,
  { order, direction, limit, offset }: AuditPage,
): Promise<string[]> {
  const { sql, values } = conditionsOf(wish, timeZone, 5)
  const by = order === 'kind' ? `e.kind ${direction}, e.at ${direction}` : `e.at ${direction}`
  const read = once(
    `select ${ROW} as json from (${CHAINS}) c cross join lateral (
       select * from audit_event e where e.chain = c.chain and e.instance_id = $1${sql}
       order by ${by}, e.seq ${direction} limit $3::bigint + $4::bigint) e
     order by ${by}, e.chain ${direction}, e.seq ${direction} limit $3::bigint offset $4::bigint`,
  )
  const rows = await db.rows<{ json: string }>(read, [id, wish.logs, limit, offset, ...values])
  return rows.map(({ json: text }) => text)
}

/** A chain has no gaps: how long it is stands in its ends. */
const countAll = statement(
  'auditDesk.countAll',
  `select coalesce(sum(
     (select e.seq from audit_event e where e.chain = c.chain order by e.seq desc limit 1)
     - (select e.seq from audit_event e where e.chain = c.chain order by e.seq limit 1) + 1), 0)::int as total
   from (${CHAINS}) c`,
)

/** How many entries there are. */
export async function countAuditRows(
  db: Connection,
  { id, timeZone }: { readonly id: string; readonly timeZone: string },
  wish: AuditWish,
): Promise<number> {
  const { sql, values } = conditionsOf(wish, timeZone, 3)
  const count =
    sql === ''
      ? countAll
      : once(`select count(*)::int as total from audit_event e where e.chain = any(array(${CHAINS}))${sql}`)
  return (await db.rows<{ total: number }>(count, [id, wish.logs, ...values]))[0]?.total ?? 0
}

/** The next value of a column after one that is known: few values stand in a million rows, and each is one look into the index. */
const nextOf = (column: string, after: string): string =>
  `(select ${column} from audit_event e where e.chain = c.chain and ${column} > ${after} order by ${column} limit 1)`

/** A thing by both names: `invoice` in the log of deeds is `invoices` where somebody looked. */
const NAMES_OF = (kind: string, id: string): string =>
  `unnest(array[${kind} || ':' || ${id}, ${kind} || 's:' || ${id}])`

/**
 * What a text $3 stands for, $4 as it is written without spaces and $5 in digits alone: kinds that it is part of, people and programs by
 * a part of their name, the debt with such a number or reference and its payments, and what has an identifier that begins so.
 */
const find = statement(
  'auditDesk.find',
  `with recursive c as (${CHAINS}),
   kinds as (
     select c.chain, ${nextOf('e.kind', `''`)} as kind from c
     union all select c.chain, ${nextOf('e.kind', 'k.kind')} from kinds k join c using (chain) where k.kind is not null),
   actors as (
     select c.chain, p.beginning, ${nextOf(ACTOR, 'p.beginning')} as actor from c, (values ('key:'), ('person:')) p (beginning)
     union all select c.chain, a.beginning, ${nextOf(ACTOR, 'a.actor')} from actors a join c using (chain)
     where starts_with(a.actor, a.beginning)),
   things as (
     select c.chain, ${nextOf(ABOUT, `''`)} as about from c
     union all select c.chain, ${nextOf(
       ABOUT,
       // Past all that begin so with a colon; a list's own name comes before its rows.
       `case when strpos(t.about, ':') > 0 then split_part(t.about, ':', 1) || ';' else t.about end`,
     )} from things t join c using (chain) where t.about is not null),
   debts as (
     select 'invoice' as kind, i.id from invoice i where i.instance_id = $1 and i.payment_reference in ($4, $5)
     union select 'invoice', i.id from creditor r join invoice i on i.instance_id = $1 and i.creditor_id = r.id
       and i.type in (${INVOICE_TYPES.map((type) => `'${type}'`).join(', ')}) and i.invoice_number = $3 and not i.is_undone
       where r.instance_id = $1
     union select 'claim', k.id from claim k where k.instance_id = $1 and (k.payment_reference in ($4, $5) or k.claim_number = $4))
   select
     array(select distinct k.kind from kinds k where $6 in ('all', 'kind')
       and position(replace(lower($3), ' ', '_') in k.kind) > 0) as kinds,
     array(select distinct e.actor from (select $1::uuid as instance_id, a.* from actors a) e
       where $6 in ('all', 'name') and starts_with(e.actor, e.beginning)
       and position(lower($3) in lower(coalesce(${NAME}, ''))) > 0) as actors,
     array(select ${NAMES_OF('d.kind', 'd.id')} from debts d where $6 in ('all', 'about')
       union select ${NAMES_OF(`'payment'`, 'p.id')} from debts d join payment p on p.instance_id = $1
         and (p.invoice_id = d.id and d.kind = 'invoice' or p.claim_id = d.id and d.kind = 'claim') where $6 in ('all', 'about')) as abouts,
     array(select distinct b.beginning from c cross join lateral (
         select $3 as beginning
         union select split_part(t.about, ':', 1) || ':' || lower($3) from things t
         where t.chain = c.chain and strpos(t.about, ':') > 0 and $3 ~* '^[0-9a-f]{8}[0-9a-f-]*$') b
       where $6 in ('all', 'about') and exists (select from audit_event e where e.chain = c.chain
         and ${ABOUT} >= b.beginning and ${ABOUT} < b.beginning || chr(1114111))) as beginnings`,
)

export type Looked = { readonly text: string; readonly target: string; readonly logs: readonly AuditLog[] }

/** @param looked its text is not empty; `target` names where it is looked for */
export async function findInLogs(db: Connection, instanceId: string, looked: Looked): Promise<Found> {
  const { text, target, logs } = looked
  const [row] = await db.rows<Found>(find, [
    instanceId,
    logs,
    text,
    text.replaceAll(/\s/g, ''),
    text.replaceAll(/\D/g, ''),
    target,
  ])
  return row ?? { kinds: [], actors: [], abouts: [], beginnings: [] }
}

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
  readonly log: AuditLog | null
  readonly seq: number | null
  readonly at: string | null
}

/** Looks at every entry of an instance's two logs, and names the first that is not as it was written. */
export async function verifyChains(db: Connection, instanceId: string): Promise<Verified> {
  const [row] = await db.rows<Verified>(verify, [instanceId])
  if (!row) throw new Error('the audit log said nothing')
  return row
}
