/** The SQL of a creditor's disputes. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import { OFFICE_DISPUTE_STATUSES } from '@kvitt/domain/disputes/office-dispute.ts'
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { isProtected } from '../../ledger/protected-persons.queries.ts'
import { creditorJson, OFFICE_DEBTOR } from '../../staff/office-debtor.queries.ts'
import { ofCreditor, openOfficeList, type Whose } from '../../staff/office-list.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { tasksOf } from '../../tasks/tasks.ts'

/** A dispute `x` of the invoice `i` or the claim `c`, as `o`; its debtor `d`; the task `t` that asks for an answer. */
const office = (whose: Whose): string => `dispute x
   join instance n on n.id = x.instance_id
   left join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
   left join claim c on c.instance_id = x.instance_id and c.id = x.claim_id
   cross join lateral (select coalesce(i.debtor_id, c.debtor_id) as debtor_id, coalesce(i.status, c.status) as status,
     coalesce(i.creditor_id, c.creditor_id) as creditor_id, coalesce(i.invoice_number, c.claim_number) as number,
     coalesce(i.balance_minor, c.balance_minor) as balance, coalesce(i.principal_minor, c.principal_minor) as principal,
     coalesce(i.costs_minor, c.costs_minor) as costs, coalesce(i.interest_minor, c.interest_minor) as interest,
     coalesce(i.currency, c.currency) as currency, coalesce(i.total_minor, c.total_minor) as total,
     coalesce(i.payment_reference, c.payment_reference) as reference, coalesce(i.expire_date, c.expire_date) as expire_date) o
   join debtor d on d.instance_id = x.instance_id and d.id = o.debtor_id
   where x.instance_id = $1 and ${whose('o.creditor_id')}`

/** What ended without payment, and nobody had answered. */
const STATUS = `case when x.status = 'UPHELD' and x.decided_by is null and o.status = 'STOPPED' then 'STOPPED' else x.status end`

/** Amounts in minor units. `country` is for the last day, which only the calendar of banks knows. */
const LISTED = {
  id: word('x.id'),
  version: asWritten('x.xmin::text'),
  status: word(STATUS),
  reason: 'x.reason',
  openedOn: word('x.opened_on'),
  decidedOn: 'x.decided_on',
  subject: {
    type: word(`case when i.id is null then 'collection-batches' else 'invoices' end`),
    id: word('x.debt_id'),
    number: 'o.number',
  },
  balances: {
    total: asWritten('o.balance'),
    principal: asWritten('o.principal'),
    costs: asWritten('o.costs'),
    interest: asWritten('o.interest'),
  },
  currency: word('o.currency'),
  country: word('n.country'),
  debtor: OFFICE_DEBTOR,
  creditor: creditorJson('x.instance_id', 'o.creditor_id'),
}

/** A dispute as the database writes it, its amounts in minor units. */
export type OfficeDisputeRow = {
  readonly id: string
  readonly version: number
  readonly status: (typeof OFFICE_DISPUTE_STATUSES)[number]
  readonly reason: string
  readonly openedOn: string
  readonly decidedOn: string | null
  readonly subject: {
    readonly type: 'invoices' | 'collection-batches'
    readonly id: string
    readonly number: string
  }
  readonly balances: {
    readonly total: number
    readonly principal: number
    readonly costs: number
    readonly interest: number
  }
  readonly currency: Currency
  readonly country: string
  readonly creditor: { readonly id: string; readonly name: string }
  readonly debtor: {
    readonly id: string
    readonly type: 'PERSON' | 'COMPANY'
    readonly name: string
    readonly identificationNumber: string | null
    readonly isProtected: boolean
    readonly email: string | null
    readonly phone: string | null
    readonly invoiceAddress: {
      readonly address: string | null
      readonly address2: string | null
      readonly zip: string
      readonly city: string | null
      readonly countryCode: string
    }
  }
}

export const searchDisputeRows = openOfficeList({
  name: 'disputes.office',
  from: office,
  json: sqlJson(LISTED),
  targets: {
    invoiceNumber: 'o.number',
    paymentReference: 'o.reference',
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'x.id::text' },
    status: { kind: 'choice', values: OFFICE_DISPUTE_STATUSES, sql: STATUS },
    'subject.id': { kind: 'id', sql: 'x.debt_id::text' },
    'creditor.id': { kind: 'id', sql: 'o.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'd.id::text' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'o.currency' },
    openedOn: { kind: 'day', sql: 'x.opened_on' },
    decidedOn: { kind: 'day', sql: 'x.decided_on' },
    'balances.total': { kind: 'amount', sql: 'o.balance' },
  },
  orders: {
    id: 'x.created_at',
    openedOn: 'x.opened_on',
    'balances.total': 'o.balance',
    'debtor.name': 'd.name',
  },
  tie: 'x.id',
})

/** Where a protected person wants to be answered is where they can be found (M-36): it is written to, and not shown. */
const REPLY_TO = `case when ${isProtected('d')} then '' else x.email end`

const one = statement(
  'disputes.officeOne',
  `select ${sqlJson(LISTED)} as json, ${REPLY_TO} as email, o.total as total_minor, o.principal as principal_minor, o.reference,
     o.expire_date, x.created_at, x.decision, x.decided_by,
     (select p.name from person p where p.id = (select r[1]::uuid from regexp_match(x.decided_by, '^person:([0-9a-f-]{36}):') r))
       as decider,
     t.id as task_id
   from ${office(ofCreditor).replace(
     'where x.instance_id',
     `left join ${tasksOf(['dispute_to_answer'], 'all')} t on t.instance_id = x.instance_id and t.about = 'dispute:' || x.id
   where x.instance_id`,
   )} and x.id = $3`,
)

export type OfficeDisputeDetailRow = {
  readonly json: string
  readonly email: string
  readonly total_minor: number
  readonly principal_minor: number
  readonly reference: string
  readonly expire_date: string
  readonly created_at: string
  readonly decision: string | null
  readonly decided_by: string | null
  /** The name of the person who decided, where a person of the staff did. */
  readonly decider: string | null
  readonly task_id: string | null
}

/** One of the creditor's disputes; undefined when it is not the creditor's or not there. */
export async function readOfficeDispute(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<OfficeDisputeDetailRow | undefined> {
  return (await db.rows<OfficeDisputeDetailRow>(one, [instance.id, creditorId, id]))[0]
}
