import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { Debt } from '../debts/debt.ts'

/** Is this a request of all that is owed, which the payer can still answer? It is found again after a reload. */
export function isOpenRequest(payment: PaymentAnswer, { balanceMinor }: Debt): boolean {
  const { serviceProviderCode, status, qrCode, amount } = payment
  return (
    serviceProviderCode === 'SWISH' &&
    status === 'IN_PROGRESS' &&
    qrCode !== null &&
    minorOf(amount) === balanceMinor
  )
}
