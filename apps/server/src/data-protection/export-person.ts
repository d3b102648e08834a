/** Everything that a provider holds about one person, in one moment. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { exportPerson as contract } from '@kvitt/domain/data-protection/personal-data.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { findSamePerson, readPersonalRows } from './export-person.queries.ts'

export type HeldData = AnswerOf<typeof contract>

/**
 * Reads it in one snapshot, and then writes the deed down: `debtor:{id}` of each row that is the person, so that the person's own
 * log of who looked has it. Refuses `not_found` for who is no debtor of the instance.
 */
export async function exportPerson(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  { debtorId, reason, as }: { readonly debtorId: string; readonly reason: string; readonly as: string },
): Promise<HeldData> {
  const { instance } = principal
  const held = await inOneSnapshot(db, async (snapshot) => {
    const same = await findSamePerson(
      snapshot,
      { instanceId: instance.id, debtorId },
      clock.today(instance.timeZone),
    )
    if (!same) throw new Refusal('not_found')
    return {
      at: new Date(clock.now()).toISOString(),
      provider: instance.row.name,
      debtors: [...same.ids],
      perhaps: [...same.perhaps],
      rows: (await readPersonalRows(snapshot, instance.id, same.ids)) as HeldData['rows'],
    }
  })
  await db.transaction(async (tx) => {
    for (const id of held.debtors)
      await noteDeed(tx, {
        instanceId: instance.id,
        kind: 'person_exported',
        by: actorOf(principal),
        about: `debtor:${id}`,
        reason,
        after: { file: as, tables: Object.keys(held.rows).length },
      })
  })
  return held
}
