/** Rates, fees and ceilings of the countries: what holds at a provider, what is not known, and what its people enter. */
import { z } from 'zod'
import { adminCall, day, instant } from '../contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { strictLine } from '../typed-text.contract.ts'
import { FIGURE_STATES, ROW_STATES } from './country-figure.ts'

/** A rate as it is published; what a consumer credit may cost; amounts by what is owed. What a figure has none of is null. */
const value = {
  percent: z.string().nullable(),
  isOverReference: z.boolean().nullable(),
  costAtMostCredit: z.boolean().nullable(),
  /** The first band that holds what is owed counts; the last has no upper limit. */
  bands: z.array(z.strictObject({ upTo: z.string().nullable(), amount: z.string() })).nullable(),
}

const row = z.strictObject({
  ...value,
  /** Null: as long as the product knows. */
  from: day.nullable(),
  source: z.string(),
  state: z.enum(ROW_STATES),
  /** Null for what the product knows by itself. */
  enteredBy: z.string().nullable(),
  agreedBy: z.string().nullable(),
  agreedAt: instant.nullable(),
})

const proposed = z.strictObject({
  ...value,
  id: z.uuid(),
  from: day,
  source: z.string(),
  proposedBy: z.string(),
  proposedAt: instant,
})

/** Somebody is asked for it: a task `rate_unknown` or `ceiling_unknown`. */
const asked = z.strictObject({
  taskId: z.uuid(),
  /** Its first day; null: from now on. */
  from: day.nullable(),
  /** The number of the invoice or claim that needs it first, and when. */
  debt: z.string().nullable(),
  neededOn: day.nullable(),
})

const figure = z.strictObject({
  /** Such as `reference_rate`, `credit_cap` or `fee.consumer.REMINDER`. */
  figure: z.string(),
  state: z.enum(FIGURE_STATES),
  isHalfYearly: z.boolean(),
  /** What holds today; null where nothing does. */
  now: row.nullable(),
  /** All that is known, the newest first. */
  rows: z.array(row),
  proposed: z.array(proposed),
  asked: z.array(asked),
  /** Open invoices and claims in the country that it is a figure for. */
  openDebts: z.number().int(),
  /** Of what an application costs: those that were recorded without it, and stay so. None of any other figure. */
  withoutCost: z.number().int(),
})

export const getCountryFigures = adminCall({
  name: 'countryFigures',
  right: 'see',
  path: '/country-parameters',
  response: z.strictObject({
    /** Where debts are real what is only assumed is not charged. */
    isLive: z.boolean(),
    today: day,
    countries: z.array(
      z.strictObject({
        country: z.string(),
        currency: z.string(),
        /** The law's addition to the published rate, in percentage points. */
        margin: z.strictObject({ consumer: z.string(), business: z.string() }),
        creditors: z.number().int(),
        figures: z.array(figure),
      }),
    ),
  }),
})

/** Changes nothing by itself: another manager or an approver agrees. */
export const proposeCountryFigure = adminCall({
  name: 'proposeCountryFigure',
  right: 'rates',
  method: 'POST',
  path: '/country-parameters',
  status: 202,
  body: z.strictObject({
    country: z.string().max(2),
    figure: z.string().max(80),
    /** The first day on which it holds. */
    from: z.string().max(10),
    source: strictLine(500),
    percent: z.string().max(10).optional(),
    isOverReference: z.boolean().optional(),
    costAtMostCredit: z.boolean().optional(),
    bands: z
      .array(z.strictObject({ upTo: z.string().max(20).nullable(), amount: z.string().max(20) }))
      .max(12)
      .optional(),
    /** It is far from the value before, and that is right: asked for by `figure_unusual`. */
    confirmed: z.boolean().optional(),
    /** Another value was charged for these days, and stays in the books: asked for by `figure_charged`. */
    corrects: z.boolean().optional(),
  }),
  response: proposal,
  refusals: [
    'invalid_request',
    'figure_unknown',
    'figure_value_wrong',
    'figure_day_wrong',
    'figure_confirmed',
    'figure_charged',
    'figure_unusual',
    'figure_closed',
    'figure_same',
    'figures_busy',
    'proposal_open',
  ],
})
