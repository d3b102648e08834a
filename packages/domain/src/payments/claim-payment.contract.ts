/** The calls that pay a claim: those of an invoice, through the claim's doors. */
import { z } from 'zod'
import { claimCall } from '../contract.ts'
import { accountAnswer } from '../invoices/invoice.contract.ts'
import {
  PAYMENT_REFUSALS,
  paymentMethodAnswer,
  paymentRequestAnswer,
  paymentRequestBody,
} from './payment.contract.ts'

export const listClaimPaymentMethods = claimCall({
  name: 'claimPaymentMethods',
  path: '/payment-methods',
  response: z.array(paymentMethodAnswer),
})

/** The instance's own account: a claim is paid to who collects it (D-27). */
export const getClaimPaymentAccount = claimCall({
  name: 'claimPaymentAccount',
  path: '/payment-account',
  response: accountAnswer,
})

export const startClaimPayment = claimCall({
  name: 'startClaimPayment',
  takesKey: true,
  method: 'POST',
  path: '/payment-requests',
  status: 201,
  body: paymentRequestBody,
  response: paymentRequestAnswer,
  refusals: PAYMENT_REFUSALS,
})

export const listClaimPayments = claimCall({
  name: 'listClaimPayments',
  path: '/payment-requests',
  response: z.array(paymentRequestAnswer),
})

/** As listed for claims; the server answers both verbs for both. */
export const readClaimPaymentStatus = claimCall({
  name: 'readClaimPaymentStatus',
  path: '/payment-requests/status',
  response: z.array(paymentRequestAnswer),
})

export const refreshClaimPayments = claimCall({
  name: 'refreshClaimPayments',
  method: 'PUT',
  path: '/payment-requests/status',
  response: z.array(paymentRequestAnswer),
})
