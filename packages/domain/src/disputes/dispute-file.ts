/**
 * A file that a debtor sends along with an objection: what it may be and what it is called afterwards. Decided by
 * what is in the file, never by its name or by what its sender calls it; the same for server and portals.
 */
import { oneLine } from '../plain-text.ts'

/** Bytes that a file may have: 10 MB as computers count them. */
export const LARGEST_FILE = 10 * 1024 * 1024
/** Files that a dispute may have. */
export const MOST_FILES = 10
/** Picture elements that a picture may have: a small file can unpack to far more than any camera takes. */
export const MOST_PIXELS = 40_000_000
/** Characters that a sender may write about a file. */
export const LONGEST_DESCRIPTION = 500

/** What may be sent, with the ending that its name gets. */
export const FILE_ENDINGS = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const
export type FileType = keyof typeof FILE_ENDINGS
export const FILE_TYPES = Object.keys(FILE_ENDINGS) as [FileType, ...FileType[]]

/** `empty`: no bytes. `kind`: none of what may be sent, or damaged. `pixels`: more than MOST_PIXELS. */
export type FileFault = 'empty' | 'large' | 'kind' | 'pixels'

type Picture = { readonly width: number; readonly height: number }

/**
 * What a whole file is, or what is wrong with it. Pictures are not decoded: their size stands in their header.
 */
export function readFileType(bytes: Uint8Array): { readonly type: FileType } | { readonly fault: FileFault } {
  if (bytes.length === 0) return { fault: 'empty' }
  if (bytes.length > LARGEST_FILE) return { fault: 'large' }
  if (/^%PDF-[12]\.\d/.test(textAt(bytes, 0, 8))) return { type: 'application/pdf' }
  for (const [type, read] of PICTURES) {
    const picture = read(bytes)
    if (picture === undefined) continue
    const pixels = picture.width * picture.height
    if (pixels === 0) return { fault: 'kind' }
    return pixels > MOST_PIXELS ? { fault: 'pixels' } : { type }
  }
  return { fault: 'kind' }
}

/** Each answers undefined when the file is no such picture, or too damaged to say how large it is. */
const PICTURES: readonly (readonly [FileType, (bytes: Uint8Array) => Picture | undefined])[] = [
  ['image/jpeg', sizeOfJpeg],
  ['image/png', sizeOfPng],
  ['image/webp', sizeOfWebp],
]

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** A whole number of `length` bytes, the highest first; NaN beyond the end. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum = sum * 256 + (bytes[at + i] ?? Number.NaN)
  return sum
}

/** The same with the lowest byte first. */
function reversedAt(bytes: Uint8Array, at: number, length: number): number {
  return numberAt(bytes.slice(at, at + length).reverse(), 0, length)
}

function pictureOf(width: number, height: number): Picture | undefined {
  return Number.isNaN(width * height) ? undefined : { width, height }
}

/** PNG: the first chunk is IHDR (ISO/IEC 15948, 11.2.2). */
function sizeOfPng(bytes: Uint8Array): Picture | undefined {
  if (textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(bytes, 12, 4) !== 'IHDR') return undefined
  return pictureOf(numberAt(bytes, 16, 4), numberAt(bytes, 20, 4))
}

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most

/** JPEG: the frame header SOF stands after any number of segments (ITU-T T.81, B.2.2). */
function sizeOfJpeg(bytes: Uint8Array): Picture | undefined {
  if (numberAt(bytes, 0, 3) !== 0xffd8ff) return undefined
  let at = 2
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || isBetween(marker, 0xd0, 0xd7)) at += 2
    // C4, C8 and CC are tables, not frames.
    else if (isBetween(marker, 0xc0, 0xcf) && !(marker === 0xc4 || marker === 0xc8 || marker === 0xcc)) {
      return pictureOf(numberAt(bytes, at + 7, 2), numberAt(bytes, at + 5, 2))
    }
    // The picture begins or ends before anything has said how large it is.
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else {
      const length = numberAt(bytes, at + 2, 2)
      if (!(length >= 2)) return undefined
      at += 2 + length
    }
  }
  return undefined
}

/** WebP: a canvas, a lossy or a lossless frame comes first (RFC 9649, 2.5 to 2.7). */
function sizeOfWebp(bytes: Uint8Array): Picture | undefined {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return undefined
  const chunk = textAt(bytes, 12, 4)
  if (chunk === 'VP8X') return pictureOf(reversedAt(bytes, 24, 3) + 1, reversedAt(bytes, 27, 3) + 1)
  if (chunk === 'VP8 ' && numberAt(bytes, 23, 3) === 0x9d012a) {
    return pictureOf(reversedAt(bytes, 26, 2) % 0x4000, reversedAt(bytes, 28, 2) % 0x4000)
  }
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const bits = reversedAt(bytes, 21, 4)
    return pictureOf((bits % 0x4000) + 1, (Math.floor(bits / 0x4000) % 0x4000) + 1)
  }
  return undefined
}

/** Characters before the ending: with up to four bytes each this still is a name that every file system takes. */
const LONGEST_NAME = 60
/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i
const OWN_ENDING = /\.(pdf|jpe?g|jpe|jfif|png|webp)$/i

/**
 * The name under which a file is kept and handed out, from what its sender called it: no folders, nothing invisible
 * or that turns the direction of writing, no name of a device, at most 60 characters, and one ending, that of `type`:
 * `bill.pdf.exe` is `bill-pdf-exe.pdf` when it holds a PDF.
 */
export function safeFileName(sent: string, type: FileType): string {
  const last = sent.slice(0, 4000).split(/[/\\]/).at(-1) ?? ''
  const plain = oneLine(last)
    .replace(OWN_ENDING, '')
    .replace(/[<>:"|?*%]/g, ' ')
    .replaceAll('.', '-')
    .replace(/\s+/g, ' ')
    .replace(/^[- ]+|[- ]+$/g, '')
  const short = [...plain].slice(0, LONGEST_NAME).join('').trimEnd()
  const name = DEVICES.test(short) ? `_${short}` : short
  return `${name || 'file'}.${FILE_ENDINGS[type]}`
}
