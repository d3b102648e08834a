/** The SQL of the audit log's anchors. */
import { statement, type Connection } from '../platform/database.ts'

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
   from (select '00000000-0000-0000-0000-000000000000'::uuid as chain union all select id from instance) c
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

const askPerson = statement(
  'audit.askPerson',
  `insert into task (instance_id, id, kind, about, details)
   select n.id, gen_random_uuid(), 'audit_cut', 'chain:' || $1::text || ':' || $2::text, '{}'
   from instance n where n.id = $1::uuid or n.is_default order by n.id = $1::uuid desc limit 1
   on conflict (instance_id, kind, about) do nothing`,
)

/** Asks a person, once, to look at a chain from a row on; of none of an instance, the default one's. */
export async function askAboutChain(db: Connection, { chain, seq }: BrokenAnchor): Promise<void> {
  await db.rows(askPerson, [chain, String(seq)])
}
