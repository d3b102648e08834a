import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  getCountryFigures,
  proposeCountryFigure,
} from '@kvitt/domain/country-figures/country-figure.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type CountryFigures = AnswerOf<typeof getCountryFigures>
export type Country = CountryFigures['countries'][number]
export type Figure = Country['figures'][number]
export type FigureRow = Figure['rows'][number]
export type NewFigure = BodyOf<typeof proposeCountryFigure>

export const FIGURES_KEY = 'country-parameters'

export const figuresQuery = queryOptions({
  queryKey: [FIGURES_KEY],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/country-parameters', {}), { signal }),
})

export const proposeFigure = (figure: NewFigure) =>
  api.ask(staffCall('POST', '/admin/country-parameters'), { body: figure })
