/** The SQL of money that is taken off the debt that it was booked on. */
import { statement, type Transaction } from '../platform/database.ts'

const liftLine = statement(
  'movePayment.lift',
  `update bank_line set status = 'SUSPENSE', invoice_id = null, claim_id = null
   where instance_id = $1 and id = $2 and status = 'BOOKED' and payment_id is null returning id`,
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
