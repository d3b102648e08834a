-- A month that is closed has its last word: nothing is booked into it any more. What is only known later is booked on the first open
-- day, and keeps its own day as the one from which it counts (bokföringslagen 5 kap. 2 and 5 §§: a correction is an entry of its own).

create table month_close (
  instance_id uuid not null references instance (id),
  month date not null check (extract(day from month) = 1),
  -- Its last day. The first month that is closed closes all before it.
  closed_to date not null,
  closed_by text not null,
  -- When the books stood still for it: who books after that finds it closed.
  closed_at timestamptz not null default clock_timestamp(),
  -- What the person says of what was not in order.
  note text not null check (length(note) <= 2000),
  -- What the report was made of.
  report jsonb not null,
  primary key (instance_id, month),
  check (closed_to = (month + interval '1 month')::date - 1)
);
create trigger month_close_append_only before update or delete or truncate on month_close
  for each statement execute function refuse_change();

-- What the books came to when it was closed, and come to for ever.
create table month_close_sum (
  instance_id uuid not null,
  month date not null,
  currency char(3) not null,
  owed_minor bigint not null,
  held_minor bigint not null,
  primary key (instance_id, month, currency),
  foreign key (instance_id, month) references month_close (instance_id, month)
);
create trigger month_close_sum_append_only before update or delete or truncate on month_close_sum
  for each statement execute function refuse_change();
grant select, insert on month_close, month_close_sum to kvitt_app;

-- Whoever books holds this with others until the end of the transaction; whoever closes a month, alone.
create function books_key(of_instance uuid) returns bigint language sql immutable parallel safe
  return hashtextextended('books of ' || of_instance::text, 0);

create function book_in_open_month() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  closed date;
begin
  perform pg_advisory_xact_lock_shared(books_key(new.instance_id));
  -- A statement of its own, begun after whoever was closing has ended.
  select max(closed_to) into closed from month_close where instance_id = new.instance_id;
  if new.booked_on <= closed then
    new.value_on := coalesce(new.value_on, new.booked_on);
    new.booked_on := closed + 1;
  end if;
  return new;
end $$;
create trigger ledger_transaction_in_open_month before insert on ledger_transaction
  for each row execute function book_in_open_month();

-- Months are closed one after another, while nobody books.
create function close_next_month() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  last date;
begin
  perform pg_advisory_xact_lock(books_key(new.instance_id));
  select max(closed_to) into last from month_close where instance_id = new.instance_id;
  if last is not null and new.month <> last + 1 then
    raise exception 'the month after % is closed next', last using errcode = 'KV002';
  end if;
  new.closed_at := clock_timestamp();
  return new;
end $$;
create trigger month_close_in_order before insert on month_close for each row execute function close_next_month();

-- Nothing was booked into a month after it was closed, and what it was closed with is what its days come to.
create view inv_i43_closed_months_stay as
  select m.instance_id, m.month, 'booked afterwards' as violation
  from month_close m
  where exists (select from ledger_transaction t where t.instance_id = m.instance_id and t.booked_on <= m.closed_to
    and t.posted_at > m.closed_at)
  union all
  select s.instance_id, s.month, 'another sum'
  from month_close_sum s
  join month_close m on m.instance_id = s.instance_id and m.month = s.month
  left join lateral (
    select -coalesce(sum(k.amount_minor) filter (where k.kind = 'claims_on_debtors'), 0) as owed,
      -coalesce(sum(k.amount_minor) filter (where k.kind = 'held_for_creditor'), 0) as held
    from ledger_account_day k
    where k.instance_id = s.instance_id and k.currency = s.currency and k.booked_on <= m.closed_to
      and k.kind in ('claims_on_debtors', 'held_for_creditor')) k on true
  where s.owed_minor <> k.owed or s.held_minor <> k.held;
grant select on inv_i43_closed_months_stay to kvitt_app;
