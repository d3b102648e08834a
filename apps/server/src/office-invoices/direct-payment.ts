/** Money that a creditor was paid itself: it settles the debt, counts from its day, and is never held by us. */
import { date } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { CREDITOR_ACCOUNT } from '@kvitt/domain/ledger/holder.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { applyReceived } from '../payments/payments.ts'
import { newId } from '../platform/identity.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import { dayWithin, onOwnInvoice, type Act } from './decide.ts'
import { insertDirectPayment, readSignedOn } from './direct-payment.queries.ts'

const PAYABLE: readonly string[] = ['ACTIVATED', 'PAUSED', 'DISPUTED']

export type DirectPayment = {
  readonly amount: string | number
  readonly date: string
  readonly note?: string | null | undefined
}

/** Refuses what is more than is owed, a day that is to come, and what a signed payment or a plan is about to pay. */
export function enterDirectPayment(act: Act, body: DirectPayment): Promise<Acted> {
  const { context, principal, row } = act
  return onOwnInvoice(act, async (tx, invoice, today) => {
    if (invoice.status === 'PENDING_AUTHORIZATION') throw new Refusal('payment_signed')
    if (!PAYABLE.includes(invoice.status)) throw new Refusal('act_not_open')
    if (invoice.is_part_payment) throw new Refusal('owed_in_plan')
    if (invoice.balance_minor <= 0) throw new Refusal('nothing_left')
    const first = date(invoice.issue_date)
    const valueOn = dayWithin(body.date, { first, last: today, field: 'date' })
    const amount = parseAmount(String(body.amount), invoice.currency)
    if (!amount) throw new Refusal('amount_malformed', {}, ['amount'])
    if (amount.minor <= 0 || amount.minor > invoice.balance_minor) {
      const most = { amount: amountText(invoice.balance_minor), currency: invoice.currency }
      throw new Refusal('amount_too_large', most, ['amount'])
    }
    const signedMinor = await readSignedOn(tx, row.instance_id, { invoiceId: row.id })
    if (signedMinor > invoice.balance_minor - amount.minor) throw new Refusal('payment_signed')
    const id = newId(context.clock.now())
    const { instance_id: instanceId } = row
    await insertDirectPayment(tx, {
      instanceId,
      id,
      invoiceId: row.id,
      amountMinor: amount.minor,
      currency: invoice.currency,
      paidOn: valueOn,
      note: body.note?.trim() || null,
      by: actorOf(principal),
    })
    await applyReceived(context, tx, {
      locked: { invoice },
      payment: {
        id,
        instance_id: instanceId,
        amount_minor: amount.minor,
        currency: invoice.currency,
        gateway: CREDITOR_ACCOUNT,
        isFromFile: true,
        holder: 'CREDITOR',
      },
      today,
      valueOn,
    })
    await noteDeed(tx, {
      instanceId,
      kind: 'direct_payment_entered',
      by: actorOf(principal),
      about: `invoice:${row.id}`,
      after: { paymentId: id, amountMinor: amount.minor, paidOn: valueOn },
    })
  })
}
