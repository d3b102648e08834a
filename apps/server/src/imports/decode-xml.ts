/** Turns the bytes of an XML file into text, in the encoding that the file claims. */
import { TextDecoder } from 'node:util'
import { ImportRefusal } from './import-refusal.ts'

const MEGABYTE = 1_048_576
export const LARGEST_FILE_BYTES = 100 * MEGABYTE

/** Enough for a byte order mark and an XML declaration. */
const HEAD_BYTES = 256

/** Encodings that a file may claim. US-ASCII is read as UTF-8, which contains it. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'iso-8859-1',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
}

export function refuseTooLarge(): never {
  throw new ImportRefusal(
    `The file is larger than ${LARGEST_FILE_BYTES / MEGABYTE} MB, the most that an invoice may have. ` +
      'Send its attachments another way.',
  )
}

function startsWith(head: Uint8Array, ...bytes: number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte)
}

/** The encoding by the file's first bytes; a 16-bit file without a mark shows by the zeros around its "<". */
function sniffedEncoding(head: Uint8Array): string | undefined {
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (startsWith(head, 0xff, 0xfe) || startsWith(head, 0x3c, 0x00)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff) || startsWith(head, 0x00, 0x3c)) return 'utf-16be'
  return undefined
}

function encodingOf(head: Uint8Array): string {
  const sniffed = sniffedEncoding(head)
  const text = new TextDecoder(sniffed ?? 'windows-1252').decode(head.subarray(0, HEAD_BYTES))
  const claimed = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text.replace(/^\ufeff/, ''))?.[1]
  if (claimed === undefined) return sniffed ?? 'utf-8'
  const known = ENCODINGS[claimed.toLowerCase()]
  if (!known) {
    const name = claimed.slice(0, 40).replace(/[^\w.-]/g, '?')
    throw new ImportRefusal(`The encoding "${name}" is not supported. Save the file as UTF-8.`, {
      line: 1,
      column: 1,
    })
  }
  if (known.startsWith('utf-16') && !sniffed?.startsWith('utf-16')) {
    throw new ImportRefusal('The file claims to be UTF-16 and is not. Save it as UTF-8.', {
      line: 1,
      column: 1,
    })
  }
  return sniffed ?? known
}

/** Takes bytes in pieces and gives text in pieces. Throws ImportRefusal. */
export class XmlDecoder {
  #decoder: TextDecoder | undefined
  #head: Uint8Array = new Uint8Array(0)
  #bytes = 0
  #encoding = ''

  write(chunk: Uint8Array): string {
    this.#bytes += chunk.length
    if (this.#bytes > LARGEST_FILE_BYTES) refuseTooLarge()
    if (this.#decoder) return this.#decode(chunk, true)
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    return this.#head.length < HEAD_BYTES ? '' : this.#begin(true)
  }

  end(): string {
    if (this.#bytes === 0) throw new ImportRefusal('The file is empty.')
    return this.#decoder ? this.#decode(new Uint8Array(0), false) : this.#begin(false)
  }

  #begin(more: boolean): string {
    this.#encoding = encodingOf(this.#head)
    this.#decoder = new TextDecoder(this.#encoding, { fatal: true })
    const head = this.#head
    this.#head = new Uint8Array(0)
    return this.#decode(head, more)
  }

  #decode(chunk: Uint8Array, more: boolean): string {
    try {
      return this.#decoder?.decode(chunk, { stream: more }) ?? ''
    } catch {
      throw new ImportRefusal(
        `The file has bytes that are not ${this.#encoding.toUpperCase()} text` +
          ` (within the first ${this.#bytes} bytes). Save it in the encoding that its first line names.`,
      )
    }
  }
}
