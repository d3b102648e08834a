/** What of payments is measured. */
import type { Measure } from '../platform/measures/measures.ts'
import { countWaiting } from './inbox.queries.ts'

export const PAYMENT_MEASURES: readonly Measure[] = [
  {
    name: 'kvitt_payments_unsigned',
    help: 'Payments made and not signed yet',
    count: async (db) => (await countWaiting(db)).unsigned,
  },
  {
    name: 'kvitt_gateway_events_waiting',
    help: 'Gateway events not applied yet',
    count: async (db) => (await countWaiting(db)).events,
  },
]
