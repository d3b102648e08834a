import { t, type MessageId } from '../text.ts'

const STEPS: Readonly<Record<string, MessageId>> = {
  EXPIRED: 'step.EXPIRED',
  DELAYED_PENALTY_FEE: 'step.DELAYED_PENALTY_FEE',
  EXPIRED_NOTIFICATION: 'step.EXPIRED_NOTIFICATION',
  REMINDER: 'step.REMINDER',
  COLLECTION_NOTIFICATION: 'step.COLLECTION_NOTIFICATION',
  COLLECTION: 'step.COLLECTION',
  COLLECTION_CLAIM: 'step.COLLECTION_CLAIM',
  SCHEDULE_END: 'step.SCHEDULE_END',
  MONITORING: 'step.MONITORING',
  WATCH: 'step.WATCH',
  BAILIFF_PAYMENT_INJUCTION: 'step.BAILIFF_PAYMENT_INJUCTION',
  MONITORING_DECISION: 'step.MONITORING_DECISION',
}

/** What a step of the schedule is called. */
export const stepText = (type: string): string => t(STEPS[type] ?? 'step.other')
