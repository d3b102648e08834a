/** What may go back to a payer, and how much: decided and written down before the gateway hears of it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookReversal } from '@kvitt/domain/ledger/correction.ts'
import { bookRefund } from '@kvitt/domain/ledger/booking.ts'
import { amountText, money, parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { maybePaid, lockBankFiles, takeBackAndTell } from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { postBookings } from '../ledger/ledger.ts'
import {
  lockDebtOf,
  lockPaymentRow,
  lookAtPayment,
  type LockedDebt,
  type SeenPayment,
} from '../payments/payments.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId, newSecret } from '../platform/identity.ts'
import { isTakenBack } from './files/refund-files.queries.ts'
import {
  findInstanceOfPayment,
  insertRefundRow,
  readOwedBack,
  readRefundRows,
  type RefundRow,
} from './refunds.queries.ts'

/** Why nothing goes back, for a person to read. Nothing has changed. */
export class RefundRefused extends Error {
  override name = 'RefundRefused'
  readonly code: 'refund_not_owed' | 'refund_under_way' | 'refund_taken_back' | 'debit_in_suspense'
  constructor(message: string, code: RefundRefused['code'] = 'refund_not_owed') {
    super(message)
    this.code = code
  }
}

export type RefundWish = {
  readonly instanceId: string
  /** Who orders it, for the audit log. */
  readonly by: string
  readonly paymentId: string
  /** Decimal text; without it, all that is owed back. */
  readonly amount: string | undefined
  /** The payment itself is taken back first: what it paid is owed again. */
  readonly isWhole: boolean
  /** The same amount once more, although it has been sent before. */
  readonly isAgain: boolean
  /** The task that says what is owed back, where it is one of several; without it, the payment's own first. */
  readonly about?: string | undefined
}

type OrderContext = Pick<Context, 'db' | 'clock' | 'config' | 'gateways'>

/**
 * Writes a refund down. The same wish again answers the same refund: one that is under way, or that has been sent.
 * Throws RefundRefused, or DecisionRefused when the whole payment cannot be taken back.
 */
export function orderRefund(context: OrderContext, wish: RefundWish): Promise<RefundRow> {
  return context.db.transaction((tx) => orderRefundIn(tx, context, wish))
}

/** The same in a transaction of the caller's. */
export async function orderRefundIn(
  tx: Transaction,
  context: OrderContext,
  wish: RefundWish,
): Promise<RefundRow> {
  // Before all else, as whoever records a transfer does: of the two, the second finds nothing left.
  await lockBankFiles(tx, wish.instanceId)
  const payment = await findPayment(tx, context, wish)
  const today = context.clock.today(payment.time_zone)
  const locked = await lockDebtOf(tx, payment)
  await lockPaymentRow(tx, payment.instance_id, payment.id)
  const earlier = await readRefundRows(tx, payment)
  const asked = wish.amount === undefined ? undefined : minorOf(wish.amount, payment)
  const same = findSame(earlier, payment, { ...wish, asked })
  if (same) return same
  await requireHere(tx, payment.instance_id, `payment:${payment.id}`)
  if (wish.isWhole) await oweWhole(context, tx, { payment, locked, today })
  const joined = (locked.claim ?? locked.invoice).id
  const debts = [payment.invoice_id, payment.claim_id, joined].filter((id) => id !== null)
  const all = await readOwedBack(tx, payment, debts)
  const wanted = wish.isWhole ? wholeOf(payment) : wish.about
  const owed = wanted === undefined ? all[0] : all.find(({ about }) => about === wanted)
  const [last] = earlier
  if (!owed && last && asked === undefined && !wish.isAgain) return last
  if (owed) await requireHere(tx, payment.instance_id, owed.about)
  if (owed) await requireNotPaid(tx, payment.instance_id, `refund:${owed.about}`)
  const refund = await insertRefundRow(tx, {
    instance_id: payment.instance_id,
    id: newId(context.clock.now()),
    payment_id: payment.id,
    about: owed?.about ?? '',
    amount_minor: chooseAmount(payment, earlier, { asked, owedMinor: owed?.left_minor ?? 0 }),
    currency: payment.currency,
    callback_secret: newSecret(),
  })
  const { about, amount_minor: amountMinor, currency } = refund
  await noteDeed(tx, {
    instanceId: payment.instance_id,
    kind: 'refund_ordered',
    by: wish.by,
    about: `refund:${refund.id}`,
    before: { owedBackMinor: owed?.left_minor ?? 0 },
    after: { payment: payment.id, of: about, amountMinor, currency, isWhole: wish.isWhole },
  })
  return refund
}

/** Throws RefundRefused where the payer's bank has taken the money back, or wants to. Ask under lockBankFiles. */
export async function requireHere(tx: Transaction, instanceId: string, about: string): Promise<void> {
  if (await isTakenBack(tx, instanceId, about))
    throw new RefundRefused(
      `The payer's bank has taken back the money of ${about}, or wants to: see what lies in suspense.`,
      'refund_taken_back',
    )
}

/** Throws RefundRefused where a debit that nobody has explained may have paid it already. Ask under lockBankFiles. */
export async function requireNotPaid(
  tx: Transaction,
  instanceId: string,
  key: string,
  isByHand = false,
): Promise<void> {
  if ((await maybePaid(tx, instanceId, { keys: [key], isByHand })).size > 0)
    throw new RefundRefused(
      'A debit that may be it lies in suspense: say there which file it is of, or what else it is.',
      'debit_in_suspense',
    )
}

async function findPayment(
  db: Connection,
  { gateways }: OrderContext,
  { instanceId, paymentId }: RefundWish,
): Promise<SeenPayment> {
  if ((await findInstanceOfPayment(db, paymentId)) !== instanceId)
    throw new RefundRefused(`The provider has no payment ${paymentId}.`)
  const payment = await lookAtPayment(db, { instance_id: instanceId, id: paymentId })
  const { gateway, status, arrived_on: arrivedOn } = payment
  if (status !== 'COMPLETED' && arrivedOn === null)
    throw new RefundRefused(`Payment ${paymentId} has not been paid: it is ${status}.`)
  if (!gateways.some(({ code, refunds }) => code === gateway && refunds)) {
    throw new RefundRefused(
      `Payment ${paymentId} came by ${gateway}, which cannot send money back from here.`,
    )
  }
  return payment
}

function minorOf(text: string, { currency }: SeenPayment): number {
  const amount = parseAmount(text, currency)
  if (!amount || amount.minor <= 0) throw new RefundRefused(`${text} is not an amount such as 100.00.`)
  return amount.minor
}

const wholeOf = ({ id }: Pick<SeenPayment, 'id'>): string => `reversal:payment:${id}`

/** The refund that a repeated wish means. Throws RefundRefused when another one is under way. */
function findSame(
  earlier: readonly RefundRow[],
  payment: SeenPayment,
  { asked, isWhole, isAgain, about }: RefundWish & { readonly asked: number | undefined },
): RefundRow | undefined {
  const isMeant = (refund: RefundRow): boolean =>
    isWhole
      ? refund.about === wholeOf(payment)
      : (about === undefined || refund.about === about) &&
        (asked === undefined || refund.amount_minor === asked)
  const underWay = earlier.find(({ status }) => status !== 'PAID')
  if (underWay && !isMeant(underWay)) {
    throw new RefundRefused(
      `${textOf(underWay.amount_minor, payment)} of this payment is on its way back. Ask again when that has ended.`,
    )
  }
  if (underWay || isAgain) return underWay
  return isWhole || asked !== undefined ? earlier.find(isMeant) : undefined
}

function chooseAmount(
  payment: SeenPayment,
  earlier: readonly RefundRow[],
  { asked, owedMinor }: { readonly asked: number | undefined; readonly owedMinor: number },
): number {
  const paid = textOf(payment.amount_minor, payment)
  const roomMinor = earlier.reduce((room, one) => room - one.amount_minor, payment.amount_minor)
  if (asked !== undefined && asked > payment.amount_minor)
    throw new RefundRefused(`Only ${paid} was paid with this payment.`)
  if (roomMinor === 0 || (asked ?? 0) > roomMinor)
    throw new RefundRefused(
      `Of the ${paid} that were paid, ${textOf(roomMinor, payment)} has not been sent back.`,
    )
  if (owedMinor === 0)
    throw new RefundRefused(
      'Nothing is owed back of what this payment paid. With --whole it is taken back, and what it paid is owed again.',
    )
  if ((asked ?? 0) > owedMinor)
    throw new RefundRefused(`Only ${textOf(owedMinor, payment)} is owed back of what was paid.`)
  return asked ?? Math.min(owedMinor, roomMinor)
}

const textOf = (minor: number, { currency }: Pick<SeenPayment, 'currency'>): string =>
  `${amountText(minor)} ${currency}`

/** M-25: the payment is taken back, and its money, which is here, is owed to the debtor, who hears of both. */
async function oweWhole(
  context: OrderContext,
  tx: Transaction,
  {
    payment,
    locked,
    today,
  }: { readonly payment: SeenPayment; readonly locked: LockedDebt; readonly today: CalendarDate },
): Promise<void> {
  const { instance_id: instanceId, id: paymentId, gateway, currency } = payment
  const undone = { instanceId, paymentId, currency, why: 'payment_sent_back' } as const
  if (!(await takeBackAndTell(context, tx, undone, today))) return
  const { id, debtor_id: debtorId } = locked.claim ?? locked.invoice
  const amount = money(payment.amount_minor, currency)
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REFUND',
    bookedOn: today,
    cause: `refund:${wholeOf(payment)}`,
    invoiceId: locked.claim ? null : id,
    claimId: locked.claim ? id : null,
    paymentId,
    lines: bookReversal(bookRefund(debtorId, { gateway, amount })),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
}
