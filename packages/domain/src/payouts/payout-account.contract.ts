/** The accounts that creditors are paid out to, and how one is proposed. */
import { z } from 'zod'
import { clientCall, instant, LIST_QUERY, officeCall, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { PAYOUT_SCHEMES } from './payout-account.ts'

const payoutAccount = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  creditor: creditorOfRow,
  currency: z.string(),
  scheme: z.enum(PAYOUT_SCHEMES),
  number: z.string(),
  bic: z.string().nullable(),
  receiverName: z.string(),
  approvedAt: instant,
  /** A day after it was approved. Until then nothing goes to it, nor to the one before. */
  usableFrom: instant,
  isUsable: z.boolean(),
})

/** The one that holds of each creditor and currency. */
export const searchPayoutAccounts = officeCall({
  name: 'searchPayoutAccounts',
  right: 'see',
  method: 'POST',
  path: '/payout-accounts/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(payoutAccount),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** Changes nothing by itself: somebody else of the operator decides, after a call to a number that was known before. */
export const proposePayoutAccount = clientCall({
  name: 'proposePayoutAccount',
  right: 'payout_account',
  method: 'POST',
  path: '/settings/payout-account',
  status: 202,
  body: z.strictObject({
    currency: z.string().max(3),
    scheme: z.enum(PAYOUT_SCHEMES),
    number: z.string().max(60),
    bic: z.string().max(20).nullish(),
    receiverName: z.string().max(200),
  }),
  response: z.strictObject({ id: z.uuid() }),
  refusals: ['invalid_request', 'proposal_open', 'sign_in_again'],
})
