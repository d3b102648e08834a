/** The row of a new plan, with what it was agreed on and its instalments. */
import { createHash } from 'node:crypto'
import type { Offer } from '@kvitt/domain/part-payments/offer.ts'
import type { StartBody } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { withdrawUntil } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { Language } from '../platform/texts.ts'
import { insertMemberRow } from './additions.queries.ts'
import { TEXT_VERSION, type FoundOffers } from './offers/offers.ts'
import type { PlannedDebt } from './planned-debt.ts'
import { insertInstalmentRows, insertPlanRow } from './plans.queries.ts'
import { scheduleRows } from './schedule.ts'

/** What of the figures that were shown is kept with the agreement. */
export type AgreedOn = Pick<FoundOffers, 'day' | 'isConsumer'> & {
  /** Null: nobody said which figures were shown. */
  readonly version: string | null
}

export type PlanRequest = {
  readonly body: StartBody & { readonly paymentReference?: string | undefined }
  readonly idempotencyKey: string | undefined
  readonly language: Language
  /** Of the session, for the evidence: its kind, and the network it came from. */
  readonly sessionKind: string
  readonly network: string
  /** When it was agreed to, where that was before the start. */
  readonly at?: string | undefined
}

type Choice = Pick<StartBody, 'type' | 'annuity' | 'addToExisting'>

export function hashOf({ type, annuity, addToExisting }: Choice): Buffer {
  const text = JSON.stringify([type, annuity === undefined ? null : Number(annuity), addToExisting ?? null])
  return createHash('sha256').update(text).digest()
}

/** What the plan was agreed on. Never changed afterwards; the figures of terms and letters come from here. */
export function agreementOf(context: Context, found: AgreedOn, offer: Offer, request: PlanRequest): object {
  const { plan, setting } = offer
  return {
    setting,
    totalToPayMinor: plan.totalToPay.minor,
    creditCostMinor: plan.creditCost.minor,
    apr: plan.apr ?? null,
    instalmentsMinor: plan.instalments.map((instalment) => instalment.total.minor),
    offerVersion: found.version,
    textVersion: TEXT_VERSION,
    language: request.language,
    // Null: the caller did not say whether the box was ticked (D-31), or there was none: then nobody can have ticked it.
    accepted: setting.legalVisible ? (request.body.agreementAccepted ?? null) : null,
    sessionKind: request.sessionKind,
    network: request.network,
    at: request.at ?? new Date(context.clock.now()).toISOString(),
  }
}

export type Opening = {
  readonly planned: PlannedDebt
  readonly found: AgreedOn
  readonly offer: Offer
  readonly request: PlanRequest
}

export async function openPlan(context: Context, tx: Transaction, opening: Opening): Promise<string> {
  const { planned, found, offer, request } = opening
  const { day } = found
  const plan = { instance_id: planned.instanceId, id: newId(context.clock.now()) }
  await insertPlanRow(tx, {
    ...plan,
    setting_id: offer.setting.id,
    creditor_id: planned.creditorId,
    debtor_id: planned.debtorId,
    currency: planned.currency,
    number: planned.number,
    amount_minor: planned.balanceMinor,
    started_on: day,
    withdraw_until: found.isConsumer ? withdrawUntil(day) : null,
    agreement: agreementOf(context, found, offer, request),
    idempotency_key: request.idempotencyKey ?? plan.id,
    request_hash: hashOf(request.body),
  })
  await insertMemberRow(tx, plan, {
    debt: planned.debt,
    addedOn: day,
    amountMinor: planned.balanceMinor,
    variant: offer.setting.variant,
  })
  const days = { from: day, billed: 0, epochMs: context.clock.now() }
  await insertInstalmentRows(tx, plan, scheduleRows(offer, days))
  return plan.id
}
