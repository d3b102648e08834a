-- Claims: unpaid invoices of one debtor and one creditor that are collected together. What an invoice owed moves
-- to the claim, so that every krona is owed in one place. An invoice and a claim are both a debt: steps, payments
-- and disputes belong to exactly one of them, and `debt_id` is whichever it is.

create table claim (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  debtor_id uuid not null,
  status text not null check (status in ('OPEN', 'RESUME', 'PAUSED', 'DISPUTED', 'CLOSED', 'STOPPED')),
  stop_reason text,
  claim_number text not null check (claim_number ~ '^[0-9]{1,20}$'),
  payment_reference text not null,
  -- The debtor's zip as the login compares it.
  zip text not null,
  currency char(3) not null,
  opened_on date not null,
  -- The last day to pay that the newest demand gave.
  expire_date date not null,
  -- What the documents of its invoices asked for; never changes.
  total_minor bigint not null,
  -- Caches of the ledger, written by the posting trigger only.
  principal_minor bigint not null default 0,
  costs_minor bigint not null default 0,
  interest_minor bigint not null default 0,
  balance_minor bigint not null generated always as (principal_minor + costs_minor + interest_minor) stored,
  -- The last day whose late interest is in the books.
  interest_posted_to date not null,
  is_part_payment boolean not null default false,
  part_payment_variant text check (part_payment_variant in ('PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT')),
  pause_reason text,
  paused_on date,
  resume_date date,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, claim_number),
  -- A reference of ours, of this claim alone.
  unique (instance_id, payment_reference),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, payment_reference) references payment_reference (instance_id, reference),
  check (status <> 'PAUSED' or paused_on is not null),
  check (status <> 'STOPPED' or stop_reason is not null)
);
alter table claim set (fillfactor = 60);
create index claim_debtor on claim (instance_id, debtor_id);
create index claim_resumes on claim (instance_id, resume_date) where status = 'PAUSED';

-- The newest number that an instance has given to a claim.
create table claim_counter (
  instance_id uuid primary key references instance (id),
  last_number bigint not null
);

alter table invoice add column claim_id uuid,
  add foreign key (instance_id, claim_id) references claim (instance_id, id);
create index invoice_claim on invoice (instance_id, claim_id) where claim_id is not null;
-- What a claim holds is not in the open list.
drop index invoice_open_by_due_day;
create index invoice_open_by_due_day on invoice (instance_id, debtor_id, expire_date, id)
  where status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and type <> 'CREDIT_INVOICE' and claim_id is null;

alter table collection_step alter column invoice_id drop not null,
  add column claim_id uuid,
  add column debt_id uuid not null generated always as (coalesce(invoice_id, claim_id)) stored,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = 1);
drop index collection_step_invoice;
create index collection_step_debt on collection_step (instance_id, debt_id);
drop index collection_step_once;
create unique index collection_step_once on collection_step (instance_id, debt_id, type, number)
  where status in ('PLANNED', 'PERFORMED', 'ON_HOLD') and type <> 'CREDIT_INVOICE';

alter table dispute alter column invoice_id drop not null,
  add column claim_id uuid,
  add column debt_id uuid not null generated always as (coalesce(invoice_id, claim_id)) stored,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = 1);
drop index dispute_one_open;
create unique index dispute_one_open on dispute (instance_id, debt_id) where status = 'OPEN';

alter table payment alter column invoice_id drop not null,
  add column claim_id uuid,
  add column debt_id uuid not null generated always as (coalesce(invoice_id, claim_id)) stored,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = 1);
alter table payment drop constraint payment_instance_id_invoice_id_idempotency_key_key,
  add constraint payment_idempotency_key unique (instance_id, debt_id, idempotency_key);
drop index payment_one_under_way;
create unique index payment_one_under_way on payment (instance_id, debt_id)
  where status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED');

-- ---------------------------------------------------------------------------------------------------------
-- The books: the three buckets of a claim are accounts like those of an invoice.

do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'ledger_account'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%invoice_id%'
  loop
    execute format('alter table ledger_account drop constraint %I', name);
  end loop;
end $$;
alter table ledger_account add column claim_id uuid,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = case when kind in ('principal', 'costs', 'interest') then 1 else 0 end);
drop index ledger_account_owner;
create unique index ledger_account_owner on ledger_account
  (instance_id, invoice_id, claim_id, creditor_id, debtor_id, gateway, kind, currency) nulls not distinct;
create index ledger_account_claim on ledger_account (instance_id, claim_id) where claim_id is not null;

-- A TRANSFER_TO_CLAIM names both: what leaves the invoice arrives at the claim.
alter table ledger_transaction add column claim_id uuid,
  add foreign key (instance_id, claim_id) references claim (instance_id, id);
create index ledger_transaction_claim on ledger_transaction (instance_id, claim_id) where claim_id is not null;

create or replace function post_to_accounts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if exists (select from inserted group by instance_id, transaction_id, currency having sum(amount_minor) <> 0) then
    raise exception 'the postings of a transaction must sum to zero in every currency' using errcode = 'KV001';
  end if;
  if exists (
    select from inserted p
    left join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.currency = p.currency
    where a.id is null
  ) then
    raise exception 'a posting needs an account of its own currency' using errcode = 'KV003';
  end if;
  -- Always lock accounts in one order, so that two transactions can never wait for each other.
  perform from ledger_account a
    where (a.instance_id, a.id) in (select instance_id, account_id from inserted)
    order by a.instance_id, a.id
    for no key update;
  update ledger_account a
    set balance_minor = a.balance_minor + d.amount_minor
    from (select instance_id, account_id, sum(amount_minor) as amount_minor from inserted group by 1, 2) d
    where a.instance_id = d.instance_id and a.id = d.account_id;
  update invoice i
    set principal_minor = i.principal_minor + d.principal,
        costs_minor = i.costs_minor + d.costs,
        interest_minor = i.interest_minor + d.interest
    from (
      select a.instance_id, a.invoice_id,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0) as principal,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0) as costs,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0) as interest
      from inserted p
      join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
      where a.invoice_id is not null
      group by 1, 2
    ) d
    where i.instance_id = d.instance_id and i.id = d.invoice_id;
  update claim c
    set principal_minor = c.principal_minor + d.principal,
        costs_minor = c.costs_minor + d.costs,
        interest_minor = c.interest_minor + d.interest
    from (
      select a.instance_id, a.claim_id,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0) as principal,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0) as costs,
        coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0) as interest
      from inserted p
      join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
      where a.claim_id is not null
      group by 1, 2
    ) d
    where c.instance_id = d.instance_id and c.id = d.claim_id;
  return null;
end $$;

-- As before; a claim's pair that knocks at another door than its own is no guess either.
create or replace function close_guesses(
  p_instance uuid, p_references text[], p_zips text[], p_keys bytea[], p_limits integer[], p_now timestamptz,
  p_wrong integer[]
) returns table (n integer, wait_seconds integer) language plpgsql volatile rows 5 as $$
#variable_conflict use_column
declare
  scopes constant text[] := array['reference-day', 'reference-month', 'zip', 'network', 'instance'];
  lengths constant interval[] := array['1 day', '30 days', '1 hour', '1 hour', '10 minutes'];
begin
  if p_wrong is null then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  return query
  -- A right pair whose invoice is not shown weighs nothing and costs the same work, so that time tells nothing.
  with guess as (
    select w.n, (select case when count(*) = 0 then 1 else 0 end from (
      select from invoice i
      where i.instance_id = p_instance and i.payment_reference = p_references[w.n] and i.zip = p_zips[w.n]
      union all
      select from claim c
      where c.instance_id = p_instance and c.payment_reference = p_references[w.n] and c.zip = p_zips[w.n]) held)::integer as weight
    from unnest(p_wrong) w (n)
  ), touched as (
    select g.n, s.s, p_keys[g.n * 5 - 5 + s.s] as key, g.weight
    from guess g cross join generate_series(1, 5) s (s) where p_limits[s.s] is not null
  ), counted as (
    insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
    select p_instance, t.key, scopes[t.s], p_now + lengths[t.s], sum(t.weight)
    from touched t group by t.key, t.s order by t.key
    on conflict (instance_id, key) do update set
      fails = case when b.expires_at > p_now then b.fails else 0 end + excluded.fails,
      passes = case when b.expires_at > p_now then b.passes else 0 end,
      expires_at = case when b.expires_at > p_now then b.expires_at else excluded.expires_at end
    returning b.key, b.scope, b.fails, b.expires_at
  )
  select t.n, ceil(extract(epoch from max(c.expires_at) filter (
      where c.scope <> 'instance' and c.fails > p_limits[t.s]) - p_now))::integer
  from touched t join counted c on c.key = t.key group by t.n;
end $$;

-- ---------------------------------------------------------------------------------------------------------
-- Invariants.

create or replace view inv_i2_balances_equal_postings as
  select a.instance_id, a.id as account_id, a.balance_minor, coalesce(p.sum_minor, 0) as sum_minor
  from ledger_account a
  left join (select instance_id, account_id, sum(amount_minor) as sum_minor from posting group by 1, 2) p
    on p.instance_id = a.instance_id and p.account_id = a.id
  where a.balance_minor <> coalesce(p.sum_minor, 0)
  union all
  select d.instance_id, d.id, d.balance_minor, coalesce(a.sum_minor, 0)
  from (
    select instance_id, id, principal_minor, costs_minor, interest_minor, balance_minor from invoice
    union all
    select instance_id, id, principal_minor, costs_minor, interest_minor, balance_minor from claim) d
  left join (
    select instance_id, coalesce(invoice_id, claim_id) as debt_id, sum(balance_minor) as sum_minor,
      coalesce(sum(balance_minor) filter (where kind = 'principal'), 0) as principal,
      coalesce(sum(balance_minor) filter (where kind = 'costs'), 0) as costs,
      coalesce(sum(balance_minor) filter (where kind = 'interest'), 0) as interest
    from ledger_account where num_nonnulls(invoice_id, claim_id) = 1 group by 1, 2) a
    on a.instance_id = d.instance_id and a.debt_id = d.id
  where (d.principal_minor, d.costs_minor, d.interest_minor)
    is distinct from (coalesce(a.principal, 0), coalesce(a.costs, 0), coalesce(a.interest, 0));

create or replace view inv_i11_disputes_pause as
  select x.instance_id, x.id as invoice_id, x.status, count(d.id) as open_disputes
  from (select instance_id, id, status from invoice union all select instance_id, id, status from claim) x
  left join dispute d on d.instance_id = x.instance_id and d.debt_id = x.id and d.status = 'OPEN'
  group by x.instance_id, x.id, x.status
  having (x.status = 'DISPUTED') <> (count(d.id) = 1)
  union all
  select s.instance_id, s.debt_id, x.status, null
  from collection_step s
  join (select instance_id, id, status from invoice union all select instance_id, id, status from claim) x
    on x.instance_id = s.instance_id and x.id = s.debt_id
  where s.status = 'PLANNED' and x.status in ('DISPUTED', 'CLOSED', 'STOPPED', 'ARCHIVED');

create or replace view inv_i15_status_agrees_with_balance as
  select i.instance_id, i.id as invoice_id, i.status, i.balance_minor
  from invoice i
  left join claim c on c.instance_id = i.instance_id and c.id = i.claim_id
  where (i.status in ('CLOSED', 'ARCHIVED') and i.balance_minor <> 0)
    or (i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') and i.balance_minor = 0
      and not i.is_part_payment and coalesce(c.status not in ('OPEN', 'RESUME', 'PAUSED', 'DISPUTED'), true))
    or (i.status = 'PENDING_AUTHORIZATION' and not exists (
      select from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id and p.status = 'AUTHORIZED'));

create or replace view inv_i16_fees_have_steps as
  select t.instance_id, t.id as transaction_id, t.kind
  from ledger_transaction t
  where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'COURT_FEE') and not exists (
    select from collection_step s where s.instance_id = t.instance_id and s.debt_id = coalesce(t.claim_id, t.invoice_id)
      and t.cause = 'step:' || s.id and s.status = 'PERFORMED');

-- What a claim owes is in its own buckets and nowhere else, and its invoices share its fate.
create view inv_i17_claims_hold_the_balance as
  select c.instance_id, c.id as claim_id, c.status, c.balance_minor, 'balance' as violation
  from claim c
  where c.balance_minor < 0 or (c.status = 'CLOSED' and c.balance_minor <> 0)
    or (c.status in ('OPEN', 'RESUME', 'PAUSED', 'DISPUTED') and c.balance_minor = 0)
  union all
  select c.instance_id, c.id, c.status, c.balance_minor, 'events'
  from claim c
  left join (
    select t.instance_id, t.claim_id, sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.claim_id = t.claim_id
    group by 1, 2) e on e.instance_id = c.instance_id and e.claim_id = c.id
  where c.balance_minor <> coalesce(e.amount_minor, 0)
  union all
  select c.instance_id, c.id, c.status, i.balance_minor, 'member'
  from claim c join invoice i on i.instance_id = c.instance_id and i.claim_id = c.id
  where i.balance_minor <> 0 or i.debtor_id <> c.debtor_id or i.creditor_id <> c.creditor_id or i.currency <> c.currency
    or i.status <> case when c.status in ('CLOSED', 'STOPPED') then c.status else 'ACTIVATED' end
      and i.status <> 'ARCHIVED'
  union all
  select c.instance_id, c.id, c.status, c.balance_minor, 'no members'
  from claim c
  where not exists (select from invoice i where i.instance_id = c.instance_id and i.claim_id = c.id);

grant select, insert on claim to kvitt_app;
grant select, insert, update on claim_counter to kvitt_app;
grant select on inv_i17_claims_hold_the_balance to kvitt_app;
grant update (status, stop_reason, expire_date, interest_posted_to, is_part_payment, part_payment_variant, pause_reason,
  paused_on, resume_date) on claim to kvitt_app;
grant update (claim_id) on invoice to kvitt_app;
