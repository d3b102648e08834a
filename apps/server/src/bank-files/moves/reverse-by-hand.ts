/** A person takes a payment back that its gateway had told of, and whose money did not come (M-25). */
import { noteDeed } from '../../audit/audit.ts'
import { DecisionRefused, readSharesOf } from '../../collection/collection.ts'
import { readPostedLines } from '../../ledger/ledger.ts'
import { lockDebtOf, lockPaymentRow, type LockedDebt } from '../../payments/payments.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { readPaidOn } from '../office/payment-acts.queries.ts'
import { countMoved } from './count-moved.ts'
import { findGatewayMoney, isToldByBank, setReversed, type GatewayMoney } from './move-payment.queries.ts'
import type { PlaceContext } from '../tell-holder.ts'
import { takeBackAndTell } from './tell-undone.ts'

type Reversal = {
  readonly instanceId: string
  readonly paymentId: string
  readonly by: string
  readonly reason: string
  /** The caller counts it for the limit of the day. */
  readonly isCounted?: boolean
}

/** How much was taken back, in minor units. `isNew` is false when it had been taken back before. */
export type Reversed = Pick<GatewayMoney, 'amount_minor' | 'currency'> & { readonly isNew: boolean }

/**
 * What it had paid is owed again, the days on which it looked paid cost nothing, and the debtor is told. Money that comes after
 * all is placed like any other. Once. Throws DecisionRefused, also where the bank has told of the money: then it is moved, or sent back.
 */
export function reverseByHand(
  context: PlaceContext,
  { instanceId, paymentId, by, reason, isCounted }: Reversal,
): Promise<Reversed> {
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instanceId)
    const money = await findGatewayMoney(tx, instanceId, paymentId)
    if (!money) throw new DecisionRefused(`The provider has no payment ${paymentId} that has been paid.`)
    const { amount_minor, currency } = money
    const share = (await readSharesOf(tx, instanceId, paymentId)).at(-1)
    if (!share) throw new DecisionRefused('The payment has not been booked.')
    const debt = { invoice_id: share.claim_id === null ? share.invoice_id : null, claim_id: share.claim_id }
    const locked = await lockDebtOf(tx, { ...money, ...debt })
    await lockPaymentRow(tx, instanceId, paymentId)
    const isBack = (await readPostedLines(tx, instanceId, [`reversal:${share.cause}`])).length > 0
    if (isBack) return { amount_minor, currency, isNew: false }
    if (await isToldByBank(tx, instanceId, paymentId))
      throw new DecisionRefused(
        'The bank has told of its money: move it (npm run move-payment), or send it back (npm run refund-payment).',
        'money_on_statement',
      )
    const today = context.clock.today(money.time_zone)
    const was = await readPaidOn(tx, instanceId, paymentId)
    await takeBackAndTell(context, tx, { instanceId, paymentId, currency, why: 'payment_reversed' }, today)
    await setReversed(tx, { instanceId, paymentId, on: today })
    const of = { type: 'payment', id: paymentId } as const
    const counted = {
      instanceId,
      kind: 'REVERSAL',
      of,
      currency,
      amountMinor: amount_minor,
      on: today,
    } as const
    if (!isCounted) await countMoved(tx, counted, was)
    const about = `payment:${paymentId}`
    const before = standing(locked)
    const after = standing(await lockDebtOf(tx, { ...money, ...debt }))
    await noteDeed(tx, { instanceId, kind: 'payment_reversed', by, about, reason, before, after })
    return { amount_minor, currency, isNew: true }
  })
}

function standing({ invoice, claim }: LockedDebt): object {
  const { id, status, balance_minor: balanceMinor } = claim ?? invoice
  return { ...(claim ? { claimId: id } : { invoiceId: id }), status, balanceMinor }
}
