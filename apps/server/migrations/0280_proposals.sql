-- What one person proposes and another decides (staff.md 1: four eyes).
create table proposal (
  instance_id uuid not null references instance (id),
  id uuid not null,
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  -- What it is about, such as settlement:{id}.
  about text not null check (about <> ''),
  creditor_id uuid,
  -- As it was when it was proposed, and as it is to be.
  before jsonb not null,
  after jsonb not null,
  -- The person, whichever membership they worked as.
  proposed_by uuid not null references person (id),
  membership_id uuid not null,
  proposed_at timestamptz not null default now(),
  status text not null default 'OPEN' check (status in ('OPEN', 'APPROVED', 'REFUSED', 'WITHDRAWN')),
  decided_by uuid references person (id),
  decided_at timestamptz,
  reason text check (reason <> ''),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, membership_id) references membership (instance_id, id),
  check ((status = 'OPEN') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  -- The same person under another membership is the same person; whoever proposed it may only take it back.
  constraint proposal_has_four_eyes check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
-- One at a time about one thing.
create unique index proposal_open on proposal (instance_id, kind, about) where status = 'OPEN';
create index proposal_proposed on proposal (instance_id, proposed_at, id);
grant select, insert on proposal to kvitt_app;
grant update (status, decided_by, decided_at, reason) on proposal to kvitt_app;

-- What is decided stays as it was decided.
create function refuse_another_decision() returns trigger language plpgsql as $$
begin
  raise exception 'a proposal is decided once' using errcode = 'KV002';
end $$;
create trigger proposal_decided_once before update on proposal
  for each row when (old.status <> 'OPEN') execute function refuse_another_decision();
