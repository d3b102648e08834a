import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  getOfficeImport,
  listOfficeImportRows,
  searchOfficeImports,
} from '@kvitt/domain/imports/office-import.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { carryForm } from '@kvitt/ui/carry-form.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Import = AnswerOf<typeof searchOfficeImports>[number]
export type ImportDetail = AnswerOf<typeof getOfficeImport>
export type ImportRow = AnswerOf<typeof listOfficeImportRows>[number]

const IMPORTS = 'imports'
const LOOK_MS = 1_000

/** Work goes on behind: it is looked at until it is done. */
const isUnderWay = ({ status, progress }: Pick<Import, 'status' | 'progress'>): boolean =>
  status === 'CHECKING' || progress !== null

export const importsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [IMPORTS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/imports/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? LOOK_MS : false),
  })

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [IMPORTS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/imports/:id', { id }), { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_MS : false),
  })

/** What each tab shows. The first is the one that opens when a row is wrong. */
export const ROW_TABS = { wrong: 'WRONG', ready: 'READY', unchanged: 'UNCHANGED', all: undefined } as const
export type RowTab = keyof typeof ROW_TABS

export const rowsQuery = (id: string, tab: RowTab, page: number) =>
  queryOptions({
    queryKey: [IMPORTS, 'rows', id, tab, page],
    queryFn: ({ signal }) =>
      api.askList(
        staffCall(
          'GET',
          '/client/imports/:id/rows',
          { id },
          { state: ROW_TABS[tab], limit: String(ROWS_A_PAGE), page: String(page) },
        ),
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

export const ROWS_A_PAGE = 50

/** What is made of a file stands in the lists of invoices, debtors and tasks too. */
export const reloadImports = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })

/** Sends a file; `onShare` is told from 0 to 1 how much of it is on its way. */
export function sendFile(file: File, onShare: (share: number) => void): Promise<ImportDetail> {
  const body = new FormData()
  body.append('file', file)
  return api.ask(staffCall('PUT', '/client/imports'), { body, carrier: carryForm(onShare) })
}

type Fields = Readonly<Record<string, string | null>>

export const mendRow = (
  id: string,
  { number, version }: ImportRow,
  mend: Fields | { readonly leaveOut: true },
): Promise<ImportRow> =>
  api.ask(staffCall('PUT', '/client/imports/:id/rows/:number', { id, number: String(number) }), {
    body: { ...mend, version },
  })

export const keepMapping = (
  { id, version }: Pick<ImportDetail, 'id' | 'version'>,
  mapping: Fields,
): Promise<ImportDetail> =>
  api.ask(staffCall('PUT', '/client/imports/:id/mapping', { id }), { body: { mapping, version } })

export const confirmImport = (
  id: string,
  how: { readonly approve: boolean; readonly alreadySent?: { readonly sentDate: string } },
): Promise<ImportDetail> => api.ask(staffCall('POST', '/client/imports/:id/confirm', { id }), { body: how })

export const undoImport = (id: string): Promise<ImportDetail> =>
  api.ask(staffCall('POST', '/client/imports/:id/undo', { id }))
