/** How a figure of a country stands at a provider. */

/** `ENTERED`: by people of the provider. `ASSUMED`: nobody has confirmed it, and where debts are real nothing is charged by it. */
export const FIGURE_STATES = ['CONFIRMED', 'ENTERED', 'ASSUMED', 'UNKNOWN'] as const
export type FigureState = (typeof FIGURE_STATES)[number]

/** `REPLACED`: another row for the same day holds instead. */
export const ROW_STATES = ['CONFIRMED', 'ENTERED', 'ASSUMED', 'REPLACED'] as const
export type RowState = (typeof ROW_STATES)[number]
