-- The second factor of a person: one-time codes (RFC 6238) from an app, and recovery codes for when the app is lost. It is the
-- person's, wherever they work. The secret is encrypted with a key outside the database; `instance_id` says where it is kept.
create table second_factor (
  id uuid primary key,
  person_id uuid not null references person (id),
  instance_id uuid not null,
  secret_id uuid not null,
  made_at timestamptz not null,
  -- Null: shown, and not proven with a code yet.
  confirmed_at timestamptz,
  -- The time step of the newest code that was used: no code of it or before is taken again.
  last_step bigint,
  foreign key (instance_id, secret_id) references kept_secret (instance_id, id)
);
create unique index second_factor_confirmed on second_factor (person_id) where confirmed_at is not null;
create unique index second_factor_begun on second_factor (person_id) where confirmed_at is null;
create index second_factor_secret on second_factor (instance_id, secret_id);
grant select, insert, delete on second_factor to kvitt_app;
grant update (confirmed_at, last_step) on second_factor to kvitt_app;

-- Each signs in once. A code has 80 random bits, so that its hash tells nothing.
create table recovery_code (
  person_id uuid not null references person (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
grant select, insert, delete on recovery_code to kvitt_app;
grant update (used_at) on recovery_code to kvitt_app;

-- Must the staff have one here? Null: yes where the provider is live. People of the demo never have to.
alter table instance add column requires_second_factor boolean;
grant update (requires_second_factor) on instance to kvitt_app;
