/**
 * Two weeks before a figure of another half-year is needed a person is asked for it. Part of the daily run; what a step will need
 * that is planned for sooner is asked for when it is planned.
 */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, feeOn, rateOn, type DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import { postsInterest } from '@kvitt/domain/collection/interest-posting.ts'
import { CLAIM_STEPS, INVOICE_STEPS, type StepType } from '@kvitt/domain/collection/schedule-table.ts'
import type { Context } from '../context.ts'
import { ASK_DAYS_BEFORE } from './decide-step.ts'
import { endTasks } from '../tasks/tasks.ts'
import { askForFigures, missingFee, missingRateOn, type Missing, type Need } from './missing-figures.ts'
import { findFirstPlanned, readAskedFigures, readCollectingCountries } from './upcoming-figures.queries.ts'

const STEPS: readonly StepType[] = [...INVOICE_STEPS, ...CLAIM_STEPS]
const KINDS: readonly DebtorKind[] = ['consumer', 'business']

type Lack = {
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly missing: Missing
  readonly types: readonly StepType[]
}

/** What is not known on a day in a country. What a court costs is no figure of a half-year. */
function lacksOn(country: string, day: CalendarDate, isLive: boolean): Lack[] {
  return KINDS.flatMap((debtorKind) => {
    const of = { country, debtorKind, isLive }
    const asked = { ...of, principalMinor: 1, date: day, reminderFeeAgreed: true }
    const fees = STEPS.filter((step) => step !== 'BAILIFF_PAYMENT_INJUCTION' && !feeOn({ ...asked, step }))
    const rates = rateOn(country, debtorKind, day, of) ? [] : [missingRateOn(of, day)]
    return [
      ...fees.map((step) => ({ country, debtorKind, missing: missingFee(of, step, day), types: [step] })),
      ...rates.map((missing) => ({ country, debtorKind, missing, types: STEPS.filter(postsInterest) })),
    ]
  })
}

/** Asks for what the daily runs until `ASK_DAYS_BEFORE` days after `day` will need, naming what needs it first. */
export async function askBeforeNeeded(
  { db }: Pick<Context, 'db'>,
  instanceId: string,
  day: CalendarDate,
): Promise<void> {
  const countries = await readCollectingCountries(db, instanceId)
  await endKnown(
    db,
    instanceId,
    countries.some(({ isLive }) => isLive),
  )
  const lastDay = addDays(day, ASK_DAYS_BEFORE)
  // Within one half-year each step was looked at when it was planned.
  if (halfYearOf(day).name === halfYearOf(lastDay).name) return
  const needs: Need[] = []
  for (const { country, isLive } of countries) {
    if (!Object.hasOwn(COUNTRY_PARAMS, country)) continue
    for (const { missing, debtorKind, types } of lacksOn(country, lastDay, isLive)) {
      const span = { from: laterOf(missing.from, day), to: lastDay }
      const first = await findFirstPlanned(db, { instanceId, country, debtorKind, types, ...span })
      if (first) needs.push({ ...missing, number: first.number, neededOn: first.planned_date })
    }
  }
  await db.transaction((tx) => askForFigures(tx, instanceId, needs))
}

/** Ends what is asked for and known by now, because a newer program has it. */
async function endKnown(db: Context['db'], instanceId: string, isLive: boolean): Promise<void> {
  const asked = await readAskedFigures(db, instanceId)
  const known = asked.filter((about) => isKnown(about, isLive))
  if (known.length > 0) await endTasks(db, { instanceId, kind: 'rate_unknown', abouts: known })
}

/** `about` as missing-figures.ts writes it. */
function isKnown(about: string, isLive: boolean): boolean {
  const parts = /^(\S+) (consumer|business) (.+) (\d{4}) H([12])$/.exec(about)
  if (!parts) return false
  const [, country = '', kind, what = '', year, half] = parts
  const debtorKind: DebtorKind = kind === 'business' ? 'business' : 'consumer'
  const day = date(`${year}-${half === '1' ? '01' : '07'}-01`)
  if (what === 'late interest') return rateOn(country, debtorKind, day, { isLive }) !== undefined
  const question = { country, debtorKind, step: what, principalMinor: 1, date: day, isLive }
  return feeOn({ ...question, reminderFeeAgreed: true }) !== undefined
}
