/**
 * What goes back by transfer leaves in a file to the bank, like payouts: one currency, from one account of client funds, by
 * two people. Each row goes to the account that its money came from; what came from one that nobody knows is in no file.
 */
import { createHash } from 'node:crypto'
import { addDays, laterOf, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { amountText, isCurrency, type Currency } from '@kvitt/domain/money.ts'
import type { PayoutScheme } from '@kvitt/domain/payouts/payout-account.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import {
  lockBankFiles,
  lockDebtsOfAbouts,
  orderMoneyOut,
  requireUnpaid,
} from '../../bank-files/bank-files.ts'
import type { Context } from '../../context.ts'
import { readRoom } from '../../manual-postings/manual-postings.ts'
import { keepFile, payerOf, writePain001 } from '../../payout-desk/payout-desk.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import {
  propose,
  type CarriedOut,
  type ProposalRow,
  type ProposalWork,
  type ProposedState,
} from '../../proposals/proposals.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../../staff/staff.ts'
import { openTask } from '../../tasks/tasks.ts'
import { findOwedRow } from '../record-refund.queries.ts'
import { recordRefundIn } from '../record-refund.ts'
import {
  insertOrderRows,
  readReceiverOf,
  readNamedBack,
  readOwedBack,
  type NewOrder,
  type OwedBackRow,
} from './refund-files.queries.ts'

const MOST_IN_FILE = 1000
/** A payment order has a place for a name, and a bank tells some payments without one. */
const NO_NAME = 'NOTPROVIDED'

type Sendable = OwedBackRow & { readonly scheme: PayoutScheme; readonly number: string }
const isSendable = (row: OwedBackRow): row is Sendable => row.scheme !== null && row.number !== null

/** What would be in a file now, and what is in none because nobody knows the account that it came from. */
export function gather(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  currency: Currency,
): Promise<OwedBackRow[]> {
  return readOwedBack(db, instance.id, { currency, most: MOST_IN_FILE })
}

/** Binds what is approved to the whole account and name, which the approver sees and the proposal does not keep. */
const sealOf = (id: string, of: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([id, ...of]))
    .digest('base64url')

/** As its proposal has it. Names, and all but the end of an account, stay out of what can never be erased. */
function fileState(currency: Currency, rows: readonly OwedBackRow[]): ProposedState {
  const amount = amountText(rows.reduce((minor, { leftMinor }) => minor + leftMinor, 0))
  const refunds = rows.map(({ id, kind, debt, leftMinor, scheme, number, receiverName, hasFailed }) => ({
    id,
    kind,
    number: debt,
    amount: amountText(leftMinor),
    account: number === null ? null : `…${number.slice(-4)}`,
    seal: sealOf(id, [scheme, number, receiverName]),
    // It was ordered before, and may have been executed: whoever approves sees that.
    ...(hasFailed ? { wasTried: true } : {}),
  }))
  return { currency, amount, count: rows.length, refunds: refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

const refundsOf = (before: ProposedState): string[] =>
  (before['refunds'] as readonly { readonly id: string }[]).map(({ id }) => id)

type WantedFile = {
  readonly currency: string
  readonly refunds?: readonly string[] | undefined
  readonly executionDate?: string | undefined
}

async function wantedRows(
  tx: Transaction,
  instanceId: string,
  { currency, refunds }: { readonly currency: Currency; readonly refunds: readonly string[] | undefined },
): Promise<Sendable[]> {
  if (refunds === undefined)
    return (await readOwedBack(tx, instanceId, { currency, most: MOST_IN_FILE }))
      .filter(isSendable)
      .filter(({ hasFailed }) => !hasFailed)
  const ids = [...new Set(refunds)]
  const rows = await readNamedBack(tx, instanceId, { currency, ids })
  if (rows.length !== ids.length) throw new Refusal('refund_not_owed')
  if (!rows.every(isSendable)) throw new Refusal('refund_account_unknown', {}, ['refunds'])
  const keys = rows.map(({ kind, about }) => (kind === 'send_back' ? about : `refund:${about}`))
  await requireUnpaid(tx, instanceId, { keys })
  return rows
}

/**
 * Answers the proposal, one for each key. Named refunds are all in it, or nothing is proposed; else what has no known account, and what a
 * bank has refused or sent back, is left out.
 */
export function proposeRefundFile(
  context: Context,
  principal: OperatorMember,
  { wanted, asked }: { readonly wanted: WantedFile; readonly asked: AskedOnce },
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { instance } = principal
  const today = context.clock.today(instance.timeZone)
  const { currency } = wanted
  if (!isCurrency(currency)) throw new Refusal('invalid_request', {}, ['currency'])
  const executionDate = dayOf(wanted.executionDate, { currency, today })
  return onceByOperator(context, principal, asked, async (tx) => {
    await lockBankFiles(tx, instance.id)
    const rows = await wantedRows(tx, instance.id, { currency, refunds: wanted.refunds })
    if (rows.length === 0) throw new Refusal('nothing_to_send_back')
    const payer = await payerOf(tx, instance.id, currency)
    if (await hasLarge(tx, { instanceId: instance.id, today, currency }, rows))
      requireFreshSignIn(context, principal)
    const before = fileState(currency, rows)
    const after = {
      currency,
      amount: before['amount'],
      count: rows.length,
      status: 'SENT',
      from: payer.number,
      executionDate,
    }
    const about = `refund-file:${newId(context.clock.now())}`
    return propose(tx, context, principal, { kind: 'refund_file', about, creditorId: null, before, after })
  })
}

/** Whose banks' days they are; euro goes by those of TARGET. */
const BANKS_OF: Readonly<Partial<Record<Currency, string>>> = { SEK: 'SE', NOK: 'NO', DKK: 'DK' }
const MOST_DAYS_AHEAD = 30

/** The first day of the banks from `day` on. */
const bankDayFrom = (currency: Currency, day: CalendarDate): CalendarDate =>
  addBankDays(BANKS_OF[currency] ?? 'EU', day, 0)

/** The day of the file: the next of the banks, or the one that is asked for. Refuses one on which no bank is open, and one far ahead. */
function dayOf(
  asked: string | undefined,
  { currency, today }: { readonly currency: Currency; readonly today: CalendarDate },
): CalendarDate {
  if (asked === undefined) return bankDayFrom(currency, today)
  const day = parseDate(asked)
  const isDay =
    day && day >= today && day <= addDays(today, MOST_DAYS_AHEAD) && bankDayFrom(currency, day) === day
  if (!isDay) throw new Refusal('invalid_request', {}, ['executionDate'])
  return day
}

/** Whether one debtor, or whoever has sent what is nobody's, gets more than one person may send, with what has gone to the debtor of late. */
async function hasLarge(
  tx: Transaction,
  { instanceId, today, currency }: { instanceId: string; today: string; currency: Currency },
  rows: readonly OwedBackRow[],
): Promise<boolean> {
  const sums = new Map<string, number>()
  for (const { debtorId, leftMinor } of rows)
    if (debtorId === null && leftMinor > mostByOnePerson(currency)) return true
    else if (debtorId !== null) sums.set(debtorId, (sums.get(debtorId) ?? 0) + leftMinor)
  for (const [debtorId, minor] of sums) {
    const isAbove = await readRoom(tx, instanceId, { debtorIds: [debtorId], currency, on: today })
    if (isAbove(minor)) return true
  }
  return false
}

function currencyOf(state: ProposedState): Currency {
  const currency = String(state['currency'])
  if (!isCurrency(currency)) throw new Error(`${currency} is no currency of a file`)
  return currency
}

/** A file is made, and what is in it is nobody's to send another way. */
export const REFUND_FILE_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, before }) => {
    await lockBankFiles(tx, instanceId)
    const currency = currencyOf(before)
    return fileState(currency, await readNamedBack(tx, instanceId, { currency, ids: refundsOf(before) }))
  },
  carryOut: makeFile,
}

async function makeFile(tx: Transaction, carried: CarriedOut): Promise<void> {
  const { context, principal, proposal } = carried
  const { instance } = principal
  const currency = currencyOf(proposal.before)
  const rows = await wantedRows(tx, instance.id, { currency, refunds: refundsOf(proposal.before) })
  const payer = await payerOf(tx, instance.id, currency)
  // Whoever approves has seen from which account it leaves.
  if (payer.number !== proposal.after['from']) throw new Refusal('changed_meanwhile')
  const now = context.clock.now()
  const today = context.clock.today(instance.timeZone)
  const id = proposal.about.slice(proposal.about.indexOf(':') + 1)
  const orders = rows.map((row) => ({ row, id: newId(now) }))
  const amountMinor = rows.reduce((minor, { leftMinor }) => minor + leftMinor, 0)
  const wantedDay = parseDate(String(proposal.after['executionDate'])) ?? today
  const file = {
    kind: 'REFUND' as const,
    id,
    messageId: id.replaceAll('-', ''),
    currency,
    payer,
    executionDate: bankDayFrom(currency, laterOf(wantedDay, today)),
    proposalId: proposal.id,
  }
  const content = writePain001({
    ...file,
    madeAt: new Date(now).toISOString().slice(0, 19),
    orders: orders.map(({ id: orderId, row }) => ({
      id: orderId,
      amountMinor: row.leftMinor,
      scheme: row.scheme,
      number: row.number,
      bic: null,
      name: row.receiverName ?? NO_NAME,
      message: [instance.row.name, row.debt ?? ''].join(' ').trim(),
    })),
  })
  // All of them before the first is booked.
  await lockDebtsOfAbouts(
    tx,
    instance.id,
    rows.map(({ kind, about }) => (kind === 'send_back' ? about : `refund:${about}`)),
  )
  await keepFile(tx, instance.id, { ...file, content, amountMinor, count: rows.length })
  const made: NewOrder[] = []
  for (const order of orders) made.push(await orderOne(tx, carried, { ...order, accountId: payer.id }))
  await insertOrderRows(tx, instance.id, { fileId: id, orders: made })
  const details = { amountMinor, currency, count: rows.length, amount: amountText(amountMinor) }
  await openTask(tx, {
    instanceId: instance.id,
    kind: 'payout_to_confirm',
    about: `payout-file:${id}`,
    details,
  })
}

type Order = {
  readonly id: string
  readonly row: Sendable
  readonly accountId: string
}

/** It is on its way to the bank with this row, and with nothing else. */
async function orderOne(
  tx: Transaction,
  { context, principal }: CarriedOut,
  { id, row, accountId }: Order,
): Promise<NewOrder> {
  const { id: instanceId } = principal.instance
  const { leftMinor: amountMinor, scheme, number } = row
  const of = { id, amount_minor: amountMinor, task_id: row.id, scheme, number }
  const order = { ...of, receiver_name: row.receiverName ?? NO_NAME }
  if (row.kind === 'send_back') {
    if (!(await orderMoneyOut({ tx, instanceId }, { about: row.about, orderId: id })))
      throw new Refusal('refund_under_way')
    return { ...order, about: row.about, cause: null }
  }
  const by = actorOf(principal)
  const sent = { by, holder: 'INSTANCE', hasLeft: false, order: { id, accountId } } as const
  const wish = { instanceId, about: row.about, ...sent }
  const owed = await findOwedRow(tx, wish)
  if (owed?.amount_minor !== amountMinor) throw new Refusal('refund_not_owed')
  const cause = await recordRefundIn(tx, context, wish, owed)
  if (cause === undefined) throw new Refusal('refund_not_owed')
  return { ...order, about: `refund:${row.about}`, cause }
}

/** Whom an open proposal of a file would pay, or whose claim what came back ends, with whole accounts, for whoever decides. Nobody once it is decided: then the file has them. */
export async function readReceivers(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  proposal: ProposalRow,
): Promise<Pick<OwedBackRow, 'id' | 'receiverName' | 'scheme' | 'number'>[]> {
  if (proposal.status !== 'OPEN') return []
  const payoutId = proposal.after['payoutId']
  if (proposal.kind === 'bank_entry' && typeof payoutId === 'string')
    return readReceiverOf(db, instance.id, payoutId)
  if (proposal.kind !== 'refund_file') return []
  const { before } = proposal
  return readNamedBack(db, instance.id, { currency: currencyOf(before), ids: refundsOf(before) })
}
