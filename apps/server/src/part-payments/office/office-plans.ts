/** One plan of a creditor's debtor, for its staff. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, money } from '@kvitt/domain/money.ts'
import { instalmentState } from '@kvitt/domain/part-payments/part-payment.ts'
import { instalmentsToBill } from '@kvitt/domain/part-payments/to-bill.ts'
import type { Context } from '../../context.ts'
import { JsonText, writeJson } from '../../platform/http/json.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { readSetting } from '../offers/settings.queries.ts'
import { readInstalments, readLeftToBill, type InstalmentRow } from '../plans.queries.ts'
import { readBills, readOfficePlanRow, readPlanHead, type PlanHead } from './office-plans.queries.ts'

/** Refuses `not_found`: a plan of another creditor does not exist. */
export async function findOfficePlan(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  id: string,
): Promise<PlanHead> {
  const head = await readPlanHead(db, principal, id)
  if (!head) throw new Refusal('not_found')
  return head
}

function amountOf(row: InstalmentRow): number {
  return row.principal_minor + row.interest_minor + row.fee_minor + row.start_fee_minor
}

/** As the wire has it: the row of the list, its terms, and its instalments, those to come as they will be billed. */
export async function getOfficePlan(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: ClientPrincipal,
  head: PlanHead,
): Promise<JsonText> {
  const today = clock.today(principal.instance.timeZone)
  const [json, setting, planned, leftMinor, bills] = await Promise.all([
    readOfficePlanRow(db, principal, { id: head.id, today }),
    readSetting(db, head.instance_id, head.settingId),
    readInstalments(db, head),
    readLeftToBill(db, head),
    readBills(db, head.instance_id, head.id),
  ])
  if (json === undefined || !setting) throw new Error(`plan ${head.id} has no terms`)
  const left = money(head.status === 'ACTIVE' ? leftMinor : 0, head.currency)
  const toCome = planned.filter(({ invoice_id: id }) => id === null)
  const rows = [
    ...planned.filter(({ invoice_id: id }) => id !== null),
    ...instalmentsToBill(toCome, { left, percent: setting.percent }),
  ]
  const billOf = new Map(bills.map((bill) => [bill.number, bill]))
  const more = {
    terms: {
      months: setting.months,
      percent: Number(setting.percent),
      startFee: new Amount(setting.startFeeMinor),
      monthlyFee: new Amount(setting.monthlyFeeMinor),
    },
    schedule: rows.map((row) => {
      const bill = billOf.get(row.number)
      const state = instalmentState(row.due_date, bill, today)
      return {
        number: row.number,
        dueDate: row.due_date,
        amount: new Amount(amountOf(row)),
        state,
        balance: row.balance_minor === null ? null : new Amount(row.balance_minor),
        paidOn: state === 'PAID' ? (bill?.paidOn ?? null) : null,
        invoice: bill ? { id: bill.id, number: row.invoice_number ?? '' } : null,
      }
    }),
  }
  // Both are objects: one goes on where the other ends.
  return new JsonText(`${json.slice(0, -1)},${writeJson(more).slice(1)}`)
}
