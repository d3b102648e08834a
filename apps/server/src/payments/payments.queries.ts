/** The SQL of payments. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { PaymentOption, PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
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
  /** The day on which its money was booked although it had been given up; it stays FAILED. */
  arrived_on: string | null
}

export const PAYMENT_COLUMNS = `instance_id, id, invoice_id, claim_id, gateway, option, amount_minor, currency, execution_date, payee_name,
  payee_account, payee_scheme, payment_reference, status, failure, gateway_payment_id, external_link, redirect_uri,
  callback_secret, callback_identifier, idempotency_key, request_hash, created_at, is_stale, is_pushed, is_outcome_unknown,
  arrived_on`

const COLUMNS_OF_P = PAYMENT_COLUMNS.split(',')
  .map((column) => `p.${column.trim()}`)
  .join(', ')

const signedSum = statement(
  'payments.signedSum',
  `select coalesce(sum(amount_minor), 0)::bigint as minor from payment
   where instance_id = $1 and invoice_id = $2 and status = 'AUTHORIZED' and option = 'pay-now'`,
)

/** What is signed to be paid now on an invoice, in minor units. */
export async function readSignedMinor(
  tx: Transaction,
  invoice: { instance_id: string; id: string },
): Promise<number> {
  return (await tx.rows<{ minor: number }>(signedSum, [invoice.instance_id, invoice.id]))[0]?.minor ?? 0
}

const paymentById = statement(
  'payments.byId',
  `select ${PAYMENT_COLUMNS} from payment where instance_id = $1 and id = $2`,
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
  `select ${PAYMENT_COLUMNS} from payment where callback_secret = $1 and gateway = $2`,
)

export async function readPaymentBySecret(
  db: Connection,
  secret: string,
  gateway: string,
): Promise<PaymentRow | undefined> {
  return (await db.rows<PaymentRow>(paymentBySecret, [secret, gateway]))[0]
}

/** A payment as it is before its gateway is asked. */
export type SeenPayment = PaymentRow & {
  /** What the inbox got after this moment may speak of a later state. Text, to the microsecond. */
  read_at: string
  /** Of its instance. */
  time_zone: string
  country: string
}

const LOOKED_AT = `select ${COLUMNS_OF_P}, n.time_zone, n.country, clock_timestamp()::text as read_at
   from payment p join instance n on n.id = p.instance_id where p.instance_id = $1 and p.id = $2`
const look = statement('payments.look', LOOKED_AT)
const lookInTurn = statement('payments.lookInTurn', `${LOOKED_AT} for share of p`)

/**
 * The payment, before its gateway is asked. While the gateway's name of it is missing, the request that writes it down
 * is let through first: either that request sees the news that brought us here, or we see the name.
 */
export async function lookAtPayment(
  db: Connection,
  { instance_id, id }: { instance_id: string; id: string },
): Promise<SeenPayment> {
  const [seen] = await db.rows<SeenPayment>(look, [instance_id, id])
  const isNamed = seen?.gateway_payment_id !== null
  const row = isNamed ? seen : (await db.rows<SeenPayment>(lookInTurn, [instance_id, id]))[0]
  if (!row) throw new Error(`payment ${id} does not exist`)
  return row
}

const lockPayment = statement(
  'payments.lock',
  `select ${PAYMENT_COLUMNS} from payment where instance_id = $1 and id = $2 for no key update`,
)

/** The payment, locked. Lock what it pays first, always (lockDebtOf). */
export async function lockPaymentRow(tx: Transaction, instanceId: string, id: string): Promise<PaymentRow> {
  const row = (await tx.rows<PaymentRow>(lockPayment, [instanceId, id]))[0]
  if (!row) throw new Error(`payment ${id} does not exist`)
  return row
}

/** Keeps the move of payment $2 that `moved` names. When `moved` is empty, its row names no payment: the transaction fails. */
const keepMove = (from: string, to: string, door: string): string =>
  `insert into payment_move (instance_id, payment_id, number, from_status, to_status, door)
   select $1, (select id from moved), (select coalesce(max(number), 0) + 1 from payment_move p
     where p.instance_id = $1 and p.payment_id = $2), ${from}, ${to}, ${door}`

const movePayment = statement(
  'payments.move',
  `with moved as (update payment set status = $4, failure = $5, gateway_payment_id = coalesce($6, gateway_payment_id),
     changed_at = now(), checked_at = now(), is_stale = false, is_outcome_unknown = false
   where instance_id = $1 and id = $2 and status = $3 returning id)
   ${keepMove('$3', '$4', '$7')}`,
)

/** Where news of a payment comes from. */
export type PaymentDoor = 'start' | 'callback' | 'return' | 'sweep' | 'file' | 'journal'

export type PaymentMove = {
  readonly from: PaymentStatus
  readonly to: PaymentStatus
  /** Which door the news came through; kept with the move. */
  readonly door: PaymentDoor
  readonly failure?: string
  readonly gatewayPaymentId?: string
}

/** Moves the status of a payment that is locked and is `from`, and keeps the move. Fails if it is not `from`. */
export function movePaymentRow(
  tx: Transaction,
  payment: { instance_id: string; id: string },
  move: PaymentMove,
): void {
  tx.send(movePayment, [
    payment.instance_id, payment.id, move.from, move.to, move.failure ?? null, move.gatewayPaymentId ?? null,
    move.door,
  ]) // biome-ignore format: in the order of the parameters
}

const markChecked = statement(
  'payments.markChecked',
  `update payment set checked_at = now(), is_stale = $3, is_outcome_unknown = $4,
     gateway_payment_id = coalesce(gateway_payment_id, $5)
   where instance_id = $1 and id = $2`,
)

/**
 * Notes that the gateway has answered: `isStale` when its answer cannot be used, `isOutcomeUnknown` when nobody knows,
 * and the gateway's name of it where that was not known.
 */
export function markCheckedRow(
  tx: Transaction,
  payment: { instance_id: string; id: string },
  seen: { isStale: boolean; isOutcomeUnknown: boolean; gatewayPaymentId: string | null },
): void {
  const { isStale, isOutcomeUnknown, gatewayPaymentId } = seen
  tx.send(markChecked, [payment.instance_id, payment.id, isStale, isOutcomeUnknown, gatewayPaymentId])
}

const markArrived = statement(
  'payments.markArrived',
  `with moved as (update payment set arrived_on = $3, gateway_payment_id = coalesce(gateway_payment_id, $4),
     changed_at = now(), checked_at = now(), is_stale = false, is_outcome_unknown = false
   where instance_id = $1 and id = $2 and status = 'FAILED' and arrived_on is null returning id)
   ${keepMove("'FAILED'", "'ARRIVED'", '$5')}`,
)

/** Keeps that the money of a payment which was given up is here. It is locked, and stays FAILED. Fails if it was here already. */
export function markArrivedRow(
  tx: Transaction,
  payment: { instance_id: string; id: string },
  arrival: { on: string; gatewayPaymentId: string | null; door: PaymentDoor },
): void {
  const { on, gatewayPaymentId, door } = arrival
  tx.send(markArrived, [payment.instance_id, payment.id, on, gatewayPaymentId, door])
}

/** Notes that the gateway was asked in vain: what is known may be out of date. */
export async function markStaleRow(
  db: Connection,
  payment: { instance_id: string; id: string },
  isOutcomeUnknown: boolean,
): Promise<void> {
  await db.rows(markChecked, [payment.instance_id, payment.id, true, isOutcomeUnknown, null])
}

const takeOfDebt = statement(
  'payments.takeOfDebt',
  `update payment set checked_at = now()
   where instance_id = $1 and debt_id = $2
     and (status in ('IN_PROGRESS', 'AUTHORIZED') or status = 'FAILED' and is_outcome_unknown)
     and (checked_at is null or checked_at < now() - make_interval(secs => $3 / 1000.0))
   returning ${PAYMENT_COLUMNS}`,
)

/** The debt's payments that nobody has asked the gateway about for `sinceMs`; taken, so that one asks. */
export function takePaymentsOfDebt(
  db: Connection,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  sinceMs: number,
): Promise<PaymentRow[]> {
  return db.rows<PaymentRow>(takeOfDebt, [instanceId, debtId(debt), sinceMs])
}

/** What decides about a payment `p` that is swept, after `update payment p`. */
const SWEPT = `returning ${COLUMNS_OF_P}, (select n.country from instance n where n.id = p.instance_id) as country,
     p.created_at < now() - interval '30 minutes' as is_old,
     p.created_at < now() - interval '24 hours' as is_very_old,
     coalesce((select c.balance_minor from claim c where c.instance_id = p.instance_id
         and c.id = coalesce(p.claim_id, (select i.claim_id from invoice i
           where i.instance_id = p.instance_id and i.id = p.invoice_id))),
       (select i.balance_minor from invoice i where i.instance_id = p.instance_id and i.id = p.invoice_id)) <= 0
       as is_paid_otherwise`

const claimForSweep = statement(
  'payments.claimForSweep',
  `update payment p set checked_at = now()
   from (
     select instance_id, id from payment
     where (status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') or status = 'FAILED' and is_outcome_unknown)
       and (checked_at is null or checked_at < now() - make_interval(secs => case
         when $1 then 0
         when status = 'FAILED' then 3600
         when status = 'AUTHORIZED' and option = 'due-date' and execution_date > $2::date then 3600
         else 60 end))
       and created_at < now() - make_interval(secs => case when $1 then 0 else 15 end)
     order by checked_at nulls first limit 200 for no key update skip locked
   ) due
   where p.instance_id = due.instance_id and p.id = due.id
   ${SWEPT}`,
)

const claimOneForSweep = statement(
  'payments.claimOneForSweep',
  `update payment p set checked_at = now()
   where p.instance_id = $1 and p.id = $2
     and (p.status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') or p.status = 'FAILED' and p.is_outcome_unknown)
   ${SWEPT}`,
)

export type SweptPayment = PaymentRow & {
  /** Of the instance that is paid. */
  country: string
  is_old: boolean
  is_very_old: boolean
  /** Nothing is left to pay of what it was started for. */
  is_paid_otherwise: boolean
}

/** Payments under way that it is time to ask about; `all` asks about every one of them at once. */
export function claimPaymentsForSweep(db: Connection, all: boolean, today: string): Promise<SweptPayment[]> {
  return db.rows<SweptPayment>(claimForSweep, [all, today])
}

/** One payment, if its end is not known yet. */
export async function claimPaymentForSweep(
  db: Connection,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
): Promise<SweptPayment | undefined> {
  return (await db.rows<SweptPayment>(claimOneForSweep, [instanceId, id]))[0]
}
