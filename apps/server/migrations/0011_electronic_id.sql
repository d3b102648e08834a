-- Orders of electronic identification. A row is worth nothing without the cookie of the browser that started it.

create table eid_order (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- The provider's name of the order; null until it has answered, and when it never did.
  order_ref text,
  status text not null check (status in ('STARTING', 'PENDING', 'COMPLETE', 'FAILED', 'CANCELLED')),
  hint_code text,
  -- SHA-256 of that cookie.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  -- A keyed hash of the address that started it: starts are counted by it, and nobody reads an address out of it.
  starter bytea not null check (octet_length(starter) = 16),
  started_at timestamptz not null,
  -- When the provider answered: the animated code counts its seconds from here.
  answered_at timestamptz,
  -- What the animated code is made of, while it may be shown.
  qr_start_token text,
  qr_start_secret text,
  -- The provider is asked by one caller at a time, and not before this.
  next_ask_at timestamptz,
  -- Calls in a row that the provider did not answer.
  silences smallint not null default 0,
  primary key (instance_id, id),
  unique (instance_id, order_ref),
  check (status in ('STARTING', 'FAILED') or (order_ref is not null and answered_at is not null)),
  check (status = 'PENDING' or qr_start_secret is null)
);
create index eid_order_starter on eid_order (instance_id, starter, started_at);
create index eid_order_started on eid_order (started_at);
grant select, insert, delete on eid_order to kvitt_app;
grant update (order_ref, status, hint_code, answered_at, qr_start_token, qr_start_secret, next_ask_at, silences)
  on eid_order to kvitt_app;

-- In the demo everybody comes from one address.
update instance set guess_limits = guess_limits || '{"eidStartsPerTenMinutes": null}'
  where exists (select from demo_cast);
