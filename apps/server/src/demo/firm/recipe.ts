/**
 * The background of the demo: what a firm in its third month has besides the cast. Written down as a recipe of invoices with a
 * story each; the product itself lives through it, day by day. Days count from the day on which the demo was made.
 */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addBankDays, isBankDay } from '@kvitt/domain/collection/bank-days.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import type { CastDebtor } from '../cast.ts'
import { customerOf } from './firm-people.ts'

/** What becomes of an invoice. Those whose day has not come yet are simply owed. */
export const STORIES = [
  'early',
  'inTime',
  'late',
  'reminded',
  'inClaim',
  'unpaid',
  'planned',
  'disputed',
  'credited',
] as const
export type Story = (typeof STORIES)[number]

/**
 * How many of a hundred invoices have each story. Nine of ten are paid without a claim, which a firm that is paid by its customers
 * would recognise; the rest is what its staff work with.
 */
export const SHARES: Readonly<Record<Story, number>> = {
  early: 34,
  inTime: 40,
  late: 8,
  reminded: 8,
  inClaim: 3,
  unpaid: 3,
  planned: 2,
  disputed: 1,
  credited: 1,
}

/** Days from the due date to what happens: a payment for most of them. A claim is opened after 22. */
const HAPPENS: Readonly<Record<Story, number>> = {
  early: -6,
  inTime: 0,
  late: 3,
  reminded: 14,
  inClaim: 32,
  unpaid: 0,
  planned: 10,
  disputed: 4,
  credited: -12,
}

export type FirmInvoice = {
  readonly creditor: 'energy' | 'gym'
  readonly number: string
  readonly reference: string
  readonly debtor: CastDebtor
  readonly text: string
  readonly totalMinor: number
  readonly issued: CalendarDate
  readonly due: CalendarDate
  readonly story: Story
  /** When the story happens; of what is never paid, never. */
  readonly happens: CalendarDate | null
}

const TERM_DAYS = 30
export const FIRM_DAYS = 120

type Billing = {
  readonly creditor: FirmInvoice['creditor']
  readonly prefix: string
  readonly customers: number
  /** The customers of one run; the next run takes those after them. */
  readonly perRun: number
  readonly runs: readonly number[]
  readonly text: string
  readonly prices: readonly number[]
}

/** The energy company bills a quarter of its customers each week, the gym all of its members every thirty days. */
function billings(scale: number): Billing[] {
  const size = (number: number): number => Math.max(1, Math.round(number * scale))
  return [
    {
      creditor: 'energy',
      prefix: 'E-',
      customers: 4 * size(60),
      perRun: size(60),
      runs: Array.from({ length: 18 }, (_, week) => 7 * week - (FIRM_DAYS - 1)),
      text: 'El och elnät',
      prices: [48_900, 61_250, 73_400, 89_900, 104_500, 132_750, 214_300],
    },
    {
      creditor: 'gym',
      prefix: 'G-',
      customers: size(105),
      perRun: size(105),
      runs: [-118, -88, -58, -28],
      text: 'Medlemskap en månad',
      prices: [39_900, 44_900, 59_900],
    },
  ]
}

/** Spreads the stories evenly: 37 has no divisor in common with 100, so that a hundred in a row have each its share. */
const STEP = 37

function storyOf(index: number): Story {
  let place = (index * STEP) % 100
  for (const story of STORIES) {
    place -= SHARES[story]
    if (place < 0) return story
  }
  throw new Error('the shares of the stories do not make a hundred')
}

/** All invoices of the firm, the oldest first. `scale` 1 makes 1,500 of them. */
export function firmInvoices(today: CalendarDate, scale = 1): FirmInvoice[] {
  return billings(scale)
    .flatMap((billing, series) =>
      billing.runs.flatMap((run, turn) =>
        Array.from({ length: billing.perRun }, (_, place): FirmInvoice => {
          const index = turn * billing.perRun + place
          const issued = addDays(today, run)
          const due = addDays(issued, TERM_DAYS)
          const story = storyOf(index)
          const happens = addBankDays('SE', addDays(due, HAPPENS[story] + (index % 3)), 0)
          return {
            creditor: billing.creditor,
            number: `${billing.prefix}${10_001 + index}`,
            reference: makeReference('SE', `910${series}${String(index).padStart(8, '0')}`),
            debtor: customerOf(billing.creditor, index % billing.customers),
            text: billing.text,
            totalMinor: billing.prices[index % billing.prices.length] as number,
            issued,
            due,
            story,
            happens: story === 'unpaid' ? null : happens,
          }
        }),
      ),
    )
    .toSorted((a, b) => (a.issued < b.issued ? -1 : a.issued > b.issued ? 1 : 0))
}

/** Days after which an objection is answered. */
export const ANSWER_DAYS = 9

/** Five payments of one file whose references are nobody's: a number too few, another firm's, a name. */
export const STRAYS = [
  { reference: '9100000012', amountMinor: 61_250 },
  { reference: '4711', amountMinor: 104_500 },
  { reference: '260101314921', amountMinor: 48_900 },
  { reference: '777000123', amountMinor: 73_400 },
  { reference: '12345', amountMinor: 150_000 },
] as const

/** The last day before `day` on which banks were open. */
export function lastBankDay(day: CalendarDate): CalendarDate {
  const before = addDays(day, -1)
  return isBankDay('SE', before) ? before : lastBankDay(before)
}
