-- What a debtor asks the creditor about one invoice or claim: a thread of messages and files, and where it stands.

create table conversation (
  instance_id uuid not null,
  id uuid not null,
  invoice_id uuid,
  claim_id uuid,
  debt_id uuid not null generated always as (coalesce(invoice_id, claim_id)) stored,
  kind text not null check (kind in ('QUESTION')),
  status text not null check (status in ('OPEN', 'ANSWERED', 'ENDED')),
  -- Whoever holds a paper invoice can start a public session: such a session does not see a thread in which a session
  -- that an electronic ID stands behind has written.
  door text not null check (door in ('public', 'debtor')),
  -- Where the debtor is told of an answer; empty: at the debtor's own addresses.
  email text not null check (length(email) <= 254),
  -- The day since which it waits for the creditor, or did.
  asked_on date not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, claim_id) references claim (instance_id, id),
  check (num_nonnulls(invoice_id, claim_id) = 1)
);
create unique index conversation_open on conversation (instance_id, debt_id, kind) where status = 'OPEN';
create index conversation_debt on conversation (instance_id, debt_id);
grant select, insert on conversation to kvitt_app;
grant update (status, door, email, asked_on) on conversation to kvitt_app;

create table conversation_message (
  instance_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- 'debtor', or whoever of the creditor's staff or programs wrote it.
  author text not null check (length(author) between 1 and 100),
  text text not null check (length(text) between 1 and 4000),
  written_on date not null,
  -- The caller's own name of the request, of debtors alone, and what it asked for.
  idempotency_key text check (length(idempotency_key) <= 255),
  request_hash bytea,
  created_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  foreign key (instance_id, conversation_id) references conversation (instance_id, id)
);
create index conversation_message_thread on conversation_message (instance_id, conversation_id);
create index conversation_message_key on conversation_message (instance_id, idempotency_key)
  where idempotency_key is not null;
create trigger conversation_message_append_only before update or delete or truncate on conversation_message
  for each statement execute function refuse_change();
grant select, insert on conversation_message to kvitt_app;

-- The bytes are in `file`, as those of documents.
create table conversation_file (
  instance_id uuid not null,
  -- Also that of its row in `file`.
  id uuid not null,
  conversation_id uuid not null,
  door text not null check (door in ('public', 'debtor')),
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) <= 500),
  size integer not null check (size between 1 and 10485760),
  -- SHA-256: the same file again is known by it.
  content_hash bytea not null,
  added_on date not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  unique (instance_id, conversation_id, door, content_hash),
  foreign key (instance_id, conversation_id) references conversation (instance_id, id),
  foreign key (instance_id, id) references file (instance_id, id)
);
create trigger conversation_file_append_only before update or delete or truncate on conversation_file
  for each statement execute function refuse_change();
grant select, insert on conversation_file to kvitt_app;

-- Nobody has to answer about what is over, however it ended: the thread ends with it, and so does its task.
create function end_conversations() returns trigger language plpgsql as $$
begin
  with ended as (
    update conversation set status = 'ENDED'
    where instance_id = new.instance_id and debt_id = new.id and status = 'OPEN' returning id)
  update task set done_at = now() from ended
  where task.instance_id = new.instance_id and task.kind in ('question_asked', 'more_time_asked', 'said_paid', 'plan_proposed')
    and task.about = 'conversation:' || ended.id and task.done_at is null;
  return null;
end $$;
create trigger invoice_over_ends_conversations after update of status on invoice for each row
  when (new.status in ('CLOSED', 'STOPPED') and old.status is distinct from new.status)
  execute function end_conversations();
create trigger claim_over_ends_conversations after update of status on claim for each row
  when (new.status in ('CLOSED', 'STOPPED') and old.status is distinct from new.status)
  execute function end_conversations();
