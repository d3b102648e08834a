-- The accounts that debtors pay to, as two people have agreed them (staff.md 1): of the provider (no creditor) or of one creditor,
-- by currency. Nothing is ever changed or removed; what becomes of one is a row of its own.
create table payee_account (
  instance_id uuid not null references instance (id),
  id uuid not null,
  creditor_id uuid,
  currency char(3) not null,
  scheme text not null check (scheme in ('IBAN', 'BANKGIRO', 'PLUSGIRO')),
  number text not null check (number ~ '^[0-9A-Z]{2,34}$'),
  bic text,
  receiver_name text not null check (receiver_name <> ''),
  holder text not null check (holder in ('INSTANCE', 'CREDITOR')),
  proposal_id uuid not null,
  -- Of several of one place, the last one that holds is shown.
  position bigint generated always as identity,
  agreed_at timestamptz not null,
  -- On the product's clock, which the demo moves. Until then the account before is shown.
  usable_from timestamptz not null,
  primary key (instance_id, id),
  unique (instance_id, proposal_id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id),
  constraint payee_account_of_all_is_ours check (creditor_id is not null or holder = 'INSTANCE')
);
create index payee_account_of_place on payee_account (instance_id, creditor_id, currency, position);
create trigger payee_account_append_only before update or delete or truncate on payee_account
  for each statement execute function refuse_change();

-- What became of it, once: it holds from then on, or it was stopped while it waited. Of two at once, the first has its way.
create table payee_account_end (
  instance_id uuid not null,
  payee_id uuid not null,
  outcome text not null check (outcome in ('HOLDS', 'STOPPED')),
  -- The account that it is, where it holds.
  account_id uuid,
  -- Who stopped it; null: by itself, because somebody else has the number by now.
  stopped_by uuid references person (id),
  reason text check (reason <> ''),
  ended_at timestamptz not null,
  primary key (instance_id, payee_id),
  foreign key (instance_id, payee_id) references payee_account (instance_id, id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id),
  check ((outcome = 'HOLDS') = (account_id is not null)),
  check (stopped_by is null or outcome = 'STOPPED' and reason is not null)
);
create trigger payee_account_end_append_only before update or delete or truncate on payee_account_end
  for each statement execute function refuse_change();
grant select, insert on payee_account, payee_account_end to kvitt_app;
