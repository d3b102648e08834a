/** The calls of plans, of an invoice and of a claim, beside the use cases that answer them. */
import * as claim from '@kvitt/domain/part-payments/claim-part-payment.contract.ts'
import * as invoice from '@kvitt/domain/part-payments/part-payment.contract.ts'
import type { Binding, Call } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind } from '../sign-in/bind.ts'
import { networkOf, type Viewer } from '../sign-in/viewer.ts'
import {
  getPartPayment,
  listPlanOptions,
  repayPartPayment,
  startPartPayment,
  withdrawPartPayment,
} from './debtor-plans.ts'
import type { WantedDebt } from './planned-debt.ts'
import type { PlanRequest } from './open-plan.ts'
import type { EndPayment } from './take-up.ts'

type AnyCall = Pick<Call<Viewer, unknown, unknown>, 'principal' | 'request'>

/** The language that the caller reads, else the instance's. */
function languageOf({ request, principal }: AnyCall) {
  return languageFrom(request.headers['accept-language'], principal.instance.language)
}

function requestOf(call: AnyCall, body: PlanRequest['body']): PlanRequest {
  return {
    body,
    idempotencyKey: [call.request.headers['idempotency-key']].flat()[0],
    language: languageOf(call),
    sessionKind: call.principal.kind,
    network: networkOf(call.request.ip),
  }
}

type InvoiceQuery = { readonly invoiceNumber?: string | undefined }
type ClaimQuery = { readonly collectionBatchNumber?: string | undefined }
const ofInvoice = (query: InvoiceQuery): WantedDebt => ({ invoice: query.invoiceNumber })
const ofClaim = (query: ClaimQuery): WantedDebt => ({ claim: query.collectionBatchNumber })

/** `endPayment`: payments stand above plans, so how one is ended is handed in. */
export const planBindings = (endPayment: EndPayment): readonly Binding[] => [
  bind(invoice.listPlanOptions, (call) =>
    listPlanOptions(call.context, call.principal, {
      wanted: ofInvoice(call.query),
      language: languageOf(call),
    }),
  ),
  bind(invoice.startPlan, (call) =>
    startPartPayment(call.context, call.principal, {
      wanted: ofInvoice(call.query),
      request: requestOf(call, call.body),
      endPayment,
    }),
  ),
  bind(invoice.getPlan, ({ context, principal, query }) =>
    getPartPayment(context, principal, ofInvoice(query)),
  ),
  bind(invoice.repayPlan, ({ context, principal, query }) =>
    repayPartPayment(context, principal, ofInvoice(query)),
  ),
  bind(invoice.withdrawPlan, ({ context, principal, query }) =>
    withdrawPartPayment(context, principal, ofInvoice(query)),
  ),

  bind(claim.listClaimPlanOptions, (call) =>
    listPlanOptions(call.context, call.principal, {
      wanted: ofClaim(call.query),
      language: languageOf(call),
    }),
  ),
  bind(claim.startClaimPlan, (call) =>
    startPartPayment(call.context, call.principal, {
      wanted: ofClaim(call.query),
      request: requestOf(call, call.body),
      endPayment,
    }),
  ),
  bind(claim.getClaimPlan, ({ context, principal, query }) =>
    getPartPayment(context, principal, ofClaim(query)),
  ),
  bind(claim.repayClaimPlan, ({ context, principal, query }) =>
    repayPartPayment(context, principal, ofClaim(query)),
  ),
  bind(claim.withdrawClaimPlan, ({ context, principal, query }) =>
    withdrawPartPayment(context, principal, ofClaim(query)),
  ),
]
