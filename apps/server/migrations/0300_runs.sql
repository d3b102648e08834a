-- What a job did once for one provider and day: so that an operator's people see what ran, and have it run again.
create table job_run (
  instance_id uuid not null references instance (id),
  id uuid not null,
  work text not null check (work in ('DAILY_RUN', 'SETTLEMENTS')),
  day date not null,
  status text not null check (status in ('ASKED', 'RUNNING', 'DONE', 'WAITS', 'FAILED', 'CUT_OFF')),
  -- Who wants it, as the audit log names them; null for what began by itself.
  asked_by text,
  asked_at timestamptz,
  -- On the clock of the product, which the demo moves.
  started_at timestamptz,
  ended_at timestamptz,
  -- On the database's own clock: when the try began that is under way, and how long all tries took. Null where nobody measured.
  begun_at timestamptz,
  took_ms bigint check (took_ms >= 0),
  tries integer not null default 0 check (tries >= 0),
  -- How much of each sort was done, by its name.
  done jsonb not null default '{}',
  -- What was left for a person: {about, error} of each.
  quarantined jsonb not null default '[]',
  error text,
  -- Where it stands in the list.
  listed_at timestamptz not null,
  primary key (instance_id, id),
  check ((status = 'ASKED') = (started_at is null)),
  check ((asked_by is null) = (asked_at is null)),
  check ((status in ('ASKED', 'RUNNING')) = (ended_at is null))
);
create index job_run_listed on job_run (instance_id, listed_at, id);
create index job_run_of_day on job_run (instance_id, work, day);
-- Whoever asks for the same meanwhile has asked for that.
create unique index job_run_asked on job_run (instance_id, work) where status = 'ASKED';
create index job_run_to_do on job_run (asked_at) where status = 'ASKED';
grant select, insert on job_run to kvitt_app;
grant update (day, status, started_at, ended_at, begun_at, took_ms, tries, done, quarantined, error, listed_at) on job_run to kvitt_app;

-- What is known of the runs before: nobody measured how long they took.
insert into job_run (instance_id, id, work, day, status, started_at, ended_at, tries, done, listed_at)
select instance_id, gen_random_uuid(), 'DAILY_RUN', day, 'DONE', finished_at, finished_at, 1,
  case when performed > 0 then jsonb_build_object('STEPS', performed) else '{}' end, finished_at
from collection_night;
