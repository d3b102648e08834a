/**
 * Who is here, under the specification's storage names (section 3): a public session, whose key is reference and
 * zip, or a debtor with a token from an electronic ID. The local pair lets a return from the bank in a new tab
 * find its invoice again.
 */
import { normaliseZip, readReference } from '@kvitt/domain/references.ts'

export type InvoiceKey = {
  readonly reference: string
  readonly zip: string
  readonly invoiceNumber?: string | undefined
}

/** An invoice or a claim: whatever is owed and paid as one. */
export type DebtKey = InvoiceKey & {
  /** Present when the pair is a claim's; empty as long as its number is not known. */
  readonly claimNumber?: string | undefined
}

/** Set while the session stands at a claim. */
const AT_CLAIM = 'loggedInWithCollectionBatch'
const SESSION_KEYS = [
  'invoice_token',
  'payment_reference',
  'zip',
  'invoice_number',
  'payment_option',
  'id_token',
  'token_type',
  'collection_batch_payment_reference',
  'collection_batch_zip',
  'collection_batch_number',
  AT_CLAIM,
  'payment_intent',
  'peek',
]

/** Does one of the staff look as the debtor would? Every act is off then (peek/open-view.ts). */
export const isPeeking = (): boolean => !!sessionStorage.getItem('peek')

/** Beside the tab, for a return in a new one; of whom one only looks as, nothing stays in a browser of staff. */
const kept = (): Storage => (isPeeking() ? sessionStorage : localStorage)

/** Pairs that were shown as this debtor's own since the page was loaded: going there is no switch. */
let ownPairs = new Set<string>()

/** One text for each pair, however it was typed. */
const pairOf = ({ reference, zip }: InvoiceKey): string => `${readReference(reference)}/${normaliseZip(zip)}`

export const isSame = (one: InvoiceKey, other: InvoiceKey): boolean => pairOf(one) === pairOf(other)

/** The invoice that this session stands at, whichever kind it is. */
export function readSession(): InvoiceKey | undefined {
  const [reference, zip] = (sessionStorage.getItem('invoice_token') ?? '').split('/')
  if (!reference || !zip) return undefined
  return { reference, zip, invoiceNumber: sessionStorage.getItem('invoice_number') ?? undefined }
}

export function startSession(key: InvoiceKey): void {
  const { reference, zip, invoiceNumber } = key
  sessionStorage.removeItem(AT_CLAIM)
  sessionStorage.setItem('invoice_token', pairOf(key))
  sessionStorage.setItem('payment_reference', reference)
  sessionStorage.setItem('zip', zip)
  if (invoiceNumber) sessionStorage.setItem('invoice_number', invoiceNumber)
  else sessionStorage.removeItem('invoice_number')
  kept().setItem('paymentRef', reference)
  kept().setItem('debtorZip', zip)
  rememberOwn([key])
}

/** The claim that this session stands at. */
export function readClaimSession(): DebtKey | undefined {
  const reference = sessionStorage.getItem('collection_batch_payment_reference')
  const zip = sessionStorage.getItem('collection_batch_zip')
  if (!reference || !zip) return undefined
  return { reference, zip, claimNumber: sessionStorage.getItem('collection_batch_number') ?? '' }
}

/** Stands at a claim from now on; an invoice that the session came by stays beside it. */
export function startClaimSession(key: DebtKey): void {
  sessionStorage.setItem('collection_batch_payment_reference', key.reference)
  sessionStorage.setItem('collection_batch_zip', key.zip)
  sessionStorage.setItem('collection_batch_number', key.claimNumber ?? '')
  sessionStorage.setItem(AT_CLAIM, 'true')
  kept().setItem('paymentRef', key.reference)
  kept().setItem('debtorZip', key.zip)
  rememberOwn([key])
}

/** What the session came to last: a claim, or an invoice. */
export function readStanding(): DebtKey | undefined {
  return sessionStorage.getItem(AT_CLAIM) ? readClaimSession() : (readSession() ?? readClaimSession())
}

/** The Authorization header of whoever signed in with an electronic ID. */
export function readAuthorization(): string | undefined {
  const token = sessionStorage.getItem('id_token')
  return token ? `${sessionStorage.getItem('token_type') ?? 'Bearer'} ${token}` : undefined
}

export function isIdentified(): boolean {
  return sessionStorage.getItem('id_token') !== null
}

/** Is anybody here? Both kinds of session count. */
export function isSignedIn(): boolean {
  return isIdentified() || readSession() !== undefined || readClaimSession() !== undefined
}

/** Takes the place of whoever was here before. */
export function startIdentity(token: string, type: string): void {
  endSession()
  sessionStorage.setItem('id_token', token)
  sessionStorage.setItem('token_type', type)
}

/** The session goes on with a fresh token; one that has ended is not brought back by a late answer. */
export function renewIdentity(token: string): void {
  if (isIdentified()) sessionStorage.setItem('id_token', token)
}

export function endSession(): void {
  // Not all that the tab holds: it has to know for which lost file it was loaded anew (late-page.tsx).
  kept().removeItem('paymentRef')
  kept().removeItem('debtorZip')
  for (const key of SESSION_KEYS) sessionStorage.removeItem(key)
  ownPairs = new Set()
}

/** Is the session for this very pair? */
export function isSessionFor(key: InvoiceKey): boolean {
  const session = readSession()
  return session !== undefined && isSame(session, key)
}

/** These invoices stand in the debtor's own list. */
export function rememberOwn(keys: readonly InvoiceKey[]): void {
  for (const key of keys) ownPairs.add(pairOf(key))
}

export function isKnownAsOwn(key: InvoiceKey): boolean {
  return ownPairs.has(pairOf(key))
}

/** The zip that belongs to `reference` on this device, when it is known. */
export function knownZip(reference: string): string | undefined {
  for (const session of [readSession(), readClaimSession()]) {
    if (session?.reference === reference) return session.zip
  }
  if (kept().getItem('paymentRef') !== reference) return undefined
  return kept().getItem('debtorZip') ?? undefined
}
