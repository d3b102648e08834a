-- A reminder fee is owed only where it was agreed when the debt arose: since when it is agreed, and where that is written.
-- Until both are entered no fee is charged.

alter table creditor
  drop column reminder_fee_agreed,
  add column reminder_fee_agreed_on date,
  add column reminder_fee_source text check (reminder_fee_source <> ''),
  add check ((reminder_fee_agreed_on is null) = (reminder_fee_source is null));
grant update (reminder_fee_agreed_on, reminder_fee_source) on creditor to kvitt_app;

-- Each change of it, with what it was before, and who made it.
create table reminder_fee_change (
  instance_id uuid not null,
  id bigint generated always as identity,
  creditor_id uuid not null,
  agreed_on date,
  source text,
  agreed_on_before date,
  source_before text,
  entered_by text not null check (entered_by <> ''),
  entered_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
grant select, insert on reminder_fee_change to kvitt_app;
