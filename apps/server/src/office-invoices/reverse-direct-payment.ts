/** What a creditor's staff had entered as paid to it, and was not. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { noteDeed } from '../audit/audit.ts'
import { lockBankFiles, takeBackAndTell } from '../bank-files/bank-files.ts'
import { getOfficePayment, lockDebtOf, type LockedDebt, type OfficePayment } from '../payments/payments.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import { decide, type Deciding } from './decide.ts'
import { findDirectPayment } from './direct-payment.queries.ts'

export type PaymentAct = Deciding & { readonly row: OfficePayment }

/** As the wire has the payment afterwards. */
export const READS_PAYMENT = { read: getOfficePayment } as const

/**
 * Takes it back, once: what it had paid is owed again, on the claim that its invoice has joined since as well; the days on which it looked
 * paid cost nothing, what it had taken the ground from is not charged again, and the debtor is told. Refuses what came another way,
 * what was taken back before, and what a plan pays by now.
 */
export function reverseDirectPayment(act: PaymentAct, reason: string): Promise<Acted> {
  const { context, principal, row } = act
  const { id: instanceId } = principal.instance
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  return decide(act, async (tx, today) => {
    // As whoever sends back what is owed back: that may be what this had brought too much.
    await lockBankFiles(tx, instanceId)
    const entered = await findDirectPayment(tx, instanceId, row.id)
    if (!entered) throw new Refusal('act_not_open')
    const { id: paymentId, amount_minor: amountMinor, currency, invoice_id, claim_id } = entered
    const of = { id: paymentId, instance_id: instanceId, invoice_id, claim_id }
    const locked = await lockDebtOf(tx, of)
    if ((locked.claim ?? locked.invoice).is_part_payment) throw new Refusal('owed_in_plan')
    const undone = { instanceId, paymentId, currency, why: 'direct_payment_reversed' } as const
    if (!(await takeBackAndTell(context, tx, undone, today))) throw new Refusal('act_not_open')
    await noteDeed(tx, {
      instanceId,
      kind: 'direct_payment_reversed',
      by: actorOf(principal),
      about: claim_id === null ? `invoice:${invoice_id}` : `claim:${claim_id}`,
      reason: reason.trim(),
      before: { paymentId, amountMinor, ...standing(locked) },
      after: standing(await lockDebtOf(tx, of)),
    })
    return row.id
  })
}

function standing({ invoice, claim }: LockedDebt): object {
  const { status, balance_minor: balanceMinor } = claim ?? invoice
  return { status, balanceMinor }
}
