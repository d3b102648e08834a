-- A copy of what is held about a person is made by a job: what was asked for, by whom, and the file as long as it is kept.
create table person_export (
  instance_id uuid not null references instance (id),
  id uuid not null,
  debtor_id uuid not null,
  person_id uuid not null references person (id),
  membership_id uuid not null,
  format text not null check (format in ('json', 'pdf', 'csv', 'xlsx')),
  language text not null,
  -- Who asked and how that was made sure of: told to the audit log when the file is there.
  reason text not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'READY', 'FAILED', 'GONE')),
  -- A process that was killed while it made the file counts as a try.
  tries smallint not null default 0,
  asked_at timestamptz not null,
  ended_at timestamptz,
  until timestamptz,
  -- Rows of debtors whose data are in the file.
  debtor_ids uuid[] not null default '{}',
  content bytea,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check ((status = 'READY') = (content is not null)),
  check (status <> 'READY' or until is not null),
  check ((status = 'WAITING') = (ended_at is null))
);
-- Asked for twice by the same person it is made once.
create unique index person_export_waiting on person_export (instance_id, debtor_id, person_id, format, language) where status = 'WAITING';
create index person_export_to_do on person_export (asked_at) where status in ('WAITING', 'READY');
create index person_export_of on person_export (instance_id, debtor_id, person_id, asked_at);
grant select, insert, delete on person_export to kvitt_app;
grant update (status, tries, ended_at, until, debtor_ids, content) on person_export to kvitt_app;

-- With the person goes every copy that is kept.
create function drop_person_exports() returns trigger language plpgsql as $$
begin
  update person_export set status = 'GONE', content = null, ended_at = coalesce(ended_at, now())
    where instance_id = new.instance_id and status in ('WAITING', 'READY') and (debtor_id = new.id or new.id = any (debtor_ids));
  return null;
end $$;
create trigger debtor_erased_exports after update of identity on debtor
  for each row when (new.identity = 'erased ' || new.id and old.identity <> new.identity) execute function drop_person_exports();
