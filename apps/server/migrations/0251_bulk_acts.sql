-- One act for many rows: each is done in a transaction of its own, and whoever goes on knows which are left.
create table bulk_act (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  -- Who asked: in a membership, or with a key. What they may do is asked again for each row.
  membership_id uuid,
  key_id uuid,
  -- The call of the single act, and what it is sent with each row.
  call text not null,
  body jsonb,
  made_at timestamptz not null default now(),
  -- Somebody is at it until then; each process that goes on takes it for a while.
  taken_until timestamptz not null default now(),
  ended_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check (num_nonnulls(membership_id, key_id) = 1)
);
create index bulk_act_left on bulk_act (taken_until) where ended_at is null;
create index bulk_act_ended on bulk_act (ended_at);
grant select, insert, delete on bulk_act to kvitt_app;
grant update (taken_until, ended_at, body) on bulk_act to kvitt_app;

create table bulk_row (
  instance_id uuid not null,
  bulk_id uuid not null,
  place integer not null,
  subject_id uuid not null,
  state text not null default 'LEFT' check (state in ('LEFT', 'DONE', 'REFUSED')),
  code text,
  params jsonb,
  -- How often it failed for no reason of the business.
  tries integer not null default 0,
  primary key (instance_id, bulk_id, place),
  foreign key (instance_id, bulk_id) references bulk_act (instance_id, id) on delete cascade,
  check ((state = 'REFUSED') = (code is not null))
);
grant select, insert, delete on bulk_row to kvitt_app;
grant update (state, code, params, tries) on bulk_row to kvitt_app;
