/** The SQL that keeps files which are sent along with what a debtor asks. */
import { statement, type Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../sign-in/viewer.ts'

type Key = { readonly instanceId: string; readonly id: string }

const kept = statement(
  'conversations.keptFiles',
  `select count(*)::int as files, max(id::text) filter (where door = $3 and content_hash = $4) as same_id
   from conversation_file where instance_id = $1 and conversation_id = $2`,
)

/** How many files a thread has, and which of them came through this door with the same content. */
export async function countConversationFiles(
  tx: Transaction,
  { instanceId, id }: Key,
  file: { readonly door: Viewer['kind']; readonly hash: Uint8Array },
): Promise<{ files: number; same_id: string | null }> {
  const values = [instanceId, id, file.door, file.hash]
  const rows = await tx.rows<{ files: number; same_id: string | null }>(kept, values)
  return rows[0] ?? { files: 0, same_id: null }
}

const insertContent = statement(
  'conversations.insertContent',
  'insert into file (instance_id, id, mime_type, content) values ($1, $2, $3, $4)',
)
const insertFile = statement(
  'conversations.insertFile',
  `insert into conversation_file (instance_id, id, conversation_id, door, name, description, size, content_hash, added_on)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertConversationFile(
  tx: Transaction,
  file: {
    instanceId: string
    id: string
    conversationId: string
    door: Viewer['kind']
    name: string
    description: string | null
    mimeType: string
    content: Uint8Array
    hash: Uint8Array
    addedOn: string
  },
): Promise<void> {
  const { instanceId, id, content } = file
  await tx.rows(insertContent, [instanceId, id, file.mimeType, content])
  const { conversationId, door, name, description, hash, addedOn } = file
  const size = content.length
  await tx.rows(insertFile, [instanceId, id, conversationId, door, name, description, size, hash, addedOn])
}
