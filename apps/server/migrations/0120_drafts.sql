-- What a creditor's staff write: drafts with their own terms, numbers of the creditor's own series, and acts that a repeated
-- key does not repeat.

-- The number that was taken last; kept without gaps by the row's lock.
create table number_series (
  instance_id uuid not null,
  creditor_id uuid not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  prefix text not null check (length(prefix) <= 20),
  last_number bigint not null default 10001 check (last_number > 0),
  primary key (instance_id, creditor_id, kind),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);

grant select, insert on number_series to kvitt_app;
grant update (prefix, last_number) on number_series to kvitt_app;

create table staff_key (
  instance_id uuid not null,
  creditor_id uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 200),
  -- The call, what it was about and its body.
  request_hash bytea not null,
  -- The invoice or claim that was acted on, or that was made.
  subject_id uuid,
  made_at timestamptz not null default now(),
  primary key (instance_id, creditor_id, idempotency_key),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
grant select, insert on staff_key to kvitt_app;
grant update (subject_id) on staff_key to kvitt_app;

alter table invoice
  -- How its creditor wants it to reach the debtor.
  add column distribution text check (distribution in ('EMAIL', 'LETTER', 'ELECTRONIC_INVOICE', 'DIGITAL_MAILBOX')),
  -- In which language its debtor is written to; null for that of the country.
  add column language text check (language in ('sv', 'en', 'nb', 'da', 'fi')),
  -- What the creditor calls the debtor.
  add column customer_number text check (length(customer_number) <= 60),
  -- The creditor has sent it: {sentDate, remindedOn, reminderFeeMinor}. Nothing is sent by us.
  add column already_sent jsonb check (jsonb_typeof(already_sent) = 'object');
grant update (distribution, language, customer_number, already_sent) on invoice to kvitt_app;
-- What waits to be sent.
create index collection_step_to_send on collection_step (planned_date) where type = 'INVOICE' and status = 'PLANNED';
