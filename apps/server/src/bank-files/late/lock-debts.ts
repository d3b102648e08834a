/**
 * The debts that money which goes back is of, before all else that is locked or booked. One order for all who move it: bank files, debts,
 * rows of files and settlements, figures, the books, accounts of the ledger, tasks, the audit log. Whoever books first and asks for a debt
 * then waits for somebody who has the debt and waits for the account.
 */
import { readSharesOf } from '../../collection/collection.ts'
import { lockDebtOf } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { readDebtsOfOrders, type DebtOfOrder } from './lock-debts.queries.ts'

const keyOf = ({ invoiceId, claimId }: DebtOfOrder): string => claimId ?? invoiceId ?? ''

async function lockAll(tx: Transaction, instanceId: string, debts: readonly DebtOfOrder[]): Promise<void> {
  const found = new Map(debts.map((debt) => [keyOf(debt), debt]))
  found.delete('')
  for (const [id, { invoiceId, claimId }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    await lockDebtOf(tx, {
      id,
      instance_id: instanceId,
      invoice_id: claimId === null ? invoiceId : null,
      claim_id: claimId,
    })
}

const SOURCE = /(?:payment|bank-line):([0-9a-f-]{36})/

/** Those of `about` of a money_out or a task: what it was owed for, and what its payment paid. Ask under lockBankFiles. */
export async function lockDebtsOfAbouts(
  tx: Transaction,
  instanceId: string,
  abouts: readonly string[],
): Promise<void> {
  const debts: DebtOfOrder[] = [...(await readDebtsOfOrders(tx, instanceId, { abouts }))]
  for (const about of abouts) {
    const source = SOURCE.exec(about)?.[1]
    if (source === undefined) continue
    for (const share of await readSharesOf(tx, instanceId, source))
      debts.push({ about, invoiceId: share.invoice_id, claimId: share.claim_id })
  }
  await lockAll(tx, instanceId, debts)
}

/** Those of a row of a file, or of all of a file. Ask under lockBankFiles. */
export async function lockDebtsOfOrders(
  tx: Transaction,
  instanceId: string,
  of: { readonly fileId: string } | { readonly orderId: string | null },
): Promise<void> {
  const found = await readDebtsOfOrders(tx, instanceId, of)
  await lockAll(tx, instanceId, found)
  await lockDebtsOfAbouts(tx, instanceId, [...new Set(found.map(({ about }) => about))])
}
