/** What a person ends at once, at one provider: everybody's session, or the locks that wrong guesses have brought. */
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { forgetGuessesOf } from './guesses.queries.ts'
import { endSessionRowsOf } from './sessions.queries.ts'

type Deed = { readonly instanceId: string; readonly by: string }
type Parts = Pick<Context, 'db' | 'clock'>

/** Logs everybody out. Answers how many sessions were open. */
export function endAllSessions({ db, clock }: Parts, { instanceId, by }: Deed): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await endSessionRowsOf(tx, instanceId, new Date(clock.now()).toISOString())
    const about = `instance:${instanceId}`
    if (ended > 0) await noteDeed(tx, { instanceId, kind: 'sessions_ended', by, about, after: { ended } })
    return ended
  })
}

/** Forgets wrong guesses, all of them: one reference's cannot be told from others'. Answers how many budgets there were. */
export function releaseGuesses({ db }: Parts, { instanceId, by }: Deed): Promise<number> {
  return db.transaction(async (tx) => {
    const released = await forgetGuessesOf(tx, instanceId)
    const about = `instance:${instanceId}`
    if (released > 0)
      await noteDeed(tx, { instanceId, kind: 'guesses_released', by, about, after: { released } })
    return released
  })
}
