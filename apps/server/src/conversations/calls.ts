/** The calls by which a debtor asks, about an invoice and about a claim, beside the use cases that answer them. */
import type { FastifyRequest } from 'fastify'
import * as contract from '@kvitt/domain/conversations/conversation.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind } from '../sign-in/bind.ts'
import { networkOf, type Viewer } from '../sign-in/viewer.ts'
import { answerPlan, readOwnPlan } from './plan-answers.ts'
import { addConversationFile, ask, listConversations, readRequestTerms, writeAgain } from './conversations.ts'

const keyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  [headers['idempotency-key']].flat()[0]

type Sent = { readonly principal: Viewer; readonly request: FastifyRequest }
/** In which language and from which network somebody agrees. */
const evidenceOf = ({ principal, request }: Sent) => ({
  language: languageFrom(request.headers['accept-language'], principal.instance.language),
  network: networkOf(request.ip),
})
/** A body with its key, and how it came. */
const sentBy = <Body>(call: Sent & { readonly body: Body }) => ({
  body: call.body,
  key: keyOf(call.request),
  evidence: evidenceOf(call),
})

export const CONVERSATION_BINDINGS: readonly Binding[] = [
  bind(contract.listInvoiceConversations, ({ context, principal, query }) =>
    listConversations(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(contract.getInvoiceRequestTerms, ({ context, principal, query }) =>
    readRequestTerms(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(contract.getInvoiceOwnPlan, ({ context, principal, query }) =>
    readOwnPlan(context, principal, { invoice: query.invoiceNumber }, query),
  ),
  bind(contract.askOnInvoice, (call) =>
    ask(call.context, call.principal, { invoice: call.query.invoiceNumber }, sentBy(call)),
  ),
  bind(contract.answerPlanOnInvoice, (call) =>
    answerPlan(call.context, call.principal, { invoice: call.query.invoiceNumber }, sentBy(call)),
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
  bind(contract.getClaimOwnPlan, ({ context, principal, query }) =>
    readOwnPlan(context, principal, { claim: query.collectionBatchNumber }, query),
  ),
  bind(contract.askOnClaim, (call) =>
    ask(call.context, call.principal, { claim: call.query.collectionBatchNumber }, sentBy(call)),
  ),
  bind(contract.answerPlanOnClaim, (call) =>
    answerPlan(call.context, call.principal, { claim: call.query.collectionBatchNumber }, sentBy(call)),
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
