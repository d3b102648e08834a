/** What is owed back goes by the bank, or the creditor has sent it: a person records it, once. */
import { creditOf, type Holder } from '@kvitt/domain/ledger/booking.ts'
import { CREDITOR_ACCOUNT } from '@kvitt/domain/ledger/holder.ts'
import { money, negate } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import {
  BANK_RETURN,
  expectMoneyOut,
  expectOrdered,
  lockBankFiles,
  orderByHand,
  sayItLeft,
} from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { postBookings } from '../ledger/ledger.ts'
import { lockDebtOf } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { endTask } from '../tasks/tasks.ts'
import { countEarlier, readOrderOut } from './files/refund-files.queries.ts'
import { requireHere, requireNotPaid, RefundRefused } from './order-refund.ts'
import { findOwedRow, findRecorded, type OwedRow } from './record-refund.queries.ts'

export type RecordWish = {
  readonly instanceId: string
  /** Who records it, for the audit log. */
  readonly by: string
  /** As the task says what it is about; or `bank-line:{id}` of money that was sent back. */
  readonly about: string
  /** Who sends it. */
  readonly holder: Holder
  /** It has left the bank, and no statement tells. */
  readonly hasLeft: boolean
  /** The row of a file that it leaves with, from that account; left out when a person orders it at the bank. */
  readonly order?: { readonly id: string; readonly accountId: string }
}

type RecordContext = Pick<Context, 'db' | 'clock'>

const causeOf = ({ about, holder }: RecordWish): string =>
  holder === 'CREDITOR' ? `refunded:creditor:${about}` : `refunded:${about}`

/**
 * Books all that is left of a debtor's credit as on its way through the bank, where the statement's own line settles it, or as
 * sent by the creditor. Nobody is to send it any more, also not by a gateway. The same again changes nothing. Throws RefundRefused.
 */
export async function recordRefund(context: RecordContext, wish: RecordWish): Promise<void> {
  const found = await findOwedRow(context.db, wish)
  if (found) await context.db.transaction((tx) => recordRefundIn(tx, context, wish, found))
  else if (!(await findRecorded(context.db, namesOf(wish))))
    throw new RefundRefused(`Nothing is owed back for ${wish.about}, or it has gone another way.`)
  if (wish.holder === 'INSTANCE' && (wish.hasLeft || isSentBack(wish))) await leave(context, wish)
}

/** It was nobody's: `about` is the line of the bank that it came with. */
const isSentBack = ({ about }: Pick<RecordWish, 'about'>): boolean => about.startsWith('bank-line:')

const namesOf = (wish: RecordWish) => ({
  instanceId: wish.instanceId,
  cause: causeOf(wish),
  about: wish.about,
})

/** The same in a transaction of the caller's. Answers the cause of its entry; undefined where nothing is owed any more. */
export async function recordRefundIn(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  wish: RecordWish,
  found: OwedRow,
): Promise<string | undefined> {
  const { instance_id: instanceId } = found
  const today = clock.today(found.time_zone)
  await lockBankFiles(tx, instanceId)
  const { invoice_id, claim_id } = found
  await lockDebtOf(tx, { id: wish.about, instance_id: instanceId, invoice_id, claim_id })
  // Asked again under the lock: it may have been recorded, or taken back.
  const owed = await findOwedRow(tx, wish)
  if (!owed) return undefined
  if (owed.is_under_way || owed.amount_minor <= 0)
    throw new RefundRefused(`It is on its way back already. See npm run refund-payment.`)
  if (wish.holder === 'INSTANCE') await requireHere(tx, instanceId, wish.about)
  if (wish.holder === 'INSTANCE' && !wish.order)
    await requireNotPaid(tx, instanceId, `refund:${wish.about}`, true)
  const amount = money(owed.amount_minor, owed.currency)
  const parties = { creditorId: owed.creditor_id, debtorId: owed.debtor_id }
  const gateway = wish.holder === 'CREDITOR' ? CREDITOR_ACCOUNT : BANK_RETURN
  const about = `refund:${wish.about}`
  const times = wish.holder === 'CREDITOR' ? 0 : await countEarlier(tx, instanceId, about)
  // What a bank has refused or sent back is booked once more.
  const cause = times === 0 ? causeOf(wish) : `${causeOf(wish)}:again:${times}`
  const booking = {
    id: newId(clock.now()),
    kind: 'REFUND',
    bookedOn: today,
    cause,
    invoiceId: invoice_id,
    claimId: claim_id,
    paymentId: null,
    lines: [
      { account: creditOf(parties, wish.holder), amount },
      { account: { kind: 'clearing', gateway } as const, amount: negate(amount) },
    ],
  }
  await postBookings(tx, instanceId, [booking], clock)
  const kind = wish.holder === 'CREDITOR' ? 'creditor_refund' : 'refund'
  await endTask(tx, { instanceId, kind, about: wish.about })
  if (wish.holder === 'INSTANCE') {
    const work = { tx, clock, instanceId, today }
    const out = { about, amountMinor: owed.amount_minor, currency: owed.currency }
    const { order } = wish
    await (order
      ? expectOrdered(work, { ...out, accountId: order.accountId, orderId: order.id })
      : expectMoneyOut(work, { ...out, accountId: null, isByHand: true }))
  }
  const { amount_minor: amountMinor, currency } = owed
  const deed = { instanceId, kind: 'refund_recorded', by: wish.by, about: cause } as const
  await noteDeed(tx, {
    ...deed,
    before: { owedBackMinor: amountMinor },
    after: { gateway, amountMinor, currency },
  })
  return cause
}

async function leave({ db, clock }: RecordContext, wish: RecordWish): Promise<void> {
  const at = await findRecorded(db, namesOf(wish))
  if (!at) return
  const act = wish.hasLeft ? confirmRefundIn : orderByHandIn
  await db.transaction((tx) => act(tx, { clock }, wish, at.time_zone))
}

/** A person has ordered at the bank what was sent back from suspense: it is in no file. Answers whether that is news. Throws RefundRefused where it is in one. */
export async function orderByHandIn(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  wish: Pick<RecordWish, 'instanceId' | 'about' | 'by'>,
  timeZone: string,
): Promise<boolean> {
  const { instanceId, about, by } = wish
  await lockBankFiles(tx, instanceId)
  if (await readOrderOut(tx, instanceId, about))
    throw new RefundRefused('It is in a file to the bank already.', 'refund_under_way')
  await requireHere(tx, instanceId, about)
  await requireNotPaid(tx, instanceId, about, true)
  const isNew = await orderByHand({ tx, clock, instanceId, today: clock.today(timeZone) }, about)
  if (isNew) await noteDeed(tx, { instanceId, kind: 'refund_recorded', by, about: `by-hand:${about}` })
  return isNew
}

/**
 * A transfer has left the bank, and no statement tells. Answers whether that is news. Throws RefundRefused for a row of a file that the bank
 * has not answered, as it may refuse it, and where a debit that may be it is in the books already.
 */
export async function confirmRefundIn(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  wish: Pick<RecordWish, 'instanceId' | 'about' | 'by'>,
  timeZone: string,
): Promise<boolean> {
  const { instanceId } = wish
  await lockBankFiles(tx, instanceId)
  const work = { tx, clock, instanceId, today: clock.today(timeZone) }
  const about = isSentBack(wish) ? wish.about : `refund:${wish.about}`
  const order = await readOrderOut(tx, instanceId, about)
  if (order?.status === 'SENT')
    throw new RefundRefused('Its file has no answer of the bank yet: take that in first.', 'refund_under_way')
  if (order?.isTold)
    throw new RefundRefused(
      'A debit of its sum, or of its file’s, lies in suspense and may be it.',
      'debit_in_suspense',
    )
  const isNew = await sayItLeft(work, about)
  if (isNew) await noteDeed(tx, { instanceId, kind: 'refund_recorded', by: wish.by, about: `left:${about}` })
  return isNew
}
