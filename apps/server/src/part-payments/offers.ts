/** Which plans an invoice is offered, with every figure that a screen or a letter needs. */
import { createHash } from 'node:crypto'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import { add, money } from '@kvitt/domain/money.ts'
import {
  offersFor,
  planFor,
  whyNoPlan,
  type Offer,
  type PlanSetting,
} from '@kvitt/domain/part-payments/offer.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Connection } from '../platform/database.ts'
import {
  readFacts,
  readRunningAccount,
  readSettings,
  type FactsRow,
  type RunningAccount,
} from './settings.queries.ts'

/** Names the wording of terms and agreement; another one makes an offer another offer. */
export const TEXT_VERSION = '2026-11'

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
  readonly day: CalendarDate
  readonly version: string
}

/** An account that exists takes the balance up: what is left on it and the new balance, without a start fee. */
async function withExisting(db: Connection, invoice: InvoiceRow, offer: Offer): Promise<FoundOffer> {
  const { setting } = offer
  const existing = setting.addToExisting ? await readRunningAccount(db, invoice, setting.id) : undefined
  if (!existing) return { ...offer, existing, alone: offer }
  const added: PlanSetting = { ...setting, startFeeMinor: 0 }
  const balance = add(
    money(existing.left_minor, invoice.currency),
    money(invoice.balance_minor, invoice.currency),
  )
  return { setting: added, plan: planFor(added, balance), existing, alone: offer }
}

/** What this invoice is offered on `day`. Inside a transaction that locked it, the answer stays true. */
export async function findOffers(db: Connection, invoice: InvoiceRow, today: string): Promise<FoundOffers> {
  const day = date(today)
  const facts = await readFacts(db, invoice.instance_id, invoice.id)
  const reason = whyNoPlan({
    type: invoice.type,
    status: invoice.status,
    balanceMinor: invoice.balance_minor,
    isPartPayment: invoice.is_part_payment,
    hadPlan: facts.had_plan,
    inClaim: invoice.claim_id !== null,
    hasAuthorizedPayment: facts.has_authorized,
  })
  const offers = reason ? [] : await lawfulOffers(db, invoice, { facts, day })
  return { offers, reason, facts, day, version: versionOf(offers, invoice, day) }
}

async function lawfulOffers(
  db: Connection,
  invoice: InvoiceRow,
  { facts, day }: { facts: FactsRow; day: CalendarDate },
): Promise<FoundOffer[]> {
  const owner = { instanceId: invoice.instance_id, creditorId: invoice.creditor_id }
  const isTaken = (setting: PlanSetting): boolean => {
    const method = setting.variant === 'PART_PAYMENT_ACCOUNT' ? 'PART_PAYMENT_ACCOUNT' : 'PART_PAYMENT_PLAN'
    return facts.methods?.includes(method) ?? true
  }
  const settings = (await readSettings(db, owner, day)).filter(isTaken)
  const offers = offersFor(settings, {
    balance: money(invoice.balance_minor, invoice.currency),
    country: facts.country,
    debtorKind: facts.kind === 'COMPANY' ? 'business' : 'consumer',
    day,
  })
  return Promise.all(offers.map((offer) => withExisting(db, invoice, offer)))
}

/** The same text for the same figures on the same day, and for no others. */
function versionOf(offers: readonly FoundOffer[], invoice: InvoiceRow, day: CalendarDate): string {
  const figures = offers.map(({ setting, plan, existing }) => [
    setting.id,
    existing?.id ?? null,
    plan.instalments.map((instalment) => instalment.total.minor),
  ])
  const text = JSON.stringify([TEXT_VERSION, invoice.id, invoice.balance_minor, day, figures])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
