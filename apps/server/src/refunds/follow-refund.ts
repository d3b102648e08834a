/** Sends what was written down, and finds out what became of it: by the gateway's call, by asking, from any process. */
import { bookRefund } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import type { RefundLine } from '@kvitt/domain/payments/journal-line.ts'
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Context } from '../context.ts'
import { postBookings } from '../ledger/ledger.ts'
import {
  GatewayRefused,
  GatewayUnavailable,
  lockDebtOf,
  lookAtPayment,
  type GatewayRefund,
  type GatewayRefunds,
  type LockedDebt,
  type RefundReference,
  type SeenPayment,
} from '../payments/payments.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { endTask, endTasks, isTaskOpen, openTask } from '../tasks/tasks.ts'
import { findOwedRow } from './record-refund.queries.ts'
import {
  beginGivingRow,
  endGivingRow,
  lockRefundRow,
  moveRefundRow,
  readSent,
  type RefundRow,
} from './refunds.queries.ts'

export type RefundContext = Pick<Context, 'db' | 'clock' | 'log' | 'config' | 'gateways' | 'journal'>

/**
 * Brings a refund one step on: the gateway is asked about it, and given it when it does not have it. Safe to call any
 * number of times, from any process; the gateway takes the same id once. Answers the refund as it is then.
 */
export async function followRefund(context: RefundContext, refund: RefundRow): Promise<RefundRow> {
  const { instance_id, payment_id: id } = refund
  const payment = await lookAtPayment(context.db, { instance_id, id })
  const refunds = context.gateways.find(({ code }) => code === payment.gateway)?.refunds
  if (!refunds) return refund
  try {
    const reported = await sendOnce(context, refunds, payment, refund)
    return reported ? await record(context, payment, refund, reported) : refund
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    context.log.warn(
      { refundId: refund.id, gateway: payment.gateway, reason: error.message },
      'refund not known',
    )
    return refund
  }
}

function lineOfRefund(refund: RefundRow): RefundLine {
  const { instance_id: instance, id, payment_id: payment, about, currency } = refund
  const { amount_minor: amountMinor, callback_secret: callbackSecret } = refund
  return { kind: 'refund', instance, id, payment, about, amountMinor, currency, callbackSecret }
}

function referenceOf({ payee_account: payeeAccount }: SeenPayment, refund: RefundRow): RefundReference {
  return { instanceId: refund.instance_id, refundId: refund.id, payeeAccount }
}

/** What the gateway says of it; undefined while another try gives it to the gateway, or nobody knows. */
async function sendOnce(
  context: RefundContext,
  refunds: GatewayRefunds,
  payment: SeenPayment,
  refund: RefundRow,
): Promise<GatewayRefund | undefined> {
  const known = await refunds.read(referenceOf(payment, refund))
  if (known) return known
  // Refused while another try is still on its way, it would be ordered anew, and go back twice.
  if (!(await beginGivingRow(context.db, refund))) return undefined
  try {
    return (
      (await give(context, refunds, payment, refund)) ?? (await refunds.read(referenceOf(payment, refund)))
    )
  } finally {
    await endGivingRow(context.db, refund)
  }
}

/** Gives it to the gateway; answers only a refusal. */
async function give(
  { config, journal }: RefundContext,
  refunds: GatewayRefunds,
  payment: SeenPayment,
  refund: RefundRow,
): Promise<GatewayRefund | undefined> {
  await journal.note(lineOfRefund(refund))
  try {
    await refunds.create({
      ...referenceOf(payment, refund),
      gatewayPaymentId: payment.gateway_payment_id ?? '',
      amountMinor: refund.amount_minor,
      currency: refund.currency,
      callbackUrl: `${config.publicUrl}/api/callbacks/refund/${refund.callback_secret}`,
      paymentReference: payment.payment_reference,
    })
    return undefined
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const known = await refunds.read(referenceOf(payment, refund))
    return known ?? { status: 'FAILED', amountMinor: undefined, currency: undefined, reported: error.message }
  }
}

/** Applies the gateway's word once: the status, and the books when the money has gone. */
async function record(
  context: RefundContext,
  payment: SeenPayment,
  { instance_id: instanceId, id }: RefundRow,
  reported: GatewayRefund,
): Promise<RefundRow> {
  return context.db.transaction(async (tx) => {
    const locked = await lockDebtOf(tx, payment)
    const refund = await lockRefundRow(tx, { instance_id: instanceId, id })
    if (refund.status === 'PAID' || refund.status === 'FAILED') return refund
    if (reported.status === 'FAILED') {
      await ask(context, tx, refund, { kind: 'refund_failed', reason: reported.reported })
      return moveRefundRow(tx, refund, { status: 'FAILED', failure: reported.reported })
    }
    if (reported.amountMinor !== refund.amount_minor || reported.currency !== refund.currency) {
      await ask(context, tx, refund, { kind: 'refund_contradiction', reason: 'another amount', reported })
      return moveRefundRow(tx, refund, { status: 'SENT' })
    }
    if (reported.status === 'UNDER_WAY') return moveRefundRow(tx, refund, { status: 'SENT' })
    const { debtorId, invoiceId, claimId } = await debtOf(tx, refund, locked)
    const booking = {
      id: newId(context.clock.now()),
      kind: 'REFUND',
      bookedOn: context.clock.today(payment.time_zone),
      cause: `sent:refund:${refund.id}`,
      invoiceId,
      claimId,
      paymentId: payment.id,
      lines: bookRefund(debtorId, {
        gateway: payment.gateway,
        amount: money(refund.amount_minor, refund.currency),
      }),
    }
    await postBookings(tx, instanceId, [booking], context.clock)
    const paid = await moveRefundRow(tx, refund, { status: 'PAID' })
    await endTasksOf(tx, refund)
    return paid
  })
}

/** In whose books it is owed: a payment that was moved may have brought another debtor too much than who paid. */
async function debtOf(tx: Transaction, { instance_id: instanceId, about }: RefundRow, locked: LockedDebt) {
  const owed = await findOwedRow(tx, { instanceId, about, holder: 'INSTANCE' })
  if (owed) return { debtorId: owed.debtor_id, invoiceId: owed.invoice_id, claimId: owed.claim_id }
  const { id, debtor_id: debtorId } = locked.claim ?? locked.invoice
  return { debtorId, invoiceId: locked.claim ? null : id, claimId: locked.claim ? id : null }
}

/** Money has gone back: nobody has to ask about earlier tries, nor, when it was all that was owed, to send any. */
async function endTasksOf(tx: Transaction, refund: RefundRow): Promise<void> {
  const { instance_id: instanceId, about } = refund
  const { tries, is_all: isAll } = await readSent(tx, refund)
  await endTasks(tx, { instanceId, kind: 'refund_late', abouts: tries })
  await endTasks(tx, { instanceId, kind: 'refund_failed', abouts: tries })
  if (isAll) await endTask(tx, { instanceId, kind: 'refund', about })
}

/** Whether a person has been asked why the gateway tells of another sum than was ordered. */
export function isDoubted(db: Connection, { instance_id: instanceId, id }: RefundRow): Promise<boolean> {
  return isTaskOpen(db, { instanceId, kind: 'refund_contradiction', about: `refund:${id}` })
}

async function ask(
  { log }: RefundContext,
  tx: Transaction,
  refund: RefundRow,
  {
    kind,
    ...details
  }: { readonly kind: TaskKind; readonly reason: string; readonly reported?: GatewayRefund },
): Promise<void> {
  const isNew = await openTask(tx, {
    instanceId: refund.instance_id,
    kind,
    about: `refund:${refund.id}`,
    details: {
      ...details,
      payment: refund.payment_id,
      amountMinor: refund.amount_minor,
      currency: refund.currency,
    },
  })
  if (isNew) log.error({ refundId: refund.id, kind, reason: details.reason }, 'refund needs a person')
}
