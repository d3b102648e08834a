/** The plans' part of a daily run: bill what is due, tell who is late, end what was missed, close what is paid. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { endsPlanOn, MISSED } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Awaited } from '../creditors/creditors.ts'
import { isLanguage } from '../platform/texts.ts'
import { inBatches, quarantine } from '../tasks/tasks.ts'
import type { Bill, BillContext, Identity } from './bills/bill-instalment.ts'
import { billPlans } from './bills/bill-plans.ts'
import { completePlan, defaultPlan } from './endings/end-plan.ts'
import { performLateSteps, readFinishedPlans, readLateInstalments } from './endings/endings.queries.ts'
import { learnPlanSizes, readPlansToBill } from './bills/instalments.queries.ts'
import { tellDebtor } from './tell-debtor.ts'
import { askAboutCeilings } from './offers/unknown-ceilings.ts'

/** Plans of one transaction. */
const BATCH_PLANS = 500

type PlanDay = { readonly instanceId: string; readonly day: CalendarDate }
/** `awaited`: whose files are waited for; their instalments are not late yet. */
type PlanRun = PlanDay & { readonly awaited: Awaited }

/**
 * Bills every instalment that is due. `identityOf` names an invoice that already has a number and reference.
 * Answers how many were billed; however often it runs in a day, each is billed once.
 */
export async function billInstalments(
  context: BillContext,
  { instanceId, day }: PlanDay,
  identityOf: (planId: string, number: number) => Identity | undefined = () => undefined,
): Promise<number> {
  const plans = await readPlansToBill(context.db, instanceId, day)
  if (plans.length > 0) await learnPlanSizes(context.db)
  const items = plans.map(({ id, language }) => ({
    planId: id,
    day,
    language: isLanguage(language) ? language : ('sv' as const),
    identityOf: (number: number) => identityOf(id, number),
  }))
  const about = ({ planId }: Bill): string => `bill plan ${planId}`
  return inBatches(context, { instanceId, items, size: BATCH_PLANS, about }, (bills) =>
    context.db.transaction((tx) => billPlans(context, tx, instanceId, bills)),
  )
}

/** Instalments that are late by a day are expired; a little later their debtors are told, once. */
async function noticeLate(context: BillContext, run: PlanRun): Promise<number> {
  const { instanceId, day } = run
  return context.db.transaction(async (tx) => {
    const expired = await performLateSteps(tx, run, { type: 'EXPIRED', days: 1 })
    const notice = { type: 'PART_PAYMENT_NOTIFICATION', days: MISSED.noticeAfterDays }
    const noticed = await performLateSteps(tx, run, notice)
    for (const late of noticed) {
      const dueDate = date(late.expire_date)
      await tellDebtor(context, tx, {
        kind: 'plan_missed',
        instanceId,
        debt: { invoiceId: late.invoice_id },
        // What was noticed in vain (M-34) is noticed and told again, on another day.
        cause: `missed:${late.invoice_id}:${day}`,
        amount: { minor: late.balance_minor, currency: late.currency },
        days: { dueDate, endsOn: endsPlanOn({ dueDate, noticeOn: day }) },
      })
    }
    return expired.length + noticed.length
  })
}

/** Everything of one daily run, in an order in which a payment of the day before comes first. */
export async function performPlanRun(context: BillContext, run: PlanRun): Promise<number> {
  const { instanceId, day } = run
  await askAboutCeilings(context, instanceId, day)
  let performed = 0
  for (const planId of await readFinishedPlans(context.db, instanceId)) {
    const matter = { instanceId, about: `complete plan ${planId}` }
    const isDone = await quarantine(context, matter, () =>
      context.db.transaction((tx) => completePlan(tx, { instanceId, planId }, day)),
    )
    if (isDone) performed += 1
  }
  performed += await billInstalments(context, run)
  performed += await noticeLate(context, run)
  for (const late of await readLateInstalments(context.db, run)) {
    const endsOn = endsPlanOn({ dueDate: date(late.due_date), noticeOn: date(late.notice_on) })
    if (endsOn > day) continue
    const matter = { instanceId, about: `end plan ${late.id}` }
    const isEnded = await quarantine(context, matter, () =>
      defaultPlan(context, { instanceId, planId: late.id }, day),
    )
    if (isEnded) performed += 1
  }
  return performed
}
