/**
 * The SQL of starting a payment. The common case, the first payment of an invoice, takes three round trips: what is known is
 * read at once, and the intent and its result are each written by a statement that is a transaction of its own.
 */
import { payeeQuery, type PayeeRow } from '../../creditors/creditors.ts'
import { INVOICE_COLUMNS, PAYEE_CREDITOR, type InvoiceRow } from '../../invoices/invoices.ts'
import { bySight, ONE, sightOf, VISIBLE, visibleTo } from '../../invoices/visible-invoices.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { guessed, guessValues, requireRight, type Guessed } from '../../sign-in/sign-in.ts'
import type { FirstReader } from '../../sign-in/viewer.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../payments.queries.ts'

/** An invoice, and what else a payment of it depends on. */
export type InvoiceToPay = InvoiceRow & {
  /** Another one after every change to the invoice. */
  version: string
  /** What the creditor takes for it; null takes all methods. */
  methods: string[] | null
  /** Nobody has started to pay it yet. */
  is_first: boolean
  payee: PayeeRow | null
}

const PAYEE = payeeQuery({
  instance: 'i.instance_id',
  account: 'i.payment_account_id',
  currency: 'i.currency',
  creditor: PAYEE_CREDITOR,
})

const toPay = (visible: string): string =>
  `select ${INVOICE_COLUMNS}, i.version, coalesce(i.payment_methods, c.payment_methods) as methods, to_json(a.*) as payee,
     not exists (select from payment p where p.instance_id = i.instance_id and p.debt_id = i.id) as is_first
   from (select i.*, i.xmin::text as version from ${visible} ${ONE}) i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   left join lateral (${PAYEE}) a on true`

const invoiceToPay = bySight('payments.invoiceToPay', toPay)
const guessedInvoiceToPay = statement('payments.guessedInvoiceToPay', guessed(toPay(VISIBLE.pair), 5))

/**
 * The invoice that the reader wants to pay; undefined when there is none to be seen. Refuses a pair that is not
 * proven yet as the guard would; the guess is taken in the same round trip.
 */
export async function readInvoiceToPay(
  db: Connection,
  reader: FirstReader,
  invoiceNumber: string | undefined,
): Promise<InvoiceToPay | undefined> {
  const values = [...visibleTo(reader), invoiceNumber ?? null]
  if (reader.kind !== 'unproven') {
    return (await db.rows<InvoiceToPay>(invoiceToPay[sightOf(reader)], values))[0]
  }
  const asGuess = [...values, ...guessValues(reader.guess)]
  const [found] = await db.rows<Guessed<InvoiceToPay>>(guessedInvoiceToPay, asGuess)
  return requireRight(reader, found)
}

/** What a new payment is written down with. */
export type NewPayment = Omit<
  PaymentRow,
  | 'status'
  | 'failure'
  | 'gateway_payment_id'
  | 'external_link'
  | 'created_at'
  | 'is_stale'
  | 'is_outcome_unknown'
  | 'arrived_on'
>

const inserted = (from: string, conflict: string): string =>
  `made as (
     insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date,
       payee_name, payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret,
       idempotency_key, request_hash, callback_identifier, is_pushed, claim_id)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'CREATED', $13, $14, $15, $16, $17, $18, $19 ${from}
     ${conflict} returning ${PAYMENT_COLUMNS}
   ), noted as (
     insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
     select instance_id, id, 1, null, 'CREATED', 'start' from made
   )
   select * from made`

const valuesOf = (p: NewPayment): unknown[] => [
  p.instance_id, p.id, p.invoice_id, p.gateway, p.option, p.amount_minor, p.currency, p.execution_date,
  p.payee_name, p.payee_account, p.payee_scheme, p.payment_reference, p.redirect_uri, p.callback_secret,
  p.idempotency_key, p.request_hash, p.callback_identifier, p.is_pushed, p.claim_id,
] // biome-ignore format: in the order of the columns

const insertPayment = statement('payments.insert', `with ${inserted('', '')}`)

/** Writes a new payment down, and its first move. What it pays is locked. */
export async function insertPaymentRow(tx: Transaction, payment: NewPayment): Promise<PaymentRow> {
  const row = (await tx.rows<PaymentRow>(insertPayment, valuesOf(payment)))[0]
  if (!row) throw new Error('the payment was not inserted')
  return row
}

const insertFirst = statement(
  'payments.insertFirst',
  `with unchanged as materialized (
     select from invoice i where i.instance_id = $1 and i.id = $3 and i.xmin = $20::xid for no key update
   ), ${inserted('from unchanged', 'on conflict do nothing')}`,
)

/**
 * Writes the first payment of an invoice down under the invoice's lock, when the invoice still is as it was read
 * and nobody else has been quicker; undefined otherwise. By itself a transaction.
 */
export async function insertFirstPaymentRow(
  db: Connection,
  payment: NewPayment,
  version: string,
): Promise<PaymentRow | undefined> {
  return (await db.rows<PaymentRow>(insertFirst, [...valuesOf(payment), version]))[0]
}

const begin = statement(
  'payments.begin',
  `with moved as (
     update payment set status = 'IN_PROGRESS', gateway_payment_id = $3, external_link = $4, changed_at = now(),
       is_stale = false, is_outcome_unknown = false
     where instance_id = $1 and id = $2 and status = 'CREATED' returning ${PAYMENT_COLUMNS}
   ), noted as (
     insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
     select instance_id, id, 2, 'CREATED', 'IN_PROGRESS', 'start' from moved
   )
   select m.*, has_waiting_news(m.instance_id, m.id) as has_news from moved m`,
)

/**
 * Writes down that the gateway has the payment, and answers whether news of it came before that. Undefined when the
 * payment was given up meanwhile. By itself a transaction.
 */
export async function beginPaymentRow(
  db: Connection,
  payment: { instance_id: string; id: string },
  made: { gatewayPaymentId: string; externalLink: string | null },
): Promise<(PaymentRow & { has_news: boolean }) | undefined> {
  const values = [payment.instance_id, payment.id, made.gatewayPaymentId, made.externalLink]
  return (await db.rows<PaymentRow & { has_news: boolean }>(begin, values))[0]
}
