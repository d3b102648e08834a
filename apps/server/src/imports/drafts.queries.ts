/** The SQL of drafts and of the creditors' number series. */
import { statement, type Transaction } from '../platform/database/database.ts'

const identityOf = statement(
  'imports.creditorIdentity',
  'select identity from creditor where instance_id = $1 and id = $2',
)

export async function readCreditorIdentity(tx: Transaction, instanceId: string, id: string): Promise<string> {
  const row = (await tx.rows<{ identity: string }>(identityOf, [instanceId, id]))[0]
  if (!row) throw new Error(`creditor ${id} does not exist`)
  return row.identity
}

const next = statement(
  'imports.nextNumber',
  `insert into number_series as s (instance_id, creditor_id, kind, prefix)
   values ($1, $2, $3, case $3 when 'CREDIT_NOTE' then 'K' else '' end)
   on conflict (instance_id, creditor_id, kind) do update set last_number = s.last_number + 1
   returning prefix || last_number as number`,
)
const taken = statement(
  'imports.numberTaken',
  `select exists (select from invoice i where i.instance_id = $1 and i.creditor_id = $2 and i.invoice_number = $3)
     or exists (select from credit_note n where n.instance_id = $1 and n.creditor_id = $2 and n.credit_note_number = $3)
     as is_taken`,
)

/** Takes the next number, and says whether a document has it already. */
export async function takeNextNumber(
  tx: Transaction,
  of: { readonly instanceId: string; readonly creditorId: string; readonly kind: string },
): Promise<{ readonly number: string; readonly isTaken: boolean }> {
  const row = (await tx.rows<{ number: string }>(next, [of.instanceId, of.creditorId, of.kind]))[0]
  if (!row) throw new Error('a number series has no next number')
  const [found] = await tx.rows<{ is_taken: boolean }>(taken, [of.instanceId, of.creditorId, row.number])
  return { number: row.number, isTaken: found?.is_taken ?? false }
}

const reminderTerms = statement(
  'imports.reminderTerms',
  `select c.country, c.reminder_fee_agreed_on::text as agreed_on, n.mode = 'live' as is_live
   from creditor c join instance n on n.id = c.instance_id where c.instance_id = $1 and c.id = $2`,
)

export type ReminderRow = {
  readonly country: string
  /** Since when a reminder fee is agreed. */
  readonly agreed_on: string | null
  readonly is_live: boolean
}

/** By what a creditor's reminders may cost something. */
export async function readReminderTermsOf(
  tx: Transaction,
  instanceId: string,
  creditorId: string,
): Promise<ReminderRow> {
  const row = (await tx.rows<ReminderRow>(reminderTerms, [instanceId, creditorId]))[0]
  if (!row) throw new Error(`creditor ${creditorId} does not exist`)
  return row
}
