/** A person places money that nobody could: on a debt, or back to where it came from. One transaction, once. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookOutOfSuspense } from '@kvitt/domain/ledger/arrival.ts'
import { clearingOf } from '@kvitt/domain/ledger/holder.ts'
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { shareCause } from '@kvitt/domain/payments/shares.ts'
import { amountText, money } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { readSharesOf } from '../collection/collection.ts'
import { findNamedDebts, type NamedDebt } from '../claims/claims.ts'
import { postBookings, readPostedLines } from '../ledger/ledger.ts'
import { applyReceived, lockDebtOf, type LockedDebt } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { endTask, openTask } from '../tasks/tasks.ts'
import { endLineRow, lockBankFiles } from './bank-files.queries.ts'
import { BANK_RETURN, expectMoneyOut } from './money-out.ts'
import { dayOfMoney, debtOf } from './place-line.ts'
import { countPlaced } from './moves/count-moved.ts'
import { PlacementRefused } from './placement-refused.ts'
import type { PlaceContext } from './tell-holder.ts'
import { findRepeatable, markRepeatedRow } from './told-again.queries.ts'
import { findPlaceOfLine, readLine, type EndedLineRow } from './suspense.queries.ts'

/** `name`: number, reference or identifier of the debt. */
export type Named = { readonly kind: 'invoice' | 'claim'; readonly name: string }
export type Placement = {
  readonly instanceId: string
  readonly lineId: string
  readonly to: Named | 'back' | { readonly sameAs: string }
  /** Who places it, for the audit log, and why. */
  readonly by: string
  readonly reason?: string | undefined
}

export type Settled = {
  readonly line: EndedLineRow
  /** The line that told of the same money, when it was that. */
  readonly sameAs?: string
  /** Null when it goes back. `owedBackMinor`: what of it was too much, and is the debtor's credit. */
  readonly on: {
    readonly kind: 'invoice' | 'claim'
    readonly number: string
    readonly owedBackMinor: number
  } | null
}

export type PlacementWork = {
  readonly context: PlaceContext
  readonly tx: Transaction
  readonly line: EndedLineRow
  readonly today: CalendarDate
  readonly placement: Pick<Placement, 'by' | 'reason'>
}

/** Places it. The same placement again answers the same and changes nothing. Throws PlacementRefused. */
export async function placeSuspense(context: PlaceContext, placement: Placement): Promise<Settled> {
  const { lineId } = placement
  const place = await findPlaceOfLine(context.db, lineId)
  if (place?.instance_id !== placement.instanceId)
    throw new PlacementRefused(
      'no_such_line',
      `No line of a bank's file of the provider has the name ${lineId}.`,
    )
  const today = context.clock.today(place.time_zone)
  return context.db.transaction(async (tx) =>
    perform(await openPlacement(context, tx, { placement, today }), placement.to),
  )
}

/** Reads a line of the instance under the lock of whoever places lines. */
export async function openPlacement(
  context: PlaceContext,
  tx: Transaction,
  { placement, today }: { readonly placement: Omit<Placement, 'to'>; readonly today: PlacementWork['today'] },
): Promise<PlacementWork> {
  await lockBankFiles(tx, placement.instanceId)
  const line = await readLine(tx, placement.instanceId, placement.lineId)
  return { context, tx, line, today, placement }
}

/** Places it, or sends it back. */
export async function perform(work: PlacementWork, to: Placement['to']): Promise<Settled> {
  if (to === 'back') return sendBack(work)
  if ('sameAs' in to) return takeAsRepeat(work, to.sameAs)
  const settled = await payNamed(work, to)
  if (work.line.status === 'SUSPENSE') await countPlaced(work.tx, work.line, work.today)
  return settled
}

const textOf = ({ amount_minor: minor, currency }: EndedLineRow): string => `${amountText(minor)} ${currency}`

const WHERE = {
  WAITING: 'an import has not finished with it: run npm run import-payments again',
  BOOKED: 'it is booked on an invoice or claim already',
  KNOWN: 'it is the money of a payment through the bank that was booked before',
  REVERSED: 'the bank has taken it back',
  SENT_BACK: 'it goes back already',
  REPEATED: 'another file told of the same money',
  SETTLED: 'it has left, as was expected, or was entered as what it is',
} as const

/** Throws PlacementRefused for money that does not lie in suspense, or that has left the account. */
export function requireSuspense({ line }: PlacementWork): void {
  if (line.status !== 'SUSPENSE')
    throw new PlacementRefused(
      'not_in_suspense',
      `The money does not lie in suspense: ${WHERE[line.status]}.`,
    )
  if (line.kind === 'OUTGOING')
    throw new PlacementRefused(
      'is_deduction',
      'This money has left the account: send back what it was for, or record the refund, and it is explained.',
    )
  if (line.kind === 'DEDUCTION')
    throw new PlacementRefused('is_deduction', 'The bank took this money back: there is nothing to place.')
}

async function sendBack(work: PlacementWork): Promise<Settled> {
  const { context, tx, line, today } = work
  if (line.status === 'SENT_BACK') return { line, on: null }
  requireSuspense(work)
  const isCreditors = line.holder === 'CREDITOR'
  const account = isCreditors ? clearingOf(line.holder) : BANK_RETURN
  await leaveSuspense(work, account, { kind: 'REFUND', cause: `sent-back:bank-line:${line.id}` })
  await endLineRow(tx, line, { status: 'SENT_BACK' }, 'SUSPENSE')
  const { instance_id: instanceId, amount_minor: amountMinor, currency } = line
  const about = `bank-line:${line.id}`
  const kind = isCreditors ? 'creditor_refund' : 'send_back'
  await openTask(tx, {
    instanceId,
    kind,
    about,
    details: { amountMinor, currency, account: line.account_key },
  })
  if (!isCreditors) {
    const out = { about, accountId: line.account_id, amountMinor, currency }
    await expectMoneyOut({ tx, clock: context.clock, instanceId, today }, out)
  }
  await note(work, 'money_sent_back', { account })
  return { line, on: null }
}

/** Another line told of the same money, and stands in the books for it. */
async function takeAsRepeat(work: PlacementWork, sameAs: string): Promise<Settled> {
  const { tx, line } = work
  if (line.status === 'REPEATED' && line.repeats_id === sameAs) return { line, on: null, sameAs }
  requireSuspense(work)
  const other = await findRepeatable(tx, line, sameAs)
  if (!other)
    throw new PlacementRefused(
      'not_the_same',
      `${sameAs} is no other line of ${textOf(line)} on the same account, or is repeated by another line.`,
    )
  await leaveSuspense(work, clearingOf(line.holder), {
    kind: 'REVERSAL',
    cause: `repeated:bank-line:${line.id}`,
  })
  await markRepeatedRow(tx, line, { of: other, from: 'SUSPENSE' })
  await note(work, 'money_placed', { sameAs })
  return { line, on: null, sameAs }
}

/** The named debt, locked, and whether the money is on it already. */
async function lockNamed({ tx, line }: PlacementWork, wanted: Named) {
  const named = await findDebt(tx, line, wanted)
  const locked = await lockDebtOf(tx, {
    id: line.id,
    instance_id: line.instance_id,
    invoice_id: wanted.kind === 'invoice' ? named.id : null,
    claim_id: wanted.kind === 'claim' ? named.id : null,
  })
  const isThere =
    (line.invoice_id !== null && [named.id, locked.invoice?.id].includes(line.invoice_id)) ||
    (line.claim_id !== null && line.claim_id === locked.claim?.id)
  return { named, locked, isThere: line.status === 'BOOKED' && isThere }
}

/** Whether the money is booked on the named debt. Throws PlacementRefused when there is no such debt. */
export async function isOnDebt(work: PlacementWork, wanted: Named): Promise<boolean> {
  return (await lockNamed(work, wanted)).isThere
}

/** Books what lies in suspense on the named debt; what is there already stays. Throws PlacementRefused. */
export async function payNamed(work: PlacementWork, wanted: Named): Promise<Settled> {
  const { tx, line } = work
  const { named, locked, isThere } = await lockNamed(work, wanted)
  if (!isThere) await pay(work, named, locked)
  const shares = await readSharesOf(tx, line.instance_id, line.id)
  const cause = shareCause(line.id, Math.max(1, shares.length))
  return { line, on: await settledOn(tx, line.instance_id, { cause, locked }) }
}

/** Where the money of a share is, and what of it is owed back. */
export async function settledOn(
  tx: Transaction,
  instanceId: string,
  { cause, locked }: { readonly cause: string; readonly locked: LockedDebt },
): Promise<NonNullable<Settled['on']>> {
  const surplus = await readPostedLines(tx, instanceId, [`refund:${cause}`])
  const owedBackMinor = surplus
    .filter(({ account }) => account.kind === 'credit')
    .reduce((sum, { amount }) => sum - amount.minor, 0)
  return locked.claim
    ? { kind: 'claim', number: locked.claim.claim_number, owedBackMinor }
    : { kind: 'invoice', number: locked.invoice.invoice_number, owedBackMinor }
}

/** The one debt at the instance that has the name. */
export async function findDebt(
  tx: Transaction,
  line: EndedLineRow,
  { kind, name }: Named,
): Promise<NamedDebt> {
  const found = await findNamedDebts(tx, line.instance_id, { kind, name })
  const [one, ...others] = found
  if (!one)
    throw new PlacementRefused(
      'no_such_debt',
      `The provider that the money came to has no ${kind} ${name}.`,
      {
        number: name,
      },
    )
  if (others.length > 0) {
    const all = found.map(({ number, id, creditor_name: creditor }) => `${number} of ${creditor} (${id})`)
    throw new PlacementRefused(
      'several_debts',
      `Several are called ${name}; name one by its id: ${all.join(', ')}.`,
      { number: name },
    )
  }
  return one
}

async function pay(work: PlacementWork, named: NamedDebt, locked: LockedDebt): Promise<void> {
  const { context, tx, line, today } = work
  requireSuspense(work)
  requirePayable(line, named, locked)
  // It may have been on another debt before: then this is its next share.
  const share = (await readSharesOf(tx, line.instance_id, line.id)).length + 1
  const again = share === 1 ? '' : `:${share}`
  await leaveSuspense(work, clearingOf(line.holder), {
    kind: 'REVERSAL',
    cause: `placed:bank-line:${line.id}${again}`,
  })
  const paymentId = line.payment_id ?? undefined
  await endLineRow(tx, line, { status: 'BOOKED', debt: debtOf(locked), paymentId }, 'SUSPENSE')
  const payment = { ...line, gateway: clearingOf(line.holder), isFromFile: true as const, share }
  const valueOn = valueDayOf([dayOfMoney(line)], today)
  await applyReceived(context, tx, { locked, payment, today, valueOn })
  await note(work, 'money_placed', debtOf(locked))
}

/** Looked at under the lock. */
export function requirePayable(line: EndedLineRow, named: NamedDebt, locked: LockedDebt): void {
  const { currency, balance_minor: owed, is_part_payment: isPlanned } = locked.claim ?? locked.invoice
  const { creditor_id: creditorId, creditor_name: creditor, number } = named
  if (currency !== line.currency)
    throw new PlacementRefused(
      'other_currency',
      `${number} is owed in ${currency}, and this is ${textOf(line)}.`,
      { number, currency },
    )
  if (!(line.creditor_ids?.includes(creditorId) ?? true))
    throw new PlacementRefused(
      'other_creditor',
      `${number} is owed to ${creditor}, whose account this did not come to.`,
      { number },
    )
  const status = locked.invoice?.status
  if (status === 'CREATED' || status === 'PENDING')
    throw new PlacementRefused('not_open', `${number} has not been sent yet.`)
  if (owed <= 0)
    throw new PlacementRefused(
      'nothing_owed',
      `Nothing is owed on ${number}: send the money back, or place it elsewhere.`,
    )
  if (isPlanned)
    throw new PlacementRefused(
      'in_a_plan',
      `${number} is paid by a plan: place it on an invoice that the plan has billed.`,
    )
}

export async function leaveSuspense(
  { context, tx, line, today }: PlacementWork,
  account: string,
  { kind, cause }: { readonly kind: string; readonly cause: string },
): Promise<void> {
  const booking = {
    id: newId(context.clock.now()),
    kind,
    bookedOn: today,
    cause,
    invoiceId: null,
    paymentId: null,
    lines: bookOutOfSuspense(account, money(line.amount_minor, line.currency)),
  }
  await postBookings(tx, line.instance_id, [booking], context.clock)
  await endTask(tx, { instanceId: line.instance_id, kind: 'bank_line', about: `bank-line:${line.id}` })
}

export function note(
  { tx, line, placement: { by, reason } }: PlacementWork,
  kind: 'money_placed' | 'money_sent_back' | 'money_entered',
  to: object,
): Promise<void> {
  const { instance_id: instanceId, amount_minor: amountMinor, currency } = line
  const about = `bank-line:${line.id}`
  const before = { account: 'suspense', amountMinor, currency }
  return noteDeed(tx, { instanceId, kind, by, about, reason, before, after: to })
}
