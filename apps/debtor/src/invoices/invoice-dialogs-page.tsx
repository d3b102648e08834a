import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { debtOfInvoice } from '../debts/debt.ts'
import { latePage } from '../late-page.tsx'
import type { InvoiceKey } from '../session.ts'
import { LateDialogFailed } from '../shell/late-part-failed.tsx'
import { withMoreWords } from '../words.ts'

const AS_DIALOG = { failed: LateDialogFailed }
const ContactDialog = latePage(() => withMoreWords(import('../help/contact-dialog.tsx')), AS_DIALOG)
const DisputeDialog = latePage(() => withMoreWords(import('../help/dispute-dialog.tsx')), AS_DIALOG)
/** To be fetched ahead of a press. */
export const DIALOGS = [ContactDialog, DisputeDialog] as const

export type DialogName = 'contact' | 'dispute'

type DialogsProps = {
  invoiceKey: InvoiceKey
  invoice: InvoiceAnswer
  open: DialogName | undefined
  logo: string | null
  onClose: () => void
  onDisputeFailed: (why: string) => void
}

/** What is opened over the page of an invoice. */
export function Dialogs({ open, ...subject }: DialogsProps) {
  return (
    <>
      {open === 'contact' && (
        <ContactDialog reference={subject.invoice.paymentReference} onClose={subject.onClose} />
      )}
      {open === 'dispute' && (
        <DisputeDialog
          debt={debtOfInvoice(subject.invoiceKey, subject.invoice)}
          about={subject.invoice}
          logo={subject.logo}
          onClose={subject.onClose}
          onFailed={subject.onDisputeFailed}
        />
      )}
    </>
  )
}
