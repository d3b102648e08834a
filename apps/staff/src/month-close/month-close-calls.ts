import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getMonthReport, listMonthClosings } from '@kvitt/domain/month-close/month-close.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type MonthClosings = AnswerOf<typeof listMonthClosings>
export type MonthReport = AnswerOf<typeof getMonthReport>

const MONTHS = 'month-closings'

export const closingsQuery = queryOptions({
  queryKey: [MONTHS, 'list'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/month-closings'), { signal }),
})

export const reportQuery = (month: string) =>
  queryOptions({
    queryKey: [MONTHS, 'report', month],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/month-closings/report', {}, { month }), { signal }),
  })

export const fetchReport = (month: string, format: 'pdf' | 'sie', currency?: string) =>
  api.fetchFile(
    staffCall('GET', '/admin/month-closings/report', {}, { month, ...(currency ? { currency } : {}) }),
    { headers: { Accept: format === 'pdf' ? 'application/pdf' : 'application/x-sie' } },
  )

export const closeMonth = ({ month, version }: MonthReport, note: string) =>
  api.ask(staffCall('POST', '/admin/month-closings'), { body: { month, version, note: note.trim() || null } })
