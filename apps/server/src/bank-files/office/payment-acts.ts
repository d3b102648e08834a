/**
 * What an operator's people do with money that is booked: by the use cases that the commands have, each in one transaction,
 * once for each `Idempotency-Key`. Above the limit it is proposed, and another decides.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { MoveTarget, previewPaymentAct } from '@kvitt/domain/payments/payment-acts.contract.ts'
import type { Context } from '../../context.ts'
import { tryAgain } from '../../imports/imports.ts'
import { keepByHand, needsAnother } from '../../manual-postings/manual-postings.ts'
import { getOfficePayment } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { within, withinApart } from '../../platform/database/within.ts'
import type { JsonText } from '../../platform/http/json.ts'
import { Proposed, Replayed } from '../../platform/http/replayed.ts'
import { presentProposal, propose, type ProposalWork } from '../../proposals/proposals.ts'
import { onceByOperator, type AskedOnce, type OperatorMember } from '../../staff/staff.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import type { Named } from '../place-suspense.ts'
import { findPaidRow, readOwedBy, type PaidRow } from './payment-acts.queries.ts'
import {
  perform,
  stateOf,
  stateThen,
  SUSPENSE,
  type By,
  type Done,
  type PaymentState,
  type Wish,
} from './perform-payment-act.ts'

type Act = By & { readonly row: PaidRow; readonly asked: AskedOnce }
type Acted = JsonText | Replayed<JsonText> | Proposed<JsonText>

/** Refuses `not_found`: another provider's does not exist. */
export async function findPaid(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<PaidRow> {
  const row = await findPaidRow(db, instance.id, id)
  if (!row) throw new Refusal('not_found')
  return row
}

export function reverse(act: Act, reason: string): Promise<Acted> {
  return once(act, { kind: 'reverse', reason: requireWhy(reason) })
}

export function move(act: Act, { to, reason }: { to: MoveTarget; reason: string }): Promise<Acted> {
  return once(act, { kind: 'move', to: targetOf(to), reason: requireWhy(reason) })
}

function requireWhy(reason: string): string {
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  return reason.trim()
}

/** Refuses a body that names none of the three, or more than one. */
function targetOf({ invoice, collectionBatch, suspense }: MoveTarget): Named | 'suspense' {
  const named = [invoice, collectionBatch, suspense].filter(Boolean)
  if (named.length !== 1) throw new Refusal('invalid_request', {}, ['to'])
  if (suspense) return 'suspense'
  return invoice ? { kind: 'invoice', name: invoice } : { kind: 'claim', name: collectionBatch ?? '' }
}

/** Under a key once. What it answers is the payment, or the proposal where that is what came of it. */
async function once(act: Act, wish: Wish): Promise<Acted> {
  const { context, principal, row, asked } = act
  const { id, isReplayed } = await tryAgain(() =>
    onceByOperator(context, principal, asked, async (tx) => (await doOrPropose(tx, act, wish)) ?? row.id),
  )
  if (id !== row.id) return new Proposed(await presentProposal(context, principal, id))
  const answer = await getOfficePayment(context, principal, row.id)
  return isReplayed ? new Replayed(answer) : answer
}

const KINDS = { move: 'payment_move', reverse: 'payment_reversal' } as const

/** What was done is taken back again: it is above the limit. */
class AboveLimit extends Error {
  override readonly name = 'AboveLimit'
  readonly done: Done
  constructor(done: Done) {
    super()
    this.done = done
  }
}

/** Does it, or writes down that somebody else is to decide. Answers the proposal. */
async function doOrPropose(
  tx: Transaction,
  { context, principal, row }: Act,
  wish: Wish,
): Promise<string | undefined> {
  const { id: instanceId } = principal.instance
  // One at a time: of two who stay below the limit, both together may not.
  await lockBankFiles(tx, instanceId)
  await stateOf(tx, instanceId, row)
  try {
    await withinApart(tx).transaction(async (inner) => {
      const done = await perform(inner, { context, principal }, row, wish)
      if (await needsAnother(inner, instanceId, done.byHand)) throw new AboveLimit(done)
      await keepByHand(inner, instanceId, done.byHand, null)
    })
    return undefined
  } catch (error) {
    if (!(error instanceof AboveLimit)) throw error
    const { done } = error
    const before = await stateOf(tx, instanceId, row, done.on?.id)
    return propose(tx, context, principal, {
      kind: KINDS[wish.kind],
      about: `payment:${row.id}`,
      creditorId: done.creditorId,
      before,
      after: stateThen(before, wish, done),
    })
  }
}

/** Ends the transaction of a preview: what it has written is read, and never stays. */
class NeverKept extends Error {}

/** What it would change: it is done, read and taken back before anybody sees it. */
export async function preview(
  { context, principal, row }: Omit<Act, 'asked'>,
  to: MoveTarget | null | undefined,
): Promise<Loosen<AnswerOf<typeof previewPaymentAct>>> {
  const { id: instanceId } = principal.instance
  const reason = 'preview'
  const wish: Wish = to ? { kind: 'move', to: targetOf(to), reason } : { kind: 'reverse', reason }
  let seen: { readonly done: Done; readonly isAbove: boolean } | undefined
  try {
    await context.db.transaction(async (tx) => {
      await lockBankFiles(tx, instanceId)
      await stateOf(tx, instanceId, row)
      const done = await perform(tx, { context, principal }, row, wish)
      seen = { done, isAbove: await needsAnother(tx, instanceId, done.byHand) }
      throw new NeverKept()
    })
  } catch (error) {
    if (!(error instanceof NeverKept)) throw error
  }
  if (!seen) throw new Error('a preview was not read')
  const { done, isAbove } = seen
  const now = await readOwedBy(
    context.db,
    instanceId,
    done.after.map(({ id }) => id),
  )
  return {
    amount: new Amount(row.amount_minor),
    currency: row.currency,
    debts: done.after.map(({ type, id, number, owed_minor: minor }) => ({
      type,
      id,
      number,
      owed: new Amount(now.find((one) => one.id === id)?.owed_minor ?? 0),
      owedThen: new Amount(minor),
    })),
    owedBack: new Amount(done.owedBackMinor),
    needsAnother: isAbove,
  }
}

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** Above the limit it is done when another has approved it: what it does is what was approved, or it is not done. */
export const PAYMENT_ACT_WORK: ProposalWork = {
  readNow: async (tx, { principal, about, before }) => {
    const { id: instanceId } = principal.instance
    await lockBankFiles(tx, instanceId)
    const row = await findPaid({ db: within(tx) }, principal, idOf(about))
    return stateOf(tx, instanceId, row, (before as Partial<PaymentState>).target?.id)
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const { id: instanceId } = principal.instance
    const before = proposal.before as PaymentState
    const after = proposal.after as PaymentState & { readonly reason: string }
    const row = await findPaid({ db: within(tx) }, principal, idOf(proposal.about))
    const wish: Wish =
      proposal.kind === 'payment_reversal'
        ? { kind: 'reverse', reason: after.reason }
        : { kind: 'move', to: proposedTo(after), reason: after.reason }
    const done = await perform(tx, { context, principal }, row, wish)
    // Under the locks of the deed: what a gateway or a file has paid meanwhile shows here.
    if (!isDeepStrictEqual(stateThen(before, wish, done), after)) throw new Refusal('changed_meanwhile')
    await keepByHand(tx, instanceId, done.byHand, proposal.id)
  },
}

function proposedTo({ to, target }: PaymentState & { readonly to?: unknown }): Named | 'suspense' {
  if (to === SUSPENSE) return 'suspense'
  if (!target) throw new Error('a proposed move has no target')
  return { kind: target.type === 'invoices' ? 'invoice' : 'claim', name: target.id }
}
