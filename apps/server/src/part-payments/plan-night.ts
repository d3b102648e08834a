/** The plans' part of a night: bill what is due, tell who is late, end what was missed, close what is paid. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { endsPlanOn, MISSED } from '@kvitt/domain/part-payments/part-payment.ts'
import { isLanguage } from '../platform/texts.ts'
import { billNextInstalment, type BillContext, type Identity } from './bill-instalment.ts'
import { completePlan, defaultPlan } from './end-plan.ts'
import { performLateSteps, readFinishedPlans, readLateInstalments } from './endings.queries.ts'
import { readPlansToBill } from './instalments.queries.ts'

type Night = { readonly instanceId: string; readonly day: CalendarDate }

/**
 * Bills every instalment that is due. `identityOf` names an invoice that already has a number and reference.
 * Answers how many were billed; however often it runs in a day, each is billed once.
 */
export async function billInstalments(
  context: BillContext,
  { instanceId, day }: Night,
  identityOf: (planId: string, number: number) => Identity | undefined = () => undefined,
): Promise<number> {
  let billed = 0
  for (const plan of await readPlansToBill(context.db, instanceId, day)) {
    const language = isLanguage(plan.language) ? plan.language : 'sv'
    const bill = { planId: plan.id, day, language, identityOf: (n: number) => identityOf(plan.id, n) }
    if ((await billNextInstalment(context, instanceId, bill)) === 'done') billed += 1
  }
  return billed
}

/** Everything of one night, in an order in which a payment of the day before comes first. */
export async function runPlanNight(context: BillContext, night: Night): Promise<number> {
  const { instanceId, day } = night
  let performed = 0
  for (const planId of await readFinishedPlans(context.db, instanceId)) {
    const isDone = await context.db.transaction((tx) => completePlan(tx, { instanceId, planId }, day))
    if (isDone) performed += 1
  }
  performed += await billInstalments(context, night)
  performed += await performLateSteps(context.db, night, { type: 'EXPIRED', days: 1 })
  const notice = { type: 'PART_PAYMENT_NOTIFICATION', days: MISSED.noticeAfterDays }
  performed += await performLateSteps(context.db, night, notice)
  for (const late of await readLateInstalments(context.db, instanceId, day)) {
    const endsOn = endsPlanOn({ dueDate: date(late.due_date), noticeOn: date(late.notice_on) })
    if (endsOn > day) continue
    if (await defaultPlan(context, { instanceId, planId: late.id }, day)) performed += 1
  }
  return performed
}
