-- What debtors owe a creditor at the end of any day is minus what its counterweight came to by then: kept by day with the accounts of
-- money, so that a list of open debts at a past day is checked against a sum that was never counted from the debts.
lock table posting in share row exclusive mode;

create or replace function keep_account_days() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into ledger_account_day as d
    (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
  select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
  from inserted p
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    and a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance',
      'claims_on_debtors')
  join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
  group by a.instance_id, a.id, t.booked_on
  order by a.instance_id, a.id, t.booked_on
  on conflict (instance_id, account_id, booked_on) do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;

insert into ledger_account_day
  (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
from posting p
join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'claims_on_debtors'
join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
group by a.instance_id, a.id, t.booked_on;

create index ledger_account_day_owed on ledger_account_day (instance_id, creditor_id, booked_on)
  where kind = 'claims_on_debtors';

create or replace view inv_i35_days_are_of_the_books as
  select coalesce(k.instance_id, p.instance_id) as instance_id, coalesce(k.account_id, p.account_id) as account_id,
    coalesce(k.booked_on, p.booked_on) as booked_on, k.amount_minor as kept_minor, p.amount_minor as posted_minor
  from ledger_account_day k
  full join (
    select a.instance_id, a.id as account_id, t.booked_on, sum(o.amount_minor) as amount_minor
    from ledger_account a
    join posting o on o.instance_id = a.instance_id and o.account_id = a.id
    join ledger_transaction t on t.instance_id = o.instance_id and t.id = o.transaction_id
    where a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance',
      'claims_on_debtors')
    group by 1, 2, 3) p
    on p.instance_id = k.instance_id and p.account_id = k.account_id and p.booked_on = k.booked_on
  where coalesce(k.amount_minor, 0) <> coalesce(p.amount_minor, 0);

-- All that the debtors of a creditor owe is the counterweight of it: else a list of open debts would not come to what the books say.
create view inv_i42_debts_have_their_counterweight as
  select x.instance_id, x.creditor_id, x.currency, sum(x.owed_minor) as owed_minor, sum(x.counter_minor) as counter_minor
  from (
    select a.instance_id, coalesce(i.creditor_id, c.creditor_id) as creditor_id, a.currency, a.balance_minor as owed_minor,
      0::bigint as counter_minor
    from ledger_account a
    left join invoice i on i.instance_id = a.instance_id and i.id = a.invoice_id
    left join claim c on c.instance_id = a.instance_id and c.id = a.claim_id
    where a.kind in ('principal', 'costs', 'interest')
    union all
    select a.instance_id, a.creditor_id, a.currency, 0, -a.balance_minor from ledger_account a where a.kind = 'claims_on_debtors') x
  group by 1, 2, 3
  having sum(x.owed_minor) <> sum(x.counter_minor);
grant select on inv_i42_debts_have_their_counterweight to kvitt_app;
