/** A list of staff as a file: the list's own call with `Accept: text/csv`, a spreadsheet's type or PDF. */
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import { JsonText } from '../platform/http/json.ts'
import type { Listed } from '../platform/http/paging.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { makeTable, stampOf, TABLE_TYPES, type Cell, type Row } from '../platform/tables/tables.ts'
import { languageFrom, textOf, type TextKey } from '../platform/texts.ts'
import type { OfficeQuery } from './office-list.ts'
import type { OfficePrincipal } from './principal.ts'

export type OfficeColumn = {
  readonly label: TextKey
  /** Where it stands in a row, such as `debtor.name`. */
  readonly path: string
  /** Where its currency stands, for an amount. */
  readonly currency?: string
  /** The part of a page's width in hundredths. */
  readonly share: number
  /** Before a code that has a text of its own: `status.`. */
  readonly texts?: string
}

export type OfficeTable = { readonly title: TextKey; readonly columns: readonly OfficeColumn[] }

type ListCall = {
  readonly context: Context
  readonly principal: OfficePrincipal
  readonly request: FastifyRequest
  readonly query: OfficeQuery
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly untilGone: () => AbortSignal
}

type List<Item> = (
  context: Context,
  principal: OfficePrincipal,
  query: OfficeQuery,
  body: ListCall['body'],
) => Promise<Listed<Item>>

const PAGE = 1_000
const PIECE = 250
/** Longer lists are for a program, which pages through them. */
const MOST_ROWS = 10_000

/** The first of `formats` whose type is accepted; undefined when the answer is to be no file. */
export function formatAccepted<Format extends string>(
  accept: string | undefined,
  formats: Readonly<Record<Format, string>>,
): Format | undefined {
  const types = (accept ?? '').split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase())
  return (Object.keys(formats) as Format[]).find((format) => types.includes(formats[format].split(';', 1)[0]))
}

/**
 * The page that is asked for, or all that was found as a file. Refuses `list_too_long` above ten thousand rows: a file that leaves
 * some out would look like a whole one.
 */
export async function listOrFile<Item extends JsonText | object>(
  call: ListCall,
  list: List<Item>,
  { title, columns }: OfficeTable,
): Promise<Listed<Item> | FileAnswer> {
  const { context, principal, request, query, body } = call
  const format = formatAccepted(request.headers.accept, TABLE_TYPES)
  if (!format) return list(context, principal, query, body)
  const { instance } = principal
  const language = languageFrom(request.headers['accept-language'], instance.language)
  const head = {
    title: textOf(language, title),
    language,
    instance: instance.row,
    columns: columns.map(({ label, currency, share }) => ({
      label: textOf(language, label),
      isAmount: currency !== undefined,
      share,
    })),
  }
  const cellOf = (row: unknown, { path, currency, texts }: OfficeColumn): Cell => {
    const value = valueAt(row, path)
    if (value instanceof Amount) return { minor: value.minor }
    if (typeof value !== 'string' && typeof value !== 'number') return null
    const word = String(value)
    if (currency !== undefined) {
      const parsed = parseAmount(word, String(valueAt(row, currency)) as Currency)
      return parsed ? { minor: parsed.minor } : null
    }
    if (texts === undefined) return word
    const key = `${texts}${word.toLowerCase()}`
    const text = textOf(language, key as TextKey)
    return text === key ? word : text
  }
  const rowOf = (item: Item): Row => {
    const row: unknown = item instanceof JsonText ? JSON.parse(item.text) : item
    return columns.map((column) => cellOf(row, column))
  }
  const signal = call.untilGone()
  let count = 0
  async function* pieces(): AsyncGenerator<Row[]> {
    const rows = await readWhole({ call, list, rowOf, signal })
    count = rows.length
    // A message to the thread is packed at once.
    for (let at = 0; at < rows.length; at += PIECE) yield rows.slice(at, at + PIECE)
  }
  const file = await makeTable(head, pieces(), {
    format,
    requester: `${instance.id} ${principal.creditorId ?? 'operator'}`,
    signal,
    stamp: stampOf(context, instance.timeZone),
  })
  return { ...file, rows: count }
}

type Whole<Item> = {
  readonly call: ListCall
  readonly list: List<Item>
  readonly rowOf: (item: Item) => Row
  readonly signal: AbortSignal
}

/** Every item that was found, at one moment: what changes while pages are read would stand in the file twice, or not at all. */
function readWhole<Item>({ call, list, rowOf, signal }: Whole<Item>): Promise<Row[]> {
  const { context, principal, query, body } = call
  return inOneSnapshot(context.db, async (db) => {
    // Of this try alone: what a transaction that is tried again had read before would stand here twice.
    const rows: Row[] = []
    const here = { ...context, db }
    for (let page = 1, total = 1; (page - 1) * PAGE < total; page++) {
      signal.throwIfAborted()
      const part = await list(here, principal, { ...query, limit: String(PAGE), page: String(page) }, body)
      total = part.total
      if (total > MOST_ROWS) throw new Refusal('list_too_long', { count: String(MOST_ROWS) })
      for (const item of part.items) rows.push(rowOf(item))
    }
    return rows
  })
}

function valueAt(row: unknown, path: string): unknown {
  let value = row
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null
  }
  return value
}
