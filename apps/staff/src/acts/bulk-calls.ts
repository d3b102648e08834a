/** The calls that do one act with many rows. */
import { MOST_UNDO_SECONDS } from '@kvitt/domain/acts/act.ts'
import type { CallAnswering } from '@kvitt/domain/calls.ts'
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'
import type { DebtAct } from '../debts/debt-acts.ts'

export type BulkResource = 'invoices' | 'collection-batches'
/** The rows that are named, or all that a search finds. */
export type Chosen =
  | { readonly ids: readonly string[] }
  | { readonly search: Readonly<Record<string, unknown>> }

export const BULK_RIGHTS = {
  approve: 'approve',
  pause: 'pause',
  resume: 'pause',
  'to-collection': 'to_collection',
  credit: 'credit',
  waive: 'waive',
  stop: 'stop',
  'write-off': 'write_off',
} as const satisfies Readonly<Partial<Record<DebtAct, StaffRight>>>
export type BulkAct = keyof typeof BULK_RIGHTS

export type Bulk = Awaited<ReturnType<typeof readBulk>>

export const readBulk = (id: string) => api.ask(staffCall('GET', '/client/bulk/:id', { id }))

/** How many rows these are, and what they come to. */
export const sumQuery = (resource: BulkResource, chosen: Chosen, isOn: boolean) =>
  queryOptions({
    queryKey: [resource, 'sum', chosen],
    enabled: isOn,
    queryFn: ({ signal }) =>
      resource === 'invoices'
        ? api.ask(staffCall('POST', '/client/invoices/sum'), { signal, body: bodyOf(chosen) })
        : api.ask(staffCall('POST', '/client/collection-batches/sum'), { signal, body: bodyOf(chosen) }),
    staleTime: 0,
  })

const bodyOf = (chosen: Chosen) =>
  'ids' in chosen ? { ids: [...chosen.ids] } : { search: { ...chosen.search } }

export type Expected = { readonly count: number; readonly sum: number }

/** What can be taken back for some seconds. */
const LATER: readonly BulkAct[] = ['approve', 'pause', 'credit']

export type ManyWish = { readonly resource: BulkResource; readonly act: BulkAct; readonly chosen: Chosen }

/** Does it with those that somebody has seen, and no others; in ten seconds where it can be taken back. */
export function doMany(
  { resource, act, chosen }: ManyWish,
  { count, sum }: Expected,
  { values, key }: { values: Readonly<Record<string, string>>; key: string },
): Promise<Bulk> {
  const { what, ...given } = values
  const body = {
    ...bodyOf(chosen),
    expectedCount: count,
    expectedSum: sum.toFixed(2),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== '')),
    ...(what === undefined ? {} : { [what]: true }),
  }
  const call = { method: 'POST', path: `/client/${resource}/acts/${act}` } as const
  const undo = LATER.includes(act) ? { 'Undo-Seconds': String(MOST_UNDO_SECONDS) } : {}
  return api.ask<CallAnswering<Bulk>>(call, { headers: { 'Idempotency-Key': key, ...undo }, body })
}

export const takeBackMany = (id: string) => api.ask(staffCall('DELETE', '/client/bulk/:id', { id }))

/** How far it is; asked again while something is left. */
export const bulkQuery = (first: Bulk) =>
  queryOptions({
    queryKey: ['bulk', first.id],
    initialData: first,
    queryFn: () => readBulk(first.id),
    staleTime: Infinity,
    refetchInterval: ({ state }) => ((state.data?.left ?? 0) > 0 ? 1_000 : false),
  })

/** So many are named; the others are counted. */
export const MOST_NAMED = 50

/** What people call the rows that were refused, to find them by. */
export const namesQuery = (resource: BulkResource, ids: readonly string[]) =>
  queryOptions({
    queryKey: [resource, 'names', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const body = { id: ids.join('[OR]') }
      const limit = { limit: String(MOST_NAMED) }
      if (resource === 'invoices') {
        const found = await api.askList(staffCall('POST', '/client/invoices/search', {}, limit), {
          signal,
          body,
        })
        return new Map(found.items.map(({ id, invoiceNumber }) => [id, invoiceNumber]))
      }
      const call = staffCall('POST', '/client/collection-batches/search', {}, limit)
      const found = await api.askList(call, { signal, body })
      return new Map(found.items.map(({ id, collectionBatchNumber }) => [id, collectionBatchNumber]))
    },
  })
