import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { invoiceQuery, loginProvidersQuery } from '../calls.ts'
import { latePage } from '../late-page.tsx'
import {
  isIdentified,
  isKnownAsOwn,
  isSessionFor,
  readSession,
  readStanding,
  type DebtKey,
  type InvoiceKey,
} from '../session.ts'
import { LoadFailedPage } from '../shell/load-failed-page.tsx'
import { OpeningPage } from '../shell/opening-page.tsx'
import { isAnswered, useFailure } from '../shell/use-failure.ts'
import { goToErrorPage, type Refused } from '../views.ts'
import { goHomeWith } from './go-home.ts'
import { withMoreWords } from '../words.ts'
import { claimOf, isAccepted, openClaimSession, openSession, pinnedKey } from './open-session.ts'

/** Seldom seen, so it comes when it is wanted. */
const SwitchInvoicePage = latePage(() => withMoreWords(import('./switch-invoice-page.tsx')), {
  waiting: <OpeningPage />,
  failed: LoadFailedPage,
})

type DoorProps = {
  address: InvoiceKey
  autologin: boolean
  children: (key: InvoiceKey, invoice: InvoiceAnswer) => ReactNode
}

function GoHome({ address, refused }: { address: InvoiceKey; refused?: Refused | true }) {
  useEffect(() => goHomeWith(address, refused), [address, refused])
  return <OpeningPage />
}

/** How far a visitor has come at the door of `address`. */
function standingAt(address: InvoiceKey, autologin: boolean) {
  const isInside = isSessionFor(address)
  // An own invoice is no switch; a token decides for itself what is own.
  const isOwn = isIdentified() || isKnownAsOwn(address)
  const asksFirst = !isInside && !isOwn && readStanding() !== undefined
  return { isInside, isOwn, asksFirst, enters: isInside || isOwn || (autologin && !asksFirst) }
}

/**
 * Stands before every page about an invoice: looks the pair up, logs in whoever arrives with a right one, asks
 * before replacing another session (threat csrf.sessionswap), and sends everyone else to the start page.
 */
export function InvoiceDoor({ address, autologin, children }: DoorProps) {
  const { isInside, isOwn, asksFirst, enters } = standingAt(address, autologin)
  const key = isInside
    ? { ...address, invoiceNumber: address.invoiceNumber ?? readSession()?.invoiceNumber }
    : address

  const invoice = useQuery({ ...invoiceQuery(key), enabled: enters })
  const providers = useQuery({ ...loginProvidersQuery, enabled: enters && !isInside && !isOwn })

  const failure = useFailure(invoice)
  const providersFailure = useFailure(providers)

  const retry = () => {
    if (failure) void invoice.refetch({ cancelRefetch: false })
    if (providersFailure) void providers.refetch({ cancelRefetch: false })
  }

  if (asksFirst) return <SwitchInvoicePage next={address} />
  if (!enters) return <GoHome address={address} />
  if (!invoice.data && failure) {
    if (!isAnswered(failure)) return <LoadFailedPage onRetry={retry} />
    const { status, traceId, code } = failure
    if (status >= 500) return <GoToErrorPage traceId={traceId} />
    return isIdentified() ? (
      <SwitchInvoicePage next={address} />
    ) : (
      <GoHome address={address} {...(code !== 'eid_required' && { refused: failure })} />
    )
  }
  if (!invoice.data) return <OpeningPage />
  if (!isAccepted(invoice.data)) return <GoHome address={address} refused />
  const claim = claimOf(invoice.data, address)
  if (claim) return <GoToClaim address={address} claim={claim} />
  if (!isInside && !isOwn) {
    if (providersFailure) return <LoadFailedPage onRetry={retry} />
    if (!providers.data) return <OpeningPage />
    if (!providers.data.some((p) => p.enabled && p.code === 'PAYMENT_REFERENCE')) {
      return <GoHome address={address} />
    }
  }
  return (
    <Inside
      key={`${address.reference}/${address.zip}`}
      address={key}
      invoice={invoice.data}
      isNew={!isInside}
    >
      {children}
    </Inside>
  )
}

function GoToClaim({ address, claim }: { address: InvoiceKey; claim: DebtKey }) {
  useEffect(() => goTo(openClaimSession(address, claim), { replace: true }), [address, claim])
  return <OpeningPage />
}

function GoToErrorPage({ traceId }: { traceId: string }) {
  useEffect(() => goToErrorPage(traceId), [traceId])
  return <OpeningPage />
}

type InsideProps = {
  address: InvoiceKey
  invoice: InvoiceAnswer
  isNew: boolean
  children: DoorProps['children']
}

/** Starts the session of whoever comes in, once, and shows the page; the same page when they are inside. */
function Inside({ address, invoice, isNew, children }: InsideProps) {
  const key = pinnedKey(address, invoice)
  useState(() => isNew && openSession(key, invoice))
  return children(key, invoice)
}
