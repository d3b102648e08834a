/** The SQL of what books come to: of the creditor $2 at the instance $1, on the day $3. */
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { ofCreditor, type Whose } from '../staff/office-list.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

const list = (rows: string): ReturnType<typeof asWritten> =>
  asWritten(`'[' || coalesce((${rows}), '') || ']'`)

const own = (whose: Whose): string => `x.instance_id = $1 and ${whose('x.creditor_id')}`

/** A credit invoice is owed by nobody (D-32), and what a plan bills is a part of what its invoice was over (D-29). */
const TOTAL = {
  invoice: `sum(x.total_minor) filter (where x.type not in ('PART_INVOICE', 'ONGOING_INVOICE', 'ACCOUNT_INVOICE'))`,
  claim: 'sum(x.total_minor)',
}
const COUNTED = { invoice: `and x.type <> 'CREDIT_INVOICE'`, claim: '' }

const byStatus = (whose: Whose, table: 'invoice' | 'claim'): string => `select string_agg(${sqlJson({
  status: word('s.status'),
  currency: word('s.currency'),
  count: asWritten('s.count::text'),
  total: amount('s.total'),
  balance: amount('s.balance'),
})}, ',' order by s.status, s.currency)
  from (select x.status, x.currency, count(*) as count, coalesce(${TOTAL[table]}, 0) as total, sum(x.balance_minor) as balance
    from ${table} x where ${own(whose)} ${COUNTED[table]} group by x.status, x.currency) s`

const overdueOf = (whose: Whose): string => `select string_agg(${sqlJson({
  currency: word('s.currency'),
  count: asWritten('s.count::text'),
  balance: amount('s.balance'),
})}, ',' order by s.currency)
  from (select x.currency, count(*) as count, sum(x.balance_minor) as balance from invoice x
    where ${own(whose)} and x.expire_date < $3::date and not (${IN_PLAN}) and x.balance_minor > 0 and x.claim_id is null
      and x.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') group by x.currency) s`

const disputesOf = (
  whose: Whose,
): string => `select string_agg(${sqlJson({ status: word('s.status'), count: asWritten('s.count::text') })}, ',' order by s.status)
  from (select case when d.status = 'UPHELD' and d.decided_by is null and x.status = 'STOPPED' then 'STOPPED' else d.status end
      as status, count(*) as count
    from dispute d join (select instance_id, id, creditor_id, status from invoice union all
      select instance_id, id, creditor_id, status from claim) x on x.instance_id = d.instance_id and x.id = d.debt_id
    where ${own(whose)} group by 1) s`

/** Money that lies in suspense, or has come from a gateway, is no debt's: it counts where it is booked on one. */
const OF_A_DEBT = 'coalesce(c.creditor_id, i.creditor_id) is not null'

/** What a plan has not billed yet is not late, whatever day stands on the invoice: what it bills has days of its own. */
const IN_PLAN = `x.is_part_payment and x.type = 'INVOICE'`

/** Postings on what a creditor's debtors owe, where money came or was taken back. */
const receivedOf = (whose: Whose): string => `select string_agg(${sqlJson({
  month: word('s.month'),
  currency: word('s.currency'),
  amount: amount('s.minor'),
})}, ',' order by s.month, s.currency)
  from (select to_char(t.booked_on, 'YYYY-MM') as month, g.currency, sum(g.amount_minor) as minor
    from ledger_transaction t
    join posting g on g.instance_id = t.instance_id and g.transaction_id = t.id
    join ledger_account a on a.instance_id = g.instance_id and a.id = g.account_id and a.kind = 'clearing'
    left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
    left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
    where t.instance_id = $1 and ${OF_A_DEBT} and ${whose('coalesce(c.creditor_id, i.creditor_id)')}
      and (t.kind = 'PAYMENT' or t.kind = 'REVERSAL' and t.cause like 'reversal:payment:%')
      and t.booked_on >= (date_trunc('month', $3::date) - interval '11 months')::date
    group by 1, 2) s`

/** What was paid in full in the last year: from sending to the last money. */
const paidOf = (
  whose: Whose,
): string => `select e.paid_on - coalesce(x.sent_date, x.issue_date) as days, e.paid_on <= x.expire_date as is_before
  from invoice x left join claim c on c.instance_id = x.instance_id and c.id = x.claim_id
  cross join lateral (select max(coalesce(t.value_on, t.booked_on)) as paid_on from ledger_transaction t
    where t.instance_id = x.instance_id and t.kind = 'PAYMENT' and (t.invoice_id = x.id or t.claim_id = x.claim_id)
      and not exists (select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)) e
  where ${own(whose)} and (x.status = 'CLOSED' and x.claim_id is null or c.status = 'CLOSED')
    and e.paid_on > $3::date - 365`

const figuresOf = (whose: Whose) => ({
  today: word('$3::date'),
  invoices: list(byStatus(whose, 'invoice')),
  claims: list(byStatus(whose, 'claim')),
  overdue: list(overdueOf(whose)),
  disputes: list(disputesOf(whose)),
  received: list(receivedOf(whose)),
  paid: {
    count: asWritten('(select count(*) from paid)::text'),
    beforeDue: asWritten('(select count(*) from paid where is_before)::text'),
    averageDays: '(select round(avg(days), 1) from paid)',
    medianDays: '(select percentile_cont(0.5) within group (order by days) from paid)',
  },
})

const figures = statement(
  'creditorDesk.figures',
  `with paid as (${paidOf(ofCreditor)}) select ${sqlJson(figuresOf(ofCreditor))} as json`,
)

/** As the wire has it. */
export async function readFigures(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  today: string,
): Promise<string> {
  return (await db.rows<{ json: string }>(figures, [instance.id, creditorId, today]))[0]?.json ?? ''
}
