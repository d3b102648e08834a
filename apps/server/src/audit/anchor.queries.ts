/** The SQL of the audit log's anchors. */
import { statement, type Connection } from '../platform/database/database.ts'
import { endingTasks, tasksOf } from '../tasks/tasks.ts'

/** A chain at one moment: its last row. */
export type Anchor = {
  readonly chain: string
  readonly seq: number
  /** Hexadecimal. */
  readonly hash: string
  /** When that row was written. */
  readonly at: string
}

const lastRows = statement(
  'audit.lastRows',
  `select c.chain, e.seq, encode(e.hash, 'hex') as hash, e.at
   from (select '00000000-0000-0000-0000-000000000000'::uuid as chain union all select id from instance
     union all select deeds_chain(id) from instance) c
   cross join lateral (select * from audit_event a where a.chain = c.chain order by a.seq desc limit 1) e
   order by c.chain`,
)

/** The last row of each chain. */
export function readLastRows(db: Connection): Promise<Anchor[]> {
  return db.rows<Anchor>(lastRows)
}

const broken = statement(
  'audit.brokenAnchors',
  `select distinct on (w.chain) w.chain, w.seq from jsonb_to_recordset($1::jsonb) w (chain uuid, seq bigint, hash text, at timestamptz)
   left join audit_event e on e.chain = w.chain and e.seq = w.seq
   where case when e.seq is null then w.at > now() - interval '12 months' else encode(e.hash, 'hex') <> w.hash end
   order by w.chain, w.seq`,
)

export type BrokenAnchor = Pick<Anchor, 'chain' | 'seq'>

/** Of each chain, the first row that was there and is gone before its twelve months, or is another now. */
export function findBrokenAnchors(db: Connection, anchors: readonly Anchor[]): Promise<BrokenAnchor[]> {
  return db.rows<BrokenAnchor>(broken, [JSON.stringify(anchors)])
}

const ownerOfChain = statement(
  'audit.ownerOfChain',
  `select id from instance where $1 in (id, deeds_chain(id)) or is_default
   order by $1 in (id, deeds_chain(id)) desc limit 1`,
)

/** The instance whose chain it is; of none of an instance, the default one. Undefined without any. */
export async function findOwnerOfChain(db: Connection, chain: string): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(ownerOfChain, [chain]))[0]?.id
}

/** A chain as a file has it, and when that file was written: an ISO instant. */
export type Witness = Pick<Anchor, 'chain'> & { readonly writtenAt: string }

/** Of the instance $2, or of all. */
const MINE = `($2::uuid is null or k.instance_id = $2)`
/** $1: a file that fits, holds the chain, and is older than the task; what was written after it says nothing of what was cut before. */
const isWitnessed = `exists (select from jsonb_to_recordset($1::jsonb) w (chain text, "writtenAt" timestamptz)
     where k.about like 'chain:' || w.chain || ':%' and w."writtenAt" < k.created_at)`

const endCuts = statement(
  'audit.endCuts',
  endingTasks(
    'audit_cut',
    `select k.instance_id, k.about from ${tasksOf(['audit_cut'])} k where ${MINE} and ${isWitnessed}`,
  ),
)

/** Ends the tasks about chains that one of these shows to fit. */
export async function endOldCuts(
  db: Connection,
  witnesses: readonly Witness[],
  instanceId: string | null,
): Promise<void> {
  await db.rows(endCuts, [JSON.stringify(witnesses), instanceId])
}

const unseen = statement(
  'audit.unseenCuts',
  `select from ${tasksOf(['audit_cut'])} k where ${MINE} and not ${isWitnessed} and split_part(k.about, ':', 2) <> all ($3::text[]) limit 1`,
)

/** Whether there is a task about a chain that fits nothing and breaks nothing: neither among these, nor in `broken`. */
export async function hasUnseenCut(
  db: Connection,
  { witnesses, broken }: { readonly witnesses: readonly Witness[]; readonly broken: readonly string[] },
  instanceId: string | null,
): Promise<boolean> {
  return (await db.rows(unseen, [JSON.stringify(witnesses), instanceId, broken])).length > 0
}
