/** The SQL that opens claims, set-based: a daily run opens them by the hundred. */
import { statement, type Database, type Transaction } from '../platform/database/database.ts'

const takeNumbers = statement(
  'claims.takeNumbers',
  `insert into claim_counter (instance_id, last_number) values ($1, $3::bigint + $2)
   on conflict (instance_id) do update set last_number = claim_counter.last_number + $2
   returning last_number`,
)

/** Takes `count` claim numbers and answers the last of them; an instance's first is `start` + 1. */
export async function takeClaimNumbers(
  db: Database,
  instanceId: string,
  { count, start }: { count: number; start: number },
): Promise<number> {
  const row = (await db.rows<{ last_number: number }>(takeNumbers, [instanceId, count, start]))[0]
  if (!row) throw new Error('no claim number was given')
  return row.last_number
}

export type NewClaimRow = {
  id: string
  creditor_id: string
  debtor_id: string
  claim_number: string
  payment_reference: string
  zip: string
  currency: string
  expire_date: string
  total_minor: number
  interest_rest: number
  interest_free_minor: number
}

const insertClaims = statement(
  'claims.insert',
  `insert into claim (instance_id, id, creditor_id, debtor_id, status, claim_number, payment_reference, zip, currency,
     opened_on, expire_date, total_minor, interest_posted_to, interest_rest, interest_free_minor)
   select $1, n.id, n.creditor_id, n.debtor_id, 'OPEN', n.claim_number, n.payment_reference, n.zip, n.currency,
     $2::date, n.expire_date, n.total_minor, $2::date, n.interest_rest, n.interest_free_minor
   from json_to_recordset($3) as n (id uuid, creditor_id uuid, debtor_id uuid, claim_number text,
     payment_reference text, zip text, currency text, expire_date date, total_minor bigint, interest_rest bigint,
     interest_free_minor bigint)`,
)

const learnSizes = statement('claims.learnSizes', 'select learn_claim_sizes()')

/** New claims, opened on `day`: interest of their invoices is in the books up to it. */
export async function insertClaimRows(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  claims: readonly NewClaimRow[],
): Promise<void> {
  await tx.rows(insertClaims, [instanceId, day, JSON.stringify(claims)])
  await tx.rows(learnSizes)
}

const joinClaims = statement(
  'claims.join',
  `update invoice i set claim_id = n.claim_id, interest_posted_to = greatest(i.interest_posted_to, $4::date)
   from unnest($2::uuid[], $3::uuid[]) as n (id, claim_id)
   where i.instance_id = $1 and i.id = n.id and i.claim_id is null returning i.id`,
)

/** Waived before a run of an earlier day was caught up with: the claim bears none on them for the days up to then. */
const waivedDays = statement(
  'claims.waivedDays',
  `insert into late_days (instance_id, payment_id, is_back, claim_id, principal_minor, from_day, to_day)
   select i.instance_id, gen_random_uuid(), true, i.claim_id, -i.principal_minor, $3::date + 1, i.interest_waived_to
   from invoice i where i.instance_id = $1 and i.id = any($2) and i.interest_waived_to > $3::date and i.principal_minor > 0
     and i.type <> 'INTEREST_INVOICE'`,
)

/** Puts invoices, with interest up to `day`, into their claims. Answers how many were in none before. */
export async function joinClaimRows(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  joined: readonly { invoiceId: string; claimId: string }[],
): Promise<number> {
  const ids = joined.map((j) => j.invoiceId)
  const rows = await tx.rows(joinClaims, [instanceId, ids, joined.map((j) => j.claimId), day])
  await tx.rows(waivedDays, [instanceId, ids, day])
  return rows.length
}
