/** The SQL of debits that nobody has explained, and that may be what was ordered before. */
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

/** A debit that is in the books, and nobody knows what it is of; it may be a doubtful one, or one that is to be booked still. */
const UNEXPLAINED = `l.instance_id = $1 and l.kind = 'OUTGOING' and l.status in ('WAITING', 'SUSPENSE')`
const UNNAMED = `not exists (select from payout n where n.instance_id = $1 and n.id = l.named_payment_id)`

const told = statement(
  'mayBePaid.told',
  `select from payout_file f join bank_line l on ${UNEXPLAINED} and (
     exists (select from payout o where o.instance_id = $1 and o.file_id = f.id and o.id = l.named_payment_id
       and (o.id = any($3) or o.amount_minor <> l.amount_minor))
     or l.currency = f.currency and coalesce(l.account_id = f.account_id, true) and ${UNNAMED}
       and l.amount_minor between (select min(o.amount_minor) from payout o where o.instance_id = $1 and o.id = any($3)) and f.amount_minor
       and l.bank_date >= coalesce((select min(m.ordered_on) from payout o join money_out m on m.instance_id = $1 and m.order_id = o.id
         where o.instance_id = $1 and o.file_id = f.id), '-infinity'))
   where f.instance_id = $1 and f.id = $2 limit 1`,
)

/**
 * Whether a debit may be one of these rows of a file, some of them, or all of the file: one that names any of them, whatever its sum, as a
 * bank may take a fee with it or join several; and one without a name, since the order, of as much as the least row to the whole file.
 */
export async function isMaybeTold(
  tx: Transaction,
  instanceId: string,
  { fileId, payouts }: { readonly fileId: string; readonly payouts: readonly string[] },
): Promise<boolean> {
  return (await tx.rows(told, [instanceId, fileId, payouts])).length > 0
}

const named = statement(
  'mayBePaid.named',
  `select from bank_line l where ${UNEXPLAINED} and l.named_payment_id = $2 limit 1`,
)

/** Whether a debit that nobody has explained names a row of a file. Ask under lockBankFiles. */
export async function hasUnexplainedDebit(
  tx: Transaction,
  instanceId: string,
  payoutId: string,
): Promise<boolean> {
  return (await tx.rows(named, [instanceId, payoutId])).length > 0
}

const paid = statement(
  'mayBePaid.paid',
  `select w.key from unnest($2::text[]) w (key) where exists (
     select from payout o
     join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
     join bank_line l on ${UNEXPLAINED} and (l.named_payment_id = o.id
       or l.currency = f.currency and coalesce(l.account_id = f.account_id, true) and ${UNNAMED}
         and l.amount_minor between o.amount_minor and f.amount_minor and l.bank_date >= coalesce((select min(m.ordered_on) from money_out m where m.instance_id = $1 and m.order_id = o.id),
           (select min(m.ordered_on) from money_out m where m.instance_id = $1 and m.about = o.about), '-infinity'))
     where o.instance_id = $1 and o.status = 'NOT_EXECUTED' and w.key in (o.about, 'settlement:' || o.settlement_id))
   or not $3 and exists (
     select from money_out m
     join bank_line l on ${UNEXPLAINED} and l.currency = m.currency and coalesce(l.account_id = m.account_id, true) and ${UNNAMED}
       and l.amount_minor = m.amount_minor and l.bank_date >= m.ordered_on
     where m.instance_id = $1 and m.about = w.key and m.said_not_ordered_on is not null)`,
)

/**
 * Which of these may be paid already: a debit that nobody has explained may be what two people had said was not executed, or what a person
 * had said was not ordered by hand. Ask under lockBankFiles.
 * @param keys `settlement:{id}`, or `about` of a money_out
 * @param isByHand a person says that it is ordered by hand now: then a debit of its sum that was ordered so is it
 */
export async function findMaybePaid(
  tx: Connection,
  instanceId: string,
  { keys, isByHand = false }: { readonly keys: readonly string[]; readonly isByHand?: boolean },
): Promise<Set<string>> {
  return new Set((await tx.rows<{ key: string }>(paid, [instanceId, keys, isByHand])).map(({ key }) => key))
}

const joined = statement(
  'mayBePaid.joined',
  `select from money_out m join bank_line l on ${UNEXPLAINED} and l.currency = m.currency and coalesce(l.account_id = m.account_id, true)
     and ${UNNAMED} and l.bank_date >= m.ordered_on and l.amount_minor between m.amount_minor and (
       select sum(x.amount_minor) from money_out x where x.instance_id = $1 and x.currency = m.currency and x.by_hand
         and x.line_id is null and x.left_on is null and x.returned_on is null)
   where m.instance_id = $1 and m.id = $2 limit 1`,
)

/** Whether a debit may be what is ordered by hand, alone or with what else is. Ask under lockBankFiles. */
export async function isMaybeOrdered(tx: Transaction, instanceId: string, id: string): Promise<boolean> {
  return (await tx.rows(joined, [instanceId, id])).length > 0
}
