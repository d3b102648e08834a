/** The SQL of a creditor's settlements for its staff. Everything starts from what is the creditor's $2 at the instance $1. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Bucket } from '@kvitt/domain/ledger/booking.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import {
  SETTLEMENT_STATUSES,
  type SettlementLineKind,
  type SettlementStatus,
} from '@kvitt/domain/settlements/settlement.ts'
import type { VatInvoice } from '@kvitt/domain/settlements/vat-invoice.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { creditorJson } from '../staff/office-debtor.queries.ts'
import { openOfficeList } from '../staff/office-list.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

export const searchSettlementRows = openOfficeList({
  name: 'settlements.office',
  from: (whose) => `settlement s where s.instance_id = $1 and ${whose('s.creditor_id')}`,
  json: sqlJson({
    id: word('s.id'),
    version: asWritten('s.xmin::text'),
    number: asWritten('s.number::text'),
    period: { from: word('s.period_from'), to: word('s.period_to') },
    currency: word('s.currency'),
    collected: amount('s.collected_minor'),
    fees: amount('s.fees_minor'),
    vat: amount('s.vat_minor'),
    corrections: amount('s.corrections_minor'),
    paidOut: amount('s.paid_out_minor'),
    status: word('s.status'),
    countedAt: instantText('s.counted_at'),
    creditor: creditorJson('s.instance_id', 's.creditor_id'),
  }),
  targets: { number: 's.number::text' },
  filters: {
    id: { kind: 'id', sql: 's.id::text' },
    'creditor.id': { kind: 'id', sql: 's.creditor_id::text' },
    status: { kind: 'choice', values: SETTLEMENT_STATUSES, sql: 's.status' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 's.currency' },
    'period.from': { kind: 'day', sql: 's.period_from' },
    'period.to': { kind: 'day', sql: 's.period_to' },
    paidOut: { kind: 'amount', sql: 's.paid_out_minor' },
  },
  orders: { id: 's.period_to', 'period.to': 's.period_to', paidOut: 's.paid_out_minor' },
  tie: 's.id',
})

export type SettlementRow = {
  readonly id: string
  readonly version: number
  readonly number: number
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly currency: string
  readonly collectedMinor: number
  readonly feesMinor: number
  readonly vatMinor: number
  readonly correctionsMinor: number
  readonly paidOutMinor: number
  readonly status: SettlementStatus
  readonly countedAt: string | null
  readonly creditor: { readonly id: string; readonly name: string }
  readonly vatInvoice: {
    readonly number: number
    readonly issuedOn: CalendarDate
    readonly kind: VatInvoice['kind']
  } | null
}

const one = statement(
  'settlements.office.one',
  `select s.id, s.xmin::text::bigint as version, s.number, s.period_from as "from", s.period_to as "to", s.currency,
     s.collected_minor as "collectedMinor", s.fees_minor as "feesMinor", s.vat_minor as "vatMinor",
     s.corrections_minor as "correctionsMinor", s.paid_out_minor as "paidOutMinor", s.status, s.counted_at as "countedAt",
     (select jsonb_build_object('id', r.id, 'name', r.name) from creditor r where r.instance_id = s.instance_id and r.id = s.creditor_id) as creditor,
     (select jsonb_build_object('number', v.number, 'issuedOn', v.issued_on,
        'kind', case when s.fees_minor + s.vat_minor < 0 then 'CREDIT_NOTE' else 'INVOICE' end) from vat_invoice v
      where v.instance_id = s.instance_id and v.settlement_id = s.id) as "vatInvoice"
   from settlement s where s.instance_id = $1 and s.creditor_id = $2 and s.id = $3`,
)

/** Undefined for what is another's, or not there. */
export async function readSettlement(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<SettlementRow | undefined> {
  return (await db.rows<SettlementRow>(one, [instance.id, creditorId, id]))[0]
}

/** What an entry took off the accounts of a kind: more money held is below zero in the books, and so is a smaller debt. */
function movedOn(kind: 'held_for_creditor' | Bucket): string {
  return `coalesce(-sum(p.amount_minor) filter (where a.kind = '${kind}'), 0)::bigint`
}

/** Of an entry of the books, which has a cause, or of what was counted beside them. */
const lines = statement(
  'settlements.office.lines',
  `select l.kind, l.cause, l.day as "date", l.is_late as "isLate", l.minor, l.base_minor as "baseMinor", l.rate_bp as "rateBp",
     coalesce(l.claim_id, l.invoice_id) as "subjectId", l.claim_id is not null as "isClaim",
     coalesce(c.claim_number, i.invoice_number) as "subjectNumber",
     l.principal_minor as "principalMinor", l.costs_minor as "costsMinor", l.interest_minor as "interestMinor"
   from settlement s cross join lateral (
     select t.kind, t.cause, t.booked_on as day, coalesce(t.value_on, t.booked_on) < s.period_from as is_late,
       ${movedOn('held_for_creditor')} as minor, null::bigint as base_minor, null::int as rate_bp, t.invoice_id, t.claim_id, t.id::text as at,
       ${movedOn('principal')} as principal_minor, ${movedOn('costs')} as costs_minor, ${movedOn('interest')} as interest_minor
     from settlement_entry e
     join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
       and a.kind in ('held_for_creditor', 'principal', 'costs', 'interest')
     where e.instance_id = s.instance_id and e.settlement_id = s.id
     group by t.instance_id, t.id having ${movedOn('held_for_creditor')} <> 0
     union all
     select x.kind, null, x.day, false, x.amount_minor, x.base_minor, x.rate_bp, x.invoice_id, x.claim_id, 'z' || lpad(x.line::text, 9, '0'), 0, 0, 0
     from settlement_line x where x.instance_id = s.instance_id and x.settlement_id = s.id) l
   left join claim c on c.instance_id = s.instance_id and c.id = l.claim_id
   left join invoice i on i.instance_id = s.instance_id and i.id = l.invoice_id
   where s.instance_id = $1 and s.id = $2 and s.counted_at is not null order by (l.cause is null), l.day, l.at`,
)

export type SettlementLineRow = {
  readonly date: CalendarDate
  readonly isLate: boolean
  readonly minor: number
  readonly baseMinor: number | null
  readonly rateBp: number | null
  readonly subjectId: string | null
  readonly subjectNumber: string | null
  readonly isClaim: boolean
  /** Of what an entry moved, what paid each part of the debt; zero of what is no entry. */
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
} & (
  | { readonly cause: string; readonly kind: string }
  | { readonly cause: null; readonly kind: SettlementLineKind }
)

/** What a settlement is made of; nothing while it is counted. */
export function readLines(db: Connection, instanceId: string, id: string): Promise<SettlementLineRow[]> {
  return db.rows<SettlementLineRow>(lines, [instanceId, id])
}
