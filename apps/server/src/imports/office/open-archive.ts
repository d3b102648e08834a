/** Opens an archive only after it is known what it would become unpacked: a workbook, or an archive of documents. */
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { unreadable } from './recognise-file.ts'

const MEGABYTE = 1024 * 1024
const MOST_ENTRIES = 20_000
/** Unpacked, all together; and one file of it. */
const MOST_BYTES = 400 * MEGABYTE
const MOST_OF_ONE = 100 * MEGABYTE
/** A workbook is read as a whole. */
const MOST_OF_WORKBOOK = 64 * MEGABYTE
/** Invoices become a tenth or a twentieth of their size; what is small may be anything. */
const MOST_RATIO = 150
const RATIO_FROM = 4 * MEGABYTE

export type SentDocument = { readonly name: string; readonly bytes: Uint8Array }

export type OpenedArchive = {
  readonly kind: 'XLSX' | 'ZIP'
  /** The files of an archive, one after the other. */
  documents(): AsyncGenerator<SentDocument>
}

/** Whether an entry is a file that its archive is about: folders, and what Apple's programs add, are not. */
const isFile = ({ fileName }: Entry): boolean =>
  !fileName.endsWith('/') && !/(^|\/)(__MACOSX\/|\.)/.test(fileName)

/** Looks at all that the archive says of itself. Refuses `import_unreadable`. */
export async function openArchive(bytes: Buffer): Promise<OpenedArchive> {
  return refusing(async () => {
    const archive = await open(bytes)
    const entries: Entry[] = []
    let total = 0
    for await (const entry of archive.eachEntry()) {
      total += entry.uncompressedSize
      if (entries.length >= MOST_ENTRIES) throw unreadable('zip_bomb')
      check(entry)
      entries.push(entry)
    }
    if (total > MOST_BYTES) throw unreadable('zip_bomb')
    if (entries.some(({ fileName }) => fileName === 'xl/workbook.xml')) {
      if (total > MOST_OF_WORKBOOK) throw unreadable('sheet')
      return { kind: 'XLSX', documents: () => readDocuments(bytes) }
    }
    if (!entries.some(isFile)) throw unreadable('zip_empty')
    return { kind: 'ZIP', documents: () => readDocuments(bytes) }
  })
}

const open = (bytes: Buffer): Promise<ZipFile> =>
  fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: false })

function check({ fileName, generalPurposeBitFlag, uncompressedSize, compressedSize }: Entry): void {
  if ((generalPurposeBitFlag & 1) !== 0) throw unreadable('zip_locked')
  if (/^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)|\0/.test(fileName)) throw unreadable('zip_names')
  const isBomb = uncompressedSize > RATIO_FROM && uncompressedSize > compressedSize * MOST_RATIO
  if (isBomb || uncompressedSize > MOST_OF_ONE) throw unreadable('zip_bomb')
}

/** What the reader of archives throws is about the archive: it reads from memory alone. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if ((error as Error).name === 'Refusal') throw error
    throw unreadable(
      /(relative|absolute) path|invalid char/.test((error as Error).message) ? 'zip_names' : 'zip_broken',
    )
  }
}

async function* readDocuments(bytes: Buffer): AsyncGenerator<SentDocument> {
  const archive = await refusing(() => open(bytes))
  const entries = archive.eachEntry()
  for (;;) {
    const { value: entry, done } = await refusing(() => entries.next())
    if (done) return
    if (isFile(entry)) yield { name: entry.fileName, bytes: await refusing(() => unpack(archive, entry)) }
  }
}

async function unpack(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await archive.openReadStreamPromise(entry)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
