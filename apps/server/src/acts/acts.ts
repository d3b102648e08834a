/**
 * An act of staff as it is done from anywhere: at once by its call, later when it was asked for with `Undo-Seconds`, and for many
 * rows. Whoever does it goes through the same right, the same row and the same use case.
 */
import type { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import { readUndoSeconds } from '@kvitt/domain/acts/act.ts'
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Answer } from '../platform/http/call.ts'
import { bindRow, bindSharedRow } from '../sign-in/bind.ts'
import { principalAt, rightsOf, type ClientPrincipal, type OfficePrincipal } from '../staff/staff.ts'
import type { Acts, OfficeAct } from './office-act.ts'
import { letWait } from './waiting-acts.ts'

export { bindMany, bindSum, BULK_BINDINGS, doBulks, forgetOldBulks } from './bulk.ts'
export { doDueActs, forgetOldActs, WAITING_ACT_BINDINGS } from './waiting-acts.ts'
export type { Acts, OfficeAct } from './office-act.ts'

/** What an act reads of its request. */
export type ActRequest = Pick<FastifyRequest, 'headers' | 'params'>

type ActCall<Row, Body, P> = {
  readonly context: Context
  readonly principal: P
  readonly row: Row
  readonly body: Body
  readonly request: ActRequest
}
type Act<Row, Body, P, Given> = (call: ActCall<Row, Body, P>) => Promise<Given>
type Find<Row, P> = (context: Context, principal: P, id: string) => Promise<Row>
type OfStaff<Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType> = Contract<
  Query,
  Body,
  Response,
  'client' | 'admin',
  'guard'
>

/** An act about one row of a creditor's, by its contract, how its row is found, and the use case. */
export function openAct<Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType, Row>(
  contract: OfStaff<Query, Body, Response>,
  find: Find<Row, ClientPrincipal>,
  act: Act<Row, z.output<Body>, ClientPrincipal, Answer<z.output<Response>>>,
): OfficeAct {
  const perform = performer(contract, { find, act }, ({ db }, principal, id) =>
    principalAt(db, principal, contract, id),
  )
  const binding = bindRow(contract, find, (call) => {
    const { context, principal, request, body } = call
    const seconds = undoSecondsOf(request, contract)
    if (seconds === 0) return act(call)
    const { id } = request.params as { id: string }
    return letWait(context, principal, { call: contract.name, perform }, { id, body, request, seconds })
  })
  return { contract, binding, perform }
}

/** The same of a row that is no one creditor's alone, such as a task. It is never taken back. */
export function openSharedAct<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  Row,
>(
  contract: OfStaff<Query, Body, Response>,
  find: Find<Row, OfficePrincipal>,
  act: Act<Row, z.output<Body>, OfficePrincipal, Answer<z.output<Response>>>,
): OfficeAct {
  const perform = performer(contract, { find, act }, (_context, principal) => principal)
  const binding = bindSharedRow(contract, find, (call) => {
    undoSecondsOf(call.request, contract)
    return act(call)
  })
  return { contract, binding, perform }
}

/** How it is done by somebody who is not there now. */
function performer<Body extends z.ZodType, Row, P extends OfficePrincipal>(
  { right }: Contract<z.ZodType, Body>,
  { find, act }: { readonly find: Find<Row, P>; readonly act: Act<Row, z.output<Body>, P, unknown> },
  principalAt: (context: Context, principal: OfficePrincipal, id: string) => Promise<P> | P,
): OfficeAct['perform'] {
  return async (context, { principal: asking, id, body, key }) => {
    if (right === undefined || !rightsOf(asking).includes(right)) throw new Refusal('not_allowed')
    const principal = await principalAt(context, asking, id)
    const row = await find(context, principal, id)
    const request = { headers: { 'idempotency-key': key }, params: { id } }
    await act({ context, principal, row, body: body as z.output<Body>, request })
  }
}

/** Refuses what is no number of seconds, and any at all for what cannot be taken back. */
function undoSecondsOf({ headers }: ActRequest, { takesUndo }: Pick<Contract, 'takesUndo'>): number {
  const seconds = readUndoSeconds([headers['undo-seconds']].flat()[0])
  if (seconds === undefined || (seconds > 0 && !takesUndo))
    throw new Refusal('invalid_request', {}, ['Undo-Seconds'])
  return seconds
}

export function actsByName(acts: readonly OfficeAct[]): Acts {
  return new Map(acts.map((act) => [act.contract.name, act]))
}

/** The act of a call among those of its resource. */
export function actOf(acts: readonly OfficeAct[], { name }: Pick<Contract, 'name'>): OfficeAct {
  const act = acts.find(({ contract }) => contract.name === name)
  if (!act) throw new Error(`${name} is not an act`)
  return act
}
