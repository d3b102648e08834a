/** What has happened to an invoice, in one list: steps of the collection schedule and movements of money. */
import { date, daysBetween } from '../calendar.ts'

export type Step = {
  readonly id: string
  readonly type: string
  readonly performedDate: string | null
  readonly status: string
}

export type Movement = {
  readonly id: string
  readonly type: string
  readonly date: string
  readonly amountMinor: number
  readonly balanceMinor: number
}

export type TimelineEvent = {
  readonly topic: 'LEDGER' | 'FINANCIAL'
  readonly id: string
  readonly type: string
  readonly date: string
  readonly amountMinor: number | null
  readonly balanceMinor: number | null
  readonly status: string | null
}

/** Steps whose fee goes by another name in the books. */
const FEE_OF: Readonly<Record<string, string>> = {
  COLLECTION_CLAIM: 'COLLECTION',
  BAILIFF_PAYMENT_INJUCTION: 'COURT_FEE',
}

/** A movement this many days from a step of its type still belongs to that step. */
const NEAR_DAYS = 3

/**
 * Steps that were performed, each with the amount and balance of the nearest movement of its type; then the
 * movements that belong to no step. Oldest first; on one day what moved money stands in the order of `movements`, so
 * that each balance is the one after its row, and steps that moved none come before it. A claim begins with what was
 * moved into it.
 */
export function mergeEvents(steps: readonly Step[], movements: readonly Movement[]): TimelineEvent[] {
  const left = [...movements]
  const performed = steps
    .flatMap((step) =>
      step.status === 'PERFORMED' && step.performedDate ? [{ ...step, date: step.performedDate }] : [],
    )
    .map((step): Placed => {
      const movement = takeNearest(left, step)
      return {
        event: {
          topic: 'LEDGER',
          id: step.id,
          type: step.type,
          date: step.date,
          amountMinor: movement?.amountMinor ?? null,
          balanceMinor: movement?.balanceMinor ?? null,
          status: step.status,
        },
        place: movement === undefined ? BEFORE_MOVEMENTS : movements.indexOf(movement),
      }
    })
  const rest = left.map(
    (m): Placed => ({
      event: {
        topic: 'FINANCIAL',
        id: m.id,
        type: m.type,
        date: m.date,
        amountMinor: m.amountMinor,
        balanceMinor: m.balanceMinor,
        status: null,
      },
      place: isMovedIn(m) ? MOVED_IN : movements.indexOf(m),
    }),
  )
  return [...performed, ...rest].sort(inOrder).map(({ event }) => event)
}

/** An event and where it stands among those of its day. */
type Placed = { readonly event: TimelineEvent; readonly place: number }

const MOVED_IN = -2
const BEFORE_MOVEMENTS = -1

const isMovedIn = (m: Movement): boolean => m.type === 'TRANSFER_TO_CLAIM' && m.amountMinor > 0

function inOrder(a: Placed, b: Placed): number {
  if (a.event.date !== b.event.date) return a.event.date < b.event.date ? -1 : 1
  if (a.place !== b.place) return a.place - b.place
  return a.event.id < b.event.id ? -1 : 1
}

function takeNearest(left: Movement[], step: { type: string; date: string }): Movement | undefined {
  const distance = (m: Movement): number => Math.abs(daysBetween(date(step.date), date(m.date)))
  // An invoice is sent before it reaches our books, sometimes long before: its step and its posting are one.
  const isNear = (m: Movement): boolean =>
    (m.type === step.type || m.type === FEE_OF[step.type]) &&
    (m.type === 'INVOICE' || distance(m) <= NEAR_DAYS)
  const nearest = left.filter(isNear).sort((a, b) => distance(a) - distance(b))[0]
  if (nearest) left.splice(left.indexOf(nearest), 1)
  return nearest
}
