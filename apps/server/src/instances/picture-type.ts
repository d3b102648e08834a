/** Of which kind a picture is, by what is in it. It is decoded afterwards (clean-picture.ts). */
import { afterProlog } from '../platform/files/xml-prolog.ts'

type PictureType = { readonly mimeType: string; readonly ending: string }

const at = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

const KINDS: readonly (readonly [PictureType, (bytes: Uint8Array) => boolean])[] = [
  [{ mimeType: 'image/png', ending: 'png' }, (bytes) => at(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'],
  [{ mimeType: 'image/jpeg', ending: 'jpg' }, (bytes) => at(bytes, 0, 3) === '\xff\xd8\xff'],
  [
    { mimeType: 'image/webp', ending: 'webp' },
    (bytes) => at(bytes, 0, 4) === 'RIFF' && at(bytes, 8, 12) === 'WEBP',
  ],
  [{ mimeType: 'image/svg+xml', ending: 'svg' }, isDrawing],
]

/** How far into a file its drawing begins at the latest. */
const LONGEST_PROLOG = 16_384

function isDrawing(bytes: Uint8Array): boolean {
  const root = afterProlog(Buffer.from(bytes.subarray(0, LONGEST_PROLOG)).toString('utf8'))
  // A document type with rules of its own is no picture's.
  const type = /^<!DOCTYPE svg[^>[]*>/.exec(root)?.[0] ?? ''
  return /^<svg[\s>]/.test(type === '' ? root : afterProlog(root.slice(type.length)))
}

/** Undefined when it is none of these. */
export function readPictureType(bytes: Uint8Array): PictureType | undefined {
  return KINDS.find(([, fits]) => fits(bytes))?.[0]
}
