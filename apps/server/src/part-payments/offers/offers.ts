/** Which plans an invoice or claim is offered, with every figure that a screen or a letter needs. */
import { createHash } from 'node:crypto'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import { add, money } from '@kvitt/domain/money.ts'
import {
  isAccount,
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
  readRunningAccounts,
  readSettings,
  readSettingsById,
  type FactsRow,
  type RunningAccount,
} from './settings.queries.ts'

/** Names the wording of terms and agreement; another one makes an offer another offer. */
export const TEXT_VERSION = '2026-11-22.2'

export type FoundOffer = Offer & {
  /** The offer for this balance by itself, on the same terms; undefined where these are offered to nobody new. */
  readonly alone: Offer | undefined
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

type Listed = {
  readonly settings: readonly PlanSetting[]
  readonly offers: readonly Offer[]
  readonly question: OfferQuestion
}

/**
 * The account that the debtor has takes the balance up: what is left and the new balance, without a start fee. It does so on its own terms,
 * which a new version does not change, as long as the account is offered and the law allows them today.
 */
async function withExisting(
  db: Connection,
  planned: PlannedDebt,
  { settings, offers, question }: Listed,
): Promise<FoundOffer | undefined> {
  if (planned.invoice === undefined) return undefined
  const isOffered = (code: string): boolean =>
    settings.some((s) => s.code === code && isAccount({ setting: s }))
  const running = (await readRunningAccounts(db, planned)).filter(({ code }) => isOffered(code))
  const ids = running.map(({ setting_id }) => setting_id)
  const kept = ids.length === 0 ? [] : await readSettingsById(db, planned.instanceId, ids)
  for (const existing of running) {
    const agreed = kept.find(({ id }) => id === existing.setting_id)
    const setting = agreed && { ...agreed, startFeeMinor: 0 }
    if (!setting || offersFor([setting], question).length === 0) continue
    const balance = add(money(existing.left_minor, planned.currency), question.balance)
    const alone = offers.find((offer) => offer.setting.id === setting.id)
    return { setting, plan: planFor(setting, balance), existing, alone }
  }
  return undefined
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
  const question = await questionOf(db, planned, on)
  const offers = offersFor(settings, question)
  const account = await withExisting(db, planned, { settings, offers, question })
  const others = account ? offers.filter((offer) => !isAccount(offer)) : offers
  const found = others.map((offer) => ({ ...offer, existing: undefined, alone: offer }))
  return account ? [...found, account] : found
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
