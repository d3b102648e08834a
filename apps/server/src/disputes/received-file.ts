/** A file that a debtor sends along, from its arrival to the row that keeps it: one at a time, known by what is in it. */
import { createHash } from 'node:crypto'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import {
  LARGEST_FILE,
  MOST_FILES,
  readFileType,
  safeFileName,
  type FileFault,
  type FileType,
} from '@kvitt/domain/disputes/dispute-file.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'

/** What is to be kept, whole in the memory. */
export type ReceivedFile = {
  readonly content: Uint8Array
  /** SHA-256. */
  readonly hash: Uint8Array
  /** Made safe. */
  readonly name: string
  readonly mimeType: FileType
  readonly description: string | null
}

type Sent = { readonly file: SentFile; readonly description?: string | undefined }

/**
 * Receives a file for `ownerId` and gives it to `keep`, which answers its identifier. Refuses `file_rejected`, `file_too_large`, and
 * `too_many_files` when more are under way at once than an owner can have.
 */
export function receiveFile(
  ownerId: string,
  receive: () => Promise<Sent>,
  keep: (file: ReceivedFile) => Promise<string>,
): Promise<string> {
  return oneOfFew(ownerId, async () => {
    const { file, description } = await receive()
    return inTurn(async () => {
      const content = await file.read()
      const mimeType = typeOf(content)
      return keep({
        content,
        hash: createHash('sha256').update(content).digest(),
        name: safeFileName(file.name, mimeType),
        mimeType,
        description: oneLine(description ?? '') || null,
      })
    })
  })
}

function typeOf(content: Uint8Array): FileType {
  const read = readFileType(content)
  if ('type' in read) return read.type
  throw refusalOf(read.fault)
}

function refusalOf(fault: FileFault): Refusal {
  if (fault === 'large') {
    return new Refusal('file_too_large', { most: String(LARGEST_FILE / 1024 / 1024) }, ['file'])
  }
  return new Refusal('file_rejected', { why: fault }, ['file'])
}

export const tooManyFiles = (): Refusal =>
  new Refusal('too_many_files', { most: String(MOST_FILES) }, ['file'])

const underWay = new Map<string, number>()

/** One owner does not fill the disk with what arrives slowly: as many at once as it can have, in each process. */
async function oneOfFew<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
  const count = (more: 1 | -1): void => {
    const now = (underWay.get(ownerId) ?? 0) + more
    if (now === 0) underWay.delete(ownerId)
    else underWay.set(ownerId, now)
  }
  if ((underWay.get(ownerId) ?? 0) >= MOST_FILES) throw tooManyFiles()
  count(1)
  try {
    return await work()
  } finally {
    count(-1)
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: only one file of this process is whole in the memory, however many have arrived. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}
