/** A debt rests while somebody looks into it, and goes on afterwards: an invoice or a claim alike. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { pauseLockedClaim, resumeLockedClaim } from './claim-pause.ts'
import { lockAgain, type LockedDebt } from './let-off.ts'
import { pauseLockedInvoice, resumeLockedInvoice, type Pause } from './pause.ts'

/** As pauseLockedInvoice and pauseLockedClaim. */
export function pauseLocked(tx: Transaction, { invoice, claim }: LockedDebt, pause: Pause): Promise<void> {
  return claim ? pauseLockedClaim(tx, claim, pause) : pauseLockedInvoice(tx, invoice, pause)
}

/** What is paused goes on; what is not stays as it is. Answers the debt as it is then, still locked. */
export async function letGoOn(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  debt: LockedDebt,
  today: CalendarDate,
): Promise<LockedDebt> {
  const { invoice, claim } = await lockAgain(tx, debt)
  if (claim?.status === 'PAUSED') await resumeLockedClaim(tx, claim, today)
  if (invoice?.status === 'PAUSED') await resumeLockedInvoice(context, tx, invoice, today)
  return lockAgain(tx, debt)
}
