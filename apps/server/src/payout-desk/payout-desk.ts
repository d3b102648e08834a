/**
 * Settlements are paid out: approved by a second person, put in a file that a second person has approved too, and booked as
 * on their way in the transaction that makes the file. The bank's answer and its statement move each of them on.
 */
import { laterOf, parseDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { bookOperatorsPart, bookPayout } from '@kvitt/domain/ledger/payout.ts'
import { amountText, isCurrency, money, type Currency } from '@kvitt/domain/money.ts'
import { expectOrdered, lockBankFiles, requireUnpaid, returnAdvance } from '../bank-files/bank-files.ts'
import { postBookings, type Booking } from '../ledger/ledger.ts'
import { moveSettlement } from '../payouts/payouts.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { CarriedOut, ProposalWork } from '../proposals/proposals.ts'
import { countAgain } from '../settlements/settlements.ts'
import { endTask, openTask } from '../tasks/tasks.ts'
import { writePain001 } from './pain001.ts'
import {
  insertFileRow,
  insertPayoutRows,
  lockSettlements,
  readOperatorsPart,
  readPayer,
  readShort,
  type NewFile,
  type PayableRow,
  type PayerRow,
} from './payout-files.queries.ts'
import { fileState, keysOf, requirePayable, settlementsOf, settlementState } from './propose-payouts.ts'

export { NOT_EXECUTED_WORK } from './not-executed.ts'
export { writePain001 } from './pain001.ts'

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** A settlement is approved as it comes out of the books once more. */
export const SETTLEMENT_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    await lockBankFiles(tx, instanceId)
    const [row] = await lockSettlements(tx, instanceId, [idOf(about)])
    return row ? settlementState(row) : {}
  },
  carryOut: async (tx, { principal, proposal }) => {
    const { id: instanceId } = principal.instance
    const [row] = await lockSettlements(tx, instanceId, [idOf(proposal.about)])
    if (!row) throw new Error(`${proposal.about} is gone`)
    if (row.accountId === null) throw new Refusal('payout_account_missing', { name: row.creditor })
    await requireUnpaid(tx, instanceId, { keys: keysOf([row]) })
    const again = await countAgain({ db: tx }, instanceId, row.id)
    if (again?.paidOutMinor !== row.amountMinor) throw new Refusal('changed_meanwhile')
    await moveSettlement(tx, instanceId, { id: row.id, from: row.status, to: 'APPROVED' })
    for (const kind of ['settlement_to_approve', 'payout_refused'] as const)
      await endTask(tx, { instanceId, kind, about: proposal.about })
  },
}

/** A file is made, and what is in it leaves what is held for its creditors. */
export const PAYOUT_FILE_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, before }) => {
    await lockBankFiles(tx, instanceId)
    return fileState(currencyOf(before), await lockSettlements(tx, instanceId, settlementsOf(before)))
  },
  carryOut: makeFile,
}

function currencyOf(state: Readonly<Record<string, unknown>>): Currency {
  const currency = String(state['currency'])
  if (!isCurrency(currency)) throw new Error(`${currency} is no currency of a file`)
  return currency
}

async function makeFile(tx: Transaction, { context, principal, proposal }: CarriedOut): Promise<void> {
  const { instance } = principal
  const currency = currencyOf(proposal.before)
  const rows = await lockSettlements(tx, instance.id, settlementsOf(proposal.before))
  requirePayable(rows)
  await requireUnpaid(tx, instance.id, { keys: keysOf(rows) })
  const payer = await payerOf(tx, instance.id, currency)
  // Whoever approves has seen from which account it leaves.
  if (payer.number !== proposal.after['from']) throw new Refusal('changed_meanwhile')
  const now = context.clock.now()
  const today = context.clock.today(instance.timeZone)
  const id = idOf(proposal.about)
  const messageId = id.replaceAll('-', '')
  const payouts = rows.map((row) => ({
    ...row,
    settlementId: row.id,
    id: newId(now),
    accountId: row.accountId ?? '',
  }))
  // Approved some days later, it is executed on the day on which it can be.
  const wantedDay = parseDate(String(proposal.after['executionDate'])) ?? today
  const file = {
    kind: 'PAYOUT' as const,
    id,
    messageId,
    currency,
    payer,
    executionDate: laterOf(wantedDay, today),
    proposalId: proposal.id,
  }
  const content = writePain001({
    ...file,
    madeAt: new Date(now).toISOString().slice(0, 19),
    orders: payouts.map((row) => ({
      id: row.id,
      amountMinor: row.amountMinor,
      scheme: row.scheme ?? 'IBAN',
      number: row.account ?? '',
      bic: row.bic,
      name: row.receiverName ?? '',
      message: `${instance.row.name} ${row.number} ${row.from} - ${row.to}`,
    })),
  })
  const amountMinor = payouts.reduce((minor, row) => minor + row.amountMinor, 0)
  await insertFileRow(tx, instance.id, { ...file, content, amountMinor, count: payouts.length })
  await insertPayoutRows(tx, instance.id, { fileId: id, payouts })
  await book(tx, { context, principal, proposal }, { currency, accountId: payer.id, payouts })
  const details = { amountMinor, currency, count: payouts.length, amount: amountText(amountMinor) }
  await openTask(tx, {
    instanceId: instance.id,
    kind: 'payout_to_confirm',
    about: `payout-file:${id}`,
    details,
  })
}

/** The account of client funds that money in a currency leaves. Refuses `payer_account_missing`. */
export async function payerOf(tx: Transaction, instanceId: string, currency: Currency): Promise<PayerRow> {
  const payer = await readPayer(tx, instanceId, currency)
  if (!payer) throw new Refusal('payer_account_missing', { currency })
  return payer
}

/** Keeps a file as the bank gets it, before its rows. */
export function keepFile(tx: Transaction, instanceId: string, file: NewFile): Promise<void> {
  return insertFileRow(tx, instanceId, file)
}

type Leaving = {
  readonly currency: Currency
  readonly accountId: string
  readonly payouts: readonly (PayableRow & { readonly settlementId: string })[]
}

/** Refuses `held_too_little`: what is held for one creditor never pays another, so nothing goes below zero. */
async function book(
  tx: Transaction,
  { context: { clock }, principal: { instance } }: CarriedOut,
  { currency, accountId, payouts }: Leaving,
): Promise<void> {
  const today = clock.today(instance.timeZone)
  const entry = (cause: string, lines: Booking['lines']): Booking => ({
    id: newId(clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause,
    invoiceId: null,
    paymentId: null,
    lines,
  })
  const work = { tx, clock, instanceId: instance.id, today }
  const bookings: Booking[] = []
  for (const { id, settlementId, creditorId, amountMinor, status } of payouts) {
    await moveSettlement(tx, instance.id, { id: settlementId, from: status, to: 'SENT' })
    bookings.push(entry(`payout:${id}`, bookPayout(creditorId, money(amountMinor, currency))))
    const partMinor = await readOperatorsPart(tx, instance.id, settlementId)
    const part = money(partMinor, currency)
    if (partMinor !== 0)
      bookings.push(entry(`fees:settlement:${settlementId}`, bookOperatorsPart(creditorId, part)))
    await expectOrdered(work, { about: `payout:${id}`, orderId: id, accountId, amountMinor, currency })
  }
  await postBookings(tx, instance.id, bookings, clock)
  const creditorIds = payouts.map(({ creditorId }) => creditorId)
  const [name] = await readShort(tx, instance.id, { currency, creditorIds })
  if (name !== undefined) throw new Refusal('held_too_little', { name })
  // What was advanced for them covers nothing now, and is the operator's again.
  for (const { id, creditorId } of payouts)
    await returnAdvance(work, { creditorId, currency, cause: `advance-back:payout:${id}` })
}
