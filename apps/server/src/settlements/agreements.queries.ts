/** The SQL of what the operator takes for its work for a creditor. */
import type { Agreement } from '@kvitt/domain/settlements/agreement.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type AgreementRow = Agreement & { readonly creditorId: string; readonly source: string }

const COLUMNS = `g.creditor_id as "creditorId", g.from_day::text as "from", g.invoice_commission_bp as "invoiceCommissionBp",
     g.claim_commission_bp as "claimCommissionBp", g.currency, g.payment_price_minor as "paymentPriceMinor",
     g.case_price_minor as "casePriceMinor", g.vat_bp as "vatBp", g.period, g.smallest_payout_minor as "smallestPayoutMinor",
     g.source`

const agreements = statement(
  'settlements.agreements',
  `select ${COLUMNS} from creditor_agreement g
   where g.instance_id = $1 and ($2::uuid[] is null or g.creditor_id = any($2)) order by g.creditor_id, g.from_day, g.id`,
)

/** All that was agreed with these creditors, or with all, in the order of its days: of two about one day the later word comes last. */
export function readAgreements(
  db: Connection,
  instanceId: string,
  creditorIds: readonly string[] | null,
): Promise<AgreementRow[]> {
  return db.rows<AgreementRow>(agreements, [instanceId, creditorIds])
}

const listed = statement(
  'settlements.listAgreements',
  `select c.name, c.identification_number as number, ${COLUMNS} from creditor c
   left join creditor_agreement g on g.instance_id = c.instance_id and g.creditor_id = c.id
   where c.instance_id = $1 order by c.name, c.id, g.from_day desc, g.id desc`,
)

/** `from` is null of a creditor with whom nothing has been agreed. */
export type ListedAgreement = { readonly name: string; readonly number: string | null } & (
  | AgreementRow
  | { readonly from: null }
)

/** Each creditor with what was agreed, the newest first. */
export function listAgreements(db: Connection, instanceId: string): Promise<ListedAgreement[]> {
  return db.rows<ListedAgreement>(listed, [instanceId])
}

const insertAgreement = statement(
  'settlements.insertAgreement',
  `insert into creditor_agreement (instance_id, creditor_id, from_day, invoice_commission_bp, claim_commission_bp, currency,
     payment_price_minor, case_price_minor, vat_bp, period, smallest_payout_minor, source, entered_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)

export function insertAgreementRow(
  tx: Transaction,
  { instanceId, by, ...row }: AgreementRow & { readonly instanceId: string; readonly by: string },
): void {
  tx.send(insertAgreement, [
    instanceId,
    row.creditorId,
    row.from,
    row.invoiceCommissionBp,
    row.claimCommissionBp,
    row.currency,
    row.paymentPriceMinor,
    row.casePriceMinor,
    row.vatBp,
    row.period,
    row.smallestPayoutMinor,
    row.source,
    by,
  ])
}
