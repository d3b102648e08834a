-- The collection schedule: steps that are planned, performed once, held and cancelled; disputes; the nights.

alter table creditor add column reminder_fee_agreed boolean not null default true;
grant update (reminder_fee_agreed) on creditor to kvitt_app;

alter table invoice
  -- The last day whose late interest is in the books; null before the first posting.
  add column interest_posted_to date,
  -- Why and since when an invoice is paused, and when it goes on by itself.
  add column pause_reason text,
  add column paused_on date,
  add column resume_date date;
update invoice set paused_on = current_date where status = 'PAUSED';
alter table invoice add check (status <> 'PAUSED' or paused_on is not null);
grant update (interest_posted_to, pause_reason, paused_on, resume_date) on invoice to kvitt_app;
-- Who may be due for a first step tonight.
create index invoice_overdue on invoice (instance_id, expire_date) where status = 'ACTIVATED';
create index invoice_resumes on invoice (instance_id, resume_date) where status = 'PAUSED';

alter table collection_step
  -- 1 for the first of its type on this invoice.
  add column number smallint not null default 1,
  -- The last day to pay that the step gave.
  add column last_pay_date date;
grant update (last_pay_date) on collection_step to kvitt_app;
-- The same step can neither be planned nor performed twice, whatever runs at the same time. Only credit notes come
-- as often as the creditor sends them.
create unique index collection_step_once on collection_step (instance_id, invoice_id, type, number)
  where status in ('PLANNED', 'PERFORMED', 'ON_HOLD') and type <> 'CREDIT_INVOICE';
create index collection_step_due on collection_step (instance_id, planned_date, id) where status = 'PLANNED';

-- Nights that have been run to their end; the clock of an instance never skips one.
create table collection_night (
  instance_id uuid not null references instance (id),
  day date not null,
  performed integer not null,
  finished_at timestamptz not null default now(),
  primary key (instance_id, day)
);
grant select, insert on collection_night to kvitt_app;

create table dispute (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  email text not null,
  reason text not null,
  status text not null check (status in ('OPEN', 'REJECTED', 'UPHELD', 'PAID')),
  opened_on date not null,
  created_at timestamptz not null default now(),
  decided_on date,
  decision text,
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  check ((status = 'OPEN') = (decided_on is null))
);
create unique index dispute_one_open on dispute (instance_id, invoice_id) where status = 'OPEN';
grant select, insert on dispute to kvitt_app;
grant update (status, decided_on, decision) on dispute to kvitt_app;

create view inv_i11_disputes_pause as
  select i.instance_id, i.id as invoice_id, i.status, count(d.id) as open_disputes
  from invoice i
  left join dispute d on d.instance_id = i.instance_id and d.invoice_id = i.id and d.status = 'OPEN'
  group by i.instance_id, i.id, i.status
  having (i.status = 'DISPUTED') <> (count(d.id) = 1)
  union all
  select s.instance_id, s.invoice_id, i.status, null
  from collection_step s join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
  where s.status = 'PLANNED' and i.status in ('DISPUTED', 'CLOSED', 'STOPPED', 'ARCHIVED');

-- A fee or interest in the books belongs to a step that was performed.
create view inv_i16_fees_have_steps as
  select t.instance_id, t.id as transaction_id, t.kind
  from ledger_transaction t
  where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE') and not exists (
    select from collection_step s where s.instance_id = t.instance_id and s.invoice_id = t.invoice_id
      and t.cause = 'step:' || s.id and s.status = 'PERFORMED');
grant select on inv_i11_disputes_pause, inv_i16_fees_have_steps to kvitt_app;
