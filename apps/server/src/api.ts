/** Every call of the API beside the use case that answers it. */
import type { BodyOf, Contract, QueryOf } from '@kvitt/domain/contract.ts'
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
import {
  cancelOrder,
  collectOrder,
  startOrder,
  type Browser,
  type Told,
} from './electronic-id/electronic-id.ts'
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
import { FILE_WAIT_MS } from './platform/limits.ts'
import { pageOfEvents } from './platform/paging.ts'
import { filterOf } from './platform/search.ts'
import { WithCookies, type Binding, type Call } from './platform/serve.ts'
import { languageFrom, type Language } from './platform/texts.ts'
import { endSession, presentSession } from './sign-in/sessions.ts'
import { challengeFor } from './sign-in/sign-in.ts'
import type { DebtorViewer, Viewer, Visitor } from './sign-in/viewer.ts'

function open<C extends Contract>(
  contract: C,
  handler: (call: Call<Visitor, QueryOf<C>, BodyOf<C>>) => Promise<unknown>,
): Binding {
  return { contract, handler }
}

function door<C extends Contract>(
  contract: C,
  handler: (call: Call<Viewer, QueryOf<C>, BodyOf<C>>) => Promise<unknown>,
): Binding {
  return { contract, handler }
}

function signedIn<C extends Contract>(
  contract: C,
  handler: (call: Call<DebtorViewer, QueryOf<C>, BodyOf<C>>) => Promise<unknown>,
): Binding {
  return { contract, handler }
}

/** The language that the caller reads, else the instance's. */
function languageOf({
  request,
  asker,
}: Pick<Call<Visitor, unknown, unknown>, 'request' | 'asker'>): Language {
  return languageFrom(request.headers['accept-language'], asker.instance.language)
}

/** Which file of a list, and for how long somebody waits for it. */
function wantedFile(call: Call<Visitor, Pick<WantedFile, 'format'>, unknown>): WantedFile {
  call.request.raw.setTimeout(FILE_WAIT_MS)
  return { format: call.query.format, language: languageOf(call), signal: call.untilGone() }
}

function browserOf(call: Call<Visitor, unknown, unknown>): Browser {
  const { asker, request } = call
  const { instance } = asker
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

function withCookies({ answer, cookies }: Told<unknown>): WithCookies {
  return new WithCookies(answer, cookies)
}

/** What is asked for, and by whom, as far as the request itself says. */
function paymentRequest(call: Call<Viewer, unknown, BodyOf<typeof payment.startPayment>>): PaymentRequest {
  const { context, asker, request, body } = call
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
    origin: portalOrigin(arrival, { publicUrl: context.config.publicUrl, mode: asker.instance.mode }),
  }
}

export const BINDINGS: readonly Binding[] = [
  open(instance.getVersion, async ({ context }) => ({ data: { version: context.version } })),
  open(instance.getDefaultInstance, async ({ asker }) => presentInstance(asker.instance)),
  open(instance.listSystemLocales, async () => LOCALES),
  open(instance.listPublicLocales, async () => LOCALES),
  open(instance.searchServiceProviders, async ({ context, asker, query, body }) =>
    searchServiceProviders(context, asker.instance, query, body),
  ),
  open(instance.searchSystemLocales, async ({ query, body }) => searchLocales(query, body)),
  open(instance.searchPublicLocales, async ({ query, body }) => searchLocales(query, body)),
  open(challenge.askChallenge, ({ context, asker, body, request }) =>
    challengeFor(context, asker.instance, { reference: body.paymentReference, address: request.ip }),
  ),
  open(eid.startOrder, async (call) => withCookies(await startOrder(call.context, browserOf(call)))),
  open(eid.collectOrder, async (call) =>
    withCookies(await collectOrder(call.context, browserOf(call), call.body)),
  ),
  open(eid.cancelOrder, async (call) =>
    withCookies(await cancelOrder(call.context, browserOf(call), call.body.orderRef)),
  ),
  signedIn(session.getSession, ({ context, asker }) => presentSession(context, asker)),
  signedIn(session.logOut, async ({ context, asker, request }) => {
    return new WithCookies(undefined, [await endSession(context, asker, request.isHttps)])
  }),

  door(invoice.getInvoice, ({ context, asker, query }) => getInvoice(context, asker, query.invoiceNumber)),
  door(invoice.listDocuments, ({ context, asker, query }) =>
    listDocuments(context, asker, query.invoiceNumber),
  ),
  door(invoice.listEvents, async ({ context, asker, query }) =>
    pageOfEvents(await listEvents(context, asker, query.invoiceNumber), query),
  ),
  door(invoice.listFinancialEvents, async ({ context, asker, query }) =>
    pageOfEvents(await listFinancialEvents(context, asker, query.invoiceNumber), query),
  ),
  door(invoice.listLedgerEvents, async ({ context, asker, query }) =>
    pageOfEvents(await listLedgerEvents(context, asker, query.invoiceNumber), query),
  ),
  door(list.getStats, ({ context, asker, query }) => getStats(context, asker, query.invoiceNumber)),
  door(list.listInvoices, ({ context, asker, query, body }) =>
    listInvoices(context, asker, query, filterOf(body, 'statuses.main')),
  ),
  door(list.searchInvoices, ({ context, asker, query, body }) => searchInvoices(context, asker, query, body)),
  door(list.searchClients, ({ context, asker, query, body }) => searchClients(context, asker, query, body)),
  door(invoice.getClient, ({ context, asker, query }) => getClient(context, asker, query.invoiceNumber)),
  door(instance.getInvoiceInstance, async ({ context, asker, query }) => {
    await getInvoice(context, asker, query.invoiceNumber)
    return presentInstance(asker.instance)
  }),

  door(dispute.disputeInvoice, ({ context, asker, query, body }) =>
    disputeInvoice(context, asker, query.invoiceNumber, body),
  ),
  door(dispute.addInvoiceDisputeFile, ({ context, asker, query, receive }) =>
    addDisputeFile(context, asker, { invoice: query.invoiceNumber }, receive),
  ),
  door(dispute.listInvoiceDisputeFiles, ({ context, asker, query }) =>
    listDisputeFiles(context, asker, { invoice: query.invoiceNumber }),
  ),

  ...planBindings(endOpenPayment),

  door(payment.listPaymentMethods, ({ context, asker, query }) =>
    listPaymentMethods(context, asker, { invoice: query.invoiceNumber }),
  ),
  door(payment.getPaymentAccount, ({ context, asker, query }) =>
    getPaymentAccount(context, asker, { invoice: query.invoiceNumber }),
  ),
  door(payment.startPayment, (call) =>
    startPayment(call.context, call.asker, { invoice: call.query.invoiceNumber }, paymentRequest(call)),
  ),
  door(payment.listPayments, ({ context, asker, query }) =>
    listPayments(context, asker, { invoice: query.invoiceNumber }),
  ),
  door(payment.refreshPayments, ({ context, asker, query }) =>
    refreshPayments(context, asker, { invoice: query.invoiceNumber }),
  ),
  door(payment.readPaymentStatus, ({ context, asker, query }) =>
    listPayments(context, asker, { invoice: query.invoiceNumber }),
  ),
  door(payment.getReceipt, ({ context, asker, query }) => getReceipt(context, asker, query.invoiceNumber)),

  ...claimBindings(),
  ...downloadBindings(),
]

/** Lists as files. */
function downloadBindings(): Binding[] {
  return [
    door(download.downloadInvoices, (call) => {
      const { context, asker, query, body } = call
      const filter = body?.['statuses.main'] ?? body?.statuses?.main
      const readPart = (page: object) => listInvoices(context, asker, { ...query, ...page }, filter)
      return downloadInvoices(context, asker, readPart, wantedFile(call))
    }),
    door(download.downloadEvents, (call) =>
      downloadEvents(call.context, call.asker, call.query.invoiceNumber, wantedFile(call)),
    ),
    door(download.downloadClaims, (call) => {
      const { context, asker, query, body } = call
      const readPart = (page: object) => listClaims(context, asker, { ...query, ...page }, body ?? {})
      return downloadClaims(context, asker, readPart, wantedFile(call))
    }),
  ]
}

/** The calls of a claim, the specification's collection batch. */
function claimBindings(): Binding[] {
  return [
    door(claim.getClaim, ({ context, asker, query }) =>
      getClaim(context, asker, query.collectionBatchNumber),
    ),
    door(claim.listClaimInvoices, ({ context, asker, query }) =>
      listClaimInvoices(context, asker, query.collectionBatchNumber),
    ),
    door(claim.getClaimClient, ({ context, asker, query }) =>
      getClaimClient(context, asker, query.collectionBatchNumber),
    ),
    door(claim.getClaimInstance, async ({ context, asker, query }) => {
      await getClaim(context, asker, query.collectionBatchNumber)
      return presentInstance(asker.instance)
    }),
    door(claim.getClaimDocuments, ({ context, asker, query }) =>
      getClaimDocuments(context, asker, query.collectionBatchNumber),
    ),
    door(claim.listClaimEvents, async ({ context, asker, query }) =>
      pageOfEvents(await listClaimEvents(context, asker, query.collectionBatchNumber), query),
    ),
    door(claim.listClaimFinancialEvents, async ({ context, asker, query }) =>
      pageOfEvents(await listClaimFinancialEvents(context, asker, query.collectionBatchNumber), query),
    ),
    door(claim.listClaimLedgerEvents, async ({ context, asker, query }) =>
      pageOfEvents(await listClaimLedgerEvents(context, asker, query.collectionBatchNumber), query),
    ),
    door(claim.getClaimByNumber, ({ context, asker, request }) =>
      getClaim(context, asker, (request.params as { collectionBatchNumber: string }).collectionBatchNumber),
    ),
    door(claimList.getClaimStats, ({ context, asker, query }) =>
      getClaimStats(context, asker, query.collectionBatchNumber),
    ),
    door(claimList.listClaims, ({ context, asker, query }) => listClaims(context, asker, query, query)),
    door(claimList.filterClaims, ({ context, asker, query, body }) =>
      listClaims(context, asker, query, {
        status: filterOf(body, 'status'),
        paymentReference: filterOf(body, 'paymentReference'),
      }),
    ),
    door(claimList.searchClaims, ({ context, asker, query, body }) =>
      searchClaims(context, asker, query, body),
    ),
    door(dispute.disputeClaim, ({ context, asker, query, body }) =>
      disputeClaim(context, asker, query.collectionBatchNumber, body),
    ),
    door(dispute.addClaimDisputeFile, ({ context, asker, query, receive }) =>
      addDisputeFile(context, asker, { claim: query.collectionBatchNumber }, receive),
    ),
    door(dispute.listClaimDisputeFiles, ({ context, asker, query }) =>
      listDisputeFiles(context, asker, { claim: query.collectionBatchNumber }),
    ),
    door(claimPayment.listClaimPaymentMethods, ({ context, asker, query }) =>
      listPaymentMethods(context, asker, { claim: query.collectionBatchNumber }),
    ),
    door(claimPayment.getClaimPaymentAccount, ({ context, asker, query }) =>
      getPaymentAccount(context, asker, { claim: query.collectionBatchNumber }),
    ),
    door(claimPayment.startClaimPayment, (call) =>
      startPayment(
        call.context,
        call.asker,
        { claim: call.query.collectionBatchNumber },
        paymentRequest(call),
      ),
    ),
    door(claimPayment.listClaimPayments, ({ context, asker, query }) =>
      listPayments(context, asker, { claim: query.collectionBatchNumber }),
    ),
    door(claimPayment.refreshClaimPayments, ({ context, asker, query }) =>
      refreshPayments(context, asker, { claim: query.collectionBatchNumber }),
    ),
    door(claimPayment.readClaimPaymentStatus, ({ context, asker, query }) =>
      listPayments(context, asker, { claim: query.collectionBatchNumber }),
    ),
  ]
}
