/** What a letter says, for tests. */
import { constants, inflateSync } from 'node:zlib'

function inflated(body: string): string {
  try {
    // Where the last byte of a stream looks like the end of its line, it is missing here.
    const finishFlush = constants.Z_SYNC_FLUSH
    return inflateSync(Buffer.from(body, 'latin1'), { finishFlush }).toString('latin1')
  } catch {
    return ''
  }
}

/** The words of a PDF that are set in a built-in font, a line for each piece; every space is a plain one. */
export function wordsOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\n?endstream/g)]
  const pieces = streams.flatMap(([, body = '']) => [...inflated(body).matchAll(/\[([^\]]*)\] TJ/g)])
  const lines = pieces.map(([, piece = '']) =>
    [...piece.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')),
  )
  const text = Buffer.from(lines.map((line) => line.join('')).join('\n'), 'latin1')
  return new TextDecoder('windows-1252').decode(text).replaceAll('\u00a0', ' ')
}
