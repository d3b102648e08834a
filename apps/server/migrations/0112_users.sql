-- A creditor's manager invites people. Making somebody a manager takes two: one proposes it, another manager agrees.
alter table membership
  add column proposed_role text check (proposed_role is null or proposed_role = 'manager' and creditor_id is not null),
  add column proposed_by uuid,
  add foreign key (instance_id, proposed_by) references membership (instance_id, id),
  add check ((proposed_role is null) = (proposed_by is null));
grant update (proposed_role, proposed_by) on membership to kvitt_app;

-- With an invitation somebody chooses their password, once and within 72 hours. Its token is kept as a hash.
create table invitation (
  instance_id uuid not null,
  id uuid not null,
  membership_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, membership_id) references membership (instance_id, id)
);
create index invitation_membership on invitation (instance_id, membership_id);
grant select, insert on invitation to kvitt_app;
grant update (used_at) on invitation to kvitt_app;
