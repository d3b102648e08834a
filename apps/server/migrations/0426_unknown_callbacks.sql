-- Callbacks whose address nobody knows here: of a payment that a restored database has lost, or made up. The address is kept as its
-- hash, and only so many of them; what the journal of payments names is taken up (decision 050).
create table unknown_callback (
  gateway text not null,
  secret_hash bytea not null,
  event_id text not null,
  identifier text,
  body jsonb not null,
  received_at timestamptz not null default now(),
  primary key (gateway, secret_hash, event_id)
);
create index unknown_callback_age on unknown_callback (received_at);
grant select, insert, delete on unknown_callback to kvitt_app;
