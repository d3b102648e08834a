/** The calls of a claim, the specification's collection batch, beside the use cases that answer them. */
import * as claim from '@kvitt/domain/claims/claim.contract.ts'
import * as claimList from '@kvitt/domain/claims/claim-list.contract.ts'
import { presentInstance } from '../instances/instances.ts'
import type { Binding } from '../platform/http/call.ts'
import { pageOfEvents } from '../platform/http/paging.ts'
import { filterOf } from '../platform/http/search.ts'
import { bind } from '../sign-in/bind.ts'
import { getClaimStats, listClaims, searchClaims } from './claim-list.ts'
import {
  getClaim,
  getClaimClient,
  getClaimDocuments,
  listClaimEvents,
  listClaimFinancialEvents,
  listClaimInvoices,
  listClaimLedgerEvents,
} from './claims.ts'

export const CLAIM_BINDINGS: readonly Binding[] = [
  bind(claim.getClaim, ({ context, principal, query }) =>
    getClaim(context, principal, query.collectionBatchNumber),
  ),
  bind(claim.listClaimInvoices, ({ context, principal, query }) =>
    listClaimInvoices(context, principal, query.collectionBatchNumber),
  ),
  bind(claim.getClaimClient, ({ context, principal, query }) =>
    getClaimClient(context, principal, query.collectionBatchNumber),
  ),
  bind(claim.getClaimInstance, async ({ context, principal, query }) => {
    await getClaim(context, principal, query.collectionBatchNumber)
    return presentInstance(principal.instance)
  }),
  bind(claim.getClaimDocuments, ({ context, principal, query }) =>
    getClaimDocuments(context, principal, query.collectionBatchNumber),
  ),
  bind(claim.listClaimEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listClaimEvents(context, principal, query.collectionBatchNumber), query),
  ),
  bind(claim.listClaimFinancialEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listClaimFinancialEvents(context, principal, query.collectionBatchNumber), query),
  ),
  bind(claim.listClaimLedgerEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listClaimLedgerEvents(context, principal, query.collectionBatchNumber), query),
  ),
  bind(claim.getClaimByNumber, ({ context, principal, request }) =>
    getClaim(context, principal, (request.params as { collectionBatchNumber: string }).collectionBatchNumber),
  ),
  bind(claimList.getClaimStats, ({ context, principal, query }) =>
    getClaimStats(context, principal, query.collectionBatchNumber),
  ),
  bind(claimList.listClaims, ({ context, principal, query }) => listClaims(context, principal, query, query)),
  bind(claimList.filterClaims, ({ context, principal, query, body }) =>
    listClaims(context, principal, query, {
      status: filterOf(body, 'status'),
      paymentReference: filterOf(body, 'paymentReference'),
    }),
  ),
  bind(claimList.searchClaims, ({ context, principal, query, body }) =>
    searchClaims(context, principal, query, body),
  ),
]
