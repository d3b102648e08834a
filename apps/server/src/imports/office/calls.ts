/** The calls about a creditor's imports, beside the use cases that answer them. */
import type { FastifyRequest } from 'fastify'
import * as contract from '@kvitt/domain/imports/office-import.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { languageFrom, type Language } from '../../platform/texts.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { changeMapping, confirmImport, undoImport } from './act-on-import.ts'
import {
  awaitWork,
  findOfficeImport,
  listOfficeImportRows,
  mendOfficeImportRow,
  presentOfficeImport,
  putImport,
  searchOfficeImports,
} from './office-imports.ts'

const languageOf = (request: FastifyRequest, { instance }: ClientPrincipal): Language =>
  languageFrom(request.headers['accept-language'], instance.language)

export const OFFICE_IMPORT_BINDINGS: readonly Binding[] = [
  bind(contract.putImport, async ({ context, principal, request, receive }) => {
    const { file } = await receive()
    return putImport(context, principal, { file, language: languageOf(request, principal) })
  }),
  bind(contract.searchOfficeImports, ({ context, principal, query, body, request }) =>
    searchOfficeImports(context, principal, { query, body, language: languageOf(request, principal) }),
  ),
  bindRow(contract.getOfficeImport, findOfficeImport, ({ context, principal, request, row: key }) =>
    presentOfficeImport(context, principal, { key, language: languageOf(request, principal) }),
  ),
  bindRow(
    contract.listOfficeImportRows,
    findOfficeImport,
    ({ context, principal, request, query, row: key }) =>
      listOfficeImportRows(context, { key, query, language: languageOf(request, principal) }),
  ),
  bindRow(
    contract.putOfficeImportRow,
    findOfficeImport,
    ({ context, principal, request, body, row: key }) => {
      const { number = '' } = request.params as { number?: string }
      const language = languageOf(request, principal)
      return mendOfficeImportRow(context, principal, { key, number, body, language })
    },
  ),
  bindRow(
    contract.putOfficeImportMapping,
    findOfficeImport,
    async ({ context, principal, request, body, row: key }) => {
      await changeMapping({ context, principal, key }, body)
      await awaitWork(context, principal, key)
      return presentOfficeImport(context, principal, { key, language: languageOf(request, principal) })
    },
  ),
  bindRow(
    contract.confirmOfficeImport,
    findOfficeImport,
    async ({ context, principal, request, body, row: key }) => {
      await confirmImport({ context, principal, key }, body)
      await awaitWork(context, principal, key)
      return presentOfficeImport(context, principal, { key, language: languageOf(request, principal) })
    },
  ),
  bindRow(contract.undoOfficeImport, findOfficeImport, async ({ context, principal, request, row: key }) => {
    await undoImport({ context, principal, key })
    return presentOfficeImport(context, principal, { key, language: languageOf(request, principal) })
  }),
]
