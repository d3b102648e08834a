/** Claims as a debtor sees them. */
import { canPayClaim } from '@kvitt/domain/claims/claim.ts'
import type { ClaimAnswer, ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal, type ErrorParams } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { presentClient } from '../creditors/creditors.ts'
import {
  findListScope,
  presentEvents,
  presentFinancialEvents,
  presentInterest,
  presentLedgerEvents,
  readSteps,
  type EventSources,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import { interestLines, readBucketEventsOfMany, readClaimEvents, withoutUnsent } from '../ledger/ledger.ts'
import type { Connection } from '../platform/database/database.ts'
import { makeLink } from '../platform/files/file-links.ts'
import { textOf, type Language } from '../platform/texts.ts'
import { hasPower } from '../sign-in/principal.ts'
import { notVisible, scopeOfPair, sessionOf, type ListScope, type Viewer } from '../sign-in/viewer.ts'
import {
  readClaimNumber,
  readMembers,
  readVisibleClaim,
  type ClaimRow,
  type ShownClaim,
} from './claims.queries.ts'

export { findNamedDebts, type NamedDebt } from './named-debts.queries.ts'
export {
  readMembers,
  readShownClaim,
  setClaimPause,
  type ClaimRow,
  type MemberRow,
  type ShownClaim,
} from './claims.queries.ts'
export {
  creditBookings,
  creditedDebt,
  creditInterestBill,
  creditInvoice,
  forgiveLateInterest,
  giveUpWithoutGround,
  notPaid,
  owedAgainIn,
  type Credited,
} from './credits.ts'
export { bookChargesLost } from './credited-charges.ts'
export { openClaims, reserveClaimNumbers, type ClaimToOpen, type NameClaim } from './open-claims.ts'
export { claimTermsOf, debtorKindOf, performedOf, readNextStep, termsOf } from './schedule.ts'
export {
  performedAsJson,
  performedSteps,
  readClaimSchedule,
  readInvoiceSchedule,
  type ClaimSchedule,
  type InvoiceSchedule,
} from './schedule.queries.ts'
export {
  lockClaim,
  lockInvoiceAndClaim,
  moveClaim,
  stopLockedClaim,
  type ClaimKey,
  type LockedClaim,
} from './move-claim.ts'

/** The claim that the viewer means. Refuses with the one neutral answer when there is none to be seen. */
export async function findVisibleClaim(
  context: Pick<Context, 'db'>,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<ShownClaim> {
  if (viewer.kind === 'debtor' && viewer.selector.by === 'nothing' && claimNumber === undefined) {
    throw new Refusal('invalid_request', {}, ['collectionBatchNumber'])
  }
  const isPossible = claimNumber === undefined || /^[0-9]{1,20}$/.test(claimNumber)
  const claim = isPossible ? await readVisibleClaim(context.db, viewer, claimNumber) : undefined
  if (!claim) throw notVisible(viewer)
  return claim
}

/**
 * Whose claims the viewer's lists are of. Somebody who was let in with an invoice sees the debtor's claims as
 * well as the debtor's invoices.
 */
export async function findClaimListScope(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<ListScope> {
  const isNamed = claimNumber !== undefined
  if (viewer.kind === 'debtor' && viewer.selector.by === 'nothing' && !isNamed)
    return { debtorIds: viewer.session.debtorIds }
  const claim = await readVisibleClaim(context.db, viewer, claimNumber)
  if (!claim) {
    if (isNamed) throw notVisible(viewer)
    return findListScope(context, viewer, undefined)
  }
  return viewer.kind === 'debtor' ? { debtorIds: viewer.session.debtorIds } : scopeOfPair(viewer, claim)
}

/** What a refusal is about, for its words: a claim, an invoice that is part of one, or an invoice by itself. */
export async function aboutDebt(db: Connection, debt: InvoiceRow | ClaimRow): Promise<ErrorParams> {
  if ('claim_number' in debt) return { about: 'claim' }
  if (debt.claim_id === null) return {}
  return { about: 'in_claim', claimNumber: await readClaimNumber(db, debt.instance_id, debt.claim_id) }
}

/** Can anything be paid on it? */
export function isClaimPayable(claim: ClaimRow): boolean {
  return canPayClaim({
    status: claim.status,
    balanceMinor: claim.balance_minor,
    isPartPayment: claim.is_part_payment,
  })
}

/** File name of a claim's demand. */
export function demandName(language: Language, claim: Pick<ClaimRow, 'claim_number'>): string {
  return `${textOf(language, 'document.demand')} ${claim.claim_number}.pdf`
}

/** The newest demand with a name that opens it; null before the first has been sent. */
export function demandDocument(
  context: Pick<Context, 'fileKey' | 'clock'>,
  viewer: Viewer,
  claim: ShownClaim,
): ClaimAnswer['document'] {
  if (claim.demands === 0) return { collection: null }
  const fileName = makeLink(context, { kind: 'k', id: claim.id, session: sessionOf(viewer) }, 'pdf')
  return { collection: { fileName, fileNameRaw: demandName(viewer.instance.language, claim) } }
}

/** A claim as the wire has it. */
export function presentClaim(
  context: Pick<Context, 'fileKey' | 'clock'>,
  viewer: Viewer,
  claim: ShownClaim,
): Loosen<ClaimAnswer> {
  const { instance } = viewer
  return {
    id: claim.id,
    collectionBatchNumber: claim.claim_number,
    paymentReference: claim.payment_reference,
    zip: claim.zip,
    clientName: claim.creditor_name,
    status: claim.status,
    currency: claim.currency,
    expireDate: claim.expire_date,
    today: context.clock.today(instance.timeZone),
    balanceTotal: new Amount(claim.balance_minor),
    balances: {
      total: new Amount(claim.balance_minor),
      principal: new Amount(claim.principal_minor),
      costs: new Amount(claim.costs_minor),
      interest: new Amount(claim.interest_minor),
    },
    invoiceTotalToPay: new Amount(claim.total_minor),
    isCredited: claim.is_credited,
    isPartPayment: claim.is_part_payment,
    partPaymentVariant: claim.part_payment_variant,
    debtor: { name: claim.debtor_name, email: claim.debtor_email },
    document: hasPower(viewer, 'documents') ? demandDocument(context, viewer, claim) : { collection: null },
  }
}

export async function getClaim(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<Loosen<ClaimAnswer>> {
  return presentClaim(context, viewer, await findVisibleClaim(context, viewer, claimNumber))
}

/** The invoices of the claim, each with what was bought. */
export async function listClaimInvoices(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<Loosen<ClaimInvoiceAnswer>[]> {
  const claim = await findVisibleClaim(context, viewer, claimNumber)
  return presentMembers(context.db, claim.instance_id, claim.id)
}

/** The invoices of a claim that the caller has been shown to see. */
export async function presentMembers(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<Loosen<ClaimInvoiceAnswer>[]> {
  const members = await readMembers(db, instanceId, claimId)
  const ids = members.map(({ id }) => id)
  const events = await readBucketEventsOfMany(db, instanceId, ids)
  const periodsOf = (id: string): InterestPeriod[] =>
    interestLines(withoutUnsent(events.filter(({ invoice_id: of }) => of === id))).flatMap(
      ({ periods }) => periods,
    )
  return members.map((member) => ({
    id: member.id,
    invoiceNumber: member.invoice_number,
    paymentReference: member.payment_reference,
    purchaseDate: member.issue_date,
    expireDate: member.expire_date,
    totalToPay: new Amount(member.total_minor),
    transferred: {
      total: new Amount(member.principal_minor + member.costs_minor + member.interest_minor),
      principal: new Amount(member.principal_minor),
      costs: new Amount(member.costs_minor),
      interest: new Amount(member.interest_minor),
    },
    interest: presentInterest(periodsOf(member.id)),
    rows: member.rows.map((row) => ({
      accountNumber: row.accountNumber,
      description: row.name,
      amount: new Amount(row.amountMinor),
    })),
  }))
}

/** The creditor, with the accounts it may be paid to. */
export async function getClaimClient(context: Context, viewer: Viewer, claimNumber: string | undefined) {
  const claim = await findVisibleClaim(context, viewer, claimNumber)
  return presentClient(context.db, claim.instance_id, claim.creditor_id)
}

export async function getClaimDocuments(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<{ document: ClaimAnswer['document'] }> {
  const claim = await findVisibleClaim(context, viewer, claimNumber)
  const document = demandDocument(context, viewer, claim)
  if (!document.collection) throw new Refusal('document_not_found')
  return { document }
}

async function sourcesOf(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<EventSources> {
  const claim = await findVisibleClaim(context, viewer, claimNumber)
  return readSources(context.db, claim.instance_id, claim.id)
}

/** What the story of a claim is told from. */
export async function readSources(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<EventSources> {
  const [steps, financial] = await Promise.all([
    readSteps(db, instanceId, claimId),
    readClaimEvents(db, instanceId, claimId),
  ])
  return { steps, financial }
}

/** Steps performed and money moved, merged into one story. */
export async function listClaimEvents(context: Context, viewer: Viewer, claimNumber: string | undefined) {
  return presentEvents(await sourcesOf(context, viewer, claimNumber))
}

export async function listClaimFinancialEvents(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
) {
  return presentFinancialEvents(await sourcesOf(context, viewer, claimNumber))
}

export async function listClaimLedgerEvents(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
) {
  return presentLedgerEvents(await sourcesOf(context, viewer, claimNumber))
}
