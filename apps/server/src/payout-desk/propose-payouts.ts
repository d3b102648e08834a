/** What finance proposes: that a settlement is paid out, and that approved settlements leave in a file. Another person decides each. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, isCurrency, type Currency } from '@kvitt/domain/money.ts'
import { canMoveSettlement } from '@kvitt/domain/settlements/settlement.ts'
import { maybePaid, lockBankFiles, requireUnpaid } from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { propose, type ProposedState } from '../proposals/proposals.ts'
import type { OfficePrincipal, OperatorMember } from '../staff/staff.ts'
import { lockApproved, lockSettlements, readPayer, type PayableRow } from './payout-files.queries.ts'

const MOST_IN_FILE = 1000

/** A settlement as its proposal has it; with other sums, another state or another account to go to it is another one. */
export function settlementState({
  number,
  from,
  to,
  creditor,
  currency,
  amountMinor,
  status,
  account,
}: PayableRow): ProposedState {
  const amount = amountText(amountMinor)
  return { number, period: `${from} – ${to}`, creditor, currency, amount, status, account }
}

/** Of settlements, for what asks whether a debit that nobody has explained may have paid them. */
export const keysOf = (rows: readonly { readonly id: string }[]): string[] =>
  rows.map(({ id }) => `settlement:${id}`)

/** Answers the proposal. Refuses `settlement_not_open`, `debit_in_suspense` and, where nothing says to which account, `payout_account_missing`. */
export function proposeSettlementOf(
  context: Context,
  principal: OfficePrincipal,
  id: string,
): Promise<string> {
  const { id: instanceId } = principal.instance
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instanceId)
    const [row] = await lockSettlements(tx, instanceId, [id])
    if (!row || !canMoveSettlement(row.status, 'APPROVED')) throw new Refusal('settlement_not_open')
    if (row.accountId === null) throw new Refusal('payout_account_missing', { name: row.creditor })
    await requireUnpaid(tx, instanceId, { keys: keysOf([row]) })
    const before = settlementState(row)
    const { scheme, receiverName, creditorId } = row
    const after = { ...before, status: 'APPROVED', scheme, receiverName }
    return propose(tx, context, principal, {
      kind: 'settlement',
      about: `settlement:${id}`,
      creditorId,
      before,
      after,
    })
  })
}

/** One line of a file, as its proposal has it. */
type ProposedPayout = {
  readonly id: string
  readonly number: number
  readonly creditor: string
  readonly amount: string
  readonly status: string
  readonly accountId: string | null
  readonly account: string | null
  readonly receiverName: string | null
}

const lineOf = ({
  id,
  number,
  creditor,
  amountMinor,
  status,
  accountId,
  account,
  receiverName,
}: PayableRow): ProposedPayout => ({
  id,
  number,
  creditor,
  amount: amountText(amountMinor),
  status,
  accountId,
  account,
  receiverName,
})

/** The file as it is proposed, or as it would be now. */
export function fileState(currency: Currency, rows: readonly PayableRow[]): ProposedState {
  const amount = amountText(rows.reduce((minor, { amountMinor }) => minor + amountMinor, 0))
  return { currency, amount, count: rows.length, settlements: rows.map(lineOf) }
}

/** The ids of what a proposal of a file names. */
export function settlementsOf(before: ProposedState): string[] {
  return (before['settlements'] as readonly ProposedPayout[]).map(({ id }) => id)
}

/** Refuses what cannot leave yet. */
export function requirePayable(rows: readonly PayableRow[]): void {
  for (const { status, accountId, isUsable, creditor } of rows) {
    if (status !== 'APPROVED') throw new Refusal('settlement_not_open')
    if (accountId === null) throw new Refusal('payout_account_missing', { name: creditor })
    if (!isUsable) throw new Refusal('payout_account_waits', { name: creditor })
  }
}

type WantedFile = {
  readonly currency: string
  readonly settlements?: readonly string[] | undefined
  readonly executionDate?: string | undefined
}

async function lockWanted(
  tx: Transaction,
  instanceId: string,
  { currency, settlements }: WantedFile,
): Promise<PayableRow[]> {
  if (settlements === undefined) {
    const usable = (await lockApproved(tx, instanceId, currency)).filter(({ isUsable }) => isUsable)
    const paid = await maybePaid(tx, instanceId, { keys: keysOf(usable) })
    return usable.filter(({ id }) => !paid.has(`settlement:${id}`)).slice(0, MOST_IN_FILE)
  }
  const rows = await lockSettlements(tx, instanceId, [...new Set(settlements)])
  const isAll = rows.length === new Set(settlements).size && rows.every((row) => row.currency === currency)
  if (!isAll) throw new Refusal('invalid_request', {}, ['settlements'])
  return rows
}

/** Answers the proposal. Named settlements are all payable, or nothing is proposed; else what is not payable yet waits. */
export async function proposeFile(
  context: Context,
  principal: OperatorMember,
  wanted: WantedFile,
): Promise<string> {
  const { instance } = principal
  const today = context.clock.today(instance.timeZone)
  const { currency, executionDate = today } = wanted
  if (!isCurrency(currency)) throw new Refusal('invalid_request', {}, ['currency'])
  if (!parseDate(executionDate) || executionDate < today)
    throw new Refusal('invalid_request', {}, ['executionDate'])
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instance.id)
    const rows = await lockWanted(tx, instance.id, wanted)
    if (rows.length === 0) throw new Refusal('nothing_to_pay_out')
    requirePayable(rows)
    await requireUnpaid(tx, instance.id, { keys: keysOf(rows) })
    const payer = await readPayer(tx, instance.id, currency)
    if (!payer) throw new Refusal('payer_account_missing', { currency })
    const before = fileState(currency, rows)
    const after = {
      currency,
      amount: before['amount'],
      count: rows.length,
      status: 'SENT',
      from: payer.number,
      executionDate,
    }
    const about = `payout-file:${newId(context.clock.now())}`
    return propose(tx, context, principal, { kind: 'payout_file', about, creditorId: null, before, after })
  })
}
