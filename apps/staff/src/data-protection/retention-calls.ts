import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listPersonExports } from '@kvitt/domain/data-protection/person-export.contract.ts'
import type { getPersonErasure, getRetention } from '@kvitt/domain/data-protection/retention.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Retention = AnswerOf<typeof getRetention>
export type RetentionRule = Retention['rules'][number]
export type RetentionRun = Retention['runs'][number]
export type PersonErasure = AnswerOf<typeof getPersonErasure>

const RETENTION = 'data-protection'
/** How soon a run that erases is looked at again. */
const AGAIN_MS = 1_500

export const retentionQuery = queryOptions({
  queryKey: [RETENTION],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/data-protection'), { signal }),
  refetchInterval: ({ state }) =>
    state.data?.runs.some(({ status }) => status === 'APPROVED') ? AGAIN_MS : false,
})

const keep = (retention: Retention): Retention => {
  queries.setQueryData([RETENTION], retention)
  return retention
}

export const findOver = async () => keep(await api.ask(staffCall('POST', '/admin/data-protection/find')))

export const approveRun = async (body: { run: string; count: number; held: number; reason: string }) =>
  keep(await api.ask(staffCall('POST', '/admin/data-protection/approve'), { body }))

export const personErasureQuery = (id: string) =>
  queryOptions({
    queryKey: [RETENTION, 'debtor', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/debtors/:id/erasure', { id }), { signal }),
  })

export async function erasePerson(id: string, reason: string): Promise<PersonErasure> {
  const left = await api.ask(staffCall('POST', '/admin/debtors/:id/erasure', { id }), { body: { reason } })
  queries.setQueryData([RETENTION, 'debtor', id], left)
  return left
}

/** The answer to somebody who wants to be forgotten, as a PDF. */
export async function saveErasureLetter(id: string, name: string): Promise<void> {
  const headers = { Accept: 'application/pdf' }
  saveFile(await api.fetchFile(staffCall('GET', '/admin/debtors/:id/erasure', { id }), { headers }), name)
}

export type PersonExport = AnswerOf<typeof listPersonExports>['exports'][number]
const EXPORTS = 'person-exports'

/** The copies that one has asked for; looked at again while one is being made. */
export const personExportsQuery = (id: string) =>
  queryOptions({
    queryKey: [EXPORTS, id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/debtors/:id/personal-data/exports', { id }), { signal }),
    refetchInterval: ({ state }) =>
      state.data?.exports.some(({ status }) => status === 'WAITING') ? AGAIN_MS : false,
  })

/** Asks for a copy of all that is held about somebody. */
export async function askForExport(
  id: string,
  body: { format: PersonExport['format']; reason: string },
  key: string,
): Promise<void> {
  const headers = { 'Idempotency-Key': key }
  await api.ask(staffCall('POST', '/admin/debtors/:id/personal-data/exports', { id }), { body, headers })
  await queries.invalidateQueries({ queryKey: [EXPORTS, id] })
}

/** The copy, saved as a file. */
export async function saveExport({ id, format }: PersonExport, name: string): Promise<void> {
  saveFile(
    await api.fetchFile(staffCall('GET', '/admin/person-exports/:id/file', { id })),
    `${name}.${format}`,
  )
}
