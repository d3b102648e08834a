/** The SQL of what is done by hand. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type ByHand = {
  readonly kind: 'REVERSAL' | 'MOVE' | 'WRITE_OFF'
  /** What it is about, such as `claim:{id}`. */
  readonly about: string
  /** Each debtor whose debt it touches. */
  readonly debtorIds: readonly string[]
  readonly currency: string
  readonly amountMinor: number
  readonly on: string
}

/** `COMMAND` and `PLACEMENT`, of money that had been moved, count for the limit and are not held by it. */
export type WayOfHand = 'PORTAL' | 'COMMAND' | 'PLACEMENT'

const most = statement(
  'manualPostings.most',
  `select coalesce(max(m.minor), 0)::bigint as minor from (
     select sum(s.amount_minor) as minor from (
       select debtor_id, amount_minor from manual_posting
       where instance_id = $1 and debtor_id = any($2::uuid[]) and currency = $3 and booked_on = $4
       union all
       select debtor_id, amount_minor from sent_back_to_debtor
       where instance_id = $1 and debtor_id = any($2::uuid[]) and currency = $3
         and (sent_at > now() - interval '24 hours' or ordered_on = $4)) s
     group by s.debtor_id) m`,
)

/**
 * What was done by hand on that day, and has gone back since this time yesterday by a gateway and on that day by the bank, for the
 * debtor of whom it was most. Minor units.
 */
export async function readMostByHand(
  db: Connection,
  instanceId: string,
  { debtorIds, currency, on }: Pick<ByHand, 'debtorIds' | 'currency' | 'on'>,
): Promise<number> {
  const rows = await db.rows<{ minor: number }>(most, [instanceId, debtorIds, currency, on])
  return rows[0]?.minor ?? 0
}

const insert = statement(
  'manualPostings.insert',
  `insert into manual_posting (instance_id, id, kind, about, debtor_id, currency, amount_minor, booked_on, way, proposal_id)
   select $1, gen_random_uuid(), $2, $3, d.id, $5, $6, $7, $8, $9 from unnest($4::uuid[]) as d (id)`,
)

export async function insertByHandRows(
  tx: Transaction,
  instanceId: string,
  { kind, about, debtorIds, currency, amountMinor, on }: ByHand,
  { way, proposalId }: { readonly way: WayOfHand; readonly proposalId: string | null },
): Promise<void> {
  await tx.rows(insert, [instanceId, kind, about, debtorIds, currency, amountMinor, on, way, proposalId])
}
