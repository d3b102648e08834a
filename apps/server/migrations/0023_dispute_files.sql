-- What a debtor sends along with a dispute: pictures, receipts, letters. The bytes are in `file`, as those of documents.

create table dispute_file (
  instance_id uuid not null,
  -- Also that of its row in `file`.
  id uuid not null,
  dispute_id uuid not null,
  -- Whoever holds a paper invoice can start a public session: such a session does not see what came from a session
  -- that an electronic ID stands behind.
  door text not null check (door in ('public', 'debtor')),
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) <= 500),
  size integer not null check (size between 1 and 10485760),
  -- SHA-256: the same file again is known by it.
  content_hash bytea not null,
  added_on date not null,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, dispute_id, door, content_hash),
  foreign key (instance_id, dispute_id) references dispute (instance_id, id),
  foreign key (instance_id, id) references file (instance_id, id)
);
create index dispute_debt on dispute (instance_id, debt_id);
grant select, insert on dispute_file to kvitt_app;
