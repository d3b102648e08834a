/** The portal's views and their addresses (specification section 2). */
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo, readHash, writeHash } from '@kvitt/ui/routes.ts'
import { knownZip, readSession, type InvoiceKey } from './session.ts'

export type View =
  | {
      readonly name: 'home'
      readonly reference: string
      readonly zip: string
      readonly invoiceNumber: string
      readonly autologin: boolean
    }
  | { readonly name: 'invoice'; readonly key: InvoiceKey; readonly autologin: boolean }
  | { readonly name: 'confirmation'; readonly key: InvoiceKey }
  | { readonly name: 'error' }
  | { readonly name: 'not-found' }

const VIEW_SEGMENTS = ['login', 'logout', 'invoice', 'confirmation', 'error']

/** Is `segment` a view? Tells a forgotten language from an unknown one. */
export function isView(segment: string): boolean {
  return VIEW_SEGMENTS.includes(segment)
}

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

/** The view that a hash asks for. */
export function readView(hash: string): View {
  const { segments, query } = readHash(hash)
  const [view, ...rest] = segments
  const autologin = query.get('autologin') !== 'false'
  const home: View = {
    name: 'home',
    reference: query.get('paymentReference') ?? rest[0] ?? '',
    zip: query.get('zip') ?? '',
    invoiceNumber: query.get('invoiceNumber') ?? '',
    autologin,
  }
  if (view === undefined || view === 'login' || view === 'logout')
    return { ...home, reference: query.get('paymentReference') ?? '' }
  if (view === 'error') return { name: 'error' }
  if (rest.length > 2 || (view !== 'invoice' && view !== 'confirmation')) return { name: 'not-found' }
  const key = keyFrom(rest, query)
  if (!key) return home
  return view === 'invoice' ? { name: 'invoice', key, autologin } : { name: 'confirmation', key }
}

export function homeHash(query: Readonly<Record<string, string>> = {}): string {
  return writeHash(currentLanguage(), [], query)
}

export function invoiceHash({ reference, zip, invoiceNumber }: InvoiceKey): string {
  return writeHash(currentLanguage(), ['invoice', reference, zip], { invoiceNumber })
}

export function confirmationHash({ reference, zip }: InvoiceKey): string {
  return writeHash(currentLanguage(), ['confirmation', reference, zip])
}

/** What the error page shows of the failure that led to it. */
export type FailureState = { readonly traceId: string }

export function goToErrorPage(traceId: string): void {
  goTo(writeHash(currentLanguage(), ['error']), { state: { traceId } satisfies FailureState })
}
