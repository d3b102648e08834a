-- The court step is a person's decision: the schedule of a claim ends with the question what comes next, and what an
-- application to an authority costs and says comes of a recorded application or decision.

-- ASKED: a person has been asked what comes next. It is planned again when the claim goes on after a pause.
alter table collection_step drop constraint collection_step_status_check,
  add constraint collection_step_status_check
    check (status in ('PLANNED', 'PERFORMED', 'SKIPPED', 'CANCELLED', 'ON_HOLD', 'ASKED'));
drop index collection_step_once;
create unique index collection_step_once on collection_step (instance_id, debt_id, type, number)
  where status in ('PLANNED', 'PERFORMED', 'ON_HOLD', 'ASKED') and type <> 'CREDIT_INVOICE';

-- An application that somebody has made to an authority: known by its case number.
create table court_application (
  instance_id uuid not null,
  id uuid not null,
  claim_id uuid not null,
  -- The event of the claim that it is, with its cost.
  step_id uuid not null,
  applied_on date not null,
  authority text not null check (length(authority) between 1 and 100),
  -- As it is compared: without spaces, in capitals.
  authority_key text not null,
  case_number text not null check (length(case_number) between 1 and 60),
  case_key text not null check (case_key <> ''),
  status text not null default 'FILED'
    check (status in ('FILED', 'OBJECTED', 'ORDERED', 'NO_ASSETS', 'REJECTED', 'WITHDRAWN')),
  recorded_by text not null,
  reason text not null,
  recorded_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, claim_id, case_key),
  unique (instance_id, authority_key, case_key),
  foreign key (instance_id, claim_id) references claim (instance_id, id),
  foreign key (instance_id, step_id) references collection_step (instance_id, id)
);
-- One application at a time.
create unique index court_application_standing on court_application (instance_id, claim_id)
  where status not in ('REJECTED', 'WITHDRAWN');

-- What the authority or the parties decided about it.
create table court_decision (
  instance_id uuid not null,
  application_id uuid not null,
  kind text not null check (kind in ('OBJECTION', 'ORDER', 'NO_ASSETS', 'REJECTED', 'WITHDRAWN')),
  decided_on date not null,
  recorded_by text not null,
  reason text not null,
  recorded_at timestamptz not null default now(),
  primary key (instance_id, application_id, kind),
  foreign key (instance_id, application_id) references court_application (instance_id, id)
);

-- What a creditor has asked for once and for all: whose schedule has ended is taken to the authority, up to an amount.
create table court_instruction (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  valid_from date not null,
  valid_to date not null,
  -- Of the creditor, who gave it.
  person text not null check (length(person) between 1 and 100),
  largest_claim_minor bigint not null check (largest_claim_minor > 0),
  currency char(3) not null,
  recorded_by text not null,
  reason text not null,
  recorded_at timestamptz not null default now(),
  -- Given back: from then on it is not looked at.
  ended_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  check (valid_to >= valid_from)
);
create index court_instruction_creditor on court_instruction (instance_id, creditor_id) where ended_at is null;

grant select, insert on court_application, court_decision, court_instruction to kvitt_app;
-- A task that is asked anew tells how it stands now.
grant update (details) on task to kvitt_app;
grant update (status) on court_application to kvitt_app;
grant update (ended_at) on court_instruction to kvitt_app;

-- What was planned to come by itself becomes the question, on the same day: nobody had applied or decided.
update collection_step s set type = 'SCHEDULE_END', number = 1
where s.status in ('PLANNED', 'ON_HOLD') and s.claim_id is not null
  and s.type in ('BAILIFF_PAYMENT_INJUCTION', 'MONITORING_DECISION', 'MONITORING', 'WATCH');

-- What an authority's case costs belongs to a recorded application. What was charged by schedule before there were such
-- records is left to a person.
create view inv_i28_court_costs_have_applications as
  select t.instance_id, t.id as transaction_id, t.claim_id
  from ledger_transaction t
  join collection_step s on s.instance_id = t.instance_id and t.cause = 'step:' || s.id
  where t.kind = 'COURT_FEE' and s.status = 'PERFORMED'
    and t.posted_at > (select applied_at from migration where number = 64)
    and not exists (
      select from court_application a where a.instance_id = t.instance_id and a.step_id = s.id);
grant select on inv_i28_court_costs_have_applications to kvitt_app;
