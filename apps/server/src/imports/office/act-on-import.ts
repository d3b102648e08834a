/** What a creditor's staff and programs decide about an import: which column is which, that it is made, that it is taken back. */
import { isDeepStrictEqual } from 'node:util'
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isImportColumn, nameKey, type ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import type {
  confirmOfficeImport,
  putOfficeImportMapping,
} from '@kvitt/domain/imports/office-import.contract.ts'
import { INVOICE_MOVES } from '@kvitt/domain/invoices/invoice.ts'
import { parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { actorOf, rightsOf, type ClientPrincipal } from '../../staff/staff.ts'
import { endTask } from '../../tasks/tasks.ts'
import type { AlreadySent } from '../import-run.ts'
import { dropRows, lockMadeInvoices, readMadeInvoices, takeBackInvoices } from './import-rows.queries.ts'
import { dropPartRows, keepColumnNames } from './import-files.queries.ts'
import {
  lockImport,
  setColumnsOf,
  setStatusOf,
  type ImportKey,
  type LockedImport,
} from './office-imports.queries.ts'

type Acting = { readonly context: Context; readonly principal: ClientPrincipal; readonly key: ImportKey }

/** Under the import's lock. Refuses `import_not_open` unless it is in one of these states. */
export function onImport<Result>(
  { context, key }: Acting,
  statuses: readonly LockedImport['status'][],
  work: (tx: Transaction, one: LockedImport) => Promise<Result>,
): Promise<Result> {
  return context.db.transaction(async (tx) => {
    const one = await lockImport(tx, key)
    if (!one || !statuses.includes(one.status)) throw new Refusal('import_not_open')
    return work(tx, one)
  })
}

/** Says that somebody else has changed it since it was read. */
export function refuseOldVersion(
  one: { readonly version: number },
  version: number | null | undefined,
): void {
  if (version !== null && version !== undefined && version !== one.version)
    throw new Refusal('changed_meanwhile')
}

/** All rows are judged anew. Refuses `import_not_open`, and a name that no column has. */
export async function changeMapping(
  acting: Acting,
  body: BodyOf<typeof putOfficeImportMapping>,
): Promise<void> {
  const { version, mapping: nested, ...beside } = body
  const said = Object.entries(nested ?? beside).filter(
    ([name, value]) => isImportColumn(name) && value !== undefined,
  )
  await onImport(acting, ['READY'], async (tx, one) => {
    if (one.columns.length === 0) throw new Refusal('import_not_open')
    refuseOldVersion(one, version)
    const names = one.columns.map(({ name }) => name)
    const mapping: Partial<Record<ImportColumn, number>> = { ...one.mapping }
    const kept = new Map<string, ImportColumn | null>()
    for (const [column, value] of said as [ImportColumn, string | number | null][]) {
      const before = mapping[column]
      delete mapping[column]
      if (before !== undefined) kept.set(nameKey(names[before] ?? ''), null)
      if (value === null || value === '') continue
      const index = names.indexOf(String(value))
      if (index < 0) throw new Refusal('invalid_request', {}, [column])
      mapping[column] = index
    }
    for (const [column, index] of Object.entries(mapping)) {
      if (said.some(([name]) => name === column))
        kept.set(nameKey(names[index] ?? ''), column as ImportColumn)
    }
    kept.delete('')
    await keepColumnNames(tx, { instanceId: one.instance_id, creditorId: one.creditor_id }, kept)
    await setColumnsOf(tx, acting.key, { columns: one.columns, mapping })
    await setStatusOf(tx, acting.key, { status: 'CHECKING', work: 'JUDGE' })
  })
}

/** Makes what is ready, once: asked again it makes what has become ready since. */
export async function confirmImport(acting: Acting, body: BodyOf<typeof confirmOfficeImport>): Promise<void> {
  const { principal, key } = acting
  if (body.approve && !rightsOf(principal).includes('approve')) throw new Refusal('not_allowed')
  const alreadySent = readAlreadySent(acting, body.alreadySent)
  await onImport(acting, ['READY', 'CONFIRMED'], async (tx, one) => {
    const confirmation = { approve: body.approve, alreadySent }
    // Its twin was faster: both wait for the same work. Who says something else is told to wait.
    if (one.work === 'CONFIRM' && isDeepStrictEqual(one.confirmation, confirmation)) return
    if (one.work !== null) throw new Refusal('import_not_open')
    const toMake = one.invoice_count - one.made_count
    // A credit note takes effect as it is approved.
    const toCredit = body.approve ? one.credit_count - one.applied_count : 0
    const mayMake = toMake > 0 || toCredit > 0 || (alreadySent !== null && one.wrong_count > 0)
    if (!mayMake && one.status === 'CONFIRMED') return
    if (!mayMake && (one.wrong_count > 0 || one.credit_count > 0)) throw new Refusal('import_nothing_ready')
    await setStatusOf(tx, key, { status: 'CONFIRMED', work: 'CONFIRM', confirmation })
    await noteDeed(tx, {
      instanceId: key.instanceId,
      kind: 'import_confirmed',
      by: actorOf(principal),
      about: `import:${key.importId}`,
      before: { status: one.status },
      after: { invoices: toMake, creditNotes: toCredit, ...confirmation },
    })
  })
}

function readAlreadySent(
  { context, principal }: Acting,
  said: BodyOf<typeof confirmOfficeImport>['alreadySent'],
): AlreadySent | null {
  if (!said) return null
  const today = context.clock.today(principal.instance.timeZone)
  const wrong = (field: string) => new Refusal('invalid_request', {}, [`alreadySent.${field}`])
  const sentDate = parseDate(said.sentDate)
  if (sentDate === undefined || sentDate > today) throw wrong('sentDate')
  const remindedOn = said.remindedOn ? parseDate(said.remindedOn) : null
  if (remindedOn === undefined || (remindedOn !== null && (remindedOn > today || remindedOn < sentDate))) {
    throw wrong('remindedOn')
  }
  // Every currency that books are kept in has two decimals; whether an invoice's reminder may have cost it, its judgement says.
  const fee = parseAmount(String(said.reminderFee ?? 0), 'SEK')
  if (!fee || fee.minor < 0 || (fee.minor > 0 && remindedOn === null)) throw wrong('reminderFee')
  return { sentDate, remindedOn, reminderFeeMinor: fee.minor }
}

/** Those that can be withdrawn, and those that somebody has: their numbers are free again too. */
const UNSENT: readonly string[] = [...INVOICE_MOVES.cancel.map(([from]) => from), 'ARCHIVED']
const BATCH = 1_000

/** All or nothing: refuses `import_sent` when something of it has been sent. */
export async function undoImport(acting: Acting): Promise<void> {
  const { principal, key } = acting
  await onImport(acting, ['CHECKING', 'READY', 'CONFIRMED', 'UNDONE'], async (tx, one) => {
    if (one.status === 'UNDONE') return
    let invoices = 0
    if (one.status === 'CONFIRMED') invoices = await takeBackAll(tx, key)
    else await dropRows(tx, key)
    await dropPartRows(tx, key)
    await setStatusOf(tx, key, { status: 'UNDONE', work: null })
    await endTask(tx, {
      instanceId: key.instanceId,
      kind: 'import_with_errors',
      about: `import:${key.importId}`,
    })
    await noteDeed(tx, {
      instanceId: key.instanceId,
      kind: 'import_undone',
      by: actorOf(principal),
      about: `import:${key.importId}`,
      before: { status: one.status },
      after: { status: 'UNDONE', invoices },
    })
  })
}

async function takeBackAll(tx: Transaction, key: ImportKey): Promise<number> {
  const made = await readMadeInvoices(tx, key)
  for (let from = 0; from < made.length; from += BATCH) {
    const locked = await lockMadeInvoices(tx, key.instanceId, made.slice(from, from + BATCH))
    if (locked.some(({ status }) => !UNSENT.includes(status))) throw new Refusal('import_sent')
    await takeBackInvoices(tx, key.instanceId, { ids: locked.map(({ id }) => id), from: UNSENT })
  }
  return made.length
}
