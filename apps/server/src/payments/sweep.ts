/** The safety net: what no callback and no return has told us, we ask for. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenPayment } from '@kvitt/domain/payments/payment.ts'
import { isUnsettled } from '@kvitt/domain/payments/unsettled.ts'
import type { Context } from '../context.ts'
import { endUnsettled } from './end-unsettled.ts'
import { GatewayUnavailable } from './gateways/gateway.ts'
import { openTasks } from '../tasks/tasks.ts'
import {
  claimWaitingEvents,
  endOverduePayments,
  learnPaymentSizes,
  readOverduePayments,
} from './inbox.queries.ts'
import {
  claimPaymentForSweep,
  claimPaymentsForSweep,
  readPayment,
  type SweptPayment,
} from './payments.queries.ts'
import { failPayment, isAbandoned, recordPaymentResult, type PaymentResult } from './settle.ts'

/**
 * Applies events that still wait, asks about payments under way, and ends those that nobody can sign any
 * more: those whose link was never handed out, pushed to a phone and CREATED for 30 minutes, IN_PROGRESS for 24 hours, and
 * those whose debt has been paid in another way, while their gateway still can; and those that were signed and do not
 * settle. What should have ended and has not becomes a matter for
 * a person. `all` asks about every payment at once.
 */
export async function sweepPayments(
  context: Context,
  options: { all: boolean; today: string },
): Promise<void> {
  await learnPaymentSizes(context.db)
  const waiting = await claimWaitingEvents(context.db, options.all)
  await each(context, waiting, (payment) => recordPaymentResult(context, payment, 'sweep'))
  const underWay = await claimPaymentsForSweep(context.db, options.all, options.today)
  await each(context, underWay, (payment) => sweepOne(context, payment, date(options.today)))
  await askAboutLate(context)
}

/** The same about one payment, because somebody asks. Answers what the gateway says. */
export async function sweepAgain(
  context: Context,
  { instance_id: instanceId, id }: Pick<SweptPayment, 'instance_id' | 'id'>,
  today: CalendarDate,
): Promise<PaymentResult | undefined> {
  const payment = await claimPaymentForSweep(context.db, { instanceId, id })
  const result = payment && (await sweepOne(context, payment, today))
  await askAboutLate(context)
  return result
}

async function askAboutLate({ db, log }: Context): Promise<void> {
  await endOverduePayments(db)
  const asked = await openTasks(
    db,
    (await readOverduePayments(db)).map((payment) => ({
      instanceId: payment.instance_id,
      kind: 'payment_late' as const,
      about: `payment:${payment.id}`,
      details: {
        gateway: payment.gateway,
        status: payment.status,
        stale: payment.is_stale,
        outcomeUnknown: payment.is_outcome_unknown,
        createdAt: payment.created_at,
      },
    })),
  )
  if (asked.length > 0) log.error({ late: asked.length }, 'payments that should have ended need a person')
}

/** Few enough to leave payers their share of the connections; after an outage thousands wait. */
const AT_ONCE = 4

/** One payment that cannot be looked into keeps nobody else's waiting. It is taken up again with the next round. */
async function each<Payment extends { readonly id: string }>(
  context: Context,
  payments: readonly Payment[],
  work: (payment: Payment) => Promise<unknown>,
): Promise<void> {
  const left = payments.values()
  const takeTurns = async (): Promise<void> => {
    for (const payment of left) {
      try {
        await work(payment)
      } catch (error) {
        context.log.error({ err: error, paymentId: payment.id }, 'payment not swept')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
}

async function sweepOne(
  context: Context,
  payment: SweptPayment,
  today: CalendarDate,
): Promise<PaymentResult> {
  const result = await recordPaymentResult(context, payment, 'sweep')
  // The gateway may hold an order of it, but nobody was given its link: it ends there unsigned.
  if (payment.gateway_payment_id === null && result === 'unknown' && payment.is_old) {
    await failPayment(context, payment, { failure: 'abandoned', door: 'sweep' })
  }
  if (isWithoutLink(context, payment)) {
    await endUnlinked(context, payment)
    return result
  }
  const isUnderWay = result === 'IN_PROGRESS' || result === 'AUTHORIZED'
  if (isUnderWay && payment.is_paid_otherwise) await endAtGateway(context, payment, 'paid_otherwise')
  else if (result === 'IN_PROGRESS' && payment.is_very_old) await endAtGateway(context, payment, 'expired')
  else if (result === 'AUTHORIZED' || result === 'unknown') {
    const { status, country } = payment
    const signed = { status, country, executionDate: date(payment.execution_date) }
    if (isUnsettled(signed, today)) await endUnsettled(context, payment)
  }
  return result
}

/** Whoever made it was stopped before its link was handed out: nobody can sign it, and nobody ever will. */
function isWithoutLink(context: Context, payment: SweptPayment): boolean {
  if (payment.external_link !== null || payment.is_pushed) return false
  return payment.status === 'IN_PROGRESS' || isAbandoned(context, payment)
}

/** Gives up what the gateway does not say to be signed; an order that it holds is taken back if it can be reached. */
async function endUnlinked(context: Context, payment: SweptPayment): Promise<void> {
  const current = await readPayment(context.db, payment.instance_id, payment.id)
  if (!current || !isOpenPayment(current.status)) return
  const gateway = context.gateways.find((g) => g.code === payment.gateway)
  const gatewayPaymentId = current.gateway_payment_id ?? gateway?.idOf?.(payment.id)
  if (current.status === 'IN_PROGRESS') {
    await endAtGateway(context, { ...payment, gateway_payment_id: gatewayPaymentId ?? null }, 'abandoned')
    return
  }
  await failPayment(context, current, { failure: 'abandoned', door: 'sweep' })
  if (gatewayPaymentId === undefined) return
  const { instance_id: instanceId, payee_account: payeeAccount } = payment
  await gateway?.cancelPayment({ instanceId, gatewayPaymentId, payeeAccount }).catch(() => {})
}

async function endAtGateway(context: Context, payment: SweptPayment, failure: string): Promise<void> {
  const gateway = context.gateways.find((g) => g.code === payment.gateway)
  try {
    const outcome = await gateway?.cancelPayment({
      instanceId: payment.instance_id,
      gatewayPaymentId: payment.gateway_payment_id ?? '',
      payeeAccount: payment.payee_account,
    })
    if (outcome === 'cancelled') await failPayment(context, payment, { failure, door: 'sweep' })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
  }
}
