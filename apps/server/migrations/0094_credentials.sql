-- What a provider shows its counterparties: its Swish number, its certificates with their keys, its names at the digital mailbox and
-- in Peppol. Encrypted with a key that is kept outside the database; `key_id` names it. A former Swish number stays: its
-- payments are asked for with its own certificate.
create table credential (
  instance_id uuid not null references instance (id),
  kind text not null check (kind in ('SWISH', 'BANKID', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE')),
  -- The Swish number; empty where a provider has only one of a kind.
  account text not null,
  is_current boolean not null default true,
  key_id text not null check (key_id ~ '^[0-9a-f]{8}$'),
  sealed bytea not null,
  -- Another one with each change: whoever has read it knows that it has not changed.
  version uuid not null,
  primary key (instance_id, kind, account)
);
create unique index credential_current on credential (instance_id, kind) where is_current;
grant select, insert, update, delete on credential to kvitt_app;
