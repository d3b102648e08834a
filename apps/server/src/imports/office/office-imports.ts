/** Imports as a creditor's staff and programs see them: what a file would make, row by row, and what has become of it. */
import type { BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { missingColumns, type ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import { IMPORT_ROW_STATES } from '@kvitt/domain/imports/import-problem.ts'
import type {
  OfficeImport,
  OfficeImportDetail,
  OfficeImportRow,
  putOfficeImportRow,
} from '@kvitt/domain/imports/office-import.contract.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import { readPage, type Listed } from '../../platform/http/paging.ts'
import { textOf, type Language } from '../../platform/texts.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { mendRow } from './edit-row.ts'
import { readRows, type ImportRow } from './import-rows.queries.ts'
import {
  dropRefusedImport,
  readImport,
  readOfficeImport,
  searchImportRows,
  type ImportKey,
  type OfficeImportJson,
} from './office-imports.queries.ts'
import { DOCUMENT_MAPPING } from './read-import-file.ts'
import { receiveImport } from './receive-import.ts'
import { unreadable } from './recognise-file.ts'
import { textsOf, type Values } from './row-values.ts'
import { workFor } from './work-imports.ts'

/** How long whoever waits is kept waiting for what goes on behind. */
const PATIENCE_MS = 8_500
const LOOK_MS = 200

export async function searchOfficeImports(
  context: Context,
  principal: ClientPrincipal,
  {
    query,
    body,
    language,
  }: { query: OfficeQuery; body: Readonly<Record<string, unknown>> | undefined; language: Language },
): Promise<Listed<Loosen<OfficeImport>>> {
  const { items, total, page } = await searchImportRows(context, principal, query, body)
  return {
    items: items.map(({ text }) => present(JSON.parse(text) as OfficeImportJson, language)),
    total,
    page,
  }
}

/** Refuses `not_found`: another creditor's import does not exist. */
export async function findOfficeImport(
  { db }: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<ImportKey> {
  const found = await readOfficeImport(db, principal, { id })
  if (!found) throw new Refusal('not_found')
  return { instanceId: principal.instance.id, importId: id }
}

function present(json: OfficeImportJson, language: Language): Loosen<OfficeImport> {
  const { work, progress, refusal, sums, columns: _, mapping: __, ...said } = json
  return {
    ...said,
    progress: work === null ? null : progress,
    refusal: refusal && {
      code: 'import_unreadable',
      message: textOf(language, 'error.import_unreadable', {
        detail: '',
        most: '',
        ...refusal.params,
        why: refusal.why,
      }),
    },
    sums: sums.map(({ currency, readyMinor, toMakeMinor, invoices, creditNotes = 0, toCreditMinor = 0 }) => ({
      currency,
      ready: new Amount(readyMinor),
      toMake: new Amount(toMakeMinor),
      invoices,
      creditNotes,
      toCredit: new Amount(toCreditMinor),
    })),
  }
}

export async function presentOfficeImport(
  { db }: Context,
  principal: ClientPrincipal,
  { key, language }: { readonly key: ImportKey; readonly language: Language },
): Promise<Loosen<OfficeImportDetail>> {
  const found = await readOfficeImport(db, principal, { id: key.importId })
  if (!found) throw new Refusal('not_found')
  const json = JSON.parse(found) as OfficeImportJson
  const names = json.columns.map(({ name }) => name)
  const isTable = names.length > 0
  const mapping = isTable
    ? Object.fromEntries(Object.entries(json.mapping).map(([column, index]) => [column, names[index] ?? '']))
    : {}
  return {
    ...present(json, language),
    columns: names,
    mapping,
    missing: isTable ? missingColumns(json.mapping) : [],
  }
}

/** Keeps at it until it is done, or for as long as somebody may be kept waiting; then it goes on by itself. */
export async function awaitWork(context: Context, principal: ClientPrincipal, key: ImportKey): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  const { instance, creditorId } = principal
  for (;;) {
    const one = await readImport(context.db, key)
    if (!one?.work || performance.now() >= until) return
    const working = workFor(context, { instanceId: instance.id, creditorId, timeZone: instance.timeZone })
    working.catch((error: unknown) =>
      context.log.error({ err: error, importId: key.importId }, 'import not done yet'),
    )
    await Promise.race([working.catch(() => undefined), sleep(until - performance.now())])
    if ((await readImport(context.db, key))?.work) await sleep(LOOK_MS)
  }
}

/** Reads a file and answers what it would make; what cannot be read leaves nothing behind. */
export async function putImport(
  context: Context,
  principal: ClientPrincipal,
  { file, language }: { readonly file: SentFile; readonly language: Language },
): Promise<Loosen<OfficeImportDetail>> {
  const key = await receiveImport(context, principal, file)
  await awaitWork(context, principal, key)
  const found = await readOfficeImport(context.db, principal, { id: key.importId })
  const { refusal } = found ? (JSON.parse(found) as OfficeImportJson) : { refusal: null }
  if (refusal) {
    await dropRefusedImport(context.db, key)
    throw unreadable(refusal.why, refusal.params)
  }
  return presentOfficeImport(context, principal, { key, language })
}

type Rows = {
  readonly key: ImportKey
  readonly query: OfficeQuery & { readonly state?: string | undefined }
  readonly language: Language
}

export async function listOfficeImportRows(
  context: Context,
  { key, query, language }: Rows,
): Promise<Listed<Loosen<OfficeImportRow>>> {
  const states = query.state ? query.state.split('[OR]') : null
  const known: readonly string[] = IMPORT_ROW_STATES
  if (states?.some((state) => !known.includes(state))) throw new Refusal('invalid_filter', {}, ['state'])
  const page = readPage({ limit: query.limit ?? '1000', page: query.page }, true)
  const one = await readImport(context.db, key)
  const { rows, total } = await readRows(context.db, key, {
    states,
    limit: page.limit,
    offset: (page.page - 1) * page.limit,
  })
  const mapping = one && one.columns.length > 0 ? one.mapping : DOCUMENT_MAPPING
  return { items: rows.map((row) => presentRow(row, mapping, language)), total, page }
}

function presentRow(
  row: ImportRow,
  mapping: Readonly<Partial<Record<ImportColumn, number>>>,
  language: Language,
): Loosen<OfficeImportRow> {
  const { number, version, state, problems, currency } = row
  return {
    number,
    version,
    state,
    invoiceNumber: row.invoice_number,
    values: row.is_protected ? withoutReach(textsOf(row, { mapping })) : textsOf(row, { mapping }),
    problems: (problems ?? []).map(({ code, field, params, mends }) => ({
      field,
      code,
      message: textOf(language, `import.${code}`, params),
      mends: [...mends],
    })),
    total: row.total_minor === null ? null : new Amount(row.total_minor),
    currency,
    invoiceId: row.invoice_id,
  }
}

const REACH = ['email', 'phone', 'address', 'zip', 'city'] as const

/** What was sent of a person with a protected identity says no more how they are reached, to whoever opens the file's rows (M-36). */
function withoutReach(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([column]) => !(REACH as readonly string[]).includes(column)),
  )
}

type Mending = {
  readonly key: ImportKey
  readonly number: string
  readonly body: BodyOf<typeof putOfficeImportRow>
  readonly language: Language
}

/** Answers the row as it is then; one that is left out as it was. */
export async function mendOfficeImportRow(
  context: Context,
  principal: ClientPrincipal,
  { key, number: named, body, language }: Mending,
): Promise<Loosen<OfficeImportRow>> {
  if (!/^\d{1,7}$/.test(named)) throw new Refusal('invalid_request', {}, ['number'])
  const number = Number(named)
  const one = await readImport(context.db, key)
  const mapping = one && one.columns.length > 0 ? one.mapping : DOCUMENT_MAPPING
  return presentRow(await mendRow({ context, principal, key, number }, body), mapping, language)
}
