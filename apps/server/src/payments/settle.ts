/**
 * What a gateway's word does. Callback, return and sweeper are three doors into `recordPaymentResult`: it
 * reads the gateway's own state and applies it once, whichever door came first and how often.
 */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { keepPayment, type News, type Standing } from '@kvitt/domain/payments/kept-payment.ts'
import { canMovePayment, isFinal, type PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import type { Context } from '../context.ts'
import { isSameAccount } from '../creditors/creditors.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endTasksUnder, isTaskOpen, openTask, type NewTask } from '../tasks/tasks.ts'
import { applyToDebt, releaseDebt } from './apply-payment.ts'
import { GatewayUnavailable, type Gateway, type GatewayPayment } from './gateways/gateway.ts'
import { askAboutDay } from './told-by-bank/doubtful-day.ts'
import { endEventRows, readNamedOrder } from './inbox.queries.ts'
import { bookPaidAfterFailure } from './paid-after-failure.ts'
import { lockDebtOf, partiesOf, type LockedDebt } from './payable.ts'
import {
  lockPaymentRow,
  lookAtPayment,
  markCheckedRow,
  markStaleRow,
  movePaymentRow,
  type PaymentDoor,
  type PaymentRow,
  type SeenPayment,
} from './payments.queries.ts'
import { askAboutCancelled, endUnsettledTask } from './unsettled-task.ts'
import { holdBankLines } from './told-by-bank/told-by-bank.queries.ts'
import { IN_BANK_FILES } from './told-by-bank/told-by-bank.ts'

/**
 * The status after the news was applied; `arrived` when the payment stays FAILED and its money is booked; `unknown` when
 * the gateway could not be asked, or a payment that was given up is signed all the same.
 */
export type PaymentResult = PaymentStatus | 'arrived' | 'unknown'

/**
 * Asks the gateway about a payment and applies the answer: status along the table, books, invoice. Safe to
 * call any number of times, from any process, in any order.
 */
export async function recordPaymentResult(
  context: Context,
  key: { readonly instance_id: string; readonly id: string },
  door: PaymentDoor,
): Promise<PaymentResult> {
  // Events that arrive while the gateway is being asked may speak of a later state: they wait for the next look.
  const payment = await lookAtPayment(context.db, key)
  const gateway = context.gateways.find((g) => g.code === payment.gateway)
  const gatewayPaymentId = payment.gateway_payment_id ?? (await findLostOrder(context, payment))
  if (!gateway || gatewayPaymentId === undefined) return 'unknown'
  let reported: GatewayPayment | undefined
  try {
    const { instance_id: instanceId, payee_account: payeeAccount } = payment
    reported = await gateway.readPayment({ instanceId, gatewayPaymentId, payeeAccount })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    context.log.warn(
      { paymentId: payment.id, gateway: payment.gateway, reason: error.message },
      'gateway not reached',
    )
    await markStaleRow(context.db, payment, payment.is_outcome_unknown)
    return 'unknown'
  }
  if (reported === undefined) return recordAbsence(context, payment, door)
  return applyReport(context, payment, { reported, gateway, gatewayPaymentId, door })
}

/** The gateway has no such payment. One that nobody was given a link to was never made. */
async function recordAbsence(
  context: Context,
  payment: PaymentRow,
  door: PaymentDoor,
): Promise<PaymentResult> {
  if (payment.arrived_on !== null) return 'arrived'
  if (isFinal(payment.status)) return payment.status
  const isMade = payment.external_link !== null
  const isYoung = context.clock.now() - Date.parse(payment.created_at) <= CREATING_MS
  if (isMade || isYoung) {
    await markStaleRow(context.db, payment, false)
    return 'unknown'
  }
  await failPayment(context, payment, { failure: 'never_made', door })
  return 'FAILED'
}

type Report = {
  readonly reported: GatewayPayment
  readonly gateway: Gateway
  readonly gatewayPaymentId: string
  readonly door: PaymentDoor
}

async function applyReport(
  context: Context,
  payment: SeenPayment,
  { reported, gateway, gatewayPaymentId, door }: Report,
): Promise<PaymentResult> {
  const result = await context.db.transaction(async (tx): Promise<PaymentResult> => {
    if (reported.status === 'COMPLETED' && IN_BANK_FILES.has(payment.gateway))
      holdBankLines(tx, payment.instance_id)
    const locked = await lockDebtOf(tx, payment)
    const current = await lockPaymentRow(tx, payment.instance_id, payment.id)
    const contradiction = await contradictionOf(tx, current, reported)
    endEventRows(tx, current, { readAt: payment.read_at, parkedReason: contradiction ?? null })
    if (contradiction === undefined && mayBeAsked(current)) await endContradictions(tx, current)
    const today = context.clock.today(payment.time_zone)
    const valueOn = valueDayOf([reported.executedOn ?? date(current.execution_date)], today)
    if (contradiction === undefined && isUnbooked(current) && reported.status === 'COMPLETED') {
      await askAboutExecution(tx, current, { locked, reported, today })
      await bookPaidAfterFailure(context, tx, {
        locked,
        payment: current,
        today,
        valueOn,
        gatewayPaymentId,
        door,
      })
      return 'arrived'
    }
    if (contradiction !== undefined || !canMovePayment(current.status, reported.status)) {
      return keepAsItIs(context, tx, current, { reported, gatewayPaymentId, contradiction })
    }
    if (reported.status === 'COMPLETED') await askAboutExecution(tx, current, { locked, reported, today })
    movePaymentRow(tx, current, {
      from: current.status,
      to: reported.status,
      door,
      gatewayPaymentId,
      ...(reported.status === 'FAILED' ? { failure: reported.reported } : {}),
    })
    // Nobody is asked before its day has been over for some time.
    if (isFinal(reported.status) && today > current.execution_date) await endUnsettledTask(tx, current)
    await askAboutCancelled(tx, { ...current, country: payment.country }, { reported, today })
    await applyToDebt(context, tx, {
      locked,
      payment: current,
      to: reported.status,
      today,
      valueOn,
    })
    return reported.status
  })
  // An order that we gave up while its answer was lost: nobody should be able to sign it any more.
  if (result === 'FAILED' && reported.status === 'IN_PROGRESS') {
    const { instance_id: instanceId, payee_account: payeeAccount } = payment
    await gateway.cancelPayment({ instanceId, gatewayPaymentId, payeeAccount }).catch(() => {})
  }
  return result
}

/** The day of execution that the gateway tells; what it does not tell, we ordered ourselves. */
async function askAboutExecution(
  tx: Transaction,
  payment: PaymentRow,
  told: { readonly locked: LockedDebt; readonly reported: GatewayPayment; readonly today: CalendarDate },
): Promise<void> {
  const { executedOn: toldOn } = told.reported
  if (toldOn === undefined) return
  await askAboutDay(tx, {
    instanceId: payment.instance_id,
    about: `payment:${payment.id}`,
    toldOn,
    bookedOn: told.today,
    ...partiesOf(told.locked),
  })
}

/** The gateway's word fits: nobody has to ask any more why it did not. */
async function endContradictions(
  tx: Transaction,
  { instance_id: instanceId, id }: PaymentRow,
): Promise<void> {
  await endTasksUnder(tx, { instanceId, kind: 'payment_contradiction', under: `payment:${id}:` })
}

/** A contradiction leaves its mark on a payment that is open or given up; what is booked bears none. */
const mayBeAsked = (payment: PaymentRow): boolean =>
  payment.is_outcome_unknown || payment.is_stale || standingOf(payment) === 'booked'

/** Given up, and no money of it has been booked. */
const isUnbooked = ({ status, arrived_on }: PaymentRow): boolean => status === 'FAILED' && arrived_on === null

/** The news does not move the payment: the domain's table says what of it is kept (kept-payment.ts). */
async function keepAsItIs(
  context: Context,
  tx: Transaction,
  current: PaymentRow,
  { reported, gatewayPaymentId, contradiction }: Unmoving,
): Promise<PaymentResult> {
  const isAsked =
    contradiction !== undefined && (await askOperator(context, tx, current, { contradiction, reported }))
  const standing = standingOf(current)
  const kept = keepPayment(standing, newsOf(reported, contradiction), isAsked)
  markCheckedRow(tx, current, { ...kept, gatewayPaymentId: kept.isNamed ? gatewayPaymentId : null })
  if (current.arrived_on !== null) return 'arrived'
  return kept.isOutcomeUnknown && standing === 'given-up' ? 'unknown' : current.status
}

function standingOf(payment: PaymentRow): Standing {
  if (isUnbooked(payment)) return 'given-up'
  return isFinal(payment.status) ? 'booked' : 'open'
}

function newsOf(reported: GatewayPayment, contradiction: string | undefined): News {
  if (reported.isOutcomeUnknown) return 'unknown'
  if (contradiction === OTHER_ORDER) return isMoney(reported) ? 'another-order' : 'another-order-idle'
  if (contradiction === TAKEN_BACK) return 'taken-back'
  if (!isMoney(reported)) return 'no-money'
  return contradiction === undefined ? 'as-ordered' : 'otherwise'
}

type Unmoving = Pick<Report, 'reported' | 'gatewayPaymentId'> & {
  readonly contradiction: string | undefined
}

/** A gateway call takes at most 10 s: a payment that is CREATED for longer belongs to a process that died. */
const CREATING_MS = 12_000

/** CREATED for longer than a gateway call can take: the process that made it is gone, and nobody has a link. */
export function isAbandoned(context: Pick<Context, 'clock'>, payment: PaymentRow): boolean {
  return payment.status === 'CREATED' && context.clock.now() - Date.parse(payment.created_at) > CREATING_MS
}

/**
 * The gateway's id of an order whose answer never reached us: chosen by us, or as its own notification names it.
 * Not while the answer may still come: the request that waits for it hands out the link.
 */
async function findLostOrder(context: Context, payment: PaymentRow): Promise<string | undefined> {
  if (payment.status !== 'FAILED' && !isAbandoned(context, payment)) return undefined
  const gateway = context.gateways.find((g) => g.code === payment.gateway)
  return gateway?.idOf?.(payment.id) ?? readNamedOrder(context.db, payment)
}

/** The payer has signed, or the money has moved. */
const isMoney = ({ status }: GatewayPayment): boolean => status === 'AUTHORIZED' || status === 'COMPLETED'

const OTHER_ORDER = 'the order of another payment'
const TAKEN_BACK = 'failed after it was settled'

/** Why the gateway's word cannot be applied, if it cannot. Money must be what was ordered, and terminal is terminal. */
async function contradictionOf(
  tx: Transaction,
  payment: PaymentRow,
  reported: GatewayPayment,
): Promise<string | undefined> {
  const matters = isMoney(reported)
  // A name that only a notification told has to lead to our payment: whoever knows the address could have sent it.
  const isNamedByUs = payment.gateway_payment_id !== null
  if (reported.paymentId !== payment.id && (reported.paymentId !== undefined || (matters && !isNamedByUs)))
    return OTHER_ORDER
  if (matters && reported.amountMinor !== payment.amount_minor) return 'another amount'
  if (matters && reported.currency !== payment.currency) return 'another currency'
  if (matters && !(await isPayee(tx, payment, reported))) return 'another payee'
  const isBooked = payment.status === 'COMPLETED' || payment.arrived_on !== null
  if (isBooked && reported.status === 'FAILED') return TAKEN_BACK
  return undefined
}

/** A bank may say an account by another of its numbers. */
async function isPayee(
  tx: Transaction,
  payment: PaymentRow,
  { payeeAccount: reported }: GatewayPayment,
): Promise<boolean> {
  const written = { scheme: payment.payee_scheme, account: payment.payee_account }
  return reported === undefined || isSameAccount(tx, payment.instance_id, { written, reported })
}

/** Asks a person, once. Answers whether somebody still is to look at it. */
async function askOperator(
  context: Context,
  tx: Transaction,
  payment: PaymentRow,
  { contradiction, reported }: { contradiction: string; reported: GatewayPayment },
): Promise<boolean> {
  const about = `payment:${payment.id}:${contradiction}`
  const asked = { instanceId: payment.instance_id, kind: 'payment_contradiction' as const, about }
  const isNew = await openTask(tx, {
    ...asked,
    details: {
      contradiction,
      reported,
      expected: { amountMinor: payment.amount_minor, currency: payment.currency },
    },
  })
  if (!isNew) return isTaskOpen(tx, asked)
  context.log.error(
    { paymentId: payment.id, contradiction, reported: reported.reported },
    'payment needs a person',
  )
  return true
}

/** Ends a payment that its gateway has cancelled, refused or never heard of, and makes `task`. No money is involved. */
export async function failPayment(
  context: Context,
  payment: PaymentRow,
  { failure, door, task }: { failure: string; door: PaymentDoor; task?: NewTask },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const locked = await lockDebtOf(tx, payment)
    const current = await lockPaymentRow(tx, payment.instance_id, payment.id)
    if (isFinal(current.status)) return
    movePaymentRow(tx, current, { from: current.status, to: 'FAILED', door, failure })
    await endUnsettledTask(tx, current)
    if (task) await openTask(tx, task)
    await releaseDebt(tx, locked, current)
  })
}
