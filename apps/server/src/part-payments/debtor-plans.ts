/** What a debtor does with plans: look at offers, start one, look at it, pay it off early, withdraw. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal, type ErrorParams } from '@kvitt/domain/errors.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { readReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { Replayed } from '../platform/http/replayed.ts'
import type { Language } from '../platform/texts.ts'
import { sessionOf, type Viewer } from '../sign-in/viewer.ts'
import { findOffers } from './offers/offers.ts'
import { findVisibleDebt, type PlannedDebt, type WantedDebt } from './planned-debt.ts'
import { readPlanOfDebt, type PlanRow } from './plans.queries.ts'
import { presentOptions } from './offers/present-offer.ts'
import { presentPlan } from './present-plan.ts'
import { readAddition } from './additions.queries.ts'
import { repayPlan } from './endings/repay-plan.ts'
import type { PlanRequest } from './open-plan.ts'
import { startPlan } from './start-plan.ts'
import type { EndPayment } from './take-up.ts'
import { withdrawAddition, withdrawPlan } from './endings/withdraw-plan.ts'

/** The plans and the account that the viewer's invoice or claim is offered; empty when there are none. */
export async function listPlanOptions(
  context: Context,
  viewer: Viewer,
  { wanted, language }: { wanted: WantedDebt; language: Language },
): Promise<Loosen<OptionsAnswer>> {
  const planned = await findVisibleDebt(context, viewer, wanted)
  const found = await findOffers(context.db, planned, context.clock.today(viewer.instance.timeZone))
  return presentOptions(context, found, { debtId: planned.id, language, session: sessionOf(viewer) })
}

/** Codes of the payment methods that part payment gives an invoice or claim today (D-19). */
export async function planMethods(
  db: Connection,
  planned: PlannedDebt,
  today: string,
): Promise<('PART_PAYMENT_PLAN' | 'PART_PAYMENT_ACCOUNT')[]> {
  const { offers } = await findOffers(db, planned, today)
  const isAccount = offers.map(({ setting }) => setting.variant === 'PART_PAYMENT_ACCOUNT')
  return [
    ...(isAccount.includes(false) ? (['PART_PAYMENT_PLAN'] as const) : []),
    ...(isAccount.includes(true) ? (['PART_PAYMENT_ACCOUNT'] as const) : []),
  ]
}

function aboutOf({ claim }: PlannedDebt): ErrorParams {
  return claim ? { about: 'claim' } : {}
}

/** The field of a body that names another invoice or claim than the door opened: somebody else's, or nobody's. */
function namedOtherwise({ body }: PlanRequest, planned: PlannedDebt): string | undefined {
  const { invoiceNumber, paymentReference } = body
  if (invoiceNumber !== undefined && invoiceNumber !== planned.number) return 'invoiceNumber'
  const isOther = paymentReference !== undefined && readReference(paymentReference) !== planned.reference
  return isOther ? 'paymentReference' : undefined
}

/**
 * What the door opened, or the invoice that the body names beside it: another one of the same debtor. A wrong number
 * there is a wrong choice behind an open door, not a wrong key.
 */
async function findNamedDebt(
  context: Context,
  viewer: Viewer,
  { wanted, request }: { wanted: WantedDebt; request: PlanRequest },
): Promise<PlannedDebt> {
  const named = 'invoice' in wanted && wanted.invoice === undefined ? request.body.invoiceNumber : undefined
  if (named === undefined) return findVisibleDebt(context, viewer, wanted)
  try {
    return await findVisibleDebt(context, viewer, { invoice: named })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return findVisibleDebt(context, viewer, wanted)
  }
}

/** Starts the plan that was chosen and shows it. The same call again shows it again (start-plan.ts). */
export async function startPartPayment(
  context: Context,
  viewer: Viewer,
  { wanted, request, endPayment }: { wanted: WantedDebt; request: PlanRequest; endPayment: EndPayment },
): Promise<Loosen<PlanAnswer> | Replayed<Loosen<PlanAnswer>>> {
  const planned = await findNamedDebt(context, viewer, { wanted, request })
  const wrong = namedOtherwise(request, planned)
  if (wrong !== undefined) throw new Refusal('plan_not_available', aboutOf(planned), [wrong])
  const today = context.clock.today(viewer.instance.timeZone)
  const isReplayed = await startPlan(context, planned, { request, today, endPayment })
  const answer = await showPlan(context, viewer, planned)
  return isReplayed ? new Replayed(answer) : answer
}

async function findPlan(context: Context, planned: PlannedDebt): Promise<PlanRow> {
  const plan = await readPlanOfDebt(context.db, planned.instanceId, planned.id)
  if (!plan) throw new Refusal('plan_not_available', aboutOf(planned))
  return plan
}

async function showPlan(context: Context, viewer: Viewer, planned: PlannedDebt): Promise<Loosen<PlanAnswer>> {
  const plan = await findPlan(context, planned)
  const today = context.clock.today(viewer.instance.timeZone)
  const own = await readAddition(context.db, planned.instanceId, planned.id)
  const shown = own ? { ...plan, withdraw_until: own.withdraw_until } : plan
  return presentPlan(context, shown, { today, session: sessionOf(viewer) })
}

/** The plan that the viewer's invoice or claim is in or was in, or that the invoice is an instalment of. */
export async function getPartPayment(
  context: Context,
  viewer: Viewer,
  wanted: WantedDebt,
): Promise<Loosen<PlanAnswer>> {
  const planned = await findVisibleDebt(context, viewer, wanted)
  return showPlan(context, viewer, planned)
}

/** The debtor pays the rest before its time: one last instalment bills it. */
export async function repayPartPayment(
  context: Context,
  viewer: Viewer,
  wanted: WantedDebt,
): Promise<Loosen<PlanAnswer>> {
  const planned = await findVisibleDebt(context, viewer, wanted)
  const plan = await findPlan(context, planned)
  await repayPlan(context, {
    instanceId: plan.instance_id,
    planId: plan.id,
    day: context.clock.today(viewer.instance.timeZone),
    language: viewer.instance.language,
  })
  return showPlan(context, viewer, planned)
}

/**
 * The debtor changes their mind within the time that the law gives. What was added to an account names itself; anything else of
 * a plan names the whole.
 */
export async function withdrawPartPayment(
  context: Context,
  viewer: Viewer,
  wanted: WantedDebt,
): Promise<Loosen<PlanAnswer>> {
  const planned = await findVisibleDebt(context, viewer, wanted)
  const plan = await findPlan(context, planned)
  const { instanceId, debt } = planned
  const today = context.clock.today(viewer.instance.timeZone)
  const isAddition = (await readAddition(context.db, instanceId, planned.id)) !== undefined
  if (isAddition) await withdrawAddition(context, { instanceId, debt }, today)
  else await withdrawPlan(context, { instanceId, planId: plan.id }, today)
  return showPlan(context, viewer, planned)
}
