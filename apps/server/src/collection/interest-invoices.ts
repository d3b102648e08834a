/**
 * Interest that had accrued when a late payment came (D-28): billed as an invoice of its own when it is worth it,
 * else dropped. Part of the night.
 */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  interestToPost,
  isInterestBilled,
  type InterestPosting,
} from '@kvitt/domain/collection/interest-posting.ts'
import { COUNTRY_PARAMS } from '@kvitt/domain/collection/country-params.ts'
import { bookInvoice } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { insertStepRow, lockInvoiceRow, type InvoiceKey, type InvoiceRow } from '../invoices/invoices.ts'
import { postBookings } from '../ledger/ledger.ts'
import { queueBills } from '../mail/mail.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { setAside } from '../platform/set-aside.ts'
import { isLanguage, textOf } from '../platform/texts.ts'
import { insertRateTasks, setInterestDayRows } from './collection.queries.ts'
import {
  insertInterestInvoiceRow,
  readLateDebt,
  readLatePayments,
  readPaidLate,
  takeInterestNumber,
  type LateDebt,
} from './interest-invoices.queries.ts'

/** Days from sending to the due date of an interest invoice. */
const TERM_DAYS = 14

type NightContext = Pick<Context, 'db' | 'clock' | 'log'>

/** Settles the interest of everything that was paid late in the days before `day`. Answers how many were billed. */
export async function billLateInterest(
  context: NightContext,
  instanceId: string,
  day: CalendarDate,
): Promise<number> {
  let billed = 0
  for (const invoiceId of await readPaidLate(context.db, instanceId, day)) {
    const matter = { instanceId, about: `late interest of invoice ${invoiceId}` }
    if (await setAside(context, matter, () => billOne(context, { instanceId, invoiceId }, day))) billed += 1
  }
  return billed
}

/** One transaction under the lock of the invoice, so that two nights at once bill once. */
function billOne(context: NightContext, key: InvoiceKey, day: CalendarDate): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const invoice = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
    if (invoice.status !== 'CLOSED') return false
    const debt = await readLateDebt(tx, key)
    const dueDate = date(invoice.expire_date)
    const settledTo = debt.interest_posted_to ? laterOf(date(debt.interest_posted_to), dueDate) : dueDate
    const payments = await readLatePayments(tx, key, settledTo)
    const lastPaidOn = payments.at(-1)?.paid_on
    if (lastPaidOn === undefined) return false
    const isCharged = COUNTRY_PARAMS[debt.country]?.currency === invoice.currency
    const parts = (isCharged ? payments : []).map((payment) =>
      interestToPost({
        principalMinor: payment.principal_minor,
        from: addDays(settledTo, 1),
        to: date(payment.paid_on),
        country: debt.country,
        debtorKind: debt.kind === 'COMPANY' ? 'business' : 'consumer',
      }),
    )
    if (parts.includes(undefined)) {
      await askAboutRate(context, tx, { key, debt, paidOn: lastPaidOn })
      return false
    }
    const postings = parts.filter((part) => part !== undefined)
    const interestMinor = postings.reduce((sum, part) => sum + part.amountMinor, 0)
    await setInterestDayRows(tx, { instanceId: key.instanceId, day: lastPaidOn }, [key.invoiceId])
    if (!isInterestBilled(interestMinor, invoice.currency)) return false
    await sendInterestInvoice(context, tx, { invoice, debt, day, interestMinor, postings })
    return true
  })
}

async function askAboutRate(
  context: NightContext,
  tx: Transaction,
  { key, debt, paidOn }: { key: InvoiceKey; debt: LateDebt; paidOn: string },
): Promise<void> {
  const about = `${debt.country} ${debt.kind === 'COMPANY' ? 'business' : 'consumer'} late interest ${paidOn}`
  const task = { id: newId(context.clock.now()), about, details: { missing: about } }
  await insertRateTasks(tx, key.instanceId, [task])
}

type Bill = {
  readonly invoice: InvoiceRow
  readonly debt: LateDebt
  readonly day: CalendarDate
  readonly interestMinor: number
  readonly postings: readonly InterestPosting[]
}

async function sendInterestInvoice(context: NightContext, tx: Transaction, bill: Bill): Promise<void> {
  const { invoice, day, interestMinor } = bill
  const instanceId = invoice.instance_id
  const id = newId(context.clock.now())
  const key = { instanceId, invoiceId: id }
  await insertInterestInvoiceRow(
    tx,
    { instanceId, invoiceId: invoice.id },
    {
      id,
      number: await takeInterestNumber(tx, instanceId),
      sentOn: day,
      dueDate: addDays(day, TERM_DAYS),
      totalMinor: interestMinor,
      rows: rowsOf(bill),
    },
  )
  await insertStepRow(tx, key, {
    id: newId(context.clock.now()),
    type: 'INVOICE',
    plannedDate: day,
    performedDate: day,
    status: 'PERFORMED',
  })
  const parties = { invoiceId: id, creditorId: invoice.creditor_id, debtorId: invoice.debtor_id }
  const booking = {
    id: newId(context.clock.now()),
    kind: 'INVOICE',
    bookedOn: day,
    cause: `invoice:${id}`,
    invoiceId: id,
    paymentId: null,
    lines: bookInvoice(parties, money(interestMinor, invoice.currency)),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  await queueBills(tx, instanceId, [
    { kind: 'interest_invoice', invoiceId: id, debtorId: invoice.debtor_id, cause: `invoice:${id}` },
  ])
}

/** One line for each payment: what was late, at which rate, for which days. */
function rowsOf({ invoice, debt, postings }: Bill) {
  const language = isLanguage(debt.language) ? debt.language : 'sv'
  const charged = postings.filter(({ amountMinor }) => amountMinor > 0)
  return charged.map(({ amountMinor, segments }, index) => ({
    line: String(index + 1),
    name: textOf(language, 'document.interest_on', { number: invoice.invoice_number }),
    description: segments.map(({ from, to, percent }) => `${percent} % ${from} – ${to}`).join(', '),
    quantity: null,
    unit: null,
    amountMinor,
    accountNumber: null,
  }))
}
