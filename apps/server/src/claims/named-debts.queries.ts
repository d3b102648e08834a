/** The SQL of debts as a person names them: the one way for every command. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../platform/database/database.ts'

export type NamedDebt = {
  readonly id: string
  readonly number: string
  /** Of an invoice, the claim that it is in. */
  readonly claim_id: string | null
  readonly creditor_id: string
  readonly creditor_name: string
  readonly currency: Currency
  readonly status: string
}

const uuidOf = `case when $2 ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then $2::uuid end`

const namedInvoices = statement(
  'claims.namedInvoices',
  `select i.id, i.invoice_number as number, i.claim_id, i.creditor_id, c.name as creditor_name, i.currency, i.status
   from invoice i join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   where i.instance_id = $1 and i.type <> 'CREDIT_INVOICE' and not i.is_undone
     and (i.id = ${uuidOf} or i.invoice_number = $2 or i.payment_reference = $2 or i.original_reference = $2)
   order by i.id limit 6`,
)
const namedClaims = statement(
  'claims.namedClaims',
  `select m.id, m.claim_number as number, null::uuid as claim_id, m.creditor_id, c.name as creditor_name, m.currency,
     m.status
   from claim m join creditor c on c.instance_id = m.instance_id and c.id = m.creditor_id
   where m.instance_id = $1 and (m.id = ${uuidOf} or m.claim_number = $2 or m.payment_reference = $2)
   order by m.id limit 6`,
)

/** The debts of the instance that carry this number, reference or identifier, six at most. */
export function findNamedDebts(
  db: Connection,
  instanceId: string,
  { kind, name }: { readonly kind: 'invoice' | 'claim'; readonly name: string },
): Promise<NamedDebt[]> {
  return db.rows<NamedDebt>(kind === 'invoice' ? namedInvoices : namedClaims, [instanceId, name])
}
