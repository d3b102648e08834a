/**
 * Forms with a file (multipart/form-data). The file goes to the disk as it arrives, so that many slow or large ones
 * take no memory; it has no name there and is gone with the call, whatever ends the program.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { AROUND_FILE } from './limits.ts'
import { readInput } from './read-input.ts'

/** What a form may have besides its file: few fields, short headers. */
const FORM_LIMITS = { files: 1, fields: 5, parts: 10, fieldSize: 16_384, headerPairs: 20, headerSize: 16_384 }
/** Whoever was refused may go on sending so much and is then told why; after that the line is cut. */
const MOST_AFTER_REFUSAL = 50 * 1024 * 1024

/** In `scope` forms are read, and nothing but forms. */
export async function readForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart)
  // Anything else is left where it is and refused by formOf, after who asks has been looked at.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  // What nobody wanted is read to its end, so that the sender gets to know why and the connection can be used again.
  scope.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.unpipe()
    cutAfter(raw, MOST_AFTER_REFUSAL)
    raw.resume()
  })
}

/** Cuts the line when more comes than `bytes`. Answers how to stop that. */
function cutAfter(stream: Readable, bytes: number): () => void {
  let left = bytes
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) stream.destroy()
  }
  stream.on('data', count)
  return () => stream.off('data', count)
}

/** A form that a use case receives when it wants it: whoever is refused before has sent for nothing. */
export type Form<Body> = {
  /** The fields, checked, and among them the file. */
  readonly receive: () => Promise<Body>
  /** Lets go of the file. */
  readonly close: () => Promise<void>
}

/** The form of a request; undefined when its call takes none. `folder` has room for the file. */
export function formOf<Body extends z.ZodType>(
  request: FastifyRequest,
  contract: Contract<z.ZodType, Body>,
  folder: string,
): Form<z.output<Body>> | undefined {
  const { largestFile } = contract
  if (largestFile === undefined) return undefined
  const handles: FileHandle[] = []
  return {
    async receive() {
      if (!request.isMultipart()) throw new Refusal('unsupported_media_type')
      const handle = await openNameless(folder)
      handles.push(handle)
      return readInput(contract.body, await receiveForm(request, handle, largestFile))
    },
    async close() {
      await Promise.all(handles.map((handle) => handle.close()))
    },
  }
}

/** A file that only its handle leads to. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `form-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function receiveForm(
  request: FastifyRequest,
  handle: FileHandle,
  largestFile: number,
): Promise<Readonly<Record<string, unknown>>> {
  const tooLarge = new Refusal('file_too_large', { most: String(largestFile / 1024 / 1024) }, ['file'])
  if (Number(request.headers['content-length'] ?? 0) > largestFile + AROUND_FILE) throw tooLarge
  // A sender who has left already is waited for by nobody: no event would tell of it any more.
  if (request.raw.destroyed) throw malformed()
  const parts = request.parts({ limits: { ...FORM_LIMITS, fileSize: largestFile } })
  // A form that says no length and never ends.
  const stopCounting = cutAfter(request.raw, largestFile + AROUND_FILE)
  let file: SentFile | undefined
  const fields = new Map<string, unknown>()
  try {
    for await (const part of parts) {
      if (part.type === 'file') file = await keepFile(part, handle, tooLarge)
      // A name that comes twice is a list, which no field may be.
      else fields.set(part.fieldname, fields.has(part.fieldname) ? [] : part.value)
    }
  } catch (error) {
    throw error instanceof Refusal || isOfDisk(error) ? error : malformed()
  } finally {
    stopCounting()
  }
  if (!file) throw malformed()
  return { ...Object.fromEntries(fields), file }
}

async function keepFile(part: MultipartFile, handle: FileHandle, tooLarge: Refusal): Promise<SentFile> {
  const { file, fieldname, filename } = part
  if (fieldname !== 'file') throw malformed()
  file.once('limit', () => file.destroy(tooLarge))
  for await (const chunk of file as AsyncIterable<Uint8Array>) await handle.appendFile(chunk)
  const { size } = await handle.stat()
  return { name: filename, size, read: () => readWhole(handle, size), pieces: () => readPieces(handle, size) }
}

const PIECE_BYTES = 1024 * 1024

async function* readPieces(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += PIECE_BYTES)
    yield await readAt(handle, at, Math.min(PIECE_BYTES, size - at))
}

const readWhole = (handle: FileHandle, size: number): Promise<Uint8Array> => readAt(handle, 0, size)

async function readAt(handle: FileHandle, from: number, count: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(count)
  for (let at = 0; at < count; ) {
    const { bytesRead } = await handle.read(bytes, at, count - at, from + at)
    if (bytesRead === 0) throw new Error('a file of a form is shorter than it was')
    at += bytesRead
  }
  return bytes
}

function malformed(): Refusal {
  return new Refusal('file_rejected', { why: 'form' }, ['file'])
}

/** A full or broken disk is our own fault; whatever else goes wrong is in the form. */
function isOfDisk(error: unknown): boolean {
  return /^E(NOSPC|DQUOT|IO|BADF)$/.test(String((error as { code?: unknown }).code))
}
