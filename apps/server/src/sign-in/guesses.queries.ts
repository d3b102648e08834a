/** The SQL of guesses. The counting itself is in open_guess and close_guess of the migrations. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isOpenToPairs } from '../ledger/protected-persons.queries.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'
import { SHOWN } from './shown.ts'
import type { Guess, UnprovenPair } from './viewer.ts'

/**
 * What a guessed() read answers: when to come back and whose budget is used up (null: one that guesses under way together have
 * used up, never the reference's), else the row that was looked for, or neither.
 */
export type Guessed<Row> = { wait_seconds: number | null; budget?: string | null } & (Row | { id: null })

/**
 * The query `found` as a guess. It answers with at most one row that has an `id`; its $1 to $3 are instance,
 * reference and zip. `first` is the number of the first of guessValues.
 */
export function guessed(found: string, first: number): string {
  const [keys, limits, at] = [`$${first}::bytea[]`, `$${first + 1}::integer[]`, `$${first + 2}::timestamptz`]
  return `select coalesce(g.wait_seconds, case when f.id is null or g.is_watched
       then close_guess($1::uuid, $2::text, $3::text, ${keys}, ${limits}, ${at}, f.id is not null) end) as wait_seconds, g.budget, f.*
     from open_guess($1::uuid, ${keys}, ${limits}, ${at}) g left join (${found}) f on g.wait_seconds is null`
}

/** What a guessedTogether() read answers about the guess `n`, counted from 1. */
type GuessedTogether<Row> = Guessed<Row> & { n: number; is_plain: boolean }

/**
 * As guessed(), for many guesses in one statement. `found` reads the pair from q.reference and q.zip, and what it
 * needs besides from q.extra. $1 is the instance, $2 the limits, $3 the latest time, $4 to $7 are the arrays of
 * references, zips, extras and keys; what follows is the read's own.
 */
export function guessedTogether(found: string): string {
  return `with g as materialized (select * from open_guesses($1::uuid, $7::bytea[], $2::integer[], $3::timestamptz)),
     f as materialized (
       select q.n::integer as n, g.is_plain, f.* from unnest((select $4::text[]), (select $5::text[]), (select $6::text[])) with ordinality q (reference, zip, extra, n)
       join g on g.n = q.n left join lateral (${found}) f on g.is_plain),
     c as materialized (select * from close_guesses($1::uuid, $4::text[], $5::text[], $7::bytea[], $2::integer[], $3::timestamptz,
       (select array_agg(f.n) from f where f.is_plain and f.id is null)))
   select f.*, c.wait_seconds from f left join c on c.n = f.n`
}

/** A guess with what its read needs besides the pair. */
export type AskedGuess = {
  readonly pair: UnprovenPair
  readonly extra: string | null
}

/**
 * The rows of guesses at one instance under the same limits, in the order asked; null where the guess is to be taken by itself,
 * because a budget is used up or another guess at the same reference is under way.
 */
export async function readGuessedTogether<Row>(
  db: Connection,
  read: Statement,
  asked: readonly AskedGuess[],
  own: readonly unknown[],
): Promise<(Guessed<Row> | null)[]> {
  const [first] = asked
  if (!first) return []
  const latest = asked.reduce(
    (at, one) => (one.pair.guess.at > at ? one.pair.guess.at : at),
    first.pair.guess.at,
  )
  const rows = await db.rows<GuessedTogether<Row>>(read, [
    first.pair.instance.id,
    first.pair.guess.limits,
    latest,
    asked.map((one) => one.pair.reference),
    asked.map((one) => one.pair.zip),
    asked.map((one) => one.extra),
    asked.flatMap((one) => one.pair.guess.keys),
    ...own,
  ])
  const answers: (Guessed<Row> | null)[] = asked.map(() => null)
  for (const row of rows) if (row.is_plain) answers[row.n - 1] = row
  return answers
}

export function guessValues(guess: Guess): unknown[] {
  return [guess.keys, guess.limits, guess.at]
}

/**
 * The row of a right guess, which is taken now: the pair is a viewer. Refuses with the neutral answer, or, when a budget is used up, with how long to
 * wait: the same for a reference that exists and one that does not.
 * A challenge is named where it would take the place of the wait.
 */
export function requireRight<Row extends { id: string }>(
  pair: UnprovenPair,
  row: Guessed<Row> | undefined,
): Row {
  pair.isTaken = true
  if (row?.wait_seconds) throw throttled(row.wait_seconds, row.budget !== 'reference')
  if (!row?.id) throw new Refusal('login_error::invalid_data')
  return row
}

function throttled(seconds: number, isLiftable: boolean): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const inHours = minutes > 120
  return new Refusal('login_throttled', {
    retryAfterSeconds: String(seconds),
    unit: inHours ? 'hours' : 'minutes',
    count: String(inHours ? Math.ceil(minutes / 60) : minutes),
    ...(isLiftable ? { challenge: 'offered' } : {}),
  })
}

const anyDebt = statement(
  'guesses.anyDebt',
  guessed(
    `select i.id from invoice i where i.instance_id = $1 and i.payment_reference = $2 and i.zip = $3
       and ${SHOWN} and ${isOpenToPairs('i')}
     union all
     select c.id from claim c where c.instance_id = $1 and c.payment_reference = $2 and c.zip = $3
       and ${isOpenToPairs('c')}
     limit 1`,
    4,
  ),
)

/** Takes the guess that a pair is. Refuses unless it belongs to an invoice or claim that may be seen. */
export async function takeGuess(db: Connection, pair: UnprovenPair): Promise<void> {
  const values = [pair.instance.id, pair.reference, pair.zip, ...guessValues(pair.guess)]
  requireRight(pair, (await db.rows<Guessed<{ id: string }>>(anyDebt, values))[0])
}

const forgetExpired = statement(
  'guesses.forgetExpired',
  `delete from guess_budget where (instance_id, key) in (
     select instance_id, key from guess_budget where expires_at < $1 order by expires_at
     limit 10000 for update skip locked)
   returning 1`,
)

/** Removes windows that ended before `at` (ISO), 10,000 at a time so that no guess waits for it. */
export async function forgetExpiredGuesses(db: Connection, at: string): Promise<void> {
  while ((await db.rows(forgetExpired, [at])).length === 10_000);
}

const spend = statement(
  'guesses.spendChallenge',
  `insert into guess_budget (instance_id, key, scope, expires_at, fails) values ($1, $2, 'challenge', $3, 0)
   on conflict do nothing returning 1`,
)

/** Spends a challenge, once however many ask and through however many processes. `key` has 16 bytes; kept until `until` (ISO). */
export async function spendChallenge(
  db: Connection,
  instanceId: string,
  key: Uint8Array,
  until: string,
): Promise<boolean> {
  return (await db.rows(spend, [instanceId, key, until])).length === 1
}

/** Of what strangers ask: `key` has 16 bytes, `limit` is how many of them in a window. */
export type AskedBudget = { readonly key: Uint8Array; readonly limit: number }

/** What many ask at the same moment may count beyond a limit: `is_counted` says that it is to be taken back. */
const count = statement(
  'guesses.countQuestion',
  `with asked as (select * from unnest($2::bytea[], $3::integer[]) with ordinality a (key, most, n)),
     used_up as (select a.n from asked a join guess_budget b on b.instance_id = $1 and b.key = a.key
       where b.expires_at > $5 and b.fails >= a.most),
     counted as (
       insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
         select $1, a.key, $4, $6, 1 from asked a where not exists (select from used_up) order by a.n
       on conflict (instance_id, key) do update set
         fails = case when b.expires_at > $5 then b.fails + 1 else 1 end,
         expires_at = case when b.expires_at > $5 then b.expires_at else excluded.expires_at end
       returning b.key, b.fails)
   select min(n)::integer as used_up, exists (select from counted) as is_counted from (
     select n from used_up union all
     select a.n from asked a join counted c using (key) where c.fails > a.most) u`,
)

/** In the order in which they are counted: whoever waits for another waits for nobody who waits for them. */
const takeBack = statement(
  'guesses.takeBackQuestion',
  `with locked as (select b.key from unnest($2::bytea[]) with ordinality a (key, n)
     join guess_budget b on b.instance_id = $1 and b.key = a.key order by a.n for update of b)
   update guess_budget b set fails = b.fails - 1 from locked l
   where b.instance_id = $1 and b.key = l.key and b.fails > 0`,
)

/**
 * Counts a question in all its budgets, or in none when one is used up: the place of the first that is, else undefined. The
 * window of a budget ends at the `until` (ISO) of its first question.
 */
export async function countQuestion(
  db: Connection,
  instanceId: string,
  question: {
    readonly budgets: readonly AskedBudget[]
    readonly scope: string
    readonly at: string
    readonly until: string
  },
): Promise<number | undefined> {
  const { budgets, scope, at, until } = question
  const [keys, limits] = [budgets.map(({ key }) => key), budgets.map(({ limit }) => limit)]
  const [counted] = await db.rows<{ used_up: number | null; is_counted: boolean }>(count, [
    instanceId,
    keys,
    limits,
    scope,
    at,
    until,
  ])
  if (!counted || counted.used_up === null) return undefined
  if (counted.is_counted) await db.rows(takeBack, [instanceId, keys])
  return counted.used_up - 1
}

const uncount = statement(
  'guesses.uncountQuestion',
  `update guess_budget set fails = fails - 1 where instance_id = $1 and key = $2 and fails > 0`,
)

/** Takes one question back from a budget. */
export async function uncountQuestion(db: Connection, instanceId: string, key: Uint8Array): Promise<void> {
  await db.rows(uncount, [instanceId, key])
}

const openBreakers = statement(
  'guesses.openBreakers',
  `select count(*)::int as open from guess_budget b join instance i on i.id = b.instance_id
   where b.scope = 'instance' and b.expires_at > $1 and b.fails * 4 > b.passes
     and b.fails >= coalesce((i.guess_limits ->> 'instancePerTenMinutes')::integer, $2)`,
)

/** How many instances are closed at `at` (ISO) to devices that they do not know; `most`: the limit where none is set. */
export async function countOpenBreakers(db: Connection, at: string, most: number): Promise<number> {
  return (await db.rows<{ open: number }>(openBreakers, [at, most]))[0]?.open ?? 0
}

/** All but the challenges that are spent: a solution is worth nothing twice. */
const forgetAll = statement('guesses.forgetAll', "delete from guess_budget where scope <> 'challenge'")

const forgetOf = statement(
  'guesses.forgetOf',
  `delete from guess_budget where instance_id = $1 and scope <> 'challenge' returning scope`,
)

/** As forgetAllGuesses, of one instance. Answers how many budgets there were. */
export async function forgetGuessesOf(db: Connection, instanceId: string): Promise<number> {
  return (await db.rows(forgetOf, [instanceId])).length
}

export async function forgetAllGuesses(db: Connection): Promise<void> {
  await db.rows(forgetAll)
}
