/** Creditors, and where their money is paid to. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AccountAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PayeeRow } from './creditors.queries.ts'

export {
  readCreditor,
  readCreditorAccounts,
  readPayee,
  type PayeeRow,
} from './creditors.queries.ts'

/** An account as the wire has it. */
export function presentPayee(row: Omit<PayeeRow, 'scheme'>): AccountAnswer {
  return {
    accountNumber: row.account_number,
    receiverName: row.receiver_name,
    bankName: row.bank_name,
    iban: row.iban,
    bic: row.bic,
  }
}

/** Letters and digits only: how account numbers are sent and compared. */
export function accountKey(account: string): string {
  return account.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
}

/** Whom a bank is asked to pay. Refuses when there is no account that can be paid to. */
export function payeeOf(row: PayeeRow | undefined): {
  readonly name: string
  readonly scheme: PayeeRow['scheme']
  readonly account: string
} {
  const account = row?.scheme === 'IBAN' ? row.iban : row?.account_number
  if (!row || !account) throw new Refusal('service_provider_unavailable')
  return { name: row.receiver_name, scheme: row.scheme, account: accountKey(account) }
}
