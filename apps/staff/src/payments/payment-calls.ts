import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type { getOfficePayment } from '@kvitt/domain/payments/office-payment.contract.ts'
import type { movePayment, previewPaymentAct } from '@kvitt/domain/payments/payment-acts.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Payment = AnswerOf<typeof getOfficePayment>

const PAYMENTS = 'payments'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  all: {},
  booked: { status: 'COMPLETED' },
  waiting: { status: 'CREATED[OR]IN_PROGRESS[OR]AUTHORIZED' },
  failed: { status: 'FAILED[OR]REVERSED' },
} as const
export type PaymentTab = keyof typeof TABS

export function tabOf(text: string): PaymentTab {
  return Object.hasOwn(TABS, text) ? (text as PaymentTab) : 'all'
}

const asked = (query: ListQuery) => ({ query: query.text, filters: TABS[tabOf(query.tab)] })

/** All that is found, as the kind of file that the headers accept. */
export const fetchPayments =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/payments/search', {}, pagingOf(query)), {
      headers,
      body: asked(query),
    })

export const paymentsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [PAYMENTS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/payments/search', {}, pagingOf(query)), {
        signal,
        body: asked(query),
      }),
    placeholderData: keepPreviousData,
  })

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: [PAYMENTS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/payments/:id', { id }), { signal }),
  })

type Preview = AnswerOf<typeof previewPaymentAct>
export type MovedTo = BodyOf<typeof movePayment>['to']
/** Who it goes to, and what that changes; without a debt it is taken back. */
export type Foreseen = Preview & { readonly to: MovedTo | undefined }

/** What taking it back or moving it would change. Nothing changes. */
export const foresee = async (id: string, to?: MovedTo): Promise<Foreseen> => ({
  ...(await api.ask(staffCall('POST', '/admin/payments/:id/preview', { id }), { body: { to } })),
  to,
})

/** Moves it where it belongs, or takes it back; `key` is the same for every try. */
export const actOnPayment = (id: string, { to }: Foreseen, reason: string, key: string) => {
  const headers = { 'Idempotency-Key': key }
  return to
    ? api.ask(staffCall('POST', '/admin/payments/:id/move', { id }), { headers, body: { to, reason } })
    : api.ask(staffCall('POST', '/admin/payments/:id/reverse', { id }), { headers, body: { reason } })
}

/** Has its gateway asked now what became of it. */
export const askGateway = (id: string) => api.ask(staffCall('POST', '/admin/payments/:id/ask', { id }))

/** Takes back what staff entered by mistake; `key` is the same for every try. */
export const reversePayment = (id: string, reason: string, key: string) =>
  api.ask(staffCall('POST', '/client/payments/:id/reverse', { id }), {
    body: { reason: reason.trim() },
    headers: { 'Idempotency-Key': key },
  })
