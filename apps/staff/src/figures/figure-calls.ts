import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeFigures } from '@kvitt/domain/creditors/office-creditor.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Figures = AnswerOf<typeof getOfficeFigures>

export const figuresQuery = queryOptions({
  queryKey: ['figures'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/figures'), { signal }),
})
