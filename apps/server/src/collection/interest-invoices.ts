/**
 * Interest on principal that was paid late, for the days that no posting has counted (D-28): billed as an invoice of its
 * own when it is worth it, else dropped. Part of the night.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  interestToPost,
  isInterestBilled,
  type InterestPosting,
} from '@kvitt/domain/collection/interest-posting.ts'
import { COUNTRY_PARAMS } from '@kvitt/domain/collection/country-params.ts'
import { bookInvoice, debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { lockClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { insertStepRow, issueReferences, lockInvoiceRow } from '../invoices/invoices.ts'
import { postBookings } from '../ledger/ledger.ts'
import { queueBills } from '../mail/mail.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { setAside } from '../platform/set-aside.ts'
import { isLanguage, textOf } from '../platform/texts.ts'
import { insertRateTasks } from './collection.queries.ts'
import {
  insertInterestInvoiceRow,
  readLateDebt,
  readLatePayments,
  readPaidLate,
  settleLateRows,
  takeInterestNumber,
  type LateDebt,
  type LatePayment,
} from './interest-invoices.queries.ts'

/** Days from sending to the due date of an interest invoice. */
const TERM_DAYS = 14

type NightContext = Pick<Context, 'db' | 'clock' | 'log'>

/** Settles the interest of what was paid late before `day`. Answers how many invoices were made. */
export async function billLateInterest(
  context: NightContext,
  instanceId: string,
  day: CalendarDate,
): Promise<number> {
  let billed = 0
  for (const debt of await readPaidLate(context.db, instanceId, day)) {
    const matter = { instanceId, about: `late interest of ${debtId(debt)}` }
    billed += (await setAside(context, matter, () => billDebt(context, { instanceId, debt }, day))) ?? 0
  }
  return billed
}

type DebtKey = { readonly instanceId: string; readonly debt: Debt }

/** No bill while staff or a dispute holds the case: what waits is looked at again every night. */
const MOVING = ['ACTIVATED', 'PENDING_AUTHORIZATION', 'CLOSED', 'OPEN', 'RESUME']

/** One transaction under the lock of the debt, so that two nights at once bill once. */
function billDebt(context: NightContext, key: DebtKey, day: CalendarDate): Promise<number> {
  return context.db.transaction(async (tx) => {
    const { instanceId, debt } = key
    if ('claimId' in debt) await lockClaim(tx, { instanceId, claimId: debt.claimId })
    else await lockInvoiceRow(tx, instanceId, debt.invoiceId)
    const late = await readLateDebt(tx, key)
    const isCharged = COUNTRY_PARAMS[late.country]?.currency === late.currency && late.status !== 'STOPPED'
    const all = await readLatePayments(tx, key, day)
    const owed = all.filter((payment) => isCharged && !payment.is_forgiven)
    await drop(
      tx,
      instanceId,
      all.filter((payment) => !owed.includes(payment)),
    )
    if (!MOVING.includes(late.status)) return 0
    let billed = 0
    for (const group of sincePostings(owed)) {
      if (await billGroup(context, tx, { key, late, day }, group)) billed += 1
    }
    return billed
  })
}

/** What was paid between one posting of interest and the next is counted together. */
function sincePostings(payments: readonly LatePayment[]): LatePayment[][] {
  const groups = new Map<string, LatePayment[]>()
  for (const payment of payments) {
    groups.set(payment.from_day, [...(groups.get(payment.from_day) ?? []), payment])
  }
  return [...groups.values()]
}

async function drop(tx: Transaction, instanceId: string, payments: readonly LatePayment[]): Promise<void> {
  if (payments.length === 0) return
  const rows = payments.map(({ payment_id }) => ({ paymentId: payment_id, interestMinor: 0 }))
  await settleLateRows(tx, { instanceId, billId: null }, rows)
}

type Case = { readonly key: DebtKey; readonly late: LateDebt; readonly day: CalendarDate }

/** Too little waits as long as more can come to it: until the next posting, or until nothing is owed. */
async function billGroup(
  context: NightContext,
  tx: Transaction,
  { key, late, day }: Case,
  payments: readonly LatePayment[],
): Promise<boolean> {
  const { instanceId } = key
  const parts = payments.flatMap((payment) => {
    const posting = interestOf(late, payment)
    return posting ? [{ payment, posting }] : []
  })
  const lastPaidOn = payments.at(-1)?.paid_on ?? day
  if (parts.length < payments.length) {
    await askAboutRate(context, tx, { instanceId, late, paidOn: lastPaidOn })
    return false
  }
  const interestMinor = parts.reduce((sum, { posting }) => sum + posting.amountMinor, 0)
  if (isInterestBilled(interestMinor, late.currency)) {
    await sendInterestInvoice(context, tx, { key, late, day, interestMinor, parts })
    return true
  }
  const isOver = late.status === 'CLOSED' || payments.some(({ from_day }) => from_day <= late.posted_to)
  if (isOver) await drop(tx, instanceId, payments)
  return false
}

function interestOf(late: LateDebt, payment: LatePayment): InterestPosting | undefined {
  return interestToPost({
    principalMinor: payment.principal_minor,
    from: date(payment.from_day),
    to: date(payment.paid_on),
    country: late.country,
    debtorKind: late.kind === 'COMPANY' ? 'business' : 'consumer',
  })
}

async function askAboutRate(
  context: NightContext,
  tx: Transaction,
  { instanceId, late, paidOn }: { instanceId: string; late: LateDebt; paidOn: string },
): Promise<void> {
  const about = `${late.country} ${late.kind === 'COMPANY' ? 'business' : 'consumer'} late interest ${paidOn}`
  const task = { id: newId(context.clock.now()), about, details: { missing: about } }
  await insertRateTasks(tx, instanceId, [task])
}

type Part = { readonly payment: LatePayment; readonly posting: InterestPosting }

type Bill = Case & { readonly interestMinor: number; readonly parts: readonly Part[] }

async function sendInterestInvoice(context: NightContext, tx: Transaction, bill: Bill): Promise<void> {
  const { key, late, day, interestMinor, parts } = bill
  const { instanceId } = key
  const id = newId(context.clock.now())
  await insertInterestInvoiceRow(tx, key, {
    id,
    number: await takeInterestNumber(tx, instanceId),
    reference: await referenceOf(tx, key, late),
    sentOn: day,
    dueDate: addDays(day, TERM_DAYS),
    totalMinor: interestMinor,
    rows: rowsOf(bill),
  })
  const rows = parts.map(({ payment, posting }) => ({
    paymentId: payment.payment_id,
    interestMinor: posting.amountMinor,
  }))
  await settleLateRows(tx, { instanceId, billId: id }, rows)
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
    bookedOn: day,
    cause: `invoice:${id}`,
    invoiceId: id,
    paymentId: null,
    lines: bookInvoice(parties, money(interestMinor, late.currency)),
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

/** One line for each payment: what was late, at which rate, for which days. */
function rowsOf({ key, late, parts }: Bill) {
  const language = isLanguage(late.language) ? late.language : 'sv'
  const name = textOf(
    language,
    'claimId' in key.debt ? 'document.interest_on_claim' : 'document.interest_on',
    { number: late.number },
  )
  const charged = parts.filter(({ posting }) => posting.amountMinor > 0)
  return charged.map(({ posting: { amountMinor, segments } }, index) => ({
    line: String(index + 1),
    name,
    description: segments.map(({ from, to, percent }) => `${percent} % ${from} – ${to}`).join(', '),
    quantity: null,
    unit: null,
    amountMinor,
    accountNumber: null,
  }))
}
