/** Starting a plan (M-20): everything is decided under the lock of the invoice or claim, whoever else is at it. */
import { date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal, type ErrorParams } from '@kvitt/domain/errors.ts'
import type { StartBody } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { withdrawUntil } from '@kvitt/domain/part-payments/part-payment.ts'
import { aboutDebt } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { insertMemberRow, readAddition } from './additions.queries.ts'
import { findOffers, type FoundOffer, type FoundOffers } from './offers/offers.ts'
import { readAgreedTerms, readRunningAccounts } from './offers/settings.queries.ts'
import { agreementOf, hashOf, openPlan, type Opening, type PlanRequest } from './open-plan.ts'
import { lockPlannedDebt, type PlannedDebt } from './planned-debt.ts'
import {
  growPlanRow,
  insertInstalmentRows,
  lockPlanRow,
  readInstalments,
  readPlanOfDebt,
  removeUnbilledRows,
  type PlanRow,
} from './plans.queries.ts'
import { scheduleRows } from './schedule.ts'
import { endingPayments, takeUp, type EndPayment } from './take-up.ts'

/** The plan that was started before this call, if this call is that one again. */
async function findSame(
  tx: Transaction,
  planned: PlannedDebt,
  request: PlanRequest,
): Promise<PlanRow | undefined> {
  const plan = await readPlanOfDebt(tx, planned.instanceId, planned.id)
  if (!plan || !planned.isPartPayment) return undefined
  const own = await readAddition(tx, planned.instanceId, planned.id)
  const started = own ?? plan
  const isSameChoice = started.request_hash.equals(hashOf(request.body))
  if (request.idempotencyKey === started.idempotency_key && !isSameChoice) {
    throw new Refusal('idempotency_key_reused')
  }
  const isSame =
    isSameChoice && isNamed(request.body, [planned.id, plan.setting_id]) && plan.status === 'ACTIVE'
  if (!isSame) return undefined
  requireAgreedTerms(own ?? (await readAgreedTerms(tx, plan)), request)
  return { ...plan, idempotency_key: started.idempotency_key }
}

/** What repeats the start of a plan means the terms that it was started on. */
function requireAgreedTerms({ offerVersion }: { offerVersion: string | null }, { body }: PlanRequest): void {
  requireAgreement(body)
  if (body.offerVersion !== undefined && body.offerVersion !== offerVersion)
    throw new Refusal('plan_changed', {}, ['offerVersion'])
}

/** Does the body's `id`, where it has one, name the invoice or claim or the option that is chosen? */
function isNamed({ id }: StartBody, [debtId, settingId]: readonly [string, string]): boolean {
  const name = id?.toLowerCase()
  return name === undefined || name === debtId || name === settingId
}

type Chosen = { readonly debtId: string; readonly about: ErrorParams }

/** The offer that the body names. Figures and rights are ours: nothing of the body but the choice is used. */
function chosenOffer(found: FoundOffers, body: StartBody, { debtId, about }: Chosen): FoundOffer {
  const offer = found.offers.find(({ setting }) => setting.code === body.type)
  const isStale = body.offerVersion !== undefined && body.offerVersion !== found.version
  if (isStale) throw new Refusal('plan_changed', {}, ['offerVersion'])
  if (!offer) throw new Refusal('plan_not_available', about, ['type'])
  const { id, months } = offer.setting
  if (!isNamed(body, [debtId, id])) throw new Refusal('plan_not_available', about, ['id'])
  if (months !== null && body.annuity !== undefined && Number(body.annuity) !== months) {
    throw new Refusal('plan_not_available', about, ['annuity'])
  }
  if (body.addToExisting === true && !offer.setting.addToExisting) {
    throw new Refusal('plan_not_available', about, ['addToExisting'])
  }
  requireAgreement(body)
  return offer
}

/** D-31: who says that the terms were not accepted has agreed to nothing, however often, and whether or not a box was shown. */
function requireAgreement({ agreementAccepted }: StartBody): void {
  if (agreementAccepted === false) throw new Refusal('agreement_required', {}, ['agreementAccepted'])
}

export type PlanStart = {
  readonly request: PlanRequest
  readonly today: CalendarDate
  readonly endPayment: EndPayment
}

/**
 * Puts the balance of an invoice or claim into the plan that was chosen, once: the same call again finds it done.
 * Refused when nothing is offered, when the figures have changed since they were shown, and when the terms were not
 * accepted. A payment that was opened and not signed is ended before: its link would pay what the plan bills. Answers
 * whether the call's key had started it before.
 */
export function startPlan(context: Context, seen: PlannedDebt, start: PlanStart): Promise<boolean> {
  return endingPayments(context, { instanceId: seen.instanceId, endPayment: start.endPayment }, () =>
    startPlanOnce(context, seen, start),
  )
}

async function startPlanOnce(
  context: Context,
  seen: PlannedDebt,
  { request, today }: PlanStart,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const { instanceId, debt } = seen
    const owing = await lockPlannedDebt(tx, instanceId, debt)
    const same = await findSame(tx, owing, request)
    if (same) return same.idempotency_key === request.idempotencyKey
    // The ceiling that its offer is measured by holds until it has started.
    await holdFigures(tx, instanceId)
    const found = await findOffers(tx, owing, today)
    const about = await aboutDebt(tx, owing.claim ?? owing.invoice)
    if (found.reason) throw new Refusal(found.reason, about)
    const offer = chosenOffer(found, request.body, { debtId: owing.id, about })
    await takeUp(context, tx, { instanceId, debt, today, found }, (planned) => {
      const wantsExisting = request.body.addToExisting ?? offer.setting.addToExisting
      const opening = { planned, found, request }
      if (offer.existing && wantsExisting) return addToAccount(context, tx, { ...opening, offer })
      if (!offer.alone) throw new Refusal('plan_not_available', about, ['addToExisting'])
      return openPlan(context, tx, { ...opening, offer: offer.alone })
    })
    return false
  })
}

/**
 * The debtor's account takes the balance up: what is left and what is new, in a schedule written anew. It is a credit of its
 * own, agreed on by itself, with its own time to change one's mind.
 */
async function addToAccount(
  context: Context,
  tx: Transaction,
  { planned, found, offer, request }: Opening & { readonly offer: FoundOffer },
): Promise<string> {
  const { day: today } = found
  const account = await lockPlanRow(tx, planned.instanceId, offer.existing?.id ?? '')
  const before = await readInstalments(tx, account)
  const billed = before.filter((instalment) => instalment.invoice_id !== null)
  const waiting = before.find((instalment) => instalment.invoice_id === null)
  const now = (await readRunningAccounts(tx, planned)).find(({ id }) => id === account.id)
  // It was billed or paid off while we waited for its lock: the figures shown are no longer true.
  if (now?.left_minor !== offer.existing?.left_minor || !waiting) throw new Refusal('plan_changed')
  await removeUnbilledRows(tx, account)
  await growPlanRow(tx, account, planned.balanceMinor)
  await insertMemberRow(tx, account, {
    debt: planned.debt,
    addedOn: today,
    amountMinor: planned.balanceMinor,
    variant: offer.setting.variant,
    own: {
      agreement: agreementOf(context, found, offer, request),
      withdrawUntil: found.isConsumer ? withdrawUntil(today) : null,
      idempotencyKey: request.idempotencyKey ?? newId(context.clock.now()),
      requestHash: hashOf(request.body),
    },
  })
  // The months go on from the last bill, so that there is one bill a month whatever is added.
  const last = billed.at(-1)
  const from = last ? laterOf(date(last.due_date), today) : date(account.started_on)
  const days = { from, billed: billed.length, epochMs: context.clock.now() }
  await insertInstalmentRows(tx, account, scheduleRows(offer, days))
  return account.id
}
