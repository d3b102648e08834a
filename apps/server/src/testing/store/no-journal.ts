/** A journal of payments that keeps nothing, for worlds whose database never goes back. */
import type { PaymentJournal } from '../../payments/payments.ts'

export const NO_JOURNAL: PaymentJournal = {
  note: async () => {},
  waiting: () => 0,
  close: async () => {},
}
