/** What debtors would be offered for sample balances, by the function that makes every offer; and what the law makes of a version. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, type Law } from '@kvitt/domain/collection/country-params.ts'
import type { AnswerOf, BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, isCurrency, money, parseAmount, type Currency, type Money } from '@kvitt/domain/money.ts'
import { legalChecks, whyNotOffered, type LegalCheck } from '@kvitt/domain/part-payments/legal-checks.ts'
import {
  offersFor,
  type Offer,
  type OfferQuestion,
  type PlanSetting,
} from '@kvitt/domain/part-payments/offer.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import type { previewSettings } from '@kvitt/domain/part-payments/setting-version.contract.ts'
import { SETTING_LIMITS, startOr } from '@kvitt/domain/part-payments/setting-version.ts'
import type { Context } from '../context.ts'
import { readFigures } from '../country-figures/country-figures.ts'
import { findSettings, rateAmount } from '../part-payments/part-payments.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { requireOwner, requireTerms } from './plan-desk.ts'
import { readPlaces } from './plan-desk.queries.ts'

type Asked = BodyOf<typeof previewSettings>
type Answer = Loosen<AnswerOf<typeof previewSettings>>
type Sample = Answer['samples'][number]
type Outcome = Sample['rows'][number]['before']

const METHOD_OF_VARIANT = {
  PART_PAYMENT: 'PART_PAYMENT_PLAN',
  ONGOING_PAYMENT: 'PART_PAYMENT_PLAN',
  PART_PAYMENT_ACCOUNT: 'PART_PAYMENT_ACCOUNT',
} as const satisfies Record<PlanVariant, string>

/** A version that is not agreed to has no row yet. */
const NO_ROW = '00000000-0000-0000-0000-000000000000'

type Sets = {
  readonly before: readonly PlanSetting[]
  readonly after: readonly PlanSetting[]
  readonly isTaken: (setting: PlanSetting) => boolean
}

function balanceOf(text: string, currency: Currency): Money {
  const balance = parseAmount(text, currency)
  const { least, most } = SETTING_LIMITS.smallestBalance
  if (!balance || balance.minor <= 0 || balance.minor > Number(most) * 100)
    throw new Refusal('setting_value_wrong', { least, most }, ['balances'])
  return balance
}

const figuresOf = ({ plan }: Offer): NonNullable<Outcome>['figures'] => ({
  instalments: plan.instalments.length,
  monthly: new Amount(plan.monthly.minor),
  totalToPay: new Amount(plan.totalToPay.minor),
  cost: new Amount(plan.creditCost.minor),
  effectiveRate: rateAmount(plan.apr),
})

type List = { readonly offers: readonly Offer[]; readonly outcomeOf: (code: string) => Outcome }

/** What one list of settings comes to. The outcome is null where it has no such code, or it is another currency's. */
function listOf(settings: readonly PlanSetting[], { isTaken }: Sets, question: OfferQuestion): List {
  const offers = offersFor(settings.filter(isTaken), question)
  return {
    offers,
    outcomeOf: (code) => {
      const offer = offers.find(({ setting }) => setting.code === code)
      if (offer) return { figures: figuresOf(offer), why: null }
      const setting = settings.find((one) => one.code === code)
      if (setting?.currency !== question.balance.currency) return null
      if (!isTaken(setting)) return { figures: null, why: 'method_not_taken' }
      return { figures: null, why: whyNotOffered(setting, question) ?? 'other_account' }
    },
  }
}

function sampleOf(sets: Sets, taken: string | undefined, question: OfferQuestion): Sample {
  const before = listOf(sets.before, sets, question)
  const after = listOf(sets.after, sets, question)
  // In the order of the debtor's list; of what only one list has, where it stands there.
  const order = [...after.offers, ...before.offers].map(({ setting }) => setting)
  const settings = new Map(
    [...order, ...sets.after, ...sets.before].map((setting) => [setting.code, setting]),
  )
  const rows = [...settings.values()].map(({ code, variant }) => ({
    code,
    variant,
    before: before.outcomeOf(code),
    after: code === taken ? { figures: null, why: 'not_offered' as const } : after.outcomeOf(code),
  }))
  return {
    balance: new Amount(question.balance.minor),
    rows: rows.filter((row) => row.before !== null || row.after !== null),
  }
}

const presentCheck = ({ country, code, ceiling, belowMinor }: LegalCheck) => ({
  country,
  code,
  ceiling: ceiling ?? null,
  below: belowMinor === undefined ? null : new Amount(belowMinor),
})

/** The countries whose law counts: those of the currency, or of another currency where there are none. */
function lawsOf(countries: readonly string[], currency: string): readonly string[] {
  const own = countries.filter((country) => (COUNTRY_PARAMS[country]?.currency ?? 'EUR') === currency)
  return own.length > 0 ? own : countries
}

type Wanted = { readonly version: PlanSetting | undefined; readonly taken: string | undefined }

function readVersion(asked: Asked): Wanted {
  // Of what is taken off the list nothing is looked at but its name.
  if (!asked.version?.isOffered) return { version: undefined, taken: asked.version?.code }
  return { version: { id: NO_ROW, ...requireTerms(asked.version) }, taken: undefined }
}

/** Refuses what requireTerms refuses, and a balance that is none. Changes nothing. */
export async function previewOffers(
  context: Context,
  { instance: { id: instanceId, timeZone } }: OperatorMember,
  asked: Asked,
): Promise<Answer> {
  const { db, clock } = context
  const { creditorId, debtorKind } = asked
  const currency = asked.version?.currency ?? asked.currency
  if (!isCurrency(currency)) throw new Refusal('invalid_request', {}, ['currency'])
  const { version, taken } = readVersion(asked)
  const balances = asked.balances.map((text) => balanceOf(text, currency))
  await requireOwner(context, { instanceId, creditorId })
  const day: CalendarDate = startOr(asked.version?.from ?? '', clock.today(timeZone))
  const now = await findSettings(db, { instanceId, creditorId }, day)
  const others = now.filter(({ code }) => code !== asked.version?.code)
  const { countries, isLive, methods } = await readPlaces(db, { instanceId, creditorId })
  const sets: Sets = {
    before: now,
    after: version ? [...others, version] : others,
    isTaken: ({ variant }) => methods?.includes(METHOD_OF_VARIANT[variant]) ?? true,
  }
  const laws = lawsOf(countries, currency)
  const law: Law = { isLive, figures: await readFigures(db, instanceId) }
  const country = laws[0]
  const question = { ...law, country: country ?? '', debtorKind, day }
  return {
    day,
    currency,
    country: country ?? null,
    checks: version
      ? laws.flatMap((of) => legalChecks(version, { ...law, country: of, day })).map(presentCheck)
      : [],
    samples: balances.map(({ minor }) =>
      sampleOf(sets, taken, { ...question, balance: money(minor, currency) }),
    ),
  }
}
