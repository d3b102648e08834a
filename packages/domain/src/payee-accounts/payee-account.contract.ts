/** The accounts that debtors pay to: what is shown, what waits, and how another one is proposed and stopped. */
import { z } from 'zod'
import { adminCall, instant } from '../contract.ts'
import { PAYOUT_SCHEMES } from '../payouts/payout-account.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { typedLines } from '../typed-text.contract.ts'
import { HOLDERS, PAYEE_SCHEMES, PAYEE_STATES } from './payee-account.ts'

const number = {
  currency: z.string(),
  scheme: z.string(),
  /** Letters and digits only. */
  number: z.string(),
  bic: z.string().nullable(),
  receiverName: z.string(),
}

const payeeAccount = z.strictObject({
  ...number,
  id: z.uuid(),
  scheme: z.enum(PAYOUT_SCHEMES),
  /** Who has it at the bank. */
  holder: z.enum(HOLDERS),
  state: z.enum(PAYEE_STATES),
  proposedBy: z.string(),
  agreedBy: z.string(),
  agreedAt: instant,
  /** A day after it was agreed. Until then debtors are shown the one before, and it can be stopped. */
  usableFrom: instant,
  /** Null also where it stopped by itself: somebody else had the number by then. */
  stoppedBy: z.string().nullable(),
  stoppedAt: instant.nullable(),
  stopReason: z.string().nullable(),
})

/** Of the creditor, or without one of the provider itself. */
export const getPayeeAccounts = adminCall({
  name: 'payeeAccounts',
  right: 'see',
  path: '/payee-accounts',
  query: z.object({ creditor: z.uuid().optional() }),
  response: z.strictObject({
    /** What debtors are shown now, of each currency, unless their invoice has another one printed on it. */
    shown: z.array(z.strictObject(number)),
    /** All that were agreed, the newest first. */
    accounts: z.array(payeeAccount),
    /** What still waits for another person. */
    proposed: z.array(
      z.strictObject({
        ...number,
        id: z.uuid(),
        proposedBy: z.string(),
        proposedAt: instant,
      }),
    ),
  }),
})

/** As a person writes it; another person decides. */
export const writtenPayee = {
  currency: z.string().max(3),
  scheme: z.enum(PAYEE_SCHEMES),
  number: z.string().max(60),
  bic: z.string().max(20).nullish(),
  receiverName: z.string().max(200),
  holder: z.enum(HOLDERS).optional(),
}

/** Changes nothing by itself. Debtors are shown the account a day after another person has agreed to it. */
export const proposePayeeAccount = adminCall({
  name: 'proposePayeeAccount',
  right: 'creditors',
  method: 'POST',
  path: '/payee-accounts',
  status: 202,
  body: z.strictObject({ ...writtenPayee, creditor: z.uuid().optional() }),
  response: proposal,
  refusals: [
    'sign_in_again',
    'not_found',
    'invalid_request',
    'payee_account_taken',
    'payee_account_waits',
    'proposal_open',
  ],
})

/** While it waits, any manager stops it alone: then it is never shown. */
export const stopPayeeAccount = adminCall({
  name: 'stopPayeeAccount',
  right: 'creditors',
  method: 'POST',
  path: '/payee-accounts/:id/stop',
  takesKey: true,
  body: z.strictObject({ reason: typedLines(1000) }),
  response: payeeAccount,
  refusals: ['why_required', 'payee_account_over', 'idempotency_key_reused'],
})
