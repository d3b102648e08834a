/** The SQL of payments. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { PaymentOption, PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'
import type { Payee } from './gateways/gateway.ts'

export type PaymentRow = {
  instance_id: string
  id: string
  /** One of the two: what it pays. */
  invoice_id: string | null
  claim_id: string | null
  gateway: string
  option: PaymentOption
  amount_minor: number
  currency: Currency
  execution_date: string
  payee_name: string
  payee_account: string
  payee_scheme: Payee['scheme']
  payment_reference: string
  status: PaymentStatus
  failure: string | null
  gateway_payment_id: string | null
  external_link: string | null
  redirect_uri: string
  callback_secret: string
  callback_identifier: string | null
  idempotency_key: string
  request_hash: Buffer
  created_at: string
  is_stale: boolean
  /** The payer's phone was asked by its number: it can be signed although nobody holds a link. */
  is_pushed: boolean
  /** The gateway itself does not know the end. */
  is_outcome_unknown: boolean
}

const COLUMNS = `instance_id, id, invoice_id, claim_id, gateway, option, amount_minor, currency, execution_date, payee_name,
  payee_account, payee_scheme, payment_reference, status, failure, gateway_payment_id, external_link, redirect_uri,
  callback_secret, callback_identifier, idempotency_key, request_hash, created_at, is_stale, is_pushed, is_outcome_unknown`

const paymentsOfDebt = statement(
  'payments.ofDebt',
  `select ${COLUMNS} from payment where instance_id = $1 and debt_id = $2 order by created_at desc, id desc`,
)

/** All payments of an invoice or a claim, newest first. The caller has already been shown to be allowed it. */
export function readPayments(db: Connection, instanceId: string, debt: Debt): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(paymentsOfDebt, [instanceId, debtId(debt)])
}

const paymentsOfMembers = statement(
  'payments.ofMembers',
  `select ${COLUMNS} from payment p
   where p.instance_id = $1 and p.invoice_id in (select id from invoice where instance_id = $1 and claim_id = $2)
     and (p.status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') or p.is_outcome_unknown)
   order by p.created_at desc, p.id desc`,
)

/**
 * Payments under way that were started for an invoice before it joined its claim: what comes of them is money for
 * the claim. None for an invoice.
 */
export async function readJoinedPayments(
  db: Connection,
  instanceId: string,
  debt: Debt,
): Promise<PaymentRow[]> {
  return 'claimId' in debt ? db.rows<PaymentRow>(paymentsOfMembers, [instanceId, debt.claimId]) : []
}

const paymentById = statement(
  'payments.byId',
  `select ${COLUMNS} from payment where instance_id = $1 and id = $2`,
)

export async function readPayment(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  return (await db.rows<PaymentRow>(paymentById, [instanceId, id]))[0]
}

const paymentBySecret = statement(
  'payments.bySecret',
  `select ${COLUMNS} from payment where callback_secret = $1 and gateway = $2`,
)

export async function readPaymentBySecret(
  db: Connection,
  secret: string,
  gateway: string,
): Promise<PaymentRow | undefined> {
  return (await db.rows<PaymentRow>(paymentBySecret, [secret, gateway]))[0]
}

const lockPayment = statement(
  'payments.lock',
  `select ${COLUMNS} from payment where instance_id = $1 and id = $2 for no key update`,
)

/** The payment, locked. Lock what it pays first, always (lockDebtOf). */
export async function lockPaymentRow(tx: Transaction, instanceId: string, id: string): Promise<PaymentRow> {
  const row = (await tx.rows<PaymentRow>(lockPayment, [instanceId, id]))[0]
  if (!row) throw new Error(`payment ${id} does not exist`)
  return row
}

const insertPayment = statement(
  'payments.insert',
  `with made as (insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date,
     payee_name, payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret,
     idempotency_key, request_hash, callback_identifier, is_pushed, claim_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'CREATED', $13, $14, $15, $16, $17, $18, $19)
   returning ${COLUMNS}
   ), noted as (
     insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
     select instance_id, id, 1, null, 'CREATED', 'start' from made
   )
   select * from made`,
)

export type NewPayment = Omit<
  PaymentRow,
  | 'status'
  | 'failure'
  | 'gateway_payment_id'
  | 'external_link'
  | 'created_at'
  | 'is_stale'
  | 'is_outcome_unknown'
>

/** Writes a new payment down, and its first move. */
export async function insertPaymentRow(tx: Transaction, p: NewPayment): Promise<PaymentRow> {
  const rows = await tx.rows<PaymentRow>(insertPayment, [
    p.instance_id, p.id, p.invoice_id, p.gateway, p.option, p.amount_minor, p.currency, p.execution_date,
    p.payee_name, p.payee_account, p.payee_scheme, p.payment_reference, p.redirect_uri, p.callback_secret,
    p.idempotency_key, p.request_hash, p.callback_identifier, p.is_pushed, p.claim_id,
  ]) // biome-ignore format: in the order of the columns
  const row = rows[0]
  if (!row) throw new Error('the payment was not inserted')
  return row
}

const movePayment = statement(
  'payments.move',
  `with moved as (update payment set status = $4, failure = $5, gateway_payment_id = coalesce($6, gateway_payment_id),
     external_link = coalesce($7, external_link), changed_at = now(), is_stale = false, is_outcome_unknown = false
   where instance_id = $1 and id = $2 and status = $3 returning instance_id, id
   )
   insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
   select m.instance_id, m.id, (select coalesce(max(number), 0) + 1 from payment_move p
     where p.instance_id = m.instance_id and p.payment_id = m.id), $3, $4, $8
   from moved m returning payment_id`,
)

/** Where news of a payment comes from. */
export type PaymentDoor = 'start' | 'callback' | 'return' | 'sweep'

export type PaymentMove = {
  readonly from: PaymentStatus
  readonly to: PaymentStatus
  /** Which door the news came through; kept with the move. */
  readonly door: PaymentDoor
  readonly failure?: string
  readonly gatewayPaymentId?: string
  readonly externalLink?: string | null
}

/** Moves the status when it still is `from`, and keeps the move. Answers whether it was. */
export async function movePaymentRow(
  tx: Transaction,
  payment: { instance_id: string; id: string },
  move: PaymentMove,
): Promise<boolean> {
  const rows = await tx.rows(movePayment, [
    payment.instance_id, payment.id, move.from, move.to, move.failure ?? null, move.gatewayPaymentId ?? null,
    move.externalLink ?? null, move.door,
  ]) // biome-ignore format: in the order of the parameters
  return rows.length === 1
}

const markChecked = statement(
  'payments.markChecked',
  `update payment set checked_at = now(), is_stale = $3, is_outcome_unknown = $4
   where instance_id = $1 and id = $2`,
)

/** Notes that the gateway was asked: `isStale` when it did not answer, `isOutcomeUnknown` when it does not know. */
export async function markCheckedRow(
  db: Connection,
  payment: { instance_id: string; id: string },
  { isStale, isOutcomeUnknown }: { isStale: boolean; isOutcomeUnknown: boolean },
): Promise<void> {
  await db.rows(markChecked, [payment.instance_id, payment.id, isStale, isOutcomeUnknown])
}

const takeOfDebt = statement(
  'payments.takeOfDebt',
  `update payment set checked_at = now()
   where instance_id = $1 and debt_id = $2 and status in ('IN_PROGRESS', 'AUTHORIZED')
     and (checked_at is null or checked_at < now() - make_interval(secs => $3 / 1000.0))
   returning ${COLUMNS}`,
)

/** The debt's payments that nobody has asked the gateway about for `sinceMs`; taken, so that one asks. */
export function takePaymentsOfDebt(
  db: Connection,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  sinceMs: number,
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(takeOfDebt, [instanceId, debtId(debt), sinceMs])
}

const claimForSweep = statement(
  'payments.claimForSweep',
  `update payment p set checked_at = now()
   from (
     select instance_id, id from payment
     where status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED')
       and (checked_at is null or checked_at < now() - make_interval(secs => case
         when $1 then 0
         when status = 'AUTHORIZED' and option = 'due-date' and execution_date > $2::date then 3600
         else 60 end))
       and created_at < now() - make_interval(secs => case when $1 then 0 else 15 end)
     order by checked_at nulls first limit 200 for no key update skip locked
   ) due
   where p.instance_id = due.instance_id and p.id = due.id
   returning ${COLUMNS.split(',')
     .map((c) => `p.${c.trim()}`)
     .join(', ')}, p.created_at < now() - interval '30 minutes' as is_old,
     p.created_at < now() - interval '24 hours' as is_very_old,
     coalesce((select c.balance_minor from claim c where c.instance_id = p.instance_id
         and c.id = coalesce(p.claim_id, (select i.claim_id from invoice i
           where i.instance_id = p.instance_id and i.id = p.invoice_id))),
       (select i.balance_minor from invoice i where i.instance_id = p.instance_id and i.id = p.invoice_id)) <= 0
       as is_paid_otherwise`,
)

export type SweptPayment = PaymentRow & {
  is_old: boolean
  is_very_old: boolean
  /** Nothing is left to pay of what it was started for. */
  is_paid_otherwise: boolean
}

/** Payments under way that it is time to ask about; `all` asks about every one of them at once. */
export function claimPaymentsForSweep(db: Connection, all: boolean, today: string): Promise<SweptPayment[]> {
  return db.rows<SweptPayment>(claimForSweep, [all, today])
}

const databaseNow = statement('payments.now', 'select clock_timestamp() as at')

export async function readDatabaseNow(db: Connection): Promise<string> {
  const row = (await db.rows<{ at: string }>(databaseNow))[0]
  if (!row) throw new Error('the database gave no time')
  return row.at
}
