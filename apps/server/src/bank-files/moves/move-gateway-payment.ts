/** Money that a gateway brought and that was booked on the wrong debt is taken back, and pays the right one. */
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { MOST_SHARES, shareCause } from '@kvitt/domain/payments/shares.ts'
import { noteDeed } from '../../audit/audit.ts'
import { findNamedDebts, type NamedDebt } from '../../claims/claims.ts'
import { DecisionRefused, readSharesOf } from '../../collection/collection.ts'
import { readPostedLines } from '../../ledger/ledger.ts'
import {
  applyReceived,
  lockDebtOf,
  lockPaymentRow,
  partiesOf,
  type LockedDebt,
} from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { readPaidOn } from '../office/payment-acts.queries.ts'
import { countMoved } from './count-moved.ts'
import { findGatewayMoney, type GatewayMoney } from './move-payment.queries.ts'
import { debtOf } from '../place-line.ts'
import type { PlaceContext } from '../tell-holder.ts'
import { PlacementRefused } from '../placement-refused.ts'
import { settledOn, type Named, type Settled } from '../place-suspense.ts'
import { moveToCreditor } from '../tell-holder.ts'
import { takeBackAndTell } from './tell-undone.ts'

export type GatewayMove = {
  readonly instanceId: string
  readonly paymentId: string
  readonly to: Named
  readonly by: string
  readonly reason: string
  /** The caller counts it for the limit of the day. */
  readonly isCounted?: boolean
}

/** What was moved: how much, and where it is. */
export type MovedMoney = Pick<GatewayMoney, 'amount_minor' | 'currency'> & Pick<Settled, 'on'>

/**
 * Moves it, in one transaction: what it had paid is owed again, and it pays the other debt of the same creditor. The same move
 * again changes nothing. Throws PlacementRefused, or DecisionRefused where what it paid cannot be taken back.
 */
export function moveGatewayPayment(context: PlaceContext, move: GatewayMove): Promise<MovedMoney> {
  const { instanceId, paymentId } = move
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instanceId)
    const money = await findGatewayMoney(tx, instanceId, paymentId)
    if (!money)
      throw new PlacementRefused(
        'no_such_line',
        `The provider has no payment ${paymentId} that has been paid.`,
      )
    const named = await nameOne(tx, instanceId, move.to)
    const from = await lockDebtOf(tx, { ...money, ...onlyDebt(await lastShare(tx, instanceId, paymentId)) })
    const locked = await lockDebtOf(tx, { ...money, ...onlyDebt({ kind: move.to.kind, id: named.id }) })
    await lockPaymentRow(tx, instanceId, paymentId)
    const isThere = idOf(from) === idOf(locked)
    if (!isThere) await carry({ context, tx, move, money }, { named, from, locked })
    const cause = shareCause(paymentId, (await readSharesOf(tx, instanceId, paymentId)).length)
    const on = await settledOn(tx, instanceId, { cause, locked })
    return { amount_minor: money.amount_minor, currency: money.currency, on }
  })
}

type Work = {
  readonly context: PlaceContext
  readonly tx: Transaction
  readonly move: GatewayMove
  readonly money: GatewayMoney
}

async function carry(
  { context, tx, move, money }: Work,
  { named, from, locked }: { named: NamedDebt; from: LockedDebt; locked: LockedDebt },
): Promise<void> {
  const { instanceId, paymentId, by, reason } = move
  requireFit(money, { named, from, locked })
  const today = context.clock.today(money.time_zone)
  const share = (await readSharesOf(tx, instanceId, paymentId)).length + 1
  if (share > MOST_SHARES)
    throw new PlacementRefused('not_booked', 'It has been moved too often: send it back, or ask for help.')
  const was = await readPaidOn(tx, instanceId, paymentId)
  const undone = { instanceId, paymentId, currency: money.currency, why: 'payment_moved' } as const
  if (!(await takeBackAndTell(context, tx, undone, today)))
    throw new DecisionRefused('The payment has been taken back before.')
  const { booked_on: bookedOn, value_on: valueOn } = money
  await applyReceived(context, tx, {
    // Taking it back may have changed it: a claim may hold both debts' invoices.
    locked: await lockDebtOf(tx, { ...money, ...onlyDebt({ kind: move.to.kind, id: named.id }) }),
    payment: { ...money, share },
    today,
    valueOn: valueDayOf([valueOn ?? bookedOn], today),
  })
  // A bank's file may have told since that it lies on the creditor's own account.
  const cause = shareCause(paymentId, share)
  const causes = [cause, `refund:${cause}`]
  if (money.is_at_creditor) await moveToCreditor(context, tx, { instanceId, causes, today })
  if (!move.isCounted) {
    const { currency, amount_minor: amountMinor } = money
    const of = { type: 'payment', id: paymentId } as const
    await countMoved(tx, { instanceId, kind: 'MOVE', of, currency, amountMinor, on: today }, was)
  }
  const about = `payment:${paymentId}:${share}`
  await noteDeed(tx, {
    instanceId,
    kind: 'payment_moved',
    by,
    about,
    reason,
    before: debtOf(from),
    after: debtOf(locked),
  })
}

function requireFit(
  { currency, amount_minor: minor, is_sent_back: isSentBack }: GatewayMoney,
  { named, from, locked }: { named: NamedDebt; from: LockedDebt; locked: LockedDebt },
): void {
  const { number, creditor_id: creditorId, creditor_name: creditor } = named
  const debt = locked.claim ?? locked.invoice
  if (isSentBack)
    throw new PlacementRefused('sent_back', 'Money of the payment has been sent back, or is about to be.')
  if (debt.currency !== currency)
    throw new PlacementRefused(
      'other_currency',
      `${number} is owed in ${debt.currency}, and this is ${amountText(minor)} ${currency}.`,
      { number, currency },
    )
  // The payer was shown whom the money goes to.
  if (partiesOf(from).creditorId !== creditorId)
    throw new PlacementRefused(
      'other_creditor',
      `${number} is owed to ${creditor}, whom the payer did not pay: send the money back (npm run refund-payment).`,
      { number },
    )
  if (locked.invoice && ['CREATED', 'PENDING'].includes(locked.invoice.status))
    throw new PlacementRefused('not_open', `${number} has not been sent yet.`)
  if (debt.balance_minor <= 0)
    throw new PlacementRefused('nothing_owed', `Nothing is owed on ${number}: place the money elsewhere.`)
  if (debt.is_part_payment)
    throw new PlacementRefused(
      'in_a_plan',
      `${number} is paid by a plan: place it on an invoice that the plan has billed.`,
    )
}

/** Where the money is now: what it was booked on last. */
async function lastShare(
  tx: Transaction,
  instanceId: string,
  paymentId: string,
): Promise<Named & { id: string }> {
  const last = (await readSharesOf(tx, instanceId, paymentId)).at(-1)
  if (!last) throw new PlacementRefused('not_booked', 'The payment has not been booked.')
  const { cause, invoice_id: invoiceId, claim_id: claimId } = last
  if ((await readPostedLines(tx, instanceId, [`reversal:${cause}`])).length > 0)
    throw new DecisionRefused('The payment has been taken back before.')
  return claimId === null
    ? { kind: 'invoice', id: invoiceId ?? '', name: '' }
    : { kind: 'claim', id: claimId, name: '' }
}

const onlyDebt = ({ kind, id }: { readonly kind: Named['kind']; readonly id: string }) => ({
  invoice_id: kind === 'invoice' ? id : null,
  claim_id: kind === 'claim' ? id : null,
})

const idOf = ({ claim, invoice }: LockedDebt): string => (claim ?? invoice).id

async function nameOne(tx: Transaction, instanceId: string, { kind, name }: Named): Promise<NamedDebt> {
  const [one, ...others] = await findNamedDebts(tx, instanceId, { kind, name })
  if (!one)
    throw new PlacementRefused('no_such_debt', `The provider has no ${kind} ${name}.`, { number: name })
  if (others.length === 0) return one
  const all = [one, ...others].map(
    ({ number, id, creditor_name: creditor }) => `${number} of ${creditor} (${id})`,
  )
  throw new PlacementRefused(
    'several_debts',
    `Several are called ${name}; name one by its id: ${all.join(', ')}.`,
    { number: name },
  )
}
