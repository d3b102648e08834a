/** The SQL of creditors and their accounts. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../platform/database.ts'

export type CreditorRow = {
  name: string
  country: string
  identification_number: string | null
  email: string | null
  phone: string | null
  address: string | null
  address2: string | null
  zip: string | null
  city: string | null
  logo_name: string | null
}

const creditorById = statement(
  'creditors.byId',
  `select name, country, identification_number, email, phone, address, address2, zip, city, logo_name
   from creditor where instance_id = $1 and id = $2`,
)

export async function readCreditor(db: Connection, instanceId: string, id: string): Promise<CreditorRow> {
  const row = (await db.rows<CreditorRow>(creditorById, [instanceId, id]))[0]
  if (!row) throw new Error(`creditor ${id} does not exist`)
  return row
}

export type AccountRow = {
  account_number: string | null
  receiver_name: string
  bank_name: string | null
  iban: string | null
  bic: string | null
}

const accountsOfCreditor = statement(
  'creditors.accounts',
  `select account_number, receiver_name, bank_name, iban, bic from payment_account
   where instance_id = $1 and creditor_id = $2 and is_usable order by created_at, id`,
)

export function readCreditorAccounts(db: Connection, instanceId: string, id: string): Promise<AccountRow[]> {
  return db.rows<AccountRow>(accountsOfCreditor, [instanceId, id])
}

/**
 * The account `account` of an instance when money in `currency` can be paid to it, else the instance's own (D-27). A
 * bankgiro or plusgiro takes kronor only; other money needs an account with an IBAN, of that currency or of any.
 */
export const payeeQuery = ({
  instance,
  account,
  currency,
}: Record<'instance' | 'account' | 'currency', string>): string =>
  `select a.scheme, a.account_number, a.receiver_name, a.bank_name, a.iban, a.bic
   from payment_account a
   where a.instance_id = ${instance} and a.is_usable and (a.id = ${account} or a.creditor_id is null)
     and coalesce(a.currency, case when a.iban is null then 'SEK' else ${currency} end) = ${currency}
   order by (a.id = ${account}) desc nulls last, (a.currency is not null) desc, a.chosen_at desc, a.id limit 1`

const payeeOfInvoice = statement(
  'creditors.payee',
  payeeQuery({ instance: '$1', account: '$2', currency: '$3' }),
)

export type PayeeRow = {
  scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  account_number: string | null
  receiver_name: string
  bank_name: string | null
  iban: string | null
  bic: string | null
}

/** Where money in a currency is paid to: the debt's own account when that can be paid to, else the instance's (D-27). */
export async function readPayee(
  db: Connection,
  instanceId: string,
  { paymentAccountId, currency }: { readonly paymentAccountId: string | null; readonly currency: Currency },
): Promise<PayeeRow | undefined> {
  return (await db.rows<PayeeRow>(payeeOfInvoice, [instanceId, paymentAccountId, currency]))[0]
}

const methodsTaken = statement(
  'creditors.methodsTaken',
  `select coalesce(i.payment_methods, c.payment_methods) as methods
   from invoice i join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   where i.instance_id = $1 and i.id = $2`,
)

/** The codes of the payment methods that an invoice may be paid with; null takes all that there are. */
export async function readMethodsTaken(
  db: Connection,
  key: { instanceId: string; invoiceId: string },
): Promise<string[] | null> {
  const values = [key.instanceId, key.invoiceId]
  return (await db.rows<{ methods: string[] | null }>(methodsTaken, values))[0]?.methods ?? null
}

const chooseForInvoice = statement(
  'creditors.chooseForInvoice',
  'update invoice set payment_methods = $3 where instance_id = $1 and id = $2',
)
const chooseForCreditor = statement(
  'creditors.chooseForCreditor',
  'update creditor set payment_methods = $3 where instance_id = $1 and id = $2',
)

/** Which methods a creditor takes, or one of its invoices, whose own list wins; null takes all that there are. */
export async function choosePaymentMethods(
  db: Connection,
  of: { instanceId: string } & ({ invoiceId: string } | { creditorId: string }),
  methods: readonly string[] | null,
): Promise<void> {
  if ('invoiceId' in of) await db.rows(chooseForInvoice, [of.instanceId, of.invoiceId, methods])
  else await db.rows(chooseForCreditor, [of.instanceId, of.creditorId, methods])
}
