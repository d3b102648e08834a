-- An operator's people hand files of banks in and work on money that nobody could place.

-- Who handed it in, as the audit log names them; null for what a command took in.
alter table bank_file add column sent_by text;
create index bank_file_received on bank_file (instance_id, received_at, id);

-- Keys under which an operator's people have acted on what is no one creditor's, as staff_key for the rest.
create table operator_key (
  instance_id uuid not null references instance (id),
  -- The person and what they sent: another's may be the same text.
  idempotency_key text not null check (length(idempotency_key) between 1 and 240),
  request_hash bytea not null,
  subject_id uuid,
  made_at timestamptz not null default now(),
  primary key (instance_id, idempotency_key)
);
create index operator_key_made on operator_key (made_at);
grant select, insert, delete on operator_key to kvitt_app;
grant update (subject_id) on operator_key to kvitt_app;

-- An operator's person's key stands there with the person before it.
alter table staff_key drop constraint staff_key_idempotency_key_check;
alter table staff_key add constraint staff_key_idempotency_key_check check (length(idempotency_key) between 1 and 240);
