/**
 * The lists of the staff: each resource says what its rows are, what may be searched and how they are ordered, and every one is
 * asked and paged in the same way. A list starts from whose it is: its SQL gets the instance as $1 and the creditor as $2, or nothing
 * as $2 where an operator's staff asks for the rows of all creditors of its instance.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import {
  readOfficeSearch,
  type OfficeFilter,
  type OfficeSearch,
  type Wanted,
} from '@kvitt/domain/staff/office-search.ts'
import type { Context } from '../context.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'
import { JsonText } from '../platform/http/json.ts'
import { readDirection, readPage, type Listed } from '../platform/http/paging.ts'
import type { OfficePrincipal } from './principal.ts'

/** The condition on the column that says whose a row is. */
export type Whose = (column: string) => string
export const ofCreditor: Whose = (column) => `${column} = $2`
export const ofAll: Whose = () => '$2::uuid is null'
const whoseOf = ({ creditorId }: OfficePrincipal): Whose => (creditorId === null ? ofAll : ofCreditor)

export type OfficeListShape = {
  /** The statement's name, such as `invoices.office`. */
  readonly name: string
  /** A table expression with its condition: everything that is `whose` at $1. Ends open, so that `and ...` can follow. */
  readonly from: (whose: Whose) => string
  /** A row as the wire has it, as SQL of a text; $3 is the instance's day. */
  readonly json: string
  /** Where a text may be looked for, as SQL; `all` looks in each. */
  readonly targets: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, OfficeFilter & { readonly sql: string }>>
  /** What the list may be ordered by, as SQL. `id` is the order in which the rows were made. */
  readonly orders: Readonly<Record<string, string>> & { readonly id: string }
  /** Makes every order total. */
  readonly tie: string
}

export type OfficeQuery = {
  readonly limit?: string | undefined
  readonly page?: string | undefined
  readonly order?: string | undefined
  readonly orderBy?: string | undefined
}

export type OfficeList = (
  context: Pick<Context, 'db' | 'clock'>,
  principal: OfficePrincipal,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
) => Promise<Listed<JsonText>>

/** One row as the wire has it; undefined when it is not the creditor's or not there. `today` for a row that names the day. */
export type OfficeRow = (
  db: Connection,
  principal: OfficePrincipal,
  row: { readonly id: string; readonly today?: string },
) => Promise<string | undefined>

/** Reads one row of what a list holds. */
export function openOfficeRow({ name, from, json, tie }: OfficeListShape): OfficeRow {
  // Where a row names no day, $3 stands nowhere else, and its type would not be known.
  const readOf = (suffix: string, whose: Whose) =>
    statement(
      `${name}.one${suffix}`,
      `select ${json} as json from ${from(whose)} and ${tie} = $4 and ($3::date is null or true)`,
    )
  const own = readOf('', ofCreditor)
  const any = readOf('.all', ofAll)
  return async (db, { instance, creditorId }, { id, today }) => {
    const asked = [instance.id, creditorId, today ?? null, id]
    return (await db.rows<{ json: string }>(creditorId === null ? any : own, asked))[0]?.json
  }
}

const FIRST_FREE = 4

/** Makes the search of a resource. Its statements are made once, one for each target and order. */
export function openOfficeList(shape: OfficeListShape): OfficeList {
  const statements = new Map<string, Statement>()
  const kept = (name: string, text: () => string): Statement => {
    const made = statements.get(name) ?? statement(name, text())
    statements.set(name, made)
    return made
  }
  const searchable = { targets: Object.keys(shape.targets), filters: shape.filters }
  return async (context, principal, query, body) => {
    const search = readOfficeSearch(body, searchable)
    if ('field' in search) throw new Refusal('invalid_filter', {}, [search.field])
    const { orderBy = 'id' } = query
    if (!Object.hasOwn(shape.orders, orderBy)) throw new Refusal('invalid_filter', {}, ['orderBy'])
    const direction = readDirection(query.order, 'desc')
    const page = readPage({ limit: query.limit ?? '1000', page: query.page }, true)
    const { condition, values } = conditionOf(shape, search)
    const { instance, creditorId } = principal
    const today = context.clock.today(instance.timeZone)
    const order = `${shape.orders[orderBy]} ${direction}, ${shape.tie} ${direction}`
    const at = FIRST_FREE + values.length
    const name = creditorId === null ? `${shape.name}.all` : shape.name
    const from = (): string => `${shape.from(whoseOf(principal))} ${condition}`
    const read = kept(
      `${name}.${search.target}.${orderBy}.${direction}`,
      () =>
        `select ${shape.json} as json, $3::date as today from ${from()} order by ${order} limit $${at} offset $${at + 1}`,
    )
    const count = kept(`${name}.count.${search.target}`, () => `select count(*)::int as total from ${from()}`)
    const asked = [instance.id, creditorId, today, ...values]
    const [rows, total] = await Promise.all([
      readRows(context.db, read, [...asked, page.limit, (page.page - 1) * page.limit]),
      readTotal(context.db, count, asked),
    ])
    return { items: rows, total, page }
  }
}

async function readRows(db: Connection, read: Statement, values: readonly unknown[]): Promise<JsonText[]> {
  return (await db.rows<{ json: string }>(read, [...values])).map(({ json }) => new JsonText(json))
}

async function readTotal(db: Connection, read: Statement, values: readonly unknown[]): Promise<number> {
  return (await db.rows<{ total: number }>(read, [...values]))[0]?.total ?? 0
}

/** The same text for every search in one target: a filter that is not asked for is null. */
export function conditionOf(
  { targets, filters }: Pick<OfficeListShape, 'targets' | 'filters'>,
  { text, target, wanted }: OfficeSearch,
): { readonly condition: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [text]
  const looked = target === 'all' ? Object.values(targets) : [targets[target] ?? 'null']
  const found = looked.map((sql) => `position(lower($${FIRST_FREE}) in lower(${sql})) > 0`).join(' or ')
  // The day stands in every statement, so that all have the same places.
  const parts = [`and $3::date is not null`, `and ($${FIRST_FREE}::text = '' or ${found})`]
  for (const [name, { kind, sql }] of Object.entries(filters)) {
    const asked: Wanted | undefined = wanted.get(name)
    const place = FIRST_FREE + values.length
    if (kind === 'day' || kind === 'amount') {
      const type = kind === 'day' ? 'date' : 'bigint'
      parts.push(
        `and ($${place}::${type} is null or ${sql} >= $${place}::${type}) and ($${place + 1}::${type} is null or ${sql} <= $${place + 1}::${type})`,
      )
      const { from = null, to = null } = asked && 'from' in asked ? asked : {}
      values.push(from, to)
    } else {
      parts.push(`and ($${place}::text[] is null or ${sql} = any($${place}::text[]))`)
      values.push(asked && 'values' in asked ? asked.values : null)
    }
  }
  return { condition: parts.join(' '), values }
}
