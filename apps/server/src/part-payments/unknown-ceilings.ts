/**
 * Where the law's ceiling of a consumer credit is not known, what costs something is not offered (`isLawful` in the
 * domain). Nobody would notice: so a person is told once for each country. Part of the night.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, creditCapOn } from '@kvitt/domain/collection/country-params.ts'
import type { Context } from '../context.ts'
import { openTask } from '../tasks/tasks.ts'
import { readCostlySettings } from './unknown-ceilings.queries.ts'

/** In a country without figures of its own. */
const OTHER_CURRENCY = 'EUR'

/** Asks for each country in whose currency something is set that its creditors cannot offer a consumer on `day`. */
export async function askAboutCeilings(
  { db }: Pick<Context, 'db'>,
  instanceId: string,
  day: CalendarDate,
): Promise<void> {
  for (const { country, currency, isLive } of await readCostlySettings(db, instanceId, day)) {
    const isOwn = (COUNTRY_PARAMS[country]?.currency ?? OTHER_CURRENCY) === currency
    if (isOwn && !creditCapOn(country, day, { isLive })) {
      const about = `ceiling of a consumer credit in ${country}`
      await openTask(db, { instanceId, kind: 'ceiling_unknown', about, details: { country, currency } })
    }
  }
}
