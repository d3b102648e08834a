/** The SQL of guesses. The counting itself is the function take_guess of the migrations. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { statement, type Connection } from '../platform/database.ts'
import type { Guess, PublicViewer } from './viewer.ts'

export type Verdict = { verdict: 'right' | 'wrong' | 'throttled'; wait_seconds: number | null }

/** take_guess as a table expression of one row: $1 to $3 are instance, reference and zip, `first` begins the rest. */
export function takeGuess(first: number): string {
  return `take_guess($1::uuid, $2::text, $3::text, $${first}::bytea[], $${first + 1}::integer[], $${first + 2}::timestamptz)`
}

/** The values of a takeGuess from `first` on. */
export function guessValues(guess: Guess): unknown[] {
  return [guess.keys, guess.limits, guess.at]
}

/**
 * Refuses what is not right: with the neutral answer, or, when a budget is used up, with how long to wait. The
 * same for a reference that exists and one that does not.
 */
export function requireRight(verdict: Verdict | undefined): void {
  if (verdict?.verdict === 'right') return
  if (verdict?.verdict !== 'throttled') throw new Refusal('login_error::invalid_data')
  const seconds = verdict.wait_seconds ?? 1
  const minutes = Math.ceil(seconds / 60)
  const inHours = minutes > 120
  throw new Refusal('login_throttled', {
    retryAfterSeconds: String(seconds),
    unit: inHours ? 'hours' : 'minutes',
    count: String(inHours ? Math.ceil(minutes / 60) : minutes),
  })
}

const oneGuess = statement('guesses.take', `select verdict, wait_seconds from ${takeGuess(4)}`)

/** Takes the guess that the viewer's pair is. Refuses unless it is right. */
export async function takeGuessOf(db: Connection, viewer: PublicViewer, guess: Guess): Promise<void> {
  const pair = [viewer.instance.id, viewer.reference, viewer.zip]
  requireRight((await db.rows<Verdict>(oneGuess, [...pair, ...guessValues(guess)]))[0])
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
