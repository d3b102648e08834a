/** M-34: whose debts all rest, as conditions for whatever picks debts: a set that is read once, not row by row. */
import { statement, type Connection } from '../platform/database/database.ts'

/** SQL: the debt `id` of the instance $1 does not rest because of who owes it. `id` is not null. */
export const isNotResting = (id: string): string =>
  `${id} not in (select h.debt_id from resting_debt h where h.instance_id = $1)`

/** SQL: nothing of the debtor `id` of the instance $1 rests so. */
export const isOfNobodyResting = (id: string): string =>
  `${id} not in (select h.debtor_id from resting_debtor h where h.instance_id = $1)`

/** SQL, for all instances at once: the debt `id` does not rest so. */
export const isNotRestingAnywhere = (id: string): string =>
  `${id} not in (select h.debt_id from resting_debt h)`

const since = statement(
  'ledger.restingSince',
  `select min(f.set_on)::text as day from debtor_flag f
   where f.instance_id = $1 and f.debtor_id = $2 and f.ended_on is null and f.answer is distinct from 'GO_ON'
     and f.kind <> 'PROTECTED'`,
)

/** The day since which all debts of a debtor rest, as text; undefined when they do not. */
export async function readRestingSince(
  db: Connection,
  instanceId: string,
  debtorId: string,
): Promise<string | undefined> {
  return (await db.rows<{ day: string | null }>(since, [instanceId, debtorId]))[0]?.day ?? undefined
}

const resting = statement(
  'ledger.isResting',
  'select from resting_debtor where instance_id = $1 and debtor_id = $2 limit 1',
)

/** Whether all debts of a debtor rest. Under the lock of a debt of theirs nobody flags them so before the transaction ends. */
export async function isResting(db: Connection, instanceId: string, debtorId: string): Promise<boolean> {
  return (await db.rows(resting, [instanceId, debtorId])).length > 0
}

const restingDebt = statement(
  'ledger.isDebtResting',
  'select from resting_debt where instance_id = $1 and debt_id = $2 limit 1',
)

/** The same of an invoice or a claim. */
export async function isDebtResting(db: Connection, instanceId: string, debtId: string): Promise<boolean> {
  return (await db.rows(restingDebt, [instanceId, debtId])).length > 0
}

const restingOf = statement(
  'ledger.restingOf',
  'select distinct debtor_id from resting_debtor where instance_id = $1 and debtor_id = any ($2::uuid[])',
)

/** Whose debts all rest, of these debtors. Ask under the locks of their debts. */
export async function readRestingOf(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ debtor_id: string }>(restingOf, [instanceId, debtorIds])
  return new Set(rows.map((row) => row.debtor_id))
}
