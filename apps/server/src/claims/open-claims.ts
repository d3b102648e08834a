/** The birth of claims (M-22): invoices of one debtor, creditor and currency become one debt. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookTransferToClaim, type Owed } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { insertReferenceRows, issueReferences } from '../invoices/invoices.ts'
import type { Booking } from '../ledger/ledger.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { insertClaimRows, joinClaimRows, takeClaimNumbers } from './open-claims.queries.ts'

export type JoiningInvoice = {
  readonly invoiceId: string
  readonly invoiceNumber: string
  readonly totalMinor: number
  /** What it owes when it joins, interest up to the day included. */
  readonly owed: Owed
  /** It asks for interest, which bears none. */
  readonly isForInterest: boolean
  /** What its postings of interest have left over. */
  readonly restParts: number
}

export type ClaimToOpen = {
  readonly creditorId: string
  readonly debtorId: string
  /** The creditor's. */
  readonly country: string
  readonly currency: Currency
  readonly debtorZip: string
  /** The last day to pay that the first demand will give. */
  readonly dueDate: CalendarDate
  readonly invoices: readonly JoiningInvoice[]
}

/** Names a claim by the numbers of its invoices instead of drawing: the demo's cast has names of its own. */
export type NameClaim = (
  invoiceNumbers: readonly string[],
) => { readonly claimNumber: string; readonly reference: string } | undefined

export type Opening = {
  readonly instanceId: string
  readonly day: CalendarDate
  /** The claims are numbered from here (reserveClaimNumbers). */
  readonly firstNumber: number
  readonly clock: Context['clock']
  readonly nameClaim?: NameClaim | undefined
}

/** The first number that an instance gives is the one after this. */
const BEFORE_FIRST_NUMBER = 800_000

/**
 * Numbers for at most `count` claims; answers the first. In a transaction of their own, because nobody else gets a number
 * before its end: one that is not used is never given again.
 */
export async function reserveClaimNumbers(db: Database, instanceId: string, count: number): Promise<number> {
  return (await takeClaimNumbers(db, instanceId, { count, start: BEFORE_FIRST_NUMBER })) - count + 1
}

export type OpenedClaim = { readonly claimId: string; readonly bookings: readonly Booking[] }

/**
 * Opens the claims under the locks of their invoices, in order. The bookings that move the balances are the
 * caller's to post, after those that the invoices still need: they cost nothing when it has others to post.
 */
export async function openClaims(
  tx: Transaction,
  opening: Opening,
  claims: readonly ClaimToOpen[],
): Promise<OpenedClaim[]> {
  if (claims.length === 0) return []
  const { instanceId, day, clock } = opening
  const names = await nameAll(tx, opening, claims)
  const opened = claims.map((claim) => ({ claim, claimId: newId(clock.now()) }))
  await insertClaimRows(
    tx,
    { instanceId, day },
    opened.map(({ claim, claimId }, index) => ({
      id: claimId,
      creditor_id: claim.creditorId,
      debtor_id: claim.debtorId,
      claim_number: names[index]?.claimNumber ?? '',
      payment_reference: names[index]?.reference ?? '',
      zip: normaliseZip(claim.debtorZip),
      currency: claim.currency,
      expire_date: claim.dueDate,
      total_minor: claim.invoices.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
      interest_free_minor: claim.invoices.reduce(
        (sum, { isForInterest, owed }) => sum + (isForInterest ? owed.principal.minor : 0),
        0,
      ),
      interest_rest: claim.invoices.reduce((sum, { restParts }) => sum + restParts, 0),
    })),
  )
  const joined = opened.flatMap(({ claim, claimId }) =>
    claim.invoices.map(({ invoiceId }) => ({ invoiceId, claimId })),
  )
  if ((await joinClaimRows(tx, { instanceId, day }, joined)) !== joined.length) {
    throw new Error('an invoice was in a claim already, under its own lock')
  }
  return opened.map(({ claim, claimId }) => ({
    claimId,
    bookings: claim.invoices.map(({ invoiceId, owed }) => ({
      id: newId(clock.now()),
      kind: 'TRANSFER_TO_CLAIM',
      bookedOn: day,
      cause: `transfer:${invoiceId}`,
      invoiceId,
      claimId,
      paymentId: null,
      lines: bookTransferToClaim({ invoiceId, claimId }, owed),
    })),
  }))
}

type Name = { readonly claimNumber: string; readonly reference: string }

async function nameAll(
  tx: Transaction,
  { instanceId, nameClaim, firstNumber }: Opening,
  claims: readonly ClaimToOpen[],
): Promise<Name[]> {
  const own = new Map(
    claims.flatMap((claim) => {
      const name = nameClaim?.(claim.invoices.map(({ invoiceNumber }) => invoiceNumber))
      return name ? [[claim, name] as const] : []
    }),
  )
  const rows = [...own].map(([claim, { reference }]) => ({
    reference,
    debtor_id: claim.debtorId,
    creditor_id: claim.creditorId,
  }))
  if (rows.length > 0) await insertReferenceRows(tx, instanceId, rows)
  const others = claims.filter((claim) => !own.has(claim))
  const references = await issueReferences(tx, instanceId, others)
  const numbers = new Map(others.map((claim, index) => [claim, String(firstNumber + index)]))
  return claims.map(
    (claim) =>
      own.get(claim) ?? { claimNumber: numbers.get(claim) ?? '', reference: references.get(claim) ?? '' },
  )
}
