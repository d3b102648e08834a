/** What plans and accounts are offered on, in versions with a first day; what of it a debtor is offered; and a new version. */
import { z } from 'zod'
import { adminCall, amount, day, instant } from '../contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { LEGAL_CHECKS, WHY_NOT_OFFERED } from './legal-checks.ts'
import { PLAN_VARIANTS } from './part-payment.ts'
import { VERSION_STATES } from './setting-version.ts'

/** Amounts are decimal text of the currency, percentages decimal text. */
const terms = {
  code: z.string().max(40),
  variant: z.enum(PLAN_VARIANTS),
  currency: z.string().max(3),
  /** Null for an account. */
  months: z.number().int().nullable(),
  startFee: z.string().max(20),
  monthlyFee: z.string().max(20),
  percent: z.string().max(10),
  interestFreeDays: z.number().int(),
  termsDays: z.number().int(),
  /** Of an account: what is paid off a month, in percent of the balance with which it began. */
  thresholdPercent: z.string().max(10).nullable(),
  addToExisting: z.boolean(),
  legalVisible: z.boolean(),
  termsVisible: z.boolean(),
  smallestBalance: z.string().max(20),
  /** False takes the code off the list from the first day on, on the terms that it has: of the others nothing is looked at. */
  isOffered: z.boolean(),
  from: z.string().max(10),
}

const version = z.strictObject({
  ...terms,
  id: z.uuid(),
  state: z.enum(VERSION_STATES),
  /** Plans and accounts that run on these terms, and keep them. */
  running: z.number().int(),
  /** Null for what was there before two people agreed on versions. */
  proposedBy: z.string().nullable(),
  agreedBy: z.string().nullable(),
  agreedAt: instant.nullable(),
})

const proposed = z.strictObject({ ...terms, id: z.uuid(), proposedBy: z.string(), proposedAt: instant })

const creditor = z.strictObject({ id: z.uuid(), name: z.string(), country: z.string() })

const settings = z.strictObject({
  today: day,
  /** Creditors that can have terms of their own. */
  creditors: z.array(creditor),
  /** One for each code of the provider, and for each of a creditor that has its own. */
  settings: z.array(
    z.strictObject({
      code: z.string(),
      /** Null: of every creditor without its own. */
      creditor: creditor.nullable(),
      /** The newest first. */
      versions: z.array(version),
      proposed: z.array(proposed),
    }),
  ),
})

export const listPlanSettings = adminCall({
  name: 'planSettings',
  right: 'see',
  path: '/part-payment-plans',
  response: settings,
})

export const listAccountSettings = adminCall({
  name: 'accountSettings',
  right: 'see',
  path: '/part-payment-accounts',
  response: settings,
})

const written = z.strictObject({ ...terms, creditorId: z.uuid().nullable() })

const proposing = {
  right: 'rates',
  method: 'POST',
  status: 202,
  takesKey: true,
  body: written,
  response: proposal,
  refusals: [
    'invalid_request',
    'setting_value_wrong',
    'setting_code_wrong',
    'setting_day_wrong',
    'setting_kind_fixed',
    'setting_same',
    'proposal_open',
    'idempotency_key_reused',
  ],
} as const

/** Changes nothing by itself: another manager or an approver agrees. */
export const proposePlanSetting = adminCall({
  ...proposing,
  name: 'proposePlanSetting',
  path: '/part-payment-plans',
})

export const proposeAccountSetting = adminCall({
  ...proposing,
  name: 'proposeAccountSetting',
  path: '/part-payment-accounts',
})

/** What a plan comes to for one balance. */
const figures = z.strictObject({
  instalments: z.number().int(),
  monthly: amount,
  totalToPay: amount,
  /** Beyond the balance. */
  cost: amount,
  /** The effective yearly rate in percent; null when none solves it. */
  effectiveRate: amount.nullable(),
})

/** What becomes of one code: its figures, or why it is not offered. */
const outcome = z.strictObject({ figures: figures.nullable(), why: z.enum(WHY_NOT_OFFERED).nullable() })

/**
 * What debtors would be offered for sample balances on a day, by what holds then and by a version that is not agreed to yet; and what
 * the law makes of that version. Without a version, what is offered.
 */
export const previewSettings = adminCall({
  name: 'previewSettings',
  right: 'see_proposals',
  method: 'POST',
  path: '/part-payment-offers/preview',
  reads: true,
  body: z.strictObject({
    creditorId: z.uuid().nullable(),
    debtorKind: z.enum(['consumer', 'business']),
    currency: z.string().max(3),
    balances: z.array(z.string().max(20)).min(1).max(6),
    version: z.strictObject(terms).optional(),
  }),
  response: z.strictObject({
    day,
    currency: z.string(),
    /** By whose law; null where no creditor is in a country of the currency. */
    country: z.string().nullable(),
    checks: z.array(
      z.strictObject({
        country: z.string(),
        code: z.enum(LEGAL_CHECKS),
        ceiling: z.string().nullable(),
        below: amount.nullable(),
      }),
    ),
    samples: z.array(
      z.strictObject({
        balance: amount,
        /** In the order in which a debtor sees them; what is not offered stands last. */
        rows: z.array(
          z.strictObject({
            code: z.string(),
            variant: z.enum(PLAN_VARIANTS),
            /** Null where the code does not exist then. */
            before: outcome.nullable(),
            /** With the version; the same as `before` without one. */
            after: outcome.nullable(),
          }),
        ),
      }),
    ),
  }),
  refusals: ['invalid_request', 'setting_value_wrong', 'setting_code_wrong'],
})
