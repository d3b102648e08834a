/** The portal's views and their addresses (specification section 2). */
import { normaliseZip, readReference } from '@kvitt/domain/references.ts'
import type { ApiRefusal } from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo, readHash, writeHash } from '@kvitt/ui/routes.ts'
import {
  isIdentified,
  isSame,
  isSignedIn,
  knownZip,
  readClaimSession,
  readSession,
  readStanding,
  type DebtKey,
  type InvoiceKey,
} from './session.ts'

export const PAGE_SIZES = [10, 20, 50, 100] as const

export type HomeView = {
  readonly name: 'home'
  readonly reference: string
  readonly zip: string
  readonly invoiceNumber: string
  /** The order of an electronic ID that sent its user back here; empty without one. */
  readonly orderRef: string
}

export type View =
  | HomeView
  | { readonly name: 'invoice'; readonly key: InvoiceKey; readonly autologin: boolean }
  | { readonly name: 'dashboard'; readonly page: number; readonly limit: number }
  | { readonly name: 'confirmation'; readonly key: InvoiceKey }
  | { readonly name: 'claim' | 'claim-confirmation'; readonly key: DebtKey; readonly autologin: boolean }
  | { readonly name: 'customer-service'; readonly key: DebtKey | undefined }
  | { readonly name: 'redirect'; readonly to: string }
  | { readonly name: 'accessibility' | 'error' | 'not-found' }

const VIEW_SEGMENTS = [
  'login',
  'logout',
  'invoice',
  'dashboard',
  'collection-batch',
  'confirmation',
  'customerService',
  'accessibility',
  'error',
]

/** Is `segment` a view? Tells a forgotten language from an unknown one. */
export function isView(segment: string): boolean {
  return VIEW_SEGMENTS.includes(segment)
}

const isOption = (segment: string | undefined): boolean => segment === 'pay-now' || segment === 'due-date'

const goesOn = (query: URLSearchParams): boolean => query.get('autologin') !== 'false'

/**
 * The pair of the address, in the form in which pairs are compared, or the one of `session`. Whoever holds an electronic
 * ID needs no zip: it is empty until the answer tells it.
 */
function pairFrom(
  segments: readonly string[],
  query: URLSearchParams,
  session: DebtKey | undefined,
): InvoiceKey | undefined {
  const reference = readReference(segments[0] ?? query.get('paymentReference') ?? session?.reference ?? '')
  const zip = normaliseZip(segments[1] ?? query.get('zip') ?? knownZip(reference) ?? '')
  return reference && (zip || isIdentified()) ? { reference, zip } : undefined
}

function keyFrom(segments: readonly string[], query: URLSearchParams): InvoiceKey | undefined {
  const session = readSession()
  const pair = pairFrom(segments, query, session)
  if (!pair) return undefined
  const known = session && isSame(session, pair) ? session.invoiceNumber : undefined
  return { ...pair, invoiceNumber: query.get('invoiceNumber') ?? known }
}

/** To the start page, which is all that a visitor without a session sees; what the visitor came for goes along. */
function toHome(query: URLSearchParams, reference?: string): View {
  const asked = Object.fromEntries(query)
  return { name: 'redirect', to: homeHash(reference ? { ...asked, paymentReference: reference } : asked) }
}

/** The start page, unless an address with a pair, or with the reference of whoever is logged in, leads on. */
function homeFrom(query: URLSearchParams): View {
  const orderRef = query.get('orderRef') ?? ''
  const key = query.has('paymentReference') ? keyFrom([], query) : undefined
  if (key && !orderRef && goesOn(query) && (isSignedIn() || query.has('zip'))) {
    return { name: 'redirect', to: invoiceHash(key) }
  }
  return {
    name: 'home',
    reference: query.get('paymentReference') ?? '',
    zip: query.get('zip') ?? '',
    invoiceNumber: query.get('invoiceNumber') ?? '',
    orderRef,
  }
}

/** A claim's pair from the address, else from the session. */
function claimFrom(
  name: 'claim' | 'claim-confirmation',
  rest: readonly string[],
  query: URLSearchParams,
): View {
  const session = readClaimSession()
  const pair = pairFrom(rest, query, session)
  if (!pair) return toHome(query, rest[0])
  const known = session && isSame(session, pair) ? session.claimNumber : undefined
  const claimNumber = query.get('collectionBatchNumber') ?? known ?? ''
  return { name, key: { ...pair, claimNumber }, autologin: goesOn(query) }
}

/** Help with what the address names, else with where the session stands. */
function serviceFrom(rest: readonly string[], query: URLSearchParams): View {
  const standing = readStanding()
  const named = rest[0] ?? query.get('paymentReference')
  const key = named ? keyFrom(rest, query) : standing
  if (!key && !isSignedIn()) return toHome(query, rest[0])
  return { name: 'customer-service', key: key && standing && isSame(key, standing) ? standing : key }
}

/** The hash that `?ref=` asks for: a registered view of this portal, or nothing (threat redirect.ref). */
function redirectOf(ref: string): string | undefined {
  if (!/^[0-9A-Za-z/_-]{1,64}$/.test(ref)) return undefined
  const segments = ref.split('/').filter((segment) => segment !== '')
  return isView(segments[0] ?? '') ? writeHash(currentLanguage(), segments) : undefined
}

/** Pages that need somebody: with a reference in the address the way leads to that invoice (section 2). */
function dashboardFrom(rest: readonly string[], query: URLSearchParams): View {
  const named = rest[0] ?? query.get('paymentReference')
  const key = named ? keyFrom(rest, query) : undefined
  if (key && (!isSignedIn() || query.has('paymentReference'))) {
    return { name: 'redirect', to: invoiceHash(key, goesOn(query) ? {} : { autologin: 'false' }) }
  }
  if (!isSignedIn()) return toHome(query, rest[0])
  const limit = PAGE_SIZES.find((size) => String(size) === query.get('limit')) ?? PAGE_SIZES[0]
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  return { name: 'dashboard', page, limit }
}

/** The view that a hash asks for. */
export function readView(hash: string): View {
  const { segments, query } = readHash(hash)
  const [view, ...rest] = segments
  const ref = query.get('ref')
  const to = ref === null ? undefined : redirectOf(ref)
  if (to) return { name: 'redirect', to }
  if (view === undefined) return homeFrom(query)
  if (view === 'login' || view === 'logout') return toHome(query)
  if (view === 'error' || view === 'accessibility') return { name: view }
  // Before the general form: "collection-batch" is no reference.
  if (view === 'confirmation' && rest[0] === 'collection-batch' && rest.length < 4) {
    return claimFrom('claim-confirmation', rest.slice(1), query)
  }
  if (!isView(view) || rest.length > 2) return { name: 'not-found' }
  if (view === 'dashboard') return dashboardFrom(rest, query)
  if (view === 'collection-batch') return claimFrom('claim', rest, query)
  if (view === 'customerService') return serviceFrom(rest, query)
  // "pay-now" in the place of a reference is a payment option.
  const names = view === 'confirmation' && isOption(rest[0]) ? [] : rest
  const key = keyFrom(names, query)
  if (!key) return toHome(query, names[0])
  return view === 'confirmation'
    ? { name: 'confirmation', key }
    : { name: 'invoice', key, autologin: goesOn(query) }
}

export function homeHash(query: Readonly<Record<string, string>> = {}): string {
  return writeHash(currentLanguage(), [], query)
}

export function invoiceHash(key: InvoiceKey, query: Readonly<Record<string, string>> = {}): string {
  const { reference, zip, invoiceNumber } = key
  return writeHash(currentLanguage(), ['invoice', reference, zip], { invoiceNumber, ...query })
}

export function dashboardHash(query: Readonly<Record<string, string>> = {}): string {
  return writeHash(currentLanguage(), ['dashboard'], query)
}

export function customerServiceHash(): string {
  return writeHash(currentLanguage(), ['customerService'])
}

export function accessibilityHash(): string {
  return writeHash(currentLanguage(), ['accessibility'])
}

/** Where the start of a plan is confirmed. */
export function planConfirmationHash({ reference, zip, claimNumber }: DebtKey): string {
  return claimNumber === undefined
    ? writeHash(currentLanguage(), ['confirmation', reference, zip])
    : writeHash(currentLanguage(), ['confirmation', 'collection-batch', reference], { zip })
}

export function claimHash({ reference, zip, claimNumber }: DebtKey): string {
  return writeHash(currentLanguage(), ['collection-batch', reference], {
    zip,
    collectionBatchNumber: claimNumber,
  })
}

/** The page of an invoice or a claim. */
export function debtHash(key: DebtKey): string {
  return key.claimNumber === undefined ? invoiceHash(key) : claimHash(key)
}

/** Has a plan just been started here? The state of the history tells, also after a refresh. */
export function isPlanStarted(): boolean {
  // Beside the names of plans there are those of when to pay: pay-now and due-date.
  return /PAYMENT/.test((history.state as Partial<PlanStartedState> | null)?.variant ?? '')
}

/** Is this where the bank or the phone sends whoever has paid, so that a payment may be under way? */
export function isBackFromPaying(): boolean {
  return readView(location.hash).name.endsWith('confirmation') && !isPlanStarted()
}

/** What the confirmation is told of a plan that has been started (specification section 2). */
export type PlanStartedState = {
  readonly type: 'INVOICE' | 'COLLECTION_BATCH'
  readonly variant: 'PART_PAYMENT' | 'ONGOING_PAYMENT' | 'PART_PAYMENT_ACCOUNT'
  readonly paymentReference: string
  readonly zip: string
}

/** What a page is told when one came to it from the list: Back then means the list. */
export type FromState = { readonly from: 'dashboard' }

export function cameFromDashboard(): boolean {
  return (history.state as Partial<FromState> | null)?.from === 'dashboard'
}

/** What is kept of a refusal. */
export type Refused = Pick<ApiRefusal, 'code' | 'message' | 'params'>

/** What the start page is told of what led to it: a login that did not succeed, and why if that is known, or a session that had ended. */
export type LoginState = { readonly loginFailed?: true | Refused; readonly sessionOver?: true }

/** What the error page shows of the failure that led to it. */
export type FailureState = { readonly traceId: string }

export function goToErrorPage(traceId: string): void {
  goTo(writeHash(currentLanguage(), ['error']), { state: { traceId } satisfies FailureState })
}
