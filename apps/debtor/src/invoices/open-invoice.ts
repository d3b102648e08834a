/** From a list to an invoice of it. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import type { MouseEvent } from 'react'
import type { InvoiceKey } from '../session.ts'
import { invoiceHash, type FromState } from '../views.ts'

export function keyOf({ paymentReference, zipCode, invoiceNumber }: InvoiceAnswer): InvoiceKey {
  return { reference: paymentReference, zip: zipCode, invoiceNumber }
}

/** Follows a link of the list by telling the page where one came from; a new tab is left to the browser. */
export function openFromList(event: MouseEvent, invoice: InvoiceAnswer): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  goTo(invoiceHash(keyOf(invoice)), { state: { from: 'dashboard' } satisfies FromState })
}

/** A press anywhere on a row, unless it was on a link of it or marked some text. */
export function openFromRow(event: MouseEvent, invoice: InvoiceAnswer): void {
  const isLink = event.target instanceof Element && event.target.closest('a') !== null
  if (isLink || getSelection()?.type === 'Range') return
  openFromList(event, invoice)
}
