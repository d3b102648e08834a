/** How often strangers are answered in an hour, where no pair is guessed: by the network that they ask from. */
import { createHmac } from 'node:crypto'
import type { Instance } from '../instances/instances.ts'
import { questionLimitOf } from '../instances/instances.ts'
import type { Context } from '../context.ts'
import { countQuestion } from './guesses.queries.ts'
import { guessNetworksOf } from './network.ts'

/** What is asked. */
export type Question = 'message-check' | 'article-answer'

/** A whole instance answers so many times what one network is answered. */
const NETWORKS = 100
const HOUR_MS = 3_600_000

/**
 * Counts a question from `address`, and says whether it may be answered. A site, the /48 around an IPv6 network, has twice what a
 * network has. What is kept names nobody: keyed hashes, for an hour.
 */
export async function takeQuestion(
  { db, clock, guessKey }: Pick<Context, 'db' | 'clock' | 'guessKey'>,
  instance: Instance,
  { scope, address }: { readonly scope: Question; readonly address: string },
): Promise<boolean> {
  const most = questionLimitOf(instance.row.guess_limits)
  if (most === null) return true
  const { network, site } = guessNetworksOf(address)
  const budgets = [
    { name: `network\n${network}`, limit: most },
    ...(site ? [{ name: `site\n${site}`, limit: 2 * most }] : []),
    { name: 'instance', limit: NETWORKS * most },
  ]
  const now = clock.now()
  for (const { name, limit } of budgets) {
    const key = createHmac('sha256', guessKey)
      .update(`${scope}\n${instance.id}\n${name}`)
      .digest()
      .subarray(0, 16)
    const asked = await countQuestion(db, instance.id, {
      key,
      scope,
      at: new Date(now).toISOString(),
      until: new Date(now + HOUR_MS).toISOString(),
    })
    // What one network asks too much is not counted against everybody.
    if (asked > limit) return false
  }
  return true
}
