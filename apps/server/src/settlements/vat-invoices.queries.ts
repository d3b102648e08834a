/** The SQL of the operator's VAT invoices. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { VatParty } from '@kvitt/domain/settlements/vat-invoice.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { ClientPrincipal } from '../staff/staff.ts'
import { ORIGINAL } from './counting.queries.ts'

const issue = statement(
  'settlements.issueVatInvoice',
  `with next as (
     insert into vat_invoice_series as v (instance_id, last) values ($1, 1)
     on conflict (instance_id) do update set last = v.last + 1 returning last)
   insert into vat_invoice (instance_id, settlement_id, number, issued_on, seller, buyer)
   select s.instance_id, s.id, next.last, $3,
     jsonb_build_object('name', n.name, 'number', n.identification_number, 'country', n.country,
       'address', jsonb_build_array(n.postal_address)),
     jsonb_build_object('name', c.name, 'number', c.identification_number, 'country', c.country,
       'address', jsonb_build_array(c.address, c.address2, concat_ws(' ', c.zip, c.city)))
   from next cross join settlement s
   join instance n on n.id = s.instance_id
   join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
   where s.instance_id = $1 and s.id = $2`,
)

/** Gives a settlement with fees its invoice, with the next number. Whoever issues another waits for the end of this transaction. */
export function issueVatInvoiceRow(
  tx: Transaction,
  { instanceId, settlementId, on }: { instanceId: string; settlementId: string; on: CalendarDate },
): void {
  tx.send(issue, [instanceId, settlementId, on])
}

const one = statement(
  'settlements.vatInvoice',
  `select v.number, v.issued_on as "issuedOn", v.seller, v.buyer
   from vat_invoice v join settlement s on s.instance_id = v.instance_id and s.id = v.settlement_id
   where v.instance_id = $1 and s.creditor_id = $2 and v.settlement_id = $3`,
)

type KeptParty = Omit<VatParty, 'address'> & { readonly address: readonly (string | null)[] }
export type VatInvoiceRow = {
  readonly number: number
  readonly issuedOn: CalendarDate
  readonly seller: KeptParty
  readonly buyer: KeptParty
}

/** Undefined for what is another's, and for a settlement without fees. */
export async function readVatInvoice(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  settlementId: string,
): Promise<VatInvoiceRow | undefined> {
  return (await db.rows<VatInvoiceRow>(one, [instance.id, creditorId, settlementId]))[0]
}

/** By the debt of a fee that goes back, and by the entry that an entry takes back: its commission goes with it. */
const before = statement(
  'settlements.vatInvoicesBefore',
  `with s as (select * from settlement where instance_id = $1 and id = $2),
   taken as (
     select l.settlement_id as id from s
     join settlement_line back on back.instance_id = s.instance_id and back.settlement_id = s.id and back.kind = 'DEBTOR_FEE'
       and back.amount_minor < 0
     join settlement_line l on l.instance_id = s.instance_id and l.kind = 'DEBTOR_FEE' and l.amount_minor > 0
       and (l.claim_id = back.claim_id or l.invoice_id = back.invoice_id)
     union
     select b.settlement_id from settlement_entry e
     join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     ${ORIGINAL}
     join settlement_entry b on b.instance_id = o.instance_id and b.transaction_id = o.id
     where e.instance_id = $1 and e.settlement_id = $2)
   select v.number from s
   join settlement earlier on earlier.instance_id = s.instance_id and earlier.id in (select id from taken)
     and earlier.creditor_id = s.creditor_id and earlier.currency = s.currency and earlier.number < s.number
   join vat_invoice v on v.instance_id = s.instance_id and v.settlement_id = earlier.id
   order by v.number`,
)

/** The invoices that took what goes back in this settlement. */
export async function readInvoicesBefore(
  db: Connection,
  instanceId: string,
  settlementId: string,
): Promise<number[]> {
  return (await db.rows<{ number: number }>(before, [instanceId, settlementId])).map((row) => row.number)
}
