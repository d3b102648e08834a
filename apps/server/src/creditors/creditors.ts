/** Creditors, and where their money is paid to. */
export {
  readCreditor,
  readCreditorAccounts,
  readPayee,
  type CreditorRow,
  type PayeeRow,
} from './creditors.queries.ts'
