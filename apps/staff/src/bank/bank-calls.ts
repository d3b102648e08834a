import type { BankEntryKind } from '@kvitt/domain/bank-files/bank-entry.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  listPaymentBatchLines,
  searchPaymentBatches,
} from '@kvitt/domain/bank-files/payment-batch.contract.ts'
import type { getBankAccounts, previewAccountHolder } from '@kvitt/domain/bank-files/bank-account.contract.ts'
import type { AccountFiles } from '@kvitt/domain/bank-files/told-days.ts'
import type { getSuspense, searchSuspense } from '@kvitt/domain/bank-files/suspense.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { carryForm } from '@kvitt/ui/carry-form.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Batch = AnswerOf<typeof searchPaymentBatches>[number]
export type BatchLine = AnswerOf<typeof listPaymentBatchLines>[number]
export type Suspended = AnswerOf<typeof searchSuspense>[number]
export type SuspendedCase = AnswerOf<typeof getSuspense>
export type Candidate = SuspendedCase['candidates'][number]
export type BankAccount = AnswerOf<typeof getBankAccounts>['accounts'][number]
export type ForeseenHolder = AnswerOf<typeof previewAccountHolder>

/** Where money is to be placed. */
export type Target =
  | { readonly invoice: string }
  | { readonly collectionBatch: string }
  | { readonly parts: { readonly invoice: string; readonly amount: string }[] }

const BANK = 'bank'

export const accountsQuery = queryOptions({
  queryKey: [BANK, 'accounts'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/bank-accounts'), { signal }),
})

export const chooseFiles = (id: string, files: AccountFiles) =>
  api.ask(staffCall('POST', '/admin/bank-accounts/:id/files', { id }), { body: { files } })

/** Who has a creditor's account at the bank. */
export const tellHolder = (id: string, holder: 'INSTANCE' | 'CREDITOR') =>
  api.ask(staffCall('POST', '/admin/bank-accounts/:id/holder', { id }), { body: { holder } })

/** What telling it would book anew. Nothing changes. */
export const foreseeHolder = (id: string, holder: 'INSTANCE' | 'CREDITOR') =>
  api.ask(staffCall('POST', '/admin/bank-accounts/:id/holder/preview', { id }), { body: { holder } })

/** All money up to and with the day is here. */
export const confirmTold = (id: string, to: string) =>
  api.ask(staffCall('POST', '/admin/bank-accounts/:id/told', { id }), { body: { to } })

export const batchesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [BANK, 'batches', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/payment-batches/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [BANK, 'batch', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/payment-batches/:id', { id }), { signal }),
  })

/** What each tab of a file shows. */
export const LINE_TABS = {
  suspense: 'SUSPENSE',
  booked: 'BOOKED[OR]KNOWN[OR]REVERSED[OR]SENT_BACK[OR]REPEATED[OR]SETTLED',
  all: undefined,
} as const
export type LineTab = keyof typeof LINE_TABS

export const linesQuery = (id: string, tab: LineTab, query: ListQuery) =>
  queryOptions({
    queryKey: [BANK, 'lines', id, tab, query],
    queryFn: ({ signal }) => {
      const { limit, page } = pagingOf(query)
      const asked = { limit, page, status: LINE_TABS[tab] }
      return api.askList(staffCall('GET', '/admin/payment-batches/:id/lines', { id }, asked), { signal })
    },
    placeholderData: keepPreviousData,
  })

export const suspenseQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [BANK, 'suspense', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/suspense/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: [BANK, 'case', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/suspense/:id', { id }), { signal }),
  })

export const previewQuery = (id: string, target: Target | undefined) =>
  queryOptions({
    queryKey: [BANK, 'preview', id, target],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/suspense/:id/preview', { id }), { signal, body: target ?? {} }),
    enabled: target !== undefined,
    retry: false,
    meta: { isSilent: true },
  })

/** What it would write in the books to take back what the bank has taken back. */
export const takeBackQuery = (id: string) =>
  queryOptions({
    queryKey: [BANK, 'take-back', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/suspense/:id/preview-take-back', { id }), { signal }),
    retry: false,
    meta: { isSilent: true },
  })

export const takeBack = (id: string, key: string) =>
  api.ask(staffCall('POST', '/admin/suspense/:id/take-back', { id }), { headers: { 'Idempotency-Key': key } })

/** What a line is, of the bank's own or the operator's money. */
export type Entry = { readonly kind: BankEntryKind; readonly creditor?: string; readonly payout?: string }

export const entryQuery = (id: string, entry: Entry | undefined) =>
  queryOptions({
    queryKey: [BANK, 'entry', id, entry],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/suspense/:id/preview-entry', { id }), {
        signal,
        body: entry ?? { kind: 'FEE' },
      }),
    enabled: entry !== undefined,
    retry: false,
    meta: { isSilent: true },
  })

export function enterMoney(id: string, key: string, { kind, creditor, payout }: Entry) {
  const headers = { 'Idempotency-Key': key }
  if (kind === 'FEES_DRAWN')
    return api.ask(staffCall('POST', '/admin/suspense/:id/fees-drawn', { id }), { headers })
  if (kind === 'ADVANCE')
    return api.ask(staffCall('POST', '/admin/suspense/:id/advance', { id }), {
      headers,
      body: { creditor: creditor ?? '' },
    })
  if (kind === 'PAID_BACK')
    return api.ask(staffCall('POST', '/admin/suspense/:id/paid-back', { id }), {
      headers,
      body: { payout: payout ?? '' },
    })
  return api.ask(staffCall('POST', '/admin/suspense/:id/bank-cost', { id }), { headers, body: { kind } })
}

export const enterFile = (id: string, key: string, file: string) =>
  api.ask(staffCall('POST', '/admin/suspense/:id/file', { id }), {
    headers: { 'Idempotency-Key': key },
    body: { file },
  })

/** What it would write in the books to say that rows of the debit were paid twice. */
export const paidTwiceQuery = (id: string, file: string | undefined) =>
  queryOptions({
    queryKey: [BANK, 'paid-twice', id, file],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/suspense/:id/preview-paid-twice', { id }), {
        signal,
        body: { file: file ?? null },
      }),
    retry: false,
    meta: { isSilent: true },
  })

export const proposePaidTwice = (id: string, key: string, file: string | undefined) =>
  api.ask(staffCall('POST', '/admin/suspense/:id/paid-twice', { id }), {
    headers: { 'Idempotency-Key': key },
    body: { file: file ?? null },
  })

/** What has moved stands in the lists of files, payments, invoices and tasks too. */
export const reloadMoney = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })

/** Hands a file in; `onShare` is told from 0 to 1 how much of it is on its way. */
export function sendBankFile(file: File, onShare: (share: number) => void) {
  const body = new FormData()
  body.append('file', file)
  return api.ask(staffCall('PUT', '/admin/payment-batches'), { body, carrier: carryForm(onShare) })
}

export const placeMoney = (id: string, key: string, target: Target) =>
  api.ask(staffCall('POST', '/admin/suspense/:id/place', { id }), {
    headers: { 'Idempotency-Key': key },
    body: target,
  })

export const sendMoneyBack = (id: string, key: string) =>
  api.ask(staffCall('POST', '/admin/suspense/:id/send-back', { id }), {
    headers: { 'Idempotency-Key': key },
    body: {},
  })
