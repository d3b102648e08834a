/** A row of an import that somebody mends in place: it and the rows of its invoice are judged again at once. */
import { parseDocumentDay } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isImportColumn, type ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import type { putOfficeImportRow } from '@kvitt/domain/imports/office-import.contract.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { onImport, refuseOldVersion } from './act-on-import.ts'
import { keepTaskOf } from './import-task.ts'
import {
  countRows,
  dropRow,
  editRow,
  readRow,
  readRowsOfInvoice,
  type Edits,
  type ImportRow,
} from './import-rows.queries.ts'
import { MENDABLE_OF_DOCUMENT } from './judge-invoice.ts'
import { judgeAndKeep, openJudging } from './judge-rows.ts'
import type { ImportKey, LockedImport } from './office-imports.queries.ts'
import { textsOf } from './row-values.ts'

type Body = BodyOf<typeof putOfficeImportRow>
type Editing = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly key: ImportKey
  readonly number: number
}

/** Answers the row as it is then, or as it was when it is left out. Refuses `not_found`, `import_not_open`, `changed_meanwhile`. */
export function mendRow({ number, ...acting }: Editing, body: Body): Promise<ImportRow> {
  const { context, principal, key } = acting
  const today = context.clock.today(principal.instance.timeZone)
  return onImport(acting, ['READY', 'CONFIRMED'], async (tx, one) => {
    if (one.work !== null) throw new Refusal('import_not_open')
    const row = await readRow(tx, key, number)
    if (!row) throw new Refusal('not_found')
    // It is an invoice already, and is mended as one.
    if (row.invoice_id !== null) throw new Refusal('import_not_open')
    refuseOldVersion(row, body.version)
    let moved = row.invoice_number
    if (body.leaveOut === true) await dropRow(tx, key, number)
    else moved = await editFields(tx, { one, key, row, said: saidOf(body) })
    const judging = await openJudging(tx, one, { today, alreadySent: null })
    for (const invoiceNumber of new Set([row.invoice_number, moved])) {
      const all = invoiceNumber === '' ? [] : await readRowsOfInvoice(tx, key, invoiceNumber)
      const alone =
        invoiceNumber === '' && moved === '' && body.leaveOut !== true
          ? await readRow(tx, key, number)
          : undefined
      const rows = alone ? [alone] : all
      await judgeAndKeep(tx, key, { rows, creditorId: one.creditor_id, judging, continued: '' })
    }
    await keepTaskOf(tx, one, await countRows(tx, key))
    return (await readRow(tx, key, number)) ?? row
  })
}

type Said = ReadonlyMap<ImportColumn, string>

/** What is said of the row's fields; null is an empty one. Whoever sends the row back as it was read says it in `values`. */
function saidOf({ values, version: _, leaveOut: __, ...beside }: Body): Said {
  return new Map(
    Object.entries(values ?? beside).flatMap(([name, value]) =>
      isImportColumn(name) && value !== undefined ? [[name, oneLine(String(value ?? ''))] as const] : [],
    ),
  )
}

type Edit = {
  readonly one: LockedImport
  readonly key: ImportKey
  readonly row: ImportRow
  readonly said: Said
}

/** Keeps what differs from what the row says, and answers the number of the invoice that it is of then. */
async function editFields(tx: Transaction, { one, key, row, said }: Edit): Promise<string> {
  const before = textsOf(row, one)
  const isDocument = row.document !== null
  const changed: Partial<Record<ImportColumn, string>> = {}
  for (const [column, text] of said) {
    if (isDocument) {
      if (!MENDABLE_OF_DOCUMENT.includes(column)) continue
      const isRight =
        column === 'due_date' ? parseDocumentDay(text) !== undefined : text !== '' && text.length <= 60
      if (!isRight) throw new Refusal('invalid_request', {}, [column])
    } else if (text === (before[column] ?? '')) continue
    changed[column] = text
  }
  const edits: Edits = { ...row.edits, ...changed }
  const moved = (edits.invoice_number ?? row.invoice_number).slice(0, 200)
  await editRow(tx, key, { number: row.number, edits, invoiceNumber: moved })
  return moved
}
