/** What an operator's people see of money that came to the bank: why each payment is where it is, and where it may belong. */
import type { CalendarDate } from '../calendar.ts'
import { UNPLACED } from './choose-debt.ts'

export const BANK_FILE_FORMATS = ['bgmax', 'ocr-giro', 'camt'] as const
export const BANK_LINE_KINDS = ['PAYMENT', 'DEDUCTION', 'OUTGOING'] as const
export const BANK_LINE_STATUSES = [
  'WAITING',
  'BOOKED',
  'KNOWN',
  'SUSPENSE',
  'REVERSED',
  'SENT_BACK',
  'REPEATED',
  'SETTLED',
] as const
export type BankLineStatus = (typeof BANK_LINE_STATUSES)[number]

/** Why a line is where it is. IN_SUSPENSE and NOT_YET are the two that a person or the next run has to end. */
export const BANK_MATCHES = [
  'REFERENCE',
  'ORDERED',
  'BY_HAND',
  'GATEWAY',
  'TAKEN_BACK',
  'TOLD_AGAIN',
  'EXPECTED',
  'ENTERED',
  'SENT_BACK',
  'IN_SUSPENSE',
  'NOT_YET',
] as const
export type BankMatch = (typeof BANK_MATCHES)[number]

/** Why money waits for a person. */
export const SUSPENSE_REASONS = [...UNPLACED, 'unexplained_debit', 'moved'] as const
export type SuspenseReason = (typeof SUSPENSE_REASONS)[number]

/** What speaks for a debt. */
export const EVIDENCE = ['REFERENCE', 'NEAR_REFERENCE', 'MESSAGE', 'AMOUNT', 'NAME'] as const
export type Evidence = (typeof EVIDENCE)[number]

/** How much each says: a reference is made for one debt, an amount or a name may be anybody's. */
const WEIGHTS: Readonly<Record<Evidence, number>> = {
  REFERENCE: 8,
  NEAR_REFERENCE: 6,
  MESSAGE: 5,
  AMOUNT: 3,
  NAME: 2,
}

/** What is known of money that nobody could place. */
export type Said = {
  readonly amountMinor: number
  /** Every text under which its references may be kept. */
  readonly references: readonly string[]
  readonly message: string | null
  readonly payer: string | null
}

/** A debt that may be meant. */
export type MaybeMeant = {
  readonly number: string
  readonly reference: string
  readonly owedMinor: number
  readonly debtorName: string
  readonly dueDate: CalendarDate | null
}

const LEAST_DIGITS = 6
const MOST_DIGITS = 25
const DIGITS = '0123456789'

/**
 * The references that differ from a printed one by one slip of the hand: a wrong digit, one too many, one too few, or two that
 * changed places. A short one is too near to too many others.
 */
export function slipsOf(reference: string): string[] {
  if (!/^\d+$/.test(reference) || reference.length < LEAST_DIGITS || reference.length > MOST_DIGITS) return []
  const found = new Set<string>()
  for (let at = 0; at <= reference.length; at++) {
    const [before, rest] = [reference.slice(0, at), reference.slice(at)]
    for (const digit of DIGITS) {
      found.add(before + digit + rest)
      if (rest !== '') found.add(before + digit + rest.slice(1))
    }
    if (rest !== '') found.add(before + rest.slice(1))
    if (rest.length > 1) found.add(before + rest.charAt(1) + rest.charAt(0) + rest.slice(2))
  }
  found.delete(reference)
  return [...found]
}

/** Numbers and references that a message may name: words with digits in them, and digits that were written in groups. */
export function namesInMessage(message: string | null): string[] {
  const text = (message ?? '').slice(0, 500)
  const words = text.match(/[\p{L}\d][\p{L}\d-]{2,39}/gu) ?? []
  const grouped = (text.match(/\d[\d ]{4,40}\d/g) ?? []).map((group) => group.replaceAll(' ', ''))
  return [...new Set([...words.filter((word) => /\d/.test(word)), ...grouped])].slice(0, 40)
}

/** The ways in which a bank may write the name of a person or a firm, in small letters. */
export function namesOfPayer(payer: string | null): string[] {
  const words = wordsOf(payer ?? '')
  if (words.length === 0 || words.length > 6) return []
  const turned = [words.slice(1), words.slice(0, 1)].flat()
  const back = [words.slice(-1), words.slice(0, -1)].flat()
  return [...new Set([words, turned, back].map((one) => one.join(' ')))]
}

function wordsOf(name: string): string[] {
  return name
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\d&'-]+/u)
    .filter((word) => word !== '')
}

/** The same person or firm: the same words in any order, or all of the shorter name with an initial for a whole word. */
function areAlike(one: string, other: string): boolean {
  const [fewer, more] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length)
  if (!fewer || !more || fewer.length === 0) return false
  const isIn = (word: string): boolean =>
    more.includes(word) || (word.length === 1 && more.some((whole) => whole.startsWith(word)))
  return fewer.every(isIn) && fewer.some((word) => word.length > 2) && fewer.length + 1 >= more.length
}

/** What speaks for a debt, the strongest first. */
export function evidenceFor(said: Said, debt: MaybeMeant): Evidence[] {
  const isNamed = said.references.includes(debt.reference)
  const slips = new Set(slipsOf(debt.reference))
  const named = namesInMessage(said.message)
  const holds: Readonly<Record<Evidence, boolean>> = {
    REFERENCE: isNamed,
    NEAR_REFERENCE: !isNamed && said.references.some((reference) => slips.has(reference)),
    MESSAGE: named.includes(debt.reference) || named.includes(debt.number),
    AMOUNT: debt.owedMinor === said.amountMinor,
    NAME: said.payer !== null && areAlike(said.payer, debt.debtorName),
  }
  return EVIDENCE.filter((kind) => holds[kind])
}

/** The best first; of two with the same evidence, the one that is due first. */
export function byEvidence<
  One extends { readonly evidence: readonly Evidence[]; readonly dueDate: string | null },
>(all: readonly One[]): One[] {
  const weightOf = ({ evidence }: One): number => evidence.reduce((sum, kind) => sum + WEIGHTS[kind], 0)
  return all.toSorted(
    (a, b) => weightOf(b) - weightOf(a) || (a.dueDate ?? '9999').localeCompare(b.dueDate ?? '9999', 'en'),
  )
}
