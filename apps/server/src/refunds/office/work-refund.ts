/** What an operator's people do about what is owed back: each act in one transaction, once for each `Idempotency-Key`. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import type { RefundCase } from '@kvitt/domain/refunds/refund.contract.ts'
import { BY_BANK } from '@kvitt/domain/refunds/refund.ts'
import { noteDeed } from '../../audit/audit.ts'
import { lockBankFiles } from '../../bank-files/bank-files.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { propose, type ProposalWork, type ProposedState } from '../../proposals/proposals.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../../staff/staff.ts'
import { endTask } from '../../tasks/tasks.ts'
import { followRefund } from '../follow-refund.ts'
import { orderRefundIn, RefundRefused } from '../order-refund.ts'
import { isTakenBack } from '../files/refund-files.queries.ts'
import { findOwedRow } from '../record-refund.queries.ts'
import { confirmRefundIn, orderByHandIn, recordRefundIn } from '../record-refund.ts'
import { readRefundRows } from '../refunds.queries.ts'
import { aboutOf, findRefund, findWays, presentRefund, readLimit, type OwedRefund } from './refund-case.ts'

export type Act = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: OwedRefund
  readonly asked: AskedOnce
}
export type Acted = Loosen<RefundCase> | Replayed<Loosen<RefundCase>>

/** How it is to go: by the gateway of a payment, or by a transfer. */
type Way = { readonly gateway: string; readonly payment: string | null; readonly minor: number }

/** Goes back by the gateway of one of its payments. Above the limit it is proposed. */
export async function sendRefund(act: Act, payment: string): Promise<Acted> {
  const acted = await once(act, async (tx, row) => {
    const ways = await findWays(tx, act.context, act.principal.instance.id, row)
    const way = ways.find(({ id }) => id === payment)
    if (!way) throw new Refusal('invalid_request', {}, ['payment'])
    const minor = Math.min(way.room_minor, row.leftMinor)
    await sendOrPropose(tx, act, row, { gateway: way.gateway, payment, minor })
  })
  await giveToGateway(act, payment)
  return answer(act, acted)
}

/**
 * A person has ordered the transfer at the bank, or the creditor has sent it. Above the limit it is proposed; what was nobody's is booked
 * as on its way already, and goes back to where it came from.
 */
export async function recordRefund(act: Act): Promise<Acted> {
  const { context, principal, asked } = act
  if (act.row.kind === 'send_back') {
    const { id: instanceId, timeZone } = principal.instance
    const acted = await onceByOperator(context, principal, asked, async (tx) => {
      const { about, id } = act.row
      const wish = { instanceId, about, by: actorOf(principal) }
      const order = () => orderByHandIn(tx, context, wish, timeZone)
      if (!(await asRefusal(order))) throw new Refusal('refund_under_way')
      return id
    })
    return answer(act, acted)
  }
  const acted = await once(act, (tx, row) =>
    sendOrPropose(tx, act, row, { gateway: BY_BANK, payment: null, minor: row.leftMinor }),
  )
  return answer(act, acted)
}

/** The transfer has left, and no statement tells. Refuses `refund_not_owed` where none is waited for. */
export async function confirmRefund(act: Act): Promise<Acted> {
  const { context, principal, asked, row } = act
  const { id: instanceId, timeZone } = principal.instance
  const acted = await onceByOperator(context, principal, asked, async (tx) => {
    const wish = { instanceId, about: row.about, by: actorOf(principal) }
    const isOurs = row.kind !== 'creditor_refund' && row.orderedOn !== null
    const confirm = () => confirmRefundIn(tx, context, wish, timeZone)
    if (!isOurs || !(await asRefusal(confirm))) throw new Refusal('refund_not_owed')
    return row.id
  })
  return answer(act, acted)
}

async function asRefusal<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RefundRefused ? new Refusal(error.code) : error
  }
}

export async function answer(
  { context, principal, row }: Act,
  { isReplayed }: { readonly isReplayed: boolean },
): Promise<Acted> {
  const done = await presentRefund(context, principal, await findRefund(context, principal, row.id))
  return isReplayed ? new Replayed(done) : done
}

/** Under a key once; the twin that comes second finds nothing left. */
function once(
  { context, principal, row, asked }: Act,
  work: (tx: Transaction, row: OwedRefund) => Promise<void>,
): Promise<{ readonly isReplayed: boolean }> {
  return onceByOperator(context, principal, asked, async (tx) => {
    await work(tx, await lockOwed(tx, principal, row.id))
    return row.id
  })
}

/** As it is, while nobody else decides about it. Refuses `refund_under_way` and `refund_not_owed`. */
async function lockOwed(tx: Transaction, principal: OperatorMember, id: string): Promise<OwedRefund> {
  // One decision of an instance at a time: the limit is of a debtor, who may have several debts.
  await lockBankFiles(tx, principal.instance.id)
  const row = await findRefund({ db: tx }, principal, id)
  if (row.status === 'UNDER_WAY') throw new Refusal('refund_under_way')
  if (row.kind === 'send_back' || row.leftMinor <= 0) throw new Refusal('refund_not_owed')
  if (row.kind === 'refund' && (await isTakenBack(tx, principal.instance.id, row.about)))
    throw new Refusal('refund_taken_back')
  return row
}

/** As its proposal has it; with another sum it is another one. The debtor's name stays out of what can never be erased. */
function stateOf({ leftMinor, currency, debt }: OwedRefund): ProposedState {
  return { amount: amountText(leftMinor), currency, debt }
}

async function sendOrPropose(
  tx: Transaction,
  { context, principal }: Act,
  row: OwedRefund,
  way: Way,
): Promise<void> {
  const { id: instanceId, timeZone } = principal.instance
  const today = context.clock.today(timeZone)
  const isAbove = await readLimit(tx, { instanceId, today }, row)
  if (!isAbove(way.minor)) return carryOut(tx, { context, principal }, row, way)
  requireFreshSignIn(context, principal)
  const before = stateOf(row)
  const after = { ...before, amount: amountText(way.minor), way: way.gateway, payment: way.payment }
  const { creditorId } = row
  await propose(tx, context, principal, { kind: 'refund', about: aboutOf(row), creditorId, before, after })
}

export type By = { readonly context: Context; readonly principal: OperatorMember }

async function carryOut(tx: Transaction, by: By, row: OwedRefund, way: Way): Promise<void> {
  try {
    await (way.payment === null
      ? transfer(tx, by, row)
      : order(tx, by, row, { ...way, payment: way.payment }))
  } catch (error) {
    // What is refused in words for a command has changed since it was looked at.
    if (!(error instanceof RefundRefused)) throw error
    const isSaid = error.code === 'refund_taken_back' || error.code === 'debit_in_suspense'
    throw new Refusal(isSaid ? error.code : 'refund_not_owed')
  }
}

async function order(
  tx: Transaction,
  { context, principal }: By,
  row: OwedRefund,
  { payment: paymentId, minor }: Way & { readonly payment: string },
): Promise<void> {
  await orderRefundIn(tx, context, {
    instanceId: principal.instance.id,
    by: actorOf(principal),
    paymentId,
    // What was looked at, and approved: more may fit by now.
    amount: amountText(minor),
    isWhole: false,
    isAgain: true,
    about: row.about,
  })
}

async function transfer(tx: Transaction, { context, principal }: By, row: OwedRefund): Promise<void> {
  const { id: instanceId } = principal.instance
  const { about, kind } = row
  const holder = kind === 'creditor_refund' ? 'CREDITOR' : 'INSTANCE'
  const wish = { instanceId, by: actorOf(principal), about, holder, hasLeft: false } as const
  const owed = await findOwedRow(tx, wish)
  if (owed) return void (await recordRefundIn(tx, context, wish, owed))
  // Money that nobody could place, on the creditor's own account: it stands in no debtor's books.
  if (kind !== 'creditor_refund') throw new Refusal('refund_not_owed')
  await endTask(tx, { instanceId, kind, about })
  await noteDeed(tx, {
    instanceId,
    kind: 'refund_recorded',
    by: wish.by,
    about: `refunded:creditor:${about}`,
    after: { amountMinor: row.leftMinor, currency: row.currency },
  })
}

/** Not in the transaction that ordered it. When the gateway does not answer, the sweep gives it later. */
async function giveToGateway({ context, principal, row }: Act, payment: string): Promise<void> {
  const all = await readRefundRows(context.db, { instance_id: principal.instance.id, id: payment })
  for (const refund of all)
    if (refund.about === row.about && (refund.status === 'CREATED' || refund.status === 'SENT'))
      await followRefund(context, refund)
}

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** A refund above the limit is sent when another has approved it; the sweep gives it to its gateway. */
export const REFUND_WORK: ProposalWork = {
  readNow: async (tx, { principal, about }) => stateOf(await lockOwed(tx, principal, idOf(about))),
  carryOut: async (tx, { context, principal, proposal }) => {
    const row = await lockOwed(tx, principal, idOf(proposal.about))
    const { way, payment, amount } = proposal.after as { way: string; payment: string | null; amount: string }
    const minor = parseAmount(amount, row.currency)?.minor ?? 0
    await carryOut(tx, { context, principal }, row, { gateway: way, payment, minor })
  },
}
