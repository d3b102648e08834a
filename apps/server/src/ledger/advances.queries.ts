/** The SQL of creditors for whom less than nothing is held, and of what is advanced for them. */
import { statement, type Transaction } from '../platform/database/database.ts'
import { endingTasks } from '../tasks/tasks.ts'

/** What is missing at an account `h` of what is held, after what is advanced. Whoever moves an advance has locked that account first. */
const SHORT = `(h.balance_minor + coalesce((select v.balance_minor from ledger_account v where v.instance_id = h.instance_id
     and v.creditor_id = h.creditor_id and v.currency = h.currency and v.kind = 'advance'), 0))`

const below = statement(
  'ledger.belowZero',
  `select h.creditor_id as "creditorId", h.currency, ${SHORT} as minor from ledger_account h
   where h.instance_id = $1 and h.creditor_id = any($2::uuid[]) and h.kind = 'held_for_creditor' and ${SHORT} > 0 order by h.id`,
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
     where a.instance_id = $1 and a.creditor_id = any($2::uuid[]) and a.kind = 'held_for_creditor'
       and ${SHORT.replaceAll('h.', 'a.')} <= 0`,
  ),
)

/** Of those for whom enough is held again nobody is asked any more; the transaction does not wait for it. */
export function sendAdvancesEnded(tx: Transaction, instanceId: string, creditorIds: readonly string[]): void {
  tx.send(ended, [instanceId, creditorIds])
}

const covered = statement(
  'ledger.covered',
  `select -h.balance_minor as "heldMinor", -coalesce((select v.balance_minor from ledger_account v where v.instance_id = h.instance_id
     and v.creditor_id = h.creditor_id and v.currency = h.currency and v.kind = 'advance'), 0) as "advancedMinor"
   from ledger_account h where h.instance_id = $1 and h.creditor_id = $2 and h.currency = $3 and h.kind = 'held_for_creditor'`,
)
const lockHeld = statement('ledger.lockHeld', 'select lock_held($1, $2, $3)')

/** What is held, below zero for what is missing, and what is advanced. Minor units. */
export type Covered = { readonly heldMinor: number; readonly advancedMinor: number }

/** Of a creditor and currency, with nobody moving either meanwhile. Ask under lockBankFiles. */
export async function lockCovered(
  tx: Transaction,
  instanceId: string,
  { creditorId, currency }: { readonly creditorId: string; readonly currency: string },
): Promise<Covered> {
  const values = [instanceId, creditorId, currency]
  await tx.rows(lockHeld, values)
  return (await tx.rows<Covered>(covered, values))[0] ?? { heldMinor: 0, advancedMinor: 0 }
}
