/** The SQL of who acts for a debtor (M-37). */
import type { RepresentativeKind } from '@kvitt/domain/people/representative.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

type OfDebtor = { readonly instanceId: string; readonly debtorId: string }
type Key = { readonly instanceId: string; readonly id: string }

const insert = statement(
  'representatives.insert',
  `insert into representative (instance_id, id, debtor_id, kind, name, email, phone, address, address2, zip, city, country, source,
     until_day, entered_by, entered_on)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict do nothing returning id`,
)

export type NewRepresentative = OfDebtor & {
  readonly id: string
  readonly kind: RepresentativeKind
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly address: string
  readonly address2: string | null
  readonly zip: string
  readonly city: string
  readonly country: string
  /** The proof, in words. */
  readonly source: string
  readonly until: string | null
  readonly by: string
  readonly on: string
}

/** Answers false where somebody acts for the debtor already. */
export async function insertRepresentativeRow(tx: Transaction, one: NewRepresentative): Promise<boolean> {
  const { instanceId, id, debtorId, kind, name, email, phone, address, address2, zip, city } = one
  const values = [instanceId, id, debtorId, kind, name, email, phone, address, address2, zip, city]
  return (await tx.rows(insert, [...values, one.country, one.source, one.until, one.by, one.on])).length > 0
}

const find = statement(
  'representatives.find',
  'select debtor_id from representative where instance_id = $1 and id = $2',
)

/** For whom they act, or did; undefined where the provider has none such. */
export async function findRepresentativeRow(
  db: Connection,
  { instanceId, id }: Key,
): Promise<string | undefined> {
  return (await db.rows<{ debtor_id: string }>(find, [instanceId, id]))[0]?.debtor_id
}

const end = statement(
  'representatives.end',
  `update representative set ended_on = $3::date, ended_by = $4, end_reason = $5
   where instance_id = $1 and id = $2 and ended_on is null returning id`,
)

/** Answers false when it was over before. */
export async function endRepresentativeRow(
  tx: Transaction,
  { instanceId, id }: Key,
  { on, by, reason }: { readonly on: string; readonly by: string; readonly reason: string | null },
): Promise<boolean> {
  return (await tx.rows(end, [instanceId, id, on, by, reason])).length > 0
}

const acting = statement(
  'representatives.acting',
  'select from acting_guardian where instance_id = $1 and debtor_id = $2 limit 1',
)

/** Whether a guardian acts for a debtor. Ask under the lock of the debtor's flags, under which one is ended. */
export async function hasGuardian(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<boolean> {
  return (await tx.rows(acting, [instanceId, debtorId])).length > 0
}

const over = statement(
  'representatives.over',
  `select id, debtor_id as "debtorId" from representative
   where instance_id = $1 and ended_on is null and until_day < $2::date order by id limit 200`,
)

/** Whose last day has been. */
export function readOverRows(
  db: Connection,
  instanceId: string,
  today: string,
): Promise<{ readonly id: string; readonly debtorId: string }[]> {
  return db.rows<{ id: string; debtorId: string }>(over, [instanceId, today])
}
