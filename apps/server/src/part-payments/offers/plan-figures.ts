/** The figures of one plan for one invoice or claim: as agreed, or as offered today. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { money, subtract, type Money } from '@kvitt/domain/money.ts'
import { planFor, type PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import type { Plan } from '@kvitt/domain/part-payments/plan.ts'
import type { Connection } from '../../platform/database/database.ts'
import { findOffers } from './offers.ts'
import type { PlannedDebt } from '../planned-debt.ts'
import { readPlanOfDebt } from '../plans.queries.ts'
import { readSetting } from './settings.queries.ts'

export type PlanFigures = {
  readonly setting: PlanSetting
  readonly plan: Plan
  /** What is paid in instalments. */
  readonly credit: Money
  readonly startedOn: CalendarDate
  /** A company's terms are plain, and it gets no credit information. */
  readonly isConsumer: boolean
}

/** Undefined when the debt neither is in that plan nor is offered it today. */
export async function findPlanFigures(
  db: Connection,
  planned: PlannedDebt,
  { settingId, today }: { readonly settingId: string; readonly today: string },
): Promise<PlanFigures | undefined> {
  const agreed = await readPlanOfDebt(db, planned.instanceId, planned.id)
  if (agreed?.setting_id === settingId) {
    const setting = await readSetting(db, planned.instanceId, settingId)
    const credit = money(agreed.amount_minor, agreed.currency)
    return (
      setting && {
        setting,
        plan: planFor(setting, credit),
        credit,
        startedOn: date(agreed.started_on),
        isConsumer: agreed.withdraw_until !== null,
      }
    )
  }
  const { offers, day, isConsumer } = await findOffers(db, planned, today)
  const offer = offers.find(({ setting }) => setting.id === settingId)
  if (!offer) return undefined
  const { setting, plan } = offer
  return { setting, plan, credit: subtract(plan.totalToPay, plan.creditCost), startedOn: day, isConsumer }
}
