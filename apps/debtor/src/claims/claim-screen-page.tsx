import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { readyPage } from '@kvitt/ui/start/ready-page.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../calls.ts'
import { latePage } from '../late-page.tsx'
import { claimQuery } from '../debts/part-calls.ts'
import {
  isIdentified,
  isKnownAsOwn,
  isSame,
  isSignedIn,
  readClaimSession,
  startClaimSession,
  type DebtKey,
} from '../session.ts'
import { LoadFailedPage } from '../shell/load-failed-page.tsx'
import { OpeningPage } from '../shell/opening-page.tsx'
import { isAnswered, useFailure } from '../shell/use-failure.ts'
import { goHomeWith } from '../sign-in/go-home.ts'
import { goToErrorPage, type Refused } from '../views.ts'
import { withMoreWords } from '../words.ts'
import ClaimPage from './claim-page.tsx'
import { confirmsPlan } from '../payments/confirmation/confirms-plan.ts'

const AS_PAGE = { waiting: <OpeningPage />, failed: LoadFailedPage }
const SwitchInvoicePage = latePage(() => withMoreWords(import('../sign-in/switch-invoice-page.tsx')), AS_PAGE)
const PlanStartedPage = latePage(
  () => withMoreWords(import('../part-payments/plan-started-page.tsx')),
  AS_PAGE,
)
const ConfirmationPage = latePage(() => import('../payments/confirmation/confirmation-page.tsx'), AS_PAGE)

type ScreenProps = { address: DebtKey; autologin: boolean; isConfirmation: boolean }

/** Is the session at this very claim, or is the claim known to be of whoever is here? */
function isOwn(address: DebtKey): boolean {
  const session = readClaimSession()
  return isIdentified() || (session && isSame(session, address)) || isKnownAsOwn(address)
}

/** The door of a claim: as that of an invoice, a right pair lets in and nobody is replaced unasked (threat csrf.sessionswap). */
function ClaimScreen({ address, autologin, isConfirmation }: ScreenProps) {
  const asksFirst = isSignedIn() && !isOwn(address)
  const enters = isOwn(address) || (autologin && !asksFirst)
  const claim = useQuery({ ...claimQuery(address), enabled: enters })
  const failure = useFailure(claim)
  if (asksFirst) return <SwitchInvoicePage next={address} />
  if (!enters) return <Away address={address} />
  if (claim.data) {
    return <Inside address={address} claim={claim.data} isConfirmation={isConfirmation} />
  }
  if (!failure) return <OpeningPage />
  if (!isAnswered(failure)) {
    return <LoadFailedPage onRetry={() => void claim.refetch({ cancelRefetch: false })} />
  }
  if (failure.status >= 500) return <Broken traceId={failure.traceId} />
  if (isIdentified()) return <SwitchInvoicePage next={address} />
  return <Away address={address} {...(failure.code !== 'eid_required' && { refused: failure })} />
}

export default Object.assign(ClaimScreen, { prepare: readyPage })

function Broken({ traceId }: { traceId: string }) {
  useEffect(() => goToErrorPage(traceId), [traceId])
  return <OpeningPage />
}

function Away({ address, refused }: { address: DebtKey; refused?: Refused }) {
  useEffect(() => goHomeWith(address, refused), [address, refused])
  return <OpeningPage />
}

type InsideProps = { address: DebtKey; claim: ClaimAnswer; isConfirmation: boolean }

function Inside({ address, claim, isConfirmation }: InsideProps) {
  const [key] = useState<DebtKey>(() => {
    const pinned = {
      reference: address.reference,
      zip: address.zip || claim.zip,
      claimNumber: claim.collectionBatchNumber,
    }
    startClaimSession(pinned)
    const { queryKey } = claimQuery(pinned)
    // What has been marked as outdated since, by a part payment say, is not passed off as new.
    const isOutdated = queries.getQueryState(claimQuery(address).queryKey)?.isInvalidated ?? false
    if (!queries.getQueryState(queryKey) && !isOutdated) queries.setQueryData(queryKey, claim)
    return pinned
  })
  if (!isConfirmation) return <ClaimPage claimKey={key} />
  return confirmsPlan(claim.isPartPayment) ? (
    <PlanStartedPage debtKey={key} />
  ) : (
    <ConfirmationPage debtKey={key} />
  )
}
