/**
 * The search that every resource has in the same form (specification section 7): a text looked for in one field,
 * and filters on others. What may be searched is a list of names; nothing else can be asked about.
 */

/** What a resource lets be searched: the fields a text is looked for in, the first by default, and those filtered on. */
export type Searchable = { readonly targets: readonly string[]; readonly filters: readonly string[] }

export type Search = {
  /** Looked for anywhere in the target, capitals or not; empty means everything. */
  readonly text: string
  readonly target: string
  /** The values that each filtered field may have. */
  readonly filters: ReadonlyMap<string, readonly string[]>
}

/** What is wrong with a search: the name of the field. */
export type SearchMistake = { readonly field: string }

type Fields = Readonly<Record<string, unknown>>

const LONGEST = 200
const MOST_VALUES = 50

/**
 * Reads a search body. Filters stand below `filters`, nested, dotted or as a list of `{key, search}`, or beside `query`;
 * several values are joined by `[OR]` or a list. Below `filters` an unknown field is a mistake; beside `query` it is
 * ignored (D-25). What is null was not asked for. One field asked for twice has to mean the same.
 */
export function readSearch(body: Fields | undefined, searchable: Searchable): Search | SearchMistake {
  const { query, queryTarget, filters, ...others } = body ?? {}
  const text = query ?? ''
  // No text of ours has a NUL, and PostgreSQL takes none.
  if (typeof text !== 'string' || text.length > LONGEST || text.includes('\0')) return { field: 'query' }
  const target = readTarget(queryTarget, text, searchable)
  if (target === undefined) return { field: 'queryTarget' }
  const below = readFilters(filters ?? {})
  if (!below) return { field: 'filters' }
  const { dotted, beside } = separate(others)
  const asked = [
    ...flatten(beside).filter(([name]) => searchable.filters.includes(name)),
    ...below,
    ...flatten(dotted),
  ].filter(([, value]) => value !== null && value !== undefined)
  const wanted = new Map<string, readonly string[]>()
  for (const [name, value] of asked) {
    const values = searchable.filters.includes(name) ? readValues(value) : undefined
    const before = wanted.get(name)
    if (!values || (before && before.join('[OR]') !== values.join('[OR]'))) {
      return { field: name.slice(0, LONGEST) }
    }
    wanted.set(name, values)
  }
  return { text: text.trim(), target, filters: wanted }
}

/** Where nothing is looked for, it does not matter where: nothing and `*` stand for the first target then. */
function readTarget(wanted: unknown, text: string, { targets }: Searchable): string | undefined {
  const isAnywhere = text.trim() === '' && (wanted === '' || wanted === '*')
  return isAnywhere || wanted === undefined || wanted === null
    ? targets[0]
    : targets.find((name) => name === wanted)
}

function readFilters(filters: unknown): [string, unknown][] | undefined {
  if (isFields(filters)) return flatten(filters)
  if (!Array.isArray(filters) || filters.length > MOST_VALUES) return undefined
  const pairs = filters.map((filter: unknown): [string, unknown] | undefined =>
    isFields(filter) && typeof filter.key === 'string' ? [filter.key, filter.search] : undefined,
  )
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined
}

const BELOW = 'filters.'

/** What stands below `filters` by its dotted name, and what stands beside it. */
function separate(others: Fields): { dotted: Fields; beside: Fields } {
  const entries = Object.entries(others)
  const dotted = entries.filter(([name]) => name.startsWith(BELOW))
  return {
    dotted: Object.fromEntries(dotted.map(([name, value]) => [name.slice(BELOW.length), value])),
    beside: Object.fromEntries(entries.filter(([name]) => !name.startsWith(BELOW))),
  }
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Nested fields under their dotted names. Names have two parts at most. */
function flatten(fields: Fields): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isFields(value)
      ? Object.entries(value).map(([inner, deep]): [string, unknown] => [`${name}.${inner}`, deep])
      : [[name, value]],
  )
}

function readValues(value: unknown): string[] | undefined {
  const values = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string'
      ? one.split('[OR]')
      : typeof one === 'boolean' || typeof one === 'number'
        ? [String(one)]
        : [''],
  )
  const isReadable = values.every((one) => one !== '' && one.length <= LONGEST)
  return isReadable && values.length > 0 && values.length <= MOST_VALUES ? values : undefined
}

/** Does an item, its fields nested as on the wire, match? For lists that are short enough to be held in memory. */
export function matchesSearch(item: Fields, search: Search): boolean {
  const valueOf = (name: string): string => {
    const [outer = '', inner] = name.split('.')
    const value = item[outer]
    const found = inner !== undefined && isFields(value) ? value[inner] : value
    return typeof found === 'string' || typeof found === 'boolean' ? String(found) : ''
  }
  return (
    valueOf(search.target).toLowerCase().includes(search.text.toLowerCase()) &&
    [...search.filters].every(([name, values]) => values.includes(valueOf(name)))
  )
}
