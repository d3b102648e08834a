import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOnboarding } from '@kvitt/domain/instances/onboarding.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Onboarding = AnswerOf<typeof getOnboarding>
export type Line = Onboarding['steps'][number]

/** Of the operator's own provider. Always asked anew: what is missing is mended on other pages. */
export const onboardingQuery = queryOptions({
  queryKey: ['onboarding'],
  queryFn: async ({ signal }): Promise<Onboarding> => {
    const own = staffCall('POST', '/admin/instance-providers/search', {}, {})
    const { items } = await api.askList(own, { signal, body: {} })
    const id = items[0]?.id ?? ''
    return api.ask(staffCall('GET', '/admin/instance-providers/:id/onboarding', { id }), { signal })
  },
  staleTime: 0,
})
