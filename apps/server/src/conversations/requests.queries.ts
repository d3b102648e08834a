/** The SQL of what a debtor asks for that a decision answers. */
import { DAYS_BETWEEN_RESTS, USUAL_BOUNDS, type Bounds } from '@kvitt/domain/conversations/request.ts'
import { statement, type Connection } from '../platform/database/database.ts'

const bounds = statement(
  'conversations.bounds',
  'select most_days from creditor_bounds where instance_id = $1 and creditor_id = $2',
)

/** As the creditor has set them, else the usual ones. */
export async function readBounds(
  db: Connection,
  of: { readonly instanceId: string; readonly creditorId: string },
): Promise<Bounds> {
  const [row] = await db.rows<{ most_days: number }>(bounds, [of.instanceId, of.creditorId])
  return row ? { mostDays: row.most_days } : USUAL_BOUNDS
}

const before = statement(
  'conversations.requestsBefore',
  `select coalesce(bool_or(v.by_rule), false) as was_granted,
     coalesce(bool_or(v.rests and v.kind = 'MORE_TIME' and v.asked_on > $3::date - ${DAYS_BETWEEN_RESTS}), false) as rested_for_time,
     coalesce(bool_or(v.rests and v.kind = 'SAID_PAID' and v.asked_on > $3::date - ${DAYS_BETWEEN_RESTS}), false) as rested_for_paid
   from conversation v where v.instance_id = $1 and v.debt_id = $2`,
)

export type RequestsBefore = {
  /** More time was granted by rule. */
  readonly was_granted: boolean
  /** It has rested for such a request lately. */
  readonly rested_for_time: boolean
  readonly rested_for_paid: boolean
}

/** What was asked for about a debt before; through whichever door, since it is the debt that rests. */
export async function readRequestsBefore(
  db: Connection,
  of: { readonly instanceId: string; readonly debtId: string; readonly today: string },
): Promise<RequestsBefore> {
  const [row] = await db.rows<RequestsBefore>(before, [of.instanceId, of.debtId, of.today])
  if (!row) throw new Error('an aggregate has a row')
  return row
}
