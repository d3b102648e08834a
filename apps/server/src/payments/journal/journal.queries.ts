/** The SQL of payments that only the journal knows. */
import type { PaymentLine } from '@kvitt/domain/payments/journal-line.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../payments.queries.ts'

const known = statement(
  'payments.journalKnown',
  `select ${PAYMENT_COLUMNS} from payment p where (p.instance_id, p.id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
)

/** Which of these the database has, by identifier. */
export async function readKnownPayments(
  db: Connection,
  of: readonly { readonly instance: string; readonly id: string }[],
): Promise<Map<string, PaymentRow>> {
  const values = [of.map(({ instance }) => instance), of.map(({ id }) => id)]
  return new Map((await db.rows<PaymentRow>(known, values)).map((row) => [row.id, row]))
}

const knownProviders = statement(
  'payments.journalProviders',
  'select id from instance where id = any($1::uuid[])',
)

/** Which of these providers the database has. */
export async function readKnownProviders(db: Connection, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows<{ id: string }>(knownProviders, [[...new Set(ids)]])).map(({ id }) => id))
}

const debtIsHere = statement(
  'payments.journalDebt',
  `select from invoice where instance_id = $1 and id = $2 union all select from claim where instance_id = $1 and id = $2`,
)

/** Whether the database has what the payment was for. */
export async function hasDebt(db: Connection, { instance, invoice, claim }: PaymentLine): Promise<boolean> {
  return (await db.rows(debtIsHere, [instance, invoice ?? claim])).length > 0
}

const isUnderWay = statement(
  'payments.journalUnderWay',
  `select from payment where instance_id = $1 and debt_id = $2 and status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED')`,
)
const hasKey = statement(
  'payments.journalKey',
  'select from payment where instance_id = $1 and debt_id = $2 and idempotency_key = $3',
)

/** What has taken a lost payment's place since: another that is under way, and one with its caller's key. Under the debt's lock. */
export async function readInItsPlace(
  tx: Transaction,
  { instance, invoice, claim, idempotencyKey }: PaymentLine,
): Promise<{ isUnderWay: boolean; hasKey: boolean }> {
  const debt = [instance, invoice ?? claim]
  return {
    isUnderWay: (await tx.rows(isUnderWay, debt)).length > 0,
    hasKey: (await tx.rows(hasKey, [...debt, idempotencyKey])).length > 0,
  }
}

const insertLost = statement(
  'payments.insertLost',
  `with made as (
     insert into payment (instance_id, id, invoice_id, claim_id, gateway, option, amount_minor, currency, execution_date,
       payee_name, payee_account, payee_scheme, payment_reference, status, failure, redirect_uri, callback_secret,
       idempotency_key, request_hash, callback_identifier, is_pushed, created_at, gateway_payment_id, external_link)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24
     on conflict (instance_id, id) do nothing returning instance_id, id
   ), noted as (
     insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
     select m.instance_id, m.id, 1, null, 'CREATED', 'start' from made m
     union all
     select m.instance_id, m.id, 2, 'CREATED', $14, 'journal' from made m where $14 <> 'CREATED'
   )
   select from made`,
)

/** Under which name and state a lost payment is written down. */
export type Lost = {
  readonly status: 'IN_PROGRESS' | 'FAILED'
  readonly failure: string | null
  readonly key: string
  readonly gatewayId: string | null
  readonly link: string | null
  readonly redirectUri: string
}

/** Writes a lost payment down again with its moves. False when somebody has done that meanwhile. What it pays is locked. */
export async function insertLostRow(tx: Transaction, line: PaymentLine, lost: Lost): Promise<boolean> {
  const { payee } = line
  const values = [
    line.instance, line.id, line.invoice, line.claim, line.gateway, line.option, line.amountMinor, line.currency, line.executionDate,
    payee.name, payee.account, payee.scheme, line.reference, lost.status, lost.failure, lost.redirectUri, line.callbackSecret,
    lost.key, Buffer.from(line.requestHash, 'hex'), line.callbackIdentifier, line.isPushed, line.createdAt, lost.gatewayId, lost.link,
  ] // biome-ignore format: in the order of the columns
  return (await tx.rows(insertLost, values)).length > 0
}

const nameIt = statement(
  'payments.journalName',
  `update payment set gateway_payment_id = $3 where instance_id = $1 and id = $2 and gateway_payment_id is null`,
)

/** Keeps what the gateway calls a payment, where that was lost. */
export async function namePaymentRow(
  db: Connection,
  { instance_id: instanceId, id }: PaymentRow,
  gatewayId: string,
): Promise<void> {
  await db.rows(nameIt, [instanceId, id, gatewayId])
}

/**
 * Whoever makes addresses up fills no disk: of more than so many the oldest go, one with each that is kept. They are numbered, so nobody
 * counts the rows.
 */
const MOST_KEPT = 10_000
const keepUnknown = statement(
  'payments.keepUnknown',
  `with kept as (
     insert into unknown_callback (gateway, secret_hash, event_id, identifier, body)
     select $1, sha256($2::bytea), $3, $4, $5
     where not exists (select from unknown_callback where gateway = $1 and secret_hash = sha256($2::bytea) and event_id = $3)
     on conflict do nothing returning number
   )
   delete from unknown_callback u using kept k where u.number <= k.number - ${MOST_KEPT}`,
)

/** Keeps a callback whose address leads nowhere: the journal may know the payment. */
export async function keepUnknownCallback(
  db: Connection,
  gateway: string,
  { secret, identifier }: { readonly secret: string; readonly identifier: string | undefined },
  event: { readonly id: string; readonly body: unknown },
): Promise<void> {
  const values = [
    gateway,
    Buffer.from(secret),
    event.id,
    identifier?.slice(0, 100) ?? null,
    JSON.stringify(event.body),
  ]
  await db.rows(keepUnknown, values)
}

const namedByUnknown = statement(
  'payments.namedByUnknown',
  `select body ->> 'paymentId' as name from unknown_callback
   where gateway = $1 and secret_hash = sha256($2::bytea) and body ->> 'paymentId' <> '' order by received_at desc limit 1`,
)

/** What the gateway calls the payment in a callback that was kept. A hint: what it leads to has to be checked. */
export async function readNameOfUnknown(db: Connection, line: PaymentLine): Promise<string | undefined> {
  const values = [line.gateway, Buffer.from(line.callbackSecret)]
  return (await db.rows<{ name: string }>(namedByUnknown, values))[0]?.name.slice(0, 200)
}

const takeUp = statement(
  'payments.takeUpUnknown',
  `with gone as (delete from unknown_callback where gateway = $1 and secret_hash = sha256($2::bytea) returning *)
   insert into gateway_event (gateway, event_id, instance_id, payment_id, body)
   select gateway, $4 || ':' || event_id, $3, $4::uuid, body from gone
   where gateway <> 'SWISH' or identifier is not distinct from $5
   on conflict (gateway, event_id) do nothing`,
)

/** What was kept of callbacks becomes the payment's news. */
export async function takeUpCallbacks(tx: Transaction, line: PaymentLine): Promise<void> {
  const secret = Buffer.from(line.callbackSecret)
  await tx.rows(takeUp, [line.gateway, secret, line.instance, line.id, line.callbackIdentifier])
}

const forgetUnknown = statement(
  'payments.forgetUnknown',
  `delete from unknown_callback where received_at < now() - interval '40 days'`,
)

/** As long as the journal is kept. */
export async function forgetUnknownCallbacks(db: Connection): Promise<void> {
  await db.rows(forgetUnknown)
}
