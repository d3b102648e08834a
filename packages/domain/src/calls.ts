/**
 * All calls of the API as types, made from their contracts: what a portal's client is typed by. Nothing of this file, of a
 * contract or of the schema library reaches a browser.
 */
import type * as paymentBatch from './bank-files/payment-batch.contract.ts'
import type * as bankAccount from './bank-files/bank-account.contract.ts'
import type * as paidTwice from './bank-files/paid-twice.contract.ts'
import type * as suspense from './bank-files/suspense.contract.ts'
import type * as act from './acts/act.contract.ts'
import type * as bulk from './acts/bulk.contract.ts'
import type * as claimList from './claims/claim-list.contract.ts'
import type * as officeClaim from './claims/office-claim.contract.ts'
import type * as claim from './claims/claim.contract.ts'
import type * as conversation from './conversations/conversation.contract.ts'
import type * as officeConversation from './conversations/office-conversation.contract.ts'
import type * as dispute from './disputes/dispute.contract.ts'
import type * as officeDispute from './disputes/office-dispute.contract.ts'
import type * as download from './downloads/download.contract.ts'
import type * as electronicId from './electronic-id/electronic-id.contract.ts'
import type * as officeImport from './imports/office-import.contract.ts'
import type * as instance from './instances/instance.contract.ts'
import type * as credentialCalls from './instances/credential.contract.ts'
import type * as issuerCalls from './staff/issuer.contract.ts'
import type * as instanceProvider from './instances/instance-provider.contract.ts'
import type * as onboardingCalls from './instances/onboarding.contract.ts'
import type * as invoiceList from './invoices/invoice-list.contract.ts'
import type * as invoice from './invoices/invoice.contract.ts'
import type * as invoiceDraft from './invoices/draft.contract.ts'
import type * as officeInvoice from './invoices/office-invoice.contract.ts'
import type * as claimPartPayment from './part-payments/claim-part-payment.contract.ts'
import type * as messageCheck from './messages/message-check.contract.ts'
import type * as serviceStates from './messages/service-states.contract.ts'
import type * as client from './creditors/client.contract.ts'
import type * as monthClose from './month-close/month-close.contract.ts'
import type * as receivables from './receivables/receivables.contract.ts'
import type * as clientFunds from './client-funds/client-funds.contract.ts'
import type * as outbox from './messages/outbox.contract.ts'
import type * as officePlan from './part-payments/office-plan.contract.ts'
import type * as partPayment from './part-payments/part-payment.contract.ts'
import type * as claimPayment from './payments/claim-payment.contract.ts'
import type * as officePayment from './payments/office-payment.contract.ts'
import type * as paymentActs from './payments/payment-acts.contract.ts'
import type * as officeCourt from './court/office-court.contract.ts'
import type * as accountPlan from './settlements/account-plan.contract.ts'
import type * as officeSettlement from './settlements/office-settlement.contract.ts'
import type * as vatInvoice from './settlements/vat-invoice.contract.ts'
import type * as debtorFlag from './people/debtor-flag.contract.ts'
import type * as representative from './people/representative.contract.ts'
import type * as officeDebtor from './people/office-debtor.contract.ts'
import type * as personalData from './data-protection/personal-data.contract.ts'
import type * as personExport from './data-protection/person-export.contract.ts'
import type * as dataRequest from './data-protection/data-request.contract.ts'
import type * as legalHold from './data-protection/legal-hold.contract.ts'
import type * as retention from './data-protection/retention.contract.ts'
import type * as serviceProvider from './instances/service-provider.contract.ts'
import type * as settingVersion from './part-payments/setting-version.contract.ts'
import type * as countryFigure from './country-figures/country-figure.contract.ts'
import type * as payeeAccount from './payee-accounts/payee-account.contract.ts'
import type * as payoutAccount from './payouts/payout-account.contract.ts'
import type * as payout from './payouts/payout.contract.ts'
import type * as refund from './refunds/refund.contract.ts'
import type * as proposal from './proposals/proposal.contract.ts'
import type * as payment from './payments/payment.contract.ts'
import type * as challenge from './sign-in/challenge.contract.ts'
import type * as officeTask from './tasks/office-task.contract.ts'
import type * as claimActs from './claims/claim-acts.contract.ts'
import type * as auditLog from './audit/audit-log.contract.ts'
import type * as dashboard from './dashboard/dashboard.contract.ts'
import type * as officeCreditor from './creditors/office-creditor.contract.ts'
import type * as invoiceActs from './invoices/invoice-acts.contract.ts'
import type * as officeInvoiceDetail from './invoices/office-invoice-detail.contract.ts'
import type * as apiKey from './staff/api-key.contract.ts'
import type * as run from './runs/run.contract.ts'
import type * as webhook from './webhooks/webhook.contract.ts'
import type * as user from './staff/user.contract.ts'
import type * as account from './staff/account.contract.ts'
import type * as passkey from './staff/passkey.contract.ts'
import type * as secondFactor from './staff/second-factor.contract.ts'
import type * as staffSession from './staff/session.contract.ts'
import type * as peek from './sign-in/peek.contract.ts'
import type * as session from './sign-in/session.contract.ts'
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Method, Subject } from './contract.ts'

/** Told by what only a contract has: to compare the whole with `Contract` costs the compiler minutes for all of them. */
type Of<Feature> = Extract<Feature[keyof Feature], { readonly pairProof: unknown }>

/** Each contract of each feature. */
export type Call =
  | Of<typeof act>
  | Of<typeof bulk>
  | Of<typeof claimList>
  | Of<typeof paymentBatch>
  | Of<typeof paidTwice>
  | Of<typeof suspense>
  | Of<typeof claim>
  | Of<typeof conversation>
  | Of<typeof officeConversation>
  | Of<typeof dispute>
  | Of<typeof download>
  | Of<typeof electronicId>
  | Of<typeof officeImport>
  | Of<typeof instance>
  | Of<typeof credentialCalls>
  | Of<typeof issuerCalls>
  | Of<typeof instanceProvider>
  | Of<typeof onboardingCalls>
  | Of<typeof invoiceList>
  | Of<typeof invoice>
  | Of<typeof invoiceDraft>
  | Of<typeof officeClaim>
  | Of<typeof debtorFlag>
  | Of<typeof officeDebtor>
  | Of<typeof representative>
  | Of<typeof officePayment>
  | Of<typeof paymentActs>
  | Of<typeof officeCourt>
  | Of<typeof receivables>
  | Of<typeof dashboard>
  | Of<typeof monthClose>
  | Of<typeof officePlan>
  | Of<typeof accountPlan>
  | Of<typeof officeSettlement>
  | Of<typeof vatInvoice>
  | Of<typeof countryFigure>
  | Of<typeof settingVersion>
  | Of<typeof serviceProvider>
  | Of<typeof personalData>
  | Of<typeof personExport>
  | Of<typeof retention>
  | Of<typeof dataRequest>
  | Of<typeof legalHold>
  | Of<typeof payeeAccount>
  | Of<typeof payoutAccount>
  | Of<typeof payout>
  | Of<typeof refund>
  | Of<typeof bankAccount>
  | Of<typeof proposal>
  | Of<typeof officeDispute>
  | Of<typeof officeInvoice>
  | Of<typeof officeTask>
  | Of<typeof claimPartPayment>
  | Of<typeof messageCheck>
  | Of<typeof serviceStates>
  | Of<typeof partPayment>
  | Of<typeof claimPayment>
  | Of<typeof payment>
  | Of<typeof challenge>
  | Of<typeof account>
  | Of<typeof passkey>
  | Of<typeof secondFactor>
  | Of<typeof peek>
  | Of<typeof session>
  | Of<typeof claimActs>
  | Of<typeof officeCreditor>
  | Of<typeof auditLog>
  | Of<typeof invoiceActs>
  | Of<typeof officeInvoiceDetail>
  | Of<typeof apiKey>
  | Of<typeof user>
  | Of<typeof run>
  | Of<typeof outbox>
  | Of<typeof client>
  | Of<typeof clientFunds>
  | Of<typeof webhook>
  | Of<typeof staffSession>

/**
 * What a call is wherever one is wanted. A parameter that is one of the union `Call` has the compiler compare the schemas of each call that is made
 * with those of each that exists: 48 seconds of a core for `packages/ui` alone.
 */
export type AnyCall = {
  readonly method: Method
  readonly path: string
  readonly query: unknown
  readonly body: unknown
  readonly response: unknown
  readonly refusals: readonly ErrorCode[]
}

/** A call whose path is put together as the program runs: one of several that answer alike. */
export type CallAnswering<Answer> = AnyCall & {
  readonly response: { readonly _zod: { readonly output: Answer } }
}

/** Calls about an invoice, a claim or all of them: method and tail, behind whichever door the caller stands at. */
export type CallAbout<S extends Subject, M extends Method, Tail extends string> = Extract<
  Call,
  { readonly subject: S; readonly method: M; readonly path: Tail }
>
export type TailOf<S extends Subject, M extends Method> = CallAbout<S, M, string>['path']

/** A debt is an invoice or a claim: calls that exist for both, under one tail. */
export type DebtSubject = 'invoices' | 'collection-batches'
export type DebtTail<M extends Method> = TailOf<'invoices', M> & TailOf<'collection-batches', M>

/**
 * Calls that are about none: their whole path below `/api`. One that both kinds of staff have is known by the client's path; a
 * portal of an operator asks its own door (packages/office/src/calls.ts).
 */
type Plain = Exclude<Call, { readonly subject: Subject }>
type PathOfPlain<C extends Plain> = C extends { readonly doors: readonly 'debtor'[] }
  ? `/debtor${C['path']}`
  : C extends { readonly doors: readonly 'client'[] }
    ? `/client${C['path']}`
    : C extends { readonly doors: readonly 'admin'[] }
      ? `/admin${C['path']}`
      : C extends { readonly doors: readonly ('client' | 'admin')[] }
        ? `/client${C['path']}`
        : C['path']
/** By method and path: to look one up in a union would compare each with each. */
type Placed = { [C in Plain as `${C['method']} ${PathOfPlain<C>}`]: C }
type PathIn<M extends Method, Key> = Key extends `${M} ${infer Path}` ? Path : never
export type PlainPath<M extends Method> = PathIn<M, keyof Placed>
export type PlainCall<M extends Method, Path extends string> = `${M} ${Path}` extends infer Key extends
  keyof Placed
  ? Placed[Key]
  : never

/** What may stand behind the path. */
export type QueryFor<C extends AnyCall> = z.input<C['query']>

/** The codes with which a call may say no. Each call behind a door may find that its pair is nobody's. */
export type RefusalTo<C extends AnyCall> = C['refusals'][number] | 'login_error::invalid_data'
