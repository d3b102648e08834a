/** The SQL of the demo: its clock, its marker and its people. */
import { addressesOf } from '@kvitt/domain/account-address.ts'
import { insertAddressRows } from '../creditors/creditors.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

const readShift = statement('demo.readShift', 'select days from clock_shift')

export async function readShiftDays(db: Connection): Promise<number> {
  return (await db.rows<{ days: number }>(readShift))[0]?.days ?? 0
}

const addShift = statement('demo.addShift', 'update clock_shift set days = days + $1 returning days')

export async function addShiftDays(db: Connection, days: number): Promise<number> {
  return (await db.rows<{ days: number }>(addShift, [days]))[0]?.days ?? 0
}

const nextEvent = statement(
  'demo.nextEvent',
  `select min(day)::date as day from (
     select planned_date as day from collection_step where status = 'PLANNED'
     union all select send_date from part_payment_instalment where invoice_id is null
     union all select expire_date + 1 from invoice where status = 'ACTIVATED' and balance_minor > 0
     union all select expire_date + 1 from claim where status in ('OPEN', 'RESUME')
   ) e where day > $1::date`,
)

/** The first day after `today` on which something is to happen by itself: a step, a bill, or that something is late. */
export async function readNextEvent(db: Connection, today: string): Promise<string | null> {
  return (await db.rows<{ day: string | null }>(nextEvent, [today]))[0]?.day ?? null
}

const readMarker = statement(
  'demo.readMarker',
  `select (select count(*)::int from instance) as instances,
     exists (select from demo_cast) as is_demo, exists (select from demo_cast where loaded_at is not null) as is_loaded,
     exists (select from person where is_demo) or exists (select from api_key where is_demo and revoked_at is null) as has_staff`,
)

export type DemoMarker = { instances: number; is_demo: boolean; is_loaded: boolean; has_staff: boolean }

export async function readDemoMarker(db: Connection): Promise<DemoMarker> {
  const row = (await db.rows<DemoMarker>(readMarker))[0]
  if (!row) throw new Error('the database did not answer')
  return row
}

const beginDemo = statement('demo.begin', 'insert into demo_cast default values on conflict do nothing')
const endDemo = statement('demo.end', 'update demo_cast set loaded_at = now()')
const sendPast = statement(
  'demo.sendPast',
  `update mail_outbox set status = 'SENT', sent_at = now(), last_error = 'past'
   where status = 'WAITING' and exists (select from demo_cast where loaded_at is null)`,
)

export async function markDemoBegun(db: Connection): Promise<void> {
  await db.rows(beginDemo)
}

/** What the cast was told in the past that it lives through has been sent then, and is not told again today. */
export async function sendPastMail(db: Connection): Promise<void> {
  await db.rows(sendPast)
}

export async function markDemoLoaded(db: Connection): Promise<void> {
  await db.rows(endDemo)
}

const insertPublicFile = statement(
  'demo.insertPublicFile',
  `insert into file (instance_id, id, public_name, mime_type, content) values ($1, $2, $3, 'image/svg+xml', $4)`,
)

export async function insertPublicFileRow(
  tx: Transaction,
  instanceId: string,
  file: { id: string; name: string; content: Uint8Array },
): Promise<void> {
  await tx.rows(insertPublicFile, [instanceId, file.id, file.name, file.content])
}

const insertTrials = statement(
  'demo.insertTrials',
  `insert into credential_trial (instance_id, kind, version, is_accepted, tried_at)
   select $1, kind, null, true, $2 from unnest(array['SWISH', 'BANKID']) kind`,
)

/** The sandbox plays Swish and BankID and knows what the installation shows them: a firm in its third month has tried it. */
export async function insertTrialRows(tx: Transaction, instanceId: string, at: string): Promise<void> {
  await tx.rows(insertTrials, [instanceId, at])
}

const insertCreditor = statement(
  'demo.insertCreditor',
  `insert into creditor (instance_id, id, identity, name, country, identification_number, email, phone, address, zip,
     city, logo_name, reminder_fee_agreed_on, reminder_fee_source)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)

export async function insertCreditorRow(
  tx: Transaction,
  instanceId: string,
  c: {
    id: string
    identity: string
    name: string
    country: string
    identificationNumber: string | null
    email: string
    phone: string
    address: string
    zip: string
    city: string
    logo: string
    reminderFee: { agreedOn: string; source: string }
  },
): Promise<void> {
  await tx.rows(insertCreditor, [
    instanceId,
    c.id,
    c.identity,
    c.name,
    c.country,
    c.identificationNumber,
    c.email,
    c.phone,
    c.address,
    c.zip,
    c.city,
    c.logo,
    c.reminderFee.agreedOn,
    c.reminderFee.source,
  ])
}

const insertAccount = statement(
  'demo.insertAccount',
  `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, bank_name, iban,
     bic, is_usable, number_key, currency, holder)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, $11, 'INSTANCE')`,
)

export async function insertAccountRow(
  tx: Transaction,
  instanceId: string,
  a: {
    id: string
    creditorId: string | null
    scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
    accountNumber: string
    receiverName: string
    bankName: string
    iban: string | null
    bic: string | null
    /** Left out, any that its form takes. */
    currency?: string
  },
): Promise<void> {
  const number = a.scheme === 'IBAN' ? (a.iban ?? '') : a.accountNumber.replace(/[^0-9A-Za-z]/g, '')
  await tx.rows(insertAccount, [
    instanceId,
    a.id,
    a.creditorId,
    a.scheme,
    a.accountNumber,
    a.receiverName,
    a.bankName,
    a.iban,
    a.bic,
    a.scheme === 'IBAN' ? number : `${a.scheme}${number}`,
    a.currency ?? null,
  ])
  const isGiro = a.scheme === 'BANKGIRO' || a.scheme === 'PLUSGIRO'
  const addresses = [
    ...(isGiro ? addressesOf({ scheme: a.scheme, account: a.accountNumber }) : []),
    ...(a.iban === null ? [] : addressesOf({ scheme: 'IBAN', account: a.iban })),
  ].map((address) => ({ accountId: a.id, address }))
  await insertAddressRows(tx, instanceId, addresses)
}

const insertDebtor = statement(
  'demo.insertDebtor',
  `insert into debtor (instance_id, id, identity, kind, name, country, identification_number, email, zip, city,
     address)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export async function insertDebtorRow(
  tx: Transaction,
  instanceId: string,
  d: {
    id: string
    identity: string
    kind: 'PERSON' | 'COMPANY'
    name: string
    country: string
    identificationNumber: string | null
    email: string | null
    zip: string
    city: string
    address?: string | undefined
  },
): Promise<void> {
  await tx.rows(insertDebtor, [
    instanceId,
    d.id,
    d.identity,
    d.kind,
    d.name,
    d.country,
    d.identificationNumber,
    d.email,
    d.zip,
    d.city,
    d.address ?? null,
  ])
}

const castInvoice = statement(
  'demo.findInvoice',
  `select id, status, balance_minor, paused_on is not null as was_paused from invoice
   where instance_id = $1 and invoice_number = $2`,
)

type CastInvoiceRow = { id: string; status: string; balance_minor: number; was_paused: boolean }

export async function findCastInvoice(
  db: Connection,
  instanceId: string,
  invoiceNumber: string,
): Promise<CastInvoiceRow | undefined> {
  return (await db.rows<CastInvoiceRow>(castInvoice, [instanceId, invoiceNumber]))[0]
}

const interestNumbers = statement(
  'demo.interestNumbers',
  'update instance set interest_invoice_number = $2 where id = $1',
)

/** Where the numbers of an instance's interest invoices begin. */
export async function startInterestNumbers(
  tx: Transaction,
  instanceId: string,
  first: number,
): Promise<void> {
  await tx.rows(interestNumbers, [instanceId, first])
}

export type CastClaimRow = { id: string; status: string; balance_minor: number }

const castClaim = statement(
  'demo.findClaim',
  'select id, status, balance_minor from claim where instance_id = $1 and claim_number = $2',
)

export async function findCastClaim(
  db: Connection,
  instanceId: string,
  claimNumber: string,
): Promise<CastClaimRow | undefined> {
  return (await db.rows<CastClaimRow>(castClaim, [instanceId, claimNumber]))[0]
}

const removeCopy = statement(
  'demo.removeCopy',
  'update invoice set has_copy = false where instance_id = $1 and id = $2',
)

export async function removeCopyRow(
  db: Connection,
  key: { instanceId: string; invoiceId: string },
): Promise<void> {
  await db.rows(removeCopy, [key.instanceId, key.invoiceId])
}

const nextStepDay = statement(
  'demo.nextStepDay',
  `select min(planned_date) as day from collection_step
   where instance_id = $1 and status = 'PLANNED' and planned_date > $2::date`,
)

/** The next day after `day` on which a planned step is due. */
export async function findNextStepDay(
  db: Connection,
  instanceId: string,
  day: string,
): Promise<string | null> {
  return (await db.rows<{ day: string | null }>(nextStepDay, [instanceId, day]))[0]?.day ?? null
}

const lock = statement(
  'demo.lock',
  `select pg_try_advisory_xact_lock(7214902) as is_locked, set_config('idle_in_transaction_session_timeout', '0', true)`,
)

/**
 * Answers false when somebody else loads a cast. Else nobody does until the transaction ends, which may have nothing to say
 * for as long as a slow machine needs.
 */
export async function lockDemo(tx: Transaction): Promise<boolean> {
  return (await tx.rows<{ is_locked: boolean }>(lock))[0]?.is_locked === true
}
