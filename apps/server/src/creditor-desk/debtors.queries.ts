/**
 * The SQL of a creditor's debtors. Everything starts from OFFICE: who has an invoice of the creditor $2 at the instance $1. A
 * debtor is one row for all creditors, so that nothing is read here but what is this creditor's.
 */
import { isProtected } from '../ledger/protected-persons.queries.ts'
import { isOfNobodyResting } from '../ledger/resting-debts.queries.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { OFFICE_DEBTOR } from '../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../staff/office-list.ts'

/**
 * What a debtor is asked for on one invoice or claim of the creditor's: an invoice in a claim owes nothing itself, and for what
 * was stopped nobody asks any more.
 */
const debts = (whose: Whose): string => `select i.debtor_id, i.currency,
     case when i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') then i.balance_minor else 0 end as balance_minor,
     true as is_invoice
   from invoice i where i.instance_id = $1 and ${whose('i.creditor_id')}
   union all
   select c.debtor_id, c.currency, case when c.status in ('CLOSED', 'STOPPED') then 0 else c.balance_minor end, false
   from claim c where c.instance_id = $1 and ${whose('c.creditor_id')}`

/** A debtor `d` with what it has with the creditor: `w`. */
const office = (whose: Whose): string => `debtor d join (
     select s.debtor_id, sum(s.invoices)::int as invoices, sum(s.open)::int as open, max(s.owed_minor) as most_minor,
       string_agg(${sqlJson({
         currency: word('s.currency'),
         total: amount('s.owed_minor'),
       })}, ',' order by s.currency) filter (where s.owed_minor > 0) as balances
     from (
       select e.debtor_id, e.currency, count(*) filter (where e.is_invoice) as invoices,
         count(*) filter (where e.balance_minor > 0) as open,
         coalesce(sum(e.balance_minor) filter (where e.balance_minor > 0), 0) as owed_minor
       from (${debts(whose)}) e group by e.debtor_id, e.currency) s
     group by s.debtor_id) w on w.debtor_id = d.id
   where d.instance_id = $1 and ($2::uuid is null or true)`

const LISTED = {
  ...OFFICE_DEBTOR,
  version: asWritten('d.xmin::text'),
  invoiceCount: asWritten('w.invoices::text'),
  openCount: asWritten('w.open::text'),
  balances: asWritten(`'[' || coalesce(w.balances, '') || ']'`),
}

const SHAPE: OfficeListShape = {
  name: 'creditorDesk.debtors',
  from: office,
  json: sqlJson(LISTED),
  targets: {
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
    invoiceNumber: `coalesce((select string_agg(i.invoice_number, ' ') from invoice i
      where i.instance_id = $1 and i.creditor_id = coalesce($2, i.creditor_id) and i.debtor_id = d.id), '')`,
    paymentReference: `coalesce((select string_agg(i.payment_reference, ' ') from invoice i
      where i.instance_id = $1 and i.creditor_id = coalesce($2, i.creditor_id) and i.debtor_id = d.id), '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'd.id::text' },
    type: { kind: 'choice', values: ['PERSON', 'COMPANY'], sql: 'd.kind' },
    hasOpen: { kind: 'flag', sql: '(w.open > 0)::text' },
    'balances.total': { kind: 'amount', sql: 'w.most_minor' },
  },
  orders: { id: 'd.created_at', name: 'd.name', 'balances.total': 'w.most_minor', openCount: 'w.open' },
  tie: 'd.id',
}

export const searchDebtorRows = openOfficeList(SHAPE)

const INVOICES = `(select coalesce(string_agg(i.json, ',' order by i.created_at desc, i.id desc), '') from (
     select i.created_at, i.id, ${sqlJson({
       id: word('i.id'),
       invoiceNumber: 'i.invoice_number',
       status: word('i.status'),
       invoiceDate: word('i.issue_date'),
       expireDate: word('i.expire_date'),
       totalToPay: amount('i.total_minor'),
       balance: amount('i.balance_minor'),
       currency: word('i.currency'),
       collectionBatchId: 'i.claim_id',
     })} as json
     from invoice i where i.instance_id = $1 and i.creditor_id = coalesce($2, i.creditor_id) and i.debtor_id = d.id
     order by i.created_at desc, i.id desc limit 200) i)`

const CLAIMS = `(select coalesce(string_agg(c.json, ',' order by c.created_at desc, c.id desc), '') from (
     select c.created_at, c.id, ${sqlJson({
       id: word('c.id'),
       collectionBatchNumber: word('c.claim_number'),
       status: word('c.status'),
       expireDate: word('c.expire_date'),
       balance: amount('c.balance_minor'),
       currency: word('c.currency'),
     })} as json
     from claim c where c.instance_id = $1 and c.creditor_id = coalesce($2, c.creditor_id) and c.debtor_id = d.id
     order by c.created_at desc, c.id desc limit 200) c)`

/** Null to a creditor. */
const ofOperator = (column: string): string => `case when $2::uuid is null then ${column} end`

/** To a creditor what its own people have reported, and of nothing else that it is there. */
const FLAGS = `(select coalesce(string_agg(f.json, ',' order by f.set_on desc, f.id desc), '') from (
     select g.set_on, g.id, ${sqlJson({
       id: word('g.id'),
       kind: word('g.kind'),
       from: word('g.from_day'),
       setOn: word('g.set_on'),
       source: 'g.source',
       reportedBy: '(select k.name from creditor k where k.instance_id = $1 and k.id = g.reported_by)',
       answer: 'g.answer',
       filedWith: ofOperator('g.filed_with'),
       filedOn: ofOperator('g.filed_on'),
       endedOn: 'g.ended_on',
     })} as json
     from debtor_flag g where g.instance_id = $1 and g.debtor_id = d.id and ($2::uuid is null or g.reported_by = $2)) f)`

/** What of one who acts for the debtor is told to the operator alone, and of a protected person to nobody here. */
const ofActing = (column: string): string =>
  `case when $2::uuid is null and not ${isProtected('d')} then ${column} end`

const REPRESENTATIVES = `(select coalesce(string_agg(r.json, ',' order by r.entered_on desc, r.id desc), '') from (
     select a.entered_on, a.id, ${sqlJson({
       id: word('a.id'),
       kind: word('a.kind'),
       name: 'a.name',
       until: 'a.until_day',
       enteredOn: word('a.entered_on'),
       endedOn: 'a.ended_on',
       source: ofOperator('a.source'),
       email: ofActing('a.email'),
       phone: ofActing('a.phone'),
       address: ofActing(`concat_ws(', ', a.address, a.address2, concat_ws(' ', a.zip, a.city), a.country)`),
     })} as json
     from representative a where a.instance_id = $1 and a.debtor_id = d.id and ($2::uuid is null or a.ended_on is null)) r)`

/** One of the creditor's debtors as the wire has it; undefined for whoever has nothing of this creditor. */
export const readOfficeDebtor = openOfficeRow({
  ...SHAPE,
  name: 'creditorDesk.debtor',
  json: sqlJson({
    ...LISTED,
    isResting: asWritten(`case when ${isOfNobodyResting('d.id')} then 'false' else 'true' end`),
    flags: asWritten(`'[' || ${FLAGS} || ']'`),
    representatives: asWritten(`'[' || ${REPRESENTATIVES} || ']'`),
    invoices: asWritten(`'[' || ${INVOICES} || ']'`),
    claims: asWritten(`'[' || ${CLAIMS} || ']'`),
  }),
})
