-- The operator's own money among client funds: what it advances for a creditor, what its bank takes and gives for the account itself,
-- and its fees when they are drawn. A person enters each from the bank's line in suspense.

-- Per creditor: what the operator has advanced for it. Still the operator's, so it is no part of what is held.
alter table ledger_account drop constraint ledger_account_kind;
alter table ledger_account add constraint ledger_account_kind check (kind in ('principal', 'costs', 'interest', 'claims_on_debtors',
  'held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance')) not valid;
alter table ledger_account drop constraint ledger_account_of_creditor;
alter table ledger_account add constraint ledger_account_of_creditor check ((creditor_id is not null) =
  (kind in ('claims_on_debtors', 'held_for_creditor', 'paid_to_creditor', 'credit_at_creditor', 'advance'))) not valid;

-- The program may not write accounts; whoever moves an advance waits here for whoever moves what is held, and the other way round.
create function lock_held(of_instance uuid, of_creditor uuid, of_currency char(3)) returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from ledger_account where instance_id = of_instance and creditor_id = of_creditor and currency = of_currency
    and kind = 'held_for_creditor' for no key update;
end $$;
revoke execute on function lock_held(uuid, uuid, char) from public;
grant execute on function lock_held(uuid, uuid, char) to kvitt_app;

-- What a person has said that a line is. The line is SETTLED by it.
create table bank_entry (
  instance_id uuid not null,
  line_id uuid not null,
  kind text not null check (kind in ('FEE', 'INTEREST', 'ADVANCE', 'FEES_DRAWN')),
  -- Whose money was advanced.
  creditor_id uuid,
  entered_by text not null,
  entered_on date not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  primary key (instance_id, line_id),
  foreign key (instance_id, line_id) references bank_line (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check ((kind = 'ADVANCE') = (creditor_id is not null))
);
create index bank_entry_day on bank_entry (instance_id, entered_on);
create trigger bank_entry_append_only before update or delete or truncate on bank_entry
  for each statement execute function refuse_change();
grant select, insert on bank_entry to kvitt_app;

-- As before, with what is advanced.
create or replace function keep_account_days() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into ledger_account_day as d
    (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
  select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
  from inserted p
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    and a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance')
  join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
  group by a.instance_id, a.id, t.booked_on
  order by a.instance_id, a.id, t.booked_on
  on conflict (instance_id, account_id, booked_on) do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;

create or replace view inv_i35_days_are_of_the_books as
  select coalesce(k.instance_id, p.instance_id) as instance_id, coalesce(k.account_id, p.account_id) as account_id,
    coalesce(k.booked_on, p.booked_on) as booked_on, k.amount_minor as kept_minor, p.amount_minor as posted_minor
  from ledger_account_day k
  full join (
    select a.instance_id, a.id as account_id, t.booked_on, sum(o.amount_minor) as amount_minor
    from ledger_account a
    join posting o on o.instance_id = a.instance_id and o.account_id = a.id
    join ledger_transaction t on t.instance_id = o.instance_id and t.id = o.transaction_id
    where a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance')
    group by 1, 2, 3) p
    on p.instance_id = k.instance_id and p.account_id = k.account_id and p.booked_on = k.booked_on
  where coalesce(k.amount_minor, 0) <> coalesce(p.amount_minor, 0);

-- What is held for a creditor and advanced for it, together, is below nothing only while a person is asked.
create or replace view inv_i37_below_zero_is_asked_about as
  select a.instance_id, a.creditor_id, a.currency, -a.balance_minor as held_minor
  from ledger_account a
  left join ledger_account v on v.instance_id = a.instance_id and v.creditor_id = a.creditor_id and v.currency = a.currency
    and v.kind = 'advance'
  where a.kind = 'held_for_creditor' and a.balance_minor + coalesce(v.balance_minor, 0) > 0 and not exists (
    select from task t where t.instance_id = a.instance_id and t.kind = 'advance_wanted' and t.done_at is null
      and t.about = 'creditor:' || a.creditor_id || ':' || a.currency);

-- What is advanced is what was entered and not given back: never less than nothing, and never taken back while it covers something.
create view inv_i49_advances_cover as
  select a.instance_id, a.creditor_id, a.currency, 'below zero' as violation from ledger_account a
  where a.kind = 'advance' and a.balance_minor > 0
  union all
  select coalesce(e.instance_id, p.instance_id), coalesce(e.creditor_id, p.creditor_id), coalesce(e.currency, p.currency), 'entered'
  from (select instance_id, creditor_id, currency, sum(amount_minor) as minor from bank_entry where kind = 'ADVANCE' group by 1, 2, 3) e
  full join (
    select a.instance_id, a.creditor_id, a.currency, -sum(o.amount_minor) as minor from ledger_account a
    join posting o on o.instance_id = a.instance_id and o.account_id = a.id and o.amount_minor < 0
    where a.kind = 'advance' group by 1, 2, 3) p
    on p.instance_id = e.instance_id and p.creditor_id = e.creditor_id and p.currency = e.currency
  where coalesce(e.minor, 0) <> coalesce(p.minor, 0);
grant select on inv_i49_advances_cover to kvitt_app;

-- What is drawn as fees was the operator's: no more than settlements and returned advances have left there. And each entry is booked.
create view inv_i50_only_fees_are_drawn as
  select a.instance_id, a.currency::text as about, 'drawn above fees' as violation from ledger_account a
  where a.kind = 'clearing' and a.gateway = 'OPERATOR_FEES' and a.balance_minor > 0
  union all
  select e.instance_id, 'bank-line:' || e.line_id, 'entry' from bank_entry e
  join bank_line l on l.instance_id = e.instance_id and l.id = e.line_id
  left join ledger_transaction t on t.instance_id = e.instance_id and t.cause = 'explained:bank-line:' || e.line_id
  left join (
    select p.instance_id, p.transaction_id, a.kind, a.gateway, a.creditor_id, a.currency, p.amount_minor from posting p
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind <> 'suspense') o
    on o.instance_id = t.instance_id and o.transaction_id = t.id
  where l.status <> 'SETTLED' or l.amount_minor <> e.amount_minor or l.currency <> e.currency or o.currency is distinct from e.currency
    or o.amount_minor is distinct from (case l.kind when 'PAYMENT' then -e.amount_minor else e.amount_minor end)
    or case e.kind when 'FEE' then 'BANK_FEES' when 'INTEREST' then 'BANK_INTEREST' when 'FEES_DRAWN' then 'OPERATOR_FEES' end
      is distinct from o.gateway
    or e.creditor_id is distinct from o.creditor_id;
grant select on inv_i50_only_fees_are_drawn to kvitt_app;
