import type { IconName } from '@kvitt/ui/components/icon.tsx'
import type { MessageId } from '../text.ts'

/** Named as on the wire. */
const ICONS = {
  'event.expired': 'clock',
  'event.expired_notification': 'bell',
  'event.reminder': 'mail',
  'event.collection_notification': 'alert',
  'event.collection_claim': 'flag',
  'event.collection': 'building',
  'event.transfer_to_claim': 'building',
  'event.delayed_penalty_fee': 'receipt',
  'event.start_fee': 'receipt',
  'event.admin_fee': 'receipt',
  'event.court_fee': 'scales',
  'event.monitoring_decision': 'calendar-tick',
  'event.monitoring': 'eye',
  'event.watch': 'eye',
  'event.payment': 'check',
  'event.refund': 'transfer',
  'event.reversal': 'transfer',
  'event.came_earlier': 'transfer',
  'event.moved': 'transfer',
  'event.returned': 'transfer',
  'event.at_creditor': 'check',
  'event.mistaken': 'transfer',
  'event.write_off': 'close',
  'event.dispute_rejected': 'mail',
  'event.dispute_upheld': 'mail',
  'event.dispute_upheld_part': 'mail',
  'event.waived': 'close',
  'event.part_payment_notification': 'parts',
  'event.transfer_to_plan': 'parts',
} as const satisfies Partial<Record<MessageId, IconName>>

type EventLook = readonly [name: MessageId, icon: IconName]

const LOOKS: Readonly<Record<string, EventLook>> = {
  INVOICE: ['invoice.amount', 'document'],
  CREDIT_INVOICE: ['invoice.credit_invoice', 'document'],
  INTEREST: ['claim.late_interest', 'calendar'],
  BAILIFF_PAYMENT_INJUCTION: ['event.bailiff_payment_injunction', 'scales'],
  DENIED_TAX_REDUCTION_NOTIFICATION: ['event.denied_tax_reduction', 'document'],
  ...Object.fromEntries(
    Object.entries(ICONS).map(([id, icon]) => [id.slice('event.'.length).toUpperCase(), [id, icon]]),
  ),
}

/** What a posting or a step of the schedule is called on the screen and drawn as, by its type on the wire and why it came. */
export function lookOf(type: string, subType: string | null = null): EventLook {
  return LOOKS[subType ?? type] ?? LOOKS[type] ?? ['event.other', 'document']
}
