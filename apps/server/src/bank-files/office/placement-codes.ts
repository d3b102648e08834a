/** Why money stays where it is, as a portal is told. */
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import type { PlacementCode } from '../placement-refused.ts'

export const CODES: Readonly<Record<PlacementCode, ErrorCode>> = {
  no_such_line: 'not_found',
  not_in_suspense: 'not_in_suspense',
  not_booked: 'not_in_suspense',
  sent_back: 'money_sent_back',
  is_deduction: 'not_in_suspense',
  no_such_debt: 'debt_unknown',
  several_debts: 'debt_ambiguous',
  other_creditor: 'debt_of_other_creditor',
  other_currency: 'debt_in_other_currency',
  not_open: 'act_not_open',
  nothing_owed: 'nothing_left',
  in_a_plan: 'owed_in_plan',
  not_the_same: 'not_in_suspense',
  part_too_large: 'amount_too_large',
  parts_differ: 'parts_do_not_add_up',
}
