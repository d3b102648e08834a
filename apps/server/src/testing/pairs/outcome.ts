/** What a stage has come to, as text without names and times: two stages that went the same way read the same. */
import { CLAIM_MOVES } from '@kvitt/domain/claims/claim.ts'
import { INVOICE_MOVES } from '@kvitt/domain/invoices/invoice.ts'
import { PLAN_MOVES } from '@kvitt/domain/part-payments/part-payment.ts'
import { PAYMENT_MOVES } from '@kvitt/domain/payments/payment.ts'
import type { TestDatabase } from '../test-database.ts'
import type { Stage } from './stage.ts'

/** Each line: what it is about, and its words. Amounts in öre. */
const LINES = `
  select 'invoice ' || type as what, concat_ws(' ', status, principal_minor, costs_minor, interest_minor,
    case when is_part_payment then 'in a plan' end, case when claim_id is not null then 'in a claim' end, expire_date) as words
  from invoice where instance_id = $1
  union all
  select 'claim', concat_ws(' ', status, principal_minor, costs_minor, interest_minor,
    case when is_part_payment then 'in a plan' end, expire_date) from claim where instance_id = $1
  union all
  select 'plan', status || ' ' || (select count(*) from part_payment_instalment n
    where n.instance_id = p.instance_id and n.part_payment_id = p.id and n.invoice_id is not null)
  from part_payment p where instance_id = $1
  union all
  select 'dispute', status from dispute where instance_id = $1
  union all
  select 'payment', concat_ws(' ', status, failure, arrived_on) from payment where instance_id = $1
  union all
  select 'line', concat_ws(' ', kind, status) from bank_line where instance_id = $1
  union all
  select 'step ' || case when s.invoice_id = $2 then 'of the invoice' when s.claim_id is not null then 'of the claim' else 'of a bill' end,
    concat_ws(' ', s.type, s.number, s.status, coalesce(s.performed_date, s.planned_date))
  from collection_step s where instance_id = $1 and s.type <> 'CREDIT_INVOICE'
  union all
  select 'books ' || t.kind, (select string_agg(a.kind || ' ' || p.amount_minor, ', ' order by a.kind, p.amount_minor)
    from posting p join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    where p.instance_id = t.instance_id and p.transaction_id = t.id)
  from ledger_transaction t where instance_id = $1
  union all
  select 'account ' || kind, sum(balance_minor)::text from ledger_account
  where instance_id = $1 and kind not in ('principal', 'costs', 'interest') group by kind
  union all
  select 'task', kind from task where instance_id = $1 and done_at is null
  union all
  select 'late ' || status, principal_minor::text from late_days where instance_id = $1
  order by 1, 2`

/** Only what is owed, held and decided: how often a letter was planned may differ with the way that was taken. */
export async function outcomeOf(stage: Stage): Promise<string[]> {
  const { rows } = await stage.server.test.owner.query<{ what: string; words: string }>(LINES, [
    stage.instance.id,
    stage.invoice.id,
  ])
  return rows.map(({ what, words }) => `${what}: ${words}`)
}

const allowed = (moves: Record<string, readonly (readonly [string, string])[]>): string[] =>
  Object.values(moves).flatMap((pairs) => pairs.map(([from, to]) => `${from} ${to}`))

const TABLES: Readonly<Record<string, readonly string[]>> = {
  invoice: allowed(INVOICE_MOVES),
  claim: allowed(CLAIM_MOVES),
  part_payment: allowed(PLAN_MOVES),
  payment: Object.entries(PAYMENT_MOVES).flatMap(([from, tos]) => tos.map((to) => `${from} ${to}`)),
}

/** From now on the database itself writes down how every status changes. */
export async function watchMoves({ owner }: TestDatabase): Promise<void> {
  await owner.query(`create table test_move (what text not null, was text not null, is_now text not null);
    grant insert on test_move to kvitt_app;
    create function test_note_move() returns trigger language plpgsql as $$
    begin
      insert into test_move values (tg_table_name, old.status, new.status);
      return null;
    end $$;`)
  for (const table of Object.keys(TABLES)) {
    await owner.query(`create trigger test_note after update of status on ${table}
      for each row when (old.status <> new.status) execute function test_note_move()`)
  }
}

/** Changes of a status since the last look that are in no table of the domain. */
export async function movesOutsideTheTables({ owner }: TestDatabase): Promise<string[]> {
  const { rows } = await owner.query<{ what: string; move: string }>(
    `with seen as (delete from test_move returning what, was || ' ' || is_now as move) select distinct * from seen`,
  )
  return rows
    .filter(({ what, move }) => !TABLES[what]?.includes(move))
    .map(({ what, move }) => `${what} ${move}`)
}
