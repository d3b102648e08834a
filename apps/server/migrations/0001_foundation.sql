-- The foundation: instances and their people, invoices, payments, and the double-entry ledger.
--
-- Every key starts with instance_id, so that no constraint can tell one instance about another's rows and no
-- reference can cross from one instance to the next. Statuses are text with a check; the moves between them
-- are the program's tables (packages/domain), carried by updates that name the old status.

do $$
begin
  if not exists (select from pg_roles where rolname = 'kvitt_app') then
    create role kvitt_app login nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end $$;
grant kvitt_app to current_user;
revoke create on schema public from public;
grant usage on schema public to kvitt_app;

-- Secrets that the installation makes for itself, such as the key that signs file links.
create table secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

-- How many days the demo's business day runs ahead of the real one. Always one row.
create table clock_shift (
  only_row boolean primary key default true check (only_row),
  days integer not null default 0 check (days >= 0)
);
insert into clock_shift default values;

-- A row exists when this database was made for the demo; loaded_at when its cast is complete.
create table demo_cast (
  only_row boolean primary key default true check (only_row),
  loaded_at timestamptz
);

create table instance (
  id uuid primary key,
  name text not null,
  country char(2) not null,
  language text not null,
  time_zone text not null,
  identification_number text not null,
  url_alias text not null,
  url_domain text not null,
  is_default boolean not null default false,
  is_product_owner boolean not null default false,
  mode text not null check (mode in ('test', 'live')),
  homepage text,
  phone text not null,
  email text not null,
  analytics_code text,
  helpdesk_chat_html text,
  primary_colour text not null check (primary_colour ~ '^#[0-9a-f]{6}$'),
  secondary_colour text not null check (secondary_colour ~ '^#[0-9a-f]{6}$'),
  button_colour text not null check (button_colour ~ '^#[0-9a-f]{6}$'),
  palette jsonb not null,
  logo_name text,
  favicon_name text,
  background_name text,
  login_background_name text,
  sekki_name text,
  terms_name text,
  created_at timestamptz not null default now(),
  unique (url_alias, url_domain)
);
create unique index instance_one_default on instance (is_default) where is_default;

-- Bytes that are kept: attachments, drawn documents, branding. In the database, so that one backup and one
-- transaction cover a document and the rows that speak of it.
create table file (
  instance_id uuid not null references instance (id),
  id uuid not null,
  public_name text,
  mime_type text not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, public_name)
);
alter table file alter column content set storage external;

create table creditor (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- What the creditor is recognised by in files: registration number and country, else name and country.
  identity text not null,
  name text not null,
  country char(2) not null,
  identification_number text,
  email text,
  phone text,
  address text,
  address2 text,
  zip text,
  city text,
  logo_name text,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, identity)
);

-- Where money is paid to. creditor_id null is the instance's own client-funds account (D-27).
create table payment_account (
  instance_id uuid not null references instance (id),
  id uuid not null,
  creditor_id uuid,
  scheme text not null check (scheme in ('BANKGIRO', 'PLUSGIRO', 'IBAN', 'LOCAL')),
  account_number text,
  receiver_name text not null,
  bank_name text,
  iban text,
  bic text,
  -- False when the check digits fail: shown as printed, never paid to.
  is_usable boolean not null,
  -- Digits and letters only; what makes an account the same account.
  number_key text not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, number_key),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create index payment_account_creditor on payment_account (instance_id, creditor_id);

create table debtor (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- Identification number and country when known, else name, zip and country.
  identity text not null,
  kind text not null check (kind in ('PERSON', 'COMPANY')),
  name text not null,
  country char(2) not null,
  identification_number text,
  email text,
  phone text,
  address text,
  address2 text,
  zip text not null,
  city text,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, identity)
);

-- A payment reference belongs to one debtor and one creditor of an instance (D-22).
create table payment_reference (
  instance_id uuid not null,
  reference text not null check (reference ~ '^[0-9]{2,25}$'),
  debtor_id uuid not null,
  creditor_id uuid not null,
  primary key (instance_id, reference),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);

create table invoice (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  debtor_id uuid not null,
  type text not null check (type in ('INVOICE', 'PART_INVOICE', 'ACCOUNT_INVOICE', 'ONGOING_INVOICE',
    'INTEREST_INVOICE', 'CREDIT_INVOICE', 'MEMBERSHIP_FEE')),
  status text not null check (status in ('CREATED', 'PENDING', 'ACTIVATED', 'PAUSED', 'DISPUTED',
    'PENDING_AUTHORIZATION', 'CLOSED', 'STOPPED', 'ARCHIVED')),
  -- Where PENDING_AUTHORIZATION came from, to go back there (I16).
  status_before_authorization text check (status_before_authorization in ('ACTIVATED', 'PAUSED')),
  stop_reason text,
  invoice_number text not null,
  payment_reference text not null,
  original_reference text,
  -- The debtor's zip as the login compares it: capitals, no spaces.
  zip text not null,
  issue_date date not null,
  sent_date date,
  expire_date date not null,
  currency char(3) not null,
  total_minor bigint not null,
  -- Caches of the ledger, written by the posting trigger only.
  principal_minor bigint not null default 0,
  costs_minor bigint not null default 0,
  interest_minor bigint not null default 0,
  balance_minor bigint not null generated always as (principal_minor + costs_minor + interest_minor) stored,
  payment_account_id uuid,
  property text,
  -- What was bought: [{line, name, description, quantity, unit, amount, accountNumber}]. Never changed.
  rows jsonb not null default '[]',
  has_copy boolean not null default true,
  is_part_payment boolean not null default false,
  part_payment_variant text check (part_payment_variant in ('PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT')),
  content_hash bytea,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, creditor_id, type, invoice_number),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, payment_reference) references payment_reference (instance_id, reference),
  foreign key (instance_id, payment_account_id) references payment_account (instance_id, id),
  check ((status = 'PENDING_AUTHORIZATION') = (status_before_authorization is not null)),
  check (status <> 'STOPPED' or stop_reason is not null)
);
-- Room on each page for the next version of a row: a balance that moves then touches no index.
alter table invoice set (fillfactor = 60);
create index invoice_reference on invoice (instance_id, payment_reference, zip);
create index invoice_debtor on invoice (instance_id, debtor_id);

-- A credit note that was applied to an invoice we hold (I5). One that could not be is an invoice of its own.
create table credit_note (
  instance_id uuid not null,
  creditor_id uuid not null,
  credit_note_number text not null,
  invoice_id uuid not null,
  transaction_id uuid not null,
  content_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, creditor_id, credit_note_number),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id)
);

create table document (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  type text not null,
  topic text not null check (topic in ('INVOICE', 'REMINDER', 'PAYMENT', 'CONNECTED_FILE')),
  name_raw text not null,
  file_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, file_id) references file (instance_id, id)
);
create index document_invoice on document (instance_id, invoice_id);

-- The collection schedule: the specification's ledger events.
create table collection_step (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  type text not null,
  planned_date date,
  performed_date date,
  status text not null check (status in ('PLANNED', 'PERFORMED', 'SKIPPED', 'CANCELLED', 'ON_HOLD')),
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  check ((status = 'PERFORMED') = (performed_date is not null))
);
create index collection_step_invoice on collection_step (instance_id, invoice_id);

-- ---------------------------------------------------------------------------------------------------------
-- The ledger. Debit is positive, credit negative. A transaction's postings sum to zero in every currency.

create table ledger_account (
  instance_id uuid not null,
  id uuid not null,
  kind text not null check (kind in (
    -- what a debtor owes on one invoice
    'principal', 'costs', 'interest',
    -- per creditor: the counterweight of what its debtors owe, and what we hold for it
    'claims_on_debtors', 'held_for_creditor',
    -- per gateway: money that the gateway says is settled
    'clearing',
    -- per debtor: money paid too much; per instance: money that nobody has placed yet
    'credit', 'suspense')),
  currency char(3) not null,
  invoice_id uuid,
  creditor_id uuid,
  debtor_id uuid,
  gateway text,
  balance_minor bigint not null default 0,
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check ((kind in ('principal', 'costs', 'interest')) = (invoice_id is not null)),
  check ((kind in ('claims_on_debtors', 'held_for_creditor')) = (creditor_id is not null)),
  check ((kind = 'clearing') = (gateway is not null)),
  check ((kind = 'credit') = (debtor_id is not null))
);
alter table ledger_account set (fillfactor = 60);
-- One account of a kind per owner. Nulls are equal here, so the owner columns together are the owner.
create unique index ledger_account_owner on ledger_account
  (instance_id, invoice_id, creditor_id, debtor_id, gateway, kind, currency) nulls not distinct;

create table ledger_transaction (
  instance_id uuid not null,
  id uuid not null,
  -- The financial event: INVOICE, CREDIT_INVOICE, PAYMENT ...
  kind text not null check (kind in ('INVOICE', 'CREDIT_INVOICE', 'REMINDER', 'COLLECTION',
    'DELAYED_PENALTY_FEE', 'INTEREST', 'START_FEE', 'ADMIN_FEE', 'COURT_FEE', 'PAYMENT', 'REFUND', 'WRITE_OFF',
    'TRANSFER_TO_CLAIM', 'TRANSFER_TO_PLAN', 'REVERSAL')),
  -- The business day it belongs to.
  booked_on date not null,
  -- What caused it, such as payment:<id>. The same cause can never post twice.
  cause text not null,
  invoice_id uuid,
  payment_id uuid,
  posted_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, cause),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id)
);
create index ledger_transaction_invoice on ledger_transaction (instance_id, invoice_id);

create table posting (
  instance_id uuid not null,
  transaction_id uuid not null,
  line smallint not null,
  account_id uuid not null,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (instance_id, transaction_id, line),
  foreign key (instance_id, transaction_id) references ledger_transaction (instance_id, id)
);
-- That a posting's account exists and has its currency is checked by the trigger below, for all rows at once:
-- as a foreign key it was the dearest part of posting.

-- Runs once per insert statement. All postings of a transaction arrive in one statement, so the sum can be
-- checked at once, and balances move in the same statement as the postings that move them.
create function post_to_accounts() returns trigger
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
  return null;
end $$;

create trigger posting_moves_balances after insert on posting
  referencing new table as inserted for each statement execute function post_to_accounts();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: a correction is another entry', tg_table_name using errcode = 'KV002';
end $$;

create trigger posting_append_only before update or delete or truncate on posting
  for each statement execute function refuse_change();
create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();

-- ---------------------------------------------------------------------------------------------------------
-- Payments.

create table payment (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  gateway text not null,
  option text not null check (option in ('pay-now', 'due-date')),
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  execution_date date not null,
  -- Who is paid, frozen when the payment is made.
  payee_name text not null,
  payee_account text not null,
  payee_scheme text not null,
  payment_reference text not null,
  status text not null check (status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED', 'COMPLETED', 'FAILED')),
  failure text,
  gateway_payment_id text,
  external_link text,
  redirect_uri text not null,
  -- Unguessable part of the address that the gateway calls back.
  callback_secret text not null unique,
  idempotency_key text not null,
  request_hash bytea not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  checked_at timestamptz,
  -- True while the gateway could not be asked and this is the last known state.
  is_stale boolean not null default false,
  primary key (instance_id, id),
  unique (instance_id, invoice_id, idempotency_key),
  unique (instance_id, gateway, gateway_payment_id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id)
);
-- At most one payment of an invoice is under way, whatever races.
create unique index payment_one_under_way on payment (instance_id, invoice_id)
  where status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED');
create index payment_to_check on payment (checked_at) where status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED');

alter table ledger_transaction add foreign key (instance_id, payment_id) references payment (instance_id, id);

create table payment_move (
  instance_id uuid not null,
  payment_id uuid not null,
  number smallint not null,
  from_status text,
  to_status text not null,
  -- Which door brought the news: start, callback, return, sweep.
  door text not null,
  at timestamptz not null default now(),
  primary key (instance_id, payment_id, number),
  foreign key (instance_id, payment_id) references payment (instance_id, id)
);
create trigger payment_move_append_only before update or delete or truncate on payment_move
  for each statement execute function refuse_change();

-- What gateways told us, kept before it is believed. The same event is kept once.
create table gateway_event (
  gateway text not null,
  event_id text not null,
  instance_id uuid,
  payment_id uuid,
  body jsonb not null,
  received_at timestamptz not null default now(),
  tries integer not null default 0,
  applied_at timestamptz,
  parked_reason text,
  primary key (gateway, event_id),
  foreign key (instance_id, payment_id) references payment (instance_id, id),
  check (applied_at is null or parked_reason is null)
);
create index gateway_event_waiting on gateway_event (received_at) where applied_at is null and parked_reason is null;

-- What a person must look at: money or messages that no rule can place.
create table operator_task (
  instance_id uuid not null references instance (id),
  id uuid not null,
  kind text not null,
  -- What it is about; the same thing is asked once.
  about text not null,
  details jsonb not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (instance_id, id),
  unique (instance_id, kind, about)
);

-- ---------------------------------------------------------------------------------------------------------
-- Invariants. Each view lists violations and must be empty, always. The tests read them after every test.

create view inv_i1_postings_sum_to_zero as
  select instance_id, transaction_id, currency, sum(amount_minor) as sum_minor
  from posting group by 1, 2, 3 having sum(amount_minor) <> 0
  union all
  select t.instance_id, t.id, null, null from ledger_transaction t
  where not exists (select from posting p where p.instance_id = t.instance_id and p.transaction_id = t.id);

create view inv_i2_balances_equal_postings as
  select a.instance_id, a.id as account_id, a.balance_minor, coalesce(p.sum_minor, 0) as sum_minor
  from ledger_account a
  left join (select instance_id, account_id, sum(amount_minor) as sum_minor from posting group by 1, 2) p
    on p.instance_id = a.instance_id and p.account_id = a.id
  where a.balance_minor <> coalesce(p.sum_minor, 0)
  union all
  select i.instance_id, i.id, i.balance_minor, coalesce(a.sum_minor, 0)
  from invoice i
  left join (
    select instance_id, invoice_id, sum(balance_minor) as sum_minor,
      coalesce(sum(balance_minor) filter (where kind = 'principal'), 0) as principal,
      coalesce(sum(balance_minor) filter (where kind = 'costs'), 0) as costs,
      coalesce(sum(balance_minor) filter (where kind = 'interest'), 0) as interest
    from ledger_account where invoice_id is not null group by 1, 2) a
    on a.instance_id = i.instance_id and a.invoice_id = i.id
  where (i.principal_minor, i.costs_minor, i.interest_minor)
    is distinct from (coalesce(a.principal, 0), coalesce(a.costs, 0), coalesce(a.interest, 0));

create view inv_i3_ledger_is_append_only as
  select t.name as table_name, privilege.name as violation
  from (values ('posting'), ('ledger_transaction'), ('payment_move')) t (name)
  cross join (values ('UPDATE'), ('DELETE'), ('TRUNCATE')) privilege (name)
  where has_table_privilege('kvitt_app', t.name, privilege.name)
  union all
  select t.name, 'trigger missing or disabled'
  from (values ('posting'), ('ledger_transaction'), ('payment_move')) t (name)
  where not exists (
    select from pg_trigger g where g.tgrelid = t.name::regclass and g.tgname = t.name || '_append_only'
      and g.tgenabled in ('O', 'A'));

create view inv_i4_settled_payments_are_booked_once as
  select p.instance_id, p.id as payment_id, p.status, p.amount_minor, count(t.id) as bookings, sum(c.amount_minor) as booked_minor
  from payment p
  left join ledger_transaction t on t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT'
  left join (
    select o.instance_id, o.transaction_id, o.currency, sum(o.amount_minor) as amount_minor
    from posting o join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id
    where a.kind = 'clearing' group by 1, 2, 3) c
    on c.instance_id = t.instance_id and c.transaction_id = t.id and c.currency = p.currency
  group by p.instance_id, p.id, p.status, p.amount_minor
  having (p.status = 'COMPLETED' and (count(t.id) <> 1 or sum(c.amount_minor) is distinct from p.amount_minor))
    or (p.status <> 'COMPLETED' and count(t.id) <> 0);

create view inv_i5_events_end_once as
  select e.gateway, e.event_id
  from gateway_event e
  left join payment p on p.instance_id = e.instance_id and p.id = e.payment_id
  where e.applied_at is not null and p.id is null;

create view inv_i6_balances_follow_events as
  select i.instance_id, i.id as invoice_id, i.balance_minor
  from invoice i
  left join (
    select t.instance_id, t.invoice_id, sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.invoice_id = t.invoice_id
    group by 1, 2) e on e.instance_id = i.instance_id and e.invoice_id = i.id
  where i.balance_minor <> coalesce(e.amount_minor, 0)
    or (i.type <> 'CREDIT_INVOICE' and i.balance_minor < 0)
    or (i.type = 'CREDIT_INVOICE' and i.balance_minor > 0)
    or (i.status in ('CREATED', 'PENDING') and exists (
      select from ledger_transaction t where t.instance_id = i.instance_id and t.invoice_id = i.id));

create view inv_i15_status_agrees_with_balance as
  select i.instance_id, i.id as invoice_id, i.status, i.balance_minor
  from invoice i
  where (i.status in ('CLOSED', 'ARCHIVED') and i.balance_minor <> 0)
    or (i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION') and i.balance_minor = 0)
    or (i.status = 'PENDING_AUTHORIZATION' and not exists (
      select from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id and p.status = 'AUTHORIZED'));

-- Every key begins with instance_id. Until a table has been analysed the planner cannot know that this column tells
-- nothing, may choose an index by it alone, and keeps that plan for every foreign key check: a first large
-- import would take time by the square of its size. The program does not own the tables, so it asks here.
create function learn_table_sizes() returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if exists (select from pg_class where oid = 'public.invoice'::regclass and reltuples < 300) then
    analyze creditor, payment_account, debtor, payment_reference, invoice, collection_step, ledger_account,
      ledger_transaction, posting;
  end if;
end $$;
revoke execute on function learn_table_sizes() from public;
grant execute on function learn_table_sizes() to kvitt_app;

-- ---------------------------------------------------------------------------------------------------------
-- What the running program may do. It owns nothing, changes no balance and rewrites no entry.

grant select on all tables in schema public to kvitt_app;
grant insert on secret, instance, file, creditor, payment_account, debtor, payment_reference, invoice, credit_note,
  document, collection_step, ledger_account, ledger_transaction, posting, payment, payment_move, gateway_event,
  operator_task to kvitt_app;
grant update (days) on clock_shift to kvitt_app;
grant insert, update on demo_cast to kvitt_app;
grant update (status, status_before_authorization, stop_reason, sent_date, has_copy) on invoice to kvitt_app;
grant update (planned_date, performed_date, status) on collection_step to kvitt_app;
grant update (status, failure, gateway_payment_id, external_link, changed_at, checked_at, is_stale) on payment to kvitt_app;
grant update (instance_id, payment_id, tries, applied_at, parked_reason) on gateway_event to kvitt_app;
grant update (done_at) on operator_task to kvitt_app;
