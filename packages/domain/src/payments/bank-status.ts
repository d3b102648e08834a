/** What a bank says about a payment, in ours. */
import type { PaymentStatus } from './payment.ts'

/** ISO 20022 transaction status as used by Berlin Group NextGenPSD2 1.3, before the payer has signed. */
const UNSIGNED: ReadonlyMap<string, PaymentStatus> = new Map([
  ['RCVD', 'IN_PROGRESS'],
  ['PDNG', 'IN_PROGRESS'],
  ['PATC', 'IN_PROGRESS'],
  ['PART', 'IN_PROGRESS'],
  ['ACTC', 'IN_PROGRESS'],
  ['ACCP', 'AUTHORIZED'],
  ['ACFC', 'AUTHORIZED'],
  ['ACWC', 'AUTHORIZED'],
  ['ACSP', 'AUTHORIZED'],
  ['ACWP', 'AUTHORIZED'],
  ['ACSC', 'COMPLETED'],
  ['ACCC', 'COMPLETED'],
  ['RJCT', 'FAILED'],
  ['CANC', 'FAILED'],
])

/**
 * Our status for the bank's `transactionStatus`. `isSigned` is true when the payer's authentication is finished
 * or was not needed: ACTC and PDNG come both before and after it. Undefined for a code that the standard does
 * not have; such an answer changes nothing.
 */
export function readBankStatus(transactionStatus: string, isSigned: boolean): PaymentStatus | undefined {
  if (isSigned && (transactionStatus === 'ACTC' || transactionStatus === 'PDNG')) return 'AUTHORIZED'
  return UNSIGNED.get(transactionStatus)
}
