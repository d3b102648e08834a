/** An act of staff, as whoever does it later or for many rows knows it. */
import { Refusal, type ErrorCode, type ErrorParams } from '@kvitt/domain/errors.ts'
import type { Contract } from '@kvitt/domain/contract.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { withinApart } from '../platform/database/within.ts'
import type { Binding } from '../platform/http/call.ts'
import type { ClientPrincipal, OfficePrincipal, WhoAsked } from '../staff/staff.ts'

/** What is asked for by somebody who is not there now. */
export type ActAskedFor = {
  /** An operator's person is whoever they are at the row. */
  readonly principal: OfficePrincipal
  /** The row that it is about. */
  readonly id: string
  /** As the call has read it. */
  readonly body: unknown
  /** Under which it is done once (staff/once-under-key.ts). */
  readonly key: string
}

export type OfficeAct = {
  readonly contract: Contract
  readonly binding: Binding
  /** Refuses as the call would: `not_allowed`, `not_found`, and whatever the use case says. */
  readonly perform: (context: Context, asked: ActAskedFor) => Promise<void>
}

/** The acts by the names of their calls. */
export type Acts = ReadonlyMap<string, Pick<OfficeAct, 'perform'>>

/** Does it in the caller's transaction. What is refused has changed nothing there, and the transaction goes on. */
export function performApart(
  context: Context,
  tx: Transaction,
  { perform }: Pick<OfficeAct, 'perform'>,
  asked: ActAskedFor,
): Promise<void> {
  return withinApart(tx).transaction(() => perform({ ...context, db: withinApart(tx) }, asked))
}

class TriedOut extends Error {
  override readonly name = 'TriedOut'
}

/** Refuses what would be refused now. Changes nothing. */
export async function tryOut(
  context: Context,
  tx: Transaction,
  act: Pick<OfficeAct, 'perform'>,
  asked: ActAskedFor,
): Promise<void> {
  const perform = async (inner: Context): Promise<never> => {
    await act.perform(inner, asked)
    throw new TriedOut()
  }
  await performApart(context, tx, { perform }, asked).catch((error: unknown) => {
    if (!(error instanceof TriedOut)) throw error
  })
}

/** Whoever asks, as it is kept. */
export const whoAsks = (principal: ClientPrincipal): WhoAsked => ({
  creditorId: principal.creditorId,
  ...askingAs(principal),
})

/** The same of somebody who is at no creditor. */
export const askingAs = (principal: OfficePrincipal): Omit<WhoAsked, 'creditorId'> => ({
  membershipId: principal.kind === 'api_key' ? null : principal.membershipId,
  keyId: principal.kind === 'api_key' ? principal.keyId : null,
})

/** What came of it. */
export type Outcome =
  | { readonly state: 'DONE' }
  | { readonly state: 'REFUSED'; readonly code: ErrorCode; readonly params?: ErrorParams }

/** Does it; what the business refuses is an outcome, everything else is thrown. */
export async function refusedOr(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { state: 'DONE' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: 'REFUSED', code: error.code, params: error.params }
  }
}
