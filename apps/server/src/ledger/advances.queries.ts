/** The SQL of creditors for whom less than nothing is held. */
import { statement, type Transaction } from '../platform/database/database.ts'
import { endingTasks } from '../tasks/tasks.ts'

const below = statement(
  'ledger.belowZero',
  `select creditor_id as "creditorId", currency, balance_minor as minor from ledger_account
   where instance_id = $1 and creditor_id = any($2::uuid[]) and kind = 'held_for_creditor' and balance_minor > 0 order by id`,
)

export type BelowZeroRow = {
  readonly creditorId: string
  readonly currency: string
  /** What is missing, positive. */
  readonly minor: number
}

/** Those of the creditors whose account has come below nothing. */
export function readBelowZero(
  tx: Transaction,
  instanceId: string,
  creditorIds: readonly string[],
): Promise<BelowZeroRow[]> {
  return tx.rows<BelowZeroRow>(below, [instanceId, creditorIds])
}

const ended = statement(
  'ledger.advancesEnded',
  endingTasks(
    'advance_wanted',
    `select a.instance_id, 'creditor:' || a.creditor_id || ':' || a.currency as about from ledger_account a
     where a.instance_id = $1 and a.creditor_id = any($2::uuid[]) and a.kind = 'held_for_creditor' and a.balance_minor <= 0`,
  ),
)

/** Of those for whom enough is held again nobody is asked any more; the transaction does not wait for it. */
export function sendAdvancesEnded(tx: Transaction, instanceId: string, creditorIds: readonly string[]): void {
  tx.send(ended, [instanceId, creditorIds])
}
