/** How often a debt's payment was begun. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { LimitsConfig } from '../../../config/config-limits.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

/** Seconds until the oldest of as many starts as are allowed lies outside its minute, and its day. */
const wait = statement(
  'payments.waitForStart',
  `with starts as (
     select extract(epoch from now() - created_at) as age from payment
     where instance_id = $1 and debt_id = $2 and created_at > now() - interval '1 day'
   )
   select ceil(greatest(
     60 - (select age from starts order by age offset $3 - 1 limit 1),
     86400 - (select age from starts order by age offset $4 - 1 limit 1), 0))::int as seconds`,
)

/** In seconds. */
const UNITS = [
  { unit: 'hours', length: 3600, above: 7200 },
  { unit: 'minutes', length: 60, above: 120 },
  { unit: 'seconds', length: 1, above: 0 },
] as const

type Starts = { readonly instanceId: string; readonly debt: Debt }

/**
 * Refuses with `payment_starts_throttled` while no further payment of this debt may be started. Its caller holds the debt's
 * lock, so that of many starts at once exactly as many begin as may. The database's clock decides.
 */
export async function requireStart(
  tx: Transaction,
  { instanceId, debt }: Starts,
  { perMinute, perDay }: LimitsConfig['paymentStarts'],
): Promise<void> {
  const [row] = await tx.rows<{ seconds: number }>(wait, [instanceId, debtId(debt), perMinute, perDay])
  const seconds = row?.seconds ?? 0
  if (seconds <= 0) return
  const { unit, length } = UNITS.find((one) => seconds > one.above) ?? UNITS[2]
  throw new Refusal('payment_starts_throttled', {
    retryAfterSeconds: String(seconds),
    unit,
    count: String(Math.ceil(seconds / length)),
  })
}
