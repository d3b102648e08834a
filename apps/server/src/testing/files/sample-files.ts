/** Small files as ordinary programs write them, and forms that carry them. */
import { crc32, deflateSync } from 'node:zlib'

/** A grey JPEG of 24 by 7 pixels. */
export const JPEG = Buffer.from(
  `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////
////////wAALCAAHABgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AA//Z`,
  'base64',
)

/** The smallest PDF with a page. */
export const PDF = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj
trailer<</Root 1 0 R>>
%%EOF`)

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG, black, with so many bytes of text behind the picture; `mark` makes it another file. */
export function makePng({ width = 24, height = 7, weight = 0, mark = 'x' } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const row = 1 + Math.ceil(width / 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    chunk('tEXt', Buffer.concat([Buffer.from(`mark\0${mark}`), Buffer.alloc(weight, 'w')])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A form as a browser sends it. */
export function formWith(
  content: Uint8Array,
  name = 'photo.png',
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append('file', new Blob([new Uint8Array(content)], { type: 'application/octet-stream' }), name)
  return form
}
