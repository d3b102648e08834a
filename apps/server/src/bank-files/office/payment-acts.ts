/**
 * What an operator's people do with money that is booked (staff.md 3): by the use cases that the commands have, each in one transaction,
 * once for each `Idempotency-Key`. Above the limit it is proposed, and another decides.
 */
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount, amountText } from '@kvitt/domain/money.ts'
import type { MoveTarget, previewPaymentAct } from '@kvitt/domain/payments/payment-acts.contract.ts'
import { DecisionRefused } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import { tryAgain } from '../../imports/imports.ts'
import { keepByHand, needsAnother, type ByHand } from '../../manual-postings/manual-postings.ts'
import { getOfficePayment } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { within, withinApart } from '../../platform/database/within.ts'
import type { JsonText } from '../../platform/http/json.ts'
import { Proposed, Replayed } from '../../platform/http/replayed.ts'
import { presentProposal, propose, type ProposalWork, type ProposedState } from '../../proposals/proposals.ts'
import { actorOf, onceByOperator, type AskedOnce, type OperatorMember } from '../../staff/staff.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { moveGatewayPayment } from '../moves/move-gateway-payment.ts'
import { movePayment } from '../moves/move-payment.ts'
import { reverseByHand } from '../moves/reverse-by-hand.ts'
import type { Named } from '../place-suspense.ts'
import { PlacementRefused } from '../placement-refused.ts'
import {
  findPaidRow,
  readOwedBy,
  readPaidOn,
  type PaidRow,
  type TouchedDebt,
} from './payment-acts.queries.ts'
import { CODES } from './placement-codes.ts'

type By = { readonly context: Context; readonly principal: OperatorMember }
type Act = By & { readonly row: PaidRow; readonly asked: AskedOnce }
type Acted = JsonText | Replayed<JsonText> | Proposed<JsonText>

/** Where the money is to go: undefined is back to nobody, 'suspense' is nowhere yet. */
type Wish = { readonly to: Named | 'suspense' | undefined; readonly reason: string }

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
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  return once(act, { to: undefined, reason: reason.trim() })
}

export function move(
  act: Act,
  { to, reason }: { to: MoveTarget; reason?: string | null | undefined },
): Promise<Acted> {
  return once(act, { to: targetOf(to), reason: reason?.trim() || 'moved' })
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
const kindOf = ({ to }: Wish): keyof typeof KINDS => (to === undefined ? 'reverse' : 'move')

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
  const before = await stateOf(tx, instanceId, row)
  try {
    await withinApart(tx).transaction(async (inner) => {
      const done = await perform(inner, { context, principal }, row, wish)
      if (await needsAnother(inner, instanceId, done.byHand)) throw new AboveLimit(done)
      await keepByHand(inner, instanceId, done.byHand, null)
    })
    return undefined
  } catch (error) {
    if (!(error instanceof AboveLimit)) throw error
    const { on, creditorId } = error.done
    const target = on ? { to: on.number, target: { type: on.type, id: on.id } } : {}
    const where = wish.to === 'suspense' ? { to: 'SUSPENSE' } : target
    return propose(tx, context, principal, {
      kind: KINDS[kindOf(wish)],
      about: `payment:${row.id}`,
      creditorId,
      before,
      after: { ...before, ...where, reason: wish.reason },
    })
  }
}

/** As its proposal has it. Refuses what has been taken back or moved since. */
async function stateOf(tx: Transaction, instanceId: string, row: PaidRow): Promise<ProposedState> {
  const now = await findPaidRow(tx, instanceId, row.id)
  if (!now || now.is_back || now.way === 'UNDER_WAY' || now.way === 'DIRECT')
    throw new Refusal('act_not_open')
  const debts = await readPaidOn(tx, instanceId, now.of)
  return {
    amount: amountText(now.amount_minor),
    currency: now.currency,
    debt: debts.map(({ number }) => number).join(', '),
  }
}

type Done = {
  /** The debts that it had paid, and what it pays now. */
  readonly was: readonly TouchedDebt[]
  readonly on: TouchedDebt | undefined
  readonly owedBackMinor: number
  readonly creditorId: string | null
  readonly byHand: ByHand & Pick<PaidRow, 'currency'>
}

/** By the use case of the command, in the caller's transaction. What it refuses in a sentence is refused by code. */
async function perform(tx: Transaction, by: By, row: PaidRow, wish: Wish): Promise<Done> {
  const { instance } = by.principal
  const { currency, amount_minor: amountMinor } = row
  const was = await readPaidOn(tx, instance.id, row.of)
  const owedBackMinor = await asRefusals(() => carry(tx, by, row, wish), wish)
  const [on] = wish.to === undefined ? [] : await readPaidOn(tx, instance.id, row.of)
  const touched = on ? [...was, on] : was
  return {
    was,
    on,
    owedBackMinor,
    creditorId: was[0]?.creditor_id ?? null,
    byHand: {
      kind: wish.to === undefined ? 'REVERSAL' : 'MOVE',
      about: `payment:${row.id}`,
      debtorIds: [...new Set(touched.map(({ debtor_id: id }) => id))],
      currency,
      amountMinor,
      on: by.context.clock.today(instance.timeZone),
    },
  }
}

/** Answers what is owed back of it where it is now, in minor units. */
async function carry(tx: Transaction, { context, principal }: By, row: PaidRow, wish: Wish): Promise<number> {
  const inTx = { ...context, db: within(tx) }
  const { to, reason } = wish
  const who = { instanceId: principal.instance.id, by: actorOf(principal), reason }
  if (to === undefined) {
    if (row.way === 'BANK') throw new Refusal('money_on_statement')
    await reverseByHand(inTx, { ...who, paymentId: row.of })
    return 0
  }
  if (row.way === 'BANK') {
    const named = to === 'suspense' ? undefined : to
    const { on } = await movePayment(inTx, { ...who, lineId: row.of, to: named })
    return on?.owedBackMinor ?? 0
  }
  // Money that a gateway holds is somewhere: what is nobody's goes back to whoever paid.
  if (to === 'suspense') throw new Refusal('act_not_open', {}, ['to'])
  const { on } = await moveGatewayPayment(inTx, { ...who, paymentId: row.of, to })
  return on?.owedBackMinor ?? 0
}

async function asRefusals<Result>(work: () => Promise<Result>, { to }: Wish): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DecisionRefused) throw new Refusal(error.code, error.params)
    if (!(error instanceof PlacementRefused)) throw error
    // Of booked money there is nothing to say about suspense.
    const told = CODES[error.code]
    const code = told === 'not_in_suspense' || told === 'not_found' ? 'act_not_open' : told
    const isOfDebt = code !== 'act_not_open' && code !== 'money_sent_back' && to !== undefined
    throw new Refusal(code, error.params, isOfDebt ? ['to'] : [])
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
  const wish: Wish = { to: to ? targetOf(to) : undefined, reason: 'preview' }
  let seen:
    | { readonly done: Done; readonly after: readonly TouchedDebt[]; readonly isAbove: boolean }
    | undefined
  try {
    await context.db.transaction(async (tx) => {
      await lockBankFiles(tx, instanceId)
      await stateOf(tx, instanceId, row)
      const done = await perform(tx, { context, principal }, row, wish)
      const ids = [...done.was, ...(done.on ? [done.on] : [])].map(({ id }) => id)
      // What it leaves first, then where it goes.
      const read = await readOwedBy(tx, instanceId, ids)
      const after = read.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      seen = { done, after, isAbove: await needsAnother(tx, instanceId, done.byHand) }
      throw new NeverKept()
    })
  } catch (error) {
    if (!(error instanceof NeverKept)) throw error
  }
  if (!seen) throw new Error('a preview was not read')
  const { done, after, isAbove } = seen
  const now = await readOwedBy(
    context.db,
    instanceId,
    after.map(({ id }) => id),
  )
  return {
    amount: new Amount(row.amount_minor),
    currency: row.currency,
    debts: after.map(({ type, id, number, owed_minor: minor }) => ({
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

type Target = { readonly type: TouchedDebt['type']; readonly id: string }

/** Above the limit it is done when another has approved it. */
export const PAYMENT_ACT_WORK: ProposalWork = {
  readNow: async (tx, { principal, about }) => {
    const { id: instanceId } = principal.instance
    await lockBankFiles(tx, instanceId)
    return stateOf(tx, instanceId, await findPaid({ db: within(tx) }, principal, idOf(about)))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const { id: instanceId } = principal.instance
    const { to, target, reason } = proposal.after as { to?: string; target?: Target; reason: string }
    const row = await findPaid({ db: within(tx) }, principal, idOf(proposal.about))
    const named: Named | undefined = target && {
      kind: target.type === 'invoices' ? 'invoice' : 'claim',
      name: target.id,
    }
    const wish = { to: to === 'SUSPENSE' ? ('suspense' as const) : named, reason }
    const { byHand } = await perform(tx, { context, principal }, row, wish)
    await keepByHand(tx, instanceId, byHand, proposal.id)
  },
}
