/** What a debtor asks for that a decision answers: more time, a plan, or that a payment is looked for. */
import { date, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import type { AnswerOf, BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import type {
  askOnInvoice,
  getInvoiceRequestTerms,
} from '@kvitt/domain/conversations/conversation.contract.ts'
import { timeLimits, type TimeLimits } from '@kvitt/domain/conversations/request.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { Amount, amountText, parseAmount } from '@kvitt/domain/money.ts'
import { firstDays } from '@kvitt/domain/part-payments/own-plan.ts'
import { noteDeed } from '../audit/audit.ts'
import { DecisionRefused, pauseLocked } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { grantMoreTime } from '../office-invoices/office-invoices.ts'
import { readMembers } from '../claims/claims.ts'
import {
  presentOwnPlan,
  requireVersion,
  startOwnPlan,
  type FoundOwnPlan,
  type OwnAgreed,
} from '../part-payments/part-payments.ts'
import type { LockedDebt } from '../payments/payments.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import type { NewRequest, ShownPlan } from './conversations.queries.ts'
import {
  figuresShown,
  findPlanOf,
  isAgreedByRule,
  plannableDebt,
  planLimits,
  readWish,
  type SentWish,
} from './plan-requests.ts'
import type { AskedDebt } from './visible-debt.ts'
import { readBounds, readRequestsBefore, type RequestsBefore } from './requests.queries.ts'

/** Who grants within the bounds, for the audit log. */
const BY_RULE = 'rule:bounds'

export type RequestTerms = Loosen<AnswerOf<typeof getInvoiceRequestTerms>>
type Asked = BodyOf<typeof askOnInvoice>

const rowOf = ({ invoice, claim }: AskedDebt) => claim ?? invoice

/** Steps may come, and nothing keeps them. */
function isRunning({ invoice, claim }: AskedDebt): boolean {
  return claim ? claim.status === 'OPEN' || claim.status === 'RESUME' : invoice.status === 'ACTIVATED'
}

/** It owes something, by itself: no claim and no plan asks for it. */
function isOwedHere(debt: AskedDebt): boolean {
  const { balance_minor: balance, is_part_payment: isInPlan } = rowOf(debt)
  return balance > 0 && !isInPlan && (debt.claim !== undefined || debt.invoice.claim_id === null)
}

/** A plan may take it up: it runs, and is owed by itself. */
const isFree = (debt: AskedDebt): boolean => isRunning(debt) && isOwedHere(debt)

async function limitsOf(
  db: Connection,
  debt: AskedDebt,
  { today, wasDecided }: { readonly today: CalendarDate; readonly wasDecided: boolean },
): Promise<TimeLimits | undefined> {
  const isInstalment = debt.invoice !== undefined && IN_PLANS.includes(debt.invoice.type)
  if (!isRunning(debt) || !isOwedHere(debt) || isInstalment) return undefined
  const { instance_id: instanceId, creditor_id: creditorId, expire_date: expireDate } = rowOf(debt)
  const bounds = await readBounds(db, { instanceId, creditorId })
  // On a claim interest goes on; an invoice is not late before its new last day.
  const costsInterest = debt.claim === undefined && date(expireDate) < today
  return timeLimits({ today, expireDate: date(expireDate), bounds, wasDecided, costsInterest })
}

/** Days on which it can have been paid; undefined where nothing can be entered as paid. */
async function paidLimits(db: Connection, debt: AskedDebt, today: CalendarDate) {
  const isThere = debt.claim ? isOpenClaim(debt.claim.status) : isOpen(debt.invoice.status)
  if (!isThere || !isOwedHere(debt)) return undefined
  const { instance_id: instanceId, id } = rowOf(debt)
  const papers = debt.claim ? await readMembers(db, instanceId, id) : [debt.invoice]
  const from = date(papers.map((paper) => paper.issue_date).sort()[0] ?? today)
  return { from, to: today, most: rowOf(debt).balance_minor }
}

const beforeOf = (db: Connection, debt: AskedDebt, today: CalendarDate): Promise<RequestsBefore> =>
  readRequestsBefore(db, { instanceId: rowOf(debt).instance_id, debtId: rowOf(debt).id, today })

/** What can be asked for about a debt now, and what comes of it. */
export async function readTerms(db: Connection, debt: AskedDebt, today: CalendarDate): Promise<RequestTerms> {
  const before = await beforeOf(db, debt, today)
  const limits = await limitsOf(db, debt, { today, wasDecided: before.was_decided })
  const paid = await paidLimits(db, debt, today)
  const plan = isFree(debt) ? await planLimits(db, debt, today) : undefined
  const mayRest = isRunning(debt) || before.is_resting
  return {
    moreTime: limits
      ? { ...limits, rests: mayRest && !before.rested_for_time, interestGoesOn: debt.claim !== undefined }
      : null,
    saidPaid: paid
      ? { ...paid, most: new Amount(paid.most), rests: mayRest && !before.rested_for_paid }
      : null,
    plan: plan ? { ...plan, rests: !before.rested_for_plan } : null,
  }
}

/** By whom, when and through what it is asked. */
type AskedBy = Omit<ShownPlan, 'setting' | 'totalCostMinor' | 'instalments'>

/** As it is written down; undefined of a question. Under the lock of the debt; refuses what cannot be asked for. */
export async function readRequest(
  tx: Transaction,
  debt: AskedDebt,
  { asked, today, by }: { readonly asked: Asked; readonly today: CalendarDate; readonly by: AskedBy },
): Promise<NewRequest | undefined> {
  if (asked.kind === 'QUESTION') return undefined
  const before = await beforeOf(tx, debt, today)
  const day = parseDate(asked.day ?? '')
  if (asked.kind === 'MORE_TIME') {
    const limits = await limitsOf(tx, debt, { today, wasDecided: before.was_decided })
    const until = dayIn(day, limits)
    const atOnce = limits?.atOnce ?? null
    const byRule = atOnce !== null && until <= atOnce
    return {
      kind: asked.kind,
      day: until,
      minor: null,
      how: null,
      byRule,
      rests: !byRule && !before.rested_for_time,
    }
  }
  if (asked.kind === 'PLAN') return readPlan(tx, debt, { asked, today, before, by })
  const limits = await paidLimits(tx, debt, today)
  const paidOn = dayIn(day, limits)
  const { currency, balance_minor: balance } = rowOf(debt)
  const amount = parseAmount(String(asked.amount ?? ''), currency)
  if (!amount) throw new Refusal('amount_malformed', {}, ['amount'])
  if (amount.minor <= 0 || amount.minor > balance)
    throw new Refusal('amount_too_large', { amount: amountText(balance), currency }, ['amount'])
  if (!asked.how) throw new Refusal('invalid_request', {}, ['how'])
  const rests = (isRunning(debt) || before.is_resting) && !before.rested_for_paid
  return { kind: asked.kind, day: paidOn, minor: amount.minor, how: asked.how, byRule: false, rests }
}

async function readPlan(
  tx: Transaction,
  debt: AskedDebt,
  { asked, today, before, by }: { asked: Asked; today: CalendarDate; before: RequestsBefore; by: AskedBy },
): Promise<NewRequest> {
  const found = await findAskedPlan(tx, debt, { sent: asked, today })
  requireVersion(found, by)
  const byRule = await isAgreedByRule(tx, debt, { found, before })
  const { firstDay: day, monthlyMinor: minor } = found.wish
  const rests = !byRule && !before.rested_for_plan
  return { kind: 'PLAN', day, minor, how: null, byRule, rests, shown: { ...figuresShown(found), ...by } }
}

/** What a plan that is asked for comes to. Refuses `request_not_open`, and as readWish and findOwnPlan. */
async function findAskedPlan(
  db: Connection,
  debt: AskedDebt,
  { sent, today }: { readonly sent: SentWish; readonly today: CalendarDate },
): Promise<FoundOwnPlan> {
  if (!isFree(debt)) throw new Refusal('request_not_open')
  return findPlanOf(db, debt, { wish: readWish(sent, debt, firstDays(today)), today })
}

/** What a plan comes to that is about to be asked for. */
export async function readAskedPlan(
  db: Connection,
  debt: AskedDebt,
  of: { readonly sent: SentWish; readonly today: CalendarDate },
) {
  const found = await findAskedPlan(db, debt, of)
  const before = await beforeOf(db, debt, of.today)
  const atOnce = await isAgreedByRule(db, debt, { found, before })
  return { ...presentOwnPlan(found), atOnce, rests: !before.rested_for_plan }
}

function dayIn(
  day: CalendarDate | undefined,
  limits: { readonly from: CalendarDate; readonly to: CalendarDate } | undefined,
): CalendarDate {
  if (!limits) throw new Refusal('request_not_open')
  if (!day) throw new Refusal('invalid_request', {}, ['day'])
  if (day < limits.from || day > limits.to)
    throw new Refusal('day_out_of_reach', { from: limits.from, to: limits.to }, ['day'])
  return day
}

type Beginning = {
  readonly request: NewRequest
  readonly today: CalendarDate
  /** Of a plan: by whom and through what it is agreed to. */
  readonly agreed: OwnAgreed
}

/**
 * What comes of a request at once: what is within the bounds is granted, and the debt rests for what a person decides. Refuses
 * `request_not_open` for what cannot have more time, such as an instalment. As startOwnPlan.
 */
export async function beginRequest(
  context: Context,
  tx: Transaction,
  debt: LockedDebt,
  { request, today, agreed }: Beginning,
): Promise<void> {
  // One that waits may have it rest already: it goes on after the last of them.
  if (request.rests && isRunning(debt)) {
    await pauseLocked(tx, debt, { on: today, reason: request.kind, resumeDate: null })
  }
  if (!request.byRule) return
  if (request.kind === 'PLAN') {
    const wish = { monthlyMinor: request.minor ?? 0, firstDay: date(request.day) }
    await startOwnPlan(context, tx, plannableDebt(debt), { wish, today, agreed })
    const about = `conversation:${agreed.conversationId}`
    const { instanceId } = plannableDebt(debt)
    await noteDeed(tx, {
      instanceId,
      kind: 'request_decided',
      by: BY_RULE,
      about,
      after: { decision: 'ACCEPT', ...wish },
    })
    return
  }
  try {
    await grantMoreTime(context, tx, debt, { until: date(request.day), on: today, by: BY_RULE })
  } catch (error) {
    throw error instanceof DecisionRefused ? new Refusal('request_not_open') : error
  }
}
