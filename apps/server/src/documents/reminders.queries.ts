/** The SQL of reminder letters: the steps that sent one, and the letters that have been drawn. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'
import { leftAt } from './left-at.queries.ts'

export type ReminderRow = {
  id: string
  invoice_id: string
  type: 'REMINDER' | 'COLLECTION_NOTIFICATION'
  performed_date: string
  /** The day on which it left; later than it was written when it had waited. */
  sent_on: string
  last_pay_date: string | null
  /** The moment at which it left, `infinity` while it waits; null when nobody was to send it. */
  left_at: string | null
}

const REMINDERS = `select s.id, s.invoice_id, s.type, s.performed_date, coalesce(s.left_on, s.performed_date) as sent_on, s.last_pay_date,
     ${leftAt('s')}::text as left_at
   from collection_step s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   where s.instance_id = $1 and s.type in ('REMINDER', 'COLLECTION_NOTIFICATION') and s.status = 'PERFORMED'
     and ${SHOWN}`

const ofInvoice = statement(
  'reminders.ofInvoice',
  `${REMINDERS} and s.invoice_id = $2
     and not exists (select from document x where x.instance_id = s.instance_id and x.id = s.id)
   order by s.performed_date, s.number`,
)

/** The reminders of an invoice that nobody has looked at yet. A drawn one is a document like others. */
export function readUndrawnReminders(
  db: Connection,
  instanceId: string,
  invoiceId: string,
): Promise<ReminderRow[]> {
  return db.rows<ReminderRow>(ofInvoice, [instanceId, invoiceId])
}

const byStep = statement('reminders.byStep', `${REMINDERS} and s.id = $2`)

export async function readReminder(
  db: Connection,
  instanceId: string,
  stepId: string,
): Promise<ReminderRow | undefined> {
  return (await db.rows<ReminderRow>(byStep, [instanceId, stepId]))[0]
}

const lockReminder = statement(
  'reminders.lock',
  "select pg_advisory_xact_lock(hashtextextended('reminder:' || $1::text, 0))",
)
const insertFile = statement(
  'reminders.insertFile',
  `insert into file (instance_id, id, mime_type, content) values ($1, $2, 'application/pdf', $3)`,
)
const insertDocument = statement(
  'reminders.insertDocument',
  `insert into document (instance_id, id, invoice_id, type, topic, name_raw, file_id)
   values ($1, $2, $3, $4, 'REMINDER', $5, $6)`,
)

/** Holds everybody else who wants to draw the same letter until the transaction ends. */
export async function lockReminderStep(tx: Transaction, stepId: string): Promise<void> {
  await tx.rows(lockReminder, [stepId])
}

/** Keeps a drawn letter under the identifier of its step, so that it can be kept once only. */
export async function insertReminderLetter(
  tx: Transaction,
  instanceId: string,
  letter: {
    stepId: string
    fileId: string
    invoiceId: string
    type: string
    name: string
    bytes: Uint8Array
  },
): Promise<void> {
  await tx.rows(insertFile, [instanceId, letter.fileId, Buffer.from(letter.bytes)])
  await tx.rows(insertDocument, [
    instanceId, letter.stepId, letter.invoiceId, letter.type, letter.name, letter.fileId,
  ]) // biome-ignore format: in the order of the columns
}
