/**
 * The accounts that debtors pay to, of the provider and of its creditors: one person proposes, another agrees, and a day
 * later debtors are shown it, unless a manager stops it before. Money to the one before is taken in for ever.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCurrency, type Currency } from '@kvitt/domain/money.ts'
import {
  readPayeeAccount,
  type PayeeAccount,
  type WrittenPayee,
} from '@kvitt/domain/payee-accounts/payee-account.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { isAccountTaken, readPayee, takeAccount } from '../creditors/creditors.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { JsonText } from '../platform/http/json.ts'
import { newId } from '../platform/identity.ts'
import type { Instance } from '../instances/instances.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../staff/staff.ts'
import {
  endRow,
  findPayeeRow,
  insertPayeeRow,
  isEnded,
  isOneWaiting,
  lockPlace,
  readCreditorName,
  readDue,
  readHolding,
  readListed,
  readPayeeJson,
  stopRow,
  type PayeeRow,
  type Place,
} from './payee-accounts.queries.ts'
import { tellManagers } from './tell-managers.ts'

const OWN = 'own'
/** Those of the countries whose debts are collected here. */
const USUAL: readonly Currency[] = ['SEK', 'NOK', 'DKK', 'EUR']
const aboutOf = ({ creditorId, currency }: Omit<Place, 'instanceId'>): string =>
  `payee-account:${creditorId ?? OWN}:${currency}`

function placeOf(instanceId: string, about: string): Place {
  const [, whose = '', currency = ''] = about.split(':')
  if (!isCurrency(currency)) throw new Error(`${about} is no account that debtors pay to`)
  return { instanceId, creditorId: whose === OWN ? null : whose, currency }
}

/** As a proposal has it: names and values alone. */
function stateOf({ currency, scheme, number, bic, receiverName, holder }: PayeeAccount): ProposedState {
  return { currency, scheme, number, bic, receiverName, holder }
}

const digits = (text: string | null): string => text?.replaceAll(/[^0-9A-Z]/g, '') ?? ''

/** What debtors are shown in a currency; undefined where there is none. */
async function readShown(db: Connection, { instanceId, creditorId, currency }: Place) {
  const row = await readPayee(db, instanceId, { paymentAccountId: null, currency, payeeOf: creditorId })
  if (!row) return undefined
  const { scheme, iban, account_number: number, bic, receiver_name: receiverName } = row
  return { currency, scheme, number: digits(scheme === 'IBAN' ? iban : number), bic, receiverName }
}

/** What is now: of a creditor what was agreed, or nothing where each invoice names its own; of the provider what debtors are shown. */
async function readNow(tx: Transaction, place: Place): Promise<ProposedState> {
  const agreed = await readHolding(tx, place)
  if (place.creditorId !== null) return agreed ? stateOf(agreed) : {}
  // The command may have chosen another one since.
  return (await readShown(tx, place)) ?? {}
}

/** Refuses what somebody else has, and another one while one waits. */
async function requireFree(tx: Transaction, place: Place, account: PayeeAccount, at: string): Promise<void> {
  if (await isOneWaiting(tx, place)) throw new Refusal('payee_account_waits')
  if (await isAccountTaken(tx, place, account)) throw new Refusal('payee_account_taken', {}, [`${at}number`])
}

/**
 * Proposes the account that debtors pay to, of a creditor or of the provider itself, in a currency. Answers the proposal. Refuses
 * the field that is wrong or as it is already, and a sign-in that is not fresh.
 */
export async function proposePayee(
  context: Context,
  principal: OperatorMember,
  wanted: { readonly creditorId: string | null; readonly written: WrittenPayee; readonly at?: string },
): Promise<string> {
  const { creditorId, written, at = '' } = wanted
  requireFreshSignIn(context, principal)
  const { instance } = principal
  const whose = { instanceId: instance.id, creditorId }
  if (creditorId !== null && (await readCreditorName(context.db, whose)) === undefined)
    throw new Refusal('not_found')
  const account = readPayeeAccount(written, creditorId === null)
  if ('field' in account) throw new Refusal('invalid_request', {}, [`${at}${account.field}`])
  return context.db.transaction(async (tx) => {
    await lockPlace(tx, whose)
    const place = { ...whose, currency: account.currency }
    await requireFree(tx, place, account, at)
    const before = await readNow(tx, place)
    const after = stateOf(account)
    if (Object.keys(before).every((name) => before[name] === after[name]) && 'number' in before)
      throw new Refusal('invalid_request', {}, [`${at}number`])
    const kind = 'payee_account'
    const id = await propose(tx, context, principal, {
      kind,
      about: aboutOf(place),
      creditorId,
      before,
      after,
    })
    await tellManagers(context, tx, { instance, creditorId, account, kind: 'staff_payee_proposed', of: id })
    return id
  })
}

/** How a proposed account comes to wait. */
export const PAYEE_ACCOUNT_WORK: ProposalWork = {
  readNow: async (tx: Transaction, { instanceId, about }) => {
    const place = placeOf(instanceId, about)
    await lockPlace(tx, place)
    return readNow(tx, place)
  },
  carryOut: async (tx, { context, principal: { instance }, proposal }) => {
    const place = placeOf(instance.id, proposal.about)
    const { creditorId } = place
    const account = readPayeeAccount(proposal.after as WrittenPayee, creditorId === null)
    if ('field' in account) throw new Refusal('invalid_request', {}, [account.field])
    await requireFree(tx, place, account, '')
    const id = newId(context.clock.now())
    const from = await insertPayeeRow(tx, place, { ...account, id, proposalId: proposal.id })
    await tellManagers(context, tx, {
      instance,
      creditorId,
      account,
      kind: 'staff_payee_agreed',
      of: id,
      from,
    })
  },
}

/** Refuses `not_found`: another provider's does not exist. */
export async function findPayee(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<PayeeRow> {
  const row = await findPayeeRow(db, { instanceId: instance.id, id })
  if (!row) throw new Refusal('not_found')
  return row
}

/** As the wire has it. */
export async function presentPayee(db: Connection, instanceId: string, id: string): Promise<JsonText> {
  return new JsonText((await readPayeeJson(db, { instanceId, id })) ?? 'null')
}

/** One person is enough, as nothing has been shown. Refuses `payee_account_over` when it does not wait any more. */
export function stopPayee(
  context: Context,
  principal: OperatorMember,
  asked: AskedOnce,
  { row: { id, creditorId, ...account }, reason }: { readonly row: PayeeRow; readonly reason: string },
): Promise<{ readonly isReplayed: boolean }> {
  if (reason === '') throw new Refusal('why_required', {}, ['reason'])
  const { instance, personId } = principal
  const instanceId = instance.id
  return onceByOperator(context, principal, asked, async (tx) => {
    await lockPlace(tx, { instanceId, creditorId })
    if (!(await stopRow(tx, { instanceId, id }, { personId, reason })))
      throw new Refusal('payee_account_over')
    const about = aboutOf({ creditorId, currency: account.currency })
    const deed = { instanceId, kind: 'payee_account_stopped', by: actorOf(principal), about, reason } as const
    await noteDeed(tx, { ...deed, before: { id, ...stateOf(account) }, after: {} })
    await tellManagers(context, tx, { instance, creditorId, account, kind: 'staff_payee_stopped', of: id })
    return id
  })
}

/** All of a creditor, or of the provider itself. Refuses `not_found`. */
export async function listPayees(
  { db }: Pick<Context, 'db'>,
  { instance: { id: instanceId } }: OperatorMember,
  creditorId: string | null,
) {
  const whose = { instanceId, creditorId }
  if (creditorId !== null && (await readCreditorName(db, whose)) === undefined) throw new Refusal('not_found')
  const shown = await Promise.all(USUAL.map((currency) => readShown(db, { ...whose, currency })))
  const listed = await readListed(db, whose)
  return new JsonText(JSON.stringify({ shown: shown.filter((one) => one !== undefined), ...listed }))
}

/** Those that have waited are shown from now on; who was stopped stays so. Several processes may ask at once. */
export async function beginToShow(context: Context, instances: readonly Instance[]): Promise<void> {
  for (const instance of instances)
    for (const row of await readDue(context.db, instance.id)) await showOne(context, instance, row)
}

function showOne(context: Context, instance: Instance, row: PayeeRow): Promise<void> {
  const { id, creditorId, ...account } = row
  const key = { instanceId: instance.id, id }
  return context.db.transaction(async (tx) => {
    await lockPlace(tx, { instanceId: instance.id, creditorId })
    if (await isEnded(tx, key)) return
    const whose = { instanceId: instance.id, creditorId }
    const accountId = await takeAccount(tx, whose, { ...account, newId: newId(context.clock.now()) })
    await endRow(tx, key, accountId)
    if (accountId === undefined) {
      const about = aboutOf({ creditorId, currency: account.currency })
      const before = { id, ...stateOf(account) }
      const kind = 'payee_account_stopped'
      await noteDeed(tx, { instanceId: instance.id, kind, by: 'kvitt', about, before, after: {} })
      await tellManagers(context, tx, { instance, creditorId, account, kind: 'staff_payee_stopped', of: id })
      return
    }
    const about = `account:${accountId}`
    const after = { id, ...stateOf(account) }
    await noteDeed(tx, { instanceId: instance.id, kind: 'account_chosen', by: 'kvitt', about, after })
  })
}
