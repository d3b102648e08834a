/**
 * Fees and interest whose ground a credit takes away (M-05): the principal that they were charged for was never owed, so
 * neither are they.
 */
import { divideRounded } from '../money.ts'

/** What one transaction did to an invoice or a claim, in minor units. */
export type DebtEvent = {
  readonly kind: string
  readonly cause: string
  /** The invoice it is about: of a claim's events those that belong to one of its invoices. */
  readonly invoiceId: string | null
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
  /** The whole of a credit, also what of it was paid already. */
  readonly creditedMinor: number
  /** How much of a charge has been taken back, or waived. */
  readonly takenBackMinor: number
  /** How much of that was waived: it was charged all the same. */
  readonly waivedMinor: number
  /** A step of the schedule charged it. */
  readonly isOfStep: boolean
  /** A fee or interest that a step of the schedule charged, and no letter or decision has taken back. */
  readonly isCharge: boolean
}

/** What of a charge is to be taken back. */
export type ChargeReversal = {
  readonly cause: string
  readonly costsMinor: number
  readonly interestMinor: number
}

const creditsIn = (events: readonly DebtEvent[]): number =>
  events.reduce((total, { creditedMinor }) => total + creditedMinor, 0)

/**
 * The charges for a principal all of which has been credited since, `creditMinor` included, which is not among the
 * `events`. What was paid of that principal was owed, and so was what it cost.
 */
export function chargesToReverse(events: readonly DebtEvent[], creditMinor: number): ChargeReversal[] {
  let principal = 0
  return events.flatMap((event, index) => {
    const ground = principal + owedAgain(events, index)
    principal += event.principalMinor
    const credited = creditsIn(events.slice(index)) + creditMinor
    if (!event.isCharge || ground <= 0 || credited < ground) return []
    return leftOf(event, event.costsMinor + event.interestMinor)
  })
}

/**
 * What looked paid when the event at `index` came, and was taken back since: it was owed all the time. It may have been
 * paid on an invoice before that joined its claim, and is then not among the claim's events.
 */
function owedAgain(events: readonly DebtEvent[], index: number): number {
  const later = events.slice(index)
  const since = new Set(later.map(({ cause }) => `reversal:${cause}`))
  return later
    .filter(({ cause }) => cause.startsWith('reversal:') && !since.has(cause))
    .reduce((total, { principalMinor }) => total + principalMinor, 0)
}

/**
 * As chargesToReverse, of the interest that a claim has borne for one of its invoices: its part by principal. Fees of
 * the claim itself are for all of it.
 */
export function interestToReverse(
  events: readonly DebtEvent[],
  { invoiceId, creditMinor }: { readonly invoiceId: string; readonly creditMinor: number },
): ChargeReversal[] {
  const own = events.map((event) => (event.invoiceId === invoiceId ? event : { ...event, ...NOT_ITS }))
  let all = 0
  let ground = 0
  return events.flatMap((event, index) => {
    const claimed = all + owedAgain(events, index)
    const joined = Math.min(ground + owedAgain(own, index), claimed)
    all += event.principalMinor
    ground += own[index]?.principalMinor ?? 0
    const credited = creditsIn(own.slice(index)) + creditMinor
    if (!event.isCharge || event.interestMinor === 0 || joined <= 0 || credited < joined) return []
    const part = divideRounded(BigInt(event.interestMinor) * BigInt(joined), BigInt(claimed), 'half-up')
    return leftOf(event, Number(part)).map((back) => ({ ...back, cause: `${back.cause}:${invoiceId}` }))
  })
}

/** Of another invoice, or of the claim itself. */
const NOT_ITS = { principalMinor: 0, creditedMinor: 0 }

/** At most `mostMinor` of a charge, as far as it has not been taken back. Each charge is one bucket's. */
function leftOf({ cause, ...event }: DebtEvent, mostMinor: number): ChargeReversal[] {
  const charged = event.costsMinor + event.interestMinor
  const minor = Math.min(mostMinor, charged - event.takenBackMinor)
  if (minor <= 0) return []
  const isInterest = event.interestMinor > 0
  return [{ cause, costsMinor: isInterest ? 0 : minor, interestMinor: isInterest ? minor : 0 }]
}
