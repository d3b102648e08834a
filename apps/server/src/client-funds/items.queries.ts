/** The SQL of what a term of the proof is made of: at the instance $1, in the currency $2, at the end of the day $3. The largest first. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { MOST_ITEMS, type ItemKind } from '@kvitt/domain/client-funds/proof-item.ts'
import type { ProofTerm } from '@kvitt/domain/client-funds/proof.ts'
import { BANK_FEES, BANK_INTEREST } from '@kvitt/domain/ledger/own-money.ts'
import { OPERATOR_FEES } from '@kvitt/domain/ledger/payout.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'

export type ItemRow = {
  readonly kind: ItemKind
  readonly id: string | null
  readonly name: string | null
  readonly day: CalendarDate | null
  readonly enteredOn: CalendarDate | null
  readonly minor: number
}

const COLUMNS = `kind, id, name, day, null::date as "enteredOn", minor`

const largest = (name: string, rows: string): Statement =>
  statement(
    `clientFunds.items.${name}`,
    `select ${COLUMNS} from (${rows}) x where minor <> 0 order by abs(minor) desc, day, id limit ${MOST_ITEMS}`,
  )

/** Banks have three days at most; what is older and has not come is late, and a task. */
const LOOKED_BACK_DAYS = 15

const ON_ITS_WAY = `m.ordered_on <= $3::date and (m.left_on is null or m.left_on > $3::date)
   and (m.returned_on is null or m.returned_on > $3::date)
   and not exists (select from ledger_transaction t where t.instance_id = m.instance_id
     and t.cause in ('bank-line:' || m.line_id, 'explained:bank-line:' || m.line_id) and t.booked_on <= $3::date)`

/** The day on which the line that is a payment's money, alone or in a sum, was entered. */
const ARRIVED = (line: string) =>
  `exists (select from ${line} l where l.instance_id = p.instance_id and l.payment_id = p.id and exists (
     select from ledger_transaction a where a.instance_id = l.instance_id and a.booked_on <= $3::date
       and a.cause in ('bank-line:' || l.line, 'payment:' || l.line)))`

const PAYMENTS = `select 'payment' as kind, p.id::text as id, p.gateway as name, t.booked_on as day, p.amount_minor as minor
   from ledger_transaction t join payment p on p.instance_id = t.instance_id and p.id = t.payment_id
   where t.instance_id = $1 and t.kind = 'PAYMENT' and t.booked_on between $3::date - ${LOOKED_BACK_DAYS} and $3::date
     and t.cause = 'payment:' || p.id and p.currency = $2 and (p.reversed_on is null or p.reversed_on > $3::date)
     and not ${ARRIVED('(select instance_id, payment_id, id as line from bank_line)')}
     and not ${ARRIVED('(select instance_id, payment_id, line_id as line from bank_line_share)')}`

const HELD = `select 'creditor' as kind, d.creditor_id::text as id, c.name, null::date as day, -sum(d.amount_minor)::bigint as minor
   from ledger_account_day d join creditor c on c.instance_id = d.instance_id and c.id = d.creditor_id
   where d.instance_id = $1 and d.kind = 'held_for_creditor' and d.currency = $2 and d.booked_on <= $3::date group by d.creditor_id, c.name`

const PAYOUTS = `select 'payout' as kind, o.file_id::text as id, c.name, m.ordered_on as day, m.amount_minor as minor
   from money_out m
   join payout o on o.instance_id = m.instance_id and m.about = 'payout:' || o.id
   join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
   join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
   where m.instance_id = $1 and m.currency = $2 and ${ON_ITS_WAY}`

const OWED = `select 'debtor' as kind, d.debtor_id::text as id, b.name, max(d.booked_on) as day, -sum(d.amount_minor)::bigint as minor
   from ledger_account_day d join debtor b on b.instance_id = d.instance_id and b.id = d.debtor_id
   where d.instance_id = $1 and d.kind = 'credit' and d.currency = $2 and d.booked_on <= $3::date group by d.debtor_id, b.name
   union all
   select 'refund', null, null, m.ordered_on, m.amount_minor from money_out m
   where m.instance_id = $1 and m.currency = $2 and m.about not like 'payout:%' and ${ON_ITS_WAY}`

/** Those that lie there now, and those that have left since. */
const SUSPENSE = `select 'bank_line' as kind, l.id::text as id, l.payer as name, l.bank_date as day,
     case when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end as minor
   from bank_line l
   where l.instance_id = $1 and l.currency = $2 and l.holder is distinct from 'CREDITOR'
     and l.id in (
       select s.id from bank_line s where s.instance_id = $1 and s.status = 'SUSPENSE'
       union
       select substring(t.cause from 'bank-line:([0-9a-f-]{36})')::uuid from ledger_transaction t
       where t.instance_id = $1 and t.booked_on > $3::date and t.cause ~ '^(placed|sent-back|repeated|explained):bank-line:')
     and exists (select from ledger_transaction t where t.instance_id = l.instance_id and t.cause = 'bank-line:' || l.id
       and t.booked_on <= $3::date)
     and not exists (select from ledger_transaction t where t.instance_id = l.instance_id and t.booked_on <= $3::date
       and t.cause in ('placed:bank-line:' || l.id, 'sent-back:bank-line:' || l.id, 'repeated:bank-line:' || l.id, 'explained:bank-line:' || l.id))`

/** Lines that a person has said to be the bank's own or the operator's, as the account counts that they stand on. */
const enteredOf = (gateway: string, sign: 1 | -1 = -1): string =>
  `select 'bank_entry' as kind, e.line_id::text as id, null::text as name, t.booked_on as day, ${sign} * p.amount_minor as minor
   from bank_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.cause = 'explained:bank-line:' || e.line_id
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.gateway = '${gateway}'
   where e.instance_id = $1 and e.currency = $2 and t.booked_on <= $3::date`

const FEES = `select 'settlement' as kind, s.id::text as id, c.name || ' ' || s.number as name, t.booked_on as day, -p.amount_minor as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.gateway = '${OPERATOR_FEES}' and a.currency = $2
   join settlement s on s.instance_id = t.instance_id and t.cause = 'fees:settlement:' || s.id
   join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
   where t.instance_id = $1 and t.kind = 'PAYOUT' and t.booked_on <= $3::date and s.currency = $2
   union all
   select 'advance_back', a.creditor_id::text, c.name, t.booked_on, p.amount_minor from ledger_account a
   join posting p on p.instance_id = a.instance_id and p.account_id = a.id and p.amount_minor > 0
   join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id and t.booked_on <= $3::date
   join creditor c on c.instance_id = a.instance_id and c.id = a.creditor_id
   where a.instance_id = $1 and a.kind = 'advance' and a.currency = $2
   union all
   ${enteredOf(OPERATOR_FEES)}`

/** By whoever got it: what had not come back by then. */
const PAID_TWICE_ROWS = `select 'payout' as kind, o.file_id::text as id, coalesce(a.receiver_name, o.receiver_name) as name, w.said_on as day,
     w.amount_minor - coalesce((select sum(e.amount_minor) from bank_entry e
       join ledger_transaction t on t.instance_id = e.instance_id and t.cause = 'explained:bank-line:' || e.line_id and t.booked_on <= $3::date
       where e.instance_id = w.instance_id and e.payout_id = w.payout_id), 0)::bigint as minor
   from paid_twice w
   join payout o on o.instance_id = w.instance_id and o.id = w.payout_id
   left join payout_account a on a.instance_id = o.instance_id and a.id = o.account_id
   where w.instance_id = $1 and w.currency = $2 and exists (select from ledger_transaction t where t.instance_id = w.instance_id
     and t.cause = 'explained:bank-line:' || w.line_id and t.booked_on <= $3::date)`

const ADVANCES = `select 'creditor' as kind, d.creditor_id::text as id, c.name, max(d.booked_on) as day, -sum(d.amount_minor)::bigint as minor
   from ledger_account_day d join creditor c on c.instance_id = d.instance_id and c.id = d.creditor_id
   where d.instance_id = $1 and d.kind = 'advance' and d.currency = $2 and d.booked_on <= $3::date group by d.creditor_id, c.name`

const SAID_LEFT = `select case when m.about like 'payout:%' then 'payout' else 'refund' end as kind, o.file_id::text as id, null::text as name,
     m.left_on as day, m.amount_minor as minor
   from money_out m left join payout o on o.instance_id = m.instance_id and m.about = 'payout:' || o.id
   left join ledger_transaction t on t.instance_id = m.instance_id and t.cause = 'told:money-out:' || m.id
   where m.instance_id = $1 and m.currency = $2 and m.left_on <= $3::date and (t.booked_on is null or t.booked_on > $3::date)`

const ITEMS: Readonly<Partial<Record<ProofTerm, Statement>>> = {
  gateways: largest('gateways', PAYMENTS),
  held: largest('held', HELD),
  payouts: largest('payouts', PAYOUTS),
  owed: largest('owed', OWED),
  suspense: largest('suspense', SUSPENSE),
  fees: largest('fees', FEES),
  advances: largest('advances', ADVANCES),
  bank_fees: largest('bankFees', enteredOf(BANK_FEES, 1)),
  bank_interest: largest('bankInterest', enteredOf(BANK_INTEREST)),
  paid_twice: largest('paidTwice', PAID_TWICE_ROWS),
  said_left: largest('saidLeft', SAID_LEFT),
}

/** None for a term that is counted from the bank's days alone. */
export async function readItems(
  db: Connection,
  of: {
    readonly instanceId: string
    readonly currency: string
    readonly day: string
    readonly term: ProofTerm
  },
): Promise<ItemRow[]> {
  const wanted = ITEMS[of.term]
  return wanted ? db.rows<ItemRow>(wanted, [of.instanceId, of.currency, of.day]) : []
}

const held = statement(
  'clientFunds.heldOfAll',
  `select name, minor from (${HELD}) h where minor <> 0 order by name, id`,
)

/** What is held for each creditor at the end of a day, all of them. */
export function readHeld(
  db: Connection,
  {
    instanceId,
    currency,
    day,
  }: { readonly instanceId: string; readonly currency: string; readonly day: string },
): Promise<{ readonly name: string | null; readonly minor: number }[]> {
  return db.rows(held, [instanceId, currency, day])
}
