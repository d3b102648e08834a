/** The calls of plans, of an invoice and of a claim, beside the use cases that answer them. */
import type { BodyOf, Contract, QueryOf } from '@kvitt/domain/contract.ts'
import * as claim from '@kvitt/domain/part-payments/claim-part-payment.contract.ts'
import * as invoice from '@kvitt/domain/part-payments/part-payment.contract.ts'
import type { Binding, Call } from '../platform/serve.ts'
import { languageFrom } from '../platform/texts.ts'
import { networkOf, type Viewer } from '../sign-in/viewer.ts'
import {
  getPartPayment,
  listPlanOptions,
  repayPartPayment,
  startPartPayment,
  withdrawPartPayment,
} from './debtor-plans.ts'
import type { WantedDebt } from './planned-debt.ts'
import type { EndPayment, PlanRequest } from './start-plan.ts'

type AnyCall = Pick<Call<Viewer, unknown, unknown>, 'asker' | 'request'>

/** The language that the caller reads, else the instance's. */
function languageOf({ request, asker }: AnyCall) {
  return languageFrom(request.headers['accept-language'], asker.instance.language)
}

function requestOf(call: AnyCall, body: PlanRequest['body']): PlanRequest {
  return {
    body,
    idempotencyKey: [call.request.headers['idempotency-key']].flat()[0],
    language: languageOf(call),
    sessionKind: call.asker.kind,
    network: networkOf(call.request.ip),
  }
}

function door<C extends Contract>(
  contract: C,
  handler: (call: Call<Viewer, QueryOf<C>, BodyOf<C>>) => Promise<unknown>,
): Binding {
  return { contract, handler }
}

type InvoiceQuery = { readonly invoiceNumber?: string | undefined }
type ClaimQuery = { readonly collectionBatchNumber?: string | undefined }
const ofInvoice = (query: InvoiceQuery): WantedDebt => ({ invoice: query.invoiceNumber })
const ofClaim = (query: ClaimQuery): WantedDebt => ({ claim: query.collectionBatchNumber })

/** `endPayment`: payments stand above plans, so how one is ended is handed in. */
export const planBindings = (endPayment: EndPayment): readonly Binding[] => [
  door(invoice.listPlanOptions, (call) =>
    listPlanOptions(call.context, call.asker, { wanted: ofInvoice(call.query), language: languageOf(call) }),
  ),
  door(invoice.startPlan, (call) =>
    startPartPayment(call.context, call.asker, {
      wanted: ofInvoice(call.query),
      request: requestOf(call, call.body),
      endPayment,
    }),
  ),
  door(invoice.getPlan, ({ context, asker, query }) => getPartPayment(context, asker, ofInvoice(query))),
  door(invoice.repayPlan, ({ context, asker, query }) => repayPartPayment(context, asker, ofInvoice(query))),
  door(invoice.withdrawPlan, ({ context, asker, query }) =>
    withdrawPartPayment(context, asker, ofInvoice(query)),
  ),

  door(claim.listClaimPlanOptions, (call) =>
    listPlanOptions(call.context, call.asker, { wanted: ofClaim(call.query), language: languageOf(call) }),
  ),
  door(claim.startClaimPlan, (call) =>
    startPartPayment(call.context, call.asker, {
      wanted: ofClaim(call.query),
      request: requestOf(call, call.body),
      endPayment,
    }),
  ),
  door(claim.getClaimPlan, ({ context, asker, query }) => getPartPayment(context, asker, ofClaim(query))),
  door(claim.repayClaimPlan, ({ context, asker, query }) => repayPartPayment(context, asker, ofClaim(query))),
  door(claim.withdrawClaimPlan, ({ context, asker, query }) =>
    withdrawPartPayment(context, asker, ofClaim(query)),
  ),
]
