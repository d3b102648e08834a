/** The SQL of what creditors have instructed once and for all. */
import { courtInstructionsOf } from '../staff/office-debtor.queries.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { By } from './court.queries.ts'

const lock = statement(
  'court.lockInstructions',
  `select pg_advisory_xact_lock(hashtextextended('court instructions of ' || $1::text, 0))`,
)
const standing = statement(
  'court.standingInstruction',
  `select from court_instruction where instance_id = $1 and creditor_id = $2 and currency = $3 and ended_at is null
     and valid_from = $4 and valid_to = $5 and person = $6 and largest_claim_minor = $7`,
)

/** Whether just this stands already. Of two who give one at a time, one waits for the other. */
export async function isStanding(
  tx: Transaction,
  instanceId: string,
  { creditorId, currency, from, to, person, largestMinor }: Omit<Instruction, 'id'>,
): Promise<boolean> {
  await tx.rows(lock, [creditorId])
  const values = [instanceId, creditorId, currency, from, to, person, largestMinor]
  return (await tx.rows(standing, values)).length > 0
}

const endInstructions = statement(
  'court.endInstructions',
  `update court_instruction set ended_at = now()
   where instance_id = $1 and creditor_id = $2 and currency = $3 and ended_at is null returning id`,
)
const insertInstruction = statement(
  'court.insertInstruction',
  `insert into court_instruction (instance_id, id, creditor_id, valid_from, valid_to, person, largest_claim_minor, currency,
     recorded_by, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

export type Instruction = {
  readonly id: string
  readonly creditorId: string
  readonly from: string
  readonly to: string
  readonly person: string
  readonly largestMinor: number
  readonly currency: string
}

/** A creditor's standing instruction, in the place of the one before. */
export async function insertInstructionRow(
  tx: Transaction,
  instanceId: string,
  { id, creditorId, from, to, person, largestMinor, currency }: Instruction,
  { actor, reason }: By,
): Promise<void> {
  await endInstructionRows(tx, instanceId, { creditorId, currency })
  const values = [instanceId, id, creditorId, from, to, person, largestMinor, currency, actor, reason]
  await tx.rows(insertInstruction, values)
}

/** Takes a standing instruction back. Answers whether there was one. */
export async function endInstructionRows(
  tx: Transaction,
  instanceId: string,
  { creditorId, currency }: Pick<Instruction, 'creditorId' | 'currency'>,
): Promise<boolean> {
  return (await tx.rows(endInstructions, [instanceId, creditorId, currency])).length > 0
}

const instructed = statement(
  'court.instructed',
  `select ${courtInstructionsOf('c')} as json from creditor c where c.instance_id = $1 and c.id = $2`,
)

/** Those that stand, as the wire has them; undefined where the instance has no such creditor. */
export async function readInstructed(
  db: Connection,
  instanceId: string,
  creditorId: string,
): Promise<string | undefined> {
  return (await db.rows<{ json: string }>(instructed, [instanceId, creditorId]))[0]?.json
}
