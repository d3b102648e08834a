/** A debt rests while somebody looks into it, and goes on afterwards: an invoice or a claim alike. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ConversationKind } from '@kvitt/domain/conversations/conversation.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { pauseLockedClaim, resumeLockedClaim } from './claim-pause.ts'
import { setResumed } from '../../invoices/invoices.ts'
import { readDecided } from './decisions.queries.ts'
import { lockAgain, type LockedDebt } from './let-off.ts'
import { pauseLockedInvoice, resumeLockedInvoice, type Pause } from './pause.ts'

/** As pauseLockedInvoice and pauseLockedClaim. */
export function pauseLocked(tx: Transaction, { invoice, claim }: LockedDebt, pause: Pause): Promise<void> {
  return claim ? pauseLockedClaim(tx, claim, pause) : pauseLockedInvoice(tx, invoice, pause)
}

/** Why a debt rests for what its debtor has asked for. */
const ASKED: readonly string[] = ['MORE_TIME', 'SAID_PAID', 'PLAN'] satisfies readonly ConversationKind[]

/**
 * What rests for a request goes on; what a person has paused, or is not paused, stays as it is. What a bank is settling goes on
 * when that has failed: the next night resumes it. Answers the debt as it is then, still locked.
 */
export async function letGoOn(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  debt: LockedDebt,
  today: CalendarDate,
): Promise<LockedDebt> {
  const now = await lockAgain(tx, debt)
  const { invoice, claim } = now
  const { instance_id: instanceId, id } = claim ?? invoice
  const { pause_reason: why } = await readDecided(tx, instanceId, claim ? 'claim' : 'invoice', id)
  if (why === null || !ASKED.includes(why)) return now
  if (claim?.status === 'PAUSED') await resumeLockedClaim(tx, claim, today)
  if (invoice?.status === 'PAUSED') await resumeLockedInvoice(context, tx, invoice, today)
  if (invoice?.status_before_authorization === 'PAUSED')
    await setResumed(tx, { instanceId, invoiceId: id }, today)
  return lockAgain(tx, debt)
}
