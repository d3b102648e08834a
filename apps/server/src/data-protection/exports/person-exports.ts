/**
 * A copy of what is held about a person, made by a job: reading and drawing it takes seconds, of many invoices a quarter of a minute. It is
 * asked for, made once for twins, made again by another process when one was killed, seen by whoever asked for it alone, and kept a day.
 */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { askPersonExport } from '@kvitt/domain/data-protection/person-export.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import type { Instance } from '../../instances/instances.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileAnswer } from '../../platform/http/send-file.ts'
import { newId } from '../../platform/identity.ts'
import { withLease } from '../../platform/lease.ts'
import { makeTable, stampOf, TABLE_TYPES } from '../../platform/tables/tables.ts'
import { languageFrom, type Language } from '../../platform/texts.ts'
import { onceByOperator, type AskedOnce, type OperatorMember } from '../../staff/staff.ts'
import { noteExported, readHeldData, type HeldData } from '../export-person.ts'
import { headOf, tableRows } from '../person-table.ts'
import {
  beginExportRow,
  expireExportRows,
  finishExportRow,
  forgetExportRows,
  giveUpExportRows,
  insertExportRow,
  isAnyErased,
  readExportFile,
  readExports,
  readProvidersToMakeFor,
  type ExportFile,
  type ExportRow,
  type ListedExport,
} from './person-exports.queries.ts'

type Work = Pick<Context, 'db' | 'clock' | 'log'>

const KEPT_MS = 24 * 60 * 60 * 1000
/** As long as its row says what became of it. */
const SAID_MS = 30 * KEPT_MS
/** What kills a process three times is not made a fourth time. */
const MOST_TRIES = 3
const LONGEST_MS = 10 * 60 * 1000

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString()

export type Wanted = BodyOf<typeof askPersonExport> & {
  readonly debtorId: string
  readonly language: Language
}

/** Asks for a copy, once under a key. Answers it as it stands. */
export async function askForExport(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  { asked, wanted }: { readonly asked: AskedOnce; readonly wanted: Wanted },
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { personId, membershipId, instance } = principal
  const { debtorId, format, language, reason } = wanted
  const row = { instanceId: instance.id, debtorId, personId, membershipId, format, language, reason }
  return onceByOperator({ db }, principal, asked, (tx) =>
    insertExportRow(tx, { ...row, id: newId(clock.now()) }, isoOf(clock.now())),
  )
}

/** The copies of a debtor's data that the person has asked for. */
export function listExports(
  { db }: Pick<Context, 'db'>,
  { instance, personId }: OperatorMember,
  debtorId: string,
): Promise<ListedExport[]> {
  return readExports(db, { instanceId: instance.id, debtorId, personId })
}

/** One of them. Refuses `not_found`. */
export async function findExport(
  context: Pick<Context, 'db'>,
  principal: OperatorMember,
  { debtorId, id }: { readonly debtorId: string; readonly id: string },
): Promise<ListedExport> {
  const found = (await listExports(context, principal, debtorId)).find((one) => one.id === id)
  if (!found) throw new Refusal('not_found')
  return found
}

/** Refuses `not_found` for what is not ready, is kept no longer, or was asked for by somebody else. */
export async function findExportFile(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instance, personId }: OperatorMember,
  id: string,
): Promise<ExportFile> {
  const found = await readExportFile(db, { instanceId: instance.id, id, personId }, isoOf(clock.now()))
  if (!found) throw new Refusal('not_found')
  return found
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function exportAnswer({ format, content }: ExportFile): FileAnswer {
  const mimeType = format === 'json' ? JSON_TYPE : TABLE_TYPES[format]
  return { bytes: content, mimeType, name: `personal-data.${format}`, isPublic: false }
}

/** Makes what waits, a provider at a time in one process. What fails is logged and tried again, three times. */
export async function makeExports(work: Work, instances: readonly Instance[]): Promise<void> {
  const { db, clock, log } = work
  await expireExportRows(db, isoOf(clock.now()))
  const waiting = await readProvidersToMakeFor(db)
  for (const instance of instances.filter(({ id }) => waiting.includes(id))) {
    const instanceId = instance.id
    const lease = { instanceId, work: 'copies of personal data', day: clock.today(instance.timeZone) }
    await withLease(db, lease, async (fenced) => {
      await giveUpExportRows(fenced, instanceId, { mostTries: MOST_TRIES, at: isoOf(clock.now()) })
      const tried: string[] = []
      for (;;) {
        const row = await beginExportRow(fenced, instanceId, { mostTries: MOST_TRIES, tried })
        if (!row) return
        tried.push(row.id)
        await makeExport({ ...work, fenced, instance }, row).catch((error: unknown) =>
          log.error({ err: error, export: row.id }, 'a copy of personal data was not made'),
        )
      }
    })
  }
}

type Making = Work & { readonly fenced: Database; readonly instance: Instance }

async function makeExport({ db, clock, fenced, instance }: Making, row: ExportRow): Promise<void> {
  const held = await readHeldData({ db, clock }, instance, row.debtorId)
  const content = await contentOf({ clock }, instance, { row, held })
  await fenced.transaction(async (tx) => {
    // It was read before: who has been erased since is in no copy.
    const known = held.debtors.filter((id) => !wasErased(held, id))
    if (await isAnyErased(tx, row.instanceId, known)) return
    const at = clock.now()
    const made = { content, debtorIds: held.debtors, at: isoOf(at), until: isoOf(at + KEPT_MS) }
    if (!(await finishExportRow(tx, row, made))) return
    const by = `person:${row.personId}:${row.membershipId}`
    await noteExported(tx, held, { instanceId: row.instanceId, by, reason: row.reason, as: row.format })
  })
}

const wasErased = ({ rows }: HeldData, id: string): boolean =>
  rows['debtor']?.some((row) => row['id'] === id && row['identity'] === `erased ${id}`) ?? false

async function contentOf(
  { clock }: Pick<Context, 'clock'>,
  instance: Instance,
  { row: { format, language: code }, held }: { readonly row: ExportRow; readonly held: HeldData },
): Promise<Buffer> {
  if (format === 'json') return Buffer.from(JSON.stringify(held))
  const language = languageFrom(code, instance.language)
  const { bytes } = await makeTable(headOf(instance.row.name, language), tableRows(held.rows, language), {
    format,
    requester: `${instance.id} copies`,
    signal: AbortSignal.timeout(LONGEST_MS),
    stamp: stampOf({ clock }, instance.timeZone),
  })
  return Buffer.from(bytes)
}

/** The rows themselves go when nobody asks any more what became of them. */
export function forgetExports({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  return forgetExportRows(db, isoOf(clock.now() - SAID_MS))
}
