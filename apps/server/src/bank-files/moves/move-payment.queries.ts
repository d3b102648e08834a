/** The SQL of money that is taken off the debt that it was booked on. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

const liftLine = statement(
  'movePayment.lift',
  `update bank_line set status = 'SUSPENSE', invoice_id = null, claim_id = null
   where instance_id = $1 and id = $2 and status = 'BOOKED' returning id`,
)

export async function liftLineRow(tx: Transaction, instanceId: string, id: string): Promise<void> {
  const rows = await tx.rows(liftLine, [instanceId, id])
  if (rows.length !== 1) throw new Error(`bank line ${id} was not booked`)
}

const target = statement(
  'movePayment.target',
  'select invoice_id as to_invoice_id, claim_id as to_claim_id from bank_line where instance_id = $1 and id = $2',
)

type Target = { readonly to_invoice_id: string | null; readonly to_claim_id: string | null }

/** Where the line is booked now. */
export async function readTarget(tx: Transaction, instanceId: string, id: string): Promise<Target> {
  return (await tx.rows<Target>(target, [instanceId, id]))[0] ?? { to_invoice_id: null, to_claim_id: null }
}

export type MovedRow = Target & {
  readonly line_id: string
  readonly number: number
  readonly from_invoice_id: string | null
  readonly from_claim_id: string | null
  readonly moved_by: string
  readonly reason: string
}

const insertMoved = statement(
  'movePayment.insert',
  `insert into moved_payment (instance_id, line_id, number, from_invoice_id, from_claim_id, to_invoice_id, to_claim_id, moved_by, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertMovedRow(tx: Transaction, instanceId: string, row: MovedRow): Promise<void> {
  await tx.rows(insertMoved, [
    instanceId,
    row.line_id,
    row.number,
    row.from_invoice_id,
    row.from_claim_id,
    row.to_invoice_id,
    row.to_claim_id,
    row.moved_by,
    row.reason,
  ])
}

const movedLine = statement(
  'movePayment.isMoved',
  'select from moved_payment where instance_id = $1 and line_id = $2 limit 1',
)

/** Whether it has been on a debt before, and was moved. */
export async function isMovedLine(tx: Transaction, instanceId: string, id: string): Promise<boolean> {
  return (await tx.rows(movedLine, [instanceId, id])).length === 1
}

const gatewayMoney = statement(
  'movePayment.gatewayMoney',
  `select p.instance_id, p.id, p.amount_minor, p.currency, p.gateway, n.time_zone, t.booked_on::text, t.value_on::text,
     exists (select from refund r where r.instance_id = p.instance_id and r.payment_id = p.id
       and r.status <> 'FAILED') as is_sent_back,
     exists (select from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id
       and l.holder = 'CREDITOR') as is_at_creditor
   from payment p
   join instance n on n.id = p.instance_id
   join ledger_transaction t on t.instance_id = p.instance_id and t.cause = 'payment:' || p.id
   where p.instance_id = $1 and p.id = $2`,
)

export type GatewayMoney = {
  readonly instance_id: string
  readonly id: string
  readonly amount_minor: number
  readonly currency: Currency
  readonly gateway: string
  readonly time_zone: string
  /** When it was booked first, and from when it counts where that is another day. */
  readonly booked_on: CalendarDate
  readonly value_on: CalendarDate | null
  readonly is_sent_back: boolean
  /** It lies on the creditor's own account. */
  readonly is_at_creditor: boolean
}

/** The money of a payment that a gateway has settled; undefined when none has been booked. */
export async function findGatewayMoney(
  tx: Transaction,
  instanceId: string,
  paymentId: string,
): Promise<GatewayMoney | undefined> {
  return (await tx.rows<GatewayMoney>(gatewayMoney, [instanceId, paymentId]))[0]
}

const toldLine = statement(
  'reversePayment.toldLine',
  `select exists (select from bank_line l where l.instance_id = $1 and l.payment_id = $2)
     or exists (select from bank_line_share s where s.instance_id = $1 and s.payment_id = $2) as is_told`,
)

/** Whether a line of a bank's file is the money of the payment. Under lockBankFiles. */
export async function isToldByBank(tx: Transaction, instanceId: string, paymentId: string): Promise<boolean> {
  return (await tx.rows<{ is_told: boolean }>(toldLine, [instanceId, paymentId]))[0]?.is_told ?? false
}

const reversed = statement(
  'reversePayment.reversed',
  'update payment set reversed_on = $3 where instance_id = $1 and id = $2 and reversed_on is null returning id',
)

/** From now on no line of a bank is looked for that would be its money. */
export async function setReversed(
  tx: Transaction,
  of: { readonly instanceId: string; readonly paymentId: string; readonly on: CalendarDate },
): Promise<void> {
  const rows = await tx.rows(reversed, [of.instanceId, of.paymentId, of.on])
  if (rows.length !== 1) throw new Error(`payment ${of.paymentId} was reversed under its own lock`)
}
