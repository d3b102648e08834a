/** What is agreed with a creditor, and its settlements, counted from the books. */
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { withLease } from '../platform/lease.ts'
import { recordRun } from '../runs/runs.ts'
import { makeSettlements } from './make-settlements.ts'
import { readLastRun } from './making.queries.ts'

export { AGREEMENT_WORK, proposeTerms } from './propose-agreement.ts'
export { AgreementNotEntered, enterAgreement, readAllAgreements, type WantedAgreement } from './agreements.ts'
export type { ListedAgreement } from './agreements.queries.ts'
export { countAgain, makeSettlements, settleLate } from './make-settlements.ts'

/** Every instance's settlements that are due. One that fails does not stop the next. */
export async function makeDueSettlements(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  instances: readonly Pick<Instance, 'id' | 'timeZone'>[],
): Promise<void> {
  for (const instance of instances) {
    try {
      const day = context.clock.today(instance.timeZone)
      const lastDay = await readLastRun(context.db, instance.id)
      if (lastDay !== undefined && lastDay >= day) continue
      await makeSettlementsOf(context, instance)
    } catch (error) {
      context.log.error({ err: error, instanceId: instance.id }, 'settlements not made')
    }
  }
}

/** The settlements of an instance that are due today. What another process is making is left to it. */
export async function makeSettlementsOf(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  instance: Pick<Instance, 'id' | 'timeZone'>,
): Promise<void> {
  const day = context.clock.today(instance.timeZone)
  const of = { instanceId: instance.id, day }
  await withLease(context.db, { ...of, work: 'settlements' }, (db) =>
    recordRun(
      { ...context, db },
      { ...of, work: 'SETTLEMENTS' },
      () => makeSettlements({ ...context, db }, instance, day),
      (counted) => ({ done: { SETTLEMENTS: counted }, isEnded: true }),
    ),
  )
}
