/** The SQL of what the interest on a debt was posted with. */
import { statement, type Connection } from '../platform/database.ts'
import type { LateDays } from './late-days.queries.ts'

export type InterestTerms = {
  /** Of the invoice or claim. */
  id: string
  country: string
  kind: 'PERSON' | 'COMPANY'
  /** The last day without interest. */
  free_to: string
  /** Of the principal, what bears none. */
  free_minor: number
}

const ofInvoices = statement(
  'ledger.interestTermsOfInvoices',
  `select i.id, c.country, d.kind, i.expire_date as free_to, 0::bigint as free_minor
   from invoice i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where i.instance_id = $1 and i.id = any($2::uuid[])`,
)
const ofClaim = statement(
  'ledger.interestTermsOfClaim',
  `select k.id, c.country, d.kind, k.opened_on as free_to, k.interest_free_minor as free_minor
   from claim k
   join creditor c on c.instance_id = k.instance_id and c.id = k.creditor_id
   join debtor d on d.instance_id = k.instance_id and d.id = k.debtor_id
   where k.instance_id = $1 and k.id = $2`,
)

export function readInvoiceTerms(
  db: Connection,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<InterestTerms[]> {
  return db.rows<InterestTerms>(ofInvoices, [instanceId, invoiceIds])
}

export function readClaimTerms(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<InterestTerms[]> {
  return db.rows<InterestTerms>(ofClaim, [instanceId, claimId])
}

const billed = statement(
  'ledger.billedDays',
  `select principal_minor as "principalMinor", from_day as "from", to_day as "to" from late_days
   where instance_id = $1 and bill_id = $2`,
)

/** What an invoice of interest bills. */
export function readBilledDays(db: Connection, instanceId: string, invoiceId: string): Promise<LateDays[]> {
  return db.rows<LateDays>(billed, [instanceId, invoiceId])
}
