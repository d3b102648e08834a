/** The SQL of creditors and their accounts. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { agreedAccount } from './agreed-account.queries.ts'

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

type PayeeTerms = Record<'instance' | 'account' | 'currency' | 'creditor', string>

/** What was agreed for the creditor goes before what is printed. */
const payeeFrom = ({ instance, account, currency, creditor }: PayeeTerms, also: string): string =>
  `select a.scheme, a.account_number, a.receiver_name, a.bank_name, a.iban, a.bic
   from payment_account a,
     (select coalesce(${agreedAccount({ instance, creditor, currency })}, ${account}) as id) own
   where a.instance_id = ${instance} and a.is_usable and (a.id = own.id or a.creditor_id is null)
     and coalesce(a.currency, case when a.iban is null then 'SEK' else ${currency} end) = ${currency} ${also}
   order by (a.id = own.id) desc nulls last, (a.currency is not null) desc, a.chosen_at desc, a.id limit 1`

/**
 * The account that a gateway pays to: what was agreed for `creditor`, else `account` of an instance when the instance has it for its creditor and it takes money in
 * `currency`, else the instance's own for all. No gateway pays to a creditor's own account, nor to one of which nobody has told
 * whose it is. A bankgiro or plusgiro takes kronor only; other money needs an account with an IBAN, of that currency or of any.
 */
export const payeeQuery = (terms: PayeeTerms): string =>
  payeeFrom(terms, `and (a.creditor_id is null or a.holder = 'INSTANCE')`)

const IN_STATEMENT = { instance: '$1', account: '$2::uuid', currency: '$3', creditor: '$4::uuid' }
const shownPayee = statement('creditors.payee', payeeFrom(IN_STATEMENT, ''))
const gatewayPayee = statement('creditors.gatewayPayee', payeeQuery(IN_STATEMENT))

export type PayeeRow = {
  scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  account_number: string | null
  receiver_name: string
  bank_name: string | null
  iban: string | null
  bic: string | null
}

type Paid = {
  readonly paymentAccountId: string | null
  readonly currency: Currency
  /** Whose agreed account goes before what is printed; null for a claim, which is paid to the instance. */
  readonly payeeOf: string | null
}

/** Where a debtor transfers money to: what was agreed for its creditor, else as printed, when that can be paid to, else the instance's. */
export async function readPayee(
  db: Connection,
  instanceId: string,
  { paymentAccountId, currency, payeeOf }: Paid,
): Promise<PayeeRow | undefined> {
  return (await db.rows<PayeeRow>(shownPayee, [instanceId, paymentAccountId, currency, payeeOf]))[0]
}

/** Where a gateway pays to, as payeeQuery says. */
export async function readGatewayPayee(
  db: Connection,
  instanceId: string,
  { paymentAccountId, currency, payeeOf }: Paid,
): Promise<PayeeRow | undefined> {
  return (await db.rows<PayeeRow>(gatewayPayee, [instanceId, paymentAccountId, currency, payeeOf]))[0]
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
