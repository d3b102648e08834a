/** Turns the bytes of a table into text: UTF-8, UTF-16 with or without its mark, else Windows-1252, which every byte is of. */
import { TextDecoder } from 'node:util'
import { HEAD_BYTES, unreadable } from './recognise-file.ts'

/** Reads the file from its beginning; asked twice. */
export type OpenFile = () => AsyncIterable<Uint8Array>

/** Which bytes are zero tells: in UTF-16 those of ordinary letters are, every second. */
function encodingOfZeros(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0) return undefined
  if (odd > head.length / 5 && even < odd / 10) return 'utf-16le'
  if (even > head.length / 5 && odd < even / 10) return 'utf-16be'
  throw unreadable('binary')
}

async function encodingOf(open: OpenFile): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let isFirst = true
  for await (const chunk of open()) {
    if (isFirst) {
      if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
      if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be'
      const wide = encodingOfZeros(chunk.subarray(0, HEAD_BYTES))
      if (wide) return wide
    }
    isFirst = false
    try {
      utf8.decode(chunk, { stream: true })
    } catch {
      isUtf8 = false
      break
    }
  }
  return isUtf8 && endsWhole(utf8) ? 'utf-8' : 'windows-1252'
}

function endsWhole(decoder: TextDecoder): boolean {
  try {
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** The text of a file, piece by piece. Refuses `import_unreadable` where its bytes are no text. */
export async function* decodeTable(open: OpenFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(open), { fatal: true })
  try {
    for await (const chunk of open()) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw unreadable('encoding')
    throw error
  }
}
