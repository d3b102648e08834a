/** The SQL of what a debtor asks for that a decision answers. */
import type { ConversationKind } from '@kvitt/domain/conversations/conversation.ts'
import { DAYS_BETWEEN_RESTS, USUAL_BOUNDS, type Bounds } from '@kvitt/domain/conversations/request.ts'
import { statement, type Connection } from '../platform/database/database.ts'

const bounds = statement(
  'conversations.bounds',
  'select most_days as "mostDays", plan_months as "planMonths" from creditor_bounds where instance_id = $1 and creditor_id = $2',
)

/** As the creditor has set them, else the usual ones. */
export async function readBounds(
  db: Connection,
  of: { readonly instanceId: string; readonly creditorId: string },
): Promise<Bounds> {
  return (await db.rows<Bounds>(bounds, [of.instanceId, of.creditorId]))[0] ?? USUAL_BOUNDS
}

const before = statement(
  'conversations.requestsBefore',
  `select coalesce(bool_or(v.kind = 'MORE_TIME' and (v.by_rule or v.outcome is not null)), false) as was_decided,
     coalesce(bool_or(v.kind = 'PLAN' and (v.outcome in ('ACCEPT', 'DECLINE') or v.counter_until is not null)), false)
       as plan_decided,
     coalesce(bool_or(v.rests and v.status in ('OPEN', 'COUNTERED')), false) as is_resting,
     coalesce(bool_or(v.rests and v.kind = 'PLAN' and v.asked_on > $3::date - ${DAYS_BETWEEN_RESTS}), false) as rested_for_plan,
     coalesce(bool_or(v.rests and v.kind = 'MORE_TIME' and v.asked_on > $3::date - ${DAYS_BETWEEN_RESTS}), false) as rested_for_time,
     coalesce(bool_or(v.rests and v.kind = 'SAID_PAID' and v.asked_on > $3::date - ${DAYS_BETWEEN_RESTS}), false) as rested_for_paid
   from conversation v where v.instance_id = $1 and v.debt_id = $2`,
)

export type RequestsBefore = {
  /** More time was granted by rule, or a person has decided about it: from then on people do. */
  readonly was_decided: boolean
  /** A person has decided about a plan of the debtor's own before: from then on people do. */
  readonly plan_decided: boolean
  /** It rests for a request that waits. */
  readonly is_resting: boolean
  /** It has rested for such a request lately. */
  readonly rested_for_time: boolean
  readonly rested_for_paid: boolean
  readonly rested_for_plan: boolean
}

const other = statement(
  'conversations.otherResting',
  `select v.kind from conversation v
   where v.instance_id = $1 and v.debt_id = $2 and v.id <> $3 and v.rests and v.status in ('OPEN', 'COUNTERED')
   order by v.created_at, v.id limit 1`,
)

/** For what else that waits the debt rests as well; undefined where for nothing. */
export async function findOtherResting(
  db: Connection,
  of: { readonly instanceId: string; readonly debtId: string; readonly id: string },
): Promise<ConversationKind | undefined> {
  return (await db.rows<{ kind: ConversationKind }>(other, [of.instanceId, of.debtId, of.id]))[0]?.kind
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
