/** An application to the authority, as a person records it on the day of the clock. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { recordApplication, type CourtContext } from '../../court/court.ts'
import { newId } from '../../platform/identity.ts'

export async function recordApplied(
  context: CourtContext,
  { instanceId, claimId, on }: { instanceId: string; claimId: string; on: CalendarDate },
): Promise<void> {
  const application = { on, authority: 'Kronofogden', caseNumber: newId(Date.now()) }
  const by = { actor: 'berit', reason: 'nobody paid' }
  await recordApplication(context, { instanceId, claimId }, { application, today: on, by })
}
