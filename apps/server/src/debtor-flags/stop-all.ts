/** Nothing is asked of a flagged debtor any more (M-34): what can be stopped is. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { STOP_REASON_OF, type RestingFlag } from '@kvitt/domain/people/debtor-flag.ts'
import { DecisionRefused } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow } from '../invoices/invoices.ts'
import { stopWithin } from '../office-invoices/office-invoices.ts'
import { isRunningInstalment } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockDebtsOf } from '../representatives/flag-rows.queries.ts'
import { readDebtsOfTellers } from './debtor-flags.queries.ts'

type ToStop = {
  readonly instanceId: string
  readonly debtorId: string
  readonly kind: RestingFlag
  readonly note: string | null | undefined
  readonly by: string
}

/**
 * Stops every open debt that can be: not what is in a plan, or about to be paid. A creditor reads why, and the note, where its own people
 * reported the same; to the others both are nothing that they may know. Answers how many were stopped, and how many were not.
 */
export async function stopAll(
  context: Context,
  tx: Transaction,
  { instanceId, debtorId, kind, note, by }: ToStop,
): Promise<{ readonly stopped: number; readonly left: number }> {
  const { invoices, claims } = await lockDebtsOf(tx, { instanceId, debtorId })
  const told = await readDebtsOfTellers(tx, { instanceId, debtorId }, kind)
  const debts = [
    ...claims.map((id) => ({ kind: 'claim' as const, id })),
    ...invoices.map((id) => ({ kind: 'invoice' as const, id })),
  ]
  let stopped = 0
  for (const debt of debts) {
    const why = told.has(debt.id) ? { reason: STOP_REASON_OF[kind], note } : { reason: 'OTHER', note: null }
    try {
      if (await isOfRunningPlan(tx, instanceId, debt)) continue
      if (await stopWithin(context, tx, { instanceId, debt, by, ...why })) stopped += 1
    } catch (error) {
      // Both are said before anything is written.
      if (!(error instanceof DecisionRefused) && !(error instanceof Refusal)) throw error
    }
  }
  return { stopped, left: debts.length - stopped }
}

/** Billed by a plan that runs: stopped, it would be lost to what the plan pays. */
async function isOfRunningPlan(
  tx: Transaction,
  instanceId: string,
  { kind, id }: { readonly kind: 'claim' | 'invoice'; readonly id: string },
): Promise<boolean> {
  return kind === 'invoice' && isRunningInstalment(tx, await lockInvoiceRow(tx, instanceId, id))
}
