/** Money that a creditor was paid itself: it settles the debt, counts from its day, and is never held by us. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { CREDITOR_ACCOUNT } from '@kvitt/domain/ledger/holder.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { lockClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { applyReceived, partiesOf, type LockedDebt } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import type { ClaimAct } from './claim-acts.ts'
import { dayWithin, decide, onOwnInvoice, type Act } from './decide.ts'
import { insertDirectPayment, readSignedOn } from './direct-payment.queries.ts'

export type DirectPayment = {
  readonly amount: string | number
  readonly date: string
  readonly note?: string | null | undefined
}

export function enterDirectPayment(act: Act, body: DirectPayment): Promise<Acted> {
  const by = actorOf(act.principal)
  return onOwnInvoice(act, (tx, invoice, today) =>
    enterOnLocked(act.context, tx, { invoice }, { ...body, by, today }),
  )
}

export function enterOnClaim(act: ClaimAct, body: DirectPayment): Promise<Acted> {
  const { context, principal, row } = act
  return decide(act, async (tx, today) => {
    const claim = await lockClaim(tx, { instanceId: principal.instance.id, claimId: row.id })
    await enterOnLocked(context, tx, { claim }, { ...body, by: actorOf(principal), today })
    return row.id
  })
}

/** Whether money can be entered on it at all. */
function refuseUnpayable({ invoice, claim }: LockedDebt): void {
  if (invoice?.status === 'PENDING_AUTHORIZATION') throw new Refusal('payment_signed')
  const isPayable = claim ? isOpenClaim(claim.status) : isOpen(invoice.status)
  if (!isPayable) throw new Refusal('act_not_open')
  if ((claim ?? invoice).is_part_payment) throw new Refusal('owed_in_plan')
  if ((claim ?? invoice).balance_minor <= 0) throw new Refusal('nothing_left')
}

/**
 * Under the lock of the debt. Refuses what is more than is owed, a day that is to come, and what a signed payment or a plan is about
 * to pay.
 */
export async function enterOnLocked(
  context: Context,
  tx: Transaction,
  locked: LockedDebt,
  { by, today, ...body }: DirectPayment & { readonly by: string; readonly today: CalendarDate },
): Promise<void> {
  refuseUnpayable(locked)
  const {
    instance_id: instanceId,
    id: ofDebt,
    currency,
    balance_minor: balance,
  } = locked.claim ?? locked.invoice
  const debt = locked.claim ? { claimId: ofDebt } : { invoiceId: ofDebt }
  const first = partiesOf(locked).issuedOn ?? today
  const valueOn = dayWithin(body.date, { first, last: today, field: 'date' })
  const amount = parseAmount(String(body.amount), currency)
  if (!amount) throw new Refusal('amount_malformed', {}, ['amount'])
  if (amount.minor <= 0 || amount.minor > balance)
    throw new Refusal('amount_too_large', { amount: amountText(balance), currency }, ['amount'])
  const signedMinor = await readSignedOn(tx, instanceId, debt)
  if (signedMinor > balance - amount.minor) throw new Refusal('payment_signed')
  const id = newId(context.clock.now())
  await insertDirectPayment(tx, {
    instanceId,
    id,
    debt,
    amountMinor: amount.minor,
    currency,
    paidOn: valueOn,
    note: body.note?.trim() || null,
    by,
  })
  const paid = {
    id,
    instance_id: instanceId,
    amount_minor: amount.minor,
    currency,
    gateway: CREDITOR_ACCOUNT,
  }
  await applyReceived(context, tx, {
    locked,
    payment: { ...paid, isFromFile: true, holder: 'CREDITOR' },
    today,
    valueOn,
  })
  await noteDeed(tx, {
    instanceId,
    kind: 'direct_payment_entered',
    by,
    about: `${locked.claim ? 'claim' : 'invoice'}:${ofDebt}`,
    after: { paymentId: id, amountMinor: amount.minor, paidOn: valueOn },
  })
}
