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
import { makeTableInJob, stampOf, TABLE_TYPES } from '../../platform/tables/tables.ts'
import { languageFrom, type Language } from '../../platform/texts.ts'
import {
  actorOf,
  onceByOperator,
  rightsOf,
  whoAsked,
  type AskedOnce,
  type OperatorMember,
} from '../../staff/staff.ts'
import { noteCopy, readHeldData, type HeldData } from '../export-person.ts'
import { findSamePerson } from '../export-person.queries.ts'
import { headOf, tableRows } from '../person-table.ts'
import {
  beginExportRow,
  enterPersons,
  expireExportRows,
  failExportRow,
  finishExportRow,
  forgetExportRows,
  giveUpExportRows,
  holdPersons,
  insertExportRow,
  lockExportFile,
  postponeExportRow,
  readExport,
  readExports,
  readProvidersToMakeFor,
  type BegunExport,
  type ExportFile,
  type ExportRow,
  type ListedExport,
} from './person-exports.queries.ts'

type Work = Pick<Context, 'db' | 'clock' | 'log'>

const KEPT_MS = 24 * 60 * 60 * 1000
/** As long as its row says what became of it. */
const SAID_MS = 30 * KEPT_MS
/** A copy whose making has killed three processes is given up. */
const MOST_TRIES = 3
/** After the first failure; ten times as long after the next. */
const AGAIN_MS = 60 * 1000

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

/** The newest copies of a debtor's data that the person has asked for. */
export function listExports(
  { db }: Pick<Context, 'db'>,
  { instance, personId }: OperatorMember,
  debtorId: string,
): Promise<ListedExport[]> {
  return readExports(db, { instanceId: instance.id, debtorId, personId })
}

/** One of them. Refuses `not_found`. */
export async function findExport(
  { db }: Pick<Context, 'db'>,
  { instance, personId }: OperatorMember,
  { debtorId, id }: { readonly debtorId: string; readonly id: string },
): Promise<ListedExport> {
  const found = await readExport(db, { instanceId: instance.id, debtorId, personId, id })
  if (!found) throw new Refusal('not_found')
  return found
}

/**
 * The file, with the deed that it was handed out, each time. Refuses `not_found` for what is not ready, is kept no longer, or was asked
 * for by somebody else.
 */
export function fetchExport(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  id: string,
): Promise<ExportFile> {
  const { instance, personId } = principal
  return db.transaction(async (tx) => {
    const found = await lockExportFile(tx, { instanceId: instance.id, id, personId }, isoOf(clock.now()))
    if (!found) throw new Refusal('not_found')
    const { reason, format, debtorIds } = found
    const after = { file: format, copy: id }
    const deed = { kind: 'person_exported', by: actorOf(principal), reason, after } as const
    await noteCopy(tx, { instanceId: instance.id, debtorIds, ...deed })
    return found
  })
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function exportAnswer({ format, content }: ExportFile): FileAnswer {
  const mimeType = format === 'json' ? JSON_TYPE : TABLE_TYPES[format]
  return { bytes: content, mimeType, name: `personal-data.${format}`, isPublic: false }
}

/** Makes what waits, a provider at a time in one process. What fails is logged and tried again later, twice. */
export async function makeExports(work: Work, instances: readonly Instance[]): Promise<void> {
  const { db, clock, log } = work
  const now = (): string => isoOf(clock.now())
  await expireExportRows(db, now())
  const waiting = await readProvidersToMakeFor(db, now())
  for (const instance of instances.filter(({ id }) => waiting.includes(id))) {
    const instanceId = instance.id
    const lease = { instanceId, work: 'copies of personal data', day: clock.today(instance.timeZone) }
    await withLease(db, lease, async (fenced) => {
      await giveUpExportRows(fenced, instanceId, { mostTries: MOST_TRIES, at: now() })
      for (;;) {
        const row = await beginExportRow(fenced, instanceId, { mostTries: MOST_TRIES, at: now() })
        if (!row) return
        await makeExport({ ...work, fenced, instance }, row).catch(async (error: unknown) => {
          log.error({ err: error, export: row.id }, 'a copy of personal data was not made')
          if (row.tries === MOST_TRIES) await failExportRow(fenced, row, now())
          else await postponeExportRow(fenced, row, isoOf(clock.now() + AGAIN_MS * 10 ** (row.tries - 1)))
        })
      }
    })
  }
}

type Making = Work & { readonly fenced: Database; readonly instance: Instance }

async function makeExport(work: Making, row: BegunExport): Promise<void> {
  const { db, clock, fenced, instance } = work
  if (!(await mayStillAsk(work, row))) return failExportRow(fenced, row, isoOf(clock.now()))
  const entered = await enterWhoIsRead(work, row)
  if (!entered) return
  const held = await readHeldData({ db, clock }, instance, row.debtorId)
  // A debtor who was found to be the same person only since then: erasing that one does not remove this copy.
  if (held.debtors.some((id) => !entered.includes(id)))
    throw new Error('a person has got another row meanwhile')
  const content = await contentOf({ clock }, instance, { row, held })
  await fenced.transaction(async (tx) => {
    await holdPersons(tx, row.instanceId, entered)
    const at = clock.now()
    // Who was erased since has taken it along.
    if (!(await finishExportRow(tx, row, { content, at: isoOf(at), until: isoOf(at + KEPT_MS) }))) return
    const by = `person:${row.personId}:${row.membershipId}`
    const after = { file: row.format, copy: row.id, tables: Object.keys(held.rows).length }
    const deed = { kind: 'person_copy_made', by, reason: row.reason, after } as const
    await noteCopy(tx, { instanceId: row.instanceId, debtorIds: held.debtors, ...deed })
  })
}

/** Does whoever asked for it still have the right? */
async function mayStillAsk({ db, clock, instance }: Making, { membershipId }: ExportRow): Promise<boolean> {
  const asked = { creditorId: instance.id, membershipId, keyId: null }
  const principal = await whoAsked({ db, clock }, instance, asked)
  return principal !== undefined && rightsOf(principal).includes('export_person')
}

/** Writes down whose rows will be read, so that the copy goes with each of them. Undefined when it does not wait any more. */
function enterWhoIsRead(
  { clock, fenced, instance }: Making,
  row: ExportRow,
): Promise<readonly string[] | undefined> {
  return fenced.transaction(async (tx) => {
    const same = await findSamePerson(tx, row, clock.today(instance.timeZone))
    if (!same) throw new Refusal('not_found')
    await holdPersons(tx, row.instanceId, same.ids)
    return (await enterPersons(tx, row, same.ids)) ? same.ids : undefined
  })
}

async function contentOf(
  { clock }: Pick<Context, 'clock'>,
  instance: Instance,
  { row: { format, language: code }, held }: { readonly row: ExportRow; readonly held: HeldData },
): Promise<Buffer> {
  if (format === 'json') return Buffer.from(JSON.stringify(held))
  const language = languageFrom(code, instance.language)
  const { bytes } = await makeTableInJob(
    headOf(instance.row.name, language),
    tableRows(held.rows, language),
    {
      format,
      requester: instance.id,
      stamp: stampOf({ clock }, instance.timeZone),
    },
  )
  return Buffer.from(bytes)
}

/** The rows themselves go when nobody asks any more what became of them. */
export function forgetExports({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  return forgetExportRows(db, isoOf(clock.now() - SAID_MS))
}
