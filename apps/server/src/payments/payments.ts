/** Paying an invoice or a claim: the ways to do it, where to, and what has been started. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AccountAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PaymentAnswer, PaymentMethodAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import type { Context } from '../context.ts'
import { presentPayee, readGatewayPayee, readMethodsTaken, readPayee } from '../creditors/creditors.ts'
import { planMethods } from '../part-payments/part-payments.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import type { Gateway } from './gateways/gateway.ts'
import { readJoinedPayments, readPayments, type ListedPayment } from './listed-payments.queries.ts'
import { findPayable, type Payable, type DebtNumber } from './payable.ts'
import { takePaymentsOfDebt } from './payments.queries.ts'
import { presentPayment } from './present-payment.ts'
import { recordPaymentResult } from './settle.ts'

export { applyReceived } from './apply-payment.ts'
export { applyTransfer } from './apply-transfer.ts'
export { applyCallback, receiveBankNotification, receiveSwishCallback, type Callback } from './callbacks.ts'
export {
  GatewayRefused,
  GatewayUnavailable,
  type Gateway,
  type GatewayRefund,
  type GatewayRefunds,
  type RefundReference,
} from './gateways/gateway.ts'
export { forgetOldCallbacks, openJournal, type PaymentJournal } from './journal/journal.ts'
export {
  orFailed,
  OUTCOMES,
  providersHere,
  restorePayments,
  type Outcome,
} from './journal/restore-payments.ts'
export { IN_SUMS, linkDailySum } from './told-by-bank/daily-sum.ts'
export { askAboutDay } from './told-by-bank/doubtful-day.ts'
export { findOfficePayment, getOfficePayment, type OfficePayment } from './office/office-payments.ts'
export { cameBeforePlan, lockDebtOf, partiesOf, type LockedDebt } from './payable.ts'
export { PAYMENT_MEASURES } from './payment-measures.ts'
export { openGateways } from './gateways/open-gateways.ts'
export { readServiceStates } from './service-states.ts'
export { recordPaymentResult } from './settle.ts'
export { endOpenPayment, startPayment } from './starts/start-payment.ts'
export { arriveByFile } from './paid-after-failure.ts'
export { sweepPayments } from './sweep.ts'
export { IN_BANK_FILES } from './told-by-bank/told-by-bank.ts'
export { BANK_FILES_OF } from './told-by-bank/told-by-bank.queries.ts'
export {
  lockPaymentRow,
  lookAtPayment,
  readPayment,
  type PaymentRow,
  type SeenPayment,
} from './payments.queries.ts'
export { readPayments } from './listed-payments.queries.ts'

/** However many ask, a gateway is asked about one payment at most this often. */
const ASKED_AT_MOST_EVERY_MS = 5_000

/** The ways to pay, in the order of the screen. None when nothing can be paid. */
export async function listPaymentMethods(
  context: Context,
  viewer: Viewer,
  wanted: DebtNumber,
): Promise<PaymentMethodAnswer[]> {
  const payable = await findPayable(context, viewer, wanted)
  if (!payable.isPayable) return []
  const payee = await readPayee(context.db, payable.instanceId, payable)
  if (!payee) return []
  const payments = await readAllPayments(context, payable)
  const isSigned = payments.some((p) => p.status === 'AUTHORIZED' || p.is_outcome_unknown)
  const gateways = await gatewaysFor(context, viewer, payable)
  const today = context.clock.today(viewer.instance.timeZone)
  const plans = await planMethods(context.db, payable.planned, today)
  const taken = await methodsTaken(context, payable)
  const { promotions } = viewer.instance.row
  const codes = [...gateways.map(({ method }) => method), ...plans, 'BANK_TRANSFER' as const]
  return codes
    .filter((code) => taken?.includes(code) ?? true)
    .map((code) => ({
      code,
      enabled: !isSigned,
      reasonCode: isSigned ? 'payment_in_progress' : null,
      promotion: promotions[code] ?? null,
    }))
}

/** The gateways that have somewhere to pay it to. */
async function gatewaysFor(context: Context, { instance }: Viewer, payable: Payable): Promise<Gateway[]> {
  const payee = await readGatewayPayee(context.db, payable.instanceId, payable)
  return context.gateways.filter((gateway) => {
    const own = gateway.payeeOf(instance)
    const hasPayee = own === 'theirs' ? payee !== undefined : own !== undefined
    return hasPayee && gateway.takes(payable.currency)
  })
}

/** What the creditor takes for an invoice. A claim is paid to the instance, in all its ways. */
async function methodsTaken(context: Context, { instanceId, debt }: Payable): Promise<string[] | null> {
  return 'invoiceId' in debt ? readMethodsTaken(context.db, { instanceId, invoiceId: debt.invoiceId }) : null
}

export async function getPaymentAccount(
  context: Context,
  viewer: Viewer,
  wanted: DebtNumber,
): Promise<AccountAnswer> {
  const payable = await findPayable(context, viewer, wanted)
  const payee = await readPayee(context.db, payable.instanceId, payable)
  if (!payee) throw new Refusal('service_provider_unavailable')
  return presentPayee(payee)
}

export async function listPayments(
  context: Context,
  viewer: Viewer,
  wanted: DebtNumber,
): Promise<Loosen<PaymentAnswer>[]> {
  const payable = await findPayable(context, viewer, wanted)
  return presentAll(await readAllPayments(context, payable), payable)
}

/** Asks the gateways about what is under way, at most once in a while for all askers together, then lists. */
export async function refreshPayments(
  context: Context,
  viewer: Viewer,
  wanted: DebtNumber,
): Promise<Loosen<PaymentAnswer>[]> {
  const payable = await findPayable(context, viewer, wanted)
  const joined = await readJoinedPayments(context.db, payable.instanceId, payable.debt)
  const debts = [payable.debt, ...joined.flatMap((p) => (p.invoice_id ? [{ invoiceId: p.invoice_id }] : []))]
  for (const debt of debts) {
    const due = { instanceId: payable.instanceId, debt }
    for (const payment of await takePaymentsOfDebt(context.db, due, ASKED_AT_MOST_EVERY_MS)) {
      await recordPaymentResult(context, payment, 'return')
    }
  }
  return presentAll(await readAllPayments(context, payable), payable)
}

/**
 * What was started for a debt, newest first: for a claim also what its invoices brought along that is signed, or whose
 * end nobody knows, as it is in the way of another payment, and what has paid on the claim.
 */
async function readAllPayments(context: Context, { instanceId, debt }: Payable): Promise<ListedPayment[]> {
  const own = await readPayments(context.db, instanceId, debt)
  const joined = await readJoinedPayments(context.db, instanceId, debt)
  const shown = joined.filter(
    (p) =>
      p.status === 'AUTHORIZED' || p.is_outcome_unknown || p.status === 'COMPLETED' || p.received_minor > 0,
  )
  return [...own, ...shown]
}

/** No link leads to a payment of what is paid by now. */
function presentAll(rows: readonly ListedPayment[], { balanceMinor }: Payable): Loosen<PaymentAnswer>[] {
  return rows.map((row) => presentPayment(balanceMinor > 0 ? row : { ...row, external_link: null }))
}
