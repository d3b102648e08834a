/** Everything that a provider holds about one person, in one moment. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { exportPerson as contract } from '@kvitt/domain/data-protection/personal-data.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { findSamePerson, readPersonalRows } from './export-person.queries.ts'

export type HeldData = AnswerOf<typeof contract>

/** Reads it in one snapshot. Refuses `not_found` for who is no debtor of the instance. */
export function readHeldData(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  instance: Instance,
  debtorId: string,
): Promise<HeldData> {
  return inOneSnapshot(db, async (snapshot) => {
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
}

type Handing = {
  readonly instanceId: string
  readonly by: string
  readonly reason: string
  /** The kind of file. */
  readonly as: string
}

/** Writes the deed down: `debtor:{id}` of each row that is the person, so that the person's own log of who looked has it. */
export async function noteExported(
  tx: Transaction,
  held: HeldData,
  { instanceId, by, reason, as }: Handing,
): Promise<void> {
  for (const id of held.debtors)
    await noteDeed(tx, {
      instanceId,
      kind: 'person_exported',
      by,
      about: `debtor:${id}`,
      reason,
      after: { file: as, tables: Object.keys(held.rows).length },
    })
}

/** Reads it at once, as JSON, and writes the deed down; what people read and keep is made by a job (exports/). */
export async function exportPerson(
  context: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  { debtorId, reason }: { readonly debtorId: string; readonly reason: string },
): Promise<HeldData> {
  const { instance } = principal
  const held = await readHeldData(context, instance, debtorId)
  const by = actorOf(principal)
  await context.db.transaction((tx) =>
    noteExported(tx, held, { instanceId: instance.id, by, reason, as: 'json' }),
  )
  return held
}
