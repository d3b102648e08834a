-- What a counterparty last said when a provider tried what it shows it. Of another version, or without one where the provider has its own
-- now, it says nothing: whoever enters a certificate anew tries it anew.
create table credential_trial (
  instance_id uuid not null references instance (id),
  kind text not null check (kind in ('SWISH', 'BANKID')),
  -- Of the credential that was tried; null where the settings of the process held.
  version uuid,
  is_accepted boolean not null,
  tried_at timestamptz not null,
  primary key (instance_id, kind)
);
grant select, insert on credential_trial to kvitt_app;
grant update (version, is_accepted, tried_at) on credential_trial to kvitt_app;
