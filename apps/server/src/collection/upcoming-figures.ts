/**
 * Two weeks before a figure of another half-year is needed a person is asked for it. Part of the daily run; what a step will need
 * that is planned for sooner is asked for when it is planned.
 */
import { addDays, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  COUNTRY_PARAMS,
  feeOn,
  rateOn,
  type DebtorKind,
  type Figures,
} from '@kvitt/domain/collection/country-params.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import { postsInterest } from '@kvitt/domain/collection/interest-posting.ts'
import { CLAIM_STEPS, INVOICE_STEPS, type StepType } from '@kvitt/domain/collection/schedule-table.ts'
import type { Context } from '../context.ts'
import { askAboutContradicted, endKnownFigures, readFigures } from '../country-figures/country-figures.ts'
import { ASK_DAYS_BEFORE } from './decide-step.ts'
import { askForFigures, missingFee, missingRateOn, type Missing, type Need } from './missing-figures.ts'
import { findFirstPlanned, readCollectingCountries } from './upcoming-figures.queries.ts'

const STEPS: readonly StepType[] = [...INVOICE_STEPS, ...CLAIM_STEPS]
const KINDS: readonly DebtorKind[] = ['consumer', 'business']

type Lack = {
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly missing: Missing
  readonly types: readonly StepType[]
}

type LiveLaw = { readonly isLive: boolean; readonly figures: Figures }

/** What is not known on a day in a country. What a court costs is no figure of a half-year. */
function lacksOn(country: string, day: CalendarDate, law: LiveLaw): Lack[] {
  return KINDS.flatMap((debtorKind) => {
    const of = { country, debtorKind, ...law }
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
  const figures = await readFigures(db, instanceId)
  // What was entered when nobody saw it, or what a newer program knows.
  await endKnownFigures(db, instanceId, { figures, today: day })
  await db.transaction((tx) => askAboutContradicted(tx, instanceId))
  const lastDay = addDays(day, ASK_DAYS_BEFORE)
  // Within one half-year each step was looked at when it was planned.
  if (halfYearOf(day).name === halfYearOf(lastDay).name) return
  const needs: Need[] = []
  for (const { country, isLive } of countries) {
    if (!Object.hasOwn(COUNTRY_PARAMS, country)) continue
    for (const { missing, debtorKind, types } of lacksOn(country, lastDay, { isLive, figures })) {
      const span = { from: laterOf(missing.from, day), to: lastDay }
      const first = await findFirstPlanned(db, { instanceId, country, debtorKind, types, ...span })
      if (first) needs.push({ ...missing, number: first.number, neededOn: first.planned_date })
    }
  }
  await db.transaction((tx) => askForFigures(tx, instanceId, needs))
}
