/** The SQL that keeps the files of disputes. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../sign-in/viewer.ts'

const openDispute = statement(
  'disputes.open',
  `select id from dispute where instance_id = $1 and debt_id = $2 and status = 'OPEN'`,
)

/** The open dispute of an invoice or a claim. */
export async function readOpenDispute(
  db: Connection,
  instanceId: string,
  debtId: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(openDispute, [instanceId, debtId]))[0]?.id
}

const lockDispute = statement(
  'disputes.lock',
  `select id from dispute where instance_id = $1 and id = $2 and status = 'OPEN' for no key update`,
)

/**
 * Holds a dispute open until the transaction ends; answers whether it still was. Whoever decides it has locked its
 * invoice or claim before and comes here last, so this is the only lock that a file takes.
 */
export async function lockOpenDispute(
  tx: Transaction,
  instanceId: string,
  disputeId: string,
): Promise<boolean> {
  return (await tx.rows(lockDispute, [instanceId, disputeId])).length === 1
}

const kept = statement(
  'disputes.keptFiles',
  `select count(*)::int as files,
     max(id::text) filter (where door = $3 and content_hash = $4) as same_id
   from dispute_file where instance_id = $1 and dispute_id = $2`,
)

/** How many files a dispute has, and which of them came through this door with the same content. */
export async function countKeptFiles(
  tx: Transaction,
  dispute: { readonly instanceId: string; readonly id: string },
  file: { readonly door: Viewer['kind']; readonly hash: Uint8Array },
): Promise<{ files: number; same_id: string | null }> {
  const values = [dispute.instanceId, dispute.id, file.door, file.hash]
  const rows = await tx.rows<{ files: number; same_id: string | null }>(kept, values)
  return rows[0] ?? { files: 0, same_id: null }
}

const insertContent = statement(
  'disputes.insertContent',
  'insert into file (instance_id, id, mime_type, content) values ($1, $2, $3, $4)',
)
const insertFile = statement(
  'disputes.insertFile',
  `insert into dispute_file (instance_id, id, dispute_id, door, name, description, size, content_hash, added_on)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertDisputeFileRow(
  tx: Transaction,
  file: {
    instanceId: string
    id: string
    disputeId: string
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
  const { disputeId, door, name, description, hash, addedOn } = file
  const size = content.length
  await tx.rows(insertFile, [instanceId, id, disputeId, door, name, description, size, hash, addedOn])
}
