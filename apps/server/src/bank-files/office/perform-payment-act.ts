/** An act on a booked payment, done in the transaction of whoever asked for it, and how its proposal has it before and then. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { DecisionRefused, readSharesOf } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import type { ByHand } from '../../manual-postings/manual-postings.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { within } from '../../platform/database/within.ts'
import type { ProposedState } from '../../proposals/proposals.ts'
import { actorOf, type OperatorMember } from '../../staff/staff.ts'
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

export type By = { readonly context: Context; readonly principal: OperatorMember }

/** Taken back, or moved to a debt, or to nowhere yet. */
export type Wish = { readonly reason: string } & (
  | { readonly kind: 'reverse' }
  | { readonly kind: 'move'; readonly to: Named | 'suspense' }
)

/** As a proposal says where money waits for a person. */
export const SUSPENSE = 'SUSPENSE'

type Target = { readonly type: TouchedDebt['type']; readonly id: string }

/** As a proposal has it: decimal text, and of the debt that it goes to what that is and owes. */
export type PaymentState = ProposedState & {
  readonly amount: string
  readonly currency: string
  readonly debt: string
  readonly debtOwes: string
  readonly target?: Target & { readonly number: string; readonly debtor: string }
  readonly toOwes?: string
}

const sumOf = (debts: readonly TouchedDebt[]): string =>
  amountText(debts.reduce((sum, { owed_minor: minor }) => sum + minor, 0))

/** Refuses what has been taken back or moved since. */
export async function stateOf(
  tx: Transaction,
  instanceId: string,
  row: PaidRow,
  targetId?: string,
): Promise<PaymentState> {
  const now = await findPaidRow(tx, instanceId, row.id)
  if (!now || now.is_back || now.way === 'UNDER_WAY' || now.way === 'DIRECT')
    throw new Refusal('act_not_open')
  const debts = await readPaidOn(tx, instanceId, now.of)
  const [to] = targetId === undefined ? [] : await readOwedBy(tx, instanceId, [targetId])
  return {
    amount: amountText(now.amount_minor),
    currency: now.currency,
    debt: debts.map(({ number }) => number).join(', '),
    debtOwes: sumOf(debts),
    ...(to && {
      target: { type: to.type, id: to.id, number: to.number, debtor: to.debtor_id },
      toOwes: amountText(to.owed_minor),
    }),
  }
}

/** What is to be after it. Whoever decides sees what becomes of both debts, and whether the other is somebody else's. */
export function stateThen(
  before: PaymentState,
  wish: Wish,
  { after, on, owedBackMinor }: Done,
): ProposedState {
  const { reason } = wish
  const was = after.filter(({ id }) => id !== on?.id)
  const state = { ...before, debtOwes: sumOf(was), reason }
  if (wish.kind === 'reverse') return state
  if (wish.to === 'suspense') return { ...state, to: SUSPENSE }
  if (!on) throw new Error('moved money is on no debt')
  const { type, id, number, debtor_id: debtor, owed_minor: minor } = on
  const isSame = was.every(({ debtor_id: other }) => other === debtor)
  return {
    ...state,
    to: number,
    target: { type, id, number, debtor },
    toOwes: amountText(minor),
    owedBack: amountText(owedBackMinor),
    toDebtor: isSame ? 'SAME' : 'OTHER',
  }
}

export type Done = {
  /** What it pays now. */
  readonly on: TouchedDebt | undefined
  /** As they stand then: the debts that it had paid, and last what it pays now. */
  readonly after: readonly TouchedDebt[]
  readonly owedBackMinor: number
  readonly creditorId: string | null
  readonly byHand: ByHand & Pick<PaidRow, 'currency'>
}

/** By the use case of the command, in the caller's transaction. What it refuses in a sentence is refused by code. */
export async function perform(tx: Transaction, by: By, row: PaidRow, wish: Wish): Promise<Done> {
  const { instance } = by.principal
  const { currency, amount_minor: amountMinor } = row
  const was = await readPaidOn(tx, instance.id, row.of)
  const shares = await readSharesOf(tx, instance.id, row.of)
  const owedBackMinor = await asRefusals(() => carry(tx, by, row, wish), wish)
  const [on] = wish.kind === 'reverse' ? [] : await readPaidOn(tx, instance.id, row.of)
  // It is there already: the command says so, and has nothing to do.
  if (on && (await readSharesOf(tx, instance.id, row.of)).length === shares.length)
    throw new Refusal('act_not_open', {}, ['to'])
  const touched = on ? [...was, on] : was
  const ids = touched.map(({ id }) => id)
  const after = await readOwedBy(tx, instance.id, ids)
  return {
    on,
    after: after.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    owedBackMinor,
    creditorId: was[0]?.creditor_id ?? null,
    byHand: {
      kind: wish.kind === 'reverse' ? 'REVERSAL' : 'MOVE',
      about: `${row.way === 'BANK' ? 'bank-line' : 'payment'}:${row.of}`,
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
  const who = {
    instanceId: principal.instance.id,
    by: actorOf(principal),
    reason: wish.reason,
    isCounted: true,
  }
  if (wish.kind === 'reverse') {
    if (row.way === 'BANK') throw new Refusal('money_on_statement')
    await reverseByHand(inTx, { ...who, paymentId: row.of })
    return 0
  }
  const { to } = wish
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

async function asRefusals<Result>(work: () => Promise<Result>, { kind }: Wish): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DecisionRefused) throw new Refusal(error.code, error.params)
    if (!(error instanceof PlacementRefused)) throw error
    // Of booked money there is nothing to say about suspense.
    const told = CODES[error.code]
    const code = told === 'not_in_suspense' || told === 'not_found' ? 'act_not_open' : told
    const isOfDebt = code !== 'act_not_open' && code !== 'money_sent_back' && kind === 'move'
    throw new Refusal(code, error.params, isOfDebt ? ['to'] : [])
  }
}
