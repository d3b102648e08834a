import { stepText } from '../shell/steps.ts'
import { t, type MessageId } from '../text.ts'

/** What happened, by its type on the wire or why it came. Steps of the schedule have their own words. */
const EVENTS: Readonly<Record<string, MessageId>> = {
  INVOICE: 'event.invoice',
  CREDIT_INVOICE: 'invoice.status.credit_note',
  CREDIT_NOTE: 'invoice.status.credit_note',
  PART_INVOICE: 'event.part_invoice',
  INTEREST: 'invoice.interest',
  PAYMENT: 'payment.payment',
  REFUND: 'event.refund',
  REVERSAL: 'event.reversal',
  CAME_EARLIER: 'event.came_earlier',
  MOVED: 'event.moved',
  RETURNED: 'event.returned',
  WAIVED: 'event.waived',
  WRITE_OFF: 'event.write_off',
  START_FEE: 'event.start_fee',
  ADMIN_FEE: 'event.admin_fee',
  COURT_FEE: 'event.court_fee',
  TRANSFER_TO_PLAN: 'event.transfer_to_plan',
  TRANSFER_TO_CLAIM: 'event.transfer_to_claim',
  DISPUTE_REJECTED: 'event.dispute_rejected',
  DISPUTE_UPHELD: 'event.dispute_upheld',
  DISPUTE_UPHELD_PART: 'event.dispute_upheld_part',
}

/** What a posting or a performed step is called. */
export function eventText(type: string, subType: string | null = null): string {
  const id = EVENTS[subType ?? type] ?? EVENTS[type]
  return id === undefined ? stepText(type) : t(id)
}
