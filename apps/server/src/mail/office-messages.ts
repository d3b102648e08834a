/** What a debtor was told, as staff read it. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Connection } from '../platform/database/database.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import { readMessages } from './office-messages.queries.ts'

/** The messages about an invoice or a claim, the newest first, each with its subject in `language`. The caller has looked whose it is. */
export async function listMessages(
  db: Connection,
  { instanceId, debt, language }: { instanceId: string; debt: Debt; language: Language },
) {
  const rows = await readMessages(db, instanceId, debt)
  return rows.map((row) => ({ ...row, subject: textOf(language, `mail.${row.kind}.subject` as TextKey) }))
}
