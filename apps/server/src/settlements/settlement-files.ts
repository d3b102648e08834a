/** A settlement as a file: PDF, CSV, a spreadsheet or SIE 4. Nothing is counted here: all of them have the settlement's own lines. */
import type { FastifyRequest } from 'fastify'
import { dayOf } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { agreementOn } from '@kvitt/domain/settlements/agreement.ts'
import { entryKind } from '@kvitt/domain/settlements/count-settlement.ts'
import type { SettlementLineKind } from '@kvitt/domain/settlements/settlement.ts'
import { SETTLEMENT_FILES, type SettlementFile } from '@kvitt/domain/settlements/settlement-file.ts'
import { effectOfLine } from '@kvitt/domain/settlements/voucher.ts'
import type { Context } from '../context.ts'
import { drawLetter, type SettlementStatement } from '../documents/documents.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { makeTable, stampOf, type Row } from '../platform/tables/tables.ts'
import { languageFrom, textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { ClientPrincipal } from '../staff/staff.ts'
import { readAgreements } from './agreements.queries.ts'
import { readLines, type SettlementLineRow, type SettlementRow } from './office.queries.ts'
import { writeSie } from './sie.ts'
import { readChosenAccounts, readStatementCreditor } from './statement.queries.ts'

export type FileCall = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly request: FastifyRequest
  readonly untilGone: () => AbortSignal
}

/** A spreadsheet is written in memory. */
const MOST_IN_SHEET = 50_000
/** More pages than anybody turns. */
const MOST_IN_PDF = 2_000

/** What a line is called, what it is about, and what it adds to the payout. */
function sayLine(language: Language, line: SettlementLineRow) {
  const kind: SettlementLineKind = line.cause === null ? line.kind : entryKind(line.kind, line.cause)
  // An entry of the books has what it added; what is not in them, what it takes off.
  const effectMinor = line.cause === null ? effectOfLine(kind, line.minor) : line.minor
  const about = line.isClaim ? 'settlement.of_claim' : 'settlement.of_invoice'
  return {
    kind,
    effectMinor,
    what: textOf(language, `settlement.line.${kind.toLowerCase()}` as TextKey),
    about: line.subjectId === null ? '' : textOf(language, about, { number: line.subjectNumber ?? '' }),
  }
}

const COLUMNS: readonly (readonly [TextKey, number, boolean])[] = [
  ['settlement.part', 23, false],
  ['document.date', 12, false],
  ['settlement.subject', 19, false],
  ['settlement.base', 13, true],
  ['settlement.percent', 10, true],
  ['document.amount', 13, true],
  ['document.currency', 10, false],
]

function columnsIn(language: Language) {
  return COLUMNS.map(([label, share, isAmount]) => ({ label: textOf(language, label), share, isAmount }))
}

function rowsOf(language: Language, lines: readonly SettlementLineRow[], currency: string): Row[] {
  return lines.map((line) => {
    const { what, about, effectMinor } = sayLine(language, line)
    const late = line.isLate ? textOf(language, 'settlement.late') : ''
    return [
      what,
      line.date,
      [about, late].filter((part) => part !== '').join(', '),
      line.baseMinor === null ? null : { minor: line.baseMinor },
      // Hundredths, as an amount has them.
      line.rateBp === null ? null : { minor: line.rateBp },
      { minor: effectMinor },
      currency,
    ]
  })
}

/** One line for each kind. */
function summedUp(language: Language, lines: readonly SettlementLineRow[], currency: string): Row[] {
  const sums = new Map<string, number>()
  for (const line of lines) {
    const { what, effectMinor } = sayLine(language, line)
    sums.set(what, (sums.get(what) ?? 0) + effectMinor)
  }
  return [...sums].map(([what, minor]) => [what, '', '', null, null, { minor }, currency])
}

const fileName = (title: string, row: SettlementRow, ending: string): string =>
  `${title} ${row.currency} ${row.from} ${row.to}.${ending}`

/** Refuses `settlement_counting` while there is nothing to write, and `file_too_long` where a program would not open it. */
export async function fileOfSettlement(
  call: FileCall,
  row: SettlementRow,
  format: SettlementFile,
): Promise<FileAnswer> {
  const { context, principal, request } = call
  const { instance } = principal
  if (row.status === 'COUNTING') throw new Refusal('settlement_counting')
  const linesOf = (): Promise<SettlementLineRow[]> => readLines(context.db, instance.id, row.id)
  const language = languageFrom(request.headers['accept-language'], instance.language)
  const title = textOf(language, 'settlement.title', { number: row.number })
  const mimeType = SETTLEMENT_FILES[format]
  const answer = (bytes: Uint8Array, ending: string): FileAnswer => ({
    bytes,
    mimeType,
    name: fileName(title, row, ending),
    isPublic: false,
  })
  // The standard's ending for vouchers that are to be read in.
  if (format === 'sie') return answer(await sieOf(call, row, await linesOf()), 'si')
  const requester = `${instance.id} ${principal.creditorId}`
  if (format === 'pdf') {
    const facts = await statementOf(call, { row, lines: await linesOf(), language, title })
    return answer(await drawLetter({ kind: 'settlement', requester }, facts), 'pdf')
  }
  const head = { title, language, instance: instance.row, columns: columnsIn(language) }
  async function* rows(): AsyncGenerator<Row[]> {
    const lines = await linesOf()
    if (format === 'xlsx' && lines.length > MOST_IN_SHEET)
      throw new Refusal('file_too_long', { count: String(MOST_IN_SHEET) })
    yield rowsOf(language, lines, row.currency)
  }
  const file = await makeTable(head, rows(), {
    format,
    requester,
    signal: call.untilGone(),
    stamp: stampOf(context, instance.timeZone),
  })
  return { ...file, name: fileName(title, row, format) }
}

async function sieOf(
  { context, principal }: FileCall,
  row: SettlementRow,
  lines: readonly SettlementLineRow[],
): Promise<Buffer> {
  const creditor = await readStatementCreditor(context.db, principal, row.currency)
  return writeSie({
    version: context.version,
    madeOn: context.clock.today(principal.instance.timeZone),
    creditor,
    currency: row.currency,
    date: row.to,
    text: `${textOf('sv', 'settlement.title', { number: row.number })} ${row.from} - ${row.to}`,
    lines: lines.map((line) => {
      const { kind, effectMinor, what, about } = sayLine('sv', line)
      const text = [what, about].filter((part) => part !== '').join(', ')
      const { date, principalMinor, costsMinor, interestMinor } = line
      return { kind, date, effectMinor, text, principalMinor, costsMinor, interestMinor }
    }),
    chosen: await readChosenAccounts(context.db, principal),
  })
}

type Told = {
  readonly row: SettlementRow
  readonly lines: readonly SettlementLineRow[]
  readonly language: Language
  readonly title: string
}

async function statementOf(
  { context: { db }, principal }: FileCall,
  { row, lines, language, title }: Told,
): Promise<SettlementStatement> {
  const { instance, creditorId } = principal
  const { currency } = row
  const { account, ...creditor } = await readStatementCreditor(db, principal, currency)
  const say = (key: TextKey): string => textOf(language, key)
  const countedOn = row.countedAt ? dayOf(Date.parse(row.countedAt), instance.timeZone) : row.to
  const isSummedUp = lines.length > MOST_IN_PDF
  return {
    instance: instance.row,
    language,
    title,
    creditor,
    countedOn,
    facts: [
      [say('settlement.period'), `${row.from} – ${row.to}`],
      [say('settlement.counted_on'), countedOn],
      [say('document.status'), say(`settlement_status.${row.status.toLowerCase()}` as TextKey)],
      ...(account === null ? [] : [[say('settlement.your_account'), account] as const]),
    ],
    sums: [
      ['export.collected', row.collectedMinor],
      ['export.fees', 0 - row.feesMinor],
      ['export.vat', 0 - row.vatMinor],
      ['export.corrections', 0 - row.correctionsMinor],
    ],
    currency,
    paidOutMinor: row.paidOutMinor,
    ...agreedOf(await readAgreements(db, instance.id, [creditorId]), row, language),
    columns: columnsIn(language),
    rows: isSummedUp ? summedUp(language, lines, currency) : rowsOf(language, lines, currency),
    linesNote: isSummedUp
      ? textOf(language, 'settlement.lines_elsewhere', { count: lines.length })
      : undefined,
  }
}

/** What holds on the period's last day. The lines have the rates of their own days. */
function agreedOf(
  agreements: Awaited<ReturnType<typeof readAgreements>>,
  { to }: SettlementRow,
  language: Language,
): Pick<SettlementStatement, 'agreed' | 'agreedNote'> {
  const agreed = agreementOn(agreements, to)
  const source = agreements.findLast(({ from }) => from === agreed.from)?.source
  if (source === undefined) return { agreed: [], agreedNote: textOf(language, 'settlement.agreed_none') }
  const percent = (bp: number): string =>
    `${language === 'en' ? amountText(bp) : amountText(bp).replace('.', ',')} %`
  const price = (minor: number): string => printedAmount(minor, agreed.currency, language)
  return {
    agreedNote: textOf(language, 'settlement.agreed_from', { from: agreed.from, source }),
    agreed: [
      ['settlement.agreed_invoices', percent(agreed.invoiceCommissionBp)],
      ['settlement.agreed_claims', percent(agreed.claimCommissionBp)],
      ['settlement.agreed_payment', price(agreed.paymentPriceMinor)],
      ['settlement.agreed_case', price(agreed.casePriceMinor)],
      ['settlement.agreed_vat', percent(agreed.vatBp)],
      ['settlement.agreed_smallest', price(agreed.smallestPayoutMinor)],
    ],
  }
}
