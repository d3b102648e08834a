/** The SQL of kept figures (migration 0412): of the creditor $2 at the instance $1, or of all of them where that is the one of all. */
import { LAST_DAY_OF, type AgeBucket } from '@kvitt/domain/receivables/ageing.ts'
import type { ChartUnit, Period } from '@kvitt/domain/dashboard/period.ts'
import { MONEY_METHODS } from '@kvitt/domain/dashboard/dashboard.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'

/** The creditor of what is kept of all creditors together. */
const OF_ALL = '00000000-0000-0000-0000-000000000000'

const list = (rows: string): ReturnType<typeof asWritten> =>
  asWritten(`'[' || coalesce((${rows}), '') || ']'`)

/** What is folded, and what is not yet: the figure of this moment. `where` names columns of either without a table. */
const kept = (where: string): string => `(
    select figure, day, method, currency, n, minor from figure_kept where instance_id = $1 and creditor_id = $2 and ${where}
    union all
    select figure, day, method, currency, n, minor from figure_move
    where instance_id = $1 and (creditor_id = $2 or $2 = '${OF_ALL}') and ${where})`

const MONEY = { received: ['IN', 'minor'], takenBack: ['BACK', '-minor'], refunded: ['REFUNDED', '-minor'] }

/** What was booked within the days from `$from` to `$to`, by currency. */
const moneyOf = ([figure, minor]: readonly string[], from: string, to: string) =>
  list(`select string_agg(${sqlJson({
    currency: word('s.currency'),
    count: asWritten('s.n'),
    amount: amount('s.minor'),
  })}, ',' order by s.currency)
    from (select currency, sum(n) as n, sum(${minor}) as minor from f
      where figure = '${figure}' and day between ${from} and ${to}
      group by currency having sum(n) <> 0 or sum(minor) <> 0) s`)

const countOf = (figure: string, from: string, to: string) =>
  asWritten(
    `coalesce((select sum(n) from f where figure = '${figure}' and day between ${from} and ${to}), 0)::text`,
  )

const figuresOf = (from: string, to: string) => ({
  received: moneyOf(MONEY.received, from, to),
  takenBack: moneyOf(MONEY.takenBack, from, to),
  refunded: moneyOf(MONEY.refunded, from, to),
  stages: {
    sent: countOf('SENT', from, to),
    reminded: countOf('REMINDED', from, to),
    claimed: countOf('CLAIMED', from, to),
    filed: countOf('FILED', from, to),
  },
  disputed: countOf('DISPUTED', from, to),
  planned: countOf('PLANNED', from, to),
})

const METHOD = `case when method in (${MONEY_METHODS.map((name) => `'${name}'`).join(', ')}) then method else 'OTHER' end`
const START = `case when $8 = 'MONTH' then date_trunc('month', day)::date else day end`

const money = `select string_agg(${sqlJson({
  start: word('s.start'),
  method: word('s.method'),
  currency: word('s.currency'),
  count: asWritten('s.n'),
  amount: amount('s.minor'),
})}, ',' order by s.start, s.method, s.currency)
  from (select ${START} as start, ${METHOD} as method, currency, sum(n) as n, sum(minor) as minor from f
    where figure = 'IN' and day between $3::date and $4::date group by 1, 2, 3 having sum(n) <> 0 or sum(minor) <> 0) s`

const LAST_DAYS = Object.entries(LAST_DAY_OF) as readonly [AgeBucket, number][]
/** What a plan has not billed yet is not late, whatever day stands on the invoice. */
const BUCKET = `case when figure = 'IN_PLAN' then 'NOT_DUE' ${LAST_DAYS.map(
  ([bucket, last]) => `when $7::date - day <= ${last} then '${bucket}'`,
).join(' ')} else 'OVER_90' end`
const BUCKETS = [...LAST_DAYS.map(([bucket]) => bucket), 'OVER_90']

const openClaims = `select string_agg(${sqlJson({
  currency: word('s.currency'),
  count: asWritten('s.n'),
  balance: amount('s.minor'),
})}, ',' order by s.currency)
  from (select currency, sum(n) as n, sum(minor) as minor
    from o where figure = 'OPEN_CLAIM' group by currency having sum(n) <> 0 or sum(minor) <> 0) s`

const ageing = `select string_agg(${sqlJson({
  bucket: word('s.bucket'),
  currency: word('s.currency'),
  count: asWritten('s.n'),
  balance: amount('s.minor'),
})}, ',' order by array_position(array[${BUCKETS.map((bucket) => `'${bucket}'`).join(', ')}], s.bucket), s.currency)
  from (select ${BUCKET} as bucket, currency, sum(n) as n, sum(minor) as minor
    from o where figure in ('OPEN', 'IN_PLAN') group by 1, 2 having sum(n) <> 0 or sum(minor) <> 0) s`

const creditors = `select string_agg(${sqlJson({ id: word('r.id'), name: 'r.name' })}, ',' order by r.name, r.id)
  from creditor r where r.instance_id = $1`

const IN_PERIODS = `figure in ('IN', 'BACK', 'REFUNDED', 'SENT', 'REMINDED', 'CLAIMED', 'FILED', 'DISPUTED', 'PLANNED')
      and day between $5::date and $4::date`

/** What is open now, whatever day it has. */
const OPEN_NOW = `figure in ('OPEN', 'IN_PLAN', 'OPEN_CLAIM', 'OPEN_DISPUTE')`

const dashboard = statement(
  'dashboard.figures',
  `with f as materialized (
     select figure, day, method, currency, sum(n) as n, sum(minor) as minor from ${kept(IN_PERIODS)} k group by 1, 2, 3, 4),
     o as materialized (select figure, day, currency, n, minor from ${kept(OPEN_NOW)} k)
   select ${sqlJson({
     today: word('$7::date'),
     from: word('$3::date'),
     to: word('$4::date'),
     unit: word('$8::text'),
     creditors: list(creditors),
     ...figuresOf('$3::date', '$4::date'),
     before: {
       from: word('$5::date'),
       to: word('$6::date'),
       ...figuresOf('$5::date', '$6::date'),
     },
     money: list(money),
     ageing: list(ageing),
     openClaims: list(openClaims),
     openDisputes: asWritten(`coalesce((select sum(n) from o where figure = 'OPEN_DISPUTE'), 0)::text`),
   })} as json`,
)

export type DashboardOf = {
  readonly instanceId: string
  /** Null: of all. */
  readonly creditorId: string | null
}

/** As the wire has it. */
export async function readDashboard(
  db: Connection,
  { instanceId, creditorId }: DashboardOf,
  asked: {
    readonly period: Period
    readonly before: Period
    readonly today: string
    readonly unit: ChartUnit
  },
): Promise<string> {
  const { period, before, today, unit } = asked
  const [row] = await db.rows<{ json: string }>(dashboard, [
    instanceId,
    creditorId ?? OF_ALL,
    period.from,
    period.to,
    before.from,
    before.to,
    today,
    unit,
  ])
  return row?.json ?? ''
}

const isHere = statement('dashboard.creditor', 'select from creditor where instance_id = $1 and id = $2')

/** Whether the instance has this creditor. */
export async function hasCreditor(db: Connection, instanceId: string, id: string): Promise<boolean> {
  return (await db.rows(isHere, [instanceId, id])).length === 1
}

const fold = statement('dashboard.fold', 'select fold_figures($1) as folded')

/** Adds so many moves to the rows that are read, in a transaction of their own; answers how many there were. */
export async function foldMoves(db: Connection, most: number): Promise<number> {
  return Number((await db.rows<{ folded: string }>(fold, [most]))[0]?.folded ?? 0)
}
