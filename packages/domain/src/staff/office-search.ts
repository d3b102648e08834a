/**
 * The search of the staff's lists: a text looked for in one field or in all, and filters. Unlike the debtor's
 * search nothing is ignored: whoever acts on all that was found has to have been understood.
 */
import { parseDate } from '../calendar.ts'
import { isUuid } from '../ids.ts'
import { parseAmount } from '../money.ts'

/** What a field may be asked for: some of its values, or a span with both ends included. */
export type OfficeFilter =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'id' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'day' }
  | { readonly kind: 'amount' }

export type OfficeSearchable = {
  readonly targets: readonly string[]
  readonly filters: Readonly<Record<string, OfficeFilter>>
}

/** Values of a filter, or the ends of its span: a day `YYYY-MM-DD`, an amount in minor units; null where it is open. */
export type Wanted =
  | { readonly values: readonly string[] }
  | { readonly from: string | null; readonly to: string | null }

export type OfficeSearch = {
  readonly text: string
  readonly target: string
  readonly wanted: ReadonlyMap<string, Wanted>
}

type Fields = Readonly<Record<string, unknown>>

const LONGEST = 200
const MOST_VALUES = 100

/** The search that a body asks for, or the name of the field that is wrong with it. */
export function readOfficeSearch(
  body: Fields | undefined,
  { targets, filters }: OfficeSearchable,
): OfficeSearch | { readonly field: string } {
  const { query, queryTarget, filters: below, ...beside } = body ?? {}
  const text = query ?? ''
  if (typeof text !== 'string' || text.length > LONGEST || text.includes('\0')) return { field: 'query' }
  const target = ['all', ...targets].find((one) => one === (queryTarget ?? 'all'))
  if (target === undefined) return { field: 'queryTarget' }
  if (below !== undefined && below !== null && !isFields(below)) return { field: 'filters' }
  const wanted = new Map<string, Wanted>()
  for (const [name, value] of [...flatten(beside, filters), ...flatten(below ?? {}, filters)]) {
    if (value === null || value === undefined) continue
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
    const read = filter && readWanted(filter, value)
    if (!read || wanted.has(name)) return { field: name.slice(0, LONGEST) }
    wanted.set(name, read)
  }
  return { text: text.trim(), target, wanted }
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Nested fields under their dotted names. A span is no nest: its name is a filter's. */
function flatten(fields: Fields, filters: OfficeSearchable['filters']): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isFields(value) && !Object.hasOwn(filters, name)
      ? Object.entries(value).map(([inner, deep]): [string, unknown] => [`${name}.${inner}`, deep])
      : [[name, value]],
  )
}

function readWanted(filter: OfficeFilter, value: unknown): Wanted | undefined {
  if (filter.kind === 'day' || filter.kind === 'amount') return readSpan(filter.kind, value)
  const values = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' ? one.split('[OR]') : typeof one === 'boolean' ? [String(one)] : [''],
  )
  const isKnown = (one: string): boolean => {
    switch (filter.kind) {
      case 'choice':
        return filter.values.includes(one)
      case 'id':
        return isUuid(one)
      case 'flag':
        return one === 'true' || one === 'false'
      case 'text':
        return one !== '' && one.length <= LONGEST && !one.includes('\0')
    }
  }
  const isReadable = values.length > 0 && values.length <= MOST_VALUES && values.every(isKnown)
  return isReadable ? { values } : undefined
}

/** One value is a span of that value alone. */
function readSpan(kind: 'day' | 'amount', value: unknown): Wanted | undefined {
  const span = isFields(value) ? value : { from: value, to: value }
  const { from = null, to = null, ...others } = span
  if (Object.keys(others).length > 0 || (from === null && to === null)) return undefined
  const [first, last] = [from, to].map((end) => (end === null ? null : readEnd(kind, end)))
  return first === undefined || last === undefined ? undefined : { from: first, to: last }
}

function readEnd(kind: 'day' | 'amount', end: unknown): string | undefined {
  if (kind === 'day') return typeof end === 'string' ? parseDate(end) : undefined
  if (typeof end !== 'string' && typeof end !== 'number') return undefined
  const read = parseAmount(String(end), 'SEK')
  return read && String(read.minor)
}
