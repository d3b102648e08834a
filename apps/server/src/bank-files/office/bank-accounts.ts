/** How the files of each account come, and up to when it is told of, as an operator's people see and say it. */
import type { BankAccount, previewAccountHolder } from '@kvitt/domain/bank-files/bank-account.contract.ts'
import type { AccountFiles } from '@kvitt/domain/bank-files/told-days.ts'
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf, Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import { Amount, amountText, type Currency } from '@kvitt/domain/money.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import type { Context } from '../../context.ts'
import { AccountRefused, chooseFiles, confirmTold, readAccountFiles } from '../../creditors/creditors.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { within } from '../../platform/database/within.ts'
import { actorOf, type OperatorMember } from '../../staff/staff.ts'
import { HolderRefused, tellHolder } from '../tell-holder.ts'
import { readBankAccountRows } from './bank-accounts.queries.ts'

type Reading = Pick<Context, 'db' | 'clock'>

export async function listBankAccounts(
  { db, clock }: Reading,
  { instance }: OperatorMember,
): Promise<BankAccount[]> {
  const today = clock.today(instance.timeZone)
  const [rows, files] = await Promise.all([
    readBankAccountRows(db, instance.id),
    readAccountFiles(db, instance.id, today),
  ])
  return rows.map(
    ({
      id,
      scheme,
      number,
      currency,
      receiver_name: receiverName,
      holder,
      creditor_id: creditorId,
      creditor,
    }) => {
      const of = files.find((one) => one.id === id)
      return {
        id,
        scheme,
        number,
        currency,
        receiverName,
        creditor: creditorId === null ? null : { id: creditorId, name: creditor ?? '' },
        holder,
        files: of?.files ?? null,
        since: of?.files_since ?? null,
        toldTo: of?.toldTo ?? null,
        awaited: [...(of?.awaited ?? [])],
        missing: [...(of?.missing ?? [])],
      }
    },
  )
}

/** Refuses `not_found`: another provider's does not exist, nor does one that cannot be paid to. */
export async function findBankAccount(
  context: Reading,
  principal: OperatorMember,
  id: string,
): Promise<BankAccount> {
  const found = (await listBankAccounts(context, principal)).find((one) => one.id === id)
  if (!found) throw new Refusal('not_found')
  return found
}

type Act = { readonly context: Context; readonly principal: OperatorMember; readonly row: BankAccount }

const sayingOf = ({ context, principal, row }: Act) => ({
  instanceId: principal.instance.id,
  today: context.clock.today(principal.instance.timeZone),
  of: row.id,
  by: actorOf(principal),
})

type Sum = { readonly currency: Currency; readonly minor: number }
type Foreseen = { readonly payments: number; readonly sums: readonly Sum[]; readonly isAbove: boolean }

/** Refuses `invalid_request` for the provider's own account. */
async function tellIn(tx: Transaction, { context, principal, row }: Act, holder: Holder): Promise<Foreseen> {
  if (row.creditor === null) throw new Refusal('invalid_request', {}, ['holder'])
  const inTx = { ...context, db: within(tx) }
  try {
    const told = { of: row.id, holder, by: actorOf(principal) }
    const rebooked = await tellHolder(inTx, principal.instance, told)
    const sums = [...new Set(rebooked.map(({ currency }) => currency))].map((currency) => ({
      currency,
      minor: rebooked
        .filter((one) => one.currency === currency)
        .reduce((sum, { amount_minor: minor }) => sum + minor, 0),
    }))
    const isAbove = sums.some(({ currency, minor }) => minor > mostByOnePerson(currency))
    return { payments: rebooked.length, sums, isAbove }
  } catch (error) {
    // It was taken out of use meanwhile.
    throw error instanceof HolderRefused ? new Refusal('invalid_request', {}, ['holder']) : error
  }
}

/** Refuses `holder_above_limit` where more would be booked anew than one person may do alone: it cannot be undone. */
export async function tellHolderOf(act: Act, holder: Holder): Promise<BankAccount> {
  const { context, principal, row } = act
  await context.db.transaction(async (tx) => {
    const { payments, sums, isAbove } = await tellIn(tx, act, holder)
    if (!isAbove) return
    const sum = sums.map(({ currency, minor }) => `${amountText(minor)} ${currency}`).join(', ')
    throw new Refusal('holder_above_limit', { count: String(payments), sum }, ['holder'])
  })
  return findBankAccount(context, principal, row.id)
}

/** Ends the transaction of a preview: what it has written is read, and never stays. */
class NeverKept extends Error {}

/** What telling it would book anew: it is done, read and taken back before anybody sees it. */
export async function previewHolder(
  act: Act,
  holder: Holder,
): Promise<Loosen<AnswerOf<typeof previewAccountHolder>>> {
  let seen: Foreseen | undefined
  try {
    await act.context.db.transaction(async (tx) => {
      seen = await tellIn(tx, act, holder)
      throw new NeverKept()
    })
  } catch (error) {
    if (!(error instanceof NeverKept)) throw error
  }
  if (!seen) throw new Error('a preview was not read')
  const { payments, sums, isAbove } = seen
  return {
    payments,
    sums: sums.map(({ currency, minor }) => ({ amount: new Amount(minor), currency })),
    isAbove,
  }
}

/** What is refused in words for a command has changed since it was looked at, or is about a day that cannot be. */
async function saying(field: string, say: () => Promise<void>): Promise<void> {
  try {
    await say()
  } catch (error) {
    throw error instanceof AccountRefused ? new Refusal('invalid_request', {}, [field]) : error
  }
}

export async function chooseFilesOf(act: Act, files: AccountFiles): Promise<BankAccount> {
  await saying('files', () => chooseFiles(act.context, { ...sayingOf(act), files }))
  return findBankAccount(act.context, act.principal, act.row.id)
}

/** Refuses `day_out_of_reach` for a day to come, and for one before its files were asked for; `invalid_request` where none are. */
export async function confirmToldOf(act: Act, day: string): Promise<BankAccount> {
  const to = parseDate(day)
  if (!to) throw new Refusal('invalid_request', {}, ['to'])
  const { since } = act.row
  const { today } = sayingOf(act)
  if (since !== null && (to < since || to > today))
    throw new Refusal('day_out_of_reach', { from: since, to: today }, ['to'])
  await saying('to', () => confirmTold(act.context, { ...sayingOf(act), to }))
  return findBankAccount(act.context, act.principal, act.row.id)
}
