import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { t } from '../text.ts'

/** How a payment was made, in words. */
export function methodName({ serviceProviderCode }: PaymentAnswer): string {
  return t(serviceProviderCode === 'SWISH' ? 'payment.swish' : 'payment.direct_bank')
}
