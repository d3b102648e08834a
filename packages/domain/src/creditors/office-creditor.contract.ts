/** A creditor's own data, and what its books come to. */
import { z } from 'zod'
import { CLAIM_STATUSES } from '../claims/claim.ts'
import { amount, amountIn, clientCall, day } from '../contract.ts'
import { MOST_DAYS_ASKED, MOST_PLAN_MONTHS } from '../conversations/request.ts'
import { OFFICE_DISPUTE_STATUSES } from '../disputes/office-dispute.ts'
import { INVOICE_STATUSES } from '../invoices/invoice.ts'
import { CURRENCIES } from '../money.ts'

/**
 * `mostDays`: of more time, for each request within it; `planMonths`: instalments of a plan of the debtor's own. 0: a person decides
 * about each.
 */
const bounds = z.strictObject({
  mostDays: z.int().min(0).max(MOST_DAYS_ASKED),
  planMonths: z.int().min(0).max(MOST_PLAN_MONTHS),
})

/** What a creditor wants taken to an authority without being asked, in one currency. */
export const courtInstruction = z.strictObject({
  validFrom: day,
  validTo: day,
  /** Of the creditor, who gave it. */
  person: z.string(),
  largestClaim: amount,
  currency: z.string(),
})

export const getOfficeSettings = clientCall({
  name: 'officeSettings',
  right: 'see',
  path: '/settings',
  response: z.strictObject({
    id: z.uuid(),
    version: z.number().int(),
    name: z.string(),
    identificationNumber: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.strictObject({
      address: z.string().nullable(),
      address2: z.string().nullable(),
      zip: z.string().nullable(),
      city: z.string().nullable(),
      countryCode: z.string(),
    }),
    /** Where its debtors pay to. `holder`: who has the account; null where nobody has said it yet. */
    accounts: z.array(
      z.strictObject({
        id: z.uuid(),
        scheme: z.enum(['BANKGIRO', 'PLUSGIRO', 'IBAN', 'LOCAL']),
        accountNumber: z.string().nullable(),
        iban: z.string().nullable(),
        bic: z.string().nullable(),
        bankName: z.string().nullable(),
        receiverName: z.string(),
        currency: z.string().nullable(),
        holder: z.enum(['INSTANCE', 'CREDITOR']).nullable(),
        /** False where its check digits fail: it is shown as printed and never paid to. */
        isUsable: z.boolean(),
      }),
    ),
    /** Since when a fee for reminders is agreed with its debtors, and where that stands; null: it is not. */
    reminderFee: z.strictObject({ agreedOn: day, source: z.string() }).nullable(),
    /** What its debtors are granted without anybody being asked. */
    bounds,
    /** What is taken to an authority without being asked, by currency. */
    courtInstructions: z.array(courtInstruction),
  }),
})

/** How far a creditor's debtors get more time at once; holds for requests from now on. */
export const setOfficeBounds = clientCall({
  name: 'setOfficeBounds',
  right: 'settings',
  method: 'PUT',
  path: '/settings/bounds',
  /** What is left out stays as it is. */
  body: bounds.partial(),
  response: bounds,
  refusals: ['invalid_request'],
})

/** Those that stand. */
export const courtInstructions = z.strictObject({ instructions: z.array(courtInstruction) })

/** What an instruction says: the days of it, and of the largest claim how much it may owe. */
export const instructionBody = {
  from: day,
  to: day,
  largestClaim: amountIn,
  currency: z.enum(CURRENCIES),
} as const
export const INSTRUCTION_REFUSALS = ['invalid_request', 'day_out_of_reach', 'amount_malformed'] as const

/**
 * A claim whose schedule ends within the days, and that owes no more than that, is to be filed without anybody being asked. It takes
 * the place of the one before in its currency. The person is who says so. The same again changes nothing.
 */
export const giveCourtInstruction = clientCall({
  name: 'giveCourtInstruction',
  right: 'court',
  method: 'PUT',
  path: '/settings/court-instruction',
  body: z.strictObject(instructionBody),
  response: courtInstructions,
  refusals: INSTRUCTION_REFUSALS,
})

/** From now on the creditor is asked about each claim again. */
export const endCourtInstruction = clientCall({
  name: 'endCourtInstruction',
  right: 'court',
  method: 'POST',
  path: '/settings/court-instruction/end',
  body: z.strictObject({ currency: z.enum(CURRENCIES) }),
  response: courtInstructions,
  refusals: ['invalid_request'],
})

const sums = { currency: z.string(), count: z.number().int(), total: amount, balance: amount }

export const getOfficeFigures = clientCall({
  name: 'officeFigures',
  right: 'see',
  path: '/figures',
  response: z.strictObject({
    today: day,
    /** `total`: what the documents asked for. `balance`: what is open; of an invoice in a claim the claim has it. */
    invoices: z.array(z.strictObject({ status: z.enum(INVOICE_STATUSES), ...sums })),
    claims: z.array(z.strictObject({ status: z.enum(CLAIM_STATUSES), ...sums })),
    /** What has fallen due and is open, of invoices by themselves. */
    overdue: z.array(z.strictObject({ currency: z.string(), count: z.number().int(), balance: amount })),
    disputes: z.array(z.strictObject({ status: z.enum(OFFICE_DISPUTE_STATUSES), count: z.number().int() })),
    /** Money that entered the books of its debts in each of the last twelve months, less what was taken back. */
    received: z.array(
      z.strictObject({ month: z.string().regex(/^\d{4}-\d{2}$/), currency: z.string(), amount }),
    ),
    /** Of what was sent and paid in full in the last 365 days, by itself or in a claim. */
    paid: z.strictObject({
      count: z.number().int(),
      /** The last money counted from the due day or before. */
      beforeDue: z.number().int(),
      /** From sending to the last money; null where nothing was paid. */
      averageDays: z.number().nullable(),
      medianDays: z.number().nullable(),
    }),
  }),
})
