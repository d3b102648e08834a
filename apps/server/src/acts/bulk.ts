/**
 * One act for many rows: kept with its rows in one transaction under its key, then done row by row, each in a transaction of its own
 * with the word that it is done. A few are done before the answer, many by a job; whoever dies leaves the rest to the next. With
 * `Undo-Seconds` the job begins when those are over, and until it has begun all of it can be taken back.
 */
import type { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import * as contract from '@kvitt/domain/acts/bulk.contract.ts'
import { readUndoSeconds } from '@kvitt/domain/acts/act.ts'
import type { AnswerOf, Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, parseAmount } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Binding } from '../platform/http/call.ts'
import { describeProblem } from '../platform/http/problem.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { within } from '../platform/database/within.ts'
import { newId } from '../platform/identity.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import type { OfficeSet, Selection, SetRow } from '../staff/office-set.ts'
import { askedBy, onceUnderKey, whoAsked, type ClientPrincipal } from '../staff/staff.ts'
import {
  countTry,
  endRow,
  forgetBulkRows,
  insertBulk,
  letGoOfBulk,
  lockLeftRow,
  readLeft,
  readOwnBulk,
  readDoneSums,
  readProgress,
  takeBulk,
  takeBulkBack,
  type BulkKey,
  type BulkRow,
} from './bulk.queries.ts'
import { performApart, refusedOr, whoAsks, type Acts, type OfficeAct } from './office-act.ts'

/** So many are done before the answer. */
const AT_ONCE = 50
/** So many of one before it is the next one's turn. */
const TURN = 100
/** Whoever is silent for so long is taken for dead. Each row is still done once: its lock decides. */
const LEASE_MS = 30_000
const MOST_TRIES = 3

type ManyBody = Selection & {
  readonly expectedCount?: number | null | undefined
  readonly expectedSum?: number | string | null | undefined
}
type Bulk = AnswerOf<typeof contract.getBulk>

export type Many = {
  readonly set: OfficeSet
  /** Refuses what no row could be done with, such as a day that is too far. */
  readonly check?: (asking: Asking, body: Readonly<Record<string, unknown>>) => Promise<void> | void
}

type Asking = { readonly context: Context; readonly principal: ClientPrincipal }

/** Binds the call that does for many rows what `act` does for one. */
export function bindMany<Query extends z.ZodType, Body extends z.ZodType<ManyBody>>(
  call: Contract<Query, Body, z.ZodType<Bulk>, 'client', 'guard'>,
  act: OfficeAct,
  many: Many,
): Binding {
  return bind(call, async ({ context, principal, request, body }) => {
    const seconds = undoSecondsIn(request, call)
    const asked = { call: call.name, act, many, body: body as ManyBody, seconds }
    const { id, isReplayed } = await keepBulk({ context, principal }, asked, request)
    const key = { instanceId: principal.instance.id, id }
    const row = await readOwnBulk(context.db, whoAsks(principal), key)
    const { left } = await readProgress(context.db, key)
    // Whoever repeats it helps to end it, unless it can still be taken back.
    const mayBegin = row && (row.due_at === null || row.begun_at !== null)
    if (mayBegin && left > 0 && left <= AT_ONCE)
      await workOn({ context, acts: new Map([[act.contract.name, act]]) }, principal.instance, row)
    const answer = await present({ context, principal, request }, key)
    return isReplayed ? new Replayed(answer) : answer
  })
}

/** Refuses what is no number of seconds, and any at all for what is not taken back. */
function undoSecondsIn(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { takesUndo }: Pick<Contract, 'takesUndo'>,
): number {
  const seconds = readUndoSeconds([headers['undo-seconds']].flat()[0])
  if (seconds === undefined || (seconds > 0 && !takesUndo))
    throw new Refusal('invalid_request', {}, ['Undo-Seconds'])
  return seconds
}

type AskedMany = {
  readonly seconds: number
  readonly call: string
  readonly act: OfficeAct
  readonly many: Many
  readonly body: ManyBody
}

function keepBulk(
  { context, principal }: Asking,
  { call, act, many, body, seconds }: AskedMany,
  request: Pick<FastifyRequest, 'headers'>,
) {
  const { ids: named, search, expectedCount, expectedSum, ...wish } = body
  // As the database writes them.
  const ids = named?.map((id) => id.toLowerCase())
  if (search && (expectedCount ?? null) === null) throw new Refusal('invalid_request', {}, ['expectedCount'])
  const today = context.clock.today(principal.instance.timeZone)
  // By whom, too: nobody else could follow it.
  const asked = askedBy(request, call, body, whoAsks(principal))
  return onceUnderKey(context, principal, asked, async (tx) => {
    const rows = await many.set(tx, { principal, today }, { ids, search })
    refuseOthers(rows, { expectedCount, expectedSum })
    // On the same connection: one that waits for a second while it holds its own can stop all.
    await many.check?.({ context: { ...context, db: within(tx) }, principal }, wish)
    const id = newId(context.clock.now())
    const found = new Map(rows.map((row) => [row.id, row]))
    await insertBulk(tx, {
      instanceId: principal.instance.id,
      id,
      ...whoAsks(principal),
      call: act.contract.name,
      body: wish,
      leaseMs: seconds > 0 ? seconds * 1_000 : found.size <= AT_ONCE ? LEASE_MS : 0,
      isTakenBack: seconds > 0,
      left: [...found.values()],
      missing: [...new Set(ids ?? [])].filter((one) => !found.has(one)),
    })
    return id
  })
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

/** Refuses `selection_changed`: there are more or fewer rows than somebody has seen, or they come to something else. */
function refuseOthers(rows: readonly SetRow[], { expectedCount, expectedSum }: ManyBody): void {
  const count = expectedCount ?? rows.length
  const sums = [sumOf(rows.map(({ minor }) => minor))]
  for (const at of rows[0]?.also.keys() ?? []) sums.push(sumOf(rows.map(({ also }) => also[at] ?? 0)))
  const sum = (expectedSum ?? null) === null ? undefined : minorOf(expectedSum ?? 0)
  if (count === rows.length && (sum === undefined || sums.includes(sum))) return
  throw new Refusal('selection_changed', { count: String(rows.length) }, [
    count === rows.length ? 'expectedSum' : 'expectedCount',
  ])
}

/** Of a sum that a program has added up with fractions, the rest of a calculation is no difference. */
function minorOf(sum: number | string): number {
  if (typeof sum === 'number') return Math.round(sum * 100)
  const read = parseAmount(sum, 'SEK')
  if (!read) throw new Refusal('amount_malformed', {}, ['expectedSum'])
  return read.minor
}

type Working = { readonly context: Context; readonly acts: Acts }

/** Goes on with what was left undone, a turn of each. */
export async function doBulks({
  context,
  acts,
  instances,
}: Working & { readonly instances: readonly Instance[] }): Promise<void> {
  for (let row = await takeBulk(context.db, LEASE_MS); row; row = await takeBulk(context.db, LEASE_MS)) {
    const instance = instances.find(({ id }) => id === row?.instance_id)
    if (instance) await workOn({ context, acts }, instance, row)
  }
}

async function workOn({ context, acts }: Working, instance: Instance, bulk: BulkRow): Promise<void> {
  const key = { instanceId: instance.id, id: bulk.id }
  for (const place of await readLeft(context.db, key, TURN)) {
    try {
      await doRow({ context, acts }, { instance, bulk, place })
    } catch (err) {
      context.log.error({ err, bulkId: bulk.id, place }, 'a row of many could not be done; it is tried again')
      await countTry(context.db, { ...key, place }, MOST_TRIES)
    }
  }
  await letGoOfBulk(context.db, key)
}

type Place = { readonly instance: Instance; readonly bulk: BulkRow; readonly place: number }

function doRow({ context, acts }: Working, { instance, bulk, place }: Place): Promise<void> {
  const key = { instanceId: instance.id, id: bulk.id, place }
  return context.db.transaction(async (tx) => {
    const id = await lockLeftRow(tx, key)
    if (id === undefined) return
    const act = acts.get(bulk.call)
    if (!act) throw new Error(`nobody knows the act ${bulk.call}`)
    const { creditor_id: creditorId, membership_id: membershipId, key_id: keyId } = bulk
    const asked = { creditorId, membershipId, keyId }
    const principal = await whoAsked({ db: tx, clock: context.clock }, instance, asked)
    if (!principal) return endRow(tx, key, { state: 'REFUSED', code: 'not_allowed' })
    const todo = { principal, id, body: bulk.body, key: `bulk:${bulk.id}:${place}` }
    await endRow(tx, key, await refusedOr(() => performApart(context, tx, act, todo)))
  })
}

/** As the answer is written: amounts as they are. */
type ToldBulk = Omit<Bulk, 'currencies'> & {
  readonly currencies: { readonly currency: string; readonly sum: Amount }[]
}

type Showing = Asking & { readonly request: Pick<FastifyRequest, 'headers'> }

async function present({ context, principal, request }: Showing, key: BulkKey): Promise<ToldBulk> {
  const bulk = await readOwnBulk(context.db, whoAsks(principal), key)
  if (!bulk) throw new Refusal('not_found')
  const { done, left, refused } = await readProgress(context.db, key)
  const language = languageFrom(request.headers['accept-language'], principal.instance.language)
  const first = new Map([...refused].reverse().map((row) => [row.code, row.params ?? {}]))
  return {
    id: key.id,
    done,
    left,
    refused: refused.map(({ id, code }) => ({ id, code })),
    reasons: [...first].map(([code, params]) => ({
      code,
      message: describeProblem({ code, params, fields: [] }, language, '').message,
    })),
    currencies: (await readDoneSums(context.db, key)).map(({ currency, minor }) => ({
      currency,
      sum: new Amount(minor),
    })),
    dueAt: bulk.due_at && new Date(bulk.due_at).toISOString(),
    isTakenBack: bulk.taken_back_at !== null,
  }
}

/** Refuses `not_found`: what somebody else asked for does not exist. */
async function findBulk(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  id: string,
): Promise<BulkKey> {
  const key = { instanceId: principal.instance.id, id }
  if (!(await readOwnBulk(db, whoAsks(principal), key))) throw new Refusal('not_found')
  return key
}

/** Whoever begins with it at this moment is waited for. Refuses `act_done`. */
async function takeBack(showing: Showing, key: BulkKey): Promise<ToldBulk> {
  const { context, principal } = showing
  await context.db.transaction((tx) => takeBulkBack(tx, key))
  const bulk = await readOwnBulk(context.db, whoAsks(principal), key)
  if (!bulk?.taken_back_at) throw new Refusal('act_done')
  return present(showing, key)
}

export const BULK_BINDINGS: readonly Binding[] = [
  bindRow(contract.getBulk, findBulk, (call) => present(call, call.row)),
  bindRow(contract.takeBackBulk, findBulk, (call) => takeBack(call, call.row)),
]

/** Binds the call that says how many rows are meant, and what they come to. */
export function bindSum<Query extends z.ZodType>(
  call: Contract<
    Query,
    z.ZodType<Selection>,
    z.ZodType<AnswerOf<typeof contract.sumInvoices>>,
    'client',
    'guard'
  >,
  set: OfficeSet,
): Binding {
  return bind(call, async ({ context, principal, body }) => {
    const today = context.clock.today(principal.instance.timeZone)
    const rows = await set(context.db, { principal, today }, body)
    const byCurrency = new Map<string, number>()
    for (const { currency, minor } of rows)
      if (currency !== null) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + minor)
    return {
      count: rows.length,
      sum: new Amount(sumOf(rows.map(({ minor }) => minor))),
      currencies: [...byCurrency].map(([currency, sum]) => ({ currency, sum: new Amount(sum) })),
    }
  })
}

/** Removes what has ended long ago. */
export function forgetOldBulks({ db }: Pick<Context, 'db'>): Promise<void> {
  return forgetBulkRows(db)
}
