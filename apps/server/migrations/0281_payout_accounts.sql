-- Where creditors are paid out to: the newest of a creditor and currency holds (staff.md 6). Nothing is ever changed or removed.
create table payout_account (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  currency char(3) not null,
  scheme text not null check (scheme in ('IBAN', 'BANKGIRO', 'PLUSGIRO')),
  number text not null check (number ~ '^[0-9A-Z]{2,34}$'),
  bic text,
  receiver_name text not null check (receiver_name <> ''),
  -- Two people have decided it.
  proposal_id uuid not null,
  -- Of several of a creditor and currency, the last one holds.
  position bigint generated always as identity,
  approved_at timestamptz not null,
  -- On the product's clock, which the demo moves.
  usable_from timestamptz not null,
  primary key (instance_id, id),
  unique (instance_id, proposal_id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create index payout_account_of_creditor on payout_account (instance_id, creditor_id, currency, position);
create trigger payout_account_append_only before update or delete or truncate on payout_account
  for each statement execute function refuse_change();
grant select, insert on payout_account to kvitt_app;
