/** Every call of the API beside the use case that answers it. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import * as claim from '@kvitt/domain/claims/claim.contract.ts'
import * as claimList from '@kvitt/domain/claims/claim-list.contract.ts'
import * as dispute from '@kvitt/domain/disputes/dispute.contract.ts'
import * as download from '@kvitt/domain/downloads/download.contract.ts'
import * as instance from '@kvitt/domain/instances/instance.contract.ts'
import * as invoice from '@kvitt/domain/invoices/invoice.contract.ts'
import * as list from '@kvitt/domain/invoices/invoice-list.contract.ts'
import * as claimPayment from '@kvitt/domain/payments/claim-payment.contract.ts'
import * as payment from '@kvitt/domain/payments/payment.contract.ts'
import * as challenge from '@kvitt/domain/sign-in/challenge.contract.ts'
import * as session from '@kvitt/domain/sign-in/session.contract.ts'
import * as eid from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { getClaimStats, listClaims, searchClaims } from './claims/claim-list.ts'
import { SITE_BINDINGS } from './sites/sites.ts'
import {
  getClaim,
  getClaimClient,
  getClaimDocuments,
  listClaimEvents,
  listClaimFinancialEvents,
  listClaimInvoices,
  listClaimLedgerEvents,
} from './claims/claims.ts'
import { addDisputeFile, disputeClaim, disputeInvoice, listDisputeFiles } from './disputes/disputes.ts'
import { getReceipt, listDocuments } from './documents/documents.ts'
import { downloadClaims, downloadEvents, downloadInvoices, type WantedFile } from './downloads/downloads.ts'
import { cancelOrder, collectOrder, startOrder } from './electronic-id/electronic-id.ts'
import type { Browser, Told } from './electronic-id/electronic-id.ts'
import { hostName, presentInstance } from './instances/instances.ts'
import { LOCALES, searchLocales } from './instances/locales.ts'
import { searchServiceProviders } from './instances/service-providers.ts'
import { getStats, listInvoices } from './invoices/invoice-list.ts'
import { searchClients, searchInvoices } from './invoices/invoice-search.ts'
import {
  getClient,
  getInvoice,
  listEvents,
  listFinancialEvents,
  listLedgerEvents,
} from './invoices/invoices.ts'
import { planBindings } from './part-payments/part-payments.ts'
import {
  endOpenPayment,
  getPaymentAccount,
  listPaymentMethods,
  listPayments,
  portalOrigin,
  refreshPayments,
  startPayment,
  type PaymentRequest,
} from './payments/payments.ts'
import { FILE_WAIT_MS } from './platform/http/limits.ts'
import { pageOfEvents } from './platform/http/paging.ts'
import { filterOf } from './platform/http/search.ts'
import { WithCookies, type Binding, type Call } from './platform/http/call.ts'
import { languageFrom, type Language } from './platform/texts.ts'
import { endSession, presentSession } from './sign-in/sessions.ts'
import { challengeFor } from './sign-in/sign-in.ts'
import { bind, bindFirstRead } from './sign-in/bind.ts'
import type { Principal } from './sign-in/principal.ts'

type AnyCall = Pick<Call<Pick<Principal, 'instance'>, unknown, unknown>, 'context' | 'principal' | 'request'>

/** The language that the caller reads, else the instance's. */
function languageOf({ request, principal }: Pick<AnyCall, 'request' | 'principal'>): Language {
  return languageFrom(request.headers['accept-language'], principal.instance.language)
}

/** Which file of a list, and for how long somebody waits for it. */
function wantedFile(
  call: Call<Pick<Principal, 'instance'>, Pick<WantedFile, 'format'>, unknown>,
): WantedFile {
  call.request.raw.setTimeout(FILE_WAIT_MS)
  return { format: call.query.format, language: languageOf(call), signal: call.untilGone() }
}

function browserOf(call: AnyCall): Browser {
  const { principal, request } = call
  const { instance } = principal
  return {
    instance,
    language: languageOf(call),
    address: request.ip,
    host: hostName(request.headers.host) ?? instance.host,
    userAgent: request.headers['user-agent'],
    cookie: request.headers.cookie,
    isHttps: request.isHttps,
  }
}

function withCookies<T>({ answer, cookies }: Told<T>): WithCookies<T> {
  return new WithCookies(answer, cookies)
}

/** What is asked for, and by whom, as far as the request itself says. */
function paymentRequest(
  call: AnyCall & { readonly body: BodyOf<typeof payment.startPayment> },
): PaymentRequest {
  const { context, principal, request, body } = call
  const arrival = { protocol: request.protocol, host: request.headers.host ?? '' }
  return {
    // Null and an empty text say nothing.
    paymentDate: body.paymentDate || undefined,
    amount: body.amount,
    redirectUri: body.redirectUri,
    serviceProviderCode: body.serviceProviderCode || undefined,
    payerPhone: body.payerPhone ?? undefined,
    idempotencyKey: [request.headers['idempotency-key']].flat()[0],
    payerAddress: request.ip,
    origin: portalOrigin(arrival, { publicUrl: context.config.publicUrl, mode: principal.instance.mode }),
  }
}

export const BINDINGS: readonly Binding[] = [
  ...SITE_BINDINGS,
  bind(instance.getVersion, async ({ context }) => ({ data: { version: context.version } })),
  bind(instance.getDefaultInstance, async ({ principal }) => presentInstance(principal.instance)),
  bind(instance.listSystemLocales, async () => LOCALES),
  bind(instance.listPublicLocales, async () => LOCALES),
  bind(instance.searchServiceProviders, async ({ context, principal, query, body }) =>
    searchServiceProviders(context, principal.instance, query, body),
  ),
  bind(instance.searchSystemLocales, async ({ query, body }) => searchLocales(query, body)),
  bind(instance.searchPublicLocales, async ({ query, body }) => searchLocales(query, body)),
  bind(challenge.askChallenge, ({ context, principal, body, request }) =>
    challengeFor(context, principal.instance, { reference: body.paymentReference, address: request.ip }),
  ),
  bind(eid.startOrder, async (call) => withCookies(await startOrder(call.context, browserOf(call)))),
  bind(eid.collectOrder, async (call) =>
    withCookies(await collectOrder(call.context, browserOf(call), call.body)),
  ),
  bind(eid.cancelOrder, async (call) =>
    withCookies(await cancelOrder(call.context, browserOf(call), call.body.orderRef)),
  ),
  bind(session.getSession, ({ context, principal }) => presentSession(context, principal)),
  bind(session.logOut, async ({ context, principal, request }) => {
    return new WithCookies(undefined, [await endSession(context, principal, request.isHttps)])
  }),
  bindFirstRead(invoice.getInvoice, ({ context, principal, query }) =>
    getInvoice(context, principal, query.invoiceNumber),
  ),
  bind(invoice.listDocuments, ({ context, principal, query }) =>
    listDocuments(context, principal, query.invoiceNumber),
  ),
  bind(invoice.listEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(invoice.listFinancialEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listFinancialEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(invoice.listLedgerEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listLedgerEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(list.getStats, ({ context, principal, query }) => getStats(context, principal, query.invoiceNumber)),
  bind(list.listInvoices, ({ context, principal, query, body }) =>
    listInvoices(context, principal, query, filterOf(body, 'statuses.main')),
  ),
  bind(list.searchInvoices, ({ context, principal, query, body }) =>
    searchInvoices(context, principal, query, body),
  ),
  bind(list.searchClients, ({ context, principal, query, body }) =>
    searchClients(context, principal, query, body),
  ),
  bind(invoice.getClient, ({ context, principal, query }) =>
    getClient(context, principal, query.invoiceNumber),
  ),
  bind(instance.getInvoiceInstance, async ({ context, principal, query }) => {
    await getInvoice(context, principal, query.invoiceNumber)
    return presentInstance(principal.instance)
  }),
  bind(dispute.disputeInvoice, ({ context, principal, query, body }) =>
    disputeInvoice(context, principal, query.invoiceNumber, body),
  ),
  bind(dispute.addInvoiceDisputeFile, ({ context, principal, query, receive }) =>
    addDisputeFile(context, principal, { invoice: query.invoiceNumber }, receive),
  ),
  bind(dispute.listInvoiceDisputeFiles, ({ context, principal, query }) =>
    listDisputeFiles(context, principal, { invoice: query.invoiceNumber }),
  ),

  ...planBindings(endOpenPayment),

  bind(payment.listPaymentMethods, ({ context, principal, query }) =>
    listPaymentMethods(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.getPaymentAccount, ({ context, principal, query }) =>
    getPaymentAccount(context, principal, { invoice: query.invoiceNumber }),
  ),
  bindFirstRead(payment.startPayment, (call) =>
    startPayment(call.context, call.principal, { invoice: call.query.invoiceNumber }, paymentRequest(call)),
  ),
  bind(payment.listPayments, ({ context, principal, query }) =>
    listPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.refreshPayments, ({ context, principal, query }) =>
    refreshPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.readPaymentStatus, ({ context, principal, query }) =>
    listPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.getReceipt, ({ context, principal, query }) =>
    getReceipt(context, principal, query.invoiceNumber),
  ),

  ...claimBindings(),
  ...claimPaymentBindings(),
  ...downloadBindings(),
]

/** Lists as files. */
function downloadBindings(): Binding[] {
  return [
    bind(download.downloadInvoices, (call) => {
      const { context, principal, query, body } = call
      const filter = body?.['statuses.main'] ?? body?.statuses?.main
      const readPart = (page: object) => listInvoices(context, principal, { ...query, ...page }, filter)
      return downloadInvoices(context, principal, readPart, wantedFile(call))
    }),
    bind(download.downloadEvents, (call) =>
      downloadEvents(call.context, call.principal, call.query.invoiceNumber, wantedFile(call)),
    ),
    bind(download.downloadClaims, (call) => {
      const { context, principal, query, body } = call
      const readPart = (page: object) => listClaims(context, principal, { ...query, ...page }, body ?? {})
      return downloadClaims(context, principal, readPart, wantedFile(call))
    }),
  ]
}

/** The calls of a claim, the specification's collection batch. */
function claimBindings(): Binding[] {
  return [
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
      getClaim(
        context,
        principal,
        (request.params as { collectionBatchNumber: string }).collectionBatchNumber,
      ),
    ),
    bind(claimList.getClaimStats, ({ context, principal, query }) =>
      getClaimStats(context, principal, query.collectionBatchNumber),
    ),
    bind(claimList.listClaims, ({ context, principal, query }) =>
      listClaims(context, principal, query, query),
    ),
    bind(claimList.filterClaims, ({ context, principal, query, body }) =>
      listClaims(context, principal, query, {
        status: filterOf(body, 'status'),
        paymentReference: filterOf(body, 'paymentReference'),
      }),
    ),
    bind(claimList.searchClaims, ({ context, principal, query, body }) =>
      searchClaims(context, principal, query, body),
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
}

function claimPaymentBindings(): Binding[] {
  return [
    bind(claimPayment.listClaimPaymentMethods, ({ context, principal, query }) =>
      listPaymentMethods(context, principal, { claim: query.collectionBatchNumber }),
    ),
    bind(claimPayment.getClaimPaymentAccount, ({ context, principal, query }) =>
      getPaymentAccount(context, principal, { claim: query.collectionBatchNumber }),
    ),
    bind(claimPayment.startClaimPayment, (call) =>
      startPayment(
        call.context,
        call.principal,
        { claim: call.query.collectionBatchNumber },
        paymentRequest(call),
      ),
    ),
    bind(claimPayment.listClaimPayments, ({ context, principal, query }) =>
      listPayments(context, principal, { claim: query.collectionBatchNumber }),
    ),
    bind(claimPayment.refreshClaimPayments, ({ context, principal, query }) =>
      refreshPayments(context, principal, { claim: query.collectionBatchNumber }),
    ),
    bind(claimPayment.readClaimPaymentStatus, ({ context, principal, query }) =>
      listPayments(context, principal, { claim: query.collectionBatchNumber }),
    ),
  ]
}
