/** How often strangers are answered in an hour, where no pair is guessed: by the network that they ask from. */
import { createHmac } from 'node:crypto'
import type { Instance } from '../instances/instances.ts'
import { questionLimitOf } from '../instances/instances.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { countQuestion, type AskedBudget, uncountQuestion } from './guesses.queries.ts'
import { guessNetworksOf } from './network.ts'

/** What is asked. */
export type Question = 'message-check' | 'article-answer'

/** A whole instance answers so many times what one network is answered, and so often a network that calculates for it. */
const NETWORKS = 100
const HOUR_MS = 3_600_000
/** More than anybody asks: it still is counted, so that it shows what is going on. */
const LIFTED = 1_000_000_000

type Parts = Pick<Context, 'db' | 'clock' | 'guessKey'>

/** A question, and what of it may be used up. */
export type Asked = {
  readonly scope: Question
  /** Where it comes from. */
  readonly address: string
  /** Does it count against what all networks have together? */
  readonly isShared: boolean
  /**
   * A solved challenge lifts what all have together, and gives a network what they have: thousands of people may stand behind one
   * network of a phone company (D-40).
   */
  readonly isLifted?: boolean
}

/**
 * Counts a question, and says whether it may be answered. What is not answered is counted nowhere.
 * A site, the /48 around an IPv6 network, has twice what a network has. What is kept names nobody: keyed hashes, for an hour.
 */
export async function takeQuestion(
  parts: Parts,
  instance: Instance,
  { scope, address, isShared, isLifted = false }: Asked,
): Promise<boolean> {
  const most = questionLimitOf(instance.row.guess_limits)
  if (most === null) return true
  const { network, site } = guessNetworksOf(address)
  const key = (name: string): Uint8Array => keyOf(parts, instance, { scope, name })
  const ofNetwork = isLifted ? NETWORKS * most : most
  const budgets: AskedBudget[] = [
    { key: key(`network\n${network}`), limit: ofNetwork },
    ...(site ? [{ key: key(`site\n${site}`), limit: 2 * ofNetwork }] : []),
    ...(isShared ? [{ key: key('instance'), limit: isLifted ? LIFTED : NETWORKS * most }] : []),
  ]
  const now = parts.clock.now()
  const usedUp = await countQuestion(parts.db, instance.id, {
    budgets,
    scope,
    at: new Date(now).toISOString(),
    until: new Date(now + HOUR_MS).toISOString(),
  })
  return usedUp === undefined
}

/** Takes back that a question counted against what all networks have together. */
export async function forgiveQuestion(parts: Parts, instance: Instance, scope: Question): Promise<void> {
  await uncountQuestion(parts.db, instance.id, keyOf(parts, instance, { scope, name: 'instance' }))
}

function keyOf(
  { guessKey }: Pick<Parts, 'guessKey'>,
  { id }: Pick<Instance, 'id'>,
  { scope, name }: { readonly scope: string; readonly name: string },
): Uint8Array {
  return createHmac('sha256', guessKey).update(`${scope}\n${id}\n${name}`).digest().subarray(0, 16)
}

/** What is tried, how often in the window, and under which names it is counted. */
export type Tries = {
  readonly scope: string
  readonly budgets: readonly { readonly name: string; readonly limit: number }[]
  readonly windowMs: number
}

/** Counts a try of a password, and says whether it may be looked at. Names are kept as keyed hashes, for the window. In a
 * transaction of the caller's it is counted when that is done. */
export async function takeTry(
  parts: Omit<Parts, 'db'> & { readonly db: Connection },
  instance: Pick<Instance, 'id'>,
  { scope, budgets, windowMs }: Tries,
): Promise<boolean> {
  const now = parts.clock.now()
  const usedUp = await countQuestion(parts.db, instance.id, {
    budgets: budgets.map(({ name, limit }) => ({ key: keyOf(parts, instance, { scope, name }), limit })),
    scope,
    at: new Date(now).toISOString(),
    until: new Date(now + windowMs).toISOString(),
  })
  return usedUp === undefined
}

/** Tries in 15 minutes of one account, from one network and from all, and of one network at any accounts. */
const PER_ACCOUNT_AND_NETWORK = 10
const PER_ACCOUNT = 60
const PER_NETWORK = 200

export type AccountVisit = {
  /** Whose secret is tried, and which. */
  readonly account: string
  readonly address: string
  /** That this account has signed in in this browser before, if it has. */
  readonly proof: string | undefined
}

/**
 * A browser in which the account has signed in has a budget of its own: whoever uses up the account's from many networks keeps
 * nobody out who works here. The proof lies in that browser alone.
 */
export function budgetsOfAccount({ account, address, proof }: AccountVisit): Tries['budgets'] {
  const { network, site } = guessNetworksOf(address)
  return [
    { name: JSON.stringify(['network', network]), limit: PER_NETWORK },
    ...(site ? [{ name: JSON.stringify(['site', site]), limit: 2 * PER_NETWORK }] : []),
    ...(proof === undefined
      ? [
          { name: JSON.stringify(['pair', account, site ?? network]), limit: PER_ACCOUNT_AND_NETWORK },
          { name: JSON.stringify(['account', account]), limit: PER_ACCOUNT },
        ]
      : [{ name: JSON.stringify(['device', account, proof]), limit: PER_ACCOUNT_AND_NETWORK }]),
  ]
}
