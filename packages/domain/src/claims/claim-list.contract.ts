/** The debtor's claims as a list, and what they come to. */
import { z } from 'zod'
import { amount, claimCall, claimQuery, filterText, LIST_QUERY, searchBody } from '../contract.ts'
import { claimAnswer } from './claim.contract.ts'

/** What is owed on open claims, once for each currency. */
export const getClaimStats = claimCall({
  name: 'claimStats',
  power: 'lists',
  path: '/stats',
  response: z.array(z.strictObject({ currency: z.string(), balance: amount, count: z.number().int() })),
})

const listQuery = claimQuery.extend(LIST_QUERY)

/** All claims of the debtor. `status` joins several by `[OR]`. */
export const listClaims = claimCall({
  name: 'claimLedger',
  power: 'lists',
  path: '/ledger',
  query: listQuery.extend({ status: z.string().max(400).optional() }),
  response: z.array(claimAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** The same with its filter in the body, as the specification's debtor form has it. */
export const filterClaims = claimCall({
  name: 'claimLedgerSearch',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/ledger',
  query: listQuery,
  body: z.object({ status: filterText, paymentReference: filterText }).optional(),
  response: z.array(claimAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** The same claims, searched as every resource can be (domain/search.ts). */
export const searchClaims = claimCall({
  name: 'searchClaims',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/search',
  query: listQuery,
  body: searchBody,
  response: z.array(claimAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})
