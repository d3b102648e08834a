/**
 * A person decides about one invoice or claim: a pause, its end, the end of the case without payment, what the debtor is let off, or
 * that the tax authority has denied a reduction. With a name and a reason, once: the same decision again changes nothing.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { canMoveClaim, type ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { canMove, type InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Waivable } from '@kvitt/domain/ledger/let-off.ts'
import { amountText, money, parseAmount, type Money } from '@kvitt/domain/money.ts'
import { noteDeed, type DeedKind } from '../../audit/audit.ts'
import { findNamedDebts, lockClaim, type NamedDebt } from '../../claims/claims.ts'
import { lockInvoiceRow } from '../../invoices/invoices.ts'
import { countByHand } from '../../manual-postings/manual-postings.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { pauseLockedClaim, resumeLockedClaim, stopWithDispute } from './claim-pause.ts'
import { DecisionRefused, refuseAmount, refuseInClaim } from './decision-refused.ts'
import { readDecided, type DecidedRow } from './decisions.queries.ts'
import type { LockedDebt } from './let-off.ts'
import { pauseLockedInvoice, resumeLockedInvoice, stopLockedInvoice } from './pause.ts'
import { denyOnLocked } from './tax-reduction.ts'
import type { DecisionContext } from './tell-decision.ts'
import { waiveOnLocked } from './waive.ts'
import { writeOffOnLocked } from './write-off.ts'

export type DebtDecision =
  /** `until`: the day on which it goes on by itself; null until a person says so. */
  | { readonly act: 'pause'; readonly until: CalendarDate | null }
  | { readonly act: 'resume' }
  | { readonly act: 'stop' }
  /** Fees or interest. `amount`: decimal text; null for all that is open. */
  | { readonly act: 'waive'; readonly bucket: Waivable; readonly amount: string | null }
  /** `amount`: decimal text; null for all that is left. */
  | { readonly act: 'write-off'; readonly amount: string | null }
  /** `amount`: decimal text. `decision`: what the authority calls its decision. */
  | { readonly act: 'deny-tax-reduction'; readonly amount: string; readonly decision: string }

export type DebtWish = {
  readonly instanceId: string
  readonly debt: { readonly kind: 'invoice' | 'claim'; readonly name: string }
  readonly decision: DebtDecision
  readonly reason: string
  /** For the audit log alone, beside a reason that is one of a list. */
  readonly note?: string | undefined
  readonly by: string
  /** The caller has a key that keeps repetitions away: the same amount for the same reason is meant once more. */
  readonly isKeyed?: boolean
}

/** `isNew` is false when it had been decided so before: then nothing has changed. `off`: what less is owed by it. */
export type DebtDecided = {
  readonly number: string
  readonly isNew: boolean
  readonly off?: Money | undefined
}

/** What came of it: false when it had been decided so before, else what less is owed, where that is what was decided. */
type Done = boolean | Money

function deedOf(decision: DebtDecision): DeedKind {
  switch (decision.act) {
    case 'pause':
      return 'debt_paused'
    case 'resume':
      return 'debt_resumed'
    case 'stop':
      return 'debt_stopped'
    case 'waive':
      return decision.bucket === 'costs' ? 'costs_waived' : 'interest_waived'
    case 'write-off':
      return 'debt_written_off'
    case 'deny-tax-reduction':
      return 'tax_reduction_denied'
  }
}

/** Of a command. What it writes off counts for the limit of the day (M-30). Throws DecisionRefused, with a sentence: nothing has changed then. */
export function decideDebt(context: DecisionContext, wish: DebtWish): Promise<DebtDecided> {
  return context.db.transaction(async (tx) => {
    const decided = await decideDebtWithin(context, tx, wish)
    if (wish.decision.act === 'write-off') await countWrittenOff(context, tx, wish, decided)
    return decided
  })
}

async function countWrittenOff(
  { clock }: DecisionContext,
  tx: Transaction,
  wish: DebtWish,
  { isNew, off }: DebtDecided,
): Promise<void> {
  if (!isNew || !off || off.minor === 0) return
  const { instanceId, debt } = wish
  const { id } = await findDebt(tx, wish)
  const { debtor_id: debtorId, time_zone: timeZone } = await readDecided(tx, instanceId, debt.kind, id)
  const sum = { currency: off.currency, amountMinor: off.minor, on: clock.today(timeZone) }
  const byHand = { kind: 'WRITE_OFF', about: `${debt.kind}:${id}`, debtorIds: [debtorId], ...sum } as const
  await countByHand(tx, instanceId, byHand, 'COMMAND')
}

/** As decideDebt, in a transaction of the caller's. */
export async function decideDebtWithin(
  context: DecisionContext,
  tx: Transaction,
  wish: DebtWish,
): Promise<DebtDecided> {
  const { instanceId, decision, by } = wish
  if (!saysSomething(wish.reason)) throw new DecisionRefused('Say why: the reason is empty.', 'why_required')
  const reason = wish.reason.trim()
  const named = await findDebt(tx, wish)
  const locked = await lock(tx, instanceId, named, wish.debt.kind)
  const before = await readDecided(tx, instanceId, wish.debt.kind, named.id)
  const today = context.clock.today(before.time_zone)
  const { isKeyed } = wish
  const done = await decide(context, tx, locked, {
    decision,
    reason,
    before,
    today,
    number: named.number,
    isKeyed,
  })
  if (done === false) return { number: named.number, isNew: false }
  const after = await readDecided(tx, instanceId, wish.debt.kind, named.id)
  await noteDeed(tx, {
    instanceId,
    kind: deedOf(decision),
    by,
    about: `${wish.debt.kind}:${named.id}`,
    reason: wish.note ? `${reason}: ${wish.note}` : reason,
    before: keptOf(before, decision),
    after: keptOf(after, decision),
  })
  return { number: named.number, isNew: true, off: typeof done === 'object' ? done : undefined }
}

function keptOf(row: DecidedRow, decision: DebtDecision): object {
  const owed = { status: row.status, balanceMinor: row.balance_minor }
  if (decision.act === 'pause' || decision.act === 'resume') return { ...owed, until: row.resume_date }
  if (decision.act === 'deny-tax-reduction') return { ...owed, decision: decision.decision }
  if (decision.act === 'stop') return owed
  const { costs_minor: costsMinor, interest_minor: interestMinor, interest_waived_to: interestWaivedTo } = row
  return { ...owed, costsMinor, interestMinor, interestWaivedTo }
}

async function findDebt(tx: Transaction, { instanceId, debt }: DebtWish): Promise<NamedDebt> {
  const named = await findNamedDebts(tx, instanceId, debt)
  // Whoever calls an invoice by another one's identifier takes nobody's place.
  const meant = named.find(({ id }) => id === debt.name)
  const [one, ...others] = meant ? [meant] : named
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
): Promise<LockedDebt> {
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
  readonly isKeyed: boolean | undefined
}

function decide(context: DecisionContext, tx: Transaction, locked: LockedDebt, asked: Asked): Promise<Done> {
  const { decision, today: on, before } = asked
  switch (decision.act) {
    case 'pause':
      return pause(tx, locked, { ...asked, until: decision.until })
    case 'resume':
      return resume(context, tx, locked, asked)
    case 'stop':
      return stop(tx, locked, asked)
    case 'waive':
      return waiveOnLocked(context, tx, locked, {
        ...asked,
        on,
        bucket: decision.bucket,
        amount: decision.amount,
        waivedTo: before.interest_waived_to,
      })
    case 'write-off':
      return writeOffOnLocked(context, tx, locked, { ...asked, on, amount: decision.amount })
    case 'deny-tax-reduction':
      return deny(context, tx, locked, { ...asked, denial: decision })
  }
}

async function pause(
  tx: Transaction,
  locked: LockedDebt,
  { before, today, reason, number, until }: Asked & { readonly until: CalendarDate | null },
): Promise<boolean> {
  if (before.status === 'PAUSED') {
    if (before.pause_reason === reason && before.resume_date === until) return false
    const end = before.resume_date === null ? 'until somebody resumes it' : `until ${before.resume_date}`
    throw new DecisionRefused(`${number} is paused already, ${end}. Resume it first.`, 'paused_already')
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
  context: Pick<DecisionContext, 'clock'>,
  tx: Transaction,
  locked: LockedDebt,
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
  locked: LockedDebt,
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
  context: Pick<DecisionContext, 'clock'>,
  tx: Transaction,
  { invoice }: LockedDebt,
  { today: on, denial }: Asked & { readonly denial: Denied },
): Promise<boolean> {
  if (!invoice) throw new DecisionRefused('A tax reduction belongs to an invoice, not to a claim.')
  const { currency, total_minor: total } = invoice
  const amount = parseAmount(denial.amount, currency)
  if (!amount || amount.minor <= 0 || amount.minor > total)
    throw refuseAmount(
      `Say how much was denied: more than nothing, and no more than the ${amountText(total)} ${currency} of the invoice.`,
      money(total, currency),
    )
  if (denial.decision === '') throw new DecisionRefused('Say what the authority calls its decision.')
  return denyOnLocked(context, tx, invoice, { on, decision: denial.decision, amountMinor: amount.minor })
}

function refuseUnless(
  { invoice, claim }: LockedDebt,
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
