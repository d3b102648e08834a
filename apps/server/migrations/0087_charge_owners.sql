-- Who owns the fees and the interest that a creditor's debtors are charged: the creditor or the operator, from a day on, as agreed.
-- Without a row the operator owns the fees and the creditor the interest.
create table charge_owner (
  instance_id uuid not null,
  id bigint generated always as identity,
  creditor_id uuid not null,
  from_day date not null,
  fees text not null check (fees in ('CREDITOR', 'OPERATOR')),
  interest text not null check (interest in ('CREDITOR', 'OPERATOR')),
  source text not null check (source <> ''),
  entered_by text not null check (entered_by <> ''),
  entered_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create index charge_owner_of_creditor on charge_owner (instance_id, creditor_id, from_day, id);
create trigger charge_owner_append_only before update or delete or truncate on charge_owner
  for each statement execute function refuse_change();
grant select, insert on charge_owner to kvitt_app;

-- Written with the charge, and never changed: whose it is on its day. Null for what is no charge, and for charges from before.
alter table ledger_transaction add column charge_owner text check (charge_owner in ('CREDITOR', 'OPERATOR'));
