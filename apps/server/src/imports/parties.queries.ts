/** The SQL of parties and accounts that imports find or make. */
import { insertAddressRows, readAccountsAt } from '../creditors/creditors.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type CreditorRow = {
  id: string
  identity: string
  name: string
  country: string
  identification_number: string | null
  email: string | null
  phone: string | null
  address: string | null
  address2: string | null
  zip: string | null
  city: string | null
}
export type DebtorRow = CreditorRow & { kind: 'PERSON' | 'COMPANY' }

type Identified = { id: string; identity: string }

const PARTY = `identity text, name text, country text, identification_number text, email text, phone text,
  address text, address2 text, zip text, city text`
const PARTY_COLUMNS = `identity, name, country, identification_number, email, phone, address, address2, zip, city`

const creditorIds = statement(
  'imports.creditorIds',
  'select id, identity from creditor where instance_id = $1 and identity = any($2)',
)
const insertCreditors = statement(
  'imports.insertCreditors',
  `insert into creditor (instance_id, id, ${PARTY_COLUMNS})
   select $1, id, ${PARTY_COLUMNS} from jsonb_to_recordset($2::jsonb) as r (id uuid, ${PARTY}) order by identity
   on conflict (instance_id, identity) do nothing returning id, identity`,
)
const debtorIds = statement(
  'imports.debtorIds',
  'select id, identity from debtor where instance_id = $1 and identity = any($2)',
)
const insertDebtors = statement(
  'imports.insertDebtors',
  `insert into debtor (instance_id, id, kind, ${PARTY_COLUMNS})
   select $1, id, kind, ${PARTY_COLUMNS} from jsonb_to_recordset($2::jsonb) as r (id uuid, kind text, ${PARTY})
   order by identity
   on conflict (instance_id, identity) do nothing returning id, identity`,
)

/** Identifiers by identity of the creditors that are known. */
export async function readCreditorIds(
  tx: Transaction,
  instanceId: string,
  identities: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<Identified>(creditorIds, [instanceId, identities])
  return new Map(rows.map((row) => [row.identity, row.id]))
}

/** Identifiers of all `parties` by identity, those made that are not known. Waits for whoever makes one now. */
async function ensureParties(
  tx: Transaction,
  instanceId: string,
  parties: ReadonlyMap<string, Identified>,
  sql: { find: typeof creditorIds; insert: typeof creditorIds },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const take = (rows: Identified[]) => rows.forEach((row) => ids.set(row.identity, row.id))
  const missing = () => [...parties.values()].filter((party) => !ids.has(party.identity))
  take(await tx.rows<Identified>(sql.find, [instanceId, [...parties.keys()]]))
  if (missing().length > 0) {
    take(await tx.rows<Identified>(sql.insert, [instanceId, JSON.stringify(missing())]))
  }
  if (missing().length > 0) {
    take(await tx.rows<Identified>(sql.find, [instanceId, missing().map((party) => party.identity)]))
  }
  return ids
}

export function ensureCreditors(tx: Transaction, instanceId: string, rows: ReadonlyMap<string, CreditorRow>) {
  return ensureParties(tx, instanceId, rows, { find: creditorIds, insert: insertCreditors })
}

export function ensureDebtors(tx: Transaction, instanceId: string, rows: ReadonlyMap<string, DebtorRow>) {
  return ensureParties(tx, instanceId, rows, { find: debtorIds, insert: insertDebtors })
}

const insertContacts = statement(
  'imports.insertContacts',
  `insert into debtor_contact (instance_id, creditor_id, debtor_id, name, email, phone, address, address2, zip, city)
   select $1, creditor_id, debtor_id, name, email, phone, address, address2, zip, city
   from jsonb_to_recordset($2::jsonb) as r (creditor_id uuid, debtor_id uuid, name text, email text, phone text, address text,
     address2 text, zip text, city text)
   order by creditor_id, debtor_id on conflict (instance_id, creditor_id, debtor_id) do nothing`,
)

export type ContactRow = Pick<
  CreditorRow,
  'name' | 'email' | 'phone' | 'address' | 'address2' | 'zip' | 'city'
> & {
  readonly creditor_id: string
  readonly debtor_id: string
}

const renewContacts = statement(
  'imports.renewContacts',
  `with told as (
     select * from jsonb_to_recordset($2::jsonb) as r (creditor_id uuid, debtor_id uuid, name text, email text, phone text, address text,
       address2 text, zip text, city text)
     where coalesce(r.address, r.email, r.phone) <> ''),
   held as (
     select h.instance_id, t.* from told t
     join debtor_contact h on h.instance_id = $1 and h.creditor_id = t.creditor_id and h.debtor_id = t.debtor_id
     where exists (select from protected_debtor p where p.instance_id = $1 and p.debtor_id = t.debtor_id)
     order by t.creditor_id, t.debtor_id for update of h)
   update debtor_contact c set name = n.name, email = n.email, phone = n.phone, address = n.address, address2 = n.address2, zip = n.zip,
     city = n.city
   from held n where c.instance_id = n.instance_id and c.creditor_id = n.creditor_id and c.debtor_id = n.debtor_id`,
)

/**
 * How a creditor now reaches those of its debtors whose identity is protected (M-36): its newest word stands alone, for what it told at first
 * may be where they fled from. A row that tells of no way to them says nothing.
 */
export async function renewContactRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly ContactRow[],
): Promise<void> {
  if (rows.length > 0) await tx.rows(renewContacts, [instanceId, JSON.stringify(rows)])
}

/** How each creditor reaches its debtors, as it wrote at first. What one enters is no other's. */
export async function insertContactRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly ContactRow[],
): Promise<void> {
  if (rows.length > 0) await tx.rows(insertContacts, [instanceId, JSON.stringify(rows)])
}

const setDebtorAddresses = statement(
  'imports.setDebtorAddresses',
  `with wanted as (select * from unnest($2::uuid[], $3::text[], $4::uuid[])
     as w (id, address, creditor_id)),
   held as (
     select d.id, w.address from debtor d join wanted w on w.id = d.id
     where d.instance_id = $1 and d.electronic_address is distinct from w.address
       and (d.electronic_address is null or not exists (
         select from invoice i where i.instance_id = d.instance_id and i.debtor_id = d.id and i.creditor_id <> w.creditor_id))
     order by d.id for no key update of d)
   update debtor d set electronic_address = held.address from held where d.instance_id = $1 and d.id = held.id`,
)

/**
 * Where debtors take electronic invoices. What is as it was is not written, and what stands for several creditors is
 * changed by none of them: the others' bills would go where one of them says.
 */
export async function setDebtorAddressRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly { readonly debtorId: string; readonly creditorId: string; readonly address: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(setDebtorAddresses, [
    instanceId,
    rows.map(({ debtorId }) => debtorId),
    rows.map(({ address }) => address),
    rows.map(({ creditorId }) => creditorId),
  ])
}

export type PaymentAccountRow = {
  id: string
  creditor_id: string
  scheme: string
  account_number: string | null
  receiver_name: string
  iban: string | null
  bic: string | null
  is_usable: boolean
  number_key: string
  /** Its address; null when its check digits fail. */
  address: string | null
}

const insertAccounts = statement(
  'imports.insertAccounts',
  `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, iban, bic,
     is_usable, number_key, holder)
   select $1, id, creditor_id, scheme, account_number, receiver_name, iban, bic, is_usable, number_key, 'CREDITOR'
   from jsonb_to_recordset($2::jsonb) as r (id uuid, creditor_id uuid, scheme text, account_number text,
     receiver_name text, iban text, bic text, is_usable boolean, number_key text)
   order by number_key
   on conflict (instance_id, number_key) do nothing`,
)
const accountsByKey = statement(
  'imports.accountsByKey',
  `select id, creditor_id, number_key from payment_account where instance_id = $1 and number_key = any($2)`,
)

export type AccountOwner = { id: string; creditor_id: string | null }

/** The owners of accounts that are known, by number key: null is the instance itself. */
export async function readOwners(
  tx: Connection,
  instanceId: string,
  rows: ReadonlyMap<string, Pick<PaymentAccountRow, 'address'>>,
): Promise<Map<string, AccountOwner>> {
  const printed = await tx.rows<AccountOwner & { number_key: string }>(accountsByKey, [
    instanceId,
    [...rows.keys()],
  ])
  const byKey = new Map(printed.map((row) => [row.number_key, row]))
  const addresses = [...rows.values()].flatMap(({ address }) => address ?? [])
  const known = addresses.length === 0 ? [] : await readAccountsAt(tx, instanceId, addresses)
  const byAddress = new Map(known.map((row) => [row.address, row]))
  const owners = new Map<string, AccountOwner>()
  for (const [key, { address }] of rows) {
    const account = address === null ? undefined : byAddress.get(address)
    const owner = account ? { id: account.account_id, creditor_id: account.creditor_id } : byKey.get(key)
    if (owner) owners.set(key, owner)
  }
  return owners
}

/**
 * The accounts of these numbers by number key: by what an account is where its number is right, else as it is printed. Those
 * that are not known are made: what the instance has not entered as its own is the creditor's. Their owner may be another.
 */
export async function ensureAccounts(
  tx: Transaction,
  instanceId: string,
  rows: ReadonlyMap<string, PaymentAccountRow>,
): Promise<Map<string, AccountOwner>> {
  if (rows.size === 0) return new Map()
  const found = await readOwners(tx, instanceId, rows)
  const missing = [...rows.values()].filter((row) => !found.has(row.number_key))
  if (missing.length === 0) return found
  await tx.rows(insertAccounts, [instanceId, JSON.stringify(missing)])
  const addresses = missing.flatMap(({ id, address }) => (address === null ? [] : { accountId: id, address }))
  await insertAddressRows(tx, instanceId, addresses)
  return readOwners(tx, instanceId, rows)
}
