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

type CopyDeed = {
  readonly instanceId: string
  readonly debtorIds: readonly string[]
  /** Made by a job; or handed out: fetched, or answered at once. */
  readonly kind: 'person_copy_made' | 'person_exported'
  readonly by: string
  readonly reason: string
  /** `file` is its kind; `copy` names the copy that a job has made. */
  readonly after: { readonly file: string; readonly copy?: string; readonly tables?: number }
}

/** Writes the deed down: `debtor:{id}` of each row that is the person, so that the person's own log of who looked has it. */
export async function noteCopy(tx: Transaction, { debtorIds, ...deed }: CopyDeed): Promise<void> {
  for (const id of debtorIds) await noteDeed(tx, { ...deed, about: `debtor:${id}` })
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
  const after = { file: 'json', tables: Object.keys(held.rows).length }
  const deed = { instanceId: instance.id, kind: 'person_exported', by, reason, after } as const
  await context.db.transaction((tx) => noteCopy(tx, { ...deed, debtorIds: held.debtors }))
  return held
}
