/**
 * Acts that were asked for with `Undo-Seconds`: kept in one transaction under their key, done when they are due, taken back until
 * then. The lock of the row decides between the two; doing it and saying so are one transaction, so that whoever dies has done nothing.
 */
import type { FastifyRequest } from 'fastify'
import * as contract from '@kvitt/domain/acts/act.contract.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Binding } from '../platform/http/call.ts'
import { describeProblem } from '../platform/http/problem.ts'
import { Later, Replayed } from '../platform/http/replayed.ts'
import { newId } from '../platform/identity.ts'
import { languageFrom } from '../platform/texts.ts'
import { bindSharedRow } from '../sign-in/bind.ts'
import {
  askedBy,
  onceUnderKey,
  whoAsked,
  type ClientPrincipal,
  type OfficePrincipal,
} from '../staff/staff.ts'
import {
  askingAs,
  performApart,
  refusedOr,
  tryOut,
  whoAsks,
  type Acts,
  type OfficeAct,
} from './office-act.ts'
import {
  endAct,
  forgetActRows,
  insertActRow,
  lockWaitingAct,
  readOwnAct,
  takeDueActs,
  type ActKey,
  type ActRow,
} from './waiting-acts.queries.ts'

type Waiting = {
  readonly id: string
  readonly body: unknown
  readonly request: Pick<FastifyRequest, 'headers'>
  readonly seconds: number
}

/** So many are begun at once, and so often one that fails for no reason of the business. */
const MOST = 20
const MOST_TRIES = 6

/** Keeps it to be done in some seconds, once for each key. What would be refused now is refused now. */
export async function letWait(
  context: Context,
  principal: ClientPrincipal,
  act: Pick<OfficeAct, 'perform'> & { readonly call: string },
  { id: subjectId, body, request, seconds }: Waiting,
): Promise<Later | Replayed<Later>> {
  // By whom, too: nobody else could follow it or take it back.
  const asked = askedBy(request, 'later', act.call, subjectId, body, whoAsks(principal))
  const instanceId = principal.instance.id
  const { id, isReplayed } = await onceUnderKey(context, principal, asked, async (tx) => {
    const actId = newId(context.clock.now())
    await tryOut(context, tx, act, { principal, id: subjectId, body, key: keyOf(actId) })
    const of = { instanceId, id: actId, call: act.call, subjectId, body, seconds }
    await insertActRow(tx, { ...of, ...whoAsks(principal) })
    return actId
  })
  const later = new Later(id)
  return isReplayed ? new Replayed(later) : later
}

const keyOf = (actId: string): string => `act:${actId}`

type Doing = {
  readonly context: Context
  readonly acts: Acts
  readonly instances: readonly Instance[]
}

/** Does what is due. One that fails keeps none of the others, and is tried again. */
export async function doDueActs(doing: Doing): Promise<void> {
  const { context, instances } = doing
  for (;;) {
    const due = await takeDueActs(context.db, MOST)
    if (due.length === 0) return
    for (const { instance_id: instanceId, id } of due) {
      const instance = instances.find((one) => one.id === instanceId)
      if (!instance) continue
      try {
        await doOne(doing, instance, id)
      } catch (err) {
        context.log.error({ err, actId: id }, 'an act that waits could not be done; it is tried again')
      }
    }
  }
}

function doOne({ context, acts }: Doing, instance: Instance, id: string): Promise<void> {
  const key = { instanceId: instance.id, id }
  return context.db.transaction(async (tx) => {
    const row = await lockWaitingAct(tx, key)
    // Somebody took it back, or another process was faster.
    if (!row) return
    const act = row.tries > MOST_TRIES ? undefined : acts.get(row.call)
    if (!act) return endAct(tx, key, { state: 'REFUSED', code: 'internal_error' })
    const { creditor_id: creditorId, membership_id: membershipId, key_id: keyId } = row
    const asked = { creditorId, membershipId, keyId }
    const principal = await whoAsked({ db: tx, clock: context.clock }, instance, asked)
    if (!principal) return endAct(tx, key, { state: 'REFUSED', code: 'not_allowed' })
    const todo = { principal, id: row.subject_id, body: row.body ?? undefined, key: keyOf(id) }
    await endAct(tx, key, await refusedOr(() => performApart(context, tx, act, todo)))
  })
}

type Row = ActRow & { readonly key: ActKey }

/** Refuses `not_found`: what somebody else asked for does not exist. */
async function findAct({ db }: Pick<Context, 'db'>, principal: OfficePrincipal, id: string): Promise<Row> {
  const key = { instanceId: principal.instance.id, id }
  const row = await readOwnAct(db, askingAs(principal), key)
  if (!row) throw new Refusal('not_found')
  return { ...row, key }
}

type Asking = {
  readonly context: Context
  readonly principal: OfficePrincipal
  readonly request: FastifyRequest
  readonly row: Row
}

function present({ principal, request }: Asking, row: ActRow): AnswerOf<typeof contract.getAct> {
  const { code, params } = row
  const language = languageFrom(request.headers['accept-language'], principal.instance.language)
  return {
    id: row.id,
    call: row.call,
    subject: row.subject_id,
    state: row.state,
    askedAt: row.asked_at,
    dueAt: row.due_at,
    code,
    message: code && describeProblem({ code, params: params ?? {}, fields: [] }, language, '').message,
  }
}

/** Under its lock: whoever does it at this moment is waited for. Refuses `act_done`. */
async function takeBack(asking: Asking) {
  const { context, principal, row } = asking
  await endAct(context.db, row.key, { state: 'TAKEN_BACK' })
  const now = await findAct(context, principal, row.id)
  if (now.state === 'DONE') throw new Refusal('act_done')
  return present(asking, now)
}

export const WAITING_ACT_BINDINGS: readonly Binding[] = [
  bindSharedRow(contract.getAct, findAct, async (call) => present(call, call.row)),
  bindSharedRow(contract.takeBackAct, findAct, takeBack),
]

/** Removes what has ended long ago. */
export function forgetOldActs({ db }: Pick<Context, 'db'>): Promise<void> {
  return forgetActRows(db)
}
