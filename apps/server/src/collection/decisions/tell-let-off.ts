/** What a debtor hears of what they are let off. Written down in the transaction of the decision (mail.ts). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Money } from '@kvitt/domain/money.ts'
import { queueMail } from '../../mail/mail.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { printedAmount } from '../../platform/printed-amount.ts'
import { debtOf, keyOf, type LockedDebt } from './let-off.ts'
import type { DecisionContext } from './tell-decision.ts'

type Told = {
  readonly kind: 'costs_waived' | 'interest_waived' | 'all_interest_waived' | 'written_off'
  readonly cause: string
  readonly on: CalendarDate
  /** What less is owed. */
  readonly off: Money
  readonly restMinor: number
}

/** Tells what is gone, and what is left to be paid. */
export async function tellLetOff(
  { clock, config }: Pick<DecisionContext, 'clock' | 'config'>,
  tx: Transaction,
  locked: LockedDebt,
  { kind, cause, on, off, restMinor }: Told,
): Promise<void> {
  if (!config) return
  await queueMail({ clock, config }, tx, {
    kind,
    cause,
    instanceId: keyOf(locked).instanceId,
    debt: debtOf(locked),
    params: (language) => ({
      amount: printedAmount(off.minor, off.currency, language),
      left: restMinor > 0 ? 'yes' : 'no',
      rest: printedAmount(restMinor, off.currency, language),
      day: on,
    }),
  })
}
