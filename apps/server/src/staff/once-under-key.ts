/** What a creditor's staff and programs do once for each `Idempotency-Key`. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { forgetKeyRows, insertKeyRow, nameSubjectRow, readKeyRow } from './kept-keys.queries.ts'
import type { ClientPrincipal } from './principal.ts'

/** What is asked: the same key with another of these is a mistake of the program that sends it. */
export type AskedOnce = {
  readonly key: string | undefined
  /** Name of the call, what it is about, and its body. */
  readonly what: readonly unknown[]
}

const LONGEST_KEY = 200

/** The call as something to be done once. Refuses a key that is too long to be kept. */
export function askedBy(request: Pick<FastifyRequest, 'headers'>, ...what: readonly unknown[]): AskedOnce {
  const key = [request.headers['idempotency-key']].flat()[0]?.trim() || undefined
  if (key !== undefined && key.length > LONGEST_KEY)
    throw new Refusal('invalid_request', {}, ['Idempotency-Key'])
  return { key, what }
}

/**
 * Does `work` in a transaction, and answers what it names. Under a key that has been used for the same, nothing is done again.
 * Refuses `idempotency_key_reused` when it was used for something else.
 */
export function onceUnderKey(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  asked: AskedOnce,
  work: (tx: Transaction) => Promise<string>,
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  return db.transaction(async (tx) => {
    const before = await findDone(tx, principal, asked)
    if (before !== undefined) return { id: before, isReplayed: true }
    const done = await work(tx)
    if (asked.key !== undefined) await nameSubjectRow(tx, keyOf(principal, asked.key), done)
    return { id: done, isReplayed: false }
  })
}

/** The keys of an operator's people are their own: another's may be the same text. Hashed, because both together may be too long. */
const keyOf = (principal: ClientPrincipal, key: string) => ({
  instanceId: principal.instance.id,
  creditorId: principal.creditorId,
  key:
    principal.kind === 'operator'
      ? createHash('sha256').update(`${principal.personId} ${key}`).digest('hex')
      : key,
})

async function findDone(
  tx: Transaction,
  principal: ClientPrincipal,
  { key, what }: AskedOnce,
): Promise<string | undefined> {
  if (key === undefined) return undefined
  const hash = createHash('sha256').update(JSON.stringify(what)).digest()
  if (await insertKeyRow(tx, keyOf(principal, key), hash)) return undefined
  const kept = await readKeyRow(tx, keyOf(principal, key))
  if (!kept?.request_hash.equals(hash)) throw new Refusal('idempotency_key_reused')
  return kept.subject_id ?? undefined
}

/** Removes the keys of acts that no program repeats any more. */
export function forgetOldKeys({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  return forgetKeyRows(db, new Date(clock.now()).toISOString())
}
