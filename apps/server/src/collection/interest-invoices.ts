/**
 * Interest on what was paid late, for the days that no posting has counted (D-28): when nothing is owed any more, billed as
 * an invoice of its own if it is worth it, else let be. Part of the daily run.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { interestPeriods } from '@kvitt/domain/collection/interest-periods.ts'
import {
  interestOn,
  isInterestBilled,
  roundedSum,
  type InterestSum,
} from '@kvitt/domain/collection/interest-posting.ts'
import { COUNTRY_PARAMS } from '@kvitt/domain/collection/country-params.ts'
import { bookInvoice, debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { lockClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { Awaited } from '../creditors/creditors.ts'
import { insertStepRow, issueReferences, lockInvoiceRow } from '../invoices/invoices.ts'
import { endLateDays, lockLateDays, owedDays, postBookings } from '../ledger/ledger.ts'
import { isResting } from '../ledger/resting-debts.queries.ts'
import { queueBills } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { isLanguage, textOf } from '../platform/texts.ts'
import { quarantine } from '../tasks/tasks.ts'
import {
  insertInterestInvoiceRow,
  readLateDebt,
  readPaidLate,
  takeInterestNumber,
  type LateDebt,
} from './interest-invoices.queries.ts'
import { askForFigures, missingRate } from './missing-figures.ts'

/** Days from sending to the due date of an interest invoice. */
const TERM_DAYS = 14

type DailyRunContext = Pick<Context, 'db' | 'clock' | 'log'>

/** Settles the interest of what was paid late and ended before `day`. Answers how many invoices were made. */
export async function billLateInterest(
  context: DailyRunContext,
  night: { readonly instanceId: string; readonly day: CalendarDate; readonly awaited: Awaited },
): Promise<number> {
  const { instanceId, day } = night
  let billed = 0
  for (const debt of await readPaidLate(context.db, night)) {
    const matter = { instanceId, about: `late interest of ${debtId(debt)}` }
    billed += (await quarantine(context, matter, () => billDebt(context, { instanceId, debt }, day))) ?? 0
  }
  return billed
}

type DebtKey = { readonly instanceId: string; readonly debt: Debt }

/** One transaction under the lock of the debt, so that two daily runs at once bill once. */
function billDebt(context: DailyRunContext, key: DebtKey, day: CalendarDate): Promise<number> {
  return context.db.transaction(async (tx) => {
    const { instanceId, debt } = key
    if ('claimId' in debt) await lockClaim(tx, { instanceId, claimId: debt.claimId })
    else await lockInvoiceRow(tx, instanceId, debt.invoiceId)
    const late = await readLateDebt(tx, key)
    const days = await lockLateDays(tx, key)
    // As long as it is owed, the next step posts it; and what was paid today belongs to what was paid before.
    if (late.status !== 'CLOSED' || days.length === 0 || days.some(({ to }) => to >= day)) return 0
    if (await isResting(tx, instanceId, late.debtor_id)) return 0
    const figures = await holdFigures(tx, instanceId)
    const country = COUNTRY_PARAMS[late.country]
    const debtorKind = late.kind === 'COMPANY' ? 'business' : 'consumer'
    const isCharged = country?.currency === late.currency
    const owed = isCharged ? days.map(owedDays) : []
    const fellDueOn = date(late.fell_due_on)
    const asked = { country: late.country, debtorKind, isLive: late.is_live, figures, fellDueOn } as const
    const interest = interestOn({ owed, ...asked })
    if (!interest) {
      const missing = missingRate(asked, owed)
      if (missing) await askForFigures(tx, instanceId, [{ ...missing, number: late.number, neededOn: day }])
      return 0
    }
    if (isInterestBilled(interest.amountMinor, late.currency)) {
      await sendInterestInvoice(context, tx, { key, late, day, interest })
      return 1
    }
    await endLateDays(tx, key, null)
    return 0
  })
}

type Bill = {
  readonly key: DebtKey
  readonly late: LateDebt
  readonly day: CalendarDate
  readonly interest: InterestSum
}

async function sendInterestInvoice(context: DailyRunContext, tx: Transaction, bill: Bill): Promise<void> {
  const { key, late, day, interest } = bill
  const { instanceId } = key
  const id = newId(context.clock.now())
  await insertInterestInvoiceRow(tx, key, {
    id,
    number: await takeInterestNumber(tx, instanceId),
    reference: await referenceOf(tx, key, late),
    sentOn: day,
    dueDate: addDays(day, TERM_DAYS),
    totalMinor: interest.amountMinor,
    rows: rowsOf(bill),
  })
  await endLateDays(tx, key, id)
  await insertStepRow(
    tx,
    { instanceId, invoiceId: id },
    {
      id: newId(context.clock.now()),
      type: 'INVOICE',
      plannedDate: day,
      performedDate: day,
      status: 'PERFORMED',
    },
  )
  const parties = { invoiceId: id, creditorId: late.creditor_id, debtorId: late.debtor_id }
  const booking = {
    id: newId(context.clock.now()),
    kind: 'INVOICE',
    charge: 'interest' as const,
    bookedOn: day,
    cause: `invoice:${id}`,
    invoiceId: id,
    paymentId: null,
    lines: bookInvoice(parties, money(interest.amountMinor, late.currency)),
    periods: interestPeriods(interest),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  await queueBills(tx, instanceId, [
    { kind: 'interest_invoice', invoiceId: id, debtorId: late.debtor_id, cause: `invoice:${id}` },
  ])
}

/** A claim's reference opens the claim: an invoice of its own needs another. */
async function referenceOf(tx: Transaction, { instanceId, debt }: DebtKey, late: LateDebt) {
  if (!('claimId' in debt)) return null
  const owner = { country: late.country, debtorId: late.debtor_id, creditorId: late.creditor_id }
  return (await issueReferences(tx, instanceId, [owner])).get(owner) ?? null
}

/** One line for each span of days and rate, with its share of the sum, which is rounded once. */
function rowsOf({ key, late, interest }: Bill) {
  const language = isLanguage(late.language) ? late.language : 'sv'
  const kind = 'claimId' in key.debt ? 'document.interest_on_claim' : 'document.interest_on'
  const name = textOf(language, kind, { number: late.number })
  const { segments } = interest
  return segments.map(({ principalMinor, percent, from, to }, index) => ({
    line: String(index + 1),
    name,
    description: textOf(language, 'document.interest_rate', {
      percent: language === 'en' ? percent : percent.replace('.', ','),
      from,
      to,
      base: printedAmount(principalMinor, late.currency, language),
    }),
    quantity: null,
    unit: null,
    amountMinor: roundedSum(segments.slice(0, index + 1)) - roundedSum(segments.slice(0, index)),
    accountNumber: null,
  }))
}
