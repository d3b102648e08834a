/** An act of a creditor's staff or programs: one transaction, and once for each `Idempotency-Key`. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { tryAgain } from '../imports/imports.ts'
import type { Context } from '../context.ts'
import { getOfficeInvoice } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { JsonText } from '../platform/http/json.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { rightsOf, type ClientPrincipal } from '../staff/staff.ts'
import { insertKeyRow, nameSubjectRow, readKeyRow } from './kept-keys.queries.ts'

/** What is asked: the same key with another of these is a mistake of the program that sends it. */
export type Asked = {
  readonly key: string | undefined
  /** Name of the call, what it is about, and its body. */
  readonly what: readonly unknown[]
  /** Reads what the act was about, as the wire has it; an invoice when left out. */
  readonly read?: (context: Context, principal: ClientPrincipal, id: string) => Promise<JsonText>
}

export type Acted = JsonText | Replayed<JsonText>

const LONGEST_KEY = 200

/** The call as something to be done once. Refuses a key that is too long to be kept. */
export function askedBy(request: Pick<FastifyRequest, 'headers'>, ...what: readonly unknown[]): Asked {
  const key = [request.headers['idempotency-key']].flat()[0]?.trim() || undefined
  if (key !== undefined && key.length > LONGEST_KEY)
    throw new Refusal('invalid_request', {}, ['Idempotency-Key'])
  return { key, what }
}

/**
 * Does `work` and answers the invoice, or what else is read, that it names, as it is afterwards. Under a key that has been used for the same, nothing is
 * done again. Refuses `idempotency_key_reused` when it was used for something else.
 */
export async function actOnce(
  context: Context,
  principal: ClientPrincipal,
  asked: Asked,
  work: (tx: Transaction) => Promise<string>,
): Promise<Acted> {
  const { id, isReplayed } = await tryAgain(() =>
    context.db.transaction(async (tx) => {
      const before = await findDone(tx, principal, asked)
      if (before !== undefined) return { id: before, isReplayed: true }
      const done = await work(tx)
      if (asked.key !== undefined) await nameSubjectRow(tx, keyOf(principal, asked.key), done)
      return { id: done, isReplayed: false }
    }),
  )
  const { read = getOfficeInvoice } = asked
  const whole = await read(context, principal, id)
  const answer = rightsOf(principal).includes('see') ? whole : withoutDebtor(whole)
  return isReplayed ? new Replayed(answer) : answer
}

/** What a program that may not read is told of what it has done: its state and its amounts, nobody's data. */
function withoutDebtor(whole: JsonText): JsonText {
  return new JsonText(whole.text.replaceAll(DEBTOR, ''))
}

/** In JSON that the database has written: parsed and written anew, an amount would lose its two decimals (D-25). */
const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const FLAT = String.raw`\{(?:[^{}"]|${STRING})*\}`
const DEBTOR = new RegExp(
  `,"debtor":\\{(?:[^{}"]|${STRING}|${FLAT})*\\}|,"customerNumber":(?:null|${STRING})`,
  'gu',
)

const keyOf = ({ instance, creditorId }: ClientPrincipal, key: string) => ({
  instanceId: instance.id,
  creditorId,
  key,
})

async function findDone(
  tx: Transaction,
  principal: ClientPrincipal,
  { key, what }: Asked,
): Promise<string | undefined> {
  if (key === undefined) return undefined
  const hash = createHash('sha256').update(JSON.stringify(what)).digest()
  if (await insertKeyRow(tx, keyOf(principal, key), hash)) return undefined
  const kept = await readKeyRow(tx, keyOf(principal, key))
  if (!kept?.request_hash.equals(hash)) throw new Refusal('idempotency_key_reused')
  return kept.subject_id ?? undefined
}
