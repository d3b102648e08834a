/** Answers that are files: documents, receipts, branding. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Bytes for the browser: shown in place, or saved under `name`. */
export type FileAnswer = {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly name: string
  readonly isPublic: boolean
  /** Of a list as a file: how many rows it has. */
  readonly rows?: number
}

/** A private file that is read a part at a time and only ever saved. */
export type SlicedFile = {
  readonly slices: AsyncIterable<Uint8Array>
  /** Bytes in all. */
  readonly size: number
  readonly mimeType: string
  readonly name: string
}

export function isFile(answer: unknown): answer is FileAnswer {
  return answer !== null && typeof answer === 'object' && 'bytes' in answer && 'mimeType' in answer
}

/** Types that a browser may show in place; everything else is only saved. */
const SHOWN = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/svg+xml',
  'image/avif',
])

export function sendFile(reply: FastifyReply, file: FileAnswer | SlicedFile): FastifyReply {
  const isSliced = 'slices' in file
  const disposition = SHOWN.has(file.mimeType) && !isSliced ? 'inline' : 'attachment'
  const ascii = file.name
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '')
  void reply
    .header('content-type', file.mimeType)
    .header(
      'content-disposition',
      `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    // A stored file never runs anything, whatever it contains (threat upload.svg).
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
  if (isSliced) {
    return reply
      .header('cache-control', 'private, no-store')
      .header('content-length', file.size)
      .send(Readable.from(file.slices))
  }
  return reply
    .header('cache-control', file.isPublic ? 'public, max-age=3600' : 'private, no-store')
    .send(Buffer.from(file.bytes))
}
