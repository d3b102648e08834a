/** The SQL of creditors for whom less than nothing is held: each makes one task, which ends once as much is held again. */
import { statement, type Transaction } from '../platform/database/database.ts'
import { endingTasks, openingTasks } from '../tasks/tasks.ts'

const ABOUT = `'creditor:' || a.creditor_id || ':' || a.currency`

const wanted = statement(
  'ledger.advancesWanted',
  openingTasks(
    'advance_wanted',
    `select a.instance_id, ${ABOUT} as about,
       jsonb_build_object('amountMinor', a.balance_minor, 'currency', a.currency, 'of', a.creditor_id) as details
     from ledger_account a
     where a.instance_id = $1 and a.creditor_id = any($2::uuid[]) and a.kind = 'held_for_creditor' and a.balance_minor > 0
     order by a.id`,
  ),
)

/** Asks for those of the creditors whose account has come below nothing; the transaction does not wait for it. */
export function sendAdvancesWanted(
  tx: Transaction,
  instanceId: string,
  creditorIds: readonly string[],
): void {
  tx.send(wanted, [instanceId, creditorIds])
}

const ended = statement(
  'ledger.advancesEnded',
  endingTasks(
    'advance_wanted',
    `select a.instance_id, ${ABOUT} as about from ledger_account a
     where a.instance_id = $1 and a.creditor_id = any($2::uuid[]) and a.kind = 'held_for_creditor' and a.balance_minor <= 0`,
  ),
)

/** Of those for whom enough is held again nobody is asked any more. */
export function sendAdvancesEnded(tx: Transaction, instanceId: string, creditorIds: readonly string[]): void {
  tx.send(ended, [instanceId, creditorIds])
}
