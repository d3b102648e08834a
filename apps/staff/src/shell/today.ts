import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

/** The instance's business day, which is not the day of this device; where there is no invoice yet, it is. */
export const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: async ({ signal }) => {
    const call = staffCall('POST', '/client/invoices/search', {}, { limit: '1' })
    const { items } = await api.askList(call, { signal, body: {} })
    return items[0]?.dates.today ?? new Date().toISOString().slice(0, 10)
  },
})
