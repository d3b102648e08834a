-- What staff and programs have asked for with `Undo-Seconds`: it waits until it is due, and can be taken back until it is done.
create table waiting_act (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  -- Who asked: in a membership, or with a key. What they may do is asked again when it is done.
  membership_id uuid,
  key_id uuid,
  -- The call, the row that it is about, and what was sent, as it was read. What was sent is forgotten when the act has ended.
  call text not null,
  subject_id uuid not null,
  body jsonb,
  asked_at timestamptz not null default now(),
  due_at timestamptz not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'DONE', 'TAKEN_BACK', 'REFUSED')),
  -- How often somebody has begun to do it, and when it is tried again if nobody has ended it.
  tries integer not null default 0,
  next_try_at timestamptz not null,
  ended_at timestamptz,
  code text,
  params jsonb,
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check (num_nonnulls(membership_id, key_id) = 1),
  check ((state = 'REFUSED') = (code is not null)),
  check ((state = 'WAITING') = (ended_at is null)),
  check (state = 'WAITING' or body is null)
);
create index waiting_act_due on waiting_act (next_try_at) where state = 'WAITING';
create index waiting_act_ended on waiting_act (ended_at);
grant select, insert, delete on waiting_act to kvitt_app;
grant update (body, state, tries, next_try_at, ended_at, code, params) on waiting_act to kvitt_app;
