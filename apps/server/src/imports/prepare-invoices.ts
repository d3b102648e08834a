/** Turns files into invoice rows: makes the parties, accounts and references that the rows point to. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { claimReferences } from './claim-references.ts'
import { type ImportRun, type ReadFile } from './import-run.ts'
import type { NewInvoiceRow } from './imports.queries.ts'
import {
  ensureAccounts,
  ensureCreditors,
  ensureDebtors,
  insertContactRows,
  readOwners,
  renewContactRows,
  type ContactRow,
  setDebtorAddressRows,
} from './parties.queries.ts'
import type { ParsedParty } from './parsed-invoice.ts'

export type NewInvoice = {
  readonly file: ReadFile
  readonly row: NewInvoiceRow
  readonly warnings: readonly string[]
}

function partyRow(run: ImportRun, identity: string, party: ParsedParty) {
  return {
    id: newId(run.clock.now()),
    identity,
    name: party.name,
    country: party.country,
    identification_number: party.identificationNumber,
    email: party.email,
    phone: party.phone,
    address: party.address,
    address2: party.address2,
    zip: party.zip,
    city: party.city,
  }
}

/** One row for each key, made from the first that has it. */
function rowsByKey<Item, Row>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  rowOf: (item: Item, key: string) => Row,
): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const item of items) {
    const key = keyOf(item)
    if (!rows.has(key)) rows.set(key, rowOf(item, key))
  }
  return rows
}

function idOf(ids: ReadonlyMap<string, string>, identity: string): string {
  const id = ids.get(identity)
  if (id === undefined) throw new Error('a party was neither found nor made')
  return id
}

/** One for each creditor and debtor, from the first file of both. */
function contactsOf(run: ImportRun, files: readonly WithParties[]): ContactRow[] {
  const rows = rowsByKey(
    files,
    ({ creditorId, debtorId }) => `${creditorId} ${debtorId}`,
    ({ file, creditorId, debtorId }, key) => {
      const { name, email, phone, address, address2, zip, city } = partyRow(run, key, file.invoice.debtor)
      return {
        creditor_id: creditorId,
        debtor_id: debtorId,
        name,
        email,
        phone,
        address,
        address2,
        zip,
        city,
      }
    },
  )
  return [...rows.values()]
}

/** Makes parties, accounts and references of new files, and the invoice rows that point to them. */
export async function prepareInvoices(
  tx: Transaction,
  run: ImportRun,
  files: readonly ReadFile[],
): Promise<NewInvoice[]> {
  if (files.length === 0) return []
  const creditorIds = await ensureCreditors(
    tx,
    run.instanceId,
    rowsByKey(
      files,
      (file) => file.creditorIdentity,
      ({ invoice }, key) => partyRow(run, key, invoice.creditor),
    ),
  )
  const debtorIds = await ensureDebtors(
    tx,
    run.instanceId,
    rowsByKey(
      files,
      (file) => file.debtorIdentity,
      ({ invoice }, key) => ({
        ...partyRow(run, key, invoice.debtor),
        kind: invoice.debtor.kind,
      }),
    ),
  )
  const withParties = files.map((file) => ({
    file,
    creditorId: idOf(creditorIds, file.creditorIdentity),
    debtorId: idOf(debtorIds, file.debtorIdentity),
  }))
  await insertContactRows(tx, run.instanceId, contactsOf(run, withParties))
  await renewContactRows(tx, run.instanceId, contactsOf(run, withParties.toReversed()))
  await setDebtorAddressRows(tx, run.instanceId, addressesOf(withParties))
  const accounts = await findAccounts(tx, run, withParties)
  const references = await claimReferences(
    tx,
    run.instanceId,
    withParties.map(({ file, creditorId, debtorId }) => ({
      printed: file.invoice.reference,
      country: file.invoice.creditor.country,
      debtorId,
      creditorId,
    })),
  )
  return withParties.map(({ file, creditorId, debtorId }, index) => {
    const given = references[index]
    if (!given) throw new Error('an invoice was given no reference')
    const account = accounts[index]
    const warnings = [...file.invoice.warnings, given.warning, account?.warning].filter(
      (w) => typeof w === 'string',
    )
    const row: NewInvoiceRow = {
      ...describeInvoice(run, file),
      creditor_id: creditorId,
      debtor_id: debtorId,
      payment_reference: given.reference,
      original_reference: given.original,
      payment_account_id: account?.id ?? null,
    }
    return { file, row, warnings }
  })
}

/** The address that the last file of each debtor has. A file without one says nothing about it. */
function addressesOf(items: readonly WithParties[]) {
  const addresses = new Map<string, { debtorId: string; creditorId: string; address: string }>()
  for (const { file, debtorId, creditorId } of items) {
    const address = file.invoice.debtorAddress
    if (address !== null) addresses.set(debtorId, { debtorId, creditorId, address })
  }
  return [...addresses.values()]
}

type WithParties = { readonly file: ReadFile; readonly creditorId: string; readonly debtorId: string }

/**
 * The account that each invoice is paid to, or null for the account of the instance. A number that another
 * creditor has already is not given away: whoever prints it first could otherwise be robbed of it (D-27).
 */
async function findAccounts(
  tx: Transaction,
  run: ImportRun,
  items: readonly WithParties[],
): Promise<({ id: string | null; warning: string | null } | undefined)[]> {
  const wanted = items.flatMap(({ file, creditorId }) =>
    file.invoice.account ? [{ account: file.invoice.account, creditorId }] : [],
  )
  const rows = rowsByKey(
    wanted,
    (w) => w.account.numberKey,
    ({ account, creditorId }, key) => ({
      id: newId(run.clock.now()),
      creditor_id: creditorId,
      scheme: account.scheme,
      account_number: account.accountNumber,
      receiver_name: account.receiverName,
      iban: account.iban,
      bic: account.bic,
      is_usable: account.isUsable,
      number_key: key,
      address: account.address,
    }),
  )
  const find = run.options.hasKnownAccounts ? readOwners : ensureAccounts
  const owners = await find(tx, run.instanceId, rows)
  return items.map(({ file, creditorId }) => {
    const { account } = file.invoice
    const owner = account ? owners.get(account.numberKey) : undefined
    if (!owner) return undefined
    if (owner.creditor_id === creditorId) return { id: owner.id, warning: null }
    if (owner.creditor_id === null) return { id: null, warning: null }
    const printed = account?.accountNumber ?? account?.iban ?? ''
    const warning = `The payee account ${printed} belongs to another creditor; bank payments go to the account of the provider.`
    return { id: null, warning }
  })
}

/** CREATED -> PENDING -> ACTIVATED are taken in one step: nobody can see or stop an invoice in between. */
function statusOf(run: ImportRun, totalMinor: number, sendDate: CalendarDate | undefined): InvoiceStatus {
  if (run.options.as === 'draft') return sendDate === undefined ? 'CREATED' : 'PENDING'
  // With nothing to pay there is nothing to wait for: the debtor sees it as settled.
  return totalMinor === 0 ? 'CLOSED' : 'ACTIVATED'
}

type Described = Omit<
  NewInvoiceRow,
  'creditor_id' | 'debtor_id' | 'payment_reference' | 'original_reference' | 'payment_account_id'
>

function describeInvoice(run: ImportRun, file: ReadFile): Described {
  const { invoice, hash, terms } = file
  const totalMinor = invoice.document === 'CreditNote' ? 0 - invoice.payableMinor : invoice.payableMinor
  return {
    id: file.id ?? newId(run.clock.now()),
    type: file.type,
    status: statusOf(run, totalMinor, file.sendDate),
    invoice_number: invoice.invoiceNumber,
    zip: invoice.debtor.zip,
    issue_date: invoice.issueDate,
    sent_date: run.options.as === 'draft' ? null : invoice.issueDate,
    expire_date: invoice.dueDate,
    currency: invoice.currency,
    total_minor: totalMinor,
    rows: invoice.rows,
    taxes: invoice.document === 'Invoice' ? invoice.taxes : [],
    content_hash: hash.toString('hex'),
    distribution: terms?.distribution ?? null,
    language: terms?.language ?? null,
    customer_number: terms?.customerNumber ?? null,
    already_sent: terms?.alreadySent ?? null,
  }
}
