/** What an operator takes for its work for a creditor, as agreed from a day on. */
import type { CalendarDate } from '../calendar.ts'
import type { SettlementPeriod } from './settlement.ts'

export type Agreement = {
  readonly from: string
  /** Commission on what is the creditor's, in hundredths of a per cent: of invoices, and of claims. */
  readonly invoiceCommissionBp: number
  readonly claimCommissionBp: number
  /** Of the prices and the smallest payout. What is settled in another currency bears commission alone. */
  readonly currency: string
  readonly paymentPriceMinor: number
  readonly casePriceMinor: number
  readonly vatBp: number
  readonly period: SettlementPeriod
  readonly smallestPayoutMinor: number
}

/** Where nothing has been agreed nothing is taken, and each month is settled. */
export const NO_AGREEMENT: Agreement = {
  from: '',
  invoiceCommissionBp: 0,
  claimCommissionBp: 0,
  currency: '',
  paymentPriceMinor: 0,
  casePriceMinor: 0,
  vatBp: 0,
  period: 'MONTH',
  smallestPayoutMinor: 0,
}

/** What holds on a day of `agreements`, which are in the order of their days and of their entry. */
export function agreementOn(agreements: readonly Agreement[], day: CalendarDate | string): Agreement {
  return agreements.findLast(({ from }) => from <= day) ?? NO_AGREEMENT
}
