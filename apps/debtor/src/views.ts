/** The portal's views and their addresses (specification section 2). */
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo, readHash, writeHash } from '@kvitt/ui/routes.ts'
import {
  isSignedIn,
  knownZip,
  readClaimSession,
  readSession,
  type DebtKey,
  type InvoiceKey,
} from './session.ts'

const PLAN_VARIANTS: readonly string[] = ['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']
export const PAGE_SIZES = [10, 20, 50, 100] as const

export type HomeView = {
  readonly name: 'home'
  readonly reference: string
  readonly zip: string
  readonly invoiceNumber: string
  readonly autologin: boolean
  /** The order of an electronic ID that sent its user back here; empty without one. */
  readonly orderRef: string
}

export type View =
  | HomeView
  | { readonly name: 'invoice'; readonly key: InvoiceKey; readonly autologin: boolean }
  | { readonly name: 'dashboard'; readonly page: number; readonly limit: number }
  | { readonly name: 'confirmation'; readonly key: InvoiceKey }
  | { readonly name: 'claim' | 'claim-confirmation'; readonly key: DebtKey; readonly autologin: boolean }
  | { readonly name: 'customer-service'; readonly key: InvoiceKey | undefined }
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

function keyFrom(segments: readonly string[], query: URLSearchParams): InvoiceKey | undefined {
  const session = readSession()
  const reference = segments[0] ?? query.get('paymentReference') ?? session?.reference
  if (!reference) return undefined
  const zip = segments[1] ?? query.get('zip') ?? knownZip(reference)
  if (!zip) return undefined
  const isKnown = session?.reference === reference && session.zip === zip
  const invoiceNumber = query.get('invoiceNumber') ?? (isKnown ? session.invoiceNumber : undefined)
  return { reference, zip, invoiceNumber }
}

function homeFrom(query: URLSearchParams, reference = ''): HomeView {
  return {
    name: 'home',
    reference: query.get('paymentReference') ?? reference,
    zip: query.get('zip') ?? '',
    invoiceNumber: query.get('invoiceNumber') ?? '',
    autologin: query.get('autologin') !== 'false',
    orderRef: query.get('orderRef') ?? '',
  }
}

/** A claim's pair from the address, else from the session. */
function claimFrom(
  name: 'claim' | 'claim-confirmation',
  rest: readonly string[],
  query: URLSearchParams,
): View {
  const session = readClaimSession()
  const reference = rest[0] ?? query.get('paymentReference') ?? session?.reference
  const zip = rest[1] ?? query.get('zip') ?? (reference ? knownZip(reference) : undefined)
  if (!reference || !zip) return homeFrom(query, rest[0])
  const isKnown = session?.reference === reference && session.zip === zip
  const claimNumber = query.get('collectionBatchNumber') ?? (isKnown ? session.claimNumber : undefined) ?? ''
  return { name, key: { reference, zip, claimNumber }, autologin: query.get('autologin') !== 'false' }
}

/** The hash that `?ref=` asks for: a registered view of this portal, or nothing. */
function redirectOf(ref: string): string | undefined {
  if (!/^[0-9A-Za-z/_-]{1,64}$/.test(ref)) return undefined
  const segments = ref.split('/').filter((segment) => segment !== '')
  return isView(segments[0] ?? '') ? writeHash(currentLanguage(), segments) : undefined
}

/** Pages that need somebody: with a reference in the address the way leads to that invoice (section 2). */
function dashboardFrom(rest: readonly string[], query: URLSearchParams): View {
  const names = rest[0] ?? query.get('paymentReference')
  const key = names ? keyFrom(rest, query) : undefined
  if (key && (!isSignedIn() || query.has('paymentReference'))) {
    const autologin = query.get('autologin') === 'false' ? { autologin: 'false' } : {}
    return { name: 'redirect', to: invoiceHash(key, autologin) }
  }
  if (!isSignedIn()) return homeFrom(query, rest[0])
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
  if (view === undefined || view === 'login' || view === 'logout') return homeFrom(query)
  if (view === 'error' || view === 'accessibility') return { name: view }
  // Before the general form: "collection-batch" is no reference.
  if (view === 'confirmation' && rest[0] === 'collection-batch' && rest.length < 4) {
    return claimFrom('claim-confirmation', rest.slice(1), query)
  }
  if (!isView(view) || rest.length > 2) return { name: 'not-found' }
  if (view === 'dashboard') return dashboardFrom(rest, query)
  if (view === 'collection-batch') return claimFrom('claim', rest, query)
  // "pay-now" in the place of a reference is a payment option.
  const names = view === 'confirmation' && isOption(rest[0]) ? [] : rest
  const key = keyFrom(names, query)
  if (view === 'customerService') {
    return key || isSignedIn() ? { name: 'customer-service', key } : homeFrom(query, names[0])
  }
  if (!key) return homeFrom(query, names[0])
  if (view === 'confirmation') return { name: 'confirmation', key }
  return { name: 'invoice', key, autologin: query.get('autologin') !== 'false' }
}

export function homeHash(query: Readonly<Record<string, string>> = {}): string {
  return writeHash(currentLanguage(), [], query)
}

export function invoiceHash(key: InvoiceKey, query: Readonly<Record<string, string>> = {}): string {
  const { reference, zip, invoiceNumber } = key
  return writeHash(currentLanguage(), ['invoice', reference, zip], { invoiceNumber, ...query })
}

export function dashboardHash({ page = 1, limit = 10 }: { page?: number; limit?: number } = {}): string {
  return writeHash(currentLanguage(), ['dashboard'], {
    page: page === 1 ? undefined : String(page),
    limit: limit === PAGE_SIZES[0] ? undefined : String(limit),
  })
}

export function customerServiceHash(): string {
  return writeHash(currentLanguage(), ['customerService'])
}

export function accessibilityHash(): string {
  return writeHash(currentLanguage(), ['accessibility'])
}

export function confirmationHash({ reference, zip }: InvoiceKey): string {
  return writeHash(currentLanguage(), ['confirmation', reference, zip])
}

/** Where the start of a plan is confirmed. */
export function planConfirmationHash(key: DebtKey): string {
  const { reference, zip, claimNumber } = key
  if (claimNumber === undefined) return confirmationHash(key)
  return writeHash(currentLanguage(), ['confirmation', 'collection-batch', reference], { zip })
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
  const state = history.state as Partial<PlanStartedState> | null
  return state?.variant !== undefined && PLAN_VARIANTS.includes(state.variant)
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

/** What the error page shows of the failure that led to it. */
export type FailureState = { readonly traceId: string }

export function goToErrorPage(traceId: string): void {
  goTo(writeHash(currentLanguage(), ['error']), { state: { traceId } satisfies FailureState })
}
