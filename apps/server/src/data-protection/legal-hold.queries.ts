/** The SQL of legal holds. What they keep, and that erasing waits for them, the database sees to itself (migration 0404). */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getLegalHolds } from '@kvitt/domain/data-protection/legal-hold.contract.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { instantText } from '../platform/database/sql-json.ts'
import { ALL_OVER } from './retention.queries.ts'

const insert = statement(
  'legalHold.insert',
  `insert into legal_hold (instance_id, id, debtor_id, from_on, until_on, reason, source, set_by) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export type NewHold = {
  readonly instanceId: string
  readonly id: string
  readonly debtorId: string
  readonly from: string
  readonly until: string | null
  readonly reason: string
  readonly source: string
  readonly by: string
}

/** Waits for whoever erases at this instance at this moment. */
export async function insertHoldRow(tx: Connection, hold: NewHold): Promise<void> {
  const { instanceId, id, debtorId, from, until, reason, source, by } = hold
  await tx.rows(insert, [instanceId, id, debtorId, from, until, reason, source, by])
}

const find = statement(
  'legalHold.find',
  `select id, lifted_at is null and coalesce(until_on < current_date, false) as "isOver" from legal_hold where instance_id = $1 and id = $2`,
)

/** A hold; over: nobody lifted it, and its last day has passed. */
export type FoundHold = { readonly id: string; readonly isOver: boolean }

export async function findHoldRow(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<FoundHold | undefined> {
  return (await db.rows<FoundHold>(find, [instanceId, id]))[0]
}

const lift = statement(
  'legalHold.lift',
  `update legal_hold set lifted_by = $3, lift_reason = $4 where instance_id = $1 and id = $2 and lifted_at is null
     and (until_on is null or until_on >= current_date)
   returning debtor_id as "debtorId"`,
)

/** Whose it was; undefined where it was lifted before. */
export async function liftHoldRow(
  tx: Connection,
  hold: { readonly instanceId: string; readonly id: string; readonly by: string; readonly reason: string },
): Promise<{ readonly debtorId: string } | undefined> {
  const { instanceId, id, by, reason } = hold
  return (await tx.rows<{ debtorId: string }>(lift, [instanceId, id, by, reason]))[0]
}

const standing = statement(
  'legalHold.standing',
  `select h.source, (h.until_on + 1)::text as until from legal_hold h
   where h.instance_id = $1 and h.debtor_id = $2 and is_standing(h) order by h.set_at`,
)

/** The holds that keep a person today, and the first day after each. */
export function readStanding(
  db: Connection,
  instanceId: string,
  debtorId: string,
): Promise<{ readonly source: string; readonly until: string | null }[]> {
  return db.rows(standing, [instanceId, debtorId])
}

/** What is over its time of one held person. Files for the bank are many persons', and stand in the run alone. */
const OVER_OF_HELD = ALL_OVER.replaceAll('$2::uuid is null or ', '')
  .replaceAll('$2::uuid', 'h.debtor_id')
  .replaceAll('$2', 'h.debtor_id')

const nameOf = (column: string): string =>
  `coalesce((select p.name from person p where p.id::text = split_part(${column}, ':', 2)), ${column})`

const STATE = `case when h.lifted_at is not null then 'LIFTED' when is_standing(h) then 'STANDING'
     when h.until_on < current_date then 'OVER' else 'AHEAD' end`

const list = statement(
  'legalHold.list',
  `select h.id, h.debtor_id as debtor, d.name, h.from_on::text as "from", h.until_on::text as until, h.reason, h.source,
     ${instantText('h.set_at')} as "setAt", ${nameOf('h.set_by')} as "setBy", ${instantText('h.lifted_at')} as "liftedAt",
     ${nameOf('h.lifted_by')} as "liftedBy", h.lift_reason as "liftReason", ${STATE} as state, coalesce(k.keeps, '[]') as keeps
   from legal_hold h join debtor d on d.instance_id = h.instance_id and d.id = h.debtor_id
   left join lateral (
     select jsonb_agg(jsonb_build_object('kind', c.kind, 'count', c.count) order by c.kind) as keeps
     from (select o.kind, count(*)::int as count from (${OVER_OF_HELD}) o group by o.kind) c) k on is_standing(h)
   where h.instance_id = $1 order by array_position(array['STANDING', 'AHEAD', 'OVER', 'LIFTED'], ${STATE}), h.set_at desc, h.id
   limit greatest(200, (select count(*) from legal_hold s where s.instance_id = $1 and is_standing(s)))`,
)

export function readHolds(
  db: Connection,
  instanceId: string,
): Promise<AnswerOf<typeof getLegalHolds>['holds']> {
  return db.rows(list, [instanceId])
}
