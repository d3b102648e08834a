import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { acceptsLogin, isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { minorOf } from '@kvitt/ui/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { invoiceQuery, leaveSession, loginProvidersQuery, queries } from '../calls.ts'
import {
  isIdentified,
  isKnownAsOwn,
  isSessionFor,
  readSession,
  startClaimSession,
  startSession,
  type DebtKey,
  type InvoiceKey,
} from '../session.ts'
import { latePage } from '../late-page.tsx'
import { LoadFailedPage } from '../shell/load-failed-page.tsx'
import { OpeningPage } from '../shell/opening-page.tsx'
import { claimHash, goToErrorPage, homeHash } from '../views.ts'

/** Seldom seen, so it comes when it is wanted. */
const SwitchInvoicePage = latePage(async () => ({
  default: (await import('./switch-invoice-page.tsx')).SwitchInvoicePage,
}))

/** What the start page is told when a login did not succeed. */
export type LoginState = { readonly loginFailed: true }

type DoorProps = {
  address: InvoiceKey
  autologin: boolean
  children: (key: InvoiceKey, invoice: InvoiceAnswer) => ReactNode
}

/** May this answer be shown (specification section 4, login acceptance)? */
export function isAccepted(invoice: InvoiceAnswer): boolean {
  return acceptsLogin(invoice.statuses.main, minorOf(invoice.totals.totalToPay))
}

/** The open claim that an invoice is part of. */
export function claimOf(invoice: InvoiceAnswer): DebtKey | undefined {
  const { collection_batch_payment_reference: reference, collection_batch_zip: zip } = invoice
  if (!reference || !zip || !isOpen(invoice.statuses.main)) return undefined
  return { reference, zip, claimNumber: invoice.collection_batch_number ?? '' }
}

/** The session becomes the one for this invoice, and its number is pinned: a reference may carry several. */
export function openSession(key: InvoiceKey, invoice: InvoiceAnswer): InvoiceKey {
  const pinned = { ...key, invoiceNumber: key.invoiceNumber ?? invoice.invoiceNumber }
  startSession(pinned)
  queries.setQueryData(invoiceQuery(pinned).queryKey, invoice)
  return pinned
}

function GoHome({ address, failed }: { address: InvoiceKey; failed: boolean }) {
  useEffect(() => {
    const query = { paymentReference: address.reference, zip: address.zip, autologin: 'false' }
    const state: LoginState | null = failed ? { loginFailed: true } : null
    goTo(homeHash(query), { replace: true, state })
  }, [address, failed])
  return <OpeningPage />
}

/** How far a visitor has come at the door of `address`. */
function standingAt(address: InvoiceKey, autologin: boolean, confirmed: boolean) {
  const session = readSession()
  const isInside = isSessionFor(address)
  // An own invoice is no switch; a token decides for itself what is own.
  const isOwn = isIdentified() || isKnownAsOwn(address)
  const asksFirst = session !== undefined && !isInside && !isOwn && !confirmed
  return { session, isInside, isOwn, asksFirst, enters: isInside || isOwn || (autologin && !asksFirst) }
}

/**
 * Stands before every page about an invoice: looks the pair up, logs in whoever arrives with a right one, asks
 * before replacing another session, and sends everyone else to the start page.
 */
export function InvoiceDoor({ address, autologin, children }: DoorProps) {
  const [confirmed, setConfirmed] = useState(false)
  const { session, isInside, isOwn, asksFirst, enters } = standingAt(address, autologin, confirmed)
  const key = isInside
    ? { ...address, invoiceNumber: address.invoiceNumber ?? session?.invoiceNumber }
    : address

  const invoice = useQuery({ ...invoiceQuery(key), enabled: enters })
  const providers = useQuery({ ...loginProvidersQuery, enabled: enters && !isInside && !isOwn })

  const retry = () => {
    void invoice.refetch()
    if (providers.isError) void providers.refetch()
  }
  const switchOver = () => {
    // The other invoice is not this debtor's: whoever is here leaves before anybody else comes in.
    if (isIdentified()) leaveSession()
    setConfirmed(true)
  }

  if (asksFirst) return <SwitchInvoicePage current={session} next={address} onSwitch={switchOver} />
  if (!enters) return <GoHome address={address} failed={false} />
  if (!invoice.data && invoice.error) {
    if (!(invoice.error instanceof ApiRefusal)) return <LoadFailedPage onRetry={retry} />
    if (invoice.error.status >= 500) return <GoToErrorPage traceId={invoice.error.traceId} />
    return isIdentified() ? (
      <SwitchInvoicePage current={session} next={address} onSwitch={switchOver} />
    ) : (
      <GoHome address={address} failed />
    )
  }
  if (!invoice.data) return <OpeningPage />
  if (!isAccepted(invoice.data)) return <GoHome address={address} failed />
  const claim = claimOf(invoice.data)
  if (claim) return <GoToClaim address={address} claim={claim} />
  if (isInside) return children(key, invoice.data)
  if (!isOwn) {
    if (providers.error) return <LoadFailedPage onRetry={retry} />
    if (!providers.data) return <OpeningPage />
    if (!providers.data.some((p) => p.enabled && p.code === 'PAYMENT_REFERENCE')) {
      return <GoHome address={address} failed={false} />
    }
  }
  return (
    <Entering key={`${address.reference}/${address.zip}`} address={address} invoice={invoice.data}>
      {children}
    </Entering>
  )
}

/** An invoice inside an open claim is paid there: the session goes on at the claim. */
export function openClaimSession(address: InvoiceKey, claim: DebtKey): string {
  // The pair of the claim itself opens no invoice.
  if (!isIdentified() && address.reference !== claim.reference) startSession(address)
  startClaimSession(claim)
  return claimHash(claim)
}

function GoToClaim({ address, claim }: { address: InvoiceKey; claim: DebtKey }) {
  useEffect(() => goTo(openClaimSession(address, claim), { replace: true }), [address, claim])
  return <OpeningPage />
}

function GoToErrorPage({ traceId }: { traceId: string }) {
  useEffect(() => goToErrorPage(traceId), [traceId])
  return <OpeningPage />
}

/** Starts the session once, then shows the page. */
function Entering({
  address,
  invoice,
  children,
}: {
  address: InvoiceKey
  invoice: InvoiceAnswer
  children: DoorProps['children']
}) {
  const [key] = useState(() => openSession(address, invoice))
  return children(key, invoice)
}
