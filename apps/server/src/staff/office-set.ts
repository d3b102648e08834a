/**
 * Rows of a list that something is done with: those that are named, or all that a search finds, with what each comes to. They are
 * found as the list finds them (office-list.ts); another's row is not among them.
 */
import { MOST_ROWS } from '@kvitt/domain/acts/act.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { readOfficeSearch } from '@kvitt/domain/staff/office-search.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'
import { conditionOf, ofCreditor, type OfficeListShape } from './office-list.ts'
import type { ClientPrincipal } from './principal.ts'

export type OfficeSetShape = Pick<OfficeListShape, 'name' | 'from' | 'targets' | 'filters' | 'tie'> & {
  /** What a row comes to, in minor units, as SQL. */
  readonly worth: string
  /** Other amounts of it that somebody may have added up, such as what its document asked for. */
  readonly alsoWorth: readonly string[]
  readonly currency: string
}

/** Which rows are meant: one of both. */
export type Selection = {
  readonly ids?: readonly string[] | null | undefined
  readonly search?: Readonly<Record<string, unknown>> | null | undefined
}

/** A row, what it comes to in minor units, and what else it might. */
export type SetRow = {
  readonly id: string
  readonly minor: number
  readonly also: readonly number[]
  readonly currency: string | null
}

export type OfficeSet = (
  db: Connection,
  asked: { readonly principal: ClientPrincipal; readonly today: string },
  selection: Selection,
) => Promise<readonly SetRow[]>

/** Makes the set of a resource. Refuses `invalid_filter` as its list does, and `list_too_long`. */
export function openOfficeSet(shape: OfficeSetShape): OfficeSet {
  const { name, from, tie, worth, alsoWorth, currency } = shape
  const also = `array[${alsoWorth.join(', ')}]::bigint[]`
  const row = `${tie}::text as id, coalesce(${worth}, 0)::bigint as minor, ${also}::text[] as also, ${currency} as currency, $3::date as today`
  const named = statement(
    `${name}.named`,
    `select ${row} from ${from(ofCreditor)} and ${tie} = any($4::uuid[])`,
  )
  const found = new Map<string, Statement>()
  const searchable = { targets: Object.keys(shape.targets), filters: shape.filters }
  type Read = Omit<SetRow, 'also'> & { readonly also: readonly string[] }
  const read = async (db: Connection, sql: Statement, values: readonly unknown[]): Promise<SetRow[]> =>
    (await db.rows<Read>(sql, values)).map(({ also: others, ...one }) => ({
      ...one,
      also: others.map(Number),
    }))
  return async (db, { principal: { instance, creditorId }, today }, { ids, search }) => {
    if (((ids ?? null) === null) === ((search ?? null) === null))
      throw new Refusal('invalid_request', {}, ['ids', 'search'])
    const asked = [instance.id, creditorId, today]
    if (ids) return read(db, named, [...asked, [...new Set(ids)]])
    const wanted = readOfficeSearch(search ?? {}, searchable)
    if ('field' in wanted) throw new Refusal('invalid_filter', {}, [`search.${wanted.field}`])
    const { condition, values } = conditionOf(shape, wanted)
    const made =
      found.get(wanted.target) ??
      statement(
        `${name}.found.${wanted.target}`,
        `select ${row} from ${from(ofCreditor)} ${condition} order by ${tie} limit ${MOST_ROWS + 1}`,
      )
    found.set(wanted.target, made)
    const rows = await read(db, made, [...asked, ...values])
    if (rows.length > MOST_ROWS) throw new Refusal('list_too_long', { count: String(MOST_ROWS) }, ['search'])
    return rows
  }
}
