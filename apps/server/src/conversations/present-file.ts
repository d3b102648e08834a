import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { addInvoiceConversationFile } from '@kvitt/domain/conversations/conversation.contract.ts'
import { FILE_ENDINGS } from '@kvitt/domain/disputes/dispute-file.ts'
import type { Context } from '../context.ts'
import { makeLink, type FileLink } from '../platform/files/file-links.ts'
import type { ConversationFileRow } from './conversations.queries.ts'

export type PresentedFile = AnswerOf<typeof addInvoiceConversationFile>

/** A file of a thread as the wire has it, with a name that opens it. */
export function presentFile(
  context: Pick<Context, 'fileKey' | 'clock'>,
  maker: Pick<FileLink, 'session' | 'isForStaff'>,
  row: ConversationFileRow,
): PresentedFile {
  return {
    id: row.id,
    fileName: makeLink(context, { ...maker, kind: 'f', id: row.id }, FILE_ENDINGS[row.mime_type]),
    fileNameRaw: row.name,
    mimeType: row.mime_type,
    size: row.size,
    date: row.added_on,
  }
}
