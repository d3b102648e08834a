-- What the operator's dashboard shows is kept, not counted at each visit (docs/decisions/049): how much of what there was on each day, by
-- creditor, method and currency. Whoever changes what is counted adds a row that says by how much, in its own transaction; nobody else
-- writes that row, so nobody waits. A job folds such rows into those that are read. Both together are the figure at every moment.
--
-- Nobody changes what is counted meanwhile. All of the tables or none: who waited for one while holding another would stand in the way
-- of payments, which take them in an order of their own. Between two tries nothing is held.
create function hold_figures_still() returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  for tries in 1..120 loop
    begin
      lock table ledger_transaction, posting, invoice, claim, collection_step, court_application, dispute, part_payment
        in share row exclusive mode nowait;
      return;
    exception when lock_not_available then
      if tries = 120 then raise; end if;
    end;
    perform pg_sleep(0.05 + random() * 0.2);
  end loop;
end $$;
revoke execute on function hold_figures_still() from public;
select hold_figures_still();

-- The rows of all creditors together have no creditor.
create function of_all_creditors() returns uuid language sql immutable parallel safe
  return '00000000-0000-0000-0000-000000000000'::uuid;

create table figure_kept (
  instance_id uuid not null,
  creditor_id uuid not null,
  -- IN, BACK, REFUNDED: money, on the day of booking; what was moved to another debt is in it as if it had come there. OPEN, IN_PLAN:
  -- open invoices, by their last day to pay. OPEN_CLAIM, OPEN_DISPUTE: what is open, by the day on which it was opened. SENT, REMINDED,
  -- CLAIMED, FILED: how far the invoices came that were sent on the day. DISPUTED, PLANNED: what began on it.
  figure text not null,
  day date not null,
  -- Of money that came or was taken back: the clearing account that it came to.
  method text not null,
  currency text not null,
  n bigint not null,
  minor bigint not null,
  primary key (instance_id, creditor_id, figure, day, method, currency)
);
alter table figure_kept set (fillfactor = 70);

-- What is not folded yet. Written once, read and removed by the job; without an index, as it stays short.
create table figure_move (
  instance_id uuid not null,
  creditor_id uuid not null,
  figure text not null,
  day date not null,
  method text not null default '',
  currency text not null default '',
  n bigint not null,
  minor bigint not null default 0
);
alter table figure_move set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
grant select on figure_kept, figure_move to kvitt_app;

-- The figure that money of an entry is counted in; null where it is none of a debt's.
create function money_figure(p_kind text, p_cause text) returns text language sql immutable parallel safe
  return case when p_kind = 'PAYMENT' then 'IN' when p_kind = 'REFUND' then 'REFUNDED'
    when p_kind = 'REVERSAL' and p_cause like 'reversal:payment:%' then 'BACK' end;

-- An open debt by itself, as the ageing counts it. What a plan has not billed yet is not late, whatever day stands on the invoice.
create function open_figure(p_type text, p_status text, p_claim uuid, p_in_plan boolean, p_balance bigint) returns text
language sql immutable parallel safe
  return case when p_balance > 0 and p_claim is null and p_status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION')
    then case when p_in_plan and p_type = 'INVOICE' then 'IN_PLAN' else 'OPEN' end end;

-- The day on which an invoice was sent that is a document of its own: what a plan bills is a part of another (D-29), a credit is owed
-- by nobody (D-32). Null where it was not sent.
-- What becomes of it later changes nothing: it has been sent.
create function sent_day(p_type text, p_sent date) returns date language sql immutable parallel safe
  return case when p_type not in ('CREDIT_INVOICE', 'PART_INVOICE', 'ONGOING_INVOICE', 'ACCOUNT_INVOICE') then p_sent end;

-- An open claim, as it is counted while anything of it is owed.
create function open_claim_figure(p_status text) returns text language sql immutable parallel safe
  return case when p_status in ('OPEN', 'RESUME', 'PAUSED', 'DISPUTED') then 'OPEN_CLAIM' end;

-- Whether an application is one: what was rejected or withdrawn, also because nobody had made it, lies at no authority.
create function is_filed(p_status text) returns boolean language sql immutable parallel safe
  return p_status not in ('REJECTED', 'WITHDRAWN');

-- Money that pays several debts has shares, which its entries name: payment:{money}, payment:{money}:2; and those take one back say so
-- before it. The money, and the number of the share.
create function money_of(p_cause text) returns text language sql immutable parallel safe
  return substring(p_cause from '^(?:reversal:)?payment:([^:]+)(?::[0-9]+)?$');
create function share_of(p_cause text) returns integer language sql immutable parallel safe
  return coalesce(substring(p_cause from '^(?:reversal:)?payment:[^:]+:([0-9]+)$')::integer, 1);

-- What staff moved from one debt to another is taken back there and comes here as the next share: up to which share it has been moved
-- away. A gateway's money has a next share for nothing else; of a line of a bank an entry says it.
create view share_moved as
  select instance_id, split_part(cause, ':', 3) as money, max(split_part(cause, ':', 4)::integer) as up_to
  from ledger_transaction where cause like 'moved:bank-line:%' group by 1, 2
  union all
  select instance_id, payment_id::text, max(share_of(cause)) - 1
  from ledger_transaction where kind = 'PAYMENT' and payment_id is not null and cause like 'payment:%:%' group by 1, 2;

-- The day that money counts on which has been on another debt before: that on which it first came.
create function came_on(t ledger_transaction) returns date language sql stable
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
  select case when share_of(t.cause) > 1 and (t.payment_id is not null or exists (
      select from ledger_transaction m where m.instance_id = t.instance_id and m.cause = any (
        select 'moved:bank-line:' || money_of(t.cause) || ':' || n from generate_series(1, share_of(t.cause) - 1) n)))
    then (select f.booked_on from ledger_transaction f where f.instance_id = t.instance_id and f.cause = 'payment:' || money_of(t.cause))
    else t.booked_on end
$$;

-- Of the numbers of a type, the first: an invoice is counted once.
create function is_first_reminder(p_invoice uuid, p_type text, p_number integer, p_status text) returns boolean
language sql immutable parallel safe
  return p_invoice is not null and p_type = 'REMINDER' and p_number = 1 and p_status = 'PERFORMED';

-- As before (0385); and what came to a debt of a creditor's, or left it, on the accounts of methods.
create or replace function keep_account_days() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with moved as (
    select a.instance_id, a.id, t.booked_on, a.kind, a.gateway, a.creditor_id, a.debtor_id, a.currency, p.amount_minor,
      t.id as transaction_id, t.kind as entry, t.cause, t.invoice_id, t.claim_id,
      case when t.kind = 'PAYMENT' and t.cause like 'payment:%:%' then came_on(t) else t.booked_on end as counts_on
    from inserted p
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
      and a.kind in ('held_for_creditor', 'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense', 'advance',
        'claims_on_debtors')
    join ledger_transaction t on t.instance_id = p.instance_id and t.id = p.transaction_id
  ), money as (
    insert into figure_move (instance_id, creditor_id, figure, day, method, currency, n, minor)
    select e.instance_id, e.creditor_id, e.figure, e.counts_on, e.method, e.currency,
      sum(case when e.figure = 'REFUNDED' then -sign(e.minor) else 1 end), sum(e.minor)
    from (
      select m.instance_id, coalesce(c.creditor_id, i.creditor_id) as creditor_id, money_figure(m.entry, m.cause) as figure,
        m.counts_on, case when m.entry = 'REFUND' then '' else m.gateway end as method, m.currency, m.transaction_id,
        sum(m.amount_minor) as minor
      from moved m
      left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
      left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and m.claim_id is null
      where m.kind = 'clearing' and money_figure(m.entry, m.cause) is not null and coalesce(m.claim_id, m.invoice_id) is not null
      group by 1, 2, 3, 4, 5, 6, 7 having sum(m.amount_minor) <> 0) e
    group by 1, 2, 3, 4, 5, 6
  )
  insert into ledger_account_day as d
    (instance_id, account_id, booked_on, kind, gateway, creditor_id, debtor_id, currency, amount_minor)
  select m.instance_id, m.id, m.booked_on, m.kind, m.gateway, m.creditor_id, m.debtor_id, m.currency, sum(m.amount_minor)
  from moved m
  group by m.instance_id, m.id, m.booked_on, m.kind, m.gateway, m.creditor_id, m.debtor_id, m.currency
  order by m.instance_id, m.id, m.booked_on
  on conflict (instance_id, account_id, booked_on) do update set amount_minor = d.amount_minor + excluded.amount_minor;
  return null;
end $$;

-- Nothing came in, and nothing was taken back: what the share that was moved away had counted is counted out.
create function keep_moved_money() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  is_line boolean := new.cause like 'moved:%';
  money text := case when is_line then split_part(new.cause, ':', 3) else money_of(new.cause) end;
  up_to integer := case when is_line then split_part(new.cause, ':', 4)::integer else share_of(new.cause) - 1 end;
  since integer := case when is_line then coalesce((
      select max(split_part(m.cause, ':', 4)::integer) from ledger_transaction m where m.instance_id = new.instance_id
        and m.cause = any (select 'moved:bank-line:' || money || ':' || n from generate_series(1, up_to - 1) n)), 0) + 1
    else up_to end;
begin
  insert into figure_move (instance_id, creditor_id, figure, day, method, currency, n, minor)
  select new.instance_id, coalesce(c.creditor_id, i.creditor_id), money_figure(t.kind, t.cause),
    case when t.kind = 'PAYMENT' then came_on(t) else t.booked_on end, a.gateway, a.currency, -1, -sum(p.amount_minor)
  from generate_series(since, up_to) n
  cross join lateral (values ('payment:'), ('reversal:payment:')) b (begins)
  join ledger_transaction t on t.instance_id = new.instance_id
    and t.cause = b.begins || money || case when n = 1 then '' else ':' || n end
  join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'clearing'
  left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
  left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id and t.claim_id is null
  group by t.instance_id, t.id, 2, 3, 4, 5, 6 having sum(p.amount_minor) <> 0;
  return null;
end $$;
create trigger moved_money_is_in_figures after insert on ledger_transaction for each row
  when (new.cause like 'moved:bank-line:%' or new.kind = 'PAYMENT' and new.payment_id is not null and new.cause like 'payment:%:%')
  execute function keep_moved_money();

-- As before (0026); and by how much open debts grew or shrank, by their last day to pay.
create or replace function post_to_accounts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  lacks_account boolean;
begin
  if exists (select from inserted group by instance_id, transaction_id, currency having sum(amount_minor) <> 0) then
    raise exception 'the postings of a transaction must sum to zero in every currency' using errcode = 'KV001';
  end if;
  -- Always lock accounts in one order, so that two transactions can never wait for each other.
  perform from ledger_account a
    where (a.instance_id, a.id) in (select instance_id, account_id from inserted)
    order by a.instance_id, a.id
    for no key update;
  with wanted as (
    select instance_id, account_id, currency, sum(amount_minor) as amount_minor from inserted group by 1, 2, 3
  ), moved as (
    update ledger_account a set balance_minor = a.balance_minor + w.amount_minor
    from wanted w
    where a.instance_id = w.instance_id and a.id = w.account_id and a.currency = w.currency
    returning a.instance_id, a.kind, a.invoice_id, a.claim_id, w.amount_minor
  ), of_debts as (
    select instance_id, invoice_id, claim_id,
      coalesce(sum(amount_minor) filter (where kind = 'principal'), 0) as principal,
      coalesce(sum(amount_minor) filter (where kind = 'costs'), 0) as costs,
      coalesce(sum(amount_minor) filter (where kind = 'interest'), 0) as interest
    from moved where kind in ('principal', 'costs', 'interest') group by 1, 2, 3
  ), of_invoices as (
    update invoice i
    set principal_minor = i.principal_minor + d.principal,
        costs_minor = i.costs_minor + d.costs,
        interest_minor = i.interest_minor + d.interest
    from of_debts d where i.instance_id = d.instance_id and i.id = d.invoice_id
    returning i.instance_id, i.creditor_id, i.expire_date, i.currency, i.balance_minor as balance,
      i.balance_minor - (d.principal + d.costs + d.interest)::bigint as was,
      -- Of which figure it is while anything is owed.
      open_figure(i.type, i.status, i.claim_id, i.is_part_payment, 1) as figure
  ), of_claims as (
    update claim c
    set principal_minor = c.principal_minor + d.principal,
        costs_minor = c.costs_minor + d.costs,
        interest_minor = c.interest_minor + d.interest
    from of_debts d where c.instance_id = d.instance_id and c.id = d.claim_id
    returning c.instance_id, c.creditor_id, c.opened_on, c.currency, c.balance_minor as balance,
      c.balance_minor - (d.principal + d.costs + d.interest)::bigint as was, open_claim_figure(c.status) as figure
  ), of_figures as (
    insert into figure_move (instance_id, creditor_id, figure, day, currency, n, minor)
    select instance_id, creditor_id, figure, expire_date, currency, sum((balance > 0)::int - (was > 0)::int),
      sum(greatest(balance, 0) - greatest(was, 0))
    from (select * from of_invoices union all select * from of_claims) d where figure is not null group by 1, 2, 3, 4, 5
    having sum((balance > 0)::int - (was > 0)::int) <> 0 or sum(greatest(balance, 0) - greatest(was, 0)) <> 0
  )
  select (select count(*) from wanted) <> (select count(*) from moved) into lacks_account;
  if lacks_account then
    raise exception 'a posting needs an account of its own currency' using errcode = 'KV003';
  end if;
  return null;
end $$;

-- How far an invoice has come, as rows: one for each figure that it is counted in.
-- Its plans, and those below, do not wait for statistics: the only way into the tables is by key.
create function stages_of(p invoice) returns table (figure text, day date) language sql stable
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
  select s.figure, s.day from (
    select sent_day(p.type, p.sent_date) as day, s.figure, s.is_reached from (values
      ('SENT', true),
      ('REMINDED', exists (select from collection_step s where s.instance_id = p.instance_id and s.debt_id = p.id
        and is_first_reminder(s.invoice_id, s.type, s.number, s.status))),
      ('CLAIMED', p.claim_id is not null),
      ('FILED', exists (select from court_application a where a.instance_id = p.instance_id and a.claim_id = p.claim_id
        and is_filed(a.status)))
    ) s (figure, is_reached)) s
  where s.day is not null and s.is_reached
$$;

create function keep_new_invoices() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into figure_move (instance_id, creditor_id, figure, day, n)
  select i.instance_id, i.creditor_id, s.figure, sent_day(i.type, i.sent_date), count(*)
  from inserted i cross join lateral (values ('SENT', true), ('CLAIMED', i.claim_id is not null)) s (figure, is_reached)
  where s.is_reached and sent_day(i.type, i.sent_date) is not null
  group by 1, 2, 3, 4;
  return null;
end $$;
create trigger invoice_new_is_in_figures after insert on invoice
  referencing new table as inserted for each statement execute function keep_new_invoices();

create function keep_moved_invoice() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if old.claim_id is distinct from new.claim_id
    or sent_day(old.type, old.sent_date) is distinct from sent_day(new.type, new.sent_date) then
    insert into figure_move (instance_id, creditor_id, figure, day, n)
    select new.instance_id, new.creditor_id, m.figure, m.day, sum(m.n)
    from (select s.figure, s.day, -1 as n from stages_of(old) s union all select s.figure, s.day, 1 from stages_of(new) s) m
    group by 3, 4 having sum(m.n) <> 0;
  end if;
  if old.balance_minor > 0 or new.balance_minor > 0 then
    insert into figure_move (instance_id, creditor_id, figure, day, currency, n, minor)
    select new.instance_id, new.creditor_id, m.figure, m.day, new.currency, sum(m.n), sum(m.minor)
    from (values
      (open_figure(old.type, old.status, old.claim_id, old.is_part_payment, old.balance_minor), old.expire_date, -1, -old.balance_minor),
      (open_figure(new.type, new.status, new.claim_id, new.is_part_payment, new.balance_minor), new.expire_date, 1, new.balance_minor)
    ) m (figure, day, n, minor)
    where m.figure is not null group by 3, 4 having sum(m.n) <> 0 or sum(m.minor) <> 0;
  end if;
  return null;
end $$;
create trigger invoice_moved_is_in_figures
  after update of status, claim_id, sent_date, expire_date, is_part_payment on invoice for each row
  -- Written out: a function here is taken apart anew for each statement. What closes owes nothing by then, and moves nothing.
  when (old.sent_date is distinct from new.sent_date or old.claim_id is distinct from new.claim_id
    or old.expire_date <> new.expire_date or old.is_part_payment <> new.is_part_payment
    or old.status <> new.status and (old.balance_minor > 0 or new.balance_minor > 0))
  execute function keep_moved_invoice();

create function keep_moved_claim() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into figure_move (instance_id, creditor_id, figure, day, currency, n, minor)
  select new.instance_id, new.creditor_id, 'OPEN_CLAIM', new.opened_on, new.currency, sum(m.n), sum(m.minor)
  from (values (open_claim_figure(old.status), old.balance_minor, -1, -old.balance_minor),
    (open_claim_figure(new.status), new.balance_minor, 1, new.balance_minor)) m (figure, balance, n, minor)
  where m.figure is not null and m.balance > 0 having sum(m.n) <> 0 or sum(m.minor) <> 0;
  return null;
end $$;
create trigger claim_moved_is_in_figures after update of status on claim for each row
  when (old.status <> new.status and (old.balance_minor > 0 or new.balance_minor > 0)) execute function keep_moved_claim();

-- All steps of a statement at once: a daily run performs them by the thousand. The old rows are not joined to the new ones but counted
-- against them.
create function keep_steps() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'INSERT' then
    insert into figure_move (instance_id, creditor_id, figure, day, n)
    select i.instance_id, i.creditor_id, 'REMINDED', sent_day(i.type, i.sent_date), count(*)
    from inserted s join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
    where is_first_reminder(s.invoice_id, s.type, s.number, s.status) and sent_day(i.type, i.sent_date) is not null
    group by 1, 2, 4;
  else
    insert into figure_move (instance_id, creditor_id, figure, day, n)
    select i.instance_id, i.creditor_id, 'REMINDED', sent_day(i.type, i.sent_date), sum(s.n)
    from (
      select c.instance_id, c.invoice_id, sum(c.n) as n from (
        select instance_id, invoice_id, 1 as n from inserted where is_first_reminder(invoice_id, type, number, status)
        union all
        select instance_id, invoice_id, -1 from removed where is_first_reminder(invoice_id, type, number, status)) c
      group by 1, 2 having sum(c.n) <> 0) s
    join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
    where sent_day(i.type, i.sent_date) is not null
    group by 1, 2, 4;
  end if;
  return null;
end $$;
create trigger step_new_is_in_figures after insert on collection_step
  referencing new table as inserted for each statement execute function keep_steps();
create trigger step_moved_is_in_figures after update on collection_step
  referencing new table as inserted old table as removed for each statement execute function keep_steps();

-- Of the applications of a claim one stands at a time.
create function keep_filed() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  it court_application := coalesce(new, old);
  change integer := (tg_op <> 'DELETE' and is_filed(new.status))::integer - (tg_op <> 'INSERT' and is_filed(old.status))::integer;
begin
  insert into figure_move (instance_id, creditor_id, figure, day, n)
  select i.instance_id, i.creditor_id, 'FILED', sent_day(i.type, i.sent_date), count(*) * change
  from invoice i
  where change <> 0 and i.instance_id = it.instance_id and i.claim_id = it.claim_id and sent_day(i.type, i.sent_date) is not null
  group by 1, 2, 4;
  return null;
end $$;
create trigger court_application_is_in_figures after insert or delete or update of status on court_application
  for each row execute function keep_filed();

create function keep_disputed() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  creditor uuid := coalesce(
    (select i.creditor_id from invoice i where i.instance_id = new.instance_id and i.id = new.invoice_id),
    (select c.creditor_id from claim c where c.instance_id = new.instance_id and c.id = new.claim_id));
  change integer := (new.status = 'OPEN')::integer - (tg_op = 'UPDATE' and old.status = 'OPEN')::integer;
begin
  insert into figure_move (instance_id, creditor_id, figure, day, n)
  select new.instance_id, creditor, m.figure, new.opened_on, m.n
  from (values ('DISPUTED', (tg_op = 'INSERT')::integer), ('OPEN_DISPUTE', change)) m (figure, n) where m.n <> 0;
  return null;
end $$;
create trigger dispute_is_in_figures after insert or update of status on dispute for each row execute function keep_disputed();

-- A purchase that leaves the account it was added to becomes a plan of its own, which has ended as it begins: none has begun.
create function keep_planned() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into figure_move (instance_id, creditor_id, figure, day, n)
  values (new.instance_id, new.creditor_id, 'PLANNED', new.started_on, 1);
  return null;
end $$;
create trigger part_payment_is_in_figures after insert on part_payment for each row
  when (new.status <> 'WITHDRAWN') execute function keep_planned();

-- Into the rows that are read, those of the creditor and those of all, so many moves and no more: of what has piled up nobody makes one
-- long transaction. Answers how many. One at a time; whoever comes meanwhile does nothing.
create function fold_figures(p_most integer default 50000) returns bigint language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('figures are folded', 0)) then return 0; end if;
  with gone as (
    delete from figure_move where ctid = any (array(select ctid from figure_move limit p_most)) returning *
  ), sums as (
    select instance_id, coalesce(creditor_id, of_all_creditors()) as creditor_id, figure, day, method, currency,
      sum(n) as n, sum(minor) as minor
    from gone
    group by grouping sets ((instance_id, creditor_id, figure, day, method, currency), (instance_id, figure, day, method, currency))
  ), written as (
    insert into figure_kept as k (instance_id, creditor_id, figure, day, method, currency, n, minor)
    select instance_id, creditor_id, figure, day, method, currency, n, minor from sums
    on conflict (instance_id, creditor_id, figure, day, method, currency)
      do update set n = k.n + excluded.n, minor = k.minor + excluded.minor)
  select count(*) into folded from gone;
  return folded;
end $$;
revoke execute on function fold_figures(integer) from public;
grant execute on function fold_figures(integer) to kvitt_app;

-- The same, counted from what it is about: the entries and the debts themselves. What is kept is filled from it, and checked against it.
create view figure_counted as
  select m.instance_id, m.creditor_id, m.figure, m.day, m.method, m.currency::text,
    sum(case when m.figure = 'REFUNDED' then -sign(m.minor) else 1 end)::bigint as n, sum(m.minor)::bigint as minor
  from (
    select t.instance_id, coalesce(c.creditor_id, i.creditor_id) as creditor_id, money_figure(t.kind, t.cause) as figure,
      case when t.kind = 'PAYMENT' and v.money is not null then came_on(t) else t.booked_on end as day, case when t.kind = 'REFUND' then '' else a.gateway end as method, p.currency, t.id, sum(p.amount_minor) as minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'clearing'
    left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
    left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id and t.claim_id is null
    left join share_moved v on v.instance_id = t.instance_id and v.money = money_of(t.cause)
    where money_figure(t.kind, t.cause) is not null and coalesce(t.claim_id, t.invoice_id) is not null
      and (v.money is null or share_of(t.cause) > v.up_to)
    group by 1, 2, 3, 4, 5, 6, 7 having sum(p.amount_minor) <> 0) m
  group by 1, 2, 3, 4, 5, 6
  union all
  select i.instance_id, i.creditor_id, open_figure(i.type, i.status, i.claim_id, i.is_part_payment, i.balance_minor), i.expire_date, '',
    i.currency::text, count(*), sum(i.balance_minor)::bigint
  from invoice i
  where open_figure(i.type, i.status, i.claim_id, i.is_part_payment, i.balance_minor) is not null
  group by 1, 2, 3, 4, 6
  union all
  select i.instance_id, i.creditor_id, s.figure, sent_day(i.type, i.sent_date), '', '', count(*), 0
  from invoice i
  left join collection_step r on r.instance_id = i.instance_id and r.debt_id = i.id
    and is_first_reminder(r.invoice_id, r.type, r.number, r.status)
  left join (select distinct instance_id, claim_id from court_application where is_filed(status)) a
    on a.instance_id = i.instance_id and a.claim_id = i.claim_id
  cross join lateral (values ('SENT', true), ('REMINDED', r.id is not null), ('CLAIMED', i.claim_id is not null),
    ('FILED', a.claim_id is not null)) s (figure, is_reached)
  where s.is_reached and sent_day(i.type, i.sent_date) is not null
  group by 1, 2, 3, 4
  union all
  select c.instance_id, c.creditor_id, 'OPEN_CLAIM', c.opened_on, '', c.currency::text, count(*), sum(c.balance_minor)::bigint
  from claim c where open_claim_figure(c.status) is not null and c.balance_minor > 0
  group by 1, 2, 4, 6
  union all
  select d.instance_id, coalesce(i.creditor_id, c.creditor_id), s.figure, d.opened_on, '', '', count(*), 0
  from dispute d
  left join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
  left join claim c on c.instance_id = d.instance_id and c.id = d.claim_id
  cross join lateral (values ('DISPUTED', true), ('OPEN_DISPUTE', d.status = 'OPEN')) s (figure, is_so)
  where s.is_so
  group by 1, 2, 3, 4
  union all
  select p.instance_id, p.creditor_id, 'PLANNED', p.started_on, '', '', count(*), 0 from part_payment p
  -- Not what only left an account: all that is in it was added there.
  where p.status <> 'WITHDRAWN' or exists (select from part_payment_member m
    where m.instance_id = p.instance_id and m.part_payment_id = p.id and m.idempotency_key is null)
  group by 1, 2, 4;
grant select on figure_counted to kvitt_app;

-- Written anew from what they are about, while nobody changes it. Answers how many rows; 55P03 where somebody always changes it.
create function rebuild_figures() returns bigint language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  written bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('figures are folded', 0));
  perform hold_figures_still();
  delete from figure_move;
  delete from figure_kept;
  insert into figure_kept (instance_id, creditor_id, figure, day, method, currency, n, minor)
  select instance_id, coalesce(creditor_id, of_all_creditors()), figure, day, method, currency, sum(n), sum(minor)
  from figure_counted
  group by grouping sets ((instance_id, creditor_id, figure, day, method, currency), (instance_id, figure, day, method, currency));
  get diagnostics written = row_count;
  return written;
end $$;
revoke execute on function rebuild_figures() from public;
select rebuild_figures();

-- What is kept for the dashboard is what is counted, for each creditor and for all of them together.

create view figure_now as
  select instance_id, creditor_id, figure, day, method, currency, n, minor from figure_kept
  union all
  select m.instance_id, w.creditor_id, m.figure, m.day, m.method, m.currency, m.n, m.minor
  from figure_move m cross join lateral (values (m.creditor_id), (of_all_creditors())) w (creditor_id);
grant select on figure_now to kvitt_app;

create view inv_i59_figures_kept_are_counted as
  select coalesce(k.instance_id, c.instance_id) as instance_id, coalesce(k.creditor_id, c.creditor_id) as creditor_id,
    coalesce(k.figure, c.figure) as figure, coalesce(k.day, c.day) as day, coalesce(k.method, c.method) as method,
    coalesce(k.currency, c.currency) as currency, k.n as kept, c.n as counted, k.minor as kept_minor, c.minor as counted_minor
  from (
    select instance_id, creditor_id, figure, day, method, currency, sum(n) as n, sum(minor) as minor
    from figure_now group by 1, 2, 3, 4, 5, 6) k
  full join (
    select instance_id, coalesce(creditor_id, of_all_creditors()) as creditor_id, figure, day, method, currency, sum(n) as n,
      sum(minor) as minor
    from figure_counted
    group by grouping sets ((instance_id, creditor_id, figure, day, method, currency), (instance_id, figure, day, method, currency))) c
    on c.instance_id = k.instance_id and c.creditor_id = k.creditor_id and c.figure = k.figure and c.day = k.day
      and c.method = k.method and c.currency = k.currency
  where coalesce(k.n, 0) <> coalesce(c.n, 0) or coalesce(k.minor, 0) <> coalesce(c.minor, 0);
grant select on inv_i59_figures_kept_are_counted to kvitt_app;
