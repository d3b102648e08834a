-- What the proof of client funds is counted from (staff.md 6): what each account of money moved on each day, and what the banks' lines
-- moved, by the day that the bank tells of and the day on which the books took it in. Kept as it is posted, so that any day is proved
-- from some thousand rows and not from every posting.

create table ledger_account_day (
  instance_id uuid not null,
  account_id uuid not null,
  booked_on date not null,
  -- Of the account, which never changes: with millions of accounts of debts beside them nobody joins these.
  kind text not null,
  gateway text,
  creditor_id uuid,
  debtor_id uuid,
  currency char(3) not null,
  amount_minor bigint not null,
  primary key (instance_id, account_id, booked_on)
);
grant select on ledger_account_day to kvitt_app;

-- The accounts are locked by post_to_accounts, whose trigger comes first by its name, so nobody waits here for anybody.
create function keep_account_days() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into ledger_account_day as d
    (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
  select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
  from inserted p
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    and a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense')
  join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
  group by a.instance_id, a.id, t.booked_on
  order by a.instance_id, a.id, t.booked_on
  on conflict (instance_id, account_id, booked_on) do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;
create trigger posting_moves_days after insert on posting
  referencing new table as inserted for each statement execute function keep_account_days();

insert into ledger_account_day
  (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, sum(p.amount_minor)
from posting p
join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
  and a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense')
join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
group by a.instance_id, a.id, t.booked_on;

-- Lines of accounts that the instance holds. Null: the account of a line from before it was kept.
create table bank_account_day (
  instance_id uuid not null,
  account_id uuid,
  currency char(3) not null,
  bank_on date not null,
  entered_on date not null,
  amount_minor bigint not null,
  unique nulls not distinct (instance_id, account_id, currency, bank_on, entered_on)
);
grant select on bank_account_day to kvitt_app;

-- The day on which the books took a line in, and, of one that was told twice, the day on which it left them again.
create function entered_on(line bank_line, is_repeat boolean) returns date language sql stable
set search_path = pg_catalog, public, pg_temp as $$
  select case when line.kind = 'DEDUCTION' then max(t.booked_on) else min(t.booked_on) end
  from ledger_transaction t where t.instance_id = line.instance_id and t.cause = any (
    case when is_repeat then array['repeated:bank-line:' || line.id]
    else array['bank-line:' || line.id, 'payment:' || line.id]
      || (select array_agg('reversal:payment:' || line.reverses_id || share)
          from unnest(array['', ':2', ':3', ':4', ':5', ':6', ':7', ':8', ':9']) share
          where line.reverses_id is not null and line.kind = 'DEDUCTION') end)
$$;

create function keep_bank_day() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  is_repeat boolean := new.status = 'REPEATED';
  entered date := entered_on(new, is_repeat);
begin
  -- What has no entry is not in the books: the proof then shows that it is missing.
  if entered is null then return null; end if;
  insert into bank_account_day as d (instance_id, account_id, currency, bank_on, entered_on, amount_minor)
  values (new.instance_id, new.account_id, new.currency, new.bank_date, entered,
    new.amount_minor * (case when new.kind = 'PAYMENT' then 1 else -1 end) * (case when is_repeat then -1 else 1 end))
  on conflict (instance_id, account_id, currency, bank_on, entered_on)
    do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;
-- At the end of the transaction, when all of it is booked. What is told again by the line that is placed was in no books before.
create constraint trigger bank_line_keeps_its_day after update of status on bank_line deferrable initially deferred for each row
  when (new.holder is distinct from 'CREDITOR' and (
    old.status = 'WAITING' and new.status not in ('WAITING', 'REPEATED') or old.status = 'SUSPENSE' and new.status = 'REPEATED'))
  execute function keep_bank_day();

-- It is told that the account was the creditor's all the time: from that day on the books have none of it.
create function keep_bank_holder() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into bank_account_day as d (instance_id, account_id, currency, bank_on, entered_on, amount_minor)
  select new.instance_id, new.account_id, new.currency, new.bank_date, max(t.booked_on),
    new.amount_minor * case when new.kind = 'PAYMENT' then -1 else 1 end
  from ledger_transaction t
  where t.instance_id = new.instance_id and t.cause in ('holder:bank-line:' || new.id, 'holder:payment:' || new.id)
  having max(t.booked_on) is not null
  on conflict (instance_id, account_id, currency, bank_on, entered_on)
    do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;
create constraint trigger bank_line_leaves_with_its_holder after update of holder on bank_line deferrable initially deferred
  for each row when (new.holder = 'CREDITOR' and old.holder is null and new.status not in ('WAITING', 'REPEATED'))
  execute function keep_bank_holder();

insert into bank_account_day (instance_id, account_id, currency, bank_on, entered_on, amount_minor)
select instance_id, account_id, currency, bank_date, entered, sum(minor) from (
  select l.instance_id, l.account_id, l.currency, l.bank_date, entered_on(l, false) as entered,
    case when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end as minor
  from bank_line l where l.status <> 'WAITING' and l.holder is distinct from 'CREDITOR'
  union all
  select l.instance_id, l.account_id, l.currency, l.bank_date, entered_on(l, true),
    case when l.kind = 'PAYMENT' then -l.amount_minor else l.amount_minor end
  from bank_line l where l.status = 'REPEATED' and l.holder is distinct from 'CREDITOR') told
where entered is not null
group by 1, 2, 3, 4, 5;

-- What left suspense after a day lay there on it.
create index ledger_transaction_out_of_suspense on ledger_transaction (instance_id, booked_on)
  where cause ~ '^(placed|sent-back|repeated|explained):bank-line:';

-- What is kept by day is what was posted.
create view inv_i35_days_are_of_the_books as
  select coalesce(k.instance_id, p.instance_id) as instance_id, coalesce(k.account_id, p.account_id) as account_id,
    coalesce(k.booked_on, p.booked_on) as booked_on, k.amount_minor as kept_minor, p.amount_minor as posted_minor
  from ledger_account_day k
  full join (
    select a.instance_id, a.id as account_id, t.booked_on, sum(o.amount_minor) as amount_minor
    from ledger_account a
    join posting o on o.instance_id = a.instance_id and o.account_id = a.id
    join ledger_transaction t on t.instance_id = o.instance_id and t.id = o.transaction_id
    where a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense')
    group by 1, 2, 3) p
    on p.instance_id = k.instance_id and p.account_id = k.account_id and p.booked_on = k.booked_on
  where coalesce(k.amount_minor, 0) <> coalesce(p.amount_minor, 0);
grant select on inv_i35_days_are_of_the_books to kvitt_app;

-- And of the banks' lines, all that are in the books and told once.
create view inv_i36_bank_days_are_of_lines as
  select coalesce(k.instance_id, l.instance_id) as instance_id, coalesce(k.currency, l.currency) as currency,
    coalesce(k.bank_on, l.bank_on) as bank_on, k.minor as kept_minor, l.minor as lines_minor
  from (select instance_id, currency, bank_on, sum(amount_minor) as minor from bank_account_day group by 1, 2, 3) k
  full join (
    select instance_id, currency, bank_date as bank_on,
      sum(case when kind = 'PAYMENT' then amount_minor else -amount_minor end) as minor
    from bank_line where status not in ('WAITING', 'REPEATED') and holder is distinct from 'CREDITOR' group by 1, 2, 3) l
    on l.instance_id = k.instance_id and l.currency = k.currency and l.bank_on = k.bank_on
  where coalesce(k.minor, 0) <> coalesce(l.minor, 0);
grant select on inv_i36_bank_days_are_of_lines to kvitt_app;

-- What a creditor's own money does not cover is never taken from another's: the operator advances it, and until then a person is asked.
create view inv_i37_below_zero_is_asked_about as
  select a.instance_id, a.creditor_id, a.currency, -a.balance_minor as held_minor
  from ledger_account a
  where a.kind = 'held_for_creditor' and a.balance_minor > 0 and not exists (
    select from task t where t.instance_id = a.instance_id and t.kind = 'advance_wanted' and t.done_at is null
      and t.about = 'creditor:' || a.creditor_id || ':' || a.currency);
grant select on inv_i37_below_zero_is_asked_about to kvitt_app;

insert into task (instance_id, id, kind, about, details, made_on)
  select a.instance_id, gen_random_uuid(), 'advance_wanted', 'creditor:' || a.creditor_id || ':' || a.currency,
    jsonb_build_object('amountMinor', a.balance_minor, 'currency', a.currency, 'of', a.creditor_id),
    (now() at time zone i.time_zone)::date
  from ledger_account a join instance i on i.id = a.instance_id
  where a.kind = 'held_for_creditor' and a.balance_minor > 0;
