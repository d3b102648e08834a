/** A plan of the debtor's own: what it comes to, and its start once debtor and creditor, or the creditor's bounds, agree. */
import { createHash } from 'node:crypto'
import { daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, money, type Money } from '@kvitt/domain/money.ts'
import { FIRST_DAYS, leastMonthly, ownOfferFor, type OwnOffer } from '@kvitt/domain/part-payments/own-plan.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { Language } from '../platform/texts.ts'
import { findOwnPlanTerms, TEXT_VERSION, type OwnPlanTerms } from './offers/offers.ts'
import { insertSettingRow } from './offers/settings.queries.ts'
import { openPlan } from './open-plan.ts'
import { lockPlannedDebt, type PlannedDebt } from './planned-debt.ts'
import { takeUp } from './take-up.ts'

/** What is proposed, by whoever proposes it. */
export type OwnPlanWish = { readonly monthlyMinor: number; readonly firstDay: CalendarDate }

export type FoundOwnPlan = OwnOffer & {
  readonly terms: OwnPlanTerms
  readonly wish: OwnPlanWish
  readonly today: CalendarDate
  readonly isConsumer: boolean
  /** Names exactly these figures. */
  readonly version: string
}

/** The least amount a month that can be proposed, and what it has to be below; undefined where no plan can be. */
export async function findOwnPlanLimits(
  db: Connection,
  owed: PlannedDebt,
  today: CalendarDate,
): Promise<{ readonly least: Money; readonly below: Money } | undefined> {
  const terms = await findOwnPlanTerms(db, owed, today)
  if (typeof terms === 'string') return undefined
  const least = leastMonthly(terms.settings, terms.question, FIRST_DAYS.latest)
  return least && { least, below: terms.question.balance }
}

/**
 * What `wish` comes to for a debt on `today`. Refuses `request_not_open` where there can be no plan, and
 * `plan_amount_out_of_reach` when the amount does not pay it off, or all of it at once.
 */
export async function findOwnPlan(
  db: Connection,
  owed: PlannedDebt,
  { wish, today }: { readonly wish: OwnPlanWish; readonly today: CalendarDate },
): Promise<FoundOwnPlan> {
  const terms = await findOwnPlanTerms(db, owed, today)
  if (typeof terms === 'string')
    throw new Refusal(terms === 'payment_in_progress' ? terms : 'request_not_open')
  const { settings, question } = terms
  const { currency } = question.balance
  const firstInDays = daysBetween(today, wish.firstDay)
  const offer = ownOfferFor(settings, { monthly: money(wish.monthlyMinor, currency), firstInDays }, question)
  const least = offer ?? leastMonthly(settings, question, FIRST_DAYS.latest)
  if (!least) throw new Refusal('request_not_open')
  if ('minor' in least) {
    const between = { amount: amountText(least.minor), sum: amountText(question.balance.minor), currency }
    throw new Refusal('plan_amount_out_of_reach', between, ['amount'])
  }
  const totals = least.plan.instalments.map(({ total }) => total.minor)
  const { instanceId, id } = terms.planned
  const named = JSON.stringify([TEXT_VERSION, instanceId, id, today, wish, totals])
  return {
    ...least,
    terms,
    wish,
    today,
    isConsumer: terms.facts.kind !== 'COMPANY',
    version: createHash('sha256').update(named).digest('base64url').slice(0, 22),
  }
}

/** By whom, when and through what the debtor agreed: the evidence. */
export type OwnAgreed = {
  readonly conversationId: string
  /** Of the figures that were shown; left out where nobody says which. */
  readonly offerVersion?: string | null | undefined
  readonly language: Language
  readonly sessionKind: string
  readonly network: string
  /** Now, where nothing is said. */
  readonly at?: string | undefined
}

/** Refuses `plan_changed` when the figures have changed since they were shown. */
export function requireVersion(
  { version }: Pick<FoundOwnPlan, 'version'>,
  { offerVersion }: Pick<OwnAgreed, 'offerVersion'>,
): void {
  if (offerVersion && offerVersion !== version) throw new Refusal('plan_changed', {}, ['offerVersion'])
}

type OwnStart = {
  readonly wish: OwnPlanWish
  readonly today: CalendarDate
  readonly agreed: OwnAgreed
  readonly requireAgreed?: (found: FoundOwnPlan, agreed: OwnAgreed) => void | Promise<void>
}

/**
 * Starts the plan under the lock of its debt, which no request rests any more. A conversation has one plan: the database keeps a
 * second one out. Refuses as findOwnPlan, and as `requireAgreed` when the plan is not what was agreed to. Throws PaymentsUnderWay, for
 * endingPayments.
 */
export async function startOwnPlan(
  context: Context,
  tx: Transaction,
  seen: Pick<PlannedDebt, 'instanceId' | 'debt'>,
  { wish, today, agreed, requireAgreed = requireVersion }: OwnStart,
): Promise<string> {
  const { instanceId, debt } = seen
  const owed = await lockPlannedDebt(tx, instanceId, debt)
  // The ceiling that it is measured by holds until it has started.
  await holdFigures(tx, instanceId)
  const found = await findOwnPlan(tx, owed, { wish, today })
  const { offerVersion, conversationId, ...session } = agreed
  await requireAgreed(found, agreed)
  const { isConsumer, terms } = found
  const setting = { ...found.setting, id: newId(context.clock.now()) }
  const { facts } = terms
  return takeUp(context, tx, { instanceId, debt, today, found: { facts, isConsumer } }, async (planned) => {
    await insertSettingRow(tx, instanceId, {
      ...setting,
      creditorId: planned.creditorId,
      validFrom: today,
      isOffered: false,
      conversationId,
    })
    return openPlan(context, tx, {
      planned,
      found: { day: today, isConsumer, version: offerVersion ?? null },
      offer: { setting, plan: found.plan },
      // Nothing is charged, so that there is no box to tick.
      request: { body: {}, idempotencyKey: conversationId, ...session },
    })
  })
}
