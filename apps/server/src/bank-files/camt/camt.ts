/**
 * Reads camt.053 and camt.054 (ISO 20022): what was booked on an account. Money that came is a payment, and a
 * reversed credit takes one back; what the account's owner sent is outgoing. What is not booked yet is left out.
 */
import { createHash } from 'node:crypto'
import {
  sumOfBankLines,
  type BankFile,
  type BankLine,
  type BankReport,
  type Deposit,
} from '@kvitt/domain/bank-files/bank-file.ts'
import type { EntryIds } from '@kvitt/domain/bank-files/match-entries.ts'
import { ibanOfPayer, nationalOfPayer, type PayerAccount } from '@kvitt/domain/bank-files/payer-account.ts'
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency, Money } from '@kvitt/domain/money.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { normaliseReference } from '@kvitt/domain/references.ts'
import { ElementReader, type ReadElement } from '../../imports/imports.ts'
import { openBreather } from '../../platform/breathe.ts'
import { all, amountOf, isBooked, refuse, textAt } from './camt-elements.ts'
import { readBalances, readPageSums } from './camt-balances.ts'
import { pageOf, readTold, statementOf, type PagePlace } from './camt-days.ts'
import { CAMT } from './camt-shape.ts'

function dayOf(entry: ReadElement): CalendarDate {
  const days = ['BookgDt', 'ValDt'].flatMap((name) => [
    textAt(entry, name, 'Dt'),
    textAt(entry, name, 'DtTm'),
  ])
  const day = parseDate(days.find((text) => text !== undefined)?.slice(0, 10) ?? '')
  return day ?? refuse('An entry has no day.', entry)
}

function valueDateOf(entry: ReadElement): CalendarDate | undefined {
  return parseDate((textAt(entry, 'ValDt', 'Dt') ?? textAt(entry, 'ValDt', 'DtTm') ?? '').slice(0, 10))
}

/** What was booked on the account at once, with a line for each payment in it. */
type Entry = {
  readonly currency: Currency
  readonly reference: string | undefined
  /** What the account's owner had sent, and has come back. */
  readonly isReturned?: boolean
  readonly lines: BankLine[]
}

/** Undefined for what is not booked yet. */
function readEntry(entry: ReadElement): Entry | undefined {
  const isCredit = textAt(entry, 'CdtDbtInd') === 'CRDT'
  const isReversal = textAt(entry, 'RvslInd') === 'true' || textAt(entry, 'RvslInd') === '1'
  if (!isBooked(entry)) return undefined
  const [element] = all(entry, 'Amt')
  if (!element) refuse('An entry has no amount.', entry)
  const amount = amountOf(element)
  const details = all(entry, 'NtryDtls', 'TxDtls')
  // What was sent comes back: money of nobody's whom we know.
  const isReturned = isCredit && isReversal
  const kind = isCredit ? 'payment' : isReversal ? 'deduction' : 'outgoing'
  const day = dayOf(entry)
  const valueDate = valueDateOf(entry)
  const [first] = details
  const lines =
    details.length > 1
      ? details.map((detail) =>
          lineOf(detail, { kind, day, valueDate, amount: amountOfDetail(detail, amount.currency) }),
        )
      : [lineOf(first, { kind, day, valueDate, amount })]
  const counted = Math.abs(sumOfBankLines(lines))
  if (counted !== amount.minor) {
    // The bank's own total is what came; how it is shared out, a person has to find out.
    return whole(entry, { amount, kind, day, valueDate, lines })
  }
  return {
    currency: amount.currency,
    reference: textAt(entry, 'AcctSvcrRef'),
    isReturned,
    lines: lines
      .filter(({ amountMinor }) => amountMinor > 0)
      .map((line) => (isReturned || kind === 'outgoing' ? { ...line, ...OURS } : line)),
  }
}

/** Of what the account's owner has sent, or gets back: neither payer nor reference are those of a debtor. */
const OURS = { references: [], payer: null, payerAccount: undefined }

type Told = {
  readonly kind: BankLine['kind']
  readonly day: CalendarDate
  readonly valueDate: CalendarDate | undefined
  readonly amount: Money
}

function whole(
  entry: ReadElement,
  { lines, ...told }: Told & { readonly lines: readonly BankLine[] },
): Entry {
  const references = [...new Set(lines.flatMap((line) => line.references))]
  const line = { ...lineOf(undefined, told), references }
  return { currency: told.amount.currency, reference: textAt(entry, 'AcctSvcrRef'), lines: [line] }
}

/** What the key ends with of what the account's owner had sent, and has come back. */
export const RETURNED = ':returned'

/** What the key of a reversal ends with. */
export const REVERSAL = ':reversal'

/** Zero when the bank does not say how much of the entry it is, or says it in another currency. */
function amountOfDetail(detail: ReadElement, currency: Currency): Money {
  const [element] = [...all(detail, 'Amt'), ...all(detail, 'AmtDtls', 'TxAmt', 'Amt')]
  const amount = element ? amountOf(element) : undefined
  return amount?.currency === currency ? amount : { minor: 0, currency }
}

function lineOf(detail: ReadElement | undefined, { kind, day, valueDate, amount }: Told): BankLine {
  const shared = { kind, day, ...(valueDate && { valueDate }), amountMinor: amount.minor }
  if (!detail) return { ...shared, references: [], payer: null, message: null }
  const references = all(detail, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref').map(({ text }) =>
    normaliseReference(text),
  )
  const message = all(detail, 'RmtInf', 'Ustrd').map(({ text }) => oneLine(text))
  const endToEndId = textAt(detail, 'Refs', 'EndToEndId')
  const payerAccount = kind === 'payment' ? payerAccountOf(detail) : undefined
  const payer = textAt(detail, 'RltdPties', 'Dbtr', 'Nm') ?? textAt(detail, 'RltdPties', 'Dbtr', 'Pty', 'Nm')
  return {
    ...shared,
    references: [...new Set(references.filter((text) => text !== ''))].slice(0, 50),
    payer: oneLine(payer ?? '').slice(0, 140) || null,
    message: message.join('\n').slice(0, 1000) || null,
    ...(payerAccount && { payerAccount }),
    ...(endToEndId === undefined ? {} : { endToEndId }),
  }
}

/** An IBAN, or a number that the bank calls an account (BBAN), of the country where the payer's bank is. */
function payerAccountOf(detail: ReadElement): PayerAccount | undefined {
  const at = (...path: string[]): string | undefined => textAt(detail, 'RltdPties', 'DbtrAcct', 'Id', ...path)
  const iban = at('IBAN')
  if (iban !== undefined) return ibanOfPayer(iban)
  if (at('Othr', 'SchmeNm', 'Cd') !== 'BBAN') return undefined
  const bank = (...path: string[]): string | undefined =>
    textAt(detail, 'RltdAgts', 'DbtrAgt', 'FinInstnId', ...path)
  // The country is the fifth and sixth letter of a BIC (ISO 9362).
  const country = (bank('BICFI') ?? bank('BIC'))?.slice(4, 6) ?? bank('PstlAdr', 'Ctry')
  return nationalOfPayer(country, at('Othr', 'Id'))
}

/**
 * The same entry has the same key in a notification and in the statement after it, with a reference or without. A bank may
 * give a reversal the reference of the entry that it reverses.
 */
function keyOf(entry: Entry, seen: Map<string, number>): string {
  const isReversal = entry.lines.some(({ kind }) => kind === 'deduction')
  const name = nameOf(entry, seen)
  if (entry.isReturned) return `${name}${RETURNED}`
  return isReversal ? `${name}${REVERSAL}` : name
}

function nameOf({ currency, reference, lines }: Entry, seen: Map<string, number>): string {
  if (reference !== undefined) return `camt:${reference}`
  const said = JSON.stringify([
    currency,
    lines.map((line) => [line.kind, line.amountMinor, line.day, line.references]),
  ])
  const hash = createHash('sha256').update(said).digest('base64url')
  const times = (seen.get(hash) ?? 0) + 1
  seen.set(hash, times)
  return `camt:${hash}:${times}`
}

/** Banks write this where whoever ordered the money called it nothing. */
const NO_NAME = 'NOTPROVIDED'

function idsOf(entry: ReadElement): EntryIds {
  const details = all(entry, 'NtryDtls', 'TxDtls')
  const inDetails = (name: string): string[] =>
    details.flatMap((detail) => textAt(detail, 'Refs', name) ?? []).filter((text) => text !== NO_NAME)
  // Where the entry has no name, that of its only payment is its own.
  const own = textAt(entry, 'AcctSvcrRef')
  const servicer = own !== undefined ? [own] : details.length === 1 ? inDetails('AcctSvcrRef') : []
  const ids = {
    servicer,
    transaction: inDetails('TxId'),
    uetr: inDetails('UETR'),
    endToEnd: inDetails('EndToEndId'),
  }
  return Object.fromEntries(Object.entries(ids).filter(([, found]) => found.length > 0))
}

type Account = Pick<BankReport, 'account' | 'scheme'>

function accountOf(report: ReadElement): Account {
  const iban = textAt(report, 'Acct', 'Id', 'IBAN')
  const account = iban ?? textAt(report, 'Acct', 'Id', 'Othr', 'Id')
  if (!account) refuse('The account has no number.', report)
  return { account: account.replace(/[^0-9A-Za-z]/g, '').toUpperCase(), scheme: iban ? 'IBAN' : 'LOCAL' }
}

type Report = { readonly element: ReadElement; readonly account: Account; readonly place: number }

async function depositsOf(
  { element: report, account, place }: Report,
  breathe: () => Promise<void>,
): Promise<Deposit[]> {
  const seen = new Map<string, number>()
  const deposits: Deposit[] = []
  for (const element of all(report, 'Ntry')) {
    await breathe()
    const entry = readEntry(element)
    if (!entry || entry.lines.length === 0) continue
    const { currency, lines } = entry
    const key = keyOf(entry, seen)
    deposits.push({ ...account, key, currency, lines, entry: { ids: idsOf(element), report: place } })
  }
  return deposits
}

type Said = Omit<BankReport, keyof Account>

async function readWhole(
  report: ReadElement,
  { isWhole, deposits }: { readonly isWhole: boolean; readonly deposits: readonly Deposit[] },
  breathe: () => Promise<void>,
): Promise<Said> {
  const balances = isWhole ? await readBalances(report, breathe) : undefined
  return { isWhole, balances, ...readTold(report, { isWhole, closing: balances?.closing.day, deposits }) }
}

/** By itself a page tells of no whole day. Pages of notifications are not put together: those tell of no whole day either. */
async function readPage(
  report: ReadElement,
  { number, isLast, isStatement }: PagePlace & { readonly isStatement: boolean },
  breathe: () => Promise<void>,
): Promise<Said> {
  const alone = { isWhole: false, balances: undefined }
  if (!isStatement || number === undefined) return alone
  const sums = await readPageSums(report, breathe)
  const told = isLast
    ? readTold(report, { isWhole: true, closing: sums.closing?.day, deposits: [] })
    : undefined
  return { ...alone, page: { statement: statementOf(report), number, isLast, ...sums, told } }
}

/** Small pieces, so that others have their turn between them. */
const PIECE = 65_536

/** Reads the XML of a statement or notification. Throws ImportRefusal. */
export async function readCamt(chunks: readonly Uint8Array[]): Promise<BankFile> {
  const breathe = openBreather()
  const reader = new ElementReader(CAMT)
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE) {
      reader.write(chunk.subarray(from, from + PIECE))
      await breathe()
    }
  }
  const document = reader.end()
  const statements = all(document, 'BkToCstmrStmt', 'Stmt')
  const elements = [...statements, ...all(document, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn')]
  const deposits: Deposit[] = []
  const reports: BankReport[] = []
  for (const [place, element] of elements.entries()) {
    const account = accountOf(element)
    const isWhole = place < statements.length
    const found = await depositsOf({ element, account, place }, breathe)
    for (const deposit of found) deposits.push(deposit)
    const at = pageOf(document, element)
    const said = at
      ? await readPage(element, { ...at, isStatement: isWhole }, breathe)
      : await readWhole(element, { isWhole, deposits: found }, breathe)
    reports.push({ ...account, ...said })
  }
  return { format: 'camt', deposits, reports }
}
