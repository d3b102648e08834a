/**
 * Money out to creditors: the account that one is paid out to, which one person proposes and another approves, and
 * how a payout moves on. What is paid out, and in which file, is `payout-desk/`.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCurrency } from '@kvitt/domain/money.ts'
import {
  readPayoutAccount,
  type PayoutAccount,
  type WrittenAccount,
} from '@kvitt/domain/payouts/payout-account.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { queueToStaff } from '../mail/mail.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import { requireFreshSignIn, type OfficePrincipal } from '../staff/staff.ts'
import { giveBack, type BackWork } from './give-back.ts'
import { movePayout } from './move-payout.ts'
import {
  insertPayoutAccountRow,
  lockCreditorRow,
  readManagersTold,
  readPayoutAccountRow,
  type PayoutAccountRow,
} from './payout-accounts.queries.ts'
import {
  lockPayoutRow,
  lockPayoutsOfFile,
  markNotExecutedRow,
  readGoneOtherWayRows,
  type PayoutRow,
} from './payouts.queries.ts'

export { giveBack } from './give-back.ts'
export { movePayout, moveSettlement } from './move-payout.ts'
export { saidAfter, takeUpAgain } from './take-up-again.ts'
export type { PayoutRow } from './payouts.queries.ts'

/** All payouts of a file with their settlements, locked. */
export function lockPayouts(tx: Transaction, instanceId: string, fileId: string): Promise<PayoutRow[]> {
  return lockPayoutsOfFile(tx, instanceId, fileId)
}

/** The bank's statement tells that a payout has left. Ask under lockBankFiles. */
export async function confirmPayout(tx: Transaction, instanceId: string, id: string): Promise<void> {
  const payout = await lockPayoutRow(tx, instanceId, id)
  if (!payout || !(await movePayout(tx, instanceId, payout, { to: 'PAID' })))
    throw new Error(`payout ${id} is not on its way`)
}

/**
 * The bank's statement tells that a payout has come back. Answers false where none is paid that is called so: then a person places
 * the line. Ask under lockBankFiles.
 */
export async function returnPayout(work: BackWork, id: string): Promise<boolean> {
  const payout = await lockPayoutRow(work.tx, work.instanceId, id)
  return payout !== undefined && giveBack(work, payout, { to: 'RETURNED', reason: null })
}

/**
 * Two people say that a payout which is locked was not executed: its money is where it was. Answers false when the bank has told that it
 * has left or is refused, and when two people have said so before. Ask under lockBankFiles.
 */
export async function callBack(work: BackWork, payout: PayoutRow, proposalId: string): Promise<boolean> {
  if (payout.status !== 'SENT' && payout.status !== 'ACCEPTED') return false
  if (!(await markNotExecutedRow(work.tx, work.instanceId, { id: payout.id, proposalId }))) return false
  return giveBack(work, payout, { to: 'NOT_EXECUTED', reason: null })
}

/**
 * Two people say that a row which was not executed, and whose money has gone another way since, was debited all the same. Nothing is booked
 * here. Ask under lockBankFiles.
 */
export async function sayPaidTwice(tx: Transaction, instanceId: string, id: string): Promise<void> {
  const payout = await lockPayoutRow(tx, instanceId, id)
  if (!payout || !(await movePayout(tx, instanceId, payout, { to: 'PAID_TWICE' })))
    throw new Error(`payout ${id} was not said to be not executed`)
}

/** Rows that were said to be not executed and whose money has gone another way since. To act on it, ask with their debts and rows locked. */
export const readGoneOtherWay = (
  ...of: Parameters<typeof readGoneOtherWayRows>
): ReturnType<typeof readGoneOtherWayRows> => readGoneOtherWayRows(...of)

const aboutOf = (creditorId: string, currency: string): string => `payout-account:${creditorId}:${currency}`

function placeOf(instanceId: string, about: string) {
  const [, creditorId = '', currency = ''] = about.split(':')
  if (!isCurrency(currency)) throw new Error(`${about} is no account of a creditor`)
  return { instanceId, creditorId, currency }
}

/** As a proposal has it: names and values alone. */
function stateOf(account: PayoutAccount | PayoutAccountRow | undefined): ProposedState {
  if (!account) return {}
  const { currency, scheme, number, bic, receiverName } = account
  return { currency, scheme, number, bic, receiverName }
}

/**
 * Proposes the account of a creditor in a currency. Answers the proposal. Refuses the field that is wrong, or that the same account
 * holds already, and a sign-in that is not fresh.
 */
export async function proposeAccount(
  context: Context,
  principal: OfficePrincipal,
  {
    creditorId,
    written,
    at = '',
  }: { readonly creditorId: string; readonly written: WrittenAccount; readonly at?: string },
): Promise<string> {
  requireFreshSignIn(context, principal)
  const account = readPayoutAccount(written)
  if ('field' in account) throw new Refusal('invalid_request', {}, [`${at}${account.field}`])
  const instanceId = principal.instance.id
  return context.db.transaction(async (tx) => {
    if (!(await lockCreditorRow(tx, { instanceId, creditorId }))) throw new Refusal('not_found')
    const before = stateOf(
      await readPayoutAccountRow(tx, { instanceId, creditorId, currency: account.currency }),
    )
    const after = stateOf(account)
    if (JSON.stringify(before) === JSON.stringify(after))
      throw new Refusal('invalid_request', {}, [`${at}number`])
    const about = aboutOf(creditorId, account.currency)
    return propose(tx, context, principal, { kind: 'payout_account', about, creditorId, before, after })
  })
}

/** How a proposed account comes to hold. */
export const PAYOUT_ACCOUNT_WORK: ProposalWork = {
  readNow: async (tx: Transaction, { instanceId, about }) => {
    const place = placeOf(instanceId, about)
    await lockCreditorRow(tx, place)
    return stateOf(await readPayoutAccountRow(tx, place))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const account = readPayoutAccount(proposal.after as WrittenAccount)
    if ('field' in account) throw new Refusal('invalid_request', {}, [account.field])
    const place = placeOf(principal.instance.id, proposal.about)
    const id = newId(context.clock.now())
    const usableFrom = await insertPayoutAccountRow(tx, place, { ...account, id, proposalId: proposal.id })
    const { instance } = principal
    const moment = { dateStyle: 'short', timeStyle: 'short', timeZone: instance.timeZone } as const
    const from = new Intl.DateTimeFormat('sv-SE', moment).format(new Date(usableFrom))
    // Everybody concerned: the wait is theirs to say that it is wrong.
    for (const { email, name, creditor } of await readManagersTold(tx, place)) {
      const lastFour = account.number.slice(-4)
      const params = { name, creditor, currency: account.currency, lastFour, from }
      const cause = `payout-account:${id}:${email}`
      queueToStaff(context, tx, { kind: 'staff_payout_account', cause, instance, recipient: email, params })
    }
  },
}
