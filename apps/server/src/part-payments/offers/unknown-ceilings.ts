/**
 * Where the law's ceiling of a consumer credit is not known, what costs something is not offered (`isLawful` in the
 * domain). Nobody would notice: so a person is told once for each country, until it is known or nothing is set for it any
 * more. Part of the daily run.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, creditCapOn } from '@kvitt/domain/collection/country-params.ts'
import { missingCeiling } from '@kvitt/domain/collection/missing-figure.ts'
import type { Context } from '../../context.ts'
import { readFigures } from '../../country-figures/country-figures.ts'
import { endTask, reopenTasks } from '../../tasks/tasks.ts'
import { readCostlySettings } from './unknown-ceilings.queries.ts'

/** In a country without figures of its own. */
const OTHER_CURRENCY = 'EUR'

/** Asks for each country in whose currency something is set that its creditors cannot offer a consumer on `day`. */
export async function askAboutCeilings(
  { db }: Pick<Context, 'db'>,
  instanceId: string,
  day: CalendarDate,
): Promise<void> {
  const figures = await readFigures(db, instanceId)
  for (const { country, currency, isLive } of await readCostlySettings(db, instanceId, day)) {
    const isOwn = (COUNTRY_PARAMS[country]?.currency ?? OTHER_CURRENCY) === currency
    if (!isOwn) continue
    const task = {
      instanceId,
      kind: 'ceiling_unknown',
      about: missingCeiling(country),
    } as const
    if (creditCapOn(country, day, { isLive, figures })) await endTask(db, task)
    else await reopenTasks(db, [{ ...task, details: { country, currency } }])
  }
}
