/** Paying a plan off before its time: everything left is billed at once, and nothing for the time after. */
import { addDays, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { interestOfDays } from '@kvitt/domain/part-payments/plan.ts'
import { money } from '@kvitt/domain/money.ts'
import { newId } from '../../platform/identity.ts'
import type { Language } from '../../platform/texts.ts'
import type { BillContext } from '../bills/bill-instalment.ts'
import { billPlans } from '../bills/bill-plans.ts'
import { lockMembers } from '../planned-debt.ts'
import { insertInstalmentRows, lockPlanRow, readInstalments, removeUnbilledRows } from '../plans.queries.ts'
import { readSetting } from '../offers/settings.queries.ts'

export type Repayment = {
  readonly instanceId: string
  readonly planId: string
  readonly day: CalendarDate
  readonly language: Language
}

/**
 * Makes one last instalment of what no instalment has billed, with interest for the days since the last one and
 * without administration fee. Asked again, it changes nothing. Refused when no plan runs, and while one of the
 * plan's invoices is paused or disputed.
 */
export function repayPlan(context: BillContext, repayment: Repayment): Promise<void> {
  const { instanceId, planId, day, language } = repayment
  return context.db.transaction(async (tx) => {
    const plan = await lockPlanRow(tx, instanceId, planId)
    const setting = await readSetting(tx, instanceId, plan.setting_id)
    if (plan.status !== 'ACTIVE' || !setting) throw new Refusal('plan_not_available')
    const rows = await readInstalments(tx, plan)
    const next = rows.find((row) => row.invoice_id === null)
    if (!next) return
    const last = rows.findLast((row) => row.invoice_id !== null)
    const since = Math.max(0, daysBetween(date(last?.due_date ?? plan.started_on), day))
    const members = await lockMembers(tx, plan)
    const left = members.reduce((total, m) => total + (m.state === 'open' ? m.balanceMinor : 0), 0)
    const accrued = interestOfDays(money(left, plan.currency), setting.percent, since)
    await removeUnbilledRows(tx, plan)
    await insertInstalmentRows(tx, plan, [
      {
        id: newId(context.clock.now()),
        number: next.number,
        send_date: day,
        due_date: addDays(day, setting.termsDays),
        principal_minor: left,
        // A month that bears no interest bears none by the day either.
        interest_minor: Math.min(next.interest_minor, accrued.minor),
        fee_minor: 0,
        start_fee_minor: next.start_fee_minor,
      },
    ])
    if ((await billPlans(context, tx, instanceId, [{ planId, day, language }])) === 0)
      throw new Refusal('plan_not_available')
  })
}
