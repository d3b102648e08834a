-- Sessions of debtors who have shown who they are (D-05). Nothing here opens anything: tokens and cookies are
-- kept as hashes only.

create table session (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- Everything in this instance that is kept under the person's number.
  debtor_ids uuid[] not null check (cardinality(debtor_ids) > 0),
  -- SHA-256 of the cookie of the browser that was signed in: a token is worth nothing in any other.
  cookie_hash bytea not null check (octet_length(cookie_hash) = 32),
  started_at timestamptz not null,
  -- When the newest token was handed out.
  renewed_at timestamptz not null,
  -- However active the debtor is.
  ends_at timestamptz not null,
  logged_out_at timestamptz,
  primary key (instance_id, id)
);
create index session_ends on session (ends_at);

-- Several tokens of a session live at once: calls that are under way carry the one before the newest.
create table session_token (
  instance_id uuid not null,
  -- SHA-256 of the token.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  session_id uuid not null,
  expires_at timestamptz not null,
  primary key (instance_id, token_hash),
  foreign key (instance_id, session_id) references session (instance_id, id) on delete cascade
);
create index session_token_session on session_token (instance_id, session_id);

grant select, insert, delete on session, session_token to kvitt_app;
grant update (renewed_at, logged_out_at) on session to kvitt_app;
