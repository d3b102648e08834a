/** Takes a file in: what it is, is seen at once; the rest is read while whoever sent it waits, or after. */
import { createHash } from 'node:crypto'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import type { ImportFormat } from '@kvitt/domain/imports/import-problem.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { noteDeed } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/identity.ts'
import { actorOf, type ClientPrincipal } from '../../staff/staff.ts'
import { insertPartRow } from './import-files.queries.ts'
import { insertImportRow, readWaitingImport, type ImportKey } from './office-imports.queries.ts'
import { openArchive } from './open-archive.ts'
import { HEAD_BYTES, recogniseFile } from './recognise-file.ts'

const LONGEST_NAME = 200

/** Names come from other machines: the folders of a path are nobody's business, and signs that turn a text around neither. */
function nameOf(file: SentFile): string {
  const name = oneLine(file.name.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.slice(0, LONGEST_NAME).trim() || 'file'
}

async function headOf(file: SentFile): Promise<Uint8Array> {
  for await (const piece of file.pieces()) return piece.subarray(0, HEAD_BYTES)
  return new Uint8Array()
}

async function formatOf(file: SentFile): Promise<ImportFormat> {
  switch (recogniseFile(await headOf(file))) {
    case 'TABLE':
      return 'CSV'
    case 'XML':
      return 'UBL'
    case 'ARCHIVE':
      return (await openArchive(Buffer.from(await file.read()))).kind
  }
}

async function hashOf(file: SentFile): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of file.pieces()) hash.update(piece)
  return hash.digest()
}

/** Keeps the file as an import to be read, once while it waits. Answers which import it is. Refuses `import_unreadable`. */
export async function receiveImport(
  context: Context,
  principal: ClientPrincipal,
  file: SentFile,
): Promise<ImportKey> {
  const format = await formatOf(file)
  const { instance, creditorId } = principal
  const key = { instanceId: instance.id, importId: newId(context.clock.now()) }
  const of = { ...key, creditorId, fileHash: await hashOf(file) }
  const isNew = await context.db.transaction(async (tx) => {
    const one = { ...of, fileName: nameOf(file), byteCount: file.size, format, madeBy: actorOf(principal) }
    if (!(await insertImportRow(tx, one))) return false
    let number = 0
    for await (const bytes of file.pieces()) await insertPartRow(tx, key, { number: number++, bytes })
    await noteDeed(tx, {
      instanceId: key.instanceId,
      kind: 'import_read',
      by: actorOf(principal),
      about: `import:${key.importId}`,
      after: { format, bytes: file.size },
    })
    return true
  })
  if (isNew) return key
  const importId = await readWaitingImport(context.db, of)
  // It was confirmed or let go of in this very moment: then it is one to be read anew.
  return importId === undefined ? receiveImport(context, principal, file) : { ...key, importId }
}
