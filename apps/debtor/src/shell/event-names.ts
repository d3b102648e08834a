import type { MessageId } from '../text.ts'

/** Named as on the wire. */
const EVENTS = [
  'event.expired',
  'event.expired_notification',
  'event.reminder',
  'event.collection',
  'event.delayed_penalty_fee',
  'event.start_fee',
  'event.admin_fee',
  'event.court_fee',
  'event.payment',
  'event.refund',
  'event.write_off',
  'event.transfer_to_claim',
  'event.transfer_to_plan',
  'event.reversal',
  'event.monitoring_decision',
  'event.monitoring',
  'event.watch',
  'event.part_payment_notification',
  'event.collection_claim',
  'event.collection_notification',
] as const satisfies readonly MessageId[]

/** What a posting or a step of the schedule is called on the screen, by its type on the wire. */
export const EVENT_NAMES: Readonly<Record<string, MessageId>> = {
  INVOICE: 'invoice.amount',
  CREDIT_INVOICE: 'invoice.credit_invoice',
  INTEREST: 'claim.late_interest',
  BAILIFF_PAYMENT_INJUCTION: 'event.bailiff_payment_injunction',
  DENIED_TAX_REDUCTION_NOTIFICATION: 'event.denied_tax_reduction',
  ...Object.fromEntries(EVENTS.map((id) => [id.slice('event.'.length).toUpperCase(), id])),
}
