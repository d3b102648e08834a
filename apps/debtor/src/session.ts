/**
 * The public session: reference and zip are the key to one invoice, kept under the specification's storage
 * names (section 3). The local pair lets a return from the bank in a new tab find its invoice again.
 */

export type InvoiceKey = {
  readonly reference: string
  readonly zip: string
  readonly invoiceNumber?: string | undefined
}

const SESSION_KEYS = [
  'invoice_token',
  'payment_reference',
  'zip',
  'invoice_number',
  'payment_option',
] as const
const INTENT = 'payment_intent'

export function readSession(): InvoiceKey | undefined {
  const [reference, zip] = (sessionStorage.getItem('invoice_token') ?? '').split('/')
  if (!reference || !zip) return undefined
  return { reference, zip, invoiceNumber: sessionStorage.getItem('invoice_number') ?? undefined }
}

export function startSession({ reference, zip, invoiceNumber }: InvoiceKey): void {
  sessionStorage.setItem('invoice_token', `${reference}/${zip}`)
  sessionStorage.setItem('payment_reference', reference)
  sessionStorage.setItem('zip', zip)
  if (invoiceNumber) sessionStorage.setItem('invoice_number', invoiceNumber)
  else sessionStorage.removeItem('invoice_number')
  localStorage.setItem('paymentRef', reference)
  localStorage.setItem('debtorZip', zip)
}

export function endSession(): void {
  for (const key of [...SESSION_KEYS, INTENT]) sessionStorage.removeItem(key)
  localStorage.removeItem('paymentRef')
  localStorage.removeItem('debtorZip')
}

/** Is the session for this very pair? */
export function isSessionFor(key: InvoiceKey): boolean {
  const session = readSession()
  return session !== undefined && session.reference === key.reference && session.zip === key.zip
}

/** The zip that belongs to `reference` on this device, when it is known. */
export function knownZip(reference: string): string | undefined {
  const session = readSession()
  if (session?.reference === reference) return session.zip
  if (localStorage.getItem('paymentRef') !== reference) return undefined
  return localStorage.getItem('debtorZip') ?? undefined
}
