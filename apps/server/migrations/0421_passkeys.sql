-- Passkeys of people who work here (WebAuthn). Each belongs to the host at which it was made, and is the person's. What is kept can
-- check a signature and make none: nothing here is a secret.
create table passkey (
  id uuid primary key,
  person_id uuid not null references person (id),
  -- The provider at whose portal it was made.
  instance_id uuid not null references instance (id),
  -- The host of that portal: browsers offer it nowhere else.
  rp_id text not null check (length(rp_id) between 1 and 253),
  credential_id text not null check (length(credential_id) between 1 and 1400),
  public_key bytea not null,
  -- How often the authenticator says it was used; 0 where it does not count. A lower one than before is a copy's.
  counter bigint not null check (counter >= 0),
  -- Whether it can be copied to the person's other devices, and whether it is.
  is_multi_device boolean not null,
  is_backed_up boolean not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 60),
  made_at timestamptz not null,
  used_at timestamptz,
  unique (rp_id, credential_id)
);
create index passkey_person on passkey (person_id, made_at);
create index passkey_instance on passkey (instance_id);
grant select, insert, delete on passkey to kvitt_app;
grant update (name, counter, is_multi_device, is_backed_up, used_at) on passkey to kvitt_app;
