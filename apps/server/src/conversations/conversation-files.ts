/** Files that a debtor sends along with what is asked, while it waits for the creditor. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { addInvoiceConversationFile } from '@kvitt/domain/conversations/conversation.contract.ts'
import { MOST_FILES } from '@kvitt/domain/disputes/dispute-file.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import type { Context } from '../context.ts'
import { receiveFile, tooManyFiles, type ReceivedFile } from '../disputes/disputes.ts'
import { newId } from '../platform/identity.ts'
import { sessionOf, type Viewer } from '../sign-in/viewer.ts'
import { countConversationFiles, insertConversationFile } from './conversation-files.queries.ts'
import {
  lockConversation,
  moveConversationRow,
  readConversations,
  readFiles,
  type Reader,
} from './conversations.queries.ts'
import { presentFile, type PresentedFile } from './present-file.ts'
import { findDebt, type DebtNumber } from './visible-debt.ts'

type NewFile = {
  readonly conversation: string
  readonly receive: () => Promise<BodyOf<typeof addInvoiceConversationFile>>
}

/**
 * Adds a file to a thread that waits for the creditor. It is received only when there is one, and kept only when it still waits
 * then. The same content again answers what was kept before. Refuses with `conversation_not_open`, `file_rejected`,
 * `file_too_large`, `too_many_files`.
 */
export async function addConversationFile(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
  { conversation: id, receive }: NewFile,
): Promise<PresentedFile> {
  const { reader } = await findDebt(context, viewer, number)
  const threads = isUuid(id) ? await readConversations(context.db, reader) : []
  if (!threads.some((thread) => thread.id === id && thread.status === 'OPEN'))
    throw new Refusal('conversation_not_open')
  const today = context.clock.today(viewer.instance.timeZone)
  const keptId = await receiveFile(id, receive, (file) =>
    keepFile(context, reader, { conversationId: id, file, today }),
  )
  const kept = (await readFiles(context.db, reader.instanceId, [id])).find((file) => file.id === keptId)
  if (!kept) throw new Error(`file ${keptId} is not in its conversation`)
  return presentFile(context, { session: sessionOf(viewer) }, kept)
}

type Keeping = { readonly conversationId: string; readonly file: ReceivedFile; readonly today: string }

/** Answers the identifier of the file, new or kept before. */
function keepFile(
  context: Context,
  reader: Reader,
  { conversationId, file, today }: Keeping,
): Promise<string> {
  const { instanceId, door } = reader
  const id = newId(context.clock.now())
  return context.db.transaction(async (tx) => {
    const thread = await lockConversation(tx, reader, conversationId)
    if (thread?.status !== 'OPEN') throw new Refusal('conversation_not_open')
    const { hash } = file
    const known = await countConversationFiles(tx, { instanceId, id: conversationId }, { door, hash })
    if (known.same_id !== null) return known.same_id
    if (known.files >= MOST_FILES) throw tooManyFiles()
    // As with a message: what an electronic ID has sent, a pair does not see.
    if (door === 'debtor')
      await moveConversationRow(tx, { instanceId, id: conversationId }, { from: 'OPEN', to: 'OPEN', door })
    await insertConversationFile(tx, { ...file, instanceId, id, conversationId, door, addedOn: today })
    return id
  })
}
