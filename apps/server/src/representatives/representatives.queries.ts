/** The SQL of who acts for a debtor (M-37). */
import type { FlagKind } from '@kvitt/domain/people/debtor-flag.ts'
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
  `select from acting_guardian where instance_id = $1 and debtor_id = $2 and (until_day is null or until_day >= $3::date) limit 1`,
)

/** Whether a guardian acts for a debtor on the day `on`. Ask under the lock of the debtor's flags, under which one is ended. */
export async function hasGuardian(
  tx: Transaction,
  { instanceId, debtorId }: OfDebtor,
  on: string,
): Promise<boolean> {
  return (await tx.rows(acting, [instanceId, debtorId, on])).length > 0
}

const unneeded = statement(
  'representatives.unneeded',
  `select r.id from representative r where r.instance_id = $1 and r.debtor_id = $2 and r.ended_on is null
     and not exists (select from debtor_flag f where f.instance_id = $1 and f.debtor_id = $2 and f.ended_on is null
       and f.kind = any ($3::text[]))`,
)

/** Who acts for a debtor of whom nothing known asks for it any more. */
export async function readUnneeded(
  tx: Transaction,
  { instanceId, debtorId }: OfDebtor,
  kinds: readonly FlagKind[],
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(unneeded, [instanceId, debtorId, kinds])
  return rows.map(({ id }) => id)
}

const erased = statement(
  'representatives.erased',
  `select from debtor where instance_id = $1 and id = $2 and identity = 'erased ' || id`,
)

/** Whether a debtor's data are gone. */
export async function isErased(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<boolean> {
  return (await tx.rows(erased, [instanceId, debtorId])).length > 0
}

const over = statement(
  'representatives.over',
  `select id, debtor_id as "debtorId" from representative
   where instance_id = $1 and ended_on is null and until_day < $2::date
     and ($3::uuid is null or id > $3::uuid) order by id limit $4`,
)

/** Whose last day is before `on`, a page of them. */
export function readOverRows(
  db: Connection,
  instanceId: string,
  { on, after, limit }: { readonly on: string; readonly after: string | null; readonly limit: number },
): Promise<{ readonly id: string; readonly debtorId: string }[]> {
  return db.rows<{ id: string; debtorId: string }>(over, [instanceId, on, after, limit])
}
