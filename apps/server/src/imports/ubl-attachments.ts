/** The files inside a UBL document. */
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { ImportRefusal } from './import-refusal.ts'
import type { ParsedAttachment } from './parsed-invoice.ts'
import { LARGEST_ATTACHMENT_BYTES, placeOf, type ReadElement } from './read-elements.ts'
import { childrenOf, find, quoted } from './ubl-fields.ts'

const LARGEST_TOTAL_BYTES = 20 * 1_048_576
const MOST_ATTACHMENTS = 50

type Kind = { readonly extension: string; readonly isKind: (content: Buffer) => boolean }

function beginsWith(...bytes: number[]): (content: Buffer) => boolean {
  return (content) => content.subarray(0, bytes.length).equals(Buffer.from(bytes))
}
const isArchive = beginsWith(0x50, 0x4b, 0x03, 0x04)
const isPlain = (content: Buffer): boolean => !content.includes(0)

/** What Peppol allows as an attachment (code list MimeCode), and plain text. The content has to be what it claims. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['application/pdf', { extension: 'pdf', isKind: (content) => content.subarray(0, 1024).includes('%PDF-') }],
  ['image/png', { extension: 'png', isKind: beginsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) }],
  ['image/jpeg', { extension: 'jpg', isKind: beginsWith(0xff, 0xd8, 0xff) }],
  ['text/csv', { extension: 'csv', isKind: isPlain }],
  ['text/plain', { extension: 'txt', isKind: isPlain }],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    { extension: 'xlsx', isKind: isArchive },
  ],
  ['application/vnd.oasis.opendocument.spreadsheet', { extension: 'ods', isKind: isArchive }],
])

/** A file name that is safe to show and to save, with the extension of what the file is. */
export function safeFileName(name: string, extension: string): string {
  const last = oneLine(name).split(/[/\\]/).at(-1) ?? ''
  const stem = last
    .replace(/[<>:"|?*]/g, '')
    .replace(/\.[^.]{0,10}$/, '')
    .replace(/^[. ]+|[. ]+$/g, '')
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem)
  const kept = stem === '' || isReserved ? 'attachment' : Array.from(stem).slice(0, 100).join('').trim()
  return `${kept}.${extension}`
}

function attribute(element: ReadElement, name: string): string {
  const found = element.attributes[name]
  return (typeof found === 'object' ? found.value : found) ?? ''
}

function decode(element: ReadElement): Buffer {
  const base64 = element.text.replace(/\s+/g, '')
  // Looks for what does not belong: a pattern of the whole text keeps every place that it passed, and 14 MB are too many.
  const letters = base64.replace(/={1,2}$/, '')
  if (letters === '' || /[^A-Za-z0-9+/]/.test(letters) || base64.length % 4 === 1) {
    throw new ImportRefusal('The attachment is not base64. Export the invoice again.', placeOf(element))
  }
  const content = Buffer.from(base64, 'base64')
  if (content.length > LARGEST_ATTACHMENT_BYTES) {
    throw new ImportRefusal('An attachment is larger than 10 MB. Send it another way.', placeOf(element))
  }
  return content
}

/** The embedded files. One of another kind is left out with a warning: the invoice can be paid without it. */
export function readAttachments(document: ReadElement): {
  attachments: ParsedAttachment[]
  warnings: string[]
} {
  const attachments: ParsedAttachment[] = []
  const warnings: string[] = []
  let total = 0
  for (const reference of childrenOf(document, 'AdditionalDocumentReference')) {
    const element = find(reference, 'Attachment', 'EmbeddedDocumentBinaryObject')
    if (!element || element.text.trim() === '') continue
    const mimeType = attribute(element, 'mimeCode').trim().toLowerCase()
    const printed = attribute(element, 'filename') || find(reference, 'ID')?.text || ''
    const kind = KINDS.get(mimeType)
    if (!kind) {
      warnings.push(
        `The attachment ${quoted(printed)} was left out: ${quoted(mimeType)} is not a kind that we keep.`,
      )
      continue
    }
    const content = decode(element)
    if (!kind.isKind(content)) {
      warnings.push(`The attachment ${quoted(printed)} was left out: its content is not ${mimeType}.`)
      continue
    }
    total += content.length
    if (total > LARGEST_TOTAL_BYTES || attachments.length >= MOST_ATTACHMENTS) {
      throw new ImportRefusal(
        `The attachments are more than ${MOST_ATTACHMENTS} or together larger than 20 MB. Send some of them another way.`,
        placeOf(element),
      )
    }
    attachments.push({ name: safeFileName(printed, kind.extension), mimeType, content })
  }
  return { attachments, warnings }
}
