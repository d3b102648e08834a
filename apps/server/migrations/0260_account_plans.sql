-- On which accounts of its own books a creditor keeps what a settlement consists of, from a day on: {receivable: {number, name}, …}.
-- What it left out is as the Swedish BAS plan has it. Money does not depend on it: it is read when a SIE file is made.
create table creditor_account_plan (
  instance_id uuid not null,
  id bigint generated always as identity,
  creditor_id uuid not null,
  from_day date not null,
  accounts jsonb not null check (jsonb_typeof(accounts) = 'object'),
  entered_by text not null check (entered_by <> ''),
  entered_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create index creditor_account_plan_of_creditor on creditor_account_plan (instance_id, creditor_id, from_day, id);
create trigger creditor_account_plan_append_only before update or delete or truncate on creditor_account_plan
  for each statement execute function refuse_change();
grant select, insert on creditor_account_plan to kvitt_app;
