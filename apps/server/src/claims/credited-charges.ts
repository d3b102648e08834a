/** Fees and interest that go with the principal that a credit note takes away (M-05). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Bucket, Line, Owed, Parties } from '@kvitt/domain/ledger/booking.ts'
import { bookChargesBack } from '@kvitt/domain/ledger/correction.ts'
import {
  chargesToReverse,
  interestToReverse,
  type ChargeReversal,
} from '@kvitt/domain/ledger/charge-reversals.ts'
import { add, money, subtract, sum, type Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { bookingsBack, readDebtEvents, type Booking } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'

type Credited = {
  readonly instanceId: string
  readonly invoiceId: string
  readonly claimId: string | null
  /** Not in the books yet. */
  readonly creditMinor: number
}

/**
 * The charges that a credit takes with it: those of the invoice, its part of the interest of its claim, and all of the
 * claim's own when nothing of the claim's principal was owed.
 */
export async function readChargesToReverse(tx: Transaction, credited: Credited): Promise<ChargeReversal[]> {
  const { instanceId, invoiceId, claimId, creditMinor } = credited
  const ofInvoice = await readDebtEvents(tx, instanceId, { invoiceId }, 'days')
  if (claimId === null) return chargesToReverse(ofInvoice, creditMinor)
  const events = await readDebtEvents(tx, instanceId, { claimId }, 'days')
  // What was paid before the invoice joined the claim is taken back there.
  const takenBack = events.filter((e) => e.invoiceId === invoiceId && e.cause.startsWith('reversal:'))
  const own = chargesToReverse([...ofInvoice, ...takenBack], creditMinor)
  const whole = chargesToReverse(events, creditMinor)
  const parts = interestToReverse(events, { invoiceId, creditMinor })
  const isWhole = ({ cause }: ChargeReversal): boolean =>
    whole.some((w) => cause === `${w.cause}:${invoiceId}`)
  return [...own, ...whole, ...parts.filter((part) => !isWhole(part))]
}

type ChargedOn = {
  readonly parties: Parties
  readonly owed: Owed
  readonly currency: Currency
  readonly on: CalendarDate
  /** What the entry is called that takes a charge back. */
  readonly nameOf: (cause: string) => string
  /** What of the debt was given up as too little, and so never paid; none when nothing is said. */
  readonly writtenOffMinor?: number
}

/** Each charge taken back on what is owed. Its cause names the charge, so that it comes back once. */
export function bookChargesLost(
  { clock }: Pick<Context, 'clock'>,
  lost: readonly ChargeReversal[],
  { parties, owed: before, currency, on, nameOf, writtenOffMinor = 0 }: ChargedOn,
): Booking[] {
  let owed = before
  let writtenOff = money(writtenOffMinor, currency)
  return lost.flatMap(({ cause, costsMinor, interestMinor }) => {
    const charged = {
      costs: money(costsMinor, currency),
      interest: money(interestMinor, currency),
      writtenOff,
    }
    const back = bookChargesBack(parties, charged, owed)
    owed = owedAfter(owed, [...back.reversal, ...back.writeOff, ...back.refund])
    const givenUp = back.writeOff.flatMap(({ account, amount }) =>
      account.kind === 'principal' ? [amount] : [],
    )
    writtenOff = subtract(writtenOff, sum(givenUp, currency))
    const of = {
      bookedOn: on,
      cause: nameOf(cause),
      invoiceId: 'invoiceId' in parties ? parties.invoiceId : null,
      claimId: 'claimId' in parties ? parties.claimId : null,
    }
    return bookingsBack(clock, of, back)
  })
}

function owedAfter(owed: Owed, lines: readonly Line[]): Owed {
  const bucket = (kind: Bucket) => {
    const moved = lines.filter(({ account }) => account.kind === kind).map(({ amount }) => amount)
    return add(owed[kind], sum(moved, owed[kind].currency))
  }
  return { principal: bucket('principal'), costs: bucket('costs'), interest: bucket('interest') }
}
