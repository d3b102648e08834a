/** Creditors, and where their money is paid to. */
import { accountKey } from '@kvitt/domain/account-address.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { groupZip } from '@kvitt/domain/people/zip.ts'
import type { AccountAnswer, ClientAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Connection } from '../platform/database/database.ts'
import { readCreditor, readCreditorAccounts, type PayeeRow } from './creditors.queries.ts'

export {
  choosePaymentMethods,
  payeeQuery,
  readCreditor,
  readGatewayPayee,
  readMethodsTaken,
  readPayee,
  type PayeeRow,
} from './creditors.queries.ts'

export { chooseFiles, confirmTold, endFoundFiles, keepTold } from './account-files.ts'
export { claimWaits, invoiceWaits } from './awaited.queries.ts'
export {
  askForFiles,
  readAccountFiles,
  readFilesOfRun,
  type AccountFilesNow,
  type Awaited,
} from './awaited.ts'
export { findAccounts, isSameAccount, type KnownAccount } from './account-addresses.ts'
export { addAddress, findNamed, readAddressesOf, type WantedAddress } from './add-address.ts'
export {
  agreeReminderFee,
  AgreementRefused,
  readFeeAgreement,
  readFeeAgreements,
  type FeeAgreement,
  type FeeAgreementRow,
} from './reminder-fee.ts'
export {
  enterChargeOwner,
  OwnerRefused,
  readChargeOwners,
  type ChargeOwnerRow,
  type WantedOwner,
} from './charge-owner.ts'
export { CreditorUnknown, findNamedCreditor } from './named-creditor.ts'
export { isAccountTaken, takeAccount } from './agreed-account.ts'
export { insertAddressRows, readAccountsAt, readAddresses } from './account-addresses.queries.ts'
export {
  AccountRefused,
  chooseOwnAccount,
  readOwnAccounts,
  type OwnAccountRow,
  type WantedAccount,
} from './own-accounts.ts'

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

/** A creditor as the wire has it, with the accounts that it may be paid to. */
export async function presentClient(
  db: Connection,
  instanceId: string,
  creditorId: string,
): Promise<ClientAnswer> {
  const creditor = await readCreditor(db, instanceId, creditorId)
  const accounts = await readCreditorAccounts(db, instanceId, creditorId)
  return {
    name: creditor.name,
    logotypeDocumentFileName: creditor.logo_name,
    paymentAccounts: accounts.map(presentPayee),
    addressInformation: {
      address: creditor.address,
      address2: creditor.address2,
      zip: creditor.zip === null ? null : groupZip(creditor.country, creditor.zip),
      city: creditor.city,
    },
    contactInformation: { email: creditor.email, phone: creditor.phone },
  }
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
