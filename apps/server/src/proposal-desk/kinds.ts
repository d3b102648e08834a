/** How each kind of proposal is carried out: the one table of them. */
import type { ProposalKind } from '@kvitt/domain/proposals/proposal.ts'
import { CHARGE_OWNER_WORK, REMINDER_FEE_WORK } from '../agreed-charges/agreed-charges.ts'
import { BANK_ENTRY_WORK, PAID_TWICE_WORK, PAYMENT_ACT_WORK } from '../bank-files/bank-files.ts'
import { WRITE_OFF_WORK } from '../office-invoices/office-invoices.ts'
import { COUNTRY_FIGURE_WORK } from '../country-figures/country-figures.ts'
import { NOT_EXECUTED_WORK, PAYOUT_FILE_WORK, SETTLEMENT_WORK } from '../payout-desk/payout-desk.ts'
import { SIGN_IN_ISSUER_WORK } from '../issuers/issuers.ts'
import { PAYEE_ACCOUNT_WORK } from '../payee-accounts/payee-accounts.ts'
import { PLAN_SETTING_WORK } from '../plan-desk/plan-desk.ts'
import { PAYOUT_ACCOUNT_WORK } from '../payouts/payouts.ts'
import { NOT_ORDERED_WORK, REFUND_FILE_WORK, REFUND_WORK } from '../refunds/refunds.ts'
import { AGREEMENT_WORK } from '../settlements/settlements.ts'
import { CREDITOR_MANAGER_WORK, OPERATOR_MANAGER_WORK } from '../users/users.ts'
import type { ProposalWork } from '../proposals/proposals.ts'

export const WORK: Readonly<Record<ProposalKind, ProposalWork>> = {
  settlement: SETTLEMENT_WORK,
  payout_file: PAYOUT_FILE_WORK,
  refund_file: REFUND_FILE_WORK,
  file_not_executed: NOT_EXECUTED_WORK,
  paid_twice: PAID_TWICE_WORK,
  refund_not_ordered: NOT_ORDERED_WORK,
  refund: REFUND_WORK,
  payment_reversal: PAYMENT_ACT_WORK,
  payment_move: PAYMENT_ACT_WORK,
  write_off: WRITE_OFF_WORK,
  bank_entry: BANK_ENTRY_WORK,
  agreement: AGREEMENT_WORK,
  reminder_fee: REMINDER_FEE_WORK,
  charge_owner: CHARGE_OWNER_WORK,
  operator_manager: OPERATOR_MANAGER_WORK,
  creditor_manager: CREDITOR_MANAGER_WORK,
  payout_account: PAYOUT_ACCOUNT_WORK,
  country_figure: COUNTRY_FIGURE_WORK,
  payee_account: PAYEE_ACCOUNT_WORK,
  plan_setting: PLAN_SETTING_WORK,
  sign_in_issuer: SIGN_IN_ISSUER_WORK,
}
