/** The calls by which a debtor asks, about an invoice and about a claim, beside the use cases that answer them. */
import type { FastifyRequest } from 'fastify'
import * as contract from '@kvitt/domain/conversations/conversation.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { addConversationFile, ask, listConversations, readRequestTerms, writeAgain } from './conversations.ts'

const keyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  [headers['idempotency-key']].flat()[0]

export const CONVERSATION_BINDINGS: readonly Binding[] = [
  bind(contract.listInvoiceConversations, ({ context, principal, query }) =>
    listConversations(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(contract.getInvoiceRequestTerms, ({ context, principal, query }) =>
    readRequestTerms(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(contract.askOnInvoice, ({ context, principal, query, body, request }) =>
    ask(context, principal, { invoice: query.invoiceNumber }, { body, key: keyOf(request) }),
  ),
  bind(contract.writeOnInvoice, ({ context, principal, query, body, request }) =>
    writeAgain(context, principal, { invoice: query.invoiceNumber }, { body, key: keyOf(request) }),
  ),
  bind(contract.addInvoiceConversationFile, ({ context, principal, query, receive }) =>
    addConversationFile(
      context,
      principal,
      { invoice: query.invoiceNumber },
      { conversation: query.conversation, receive },
    ),
  ),
  bind(contract.listClaimConversations, ({ context, principal, query }) =>
    listConversations(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(contract.getClaimRequestTerms, ({ context, principal, query }) =>
    readRequestTerms(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(contract.askOnClaim, ({ context, principal, query, body, request }) =>
    ask(context, principal, { claim: query.collectionBatchNumber }, { body, key: keyOf(request) }),
  ),
  bind(contract.writeOnClaim, ({ context, principal, query, body, request }) =>
    writeAgain(context, principal, { claim: query.collectionBatchNumber }, { body, key: keyOf(request) }),
  ),
  bind(contract.addClaimConversationFile, ({ context, principal, query, receive }) =>
    addConversationFile(
      context,
      principal,
      { claim: query.collectionBatchNumber },
      { conversation: query.conversation, receive },
    ),
  ),
]
