/** The creditors of an instance, as an operator's people see them, and what is agreed with each. */
import { z } from 'zod'
import { adminCall, amount, amountIn, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { CURRENCIES } from '../money.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { CHARGE_OWNERS } from '../ledger/charge-owner.ts'
import { writtenPayee } from '../payee-accounts/payee-account.contract.ts'
import { PAYOUT_SCHEMES } from '../payouts/payout-account.ts'
import { SETTLEMENT_PERIODS } from '../settlements/settlement.ts'
import { strictLine } from '../typed-text.contract.ts'
import {
  courtInstruction,
  courtInstructions,
  INSTRUCTION_REFUSALS,
  instructionBody,
} from './office-creditor.contract.ts'

/** What the operator takes for its work from a day on. */
const terms = {
  from: day,
  /** Of what comes for invoices, and for claims. */
  invoiceCommissionPercent: z.number(),
  claimCommissionPercent: z.number(),
  /** Of the prices and the smallest payout. */
  currency: z.string(),
  /** For each payment, and for each claim that is opened. */
  paymentPrice: amount,
  casePrice: amount,
  /** On all that is taken. */
  vatPercent: z.number(),
  period: z.enum(SETTLEMENT_PERIODS),
  /** What is less waits for the next settlement. */
  smallestPayout: amount,
  /** Where it is written. */
  source: z.string(),
}

export const clientAgreement = z.strictObject({ ...terms, enteredAt: instant, enteredBy: z.string() })

/** Since when its debtors have agreed to a reminder fee, and where that is written. */
const reminderFee = z.strictObject({ agreedOn: day, source: z.string() })
/** Who owns the fees and the interest that are charged from a day on. */
const chargeOwner = z.strictObject({
  from: day,
  fees: z.enum(CHARGE_OWNERS),
  interest: z.enum(CHARGE_OWNERS),
  source: z.string(),
  enteredAt: instant,
  enteredBy: z.string(),
})

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  identificationNumber: z.string().nullable(),
  countryCode: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  zip: z.string().nullable(),
  city: z.string().nullable(),
  /** What holds today; null where nothing has been agreed: then nothing is taken, and each month is settled. */
  agreement: clientAgreement.nullable(),
}

export const client = z.strictObject(listed)
/** With all that was agreed, the newest first: of two from one day the later word holds. */
export const clientDetail = z.strictObject({
  ...listed,
  address2: z.string().nullable(),
  agreements: z.array(clientAgreement),
  /** Null: none has been agreed. */
  reminderFee: reminderFee.nullable(),
  /** Whether its country's law lets a reminder fee be charged only where it was agreed. */
  feeNeedsAgreement: z.boolean(),
  /** The newest first, one for each day: what was said of the day last. Without one the operator owns the fees and the creditor the interest. */
  chargeOwners: z.array(chargeOwner),
  /** What is proposed about what it agreed, and waits for another person. */
  openProposals: z.array(
    z.strictObject({ id: z.uuid(), kind: z.enum(['agreement', 'reminder_fee', 'charge_owner']) }),
  ),
  /** What it wants taken to an authority without being asked, by currency. */
  courtInstructions: z.array(courtInstruction),
  /** Somebody of its own can invite the others. */
  hasManager: z.boolean(),
})

export const searchClients = adminCall({
  name: 'searchOfficeClients',
  right: 'see',
  method: 'POST',
  path: '/clients/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(client),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getClient = adminCall({
  name: 'client',
  right: 'see',
  path: '/clients/:id',
  response: clientDetail,
})

/** May be null or empty: then there is none. */
const maybe = (most: number) => z.union([strictLine(most), z.literal('')]).nullish()

const contact = {
  email: maybe(254),
  phone: maybe(40),
  address: maybe(200),
  address2: maybe(200),
  zip: maybe(40),
  city: maybe(100),
}

/** A creditor from nothing. Refuses a number that another creditor of the provider has, however it is written. */
export const createClient = adminCall({
  name: 'createClient',
  right: 'creditors',
  method: 'POST',
  path: '/clients',
  status: 201,
  takesKey: true,
  body: z.strictObject({
    name: strictLine(200),
    countryCode: z.string().regex(/^[A-Z]{2}$/),
    identificationNumber: strictLine(40),
    ...contact,
  }),
  response: clientDetail,
  refusals: ['invalid_request', 'client_exists', 'idempotency_key_reused'],
})

const payoutAccount = z.object({
  currency: z.string().max(3),
  scheme: z.enum(PAYOUT_SCHEMES),
  number: z.string().max(60),
  bic: z.string().max(20).nullish(),
  receiverName: z.string().max(200),
  holder: z.literal('CREDITOR').optional(),
  use: z.literal('PAYOUT'),
})
const payeeAccount = z.object({ ...writtenPayee, use: z.literal('RECEIVE') })
const account = z.discriminatedUnion('use', [payoutAccount, payeeAccount])

/**
 * How the creditor is reached: what is left out stays, null clears, and `version` goes with it. Or one account that it is paid out
 * to, or that its debtors pay to (a manager's), alone: that changes nothing by itself, and the answer is the proposal (202). Anything else is ignored.
 */
export const changeClient = adminCall({
  name: 'changeClient',
  right: 'payouts',
  method: 'PUT',
  path: '/clients/:id',
  mayPropose: true,
  body: z.object({
    version: z.number().int().optional(),
    name: strictLine(200).optional(),
    ...contact,
    paymentAccounts: z.array(account).length(1).optional(),
  }),
  response: z.union([clientDetail, proposal]),
  refusals: [
    'invalid_request',
    'changed_meanwhile',
    'proposal_open',
    'sign_in_again',
    'payee_account_taken',
    'payee_account_waits',
  ],
})

/** Proposes somebody as the first manager of a creditor, who is invited when another person of the operator has agreed. */
export const proposeFirstUser = adminCall({
  name: 'proposeFirstUser',
  right: 'users',
  method: 'POST',
  path: '/clients/:id/manager',
  status: 202,
  body: z.strictObject({ email: z.email().max(254), name: strictLine(200) }),
  response: proposal,
  refusals: [
    'sign_in_again',
    'manager_exists',
    'another_person_needed',
    'proposal_open',
    'invitations_throttled',
  ],
})

/** Proposes what is agreed from today or a later day on: another manager, or an approver, decides. What has been settled by then stays. */
export const proposeAgreement = adminCall({
  name: 'proposeAgreement',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/agreements',
  status: 202,
  body: z.strictObject({
    from: z.string().max(10),
    invoiceCommissionPercent: amountIn.optional(),
    claimCommissionPercent: amountIn.optional(),
    currency: z.string().max(3),
    paymentPrice: amountIn.optional(),
    casePrice: amountIn.optional(),
    vatPercent: amountIn,
    period: z.enum(SETTLEMENT_PERIODS),
    smallestPayout: amountIn.optional(),
    source: z.string().max(200),
  }),
  response: proposal,
  refusals: ['invalid_request', 'proposal_open'],
})

/**
 * Proposes since when a reminder fee is agreed, today or before, or with null that it no longer is: then none is charged, for the debts
 * that there are neither. Another manager, or an approver, decides. Only where the country's law asks for an agreement.
 */
export const proposeReminderFee = adminCall({
  name: 'proposeReminderFee',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/reminder-fee',
  status: 202,
  body: z.strictObject({
    agreedOn: z.string().max(10).nullable(),
    source: strictLine(200).nullish(),
  }),
  response: proposal,
  refusals: ['invalid_request', 'proposal_open'],
})

/** Proposes who owns what is charged from today, or a later day within two years, on. What has been charged keeps its owner. */
export const proposeChargeOwner = adminCall({
  name: 'proposeChargeOwner',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/charge-owners',
  status: 202,
  body: z.strictObject({
    from: z.string().max(10),
    fees: z.enum(CHARGE_OWNERS),
    interest: z.enum(CHARGE_OWNERS),
    source: strictLine(200),
  }),
  response: proposal,
  refusals: ['invalid_request', 'proposal_open'],
})

/** What a creditor has instructed by letter or telephone: `person` gave it, and `source` is where it is written. */
export const keepCourtInstruction = adminCall({
  name: 'keepCourtInstruction',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/court-instruction',
  body: z.strictObject({ ...instructionBody, person: strictLine(100), source: strictLine(200) }),
  response: courtInstructions,
  refusals: INSTRUCTION_REFUSALS,
})

export const endCourtInstructionOf = adminCall({
  name: 'endCourtInstructionOf',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/court-instruction/end',
  body: z.strictObject({ currency: z.enum(CURRENCIES), source: strictLine(200) }),
  response: courtInstructions,
  refusals: ['invalid_request'],
})
