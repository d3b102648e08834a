/** The SQL of money that a gateway told of and that no file of its account has shown. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const toldUntil = statement(
  'clearingLate.toldUntil',
  `select a.account_id, a.addresses, (select country from instance where id = $1) as country,
   least(
     (select min(l.bank_date) from bank_line l where l.instance_id = $1 and l.account_id = a.account_id),
     (select min(s.closing_on) from bank_statement s where s.instance_id = $1 and s.account_id = a.account_id)) as since,
   greatest(
     (select max(l.bank_date) from bank_line l where l.instance_id = $1 and l.account_id = a.account_id),
     (select max(s.closing_on) from bank_statement s where s.instance_id = $1 and s.account_id = a.account_id)) as until
   from (select account_id, array_agg(address order by address) as addresses from account_address
     where instance_id = $1 group by account_id) a`,
)

export type ToldAccount = {
  readonly account_id: string
  readonly addresses: readonly string[]
  /** The instance's: whose bank days count. */
  readonly country: string
  /** The first day that a file tells of. What was paid before may have been told of by none that we were given. */
  readonly since: string | null
  /** The last day that a file tells of; null when none tells of the account. */
  readonly until: string | null
}

export function readToldAccounts(tx: Transaction, instanceId: string): Promise<ToldAccount[]> {
  return tx.rows<ToldAccount>(toldUntil, [instanceId])
}

const untold = statement(
  'clearingLate.untold',
  `select w.account_id, p.gateway, p.currency, greatest(p.execution_date, p.arrived_on) as day, count(*)::int as payments,
     sum(p.amount_minor)::bigint as minor
   from unnest($2::uuid[], $3::text[], $4::date[], $6::date[]) as w (account_id, written, before, since)
   join payment p on p.instance_id = $1 and p.payee_scheme || ' ' || p.payee_account = w.written
     and greatest(p.execution_date, p.arrived_on) < w.before
     and greatest(p.execution_date, p.arrived_on) >= w.since
   where p.gateway = any($5) and (p.status = 'COMPLETED' or p.arrived_on is not null) and p.reversed_on is null
     and not exists (select from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id)
     and not exists (select from bank_line_share s where s.instance_id = p.instance_id and s.payment_id = p.id)
   group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
)

export type UntoldDay = {
  readonly account_id: string
  readonly gateway: string
  readonly currency: Currency
  readonly day: string
  readonly payments: number
  readonly minor: number
}

/** Money of gateways by account and day that no line is, of days from `since` on and before `before`. `written`: how payments write the account. */
export function readUntoldDays(
  tx: Transaction,
  instanceId: string,
  wanted: readonly {
    readonly accountId: string
    readonly written: string
    readonly since: string
    readonly before: string
  }[],
  gateways: readonly string[],
): Promise<UntoldDay[]> {
  const columns = [
    wanted.map(({ accountId }) => accountId),
    wanted.map(({ written }) => written),
    wanted.map(({ before }) => before),
  ]
  return tx.rows<UntoldDay>(untold, [instanceId, ...columns, gateways, wanted.map(({ since }) => since)])
}
