-- One of an operator's staff sees the debtor portal as a debtor sees it: asked for in a session of staff, opened once by its ticket,
-- over after ten minutes or with that session. It is no session of the debtor's and stands in no table of those.
create table peek (
  instance_id uuid not null references instance (id),
  id uuid not null,
  staff_session_id uuid not null,
  -- All rows of the debtor, as the debtor's own session would have them.
  debtor_ids uuid[] not null check (cardinality(debtor_ids) > 0),
  ticket_hash bytea not null unique,
  ticket_until timestamptz not null,
  -- Both once it is opened.
  token_hash bytea unique,
  cookie_hash bytea,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, staff_session_id) references staff_session (instance_id, id) on delete cascade,
  check ((token_hash is null) = (cookie_hash is null)),
  check (ticket_until <= ends_at)
);
create index peek_of_session on peek (instance_id, staff_session_id);
create index peek_ends on peek (ends_at);
grant select, insert, delete on peek to kvitt_app;
grant update (token_hash, cookie_hash, ended_at) on peek to kvitt_app;
