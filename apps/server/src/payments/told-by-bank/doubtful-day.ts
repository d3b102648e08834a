/** A day that a bank or gateway tells of money, and that can hardly be right: a person looks at it. */
import { daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { dayDoubt } from '@kvitt/domain/ledger/value-day.ts'
import { readCreditor } from '../../creditors/creditors.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { openTask } from '../../tasks/tasks.ts'

/** Ten bank days are never fewer calendar days than this: who is told within them needs no calendar of a country. */
const NEVER_LONG_DAYS = 13

export type ToldDay = {
  readonly instanceId: string
  /** As the task names the money: `payment:{id}` or `bank-line:{id}`. */
  readonly about: string
  /** The earliest day that was told of it. */
  readonly toldOn: CalendarDate
  readonly bookedOn: CalendarDate
  /** Of what it pays, where it was placed on something. */
  readonly creditorId?: string | undefined
  readonly issuedOn?: CalendarDate | undefined
}

/**
 * Makes the task `bank_day_doubtful`, once for the money. Meanwhile the money counts from that day, or from the day on which
 * it is booked when that is earlier: nobody pays for a doubt.
 */
export async function askAboutDay(tx: Transaction, told: ToldDay): Promise<void> {
  const { instanceId, about, toldOn, bookedOn, creditorId, issuedOn } = told
  const isLong = daysBetween(toldOn, bookedOn) > NEVER_LONG_DAYS
  const country = isLong && creditorId ? (await readCreditor(tx, instanceId, creditorId)).country : 'OTHER'
  const doubt = dayDoubt({ toldOn, bookedOn, issuedOn, country })
  if (!doubt) return
  const details = { doubt, toldOn, bookedOn, ...(issuedOn && { issuedOn }) }
  await openTask(tx, { instanceId, kind: 'bank_day_doubtful', about, details })
}
