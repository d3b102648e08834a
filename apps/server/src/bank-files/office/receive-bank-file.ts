/** A bank's file that somebody hands in: kept whole or refused, then placed line by line, as the command does it. */
import type { PaymentBatch } from '@kvitt/domain/bank-files/payment-batch.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import { noteDeed } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { endFoundFiles } from '../../creditors/creditors.ts'
import { ImportRefusal } from '../../imports/imports.ts'
import { withLease } from '../../platform/lease.ts'
import { actorOf, type OperatorMember } from '../../staff/staff.ts'
import { placeWaiting } from '../place-waiting.ts'
import { keepFile } from '../keep-file.ts'
import { askAboutOverdueClearing } from '../overdue-clearing.ts'
import { NO_BANK_FILE, readBankFile, type ReadBankFile } from '../read-bank-file.ts'
import type { PlaceContext } from '../tell-holder.ts'
import { endPlacedLines } from '../bank-files.queries.ts'
import { findSameFile } from './batches.queries.ts'
import { findBatch, presentBatch } from './payment-batches.ts'

const LONGEST_NAME = 200
/** The lease of work that is of no day. */
const NO_DAY = '2000-01-01'
/** Whoever hands a file in waits so long for its last line; the rest is placed behind their back. */
const PATIENCE_MS = 20_000

/** Names come from other machines: the folders of a path are nobody's business, and signs that turn a text around neither. */
export function fileNameOf(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.slice(0, LONGEST_NAME).trim() || 'file'
}

/** Answers the file, and whether all of it was here already. Refuses `bank_file_unreadable`; nothing has changed then. */
export async function receiveBankFile(
  context: Context,
  principal: OperatorMember,
  file: SentFile,
): Promise<Loosen<PaymentBatch & { duplicate: boolean }>> {
  const { instance } = principal
  const read = await asRefusal(async () => {
    if (file.size === 0) throw new Refusal('bank_file_unreadable', { why: 'empty', detail: '' }, ['file'])
    return readBankFile({ name: fileNameOf(file.name), sizeBytes: file.size, open: () => file.pieces() })
  })
  const { fileId, lines } = await asRefusal(() => keep(context, principal, read))
  const until = performance.now() + PATIENCE_MS
  for await (const _placed of placeWaiting(context, instance)) if (performance.now() > until) break
  await endPlacing(context, instance.id)
  // Another file with the same bytes is there: it was looked for under the lock, and files are never removed.
  const id = fileId ?? (await findSameFile(context.db, instance.id, read.hash)) ?? ''
  const wasKnown =
    fileId === undefined || (lines === 0 && read.content.deposits.some(({ lines: told }) => told.length > 0))
  return { ...presentBatch(await findBatch(context, principal, id)), duplicate: wasKnown }
}

/** Keeps the file and writes down who handed it in; what is here already leaves no trace. */
function keep(
  { db, clock }: Context,
  principal: OperatorMember,
  read: ReadBankFile,
): ReturnType<typeof keepFile> {
  const by = actorOf(principal)
  const { id: instanceId } = principal.instance
  return db.transaction(async (tx) => {
    const kept = await keepFile(tx, { instanceId, clock, by }, read)
    if (kept.fileId !== undefined) {
      const after = { format: read.content.format, lines: kept.lines }
      const about = `payment-batch:${kept.fileId}`
      await noteDeed(tx, { instanceId, kind: 'payments_imported', by, about, after })
    }
    return kept
  })
}

async function asRefusal<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    const why = error.message === NO_BANK_FILE ? 'format' : 'other'
    const line = error.place.line === undefined ? '' : `${error.place.line}: `
    throw new Refusal('bank_file_unreadable', { why, detail: line + error.message }, ['file'])
  }
}

/** Ends what the lines that have been placed ask for no more, and asks about money that is late. */
export async function endPlacing({ db }: Pick<PlaceContext, 'db'>, instanceId: string): Promise<void> {
  await endFoundFiles(db, instanceId)
  await endPlacedLines(db, instanceId)
  await db.transaction((tx) => askAboutOverdueClearing(tx, instanceId))
}

/** Places what an import has kept and not come to: it was too long to be waited for, or its process ended. */
export async function placeLeftLines(
  context: PlaceContext,
  instances: readonly { readonly id: string; readonly timeZone: string }[],
): Promise<void> {
  for (const instance of instances) {
    const lease = { instanceId: instance.id, work: 'bank-lines', day: NO_DAY }
    await withLease(context.db, lease, async (db) => {
      let isAny = false
      for await (const _placed of placeWaiting({ ...context, db }, instance)) isAny = true
      if (isAny) await endPlacing({ db }, instance.id)
      else await endPlacedLines(db, instance.id)
    })
  }
}
