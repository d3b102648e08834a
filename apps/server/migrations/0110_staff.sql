-- Who works here: people with one identity (their e-mail address) and any number of memberships, their sessions, and keys with
-- which a creditor's own programs call (roles and scopes: packages/domain/src/staff/roles.ts).

create table person (
  id uuid primary key,
  -- In lower case: one person, however it is written.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  name text not null check (length(name) <= 200),
  -- argon2id; null until the person has chosen one.
  password_hash text,
  -- A person of the demo: its password is in the README.
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);
grant select, insert on person to kvitt_app;
grant update (name, password_hash) on person to kvitt_app;

create table membership (
  instance_id uuid not null references instance (id),
  id uuid not null,
  person_id uuid not null references person (id),
  -- Null: the operator's own staff.
  creditor_id uuid,
  role text not null check (
    case when creditor_id is null then role in ('support', 'handler', 'finance', 'manager', 'approver', 'auditor')
      else role in ('viewer', 'clerk', 'manager') end),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create unique index membership_once on membership (person_id, instance_id, coalesce(creditor_id, instance_id))
  where ended_at is null;
create index membership_creditor on membership (instance_id, creditor_id);
grant select, insert on membership to kvitt_app;
grant update (role, ended_at) on membership to kvitt_app;

-- One session works as one membership. It ends 30 minutes after its last call and 12 hours after it began.
create table staff_session (
  instance_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  token_hash bytea not null unique,
  -- When the person has last proven who they are.
  signed_in_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  logged_out_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, membership_id) references membership (instance_id, id)
);
create index staff_session_membership on staff_session (instance_id, membership_id);
grant select, insert, delete on staff_session to kvitt_app;
grant update (signed_in_at, used_at, logged_out_at) on staff_session to kvitt_app;

create table api_key (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- What a list shows of it.
  last_four text not null check (length(last_four) = 4),
  key_hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['read', 'invoices', 'payments', 'webhooks'] and cardinality(scopes) > 0),
  is_demo boolean not null default false,
  made_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  used_at timestamptz,
  revoked_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, made_by) references membership (instance_id, id)
);
create index api_key_creditor on api_key (instance_id, creditor_id);
grant select, insert on api_key to kvitt_app;
grant update (used_at, revoked_at) on api_key to kvitt_app;
