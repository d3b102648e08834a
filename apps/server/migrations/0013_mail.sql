-- Messages to debtors, written down with what they tell of and sent afterwards.

create table mail_outbox (
  instance_id uuid not null references instance (id),
  id uuid not null,
  channel text not null check (channel in ('EMAIL', 'SMS', 'LETTER')),
  kind text not null,
  -- What it tells of, such as payment:<id>. The same thing is told once on each channel.
  cause text not null,
  -- What it is about.
  invoice_id uuid,
  claim_id uuid,
  -- An e-mail address, a phone number, or the name and address lines of a letter.
  recipient text not null,
  language text not null,
  subject text not null,
  text_body text not null,
  html_body text,
  -- The page to print, for a letter.
  file_id uuid,
  status text not null default 'WAITING' check (status in ('WAITING', 'SENT', 'DEAD')),
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  -- The answer's code, never its words: those name people.
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (instance_id, id),
  unique (instance_id, cause, kind, channel),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, claim_id) references claim (instance_id, id),
  foreign key (instance_id, file_id) references file (instance_id, id),
  check ((status = 'SENT') = (sent_at is not null)),
  check ((channel = 'LETTER') = (file_id is not null))
);
create index mail_outbox_waiting on mail_outbox (next_at) where status = 'WAITING';
grant select, insert on mail_outbox to kvitt_app;
grant update (status, tries, next_at, last_error, sent_at) on mail_outbox to kvitt_app;
