/** Which plans an invoice or claim is offered, with every figure that a screen or a letter needs. */
import { createHash } from 'node:crypto'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import { add, money } from '@kvitt/domain/money.ts'
import {
  offersFor,
  planFor,
  type Offer,
  type OfferQuestion,
  type PlanSetting,
} from '@kvitt/domain/part-payments/offer.ts'
import { readFigures } from '../../country-figures/country-figures.ts'
import { isResting } from '../../ledger/resting-debts.queries.ts'
import type { Connection } from '../../platform/database/database.ts'
import { chargesOfWaitingLetters } from '../../unsent-letters/unsent-letters.ts'
import { whyNoOffer, type PlannedDebt } from '../planned-debt.ts'
import {
  readFacts,
  readRunningAccount,
  readSettings,
  type FactsRow,
  type RunningAccount,
} from './settings.queries.ts'

/** Names the wording of terms and agreement; another one makes an offer another offer. */
export const TEXT_VERSION = '2026-11-22.2'

export type FoundOffer = Offer & {
  /** The offer for this balance by itself; what is shown may be together with an account that exists. */
  readonly alone: Offer
  /** The account that the balance would be added to. */
  readonly existing: RunningAccount | undefined
}

export type FoundOffers = {
  readonly offers: readonly FoundOffer[]
  /** Why nothing is offered, when a rule stands in the way. */
  readonly reason: ErrorCode | undefined
  readonly facts: FactsRow
  /** A company is offered plain terms: credit information and withdrawal are a consumer's (directive 2008/48/EC). */
  readonly isConsumer: boolean
  readonly day: CalendarDate
  readonly version: string
}

/** An account that exists takes the balance up: what is left on it and the new balance, without a start fee. */
async function withExisting(db: Connection, planned: PlannedDebt, offer: Offer): Promise<FoundOffer> {
  const { setting } = offer
  const canBeAdded = setting.addToExisting && planned.invoice !== undefined
  const existing = canBeAdded ? await readRunningAccount(db, planned, setting.id) : undefined
  if (!existing) return { ...offer, existing, alone: offer }
  const added: PlanSetting = { ...setting, startFeeMinor: 0 }
  const balance = add(
    money(existing.left_minor, planned.currency),
    money(planned.balanceMinor, planned.currency),
  )
  return { setting: added, plan: planFor(added, balance), existing, alone: offer }
}

/**
 * What this invoice or claim is offered on `day`. Inside a transaction that locked it, the answer stays true. A plan drops the
 * letters that wait, and pays nothing for them.
 */
export async function findOffers(db: Connection, owed: PlannedDebt, today: string): Promise<FoundOffers> {
  const day = date(today)
  const { planned, facts, reason } = await readPlannable(db, owed)
  const offers = reason ? [] : await lawfulOffers(db, planned, { facts, day })
  const isConsumer = facts.kind !== 'COMPANY'
  return { offers, reason, facts, isConsumer, day, version: versionOf(offers, planned, day) }
}

/** The debt without what its waiting letters cost, what decides about a plan of it, and why there can be none. */
async function readPlannable(
  db: Connection,
  owed: PlannedDebt,
): Promise<{ planned: PlannedDebt; facts: FactsRow; reason: ErrorCode | undefined }> {
  const unsentMinor = await chargesOfWaitingLetters(db, owed)
  const planned = { ...owed, balanceMinor: Math.max(0, owed.balanceMinor - unsentMinor) }
  const facts = await readFacts(db, planned.instanceId, planned.id)
  const rests = await isResting(db, planned.instanceId, planned.debtorId)
  const barred = whyNoOffer(planned, {
    balanceMinor: planned.balanceMinor,
    isPartPayment: planned.isPartPayment,
    hadPlan: facts.had_plan,
    hasAuthorizedPayment: facts.has_authorized,
  })
  const reason = barred ?? (rests ? 'plan_not_available' : undefined)
  return { planned, facts, reason }
}

/** What a plan of the debtor's own is counted from. */
export type OwnPlanTerms = {
  readonly planned: PlannedDebt
  readonly facts: FactsRow
  readonly settings: readonly PlanSetting[]
  readonly question: OfferQuestion
}

/** On what terms the debt can have a plan of the debtor's own on `today`; else why it cannot. */
export async function findOwnPlanTerms(
  db: Connection,
  owed: PlannedDebt,
  today: CalendarDate,
): Promise<OwnPlanTerms | ErrorCode> {
  const { planned, facts, reason } = await readPlannable(db, owed)
  if (reason) return reason
  // Its creditor takes no plans.
  if (facts.methods && !facts.methods.includes('PART_PAYMENT_PLAN')) return 'plan_not_available'
  const settings = await readTakenSettings(db, planned, { facts, day: today })
  const question = await questionOf(db, planned, { facts, day: today })
  return { planned, facts, settings, question }
}

/** What every debtor of a creditor is offered on a day before anything of the debt is asked; null: of those without terms of their own. */
export function findSettings(
  db: Connection,
  owner: { readonly instanceId: string; readonly creditorId: string | null },
  day: CalendarDate,
): Promise<PlanSetting[]> {
  return readSettings(db, owner, day)
}

type On = { readonly facts: FactsRow; readonly day: CalendarDate }

async function readTakenSettings(
  db: Connection,
  planned: PlannedDebt,
  { facts, day }: On,
): Promise<PlanSetting[]> {
  const owner = { instanceId: planned.instanceId, creditorId: planned.creditorId }
  const isTaken = (setting: PlanSetting): boolean => {
    const method = setting.variant === 'PART_PAYMENT_ACCOUNT' ? 'PART_PAYMENT_ACCOUNT' : 'PART_PAYMENT_PLAN'
    return facts.methods?.includes(method) ?? true
  }
  return (await readSettings(db, owner, day)).filter(isTaken)
}

const questionOf = async (
  db: Connection,
  planned: PlannedDebt,
  { facts, day }: On,
): Promise<OfferQuestion> => ({
  balance: money(planned.balanceMinor, planned.currency),
  country: facts.country,
  debtorKind: facts.kind === 'COMPANY' ? 'business' : 'consumer',
  day,
  isLive: facts.is_live,
  figures: await readFigures(db, planned.instanceId),
})

async function lawfulOffers(db: Connection, planned: PlannedDebt, on: On): Promise<FoundOffer[]> {
  const settings = await readTakenSettings(db, planned, on)
  if (settings.length === 0) return []
  const offers = offersFor(settings, await questionOf(db, planned, on))
  return Promise.all(offers.map((offer) => withExisting(db, planned, offer)))
}

/** The same text for the same figures on the same day, and for no others. */
function versionOf(offers: readonly FoundOffer[], planned: PlannedDebt, day: CalendarDate): string {
  const figures = offers.map(({ setting, plan, existing }) => [
    setting.id,
    existing?.id ?? null,
    plan.instalments.map((instalment) => instalment.total.minor),
  ])
  const text = JSON.stringify([TEXT_VERSION, planned.id, planned.balanceMinor, day, figures])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
