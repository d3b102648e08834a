/** The cast's part payments: what is offered, and the plans that were started and billed on days gone by. */
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { parseAmount } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import {
  billInstalments,
  getPartPayment,
  hasSettings,
  insertSettingRow,
  startPartPayment,
} from '../part-payments/part-payments.ts'
import { endOpenPayment } from '../payments/payments.ts'
import { newId } from '../platform/identity.ts'
import { publicViewer, type Viewer } from '../sign-in/viewer.ts'
import type { Cast, CastPlan, CastPlanSetting } from './cast.ts'

export type PlanStage = { readonly context: Context; readonly instance: Instance; readonly cast: Cast }

/** Balances below this are not worth a plan, in öre. */
const SMALLEST_BALANCE = 30_000
const TERMS_DAYS = 14

function minor(text: string): number {
  const amount = parseAmount(text, 'SEK')
  if (!amount) throw new Error(`the cast's ${text} is no amount`)
  return amount.minor
}

async function writeSetting({ context, instance }: PlanStage, s: CastPlanSetting): Promise<void> {
  await insertSettingRow(context.db, instance.id, {
    id: newId(context.clock.now()),
    creditorId: null,
    code: s.code,
    variant: s.variant,
    currency: 'SEK',
    months: s.months,
    startFeeMinor: minor(s.startFee),
    monthlyFeeMinor: minor(s.monthlyFee),
    percent: s.percent,
    interestFreeDays: 0,
    termsDays: TERMS_DAYS,
    thresholdPercent: s.thresholdPercent,
    addToExisting: s.addToExisting,
    legalVisible: s.legalVisible,
    termsVisible: s.termsVisible,
    smallestBalanceMinor: SMALLEST_BALANCE,
    validFrom: '2020-01-01',
    isOffered: true,
  })
}

/** What the default instance offers, once. */
export async function writePlanSettings(stage: PlanStage): Promise<void> {
  if (await hasSettings(stage.context.db, stage.instance.id)) return
  for (const setting of stage.cast.planSettings) await writeSetting(stage, setting)
}

/** The day on which a plan was started: a month before its first instalment was due. */
function startOf(plan: CastPlan, today: CalendarDate): CalendarDate {
  return addMonths(addDays(today, plan.lastDue), -plan.instalments.length)
}

/** Days on which something happens to the plans that no planned step of the schedule tells. */
export function planDays({ plans }: Cast, today: CalendarDate): CalendarDate[] {
  return plans.flatMap((plan) => {
    const start = startOf(plan, today)
    const due = plan.instalments.map((_, index) => addMonths(start, index + 1))
    return [start, ...due.flatMap((day) => [addDays(day, -TERMS_DAYS), addDays(day, 1), addDays(day, 2)])]
  })
}

function viewerOf(
  { cast, instance }: PlanStage,
  plan: CastPlan,
): { viewer: Viewer; wanted: { invoice: string } } {
  const invoice = cast.invoices.find((i) => i.key === plan.invoice)
  const debtor = cast.debtors.find((d) => d.key === invoice?.debtor)
  if (!invoice || !debtor) throw new Error(`the cast has no ${plan.invoice}`)
  const viewer = publicViewer(instance, invoice.paymentReference, debtor.zip)
  return { viewer, wanted: { invoice: invoice.invoiceNumber } }
}

/** A debtor of the cast chooses a plan. Doing it again changes nothing. */
export async function startCastPlan(
  context: Context,
  viewer: Viewer,
  { wanted, code }: { wanted: { invoice: string } | { claim: string }; code: string },
): Promise<void> {
  const request = {
    body: { type: code, agreementAccepted: true },
    idempotencyKey: undefined,
    language: viewer.instance.language,
    sessionKind: viewer.kind,
    network: 'unknown',
  }
  await startPartPayment(context, viewer, { wanted, request, endPayment: endOpenPayment })
}

/**
 * What debtors and the daily run did to plans on `day`. Instalments are billed before the daily run itself comes to it,
 * so that they have the cast's numbers and references. `context` stands on `day`.
 */
export async function livePlans(stage: PlanStage, day: CalendarDate, today: CalendarDate): Promise<void> {
  const { context, instance, cast } = stage
  const plans = new Map<string, CastPlan>()
  for (const plan of cast.plans.filter((p) => startOf(p, today) <= day)) {
    const { viewer, wanted } = viewerOf(stage, plan)
    if (startOf(plan, today) === day) {
      await startCastPlan(context, viewer, { wanted, code: plan.code })
    }
    const { id } = await getPartPayment(context, viewer, wanted)
    plans.set(id, plan)
  }
  await billInstalments(context, { instanceId: instance.id, day }, (planId, number) => {
    const given = plans.get(planId)?.instalments[number - 1]
    return given && { invoiceNumber: given.invoiceNumber, reference: given.paymentReference }
  })
}
