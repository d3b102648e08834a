/** A rest is over (M-34): what was planned goes on. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { shiftAfterPause } from '@kvitt/domain/collection/schedule.ts'
import { isRestingFlag } from '@kvitt/domain/people/debtor-flag.ts'
import { RESTS_WITH_DEBTOR } from '@kvitt/domain/tasks/task-kind.ts'
import type { Context } from '../context.ts'
import { isResting } from '../ledger/resting-debts.queries.ts'
import { giveTimeAfterRest } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockDebtsOf, type LockedFlag } from '../representatives/flag-rows.queries.ts'
import { moveTask } from '../tasks/tasks.ts'
import { moveStepRows, readPlannedRows } from './go-on.queries.ts'

type Over = {
  readonly flag: LockedFlag
  /** All of the debtor's, as they were before this one was over. */
  readonly flags: readonly LockedFlag[]
  readonly today: CalendarDate
}

/**
 * What was planned goes on, later by as long as it rested and never sooner than in three bank days, as after a pause (M-10): no day is
 * made up for, and no two letters come at once; what waited to be sent gives its whole time to pay. Nothing, while another flag of the
 * debtor's has everything rest.
 */
export async function goOn(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  of: { readonly instanceId: string; readonly debtorId: string },
  { flag, flags, today }: Over,
): Promise<void> {
  if (await isResting(tx, of.instanceId, of.debtorId)) return
  const { claims } = await lockDebtsOf(tx, of)
  const rows = await readPlannedRows(tx, of)
  const pausedOn = date(
    restedSince(
      flag,
      flags.filter(({ kind }) => isRestingFlag(kind)),
    ),
  )
  const moved = rows.map(({ id, plannedOn, country }) => ({
    id,
    on: shiftAfterPause(date(plannedOn), { country, pausedOn, today }),
  }))
  await moveStepRows(tx, of.instanceId, moved)
  await giveTimeAfterRest(context, tx, of, today)
  // Whoever has to do something about them has the whole time for it, from today.
  for (const kind of RESTS_WITH_DEBTOR)
    for (const id of claims)
      await moveTask(tx, { instanceId: of.instanceId, kind, about: `claim:${id}`, madeOn: today })
}

/**
 * The first day of the rest that ends with `flag`: flags that follow each other without a day between them are one. Of two of one day nobody
 * knows which came first, and the later day is the debtor's.
 */
function restedSince(flag: LockedFlag, flags: readonly LockedFlag[]): string {
  let since = flag.setOn
  for (let before: LockedFlag | undefined = flag; before; ) {
    before = flags.find((other) => other.id !== flag.id && other.setOn < since && overOn(other) >= since)
    if (before) since = before.setOn
  }
  return since
}

/** When what it had rest went on; what nobody has ended goes on today. */
function overOn({ answer, answeredOn, endedOn }: LockedFlag): string {
  return (answer === 'GO_ON' ? answeredOn : endedOn) ?? '9999-12-31'
}
