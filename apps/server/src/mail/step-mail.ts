/**
 * What steps of the collection tell debtors, and the bills that plans and late payments make. Only queued here, with
 * what they tell of; text and letter are made when they are sent, if there still is anything to say (prepare-mail.ts).
 */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { MailKind } from './compose-mail.ts'
import {
  forgetDrawnRow,
  forgetKeptRows,
  insertNewsRows,
  readWaitingLetters,
  type Sort,
} from './step-mail.queries.ts'

/** Steps that a debtor hears of. A notice of the due date costs nothing and is no letter; the reminder follows it. */
const NEWS: Readonly<Record<string, { readonly kind: MailKind; readonly sort: Sort }>> = {
  EXPIRED_NOTIFICATION: { kind: 'expired_notice', sort: 'news' },
  REMINDER: { kind: 'reminder', sort: 'letter' },
  COLLECTION_NOTIFICATION: { kind: 'collection_notice', sort: 'letter' },
  COLLECTION_CLAIM: { kind: 'demand', sort: 'letter' },
}

export type PerformedStep = {
  readonly stepId: string
  readonly type: string
  readonly debtorId: string
  readonly debt: Debt
}

/** Queues what performed steps tell, in the transaction that performs them. */
export async function queueStepMail(
  tx: Transaction,
  instanceId: string,
  steps: readonly PerformedStep[],
): Promise<void> {
  const news = steps.flatMap(({ type, ...step }) => {
    const told = NEWS[type]
    return told ? [{ ...step, ...told, cause: `step:${step.stepId}` }] : []
  })
  await insertNewsRows(tx, instanceId, news)
}

export type BilledInvoice = {
  readonly kind: 'plan_instalment' | 'interest_invoice'
  readonly invoiceId: string
  readonly debtorId: string
  /** What it tells of, such as `instalment:<id>`: told once. */
  readonly cause: string
}

/** Queues invoices of ours to their debtors, in the transaction that makes them. */
export async function queueBills(
  tx: Transaction,
  instanceId: string,
  bills: readonly BilledInvoice[],
): Promise<void> {
  const news = bills.map(({ kind, invoiceId, debtorId, cause }) => ({
    kind,
    sort: 'bill' as const,
    cause,
    debt: { invoiceId },
    debtorId,
    stepId: null,
  }))
  await insertNewsRows(tx, instanceId, news)
}

/** The letters about a debt that wait are drawn again when they leave: less is owed by then. Under the locks of `debt`. */
export async function redrawLetters(tx: Transaction, instanceId: string, debt: Debt): Promise<void> {
  for (const stepId of await readWaitingLetters(tx, instanceId, debt))
    await forgetDrawnRow(tx, instanceId, stepId)
}

/** All letters about a debt that wait, bills too, are drawn again when they leave: they go to somebody else. Under the locks of `debt`. */
export async function readdressLetters(tx: Transaction, instanceId: string, debt: Debt): Promise<void> {
  await redrawLetters(tx, instanceId, debt)
  await forgetKeptRows(tx, instanceId, debt)
}

/**
 * Queues a creditor's invoice to its debtor, in the transaction that sends it: first by the way that its creditor wants, where
 * the provider has it and the debtor an address for it.
 */
export async function queueInvoice(
  tx: Transaction,
  { instanceId, invoiceId }: { readonly instanceId: string; readonly invoiceId: string },
  { debtorId }: { readonly debtorId: string },
): Promise<void> {
  const about = { debt: { invoiceId }, debtorId, stepId: null }
  await insertNewsRows(tx, instanceId, [
    { ...about, kind: 'new_invoice', sort: 'bill', cause: `invoice:${invoiceId}` },
  ])
}
