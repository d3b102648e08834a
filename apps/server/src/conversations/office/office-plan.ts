/** A plan of the debtor's own as the creditor looks at it, agrees to it, or proposes another. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { answerCounterBy, counteredFirstDays } from '@kvitt/domain/part-payments/own-plan.ts'
import type { Context } from '../../context.ts'
import {
  PaymentsUnderWay,
  presentOwnPlan,
  startOwnPlan,
  type FoundOwnPlan,
  type OwnPlanWish,
} from '../../part-payments/part-payments.ts'
import type { LockedDebt } from '../../payments/payments.ts'
import type { Connection, Transaction } from '../../platform/database/database.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { figuresShown, findPlanOf, readWish, requireAhead, type SentWish } from '../plan-requests.ts'
import type { Outcome, ShownPlan } from '../conversations.queries.ts'
import { readBounds } from '../requests.queries.ts'
import { lockDebt, type AskedDebt } from '../visible-debt.ts'
import type { OfficeConversationDetailRow, OfficeConversationRow } from './office-conversations.queries.ts'
import { debtOf } from './office-conversations.ts'

type Asking = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly row: OfficeConversationDetailRow & { readonly id: string }
  readonly request: OfficeConversationRow
  readonly body: SentWish
}

/** What the debtor asks for. */
function askedWish({ wish }: OfficeConversationRow): OwnPlanWish {
  if (!wish || wish.amount === null) throw new Refusal('act_not_open')
  return { firstDay: date(wish.day), monthlyMinor: wish.amount }
}

/** The wish, changed where something else is sent. Refuses as readWish. */
function changedWish(
  request: OfficeConversationRow,
  sent: SentWish,
  { debt, today }: { readonly debt: AskedDebt; readonly today: CalendarDate },
): OwnPlanWish {
  const asked = askedWish(request)
  const wish = { amount: sent.amount ?? amountText(asked.monthlyMinor), day: sent.day ?? asked.firstDay }
  const days = counteredFirstDays(today)
  // The debtor's own first day stands as long as it is to come.
  const from = asked.firstDay > today && asked.firstDay < days.from ? asked.firstDay : days.from
  return readWish(wish, debt, { ...days, from })
}

/** What it comes to today, as it was asked for or with what is sent. */
export async function readOfficePlan(
  { db, clock }: Context,
  principal: ClientPrincipal,
  row: OfficeConversationDetailRow,
  sent: SentWish,
) {
  const request = JSON.parse(row.json) as OfficeConversationRow
  if (request.kind !== 'PLAN') throw new Refusal('act_not_open')
  const today = clock.today(principal.instance.timeZone)
  const { locked } = await db.transaction((tx) => lockDebt(tx, principal.instance.id, debtOf(row)))
  const isAsked = sent.amount === undefined && sent.day === undefined
  const wish = isAsked ? askedWish(request) : changedWish(request, sent, { debt: locked, today })
  requireAhead(wish, today)
  return presentOwnPlan(await findPlanOf(db, locked, { wish, today }))
}

type Found = {
  readonly locked: LockedDebt
  readonly today: CalendarDate
  /** What the debtor has seen when it asked. */
  readonly shown: ShownPlan | null
}

/** The plan is neither dearer nor longer than what the debtor has seen. */
function isAsShown(found: FoundOwnPlan, shown: ShownPlan): boolean {
  const { totalCostMinor, instalments } = figuresShown(found)
  return totalCostMinor <= shown.totalCostMinor && instalments <= shown.instalments
}

/** Refuses `plan_beyond_bounds` to an operator's handler, who agrees to plans as far as the creditor has said. */
async function requireWithinBounds(
  db: Connection,
  principal: ClientPrincipal,
  { plan }: FoundOwnPlan,
): Promise<void> {
  if (principal.kind !== 'operator' || principal.role === 'manager') return
  const { planMonths } = await readBounds(db, {
    instanceId: principal.instance.id,
    creditorId: principal.creditorId,
  })
  if (plan.instalments.length > planMonths) throw new Refusal('plan_beyond_bounds')
}

/**
 * The creditor's other plan, and the last day for the debtor's answer. Refuses `act_not_open` where it is the plan that was asked for
 * and could be accepted as it was shown.
 */
export async function readCounter(
  { principal, request, body }: Pick<Asking, 'principal' | 'request' | 'body'>,
  tx: Transaction,
  { locked, today, shown }: Found,
): Promise<{ readonly wish: OwnPlanWish; readonly until: CalendarDate }> {
  const asked = askedWish(request)
  const wish = changedWish(request, body, { debt: locked, today })
  const found = await findPlanOf(tx, locked, { wish, today })
  const isSame = wish.firstDay === asked.firstDay && wish.monthlyMinor === asked.monthlyMinor
  if (isSame && shown && isAsShown(found, shown)) throw new Refusal('act_not_open', {}, ['amount'])
  await requireWithinBounds(tx, principal, found)
  return { wish, until: answerCounterBy(today, wish.firstDay) }
}

/**
 * Starts the plan that was asked for, on the evidence of the debtor's asking. Refuses `plan_not_as_shown` where it has become dearer or
 * longer since. A payment that somebody may be about to sign is waited for: `payment_in_progress`.
 */
export async function startAccepted(
  { context, principal, row }: Asking,
  tx: Transaction,
  { outcome, today, shown }: { readonly outcome: Outcome } & Pick<Found, 'today' | 'shown'>,
): Promise<void> {
  const wish = { firstDay: date(outcome.day ?? ''), monthlyMinor: outcome.minor ?? 0 }
  requireAhead(wish, today)
  if (!shown) throw new Refusal('plan_not_as_shown')
  const { offerVersion, language, sessionKind, network, at } = shown
  const agreed = { conversationId: row.id, offerVersion, language, sessionKind, network, at }
  // The version names its day, too: what matters is that it has become no dearer and no longer.
  const requireAgreed = async (found: FoundOwnPlan): Promise<void> => {
    if (!isAsShown(found, shown)) throw new Refusal('plan_not_as_shown')
    await requireWithinBounds(tx, principal, found)
  }
  try {
    const of = { instanceId: principal.instance.id, debt: debtOf(row) }
    await startOwnPlan(context, tx, of, { wish, today, agreed, requireAgreed })
  } catch (error) {
    throw error instanceof PaymentsUnderWay ? new Refusal('payment_in_progress') : error
  }
}
