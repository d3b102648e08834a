import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { debtOfClaim } from '../debts/debt.ts'
import { latePage } from '../late-page.tsx'
import type { DebtKey } from '../session.ts'
import { LateDialogFailed } from '../shell/late-part-failed.tsx'
import { withMoreWords } from '../words.ts'

const AS_DIALOG = { failed: LateDialogFailed }
const ContactDialog = latePage(() => withMoreWords(import('../help/contact-dialog.tsx')), AS_DIALOG)
const DisputeDialog = latePage(() => withMoreWords(import('../help/dispute-dialog.tsx')), AS_DIALOG)
const MoreDetails = latePage(() => withMoreWords(import('./more-details.tsx')), AS_DIALOG)
/** To be fetched ahead of a press. */
export const DIALOGS = [ContactDialog, DisputeDialog, MoreDetails] as const

export type DialogName = 'contact' | 'details' | 'dispute'

type DialogsProps = {
  claimKey: DebtKey
  claim: ClaimAnswer
  open: DialogName | undefined
  logo: string | null
  onClose: () => void
  onDisputeFailed: (why: string) => void
}

/** What is opened over the page of a claim. */
export function Dialogs({ open, claimKey, claim, logo, onClose, onDisputeFailed }: DialogsProps) {
  switch (open) {
    case 'contact':
      return <ContactDialog reference={claim.paymentReference} onClose={onClose} />
    case 'details':
      return <MoreDetails claimKey={claimKey} claim={claim} onClose={onClose} />
    case 'dispute':
      return (
        <DisputeDialog
          debt={debtOfClaim(claimKey, claim)}
          about={claim}
          logo={logo}
          onClose={onClose}
          onFailed={onDisputeFailed}
        />
      )
    case undefined:
      return null
  }
}
