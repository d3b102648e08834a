/** The calls that offer, start, show and withdraw a plan. Fields keep the specification's spelling (section 3). */
import { z } from 'zod'
import { amount, day, invoiceCall, invoiceNumber, type AnswerOf, type BodyOf } from '../contract.ts'
import { PLAN_STATUSES, PLAN_VARIANTS } from './part-payment.ts'

/** The credit information is for consumers (directive 2008/48/EC article 5); null for a company. */
const documents = z.strictObject({ terms: z.string(), secci: z.string().nullable() })

/** What any kind of plan costs, with the real figures for this balance. */
const costs = {
  currency: z.string(),
  /** What is paid in instalments. */
  creditAmount: amount,
  /** An ordinary month, the first one (with the start fee) and the last one (with what rounding left). */
  monthlyAmount: amount,
  firstAmount: amount,
  lastAmount: amount,
  /** How many instalments; of an account as it looks today. */
  instalmentCount: z.number().int(),
  firstDueDate: day,
  lastDueDate: day,
  totalToPay: amount,
  /** Everything beyond the credit: interest and fees. */
  totalCost: amount,
  totalInterest: amount,
  /** Effective yearly rate in percent with two decimals; null when no rate solves it. */
  effectiveRate: amount.nullable(),
  /** The sentence beside the box to tick, in the reader's language. */
  legalText: z.string(),
  /** Names below `storage/`, good for two hours. */
  documents,
}

const planOffer = z.strictObject({
  id: z.uuid(),
  code: z.string(),
  variant: z.enum(['PART_PAYMENT', 'ONGOING_PAYMENT']),
  /** Months. */
  annuity: z.number().int(),
  annuityData: z.strictObject({
    annuityTotalAmount: amount,
    annuityRetainerFeeAmount: amount,
    totalToPay: amount,
  }),
  partPaymentPlanSetting: z.strictObject({
    debtorPortalTermsVisible: z.boolean(),
    debtorPortalLegalVisible: z.boolean(),
    addToExisting: z.boolean(),
    partInvoicePaymentTerms: z.number().int(),
    priceStartFee: amount,
    priceAdministrationFee: amount,
    priceInterest: amount,
    priceInterestFreeDays: z.number().int(),
  }),
  ...costs,
})

const accountOffer = z.strictObject({
  id: z.uuid(),
  enabled: z.literal(true),
  code: z.string(),
  variant: z.literal('PART_PAYMENT_ACCOUNT'),
  /** The debtor has an account with this creditor: the balance is added to it. */
  hasExisting: z.boolean(),
  partPaymentAccountSetting: z.strictObject({
    accountInvoiceInstallmentThreshold: amount,
    accountInvoicePaymentTerms: z.number().int(),
    priceAdministrationFee: amount,
    priceInterest: amount,
    priceStartFee: amount,
    addToExisting: z.boolean(),
    debtorPortalLegalVisible: z.boolean(),
    debtorPortalTermsVisible: z.boolean(),
  }),
  ...costs,
})

export const optionsAnswer = z.strictObject({
  plans: z.array(planOffer),
  account: accountOffer.nullable(),
  /** Names exactly these figures; sent back with the start, so that nobody agrees to others (D-31). */
  offerVersion: z.string(),
})

/** Nothing on offer is two empty answers, not a refusal. */
export const listPlanOptions = invoiceCall({
  name: 'partPaymentOptions',
  path: '/part-payment/options',
  response: optionsAnswer,
})

/** Empty values are removed before the fields are looked at (specification section 7). */
export function withoutEmpty(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '' && value !== null))
}

export const startFields = {
  /** Of the invoice or claim, or of the option that is chosen. */
  id: z.string().max(60).optional(),
  /** The plan's code. */
  type: z.string().max(40).optional(),
  /** A constant of its callers that says nothing. */
  debtorLevel: z.unknown().optional(),
  annuity: z.union([z.number().int(), z.string().regex(/^\d{1,3}$/)]).optional(),
  addToExisting: z.boolean().optional(),
  agreementAccepted: z.boolean().optional(),
  offerVersion: z.string().max(80).optional(),
}

const startBody = z.preprocess(
  withoutEmpty,
  z.strictObject({ ...startFields, invoiceNumber: invoiceNumber.optional() }),
)

export const planAnswer = z.strictObject({
  id: z.uuid(),
  status: z.enum(PLAN_STATUSES),
  code: z.string(),
  variant: z.enum(PLAN_VARIANTS),
  annuity: z.number().int().nullable(),
  currency: z.string(),
  startDate: day,
  endDate: day.nullable(),
  /** The last day on which the debtor may withdraw; null for a company, which may not. */
  withdrawUntil: day.nullable(),
  canWithdraw: z.boolean(),
  creditAmount: amount,
  totalToPay: amount,
  /** What no instalment has billed yet. */
  notInvoiced: amount,
  instalments: z.array(
    z.strictObject({
      number: z.number().int(),
      dueDate: day,
      amount,
      principal: amount,
      interest: amount,
      fees: amount,
      /** Null until the instalment is billed. */
      invoiceNumber: z.string().nullable(),
      paymentReference: z.string().nullable(),
      balance: amount.nullable(),
    }),
  ),
  documents,
})

export const startPlan = invoiceCall({
  name: 'startPartPayment',
  takesKey: true,
  power: 'plans',
  method: 'PUT',
  path: '/part-payment/start',
  byId: true,
  body: startBody,
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

/** The plan that the invoice is in or was in. */
export const getPlan = invoiceCall({
  name: 'partPayment',
  path: '/part-payment',
  response: planAnswer,
  refusals: ['plan_not_available'],
})

/** Everything that is left is billed now, without the cost of the time that would have come. */
export const repayPlan = invoiceCall({
  name: 'repayPartPayment',
  method: 'POST',
  path: '/part-payment/repay',
  power: 'plans',
  response: planAnswer,
  refusals: ['plan_not_available'],
})

/** Within 14 days of the start the debtor may change their mind (directive 2008/48/EC article 14). */
export const withdrawPlan = invoiceCall({
  name: 'withdrawPartPayment',
  method: 'POST',
  path: '/part-payment/withdraw',
  power: 'plans',
  response: planAnswer,
  refusals: ['plan_not_available', 'withdrawal_too_late', 'payment_in_progress'],
})

export type OptionsAnswer = AnswerOf<typeof listPlanOptions>
export type PlanAnswer = AnswerOf<typeof startPlan>
export type StartBody = BodyOf<typeof startPlan>
