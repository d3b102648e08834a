/**
 * Money that is told of late counts from the day on which it was on the account: what a debt was charged since, and would
 * not have been, is taken back by entries of their own. Only ever in the debtor's favour.
 */
import { date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { feeOn } from '@kvitt/domain/collection/country-params.ts'
import { interestOn, isInterestBilled } from '@kvitt/domain/collection/interest-posting.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { debtId, type Bucket, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { restate, type Restated, type StoryTerms } from '@kvitt/domain/ledger/restate.ts'
import { money } from '@kvitt/domain/money.ts'
import { shareOfCause } from '@kvitt/domain/payments/shares.ts'
import { bookChargesLost, creditInterestBill, debtorKindOf, type LockedClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import {
  joinBill,
  owedDays,
  postBookings,
  readInterestBills,
  readGivenUp,
  restateLateDays,
  unpostLateDays,
  type StoryRow,
} from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { openTask } from '../tasks/tasks.ts'
import {
  lowerRestRow,
  readParties,
  readPerformed,
  setInterestRows,
  type PerformedRow,
} from './restatements.queries.ts'
import { readStories, type DebtLaw, type Told } from './stories.ts'

type RestateContext = Pick<Context, 'clock'>

/** What the money is for, locked. */
type LockedDebt =
  | { readonly invoice: InvoiceRow; readonly claim?: undefined }
  | { readonly claim: LockedClaim; readonly invoice?: undefined }

export type Coming = {
  readonly locked: LockedDebt
  /** Its share on the debt, as the books will call it. */
  readonly shareId: string
  readonly amountMinor: number
  readonly valueOn: CalendarDate
  readonly on: CalendarDate
  /** In which the money of the debt settles its buckets. */
  readonly order: readonly Bucket[]
}

/** How the money is to be booked now, and the invoices for interest on the debt. */
export type RestatedDebt = Restated['coming'] & {
  readonly billIds: readonly string[]
  /** The one invoice of a claim that would never have been opened: its days of being late are its own. */
  readonly member?: { readonly invoiceId: string } | undefined
}

/** These name a court or an authority: what was filed there is put right by a person. */
const COURT_STEPS: readonly string[] = [
  'BAILIFF_PAYMENT_INJUCTION',
  'MONITORING_DECISION',
  'MONITORING',
  'WATCH',
]

/**
 * Takes back what of the debt's charges loses its ground by money that is about to be booked. Answers how the money is then
 * to be booked; undefined when nothing depends on its day. Under the locks of the debt, which is to be read anew. What cannot
 * be told again by itself is a task, `restate_by_hand`.
 */
export async function restateDebt(
  context: RestateContext,
  tx: Transaction,
  coming: Coming,
): Promise<RestatedDebt | undefined> {
  const { locked, valueOn, on } = coming
  if (valueOn >= on) return undefined
  const debt: Debt = locked.claim ? { claimId: locked.claim.id } : { invoiceId: locked.invoice.id }
  const { instance_id: instanceId } = locked.claim ?? locked.invoice
  const alone = memberAlone(locked, valueOn)
  const told = alone ? [alone.id, debtId(debt)] : [debtId(debt)]
  const performed = await readPerformed(tx, instanceId, told)
  const since = performed.filter(({ performed_date: day }) => day >= valueOn)
  if (isBeforeDue(locked, on) && since.length === 0) return undefined
  if (since.some(({ type }) => COURT_STEPS.includes(type))) return askPerson(tx, coming, 'court')
  const { terms, law } = await termsOf(tx, coming, { instanceId, debt, performed, alone })
  const events = await readStories(tx, instanceId, { debt, alone, performed, law })
  const restated = restate(events, coming, terms)
  if (!restated) return askPerson(tx, coming, 'story')
  const isOfMember = locked.claim !== undefined && !alone && valueOn <= locked.claim.opened_on
  const byHand = isOfMember ? await askPerson(tx, coming, 'claim') : undefined
  const billIds = await readInterestBills(tx, { instanceId, debt })
  await takeBack(context, tx, coming, { debt, restated, events })
  await countAnew(tx, coming, { debt, restated, performed, isWhole: alone !== undefined })
  const member = alone && (await countOfMember(tx, alone, { restated, performed }))
  return { ...(byHand ?? restated.coming), billIds, member }
}

/** Nothing is charged on what is not due. That it is not due today says nothing of the days before: a last day may have been moved. */
function isBeforeDue({ invoice }: LockedDebt, on: CalendarDate): boolean {
  return invoice !== undefined && invoice.expire_date >= on
}

/**
 * The one invoice of a claim, when the money had come before the claim was opened: also on that very day, on which the hand-over
 * has no ground either. Of a claim over several a person takes the invoice out.
 */
function memberAlone({ claim }: LockedDebt, valueOn: CalendarDate): InvoiceRow | undefined {
  return claim && valueOn <= claim.opened_on && claim.members.length === 1 ? claim.members[0] : undefined
}

async function askPerson(
  tx: Transaction,
  { locked, shareId, amountMinor, valueOn, on }: Coming,
  reason: 'court' | 'claim' | 'story',
): Promise<RestatedDebt> {
  const { claim, invoice } = locked
  const row = claim ?? invoice
  await openTask(tx, {
    instanceId: row.instance_id,
    kind: 'restate_by_hand',
    about: `payment:${shareId}`,
    details: {
      reason,
      valueOn,
      bookedOn: on,
      ...(claim ? { claimNumber: claim.claim_number } : { invoiceNumber: invoice.invoice_number }),
    },
  })
  // Until then it settles what bears interest first: nobody knows which charges stand.
  return {
    wasMinor: row.principal_minor,
    isMinor: Math.max(0, row.principal_minor - amountMinor),
    openCostsMinor: row.costs_minor,
    openInterestMinor: row.interest_minor,
    billIds: [],
  }
}

type Key = { readonly instanceId: string; readonly debt: Debt }

async function termsOf(
  tx: Transaction,
  { locked, order }: Coming,
  { instanceId, debt, performed, alone }: Key & Told & { readonly performed: readonly PerformedRow[] },
): Promise<{ readonly terms: StoryTerms; readonly law: DebtLaw }> {
  const parties = await readParties(tx, { instanceId, debt })
  const ofMember = alone && (await readParties(tx, { instanceId, debt: { invoiceId: alone.id } }))
  // What was waived before the invoice joined its claim stays waived.
  const waivedTo = parties.interest_waived_to ?? ofMember?.interest_waived_to ?? null
  const numbers = new Map(performed.map(({ id, number }) => [id, number]))
  const { country } = parties
  const fellDueOn = date(ofMember ? ofMember.fell_due_on : parties.fell_due_on)
  const figures = await holdFigures(tx, instanceId)
  const law = { country, debtorKind: debtorKindOf(parties), fellDueOn, figures }
  const asked = { ...law, reminderFeeAgreed: true }
  const terms: StoryTerms = {
    currency: (locked.claim ?? locked.invoice).currency,
    order,
    // Told with its one invoice's story, what that left over is told too.
    openingParts: locked.claim && !alone ? openingParts(performed) : 0,
    interestFreeMinor: locked.claim?.interest_free_minor ?? 0,
    feeOf: ({ stepId, type, day }, owed) =>
      feeOn({ ...asked, ...owed, step: type, number: numbers.get(stepId) ?? 1, date: day })?.amountMinor,
    interestWaivedTo: waivedTo === null ? undefined : date(waivedTo),
    reminderFeeOf: (day, principalMinor) =>
      feeOn({ ...asked, step: 'REMINDER' satisfies StepType, date: day, principalMinor })?.amountMinor ?? 0,
  }
  return { terms, law }
}

/** Until the claim's first posting of interest nothing of it can be taken back. */
function openingParts(performed: readonly PerformedRow[]): number {
  return performed.find(({ rest_before: before }) => before !== null)?.rest_before ?? 0
}

type Result = { readonly debt: Debt; readonly restated: Restated }

/** Each charge by an entry that names it. What of it had been paid settles what is owed besides, or is owed back. */
async function takeBack(
  context: RestateContext,
  tx: Transaction,
  { locked, shareId, on }: Coming,
  { debt, restated, events }: Result & { readonly events: readonly StoryRow[] },
): Promise<void> {
  if (restated.backs.length === 0) return
  const row = locked.claim ?? locked.invoice
  const { instance_id: instanceId, currency } = row
  const ids = new Map(events.map(({ cause, id }) => [cause, id]))
  const writtenOffMinor = await readGivenUp(tx, instanceId, debt)
  const nameOf = (cause: string): string => `restated:${cause}:${shareId}`
  const lost = bookChargesLost(context, restated.backs, {
    parties: { ...debt, creditorId: row.creditor_id, debtorId: row.debtor_id },
    owed: {
      principal: money(row.principal_minor, currency),
      costs: money(row.costs_minor, currency),
      interest: money(row.interest_minor, currency),
    },
    currency,
    on,
    nameOf,
    writtenOffMinor,
  })
  const charges = new Map(restated.backs.map(({ cause }) => [nameOf(cause), ids.get(cause)]))
  await postBookings(
    tx,
    instanceId,
    lost.map((booking) => ({ ...booking, restatesId: charges.get(booking.cause) })),
    context.clock,
  )
}

type Counted = Result & {
  readonly performed: readonly PerformedRow[]
  /** The claim was told from its invoice's first day: what went along into it, and was too little to post, is known anew. */
  readonly isWhole: boolean
}

/** Days of postings that are gone are counted by the next one; and what each payment did to the principal is known anew. */
async function countAnew(
  tx: Transaction,
  { locked }: Coming,
  { debt, restated, performed, isWhole }: Counted,
): Promise<void> {
  const row = locked.claim ?? locked.invoice
  const key = { instanceId: row.instance_id, debt }
  const gone = performed.filter(({ id, debt_id: of }) => of === row.id && restated.unposted.includes(id))
  const [first] = gone
  if (restated.backs.some(({ interestMinor }) => interestMinor > 0)) {
    const back = first && { to: first.interest_before }
    await setInterestRows(tx, key, { restParts: restated.restParts, back })
  } else if (isWhole) await lowerRestRow(tx, key, restated.restParts)
  await unpost(tx, key, { gone, start: date(locked.claim?.opened_on ?? row.expire_date) })
  const shares = sharesOf(restated, locked.claim?.interest_free_minor ?? 0)
  await restateLateDays(tx, key, shares)
}

/** What the shares of payments did to what bears interest, also of those that were taken back on the day `until`. */
function sharesOf({ payments, lookedPaid }: Restated, freeMinor: number) {
  const bearing = (minor: number): number => Math.max(0, minor - freeMinor)
  const stand = [...payments].map(([cause, moved]) => [cause, { ...moved, until: undefined }] as const)
  return [...stand, ...lookedPaid].flatMap(([cause, { wasMinor, isMinor, valueOn: to, until }]) => {
    const shareId = shareOfCause(cause)
    const principalMinor = bearing(wasMinor) - bearing(isMinor)
    return shareId === undefined ? [] : [{ shareId, principalMinor, to, until }]
  })
}

/** When nothing of the invoice's own postings stays either, its days until the money came are billed, or let be, by themselves. */
async function countOfMember(
  tx: Transaction,
  { instance_id: instanceId, id: invoiceId, expire_date: dueDate }: InvoiceRow,
  { restated, performed }: { readonly restated: Restated; readonly performed: readonly PerformedRow[] },
): Promise<RestatedDebt['member']> {
  const gone = performed.filter(({ id, debt_id: of }) => of === invoiceId && restated.unposted.includes(id))
  const [first] = gone
  if (!first) return undefined
  const key = { instanceId, debt: { invoiceId } }
  await setInterestRows(tx, key, { restParts: 0, back: { to: first.interest_before } })
  await unpost(tx, key, { gone, start: date(dueDate) })
  await restateLateDays(tx, key, sharesOf(restated, 0))
  return { invoiceId }
}

/**
 * What these steps had counted is to be counted again, from the last posting before them; at the earliest after `start`. A last day
 * that has been moved behind a posting leaves nothing to count again before it.
 */
async function unpost(
  tx: Transaction,
  key: Key,
  { gone, start }: { readonly gone: readonly PerformedRow[]; readonly start: CalendarDate },
): Promise<void> {
  for (const { id: stepId, performed_date: postedTo, interest_before: day } of gone.toReversed()) {
    const before = day === null ? start : laterOf(date(day), start)
    const counted = before < postedTo ? before : postedTo
    await unpostLateDays(tx, { ...key, stepId }, { postedTo, before: counted })
  }
}

/**
 * When the money has been booked: an invoice for interest on the debt keeps what has its ground now, and is credited the
 * rest; what had been paid of that is owed back.
 */
export async function restateBills(
  context: RestateContext,
  tx: Transaction,
  { locked, shareId, on, billIds }: Pick<Coming, 'locked' | 'shareId' | 'on'> & Pick<RestatedDebt, 'billIds'>,
): Promise<void> {
  const row = locked.claim ?? locked.invoice
  const { instance_id: instanceId, currency } = row
  const debt: Debt = locked.claim ? { claimId: row.id } : { invoiceId: row.id }
  if (billIds.length === 0) return
  const parties = await readParties(tx, { instanceId, debt })
  const figures = await holdFigures(tx, instanceId)
  for (const billId of billIds) {
    const days = await joinBill(tx, { instanceId, debt }, { shareId, billId })
    const interest = interestOn({
      owed: days.map(owedDays),
      country: parties.country,
      debtorKind: debtorKindOf(parties),
      fellDueOn: date(parties.fell_due_on),
      figures,
    })
    if (!interest) continue
    const keptMinor = isInterestBilled(interest.amountMinor, currency) ? interest.amountMinor : 0
    const bill = { instanceId, invoiceId: billId }
    await creditInterestBill(context, tx, bill, { keptMinor, cause: `no-ground:${billId}:${shareId}`, on })
  }
}
