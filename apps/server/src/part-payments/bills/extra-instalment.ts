/** A balance that has grown after its plan's last instalment was billed, by a decision or a payment taken back. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Money } from '@kvitt/domain/money.ts'
import type { Transaction } from '../../platform/database/database.ts'
import {
  growMemberRow,
  growPlanRow,
  insertInstalmentRows,
  type InstalmentRow,
  type PlanRow,
} from '../plans.queries.ts'

export type ExtraInstalment = {
  readonly id: string
  readonly plan: PlanRow
  readonly debt: Debt | undefined
  readonly left: Money
  readonly number: number
  readonly day: string
}

/** One more instalment of what is left, to be billed on `day`, without interest and fee. */
export async function addInstalment(tx: Transaction, extra: ExtraInstalment): Promise<InstalmentRow> {
  const { id, plan, debt, left, number, day } = extra
  const row = {
    id,
    number,
    send_date: day,
    due_date: day,
    principal_minor: left.minor,
    interest_minor: 0,
    fee_minor: 0,
    start_fee_minor: 0,
  }
  await insertInstalmentRows(tx, plan, [row])
  await growPlanRow(tx, plan, left.minor)
  if (debt) await growMemberRow(tx, plan, { debt, byMinor: left.minor })
  const ofInvoice = { invoice_number: null, payment_reference: null, balance_minor: null, stop_reason: null }
  return { ...row, ...ofInvoice, invoice_id: null, part_payment_id: plan.id }
}
