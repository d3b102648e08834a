import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import type { OfficeIconName } from '@kvitt/office/parts/office-icon.tsx'
import { t, type MessageId } from '../text.ts'
import type { Invoice } from './invoice-calls.ts'

type Look = { readonly tone: ChipTone; readonly text: MessageId; readonly icon?: OfficeIconName }

const STATUS: Readonly<Record<Invoice['statuses']['main'], Look>> = {
  CREATED: { tone: 'outline', text: 'invoice.status.draft' },
  PENDING: { tone: 'accent', text: 'invoice.status.pending', icon: 'send' },
  ACTIVATED: { tone: 'outline', text: 'invoice.status.open' },
  PAUSED: { tone: 'warn', text: 'invoice.status.paused', icon: 'pause' },
  DISPUTED: { tone: 'info', text: 'invoice.status.disputed', icon: 'dispute' },
  PENDING_AUTHORIZATION: { tone: 'accent', text: 'invoice.status.signed', icon: 'shield' },
  CLOSED: { tone: 'ok', text: 'invoice.status.closed', icon: 'check' },
  STOPPED: { tone: 'neutral', text: 'invoice.status.stopped' },
  ARCHIVED: { tone: 'neutral', text: 'invoice.status.removed' },
}

/** The one word for where an invoice stands: what has to be known first wins. */
export function lookOf(invoice: Invoice): Look {
  const { statuses, type, isPartPayment, collectionBatch, dates, balances } = invoice
  if (type === 'CREDIT_INVOICE') return { tone: 'outline', text: 'invoice.status.credit_note' }
  if (statuses.main === 'CLOSED' || statuses.main === 'STOPPED') return STATUS[statuses.main]
  if (collectionBatch) return { tone: 'bad', text: 'invoice.status.collection', icon: 'claim' }
  if (statuses.main !== 'ACTIVATED') return STATUS[statuses.main]
  if (isPartPayment) return { tone: 'accent', text: 'invoice.status.plan', icon: 'calendar' }
  const isLate = dates.expireDate < dates.today && balances.total > 0
  return isLate ? { tone: 'bad', text: 'invoice.status.late', icon: 'alert' } : STATUS.ACTIVATED
}

export function InvoiceChip({ invoice }: { invoice: Invoice }) {
  const { tone, text, icon } = lookOf(invoice)
  return (
    <Chip tone={tone} {...(icon ? { icon } : {})}>
      {t(text)}
    </Chip>
  )
}
