/** The SQL of guesses. The counting itself is in open_guess and close_guess of the migrations. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { statement, type Connection } from '../platform/database.ts'
import type { Guess, PublicViewer } from './viewer.ts'

/** What a guessed() read answers: when to come back, else the row that was looked for, or neither. */
export type Guessed<Row> = { wait_seconds: number | null } & (Row | { id: null })

/**
 * The query `found` as a guess. It answers with at most one row that has an `id`; its $1 to $3 are instance,
 * reference and zip. `first` is the number of the first of guessValues.
 */
export function guessed(found: string, first: number): string {
  const [keys, limits, at] = [`$${first}::bytea[]`, `$${first + 1}::integer[]`, `$${first + 2}::timestamptz`]
  return `select coalesce(g.wait_seconds, case when f.id is null or g.is_watched
       then close_guess($1::uuid, $2::text, $3::text, ${keys}, ${limits}, ${at}, f.id is not null) end) as wait_seconds, f.*
     from open_guess($1::uuid, ${keys}, ${limits}, ${at}) g left join (${found}) f on g.wait_seconds is null`
}

export function guessValues(guess: Guess): unknown[] {
  return [guess.keys, guess.limits, guess.at]
}

/**
 * The row of a right guess. Refuses with the neutral answer, or, when a budget is used up, with how long to
 * wait: the same for a reference that exists and one that does not.
 */
export function requireRight<Row extends { id: string }>(row: Guessed<Row> | undefined): Row {
  if (row?.wait_seconds) throw throttled(row.wait_seconds)
  if (!row?.id) throw new Refusal('login_error::invalid_data')
  return row
}

function throttled(seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const inHours = minutes > 120
  return new Refusal('login_throttled', {
    retryAfterSeconds: String(seconds),
    unit: inHours ? 'hours' : 'minutes',
    count: String(inHours ? Math.ceil(minutes / 60) : minutes),
  })
}

const anyInvoice = statement(
  'guesses.anyInvoice',
  guessed(
    `select i.id from invoice i where i.instance_id = $1 and i.payment_reference = $2 and i.zip = $3
       and i.status not in ('CREATED', 'PENDING', 'ARCHIVED') and i.total_minor >= 0 limit 1`,
    4,
  ),
)

/** Takes the guess that the viewer's pair is. Refuses unless it belongs to an invoice that may be seen. */
export async function takeGuess(db: Connection, viewer: PublicViewer, guess: Guess): Promise<void> {
  const values = [viewer.instance.id, viewer.reference, viewer.zip, ...guessValues(guess)]
  requireRight((await db.rows<Guessed<{ id: string }>>(anyInvoice, values))[0])
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

const forgetAll = statement('guesses.forgetAll', 'delete from guess_budget')

export async function forgetAllGuesses(db: Connection): Promise<void> {
  await db.rows(forgetAll)
}
