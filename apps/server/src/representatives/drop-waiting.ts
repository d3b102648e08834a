/** What waits to ask for money when a debtor's debts begin to rest (M-34). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import { readdressLetters } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { dropLettersOf } from '../unsent-letters/unsent-letters.ts'
import { dropNoticeRows, lockDebtsOf } from './flag-rows.queries.ts'

/** What a task is about, and the deeds beside the debtor. */
export const aboutOf = (flagId: string): string => `flag:${flagId}`

/** Under the locks of all the debtor's open debts: what waits to ask for money stays here, and has not happened. */
export async function dropWaiting(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instanceId, debtorId, on }: { instanceId: string; debtorId: string; on: CalendarDate },
): Promise<void> {
  const { invoices, claims } = await lockDebtsOf(tx, { instanceId, debtorId })
  const debts = [...invoices.map((invoiceId) => ({ invoiceId })), ...claims.map((claimId) => ({ claimId }))]
  for (const debt of debts)
    await dropLettersOf(context, tx, { instanceId, debt, on, reason: 'resting', again: 'PLANNED' })
  await dropNoticeRows(tx, instanceId, invoices)
}

/** Somebody else gets a debtor's letters from now on: what waits is drawn again when it leaves. */
export async function readdressWaiting(
  tx: Transaction,
  { instanceId, debtorId }: { instanceId: string; debtorId: string },
): Promise<void> {
  const { invoices, claims } = await lockDebtsOf(tx, { instanceId, debtorId })
  for (const invoiceId of invoices) await readdressLetters(tx, instanceId, { invoiceId })
  for (const claimId of claims) await readdressLetters(tx, instanceId, { claimId })
}
