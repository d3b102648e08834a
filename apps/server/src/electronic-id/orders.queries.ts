/** The SQL of orders of electronic identification. Instants are given by the caller, real time. */
import { ORDER_MOVES, type OrderStatus } from '@kvitt/domain/electronic-id/order.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type OrderRow = {
  id: string
  order_ref: string
  status: OrderStatus
  hint_code: string | null
  answered_at: string
  qr_start_token: string | null
  qr_start_secret: string | null
}

const standInLine = statement(
  'eid.standInLine',
  `select pg_advisory_xact_lock(('x' || encode(substring($1::bytea from 1 for 8), 'hex'))::bit(64)::bigint)`,
)

const oldestStart = statement(
  'eid.oldestStart',
  `select started_at from eid_order where instance_id = $1 and starter = $2 and started_at > $3
   order by started_at desc offset $4 limit 1`,
)

/**
 * The start that has to grow old before `starter` may start again: the one before the last `most` since `since`.
 * Undefined when there are fewer. Starts of one starter stand in line until the transaction ends.
 */
export async function readBlockingStart(
  tx: Transaction,
  {
    instanceId,
    starter,
    since,
    most,
  }: { instanceId: string; starter: Uint8Array; since: string; most: number },
): Promise<string | undefined> {
  await tx.rows(standInLine, [starter])
  const values = [instanceId, starter, since, most - 1]
  return (await tx.rows<{ started_at: string }>(oldestStart, values))[0]?.started_at
}

const insertOrder = statement(
  'eid.insert',
  `insert into eid_order (instance_id, id, status, browser_hash, starter, started_at)
   values ($1, $2, 'STARTING', $3, $4, $5)`,
)

export async function insertOrderRow(
  tx: Transaction,
  order: { instanceId: string; id: string; browserHash: Uint8Array; starter: Uint8Array; startedAt: string },
): Promise<void> {
  const { instanceId, id, browserHash, starter, startedAt } = order
  await tx.rows(insertOrder, [instanceId, id, browserHash, starter, startedAt])
}

const nameOrder = statement(
  'eid.name',
  `update eid_order set status = 'PENDING', order_ref = $3, qr_start_token = $4, qr_start_secret = $5,
     answered_at = $6, next_ask_at = $6
   where instance_id = $1 and id = $2 and status = 'STARTING'`,
)

/** STARTING to PENDING, with what the provider answered. */
export async function nameOrderRow(
  db: Connection,
  order: { instanceId: string; id: string; answeredAt: string },
  names: { orderRef: string; qrStartToken: string; qrStartSecret: string },
): Promise<void> {
  const { orderRef, qrStartToken, qrStartSecret } = names
  const values = [order.instanceId, order.id, orderRef, qrStartToken, qrStartSecret, order.answeredAt]
  await db.rows(nameOrder, values)
}

const findOrder = statement(
  'eid.find',
  `select id, order_ref, status, hint_code, answered_at, qr_start_token, qr_start_secret
   from eid_order where instance_id = $1 and order_ref = $2 and browser_hash = $3`,
)

/** The order of that name which this very browser has started. */
export async function findOrderRow(
  db: Connection,
  key: { instanceId: string; orderRef: string; browserHash: Uint8Array },
): Promise<OrderRow | undefined> {
  return (await db.rows<OrderRow>(findOrder, [key.instanceId, key.orderRef, key.browserHash]))[0]
}

const claimAsk = statement(
  'eid.claimAsk',
  `update eid_order set next_ask_at = $4 where instance_id = $1 and id = $2 and status = 'PENDING' and next_ask_at <= $3
   returning id`,
)

/** Takes the turn to ask the provider, until `until`. Answers whether it was free. */
export async function claimAskRow(
  db: Connection,
  order: { instanceId: string; id: string },
  { at, until }: { at: string; until: string },
): Promise<boolean> {
  return (await db.rows(claimAsk, [order.instanceId, order.id, at, until])).length === 1
}

const recordPending = statement(
  'eid.recordPending',
  `update eid_order set next_ask_at = $3, silences = 0, hint_code = $4
   where instance_id = $1 and id = $2 and status = 'PENDING'`,
)

/** The provider answered and the order goes on; it may be asked again at `nextAskAt`. */
export async function recordPendingRow(
  db: Connection,
  order: { instanceId: string; id: string },
  news: { nextAskAt: string; hintCode: string | null },
): Promise<void> {
  await db.rows(recordPending, [order.instanceId, order.id, news.nextAskAt, news.hintCode])
}

const recordSilence = statement(
  'eid.recordSilence',
  `update eid_order set next_ask_at = $3, silences = least(silences + 1, 1000)
   where instance_id = $1 and id = $2 and status = 'PENDING' returning silences`,
)

/** The provider did not answer. Answers how many times in a row by now. */
export async function recordSilenceRow(
  db: Connection,
  order: { instanceId: string; id: string },
  nextAskAt: string,
): Promise<number> {
  const rows = await db.rows<{ silences: number }>(recordSilence, [order.instanceId, order.id, nextAskAt])
  return rows[0]?.silences ?? 0
}

const moveOrder = statement(
  'eid.move',
  `update eid_order set status = $4, hint_code = $5, qr_start_token = null, qr_start_secret = null
   where instance_id = $1 and id = $2 and status = $3 returning id`,
)

/** Moves the status along the table when it still is `from`. Answers whether it was: one of many callers at once. */
export async function moveOrderRow(
  db: Connection,
  order: { instanceId: string; id: string },
  move: { from: OrderStatus; to: OrderStatus; hintCode: string | null },
): Promise<boolean> {
  if (!ORDER_MOVES[move.from].includes(move.to))
    throw new Error(`no order goes from ${move.from} to ${move.to}`)
  const rows = await db.rows(moveOrder, [order.instanceId, order.id, move.from, move.to, move.hintCode])
  return rows.length === 1
}

const forgetOrders = statement('eid.forget', 'delete from eid_order where started_at < $1')

export async function forgetOrderRows(db: Connection, before: string): Promise<void> {
  await db.rows(forgetOrders, [before])
}
