/** A debtor has more time to pay: what a creditor's staff grants, and what is granted by rule. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import { lockClaim } from '../claims/claims.ts'
import { giveMoreTimeOnLocked, type LockedDebt } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import type { ClaimAct } from './claim-acts.ts'
import { dayAhead, decide, onOwnInvoice, type Act } from './decide.ts'

export type MoreTime = {
  readonly until: CalendarDate
  readonly on: CalendarDate
  readonly by: string
  readonly reason?: string | undefined
}

/** Gives it, tells the debtor, and notes who did. Refuses `act_not_open` for a day that is no later than the last day now. */
export async function grantMoreTime(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  locked: LockedDebt,
  { until, on, by, reason }: MoreTime,
): Promise<void> {
  const { instance_id: instanceId, id, expire_date: expireDate } = locked.claim ?? locked.invoice
  if (until <= expireDate) throw new Refusal('act_not_open', {}, ['until'])
  await giveMoreTimeOnLocked(context, tx, locked, { until, on })
  await queueMail(context, tx, {
    kind: locked.claim ? 'more_time_on_claim' : 'more_time',
    cause: `more-time:${id}:${until}`,
    instanceId,
    debt: locked.claim ? { claimId: id } : { invoiceId: id },
    params: () => ({ day: until }),
  })
  await noteDeed(tx, {
    instanceId,
    kind: 'more_time_given',
    by,
    about: `${locked.claim ? 'claim' : 'invoice'}:${id}`,
    reason: reason?.trim() || undefined,
    before: { expireDate },
    after: { expireDate: until },
  })
}

type Body = { readonly until: string; readonly reason?: string | null | undefined }

const wishOf = (act: Act | ClaimAct, { until, reason }: Body) => ({
  until: dayAhead(act, until),
  by: actorOf(act.principal),
  reason: reason ?? undefined,
})

export function moreTime(act: Act, body: Body): Promise<Acted> {
  return onOwnInvoice(act, (tx, invoice, on) =>
    grantMoreTime(act.context, tx, { invoice }, { ...wishOf(act, body), on }),
  )
}

export function moreTimeOnClaim(act: ClaimAct, body: Body): Promise<Acted> {
  const { context, principal, row } = act
  return decide(act, async (tx, on) => {
    const claim = await lockClaim(tx, { instanceId: principal.instance.id, claimId: row.id })
    await grantMoreTime(context, tx, { claim }, { ...wishOf(act, body), on })
    return row.id
  })
}
