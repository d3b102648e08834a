import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type { previewSettings } from '@kvitt/domain/part-payments/setting-version.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../calls.ts'

export type PreviewAsked = BodyOf<typeof previewSettings>
export type Preview = AnswerOf<typeof previewSettings>
export type Sample = Preview['samples'][number]
export type Outcome = NonNullable<Sample['rows'][number]['before']>
export type Check = Preview['checks'][number]

/** What debtors are offered hangs on the day: it is asked anew whenever it is shown. */
export const previewQuery = (asked: PreviewAsked) =>
  queryOptions({
    queryKey: ['part-payment-offers', asked],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/part-payment-offers/preview', {}), { signal, body: asked }),
    placeholderData: keepPreviousData,
  })
