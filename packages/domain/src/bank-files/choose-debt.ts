/** Which debt money belongs to that came to a bank account with a reference. */
import type { CalendarDate } from '../calendar.ts'
import type { Debt } from '../ledger/booking.ts'
import { debtId } from '../ledger/booking.ts'
import type { Currency } from '../money.ts'

/** What the references of a line lead to. What a claim or plan has taken over is owed there. */
export type Candidate = {
  readonly debt: Debt
  readonly creditorId: string
  readonly debtorId: string
  readonly currency: Currency
  readonly owedMinor: number
  /** It is being paid by a plan that has billed nothing that is unpaid. */
  readonly isPlanned: boolean
  readonly dueDate: CalendarDate
}

export type Incoming = {
  readonly amountMinor: number
  readonly currency: Currency
  /** Whose account the money came to (D-27); null is the instance's own, which takes money for all. */
  readonly creditorIds: readonly string[] | null
}

/** Why a person has to place it. */
export const UNPLACED = [
  'no_reference',
  'unknown_reference',
  'other_creditor',
  'other_currency',
  'several_debtors',
  'several_debts',
  'in_a_plan',
  'nothing_to_take_back',
  'not_reversible',
  'implausible_amount',
  'told_otherwise',
  'told_differently',
] as const
export type Unplaced = (typeof UNPLACED)[number]

type Choice = { readonly debt: Debt } | { readonly reason: Unplaced }

function count(values: readonly string[]): number {
  return new Set(values).size
}

function byDueDate(a: Candidate, b: Candidate): number {
  return a.dueDate === b.dueDate ? 0 : a.dueDate < b.dueDate ? -1 : 1
}

/**
 * The debt that the amount fits exactly, else the one that is due first; what owes nothing any more is paid too much
 * (M-19). Nothing is guessed between two debtors, nor between what several references name.
 */
export function chooseDebt(
  found: readonly Candidate[],
  { amountMinor, currency, creditorIds }: Incoming,
  references: number,
): Choice {
  if (references === 0) return { reason: 'no_reference' }
  if (found.length === 0) return { reason: 'unknown_reference' }
  const theirs = found.filter(({ creditorId }) => creditorIds?.includes(creditorId) ?? true)
  if (theirs.length === 0) return { reason: 'other_creditor' }
  const sorted = theirs.filter((candidate) => candidate.currency === currency).toSorted(byDueDate)
  if (sorted.length === 0) return { reason: 'other_currency' }
  const owing = sorted.filter((candidate) => candidate.owedMinor > 0 && !candidate.isPlanned)
  const exact = owing.filter((candidate) => candidate.owedMinor === amountMinor)
  const isOne = (all: readonly Candidate[]): boolean => count(all.map(({ debtorId }) => debtorId)) === 1
  const isOfMany = (all: readonly Candidate[]): boolean => count(all.map(({ creditorId }) => creditorId)) > 1
  if (exact[0] && isOne(exact) && !(isOne(owing) && isOfMany(owing))) return { debt: exact[0].debt }
  const open = owing.length > 0 ? owing : sorted
  if (!isOne(open)) return { reason: 'several_debtors' }
  // A printed reference that another creditor had before stays known: whose money it is, nobody can tell from it.
  if (isOfMany(open)) return { reason: 'several_debts' }
  if (references > 1 && count(open.map(({ debt }) => debtId(debt))) > 1) return { reason: 'several_debts' }
  if (owing[0]) return { debt: owing[0].debt }
  if (sorted.some(({ isPlanned }) => isPlanned)) return { reason: 'in_a_plan' }
  const newest = sorted.at(-1)
  return newest ? { debt: newest.debt } : { reason: 'unknown_reference' }
}

/**
 * What else the reference of a line names that the debtor of `chosen` owes the same creditor, due first first: a transfer
 * that is larger than one document pays these too (D-22). Nothing when several references name them.
 */
export function alsoOwed(found: readonly Candidate[], chosen: Debt, references: number): Debt[] {
  const first = found.find(({ debt }) => debtId(debt) === debtId(chosen))
  if (references !== 1 || !first) return []
  return found
    .filter((one) => one !== first && one.owedMinor > 0 && !one.isPlanned)
    .filter((one) => one.debtorId === first.debtorId && one.creditorId === first.creditorId)
    .filter(({ currency }) => currency === first.currency)
    .toSorted(byDueDate)
    .map(({ debt }) => debt)
}

/** The longest reference there is. */
const LONGEST = 25

/**
 * The texts under which a reference may be kept here: as it came; an RF reference also without its frame; and where
 * the bank does not count leading zeros (KID, viitenumero, FIK) with any number of them.
 */
export function referenceForms(reference: string, countsZeros: boolean): string[] {
  const bare = /^RF\d\d([0-9A-Z]+)$/i.exec(reference)?.[1]
  const forms = [reference, ...(bare ? [bare] : [])]
  if (countsZeros) return forms
  const digits = (bare ?? reference).replace(/^0+/, '')
  if (!/^\d+$/.test(digits)) return forms
  const padded = Array.from({ length: LONGEST - digits.length + 1 }, (_, zeros) => '0'.repeat(zeros) + digits)
  return [...new Set([...forms, ...padded])]
}
