/** A question about an invoice that waits for the creditor, with the task that it makes. */
import { insertConversationRow, insertMessageRow } from '../conversations/conversations.queries.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/identity.ts'
import { openTask } from '../tasks/tasks.ts'
import type { BuiltInvoice } from './build.ts'
import type { TestDatabase } from './test-database.ts'

export type BuiltConversation = { readonly id: string }

/** Asks about an invoice, as its debtor does at the public door. */
export async function buildConversation(
  { db }: TestDatabase,
  clock: Clock,
  { instanceId, id: invoiceId }: BuiltInvoice,
): Promise<BuiltConversation> {
  const id = newId(Date.now())
  const askedOn = clock.today('Europe/Stockholm')
  const debt = { invoiceId }
  await db.transaction(async (tx) => {
    await insertConversationRow(tx, {
      instanceId,
      id,
      debt,
      kind: 'QUESTION',
      door: 'public',
      email: '',
      askedOn,
    })
    const message = {
      instanceId,
      id: newId(Date.now()),
      conversationId: id,
      author: 'debtor',
      writtenOn: askedOn,
    }
    await insertMessageRow(tx, { ...message, text: 'Vad avser avgiften?' })
    await openTask(tx, {
      instanceId,
      kind: 'question_asked',
      about: `conversation:${id}`,
      details: debt,
      madeOn: askedOn,
    })
  })
  return { id }
}
