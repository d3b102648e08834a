/** What a file is by its first bytes: its name and its sender's word prove nothing. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { afterProlog } from '../../platform/files/xml-prolog.ts'

/** Enough for a byte order mark, a declaration and some of what follows. */
export const HEAD_BYTES = 4096

/** Refuses a file that cannot be imported; `why` is which sentence says so. */
export function unreadable(why: string, params: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal('import_unreadable', { why, detail: '', most: '', ...params }, ['file'])
}

const begins = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte)
const beginsWith = (head: Uint8Array, text: string): boolean => begins(head, ...Buffer.from(text, 'latin1'))

/** Neither tab, line end nor text: no table has these. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x01-\x08\x0e-\x1f]/

/** `XML` is a document, `ARCHIVE` a workbook or an archive of documents. Refuses `import_unreadable`. */
export function recogniseFile(head: Uint8Array): 'TABLE' | 'XML' | 'ARCHIVE' {
  if (head.length === 0) throw unreadable('empty')
  if (beginsWith(head, 'PK\x03\x04')) return 'ARCHIVE'
  if (beginsWith(head, 'PK\x05\x06')) throw unreadable('zip_empty')
  if (begins(head, 0xd0, 0xcf, 0x11, 0xe0)) throw unreadable('old_excel')
  const isSignature = [
    '%PDF',
    '\x89PNG',
    'GIF8',
    '\xff\xd8\xff',
    'Rar!',
    '7z\xbc\xaf',
    '\x1f\x8b',
    'BZh',
    'MZ',
    '\x7fELF',
  ]
  if (isSignature.some((signature) => beginsWith(head, signature))) throw unreadable('binary')
  // UTF-7 hides markup from whoever looks for it, and no program writes it any more.
  if (/^\+\/v[89+/]/.test(Buffer.from(head.subarray(0, 4)).toString('latin1'))) throw unreadable('encoding')
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/\0/g, '')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart()
  if (text === '') throw unreadable('empty')
  if (text.startsWith('<')) {
    if (/^<(!doctype\s+html|html|head|body|svg|script|img|iframe|table|div|a|p)[\s>/]/i.test(text))
      throw unreadable('markup')
    if (/^<(!doctype\s+(html|svg)|html|svg)[\s>]/i.test(afterProlog(text))) throw unreadable('markup')
    return 'XML'
  }
  if (CONTROLS.test(text)) throw unreadable('binary')
  return 'TABLE'
}
