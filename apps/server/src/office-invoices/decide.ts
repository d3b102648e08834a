/** What a creditor's staff decides about one invoice by the use cases of the collection: each in one transaction, once. */
import { addDays, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { noteDeed } from '../audit/audit.ts'
import { lockClaim } from '../claims/claims.ts'
import {
  decideDebtWithin,
  DecisionRefused,
  hastenOnLocked,
  refuseInClaim,
  type DebtDecision,
} from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow, type InvoiceRow, type OfficeInvoiceKey } from '../invoices/invoices.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { actorOf, type ClientPrincipal } from '../staff/staff.ts'
import { actOnce, type Acted, type Asked } from './act-once.ts'
import { readSignedOn } from './direct-payment.queries.ts'

/** Who asks for what, whatever it is about. */
export type Deciding = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly asked: Asked
}

export type Act = Deciding & { readonly row: OfficeInvoiceKey }

/**
 * How far ahead somebody may pause or give time, in days: a clerk or a program, whoever works for an operator and is no handler
 *, and a manager.
 */
const CLERKS_DAYS = 90
const OPERATORS_DAYS = 30
const MANAGERS_DAYS = 365

/** What is wrong with them is the amount of the body. */
const AMOUNTS: readonly ErrorCode[] = ['amount_too_large', 'amount_malformed']

/** Does `work` once. The day is the instance's. */
export function decide(
  { context, principal, asked }: Deciding,
  work: (tx: Transaction, today: CalendarDate) => Promise<string>,
): Promise<Acted> {
  const today = context.clock.today(principal.instance.timeZone)
  return actOnce(context, principal, asked, (tx) => asRefusals(() => work(tx, today)))
}

/** What the use cases of the collection refuse in `work` is refused by code. */
export async function asRefusals<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    throw new Refusal(error.code, error.params, AMOUNTS.includes(error.code) ? ['amount'] : [])
  }
}

/** Under the lock of the act's invoice, which is in no claim. */
export function onOwnInvoice(
  act: Act,
  work: (tx: Transaction, invoice: InvoiceRow, today: CalendarDate) => Promise<void>,
): Promise<Acted> {
  return decide(act, async (tx, today) => {
    const invoice = await lockInvoiceRow(tx, act.row.instance_id, act.row.id)
    refuseInClaim(invoice)
    await work(tx, invoice, today)
    return act.row.id
  })
}

/** What depends on the day is asked when it is decided: who repeats it later has decided it before. */
export type Decided = DebtDecision | (() => DebtDecision)

export const decisionOf = (decided: Decided): DebtDecision =>
  typeof decided === 'function' ? decided() : decided

type Decision = {
  readonly decision: Decided
  readonly reason: string
  readonly note?: string | undefined
}

/** A decision as the command of the operator takes it (collection/decisions/decide-debt.ts). */
export function decideAct(act: Act, { decision, reason, note }: Decision): Promise<Acted> {
  const { context, principal, row } = act
  return decide(act, async (tx) => {
    await decideDebtWithin(context, tx, {
      instanceId: row.instance_id,
      debt: { kind: 'invoice', name: row.id },
      decision: decisionOf(decision),
      reason,
      note,
      by: actorOf(principal),
      isKeyed: act.asked.key !== undefined,
    })
    return row.id
  })
}

/** What is stopped is asked for no more, and the instalments of a plan would be. */
export function refuseInPlan({ is_part_payment: isInPlan }: { readonly is_part_payment: boolean }): void {
  if (isInPlan) throw new Refusal('owed_in_plan')
}

/** What is signed will be paid, and then nobody has stopped anything. Under the lock of the debt. */
export async function refuseSigned(tx: Transaction, instanceId: string, debt: Debt): Promise<void> {
  if ((await readSignedOn(tx, instanceId, debt)) > 0) throw new Refusal('payment_signed')
}

/** A day after today, and no later than this person may say. Refuses `day_out_of_reach`. */
export function dayAhead(
  { context, principal }: Pick<Deciding, 'context' | 'principal'>,
  text: string,
  from?: CalendarDate,
): CalendarDate {
  const today = context.clock.today(principal.instance.timeZone)
  const role = principal.kind === 'api_key' ? undefined : principal.role
  const days =
    role === 'manager'
      ? MANAGERS_DAYS
      : role === 'support' || role === 'finance'
        ? OPERATORS_DAYS
        : CLERKS_DAYS
  const last = addDays(today, days)
  const first = from !== undefined && from > today ? from : addDays(today, 1)
  return dayWithin(text, { first, last, field: 'until' })
}

export function dayWithin(
  text: string,
  {
    first,
    last,
    field,
  }: { readonly first: CalendarDate; readonly last: CalendarDate; readonly field: string },
): CalendarDate {
  const day = parseDate(text)
  if (day === undefined) throw new Refusal('invalid_request', {}, [field])
  if (day < first || day > last) throw new Refusal('day_out_of_reach', { from: first, to: last }, [field])
  return day
}

/** As early as law and schedule allow; `nextStep` of the answer has the day. */
export function toCollection(act: Act, ground: string): Promise<Acted> {
  const { context, principal, row } = act
  if (!saysSomething(ground)) throw new Refusal('why_required', {}, ['ground'])
  return onOwnInvoice(act, async (tx, invoice, on) => {
    await hastenOnLocked(context, tx, invoice, on)
    await noteDeed(tx, {
      instanceId: row.instance_id,
      kind: 'handed_to_collection',
      by: actorOf(principal),
      about: `invoice:${row.id}`,
      reason: ground.trim(),
    })
  })
}

/** M-24, and the debtor is told. */
export function stop(act: Act, body: { readonly reason: string; readonly note?: string | null | undefined }) {
  const { context, principal, row } = act
  return decide(act, async (tx) => {
    await stopWithin(context, tx, {
      instanceId: row.instance_id,
      debt: { kind: 'invoice', id: row.id },
      reason: body.reason,
      note: body.note,
      by: actorOf(principal),
    })
    return row.id
  })
}

export type ToStop = {
  readonly instanceId: string
  readonly debt: { readonly kind: 'invoice' | 'claim'; readonly id: string }
  readonly reason: string
  readonly note: string | null | undefined
  readonly by: string
}

/** Stops a debt that is in no plan and not about to be paid, and tells its debtor. Answers false when it was stopped so before. Refuses before it writes. */
export async function stopWithin(
  context: Context,
  tx: Transaction,
  { instanceId, debt: { kind, id }, reason, note, by }: ToStop,
): Promise<boolean> {
  const debt: Debt = kind === 'claim' ? { claimId: id } : { invoiceId: id }
  refuseInPlan(
    'claimId' in debt
      ? await lockClaim(tx, { instanceId, ...debt })
      : await lockInvoiceRow(tx, instanceId, id),
  )
  await refuseSigned(tx, instanceId, debt)
  const { isNew } = await decideDebtWithin(context, tx, {
    instanceId,
    debt: { kind, name: id },
    decision: { act: 'stop' },
    reason,
    note: note?.trim() || undefined,
    by,
  })
  if (isNew) await queueMail(context, tx, { kind: 'stopped', cause: `stopped:${id}`, instanceId, debt })
  return isNew
}
