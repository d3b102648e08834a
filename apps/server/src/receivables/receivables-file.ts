/**
 * The open debts of a day as a file, all of them or none, with what they come to and what the books kept of the day below them: read
 * at one moment.
 */
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { readOfficeSearch } from '@kvitt/domain/staff/office-search.ts'
import type { Context } from '../context.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { makeTable, stampOf, type Row, type TableFormat } from '../platform/tables/tables.ts'
import { languageFrom, textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import { readAllOwed, type OwedRow } from './receivables.queries.ts'
import { dayMeant, sumUpWithin, type OwedSum, type ReceivablesQuery } from './receivables.ts'

type FileCall = {
  readonly context: Context
  readonly principal: OfficePrincipal
  readonly request: FastifyRequest
  readonly query: ReceivablesQuery
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly untilGone: () => AbortSignal
}

const COLUMNS: readonly (readonly [TextKey, number, boolean])[] = [
  ['export.number', 10, false],
  ['document.reference', 11, false],
  ['export.debtor', 17, false],
  ['export.creditor', 14, false],
  ['export.due_first', 9, false],
  ['export.days_late', 6, false],
  ['document.currency', 5, false],
  ['document.principal', 8, true],
  ['document.costs', 6, true],
  ['document.interest', 6, true],
  ['document.balance', 8, true],
]

/** A spreadsheet is written in memory, and more pages nobody turns. CSV has no end. */
const MOST: Readonly<Record<TableFormat, number>> = { csv: 1_000_000, xlsx: 50_000, pdf: 10_000 }
const PIECE = 250

const rowOf = (row: OwedRow): Row => [
  row.number,
  row.reference,
  row.debtor ?? '',
  row.creditor,
  row.dueOn,
  String(row.daysLate),
  row.currency,
  { minor: row.principalMinor },
  { minor: row.costsMinor },
  { minor: row.interestMinor },
  { minor: row.totalMinor },
]

const sumRows = (language: Language, sums: readonly OwedSum[]): Row[] =>
  sums.flatMap((sum): Row[] => [
    [
      textOf(language, 'export.sum_of', { currency: sum.currency }),
      '',
      '',
      '',
      '',
      '',
      sum.currency,
      { minor: sum.principalMinor },
      { minor: sum.costsMinor },
      { minor: sum.interestMinor },
      { minor: sum.totalMinor },
    ],
    [
      textOf(language, 'export.sum_of_books', { currency: sum.currency }),
      '',
      '',
      '',
      '',
      '',
      sum.currency,
      null,
      null,
      null,
      { minor: sum.keptMinor },
    ],
  ])

const ONE_CREDITOR = { targets: [], filters: { 'creditor.id': { kind: 'id' } } } as const

/**
 * What a file of the list may be narrowed to: one creditor, as the list itself reads it. Refuses `invalid_filter` for anything else, which
 * would not come to the sum.
 */
function creditorIn(body: FileCall['body']): string | undefined {
  const search = readOfficeSearch(body, ONE_CREDITOR)
  if ('field' in search) throw new Refusal('invalid_filter', {}, [search.field])
  if (search.text !== '') throw new Refusal('invalid_filter', {}, ['query'])
  const wanted = search.wanted.get('creditor.id')
  if (wanted === undefined) return undefined
  const [creditor, ...others] = 'values' in wanted ? wanted.values : []
  if (creditor === undefined || others.length > 0) throw new Refusal('invalid_filter', {}, ['creditor.id'])
  return creditor
}

/** Refuses `file_too_long` where a program would not open it. */
export async function fileOfReceivables(call: FileCall, format: TableFormat): Promise<FileAnswer> {
  const { context, principal, request, query, body } = call
  const { instance, creditorId } = principal
  const day = await dayMeant(context, principal, query.day)
  const of = { instanceId: instance.id, creditorId, day, chosen: creditorIn(body) }
  const language = languageFrom(request.headers['accept-language'], instance.language)
  const title = textOf(language, 'export.receivables', { day })
  const head = {
    title,
    language,
    instance: instance.row,
    columns: COLUMNS.map(([label, share, isAmount]) => ({ label: textOf(language, label), share, isAmount })),
  }
  let count = 0
  async function* rows(): AsyncGenerator<Row[]> {
    const { owed, sums } = await inOneSnapshot(context.db, async (db) => ({
      owed: await readAllOwed(db, { ...of, most: MOST[format] + 1 }),
      sums: await sumUpWithin(db, of),
    }))
    if (owed.length > MOST[format]) throw new Refusal('file_too_long', { count: String(MOST[format]) })
    count = owed.length
    for (let at = 0; at < owed.length; at += PIECE) yield owed.slice(at, at + PIECE).map(rowOf)
    yield sumRows(language, sums)
  }
  const file = await makeTable(head, rows(), {
    format,
    requester: `${instance.id} ${creditorId ?? 'operator'}`,
    signal: call.untilGone(),
    stamp: stampOf(context, instance.timeZone),
  })
  return { ...file, rows: count }
}
