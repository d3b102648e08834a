/** Money that a gateway tells of, and that a bank's file may have brought before: it is in the books once. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookOutOfSuspense } from '@kvitt/domain/ledger/arrival.ts'
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { postBookings } from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { endTask } from '../../tasks/tasks.ts'
import type { LockedDebt } from '../payable.ts'
import type { PaymentRow } from '../payments.queries.ts'
import { findCompletedSum, IN_SUMS } from './daily-sum.ts'
import { findPayeeAccounts, findToldByBank, linkToldLine, type ToldLine } from './told-by-bank.queries.ts'

/** The gateways whose money also comes through the files of banks. */
export const IN_BANK_FILES: ReadonlySet<string> = new Set(['DIRECT_BANK', IN_SUMS])

type Told = {
  readonly locked: LockedDebt
  readonly payment: PaymentRow
  readonly today: CalendarDate
  /** From when the money counts, as the gateway tells it. */
  readonly valueOn: CalendarDate
}

/**
 * Calls `book` unless a line of a bank's file was booked on the debt and is the same money: then the line is the payment's,
 * and false is answered. What lies in suspense is booked through the gateway, from the earlier of both days, and leaves suspense. Ask under
 * holdBankLines and the locks of debt and payment.
 */
export async function bookOnce(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { locked, payment, today, valueOn }: Told,
  book: (valueOn: CalendarDate) => Promise<void>,
): Promise<boolean> {
  const isInFiles = IN_BANK_FILES.has(payment.gateway)
  const accounts = isInFiles ? await findPayeeAccounts(tx, payment) : []
  const told = isInFiles ? await findToldByBank(tx, payment, { debt: locked, accounts, today }) : undefined
  if (told) await linkToldLine(tx, payment, told)
  if (told?.status === 'BOOKED') return false
  await book(valueDayOf([told && dayOfLine(told)], valueOn))
  if (told)
    await leaveSuspense(context, tx, {
      payment,
      line: { ...told, amount_minor: payment.amount_minor },
      today,
    })
  const sum = payment.gateway === IN_SUMS && !told ? await findCompletedSum(tx, payment, accounts) : undefined
  if (sum) await leaveSuspense(context, tx, { payment, line: sum, today })
  return true
}

const dayOfLine = ({ bank_date: day, value_date: value }: ToldLine): CalendarDate =>
  valueDayOf([value === null ? null : date(value)], date(day))

/** The gateway owes the money no longer: it has come to the account. */
async function leaveSuspense(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  {
    payment,
    line,
    today,
  }: Omit<Told, 'locked' | 'valueOn'> & {
    readonly line: { readonly id: string; readonly amount_minor: number }
  },
): Promise<void> {
  await endTask(tx, {
    instanceId: payment.instance_id,
    kind: 'bank_line',
    about: `bank-line:${line.id}`,
  })
  const booking = {
    id: newId(clock.now()),
    kind: 'REVERSAL',
    bookedOn: today,
    cause: `known:bank-line:${line.id}`,
    invoiceId: null,
    paymentId: null,
    lines: bookOutOfSuspense(payment.gateway, money(line.amount_minor, payment.currency)),
  }
  await postBookings(tx, payment.instance_id, [booking], clock)
}
