/** A debtor with words of their own in every sort of place where a person can stand. */
import { buildInvoice, type BuiltInvoice } from '../build.ts'
import { buildConversation } from '../build-conversation.ts'
import { buildDispute } from '../build-dispute.ts'
import type { TestServer } from '../start-test-server.ts'
import type { TestDatabase } from '../test-database.ts'

const NAME = 'Ottilia Kanariefågel'
const EMAIL = 'ottilia.kanarie@example.com'
const NUMBER = '194512319876'
/** Name, e-mail and number: words that stand nowhere else. */
export const WORDS = [NAME, EMAIL, NUMBER] as const

/** An invoice of somebody who has asked, disputed, been written to, and paid through a bank's file. */
export async function buildKnownPerson({ test, clock, instanceId }: TestServer): Promise<BuiltInvoice> {
  const { owner } = test
  const invoice = await buildInvoice(test, instanceId, clock, { zip: '11122' })
  await owner.query(
    `update debtor set name = $2, email = $3, identification_number = $4, identity = 'SE ' || $4 where id = $1`,
    [invoice.debtorId, ...WORDS],
  )
  await owner.query(
    `insert into debtor_contact (instance_id, creditor_id, debtor_id, name, email, zip) values ($1, $2, $3, $4, $5, '11122')`,
    [instanceId, invoice.creditorId, invoice.debtorId, NAME, EMAIL],
  )
  const question = await buildConversation(test, clock, invoice)
  await owner.query(`update conversation set email = $2 where id = $1`, [question.id, EMAIL])
  const dispute = await buildDispute(test, clock, invoice)
  await owner.query(`update dispute set email = $2, reason = $3 where id = $1`, [
    dispute.id,
    EMAIL,
    `Jag, ${NAME}, har inte köpt detta.`,
  ])
  await owner.query(
    `update invoice set rows = jsonb_build_array(jsonb_build_object('text', $2::text)) where id = $1`,
    [invoice.id, `El till ${NAME}`],
  )
  await owner.query(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, recipient, language, subject, text_body, status)
     values ($1, gen_random_uuid(), 'EMAIL', 'receipt', 'x:1', $2, $3, 'sv', 'Hej', $4, 'DEAD')`,
    [instanceId, invoice.id, EMAIL, `Hej ${NAME}`],
  )
  // What a letter says stands in its file alone.
  await owner.query(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, recipient, status)
     values ($1, gen_random_uuid(), 'DIGITAL_MAILBOX', 'reminder', 'x:2', $2, $3, 'DEAD')`,
    [instanceId, invoice.id, NUMBER],
  )
  const file = await owner.query(
    `insert into bank_file (instance_id, id, name, format, content_hash) values ($1, gen_random_uuid(), 'a', 'camt', '\\x01') returning id`,
    [instanceId],
  )
  await owner.query(
    `insert into bank_line (instance_id, id, file_id, number, account_key, deposit_key, deposit_line, kind, amount_minor, currency,
       bank_date, payment_references, payer, message, status, invoice_id)
     values ($1, gen_random_uuid(), $2, 1, 'a', 'b', 1, 'PAYMENT', 100, 'SEK', '2026-11-19', array[$3], $4, $5, 'WAITING', $6)`,
    [instanceId, file.rows[0].id, invoice.reference, NAME, `Från ${EMAIL}`, invoice.id],
  )
  return invoice
}

/** Every column of every table in which one of the words stands, read from the database itself: `debtor.name`. */
export async function placesOf({ owner }: TestDatabase, words: readonly string[]): Promise<string[]> {
  const { rows } = await owner.query(
    `select table_name as t from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { t } of rows) {
    const hits = await owner.query(
      `select distinct e.key from ${t} x, jsonb_each_text(to_jsonb(x)) e where e.value ilike any ($1)`,
      [words.map((word) => `%${word}%`)],
    )
    for (const { key } of hits.rows) found.push(`${t}.${key}`)
  }
  return found.toSorted()
}

/** What is open on an invoice or a claim is given up, as a write-off posts it. */
export async function giveUpAll({ owner }: TestDatabase, id: string): Promise<void> {
  await owner.query(
    `with open as (
       select a.instance_id, a.id, a.currency, -a.balance_minor as minor, coalesce(i.creditor_id, c.creditor_id) as creditor_id,
         a.invoice_id, a.claim_id from ledger_account a
       left join invoice i on i.instance_id = a.instance_id and i.id = a.invoice_id
       left join claim c on c.instance_id = a.instance_id and c.id = a.claim_id
       where (a.invoice_id = $1 or a.claim_id = $1) and a.kind in ('principal', 'costs', 'interest') and a.balance_minor <> 0),
     made as (
       insert into ledger_transaction (instance_id, id, kind, booked_on, cause, invoice_id, claim_id)
       select o.instance_id, gen_random_uuid(), 'WRITE_OFF', current_date, 'given up:' || $1::uuid, o.invoice_id, o.claim_id
       from open o limit 1
       returning instance_id, id)
     insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
     select m.instance_id, m.id, row_number() over (), l.account_id, l.currency, l.minor
     from made m, (
       select o.id as account_id, o.currency, o.minor from open o
       union all
       select c.id, c.currency, -sum(o.minor) from open o join ledger_account c on c.instance_id = o.instance_id
         and c.creditor_id = o.creditor_id and c.currency = o.currency and c.kind = 'claims_on_debtors' group by 1, 2) l`,
    [id],
  )
}

/** Ends the invoice so many months ago: what is open on it is given up, or stays where it is stopped `owing`. Its postings are as old. */
export async function endLongAgo(
  test: TestDatabase,
  { id, debtorId }: BuiltInvoice,
  months: number,
  how: 'settled' | 'owing' = 'settled',
): Promise<void> {
  const { owner } = test
  if (how === 'settled') await giveUpAll(test, id)
  await owner.query(
    `update dispute set status = 'REJECTED', decided_on = current_date, decision = 'Nej.' where debt_id = $1 and status = 'OPEN'`,
    [id],
  )
  await owner.query(
    `update invoice set status = 'STOPPED', stop_reason = 'withdrawn' where id = $1 and status not in ('STOPPED', 'CLOSED')`,
    [id],
  )
  await owner.query(
    `update debt_end set ended_on = (current_date - make_interval(months => $2))::date where debt_id = $1`,
    [id, months],
  )
  await owner.query(`update debtor set created_at = now() - make_interval(months => $2) where id = $1`, [
    debtorId,
    months,
  ])
  await owner.query('alter table ledger_transaction disable trigger ledger_transaction_append_only')
  await owner.query(
    `update ledger_transaction set booked_on = (current_date - make_interval(months => $2))::date where invoice_id = $1`,
    [id, months],
  )
  await owner.query('alter table ledger_transaction enable trigger ledger_transaction_append_only')
  await owner.query(
    'update bank_line set bank_date = (current_date - make_interval(months => $2))::date where invoice_id = $1',
    [id, months],
  )
  // The days of the accounts, counted anew as they were first.
  await owner.query('delete from ledger_account_day')
  await owner.query(
    `insert into ledger_account_day
       (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
     select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
     from posting p join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
     join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
     where a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance',
       'claims_on_debtors')
     group by a.instance_id, a.id, t.booked_on`,
  )
  await owner.query('select rebuild_figures()')
}
