/**
 * A file, or rows of it, that the bank has not executed and will not: one person says so, another agrees, and their money is where it was.
 * What the bank tells of them later counts for more: `receive-answer.ts`, and its statement.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import {
  lockBankFiles,
  lockDebtsOfOrders,
  previewIn,
  requireUntold,
  takeBackMoneyOut,
  takeBackWaiting,
  takeLateDebits,
} from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { callBack, lockPayouts, type PayoutRow } from '../payouts/payouts.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import { requireFreshSignIn, type OperatorMember } from '../staff/staff.ts'

export const notExecutedAbout = (fileId: string): string => `payout-file:${fileId}`

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** It waits for the bank. What two people had said so, and the bank has told of all the same, is said so once more: each round once. */
export const isOpenRow = ({ status }: Pick<PayoutRow, 'status'>): boolean =>
  status === 'SENT' || status === 'ACCEPTED'

type Wish = { readonly fileId: string; readonly payouts: readonly string[] | undefined }

/** Refuses `payout_not_open` where one of them waits for the bank no more, and `debit_in_suspense` where a debit may be one of them. */
async function lockRows(
  tx: Transaction,
  instanceId: string,
  { fileId, payouts }: Wish,
): Promise<PayoutRow[]> {
  await lockBankFiles(tx, instanceId)
  await lockDebtsOfOrders(tx, instanceId, { fileId })
  const rows = (await lockPayouts(tx, instanceId, fileId)).filter(
    (row) => isOpenRow(row) && (payouts?.includes(row.id) ?? true),
  )
  if (rows.length === 0 || rows.length < new Set(payouts ?? []).size) throw new Refusal('payout_not_open')
  await requireUntold({ tx, instanceId }, { fileId, payouts: rows.map(({ id }) => id) })
  return rows
}

type By = { readonly context: Context; readonly principal: OperatorMember }

const totalOf = (rows: readonly PayoutRow[]): string =>
  amountText(rows.reduce((minor, { amountMinor }) => minor + amountMinor, 0))

function stateOf(rows: readonly PayoutRow[]): ProposedState {
  const payouts = rows.map(({ id, status, amountMinor }) => ({ id, status, amount: amountText(amountMinor) }))
  const [first] = rows
  const of = { name: first?.messageId ?? '', currency: first?.currency ?? '' }
  return { ...of, amount: totalOf(rows), count: rows.length, status: 'SENT', payouts }
}

/** Answers the proposal. Refuses as lockRows, a sign-in that is not fresh, and `proposal_open`. */
export function proposeNotExecutedRows(
  context: Context,
  principal: OperatorMember,
  wish: Wish,
): Promise<string> {
  requireFreshSignIn(context, principal)
  return context.db.transaction(async (tx) => {
    const rows = await lockRows(tx, principal.instance.id, wish)
    return proposeRows(tx, { context, principal }, wish.fileId, rows)
  })
}

function proposeRows(
  tx: Transaction,
  { context, principal }: By,
  fileId: string,
  rows: readonly PayoutRow[],
): Promise<string> {
  const before = stateOf(rows)
  const { name, currency, amount, count } = before
  const after = { name, currency, amount, count, status: 'NOT_EXECUTED' }
  const about = notExecutedAbout(fileId)
  return propose(tx, context, principal, {
    kind: 'file_not_executed',
    about,
    creditorId: null,
    before,
    after,
  })
}

/** What it would write in the books. No proposal is written for it, and nothing stays. */
export function previewNotExecutedRows(context: Context, principal: OperatorMember, wish: Wish) {
  return previewIn(context, principal.instance.id, async (tx) => {
    const { id: instanceId } = principal.instance
    const rows = await lockRows(tx, instanceId, wish)
    // Of no proposal: the rows are looked at, and never kept.
    await giveRowsBack(tx, { context, principal }, { rows, proposalId: newId(context.clock.now()) })
  })
}

export const NOT_EXECUTED_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about, before }) => {
    const payouts = (before['payouts'] as readonly { readonly id: string }[]).map(({ id }) => id)
    return stateOf(await lockRows(tx, instanceId, { fileId: idOf(about), payouts }))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const payouts = (proposal.before['payouts'] as readonly { readonly id: string }[]).map(({ id }) => id)
    const rows = await lockRows(tx, principal.instance.id, { fileId: idOf(proposal.about), payouts })
    await giveRowsBack(tx, { context, principal }, { rows, proposalId: proposal.id })
  },
}

async function giveRowsBack(
  tx: Transaction,
  { context, principal: { instance } }: By,
  { rows, proposalId }: { readonly rows: readonly PayoutRow[]; readonly proposalId: string },
): Promise<void> {
  const { clock } = context
  const work = { tx, clock, instanceId: instance.id, today: clock.today(instance.timeZone) }
  for (const payout of rows) {
    if (!(await callBack(work, payout, proposalId))) throw new Refusal('payout_not_open')
    if (!(await takeBackMoneyOut(work, payout.about)))
      throw new Error(`payout ${payout.id} waited for the bank and has left`)
    await takeBackWaiting(context, work, payout.about)
    await takeLateDebits(work, { about: payout.about })
  }
}
