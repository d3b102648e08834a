/** Every call of the API, as its feature binds it. What combines features, or is of providers alone, is bound here. */
import { BANK_DESK_BINDINGS } from './bank-files/office/calls.ts'
import { REFUND_DESK_BINDINGS } from './refunds/office/calls.ts'
import { actsByName, BULK_BINDINGS, WAITING_ACT_BINDINGS, type Acts } from './acts/acts.ts'
import { SECOND_FACTOR_BINDINGS } from './second-factor/calls.ts'
import { ACCOUNT_BINDINGS } from './users/account-calls.ts'
import * as download from '@kvitt/domain/downloads/download.contract.ts'
import * as instance from '@kvitt/domain/instances/instance.contract.ts'
import { API_KEY_BINDINGS } from './api-keys/calls.ts'
import { AUDIT_DESK_BINDINGS } from './audit-desk/calls.ts'
import { CLAIM_BINDINGS } from './claims/calls.ts'
import { listClaims } from './claims/claim-list.ts'
import { CONVERSATION_BINDINGS } from './conversations/calls.ts'
import { OFFICE_CONVERSATION_ACTS, OFFICE_CONVERSATION_BINDINGS } from './conversations/office/calls.ts'
import { DATA_PROTECTION_BINDINGS } from './data-protection/calls.ts'
import { DISPUTE_BINDINGS } from './disputes/calls.ts'
import { DOCUMENT_BINDINGS } from './documents/calls.ts'
import { downloadClaims, downloadEvents, downloadInvoices, type WantedFile } from './downloads/downloads.ts'
import { ELECTRONIC_ID_BINDINGS } from './electronic-id/calls.ts'
import { presentInstance } from './instances/instances.ts'
import { LOCALES, searchLocales } from './instances/locales.ts'
import { searchServiceProviders } from './instances/service-providers.ts'
import { OFFICE_IMPORT_BINDINGS } from './imports/office/calls.ts'
import { INVOICE_BINDINGS } from './invoices/calls.ts'
import { listInvoices } from './invoices/invoice-list.ts'
import { OFFICE_INVOICE_BINDINGS } from './invoices/office/calls.ts'
import { OFFICE_CLAIM_BINDINGS } from './claims/office/calls.ts'
import { OFFICE_PAYMENT_BINDINGS } from './payments/office/calls.ts'
import { DEBTOR_FLAG_BINDINGS } from './debtor-flags/calls.ts'
import { CREDITOR_DESK_BINDINGS } from './creditor-desk/calls.ts'
import { DECIDE_DISPUTE, OFFICE_DISPUTE_BINDINGS } from './disputes/office/calls.ts'
import { OFFICE_TASK_ACTS, OFFICE_TASK_BINDINGS } from './task-desk/office/calls.ts'
import { OFFICE_ACT_BINDINGS, OFFICE_INVOICE_ACTS } from './office-invoices/calls.ts'
import { OFFICE_CLAIM_ACT_BINDINGS, OFFICE_CLAIM_ACTS } from './office-invoices/claim-calls.ts'
import { OFFICE_MANY_BINDINGS } from './office-invoices/many-calls.ts'
import { OFFICE_PAYMENT_ACT_BINDINGS } from './office-invoices/payment-calls.ts'
import { OFFICE_COURT_BINDINGS } from './court/office/calls.ts'
import { WEBHOOK_BINDINGS } from './webhooks/calls.ts'
import { planBindings } from './part-payments/part-payments.ts'
import { PAYMENT_BINDINGS } from './payments/calls.ts'
import { endOpenPayment } from './payments/payments.ts'
import type { Binding, Call } from './platform/http/call.ts'
import { FILE_WAIT_MS } from './platform/http/limits.ts'
import { languageFrom } from './platform/texts.ts'
import { bind } from './sign-in/bind.ts'
import { SIGN_IN_BINDINGS } from './sign-in/calls.ts'
import type { Principal } from './sign-in/principal.ts'
import { USER_BINDINGS } from './users/calls.ts'
import { OFFICE_PLAN_BINDINGS } from './part-payments/office/calls.ts'
import { SETTLEMENT_BINDINGS } from './settlements/calls.ts'
import { COUNTRY_FIGURE_BINDINGS } from './country-figures/calls.ts'
import { PLAN_DESK_BINDINGS } from './plan-desk/calls.ts'
import { PAYEE_ACCOUNT_BINDINGS } from './payee-accounts/calls.ts'
import { PAYOUT_ACCOUNT_BINDINGS } from './payouts/calls.ts'
import { PAYOUT_BINDINGS } from './payout-desk/calls.ts'
import { PROPOSAL_BINDINGS } from './proposal-desk/calls.ts'
import { PROPOSAL_LIST_BINDINGS } from './proposals/calls.ts'
import { OUTBOX_BINDINGS } from './outbox/calls.ts'
import { CLIENT_BINDINGS } from './client-desk/calls.ts'
import { MONTH_CLOSE_BINDINGS } from './month-close/calls.ts'
import { RECEIVABLES_BINDINGS } from './receivables/calls.ts'
import { CLIENT_FUNDS_BINDINGS } from './client-funds/calls.ts'
import { DASHBOARD_BINDINGS } from './dashboard/calls.ts'
import { PROVIDER_BINDINGS } from './provider-desk/provider-calls.ts'
import { RUN_BINDINGS } from './runs/calls.ts'
import { SITE_BINDINGS } from './sites/sites.ts'
import { STAFF_SESSION_BINDINGS } from './staff-sign-in/calls.ts'

/** Which file of a list, and for how long somebody waits for it. */
function wantedFile(
  call: Call<Pick<Principal, 'instance'>, Pick<WantedFile, 'format'>, unknown>,
): WantedFile {
  call.request.raw.setTimeout(FILE_WAIT_MS)
  call.request.isLong = true
  return {
    format: call.query.format,
    language: languageFrom(call.request.headers['accept-language'], call.principal.instance.language),
    signal: call.untilGone(),
  }
}

/** Which provider this is. Binding knows its guard, and stands above providers. */
const INSTANCE_BINDINGS: readonly Binding[] = [
  bind(instance.getVersion, async ({ context }) => ({ data: { version: context.version } })),
  bind(instance.getDefaultInstance, async ({ principal }) => presentInstance(principal.instance)),
  bind(instance.listSystemLocales, async () => LOCALES),
  bind(instance.listPublicLocales, async () => LOCALES),
  bind(instance.searchServiceProviders, async ({ context, principal, query, body }) =>
    searchServiceProviders(context, principal.instance, query, body),
  ),
  bind(instance.searchSystemLocales, async ({ query, body }) => searchLocales(query, body)),
  bind(instance.searchPublicLocales, async ({ query, body }) => searchLocales(query, body)),
]

/** Lists as files. */
const DOWNLOAD_BINDINGS: readonly Binding[] = [
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

export const BINDINGS: readonly Binding[] = [
  ...SITE_BINDINGS,
  ...INSTANCE_BINDINGS,
  ...SIGN_IN_BINDINGS,
  ...ELECTRONIC_ID_BINDINGS,
  ...INVOICE_BINDINGS,
  ...DOCUMENT_BINDINGS,
  ...CONVERSATION_BINDINGS,
  ...OFFICE_CONVERSATION_BINDINGS,
  ...DISPUTE_BINDINGS,
  ...planBindings(endOpenPayment),
  ...PAYMENT_BINDINGS,
  ...CLAIM_BINDINGS,
  ...DOWNLOAD_BINDINGS,
  ...STAFF_SESSION_BINDINGS,
  ...ACCOUNT_BINDINGS,
  ...SECOND_FACTOR_BINDINGS,
  ...API_KEY_BINDINGS,
  ...AUDIT_DESK_BINDINGS,
  ...DATA_PROTECTION_BINDINGS,
  ...RUN_BINDINGS,
  ...OUTBOX_BINDINGS,
  ...CLIENT_BINDINGS,
  ...RECEIVABLES_BINDINGS,
  ...MONTH_CLOSE_BINDINGS,
  ...CLIENT_FUNDS_BINDINGS,
  ...DASHBOARD_BINDINGS,
  ...PROVIDER_BINDINGS,
  ...WEBHOOK_BINDINGS,
  ...USER_BINDINGS,
  ...OFFICE_INVOICE_BINDINGS,
  ...OFFICE_TASK_BINDINGS,
  ...OFFICE_CLAIM_BINDINGS,
  ...OFFICE_PAYMENT_BINDINGS,
  ...OFFICE_PLAN_BINDINGS,
  ...SETTLEMENT_BINDINGS,
  ...PROPOSAL_LIST_BINDINGS,
  ...PROPOSAL_BINDINGS,
  ...COUNTRY_FIGURE_BINDINGS,
  ...PLAN_DESK_BINDINGS,
  ...PAYEE_ACCOUNT_BINDINGS,
  ...PAYOUT_ACCOUNT_BINDINGS,
  ...PAYOUT_BINDINGS,
  ...CREDITOR_DESK_BINDINGS,
  ...DEBTOR_FLAG_BINDINGS,
  ...OFFICE_DISPUTE_BINDINGS,
  ...OFFICE_ACT_BINDINGS,
  ...OFFICE_CLAIM_ACT_BINDINGS,
  ...OFFICE_PAYMENT_ACT_BINDINGS,
  ...OFFICE_COURT_BINDINGS,
  ...OFFICE_IMPORT_BINDINGS,
  ...BANK_DESK_BINDINGS,
  ...REFUND_DESK_BINDINGS,
  ...OFFICE_MANY_BINDINGS,
  ...WAITING_ACT_BINDINGS,
  ...BULK_BINDINGS,
]

/** What staff do with one row, for whoever does it later. */
export const ACTS: Acts = actsByName([
  ...OFFICE_INVOICE_ACTS,
  ...OFFICE_CLAIM_ACTS,
  ...OFFICE_CONVERSATION_ACTS,
  ...OFFICE_TASK_ACTS,
  DECIDE_DISPUTE,
])
