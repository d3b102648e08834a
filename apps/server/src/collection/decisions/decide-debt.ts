/**
 * A person decides about one invoice or claim: a pause, its end, the end of the case without payment, or that the tax authority
 * has denied a reduction. With a name and a reason, once: the same decision again changes nothing.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { canMoveClaim, type ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { canMove, type InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed, type DeedKind } from '../../audit/audit.ts'
import { findNamedDebts, lockClaim, type LockedClaim, type NamedDebt } from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import { lockInvoiceRow, type InvoiceRow } from '../../invoices/invoices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { pauseLockedClaim, resumeLockedClaim, stopWithDispute } from './claim-pause.ts'
import { DecisionRefused, refuseInClaim } from './decision-refused.ts'
import { readDecided, type DecidedRow } from './decisions.queries.ts'
import { pauseLockedInvoice, resumeLockedInvoice, stopLockedInvoice } from './pause.ts'
import { denyOnLocked } from './tax-reduction.ts'

export type DebtDecision =
  /** `until`: the day on which it goes on by itself; null until a person says so. */
  | { readonly act: 'pause'; readonly until: CalendarDate | null }
  | { readonly act: 'resume' }
  | { readonly act: 'stop' }
  /** `amount`: decimal text. `decision`: what the authority calls its decision. */
  | { readonly act: 'deny-tax-reduction'; readonly amount: string; readonly decision: string }

export type DebtWish = {
  readonly instanceId: string
  readonly debt: { readonly kind: 'invoice' | 'claim'; readonly name: string }
  readonly decision: DebtDecision
  readonly reason: string
  readonly by: string
}

/** `isNew` is false when it had been decided so before: then nothing has changed. */
export type DebtDecided = { readonly number: string; readonly isNew: boolean }

type DecideContext = Pick<Context, 'db' | 'clock'>

type Locked =
  | { readonly invoice: InvoiceRow; readonly claim?: undefined }
  | { readonly claim: LockedClaim; readonly invoice?: undefined }

const DEEDS: Readonly<Record<DebtDecision['act'], DeedKind>> = {
  pause: 'debt_paused',
  resume: 'debt_resumed',
  stop: 'debt_stopped',
  'deny-tax-reduction': 'tax_reduction_denied',
}

/** Throws DecisionRefused, with a sentence: nothing has changed then. */
export function decideDebt(context: DecideContext, wish: DebtWish): Promise<DebtDecided> {
  const { instanceId, decision, by } = wish
  if (!saysSomething(wish.reason)) throw new DecisionRefused('Say why: the reason is empty.')
  const reason = wish.reason.trim()
  return context.db.transaction(async (tx) => {
    const named = await findDebt(tx, wish)
    const locked = await lock(tx, instanceId, named, wish.debt.kind)
    const before = await readDecided(tx, instanceId, wish.debt.kind, named.id)
    const today = context.clock.today(before.time_zone)
    const isNew = await decide(context, tx, locked, { decision, reason, before, today, number: named.number })
    if (!isNew) return { number: named.number, isNew }
    const after = await readDecided(tx, instanceId, wish.debt.kind, named.id)
    await noteDeed(tx, {
      instanceId,
      kind: DEEDS[decision.act],
      by,
      about: `${wish.debt.kind}:${named.id}`,
      reason,
      before: keptOf(before, decision),
      after: keptOf(after, decision),
    })
    return { number: named.number, isNew }
  })
}

function keptOf(row: DecidedRow, decision: DebtDecision): object {
  const owed = { status: row.status, balanceMinor: row.balance_minor }
  if (decision.act === 'pause' || decision.act === 'resume') return { ...owed, until: row.resume_date }
  return decision.act === 'stop' ? owed : { ...owed, decision: decision.decision }
}

async function findDebt(tx: Transaction, { instanceId, debt }: DebtWish): Promise<NamedDebt> {
  const [one, ...others] = await findNamedDebts(tx, instanceId, debt)
  if (!one) throw new DecisionRefused(`The provider has no ${debt.kind} ${debt.name}.`)
  if (others.length === 0) return one
  const ids = [one, ...others].map(({ id, creditor_name: creditor }) => `${id} of ${creditor}`).join(', ')
  throw new DecisionRefused(`Several are called ${debt.name}: name one by its id. ${ids}`)
}

async function lock(
  tx: Transaction,
  instanceId: string,
  { id }: NamedDebt,
  kind: 'invoice' | 'claim',
): Promise<Locked> {
  if (kind === 'claim') return { claim: await lockClaim(tx, { instanceId, claimId: id }) }
  const invoice = await lockInvoiceRow(tx, instanceId, id)
  refuseInClaim(invoice)
  return { invoice }
}

type Asked = {
  readonly decision: DebtDecision
  readonly reason: string
  readonly before: DecidedRow
  readonly today: CalendarDate
  readonly number: string
}

/** Answers false when it had been decided so before. */
function decide(context: DecideContext, tx: Transaction, locked: Locked, asked: Asked): Promise<boolean> {
  switch (asked.decision.act) {
    case 'pause':
      return pause(tx, locked, { ...asked, until: asked.decision.until })
    case 'resume':
      return resume(context, tx, locked, asked)
    case 'stop':
      return stop(tx, locked, asked)
    case 'deny-tax-reduction':
      return deny(context, tx, locked, { ...asked, denial: asked.decision })
  }
}

async function pause(
  tx: Transaction,
  locked: Locked,
  { before, today, reason, number, until }: Asked & { readonly until: CalendarDate | null },
): Promise<boolean> {
  if (before.status === 'PAUSED') {
    if (before.pause_reason === reason && before.resume_date === until) return false
    const end = before.resume_date === null ? 'until somebody resumes it' : `until ${before.resume_date}`
    throw new DecisionRefused(`${number} is paused already, ${end}. Resume it first.`)
  }
  if (until !== null && until <= today)
    throw new DecisionRefused(`It would be over before it begins: --until has to come after ${today}.`)
  const kept = { on: today, reason, resumeDate: until }
  refuseUnless(locked, 'pause', 'PAUSED', number)
  if (locked.claim) await pauseLockedClaim(tx, locked.claim, kept)
  else await pauseLockedInvoice(tx, locked.invoice, kept)
  return true
}

const GOES_ON: readonly string[] = ['ACTIVATED', 'OPEN', 'RESUME'] satisfies (InvoiceStatus | ClaimStatus)[]

async function resume(
  context: DecideContext,
  tx: Transaction,
  locked: Locked,
  { before, today, number }: Asked,
): Promise<boolean> {
  // It went on today: as the same command leaves it.
  if (GOES_ON.includes(before.status) && before.resume_date === today) return false
  if (before.status !== 'PAUSED') throw new DecisionRefused(`${number} is not paused.`)
  if (locked.claim) await resumeLockedClaim(tx, locked.claim, today)
  else await resumeLockedInvoice(context, tx, locked.invoice, today)
  return true
}

async function stop(
  tx: Transaction,
  locked: Locked,
  { before, today: on, reason, number }: Asked,
): Promise<boolean> {
  if (before.status === 'STOPPED' && before.stop_reason === reason) return false
  refuseUnless(locked, 'stop', 'STOPPED', number)
  if (locked.claim) await stopWithDispute(tx, locked.claim, { on, reason })
  else await stopLockedInvoice(tx, locked.invoice, { on, reason })
  return true
}

type Denied = Extract<DebtDecision, { readonly act: 'deny-tax-reduction' }>

async function deny(
  context: DecideContext,
  tx: Transaction,
  { invoice }: Locked,
  { today: on, denial }: Asked & { readonly denial: Denied },
): Promise<boolean> {
  if (!invoice) throw new DecisionRefused('A tax reduction belongs to an invoice, not to a claim.')
  const { currency, total_minor: total } = invoice
  const amount = parseAmount(denial.amount, currency)
  if (!amount || amount.minor <= 0 || amount.minor > total)
    throw new DecisionRefused(
      `Say how much was denied: more than nothing, and no more than the ${amountText(total)} ${currency} of the invoice.`,
    )
  if (denial.decision === '') throw new DecisionRefused('Say what the authority calls its decision.')
  return denyOnLocked(context, tx, invoice, { on, decision: denial.decision, amountMinor: amount.minor })
}

function refuseUnless(
  { invoice, claim }: Locked,
  move: 'pause' | 'stop',
  to: 'PAUSED' | 'STOPPED',
  number: string,
): void {
  const may = claim ? canMoveClaim(move, claim.status, to) : canMove(move, invoice.status, to)
  if (may) return
  const { status }: { status: ClaimStatus | InvoiceStatus } = claim ?? invoice
  const done = move === 'pause' ? 'paused' : 'stopped'
  throw new DecisionRefused(
    `${number} is ${status.toLowerCase().replaceAll('_', ' ')}: it cannot be ${done}.`,
  )
}
