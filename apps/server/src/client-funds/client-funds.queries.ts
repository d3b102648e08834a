/** The SQL of the proof of client funds: what is of the instance $1. The accounts of client funds are those that the instance holds. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { BookTerm } from '@kvitt/domain/client-funds/proof.ts'
import { BANK_FILE, CREDITOR_ACCOUNT } from '@kvitt/domain/ledger/holder.ts'
import { BANK_FEES, BANK_INTEREST, PAID_TWICE } from '@kvitt/domain/ledger/own-money.ts'
import { BANK_PAYOUT, OPERATOR_FEES } from '@kvitt/domain/ledger/payout.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { BANK_RETURN } from '../bank-files/bank-files.ts'
import { statement, type Connection } from '../platform/database/database.ts'

/** Also an account that is a creditor's by now, as long as the books have money on it. */
const IS_OURS = `(p.holder is distinct from 'CREDITOR' or 0 <> coalesce((select sum(d.amount_minor) from bank_account_day d
   where d.instance_id = p.instance_id and d.account_id = p.id), 0))`

/** What two accounts turned out to be one is counted on that one. */
const OURS = `select p.id, coalesce(p.joined_to, p.id) as root from payment_account p where p.instance_id = $1 and ${IS_OURS}`

const accounts = statement(
  'clientFunds.accounts',
  `select p.id, case when p.iban is null then p.scheme else 'IBAN' end as scheme,
     coalesce(p.iban, regexp_replace(p.account_number, '[^0-9A-Za-z]', '', 'g')) as number, p.creditor_id as "creditorId", c.name as creditor
   from payment_account p left join creditor c on c.instance_id = p.instance_id and c.id = p.creditor_id
   where p.instance_id = $1 and p.joined_to is null and ${IS_OURS} order by p.creditor_id is not null, c.name, p.id`,
)

export type FundsAccountRow = {
  readonly id: string
  readonly scheme: string
  readonly number: string
  readonly creditorId: string | null
  readonly creditor: string | null
}

export function readFundsAccounts(db: Connection, instanceId: string): Promise<FundsAccountRow[]> {
  return db.rows<FundsAccountRow>(accounts, [instanceId])
}

/** Of several that end on one day, the one that no other goes on from; of the first day, the one that goes on from none. */
const statements = statement(
  'clientFunds.statements',
  `with ours as (${OURS}), told as (
     select o.root as "accountId", s.id, s.currency, s.closing_on, s.closing_minor, s.opening_on, s.opening_minor, s.file_id, s.account_id,
       exists (select from bank_statement n where n.instance_id = $1 and n.account_id = s.account_id and n.currency = s.currency
         and n.closing_on = s.closing_on and n.id <> s.id and n.opening_minor = s.closing_minor) as is_followed,
       exists (select from bank_statement n where n.instance_id = $1 and n.account_id = s.account_id and n.currency = s.currency
         and n.closing_on = s.closing_on and n.id <> s.id and n.closing_minor = s.opening_minor) as is_following
     from bank_statement s join ours o on o.id = s.account_id where s.instance_id = $1),
   first as (
     select distinct on ("accountId", currency) t.* from told t order by "accountId", currency, closing_on, is_following, id)
   select distinct on (t."accountId", t.currency, t.closing_on) t."accountId", t.currency, t.closing_on as day, t.closing_minor as minor,
     case when f.closing_on = t.closing_on then f.opening_minor end as "openingMinor",
     case when f.closing_on = t.closing_on then least(
       (select min(l.bank_date) from bank_line l where l.instance_id = $1 and l.file_id = f.file_id and l.account_id = f.account_id),
       case when f.opening_on < f.closing_on then f.opening_on + 1 else f.closing_on end) end as "from"
   from told t join first f on f."accountId" = t."accountId" and f.currency = t.currency
   order by t."accountId", t.currency, t.closing_on, t.is_followed, t.id desc`,
)

export type StatementDayRow = {
  readonly accountId: string
  readonly currency: Currency
  readonly day: CalendarDate
  readonly minor: number
  /** Of the first of the account in the currency alone. */
  readonly openingMinor: number | null
  readonly from: CalendarDate | null
}

/** What stood on each account at the end of each day that a statement ends on, in order. */
export function readStatementDays(db: Connection, instanceId: string): Promise<StatementDayRow[]> {
  return db.rows<StatementDayRow>(statements, [instanceId])
}

const entered = statement(
  'clientFunds.entered',
  `with ours as (${OURS})
   select o.root as "accountId", d.currency, d.bank_on as "bankOn", d.entered_on as "enteredOn", sum(d.amount_minor)::bigint as minor
   from bank_account_day d left join ours o on o.id = d.account_id
   where d.instance_id = $1
   group by 1, 2, 3, 4 having sum(d.amount_minor) <> 0 order by 2, 3, 4, 1`,
)

export type EnteredRow = {
  readonly accountId: string | null
  readonly currency: Currency
  readonly bankOn: CalendarDate
  readonly enteredOn: CalendarDate
  readonly minor: number
}

export function readEnteredDays(db: Connection, instanceId: string): Promise<EnteredRow[]> {
  return db.rows<EnteredRow>(entered, [instanceId])
}

/**
 * Which term an account of the ledger is of. What was paid to creditors' own accounts comes to nothing in itself, so that with it only
 * the suspense of client funds is left.
 */
const TERM = `case
     when kind = 'held_for_creditor' then 'held'
     when kind = 'advance' then 'advances'
     when gateway = '${BANK_FEES}' then 'bank_fees'
     when gateway = '${BANK_INTEREST}' then 'bank_interest'
     when gateway = '${PAID_TWICE}' then 'paid_twice'
     when kind = 'credit' or gateway = '${BANK_RETURN}' then 'owed'
     when gateway = '${BANK_PAYOUT}' then 'payouts'
     when gateway = '${OPERATOR_FEES}' then 'fees'
     when kind in ('suspense', 'paid_to_creditor', 'credit_at_creditor') or gateway = '${CREDITOR_ACCOUNT}' then 'suspense'
     else 'gateways' end`

const booked = statement(
  'clientFunds.booked',
  `select currency, booked_on as "bookedOn", ${TERM} as term,
     (case when ${TERM} in ('gateways', 'bank_fees', 'paid_twice') then sum(amount_minor) else -sum(amount_minor) end)::bigint as minor
   from ledger_account_day where instance_id = $1 and kind <> 'claims_on_debtors' and gateway is distinct from '${BANK_FILE}'
   group by currency, booked_on, ${TERM} order by 1, 2, 3`,
)

export type BookedRow = {
  readonly currency: Currency
  readonly bookedOn: CalendarDate
  readonly term: BookTerm
  readonly minor: number
}

/** What the books moved on each day, as each term counts. */
export function readBookedDays(db: Connection, instanceId: string): Promise<BookedRow[]> {
  return db.rows<BookedRow>(booked, [instanceId])
}

const moved = statement(
  'clientFunds.moved',
  `select case when gateway = '${BANK_FILE}' then 'bank' else ${TERM} end as term, sum(amount_minor)::bigint as minor
   from ledger_account_day
   where instance_id = $1 and currency = $2 and booked_on between $3::date and $4::date and kind <> 'claims_on_debtors'
   group by 1 having sum(amount_minor) <> 0`,
)

/** The bank accounts of client funds, and each term. */
export type MovedTerm = BookTerm | 'bank'

/** What each moved within these days, as the ledger signs it: they come to zero. */
export function readMoved(
  db: Connection,
  instanceId: string,
  { currency, from, to }: { readonly currency: string; readonly from: string; readonly to: string },
): Promise<{ term: MovedTerm; minor: number }[]> {
  return db.rows<{ term: MovedTerm; minor: number }>(moved, [instanceId, currency, from, to])
}

const left = statement(
  'clientFunds.left',
  `select m.currency, m.amount_minor as minor, m.left_on as "on", t.booked_on as "toldOn"
   from money_out m left join ledger_transaction t on t.instance_id = m.instance_id and t.cause = 'told:money-out:' || m.id
   where m.instance_id = $1 and m.left_on is not null order by m.left_on, m.id`,
)

export type LeftRow = {
  readonly currency: Currency
  readonly minor: number
  readonly on: CalendarDate
  readonly toldOn: CalendarDate | null
}

/** What a person has said to have left the bank. */
export function readSaidLeft(db: Connection, instanceId: string): Promise<LeftRow[]> {
  return db.rows<LeftRow>(left, [instanceId])
}

const waiting = statement(
  'clientFunds.waiting',
  `select currency, count(*)::int as count from bank_line where instance_id = $1 and status = 'WAITING' group by currency`,
)

/** How many lines of the bank's files are kept and not yet entered in the books. */
export function readWaitingLines(
  db: Connection,
  instanceId: string,
): Promise<{ readonly currency: Currency; readonly count: number }[]> {
  return db.rows<{ currency: Currency; count: number }>(waiting, [instanceId])
}

const belowZero = statement(
  'clientFunds.belowZero',
  `select d.creditor_id as "creditorId", c.name as creditor, d.currency, -sum(d.amount_minor)::bigint as minor
   from ledger_account_day d join creditor c on c.instance_id = d.instance_id and c.id = d.creditor_id
   where d.instance_id = $1 and d.kind in ('held_for_creditor', 'advance') and d.booked_on <= $2::date
   group by d.creditor_id, c.name, d.currency having sum(d.amount_minor) > 0 order by sum(d.amount_minor) desc, c.name`,
)

export type BelowZeroRow = {
  readonly creditorId: string
  readonly creditor: string
  readonly currency: Currency
  readonly minor: number
}

/** Creditors of whom less than nothing was held at the end of a day, after what was advanced for them. */
export function readBelowZero(db: Connection, instanceId: string, day: string): Promise<BelowZeroRow[]> {
  return db.rows<BelowZeroRow>(belowZero, [instanceId, day])
}
