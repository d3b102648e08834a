/** The SQL that reads the files of disputes. */
import type { FileType } from '@kvitt/domain/disputes/dispute-file.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

export type DisputeFileRow = {
  id: string
  name: string
  description: string | null
  size: number
  mime_type: FileType
  added_on: string
}

/** $3 is the reader's door: a public session sees what public sessions sent, a signed-in debtor and staff see all. */
const SEEN = `(x.door = 'public' or $3 <> 'public')`

const read = (name: string, wanted: string) =>
  statement(
    name,
    `select x.id, x.name, x.description, x.size, f.mime_type, x.added_on
     from dispute d
     join dispute_file x on x.instance_id = d.instance_id and x.dispute_id = d.id
     join file f on f.instance_id = x.instance_id and f.id = x.id
     where d.instance_id = $1 and ${wanted} and ${SEEN} order by x.created_at, x.id`,
  )
const ofDispute = read('documents.disputeFilesOfDispute', 'd.id = $2')
const ofDebt = read('documents.disputeFilesOfDebt', 'd.debt_id = $2')

/** The files of a dispute that the viewer may see, the oldest first. */
export function readFilesOfDispute(
  db: Connection,
  reader: {
    readonly instance: { readonly id: string }
    readonly kind: Viewer['kind'] | ClientPrincipal['kind']
  },
  disputeId: string,
): Promise<DisputeFileRow[]> {
  return db.rows<DisputeFileRow>(ofDispute, [reader.instance.id, disputeId, reader.kind])
}

/** The files of all disputes of an invoice or a claim that the viewer may see, the oldest first. */
export function readDisputeFilesOfDebt(
  db: Connection,
  viewer: Viewer,
  debtId: string,
): Promise<DisputeFileRow[]> {
  return db.rows<DisputeFileRow>(ofDebt, [viewer.instance.id, debtId, viewer.kind])
}

const shownFile = statement(
  'documents.shownDisputeFile',
  `select x.name, x.size, f.mime_type
   from (select instance_id, id, name, size, dispute_id as of_id from dispute_file
         union all select instance_id, id, name, size, conversation_id from conversation_file) x
   join file f on f.instance_id = x.instance_id and f.id = x.id
   join (select instance_id, id, invoice_id, claim_id from dispute
         union all select instance_id, id, invoice_id, claim_id from conversation) d
     on d.instance_id = x.instance_id and d.id = x.of_id
   left join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
   where x.instance_id = $1 and x.id = $2 and (d.claim_id is not null
     or ${SHOWN})`,
)

/** For who holds a signed file link: the file of a dispute or a conversation, while its invoice or claim may still be seen. */
export async function readShownDisputeFile(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<{ name: string; size: number; mime_type: FileType } | undefined> {
  return (await db.rows<{ name: string; size: number; mime_type: FileType }>(shownFile, [instanceId, id]))[0]
}

const slice = statement(
  'documents.slice',
  'select substring(content from $3 for $4) as part from file where instance_id = $1 and id = $2',
)
const SLICE_BYTES = 128 * 1024

/** The bytes of a stored file a part at a time, so that a large one that many ask for does not fill the memory. */
export async function* readSlices(
  db: Connection,
  instanceId: string,
  { id, size }: { readonly id: string; readonly size: number },
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += SLICE_BYTES) {
    const [row] = await db.rows<{ part: Buffer }>(slice, [instanceId, id, at + 1, SLICE_BYTES])
    if (!row) throw new Error(`file ${id} is gone`)
    yield row.part
  }
}
