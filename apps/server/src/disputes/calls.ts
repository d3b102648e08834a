/** The calls of disputes, of an invoice and of a claim, beside the use cases that answer them. */
import * as dispute from '@kvitt/domain/disputes/dispute.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { addDisputeFile, disputeClaim, disputeInvoice, listDisputeFiles } from './disputes.ts'

export const DISPUTE_BINDINGS: readonly Binding[] = [
  bind(dispute.disputeInvoice, ({ context, principal, query, body }) =>
    disputeInvoice(context, principal, query.invoiceNumber, body),
  ),
  bind(dispute.addInvoiceDisputeFile, ({ context, principal, query, receive }) =>
    addDisputeFile(context, principal, { invoice: query.invoiceNumber }, receive),
  ),
  bind(dispute.listInvoiceDisputeFiles, ({ context, principal, query }) =>
    listDisputeFiles(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(dispute.disputeClaim, ({ context, principal, query, body }) =>
    disputeClaim(context, principal, query.collectionBatchNumber, body),
  ),
  bind(dispute.addClaimDisputeFile, ({ context, principal, query, receive }) =>
    addDisputeFile(context, principal, { claim: query.collectionBatchNumber }, receive),
  ),
  bind(dispute.listClaimDisputeFiles, ({ context, principal, query }) =>
    listDisputeFiles(context, principal, { claim: query.collectionBatchNumber }),
  ),
]
