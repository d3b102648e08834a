/** The calls of a claim's plan: those of an invoice's, under the specification's verbs. */
import { z } from 'zod'
import { claimCall } from '../contract.ts'
import { optionsAnswer, planAnswer, startFields, withoutEmpty } from './part-payment.contract.ts'

export const listClaimPlanOptions = claimCall({
  name: 'claimPartPaymentOptions',
  path: '/part-payment/options',
  response: optionsAnswer,
})

export const startClaimPlan = claimCall({
  name: 'startClaimPartPayment',
  takesKey: true,
  power: 'plans',
  method: 'POST',
  path: '/part-payment/start',
  body: z.preprocess(
    withoutEmpty,
    z.strictObject({ ...startFields, paymentReference: z.string().max(60).optional() }),
  ),
  response: planAnswer,
  refusals: [
    'invalid_request',
    'plan_not_available',
    'already_part_payment',
    'nothing_to_pay',
    'payment_in_progress',
    'agreement_required',
    'plan_changed',
    'idempotency_key_reused',
  ],
})

export const getClaimPlan = claimCall({
  name: 'claimPartPayment',
  path: '/part-payment',
  response: planAnswer,
  refusals: ['plan_not_available'],
})

export const repayClaimPlan = claimCall({
  name: 'repayClaimPartPayment',
  method: 'POST',
  path: '/part-payment/repay',
  power: 'plans',
  response: planAnswer,
  refusals: ['plan_not_available'],
})

export const withdrawClaimPlan = claimCall({
  name: 'withdrawClaimPartPayment',
  method: 'POST',
  path: '/part-payment/withdraw',
  power: 'plans',
  response: planAnswer,
  refusals: ['plan_not_available', 'withdrawal_too_late', 'payment_in_progress'],
})
