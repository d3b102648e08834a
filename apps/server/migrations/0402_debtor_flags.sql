-- What is known of a person so that their debts rest (staff.md 5), dated and with its source. A flag is the instance's:
-- the debtor is one row for all creditors. `reported_by`: the creditor whose people told of it; null where the operator's did.
create table debtor_flag (
  instance_id uuid not null references instance (id),
  id uuid not null,
  debtor_id uuid not null,
  kind text not null check (kind in ('DECEASED', 'BANKRUPT', 'DEBT_RELIEF')),
  from_day date not null,
  source text not null,
  reported_by uuid,
  set_by text not null,
  set_on date not null,
  answer text check (answer in ('FILED', 'STOP', 'GO_ON')),
  answered_by text,
  answered_on date,
  filed_with text check (filed_with in ('ESTATE', 'ADMINISTRATOR', 'AUTHORITY')),
  filed_on date,
  ended_on date,
  ended_by text,
  end_reason text,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, reported_by) references creditor (instance_id, id),
  check ((answer is null) = (answered_by is null) and (answer is null) = (answered_on is null)),
  check ((ended_on is null) = (ended_by is null)),
  check ((answer is not distinct from 'FILED') = (filed_with is not null and filed_on is not null))
);
-- Nobody tells twice of the same at a time. Each creditor for itself: that another has told of it before is no creditor's to know.
create unique index debtor_flag_open on debtor_flag (instance_id, debtor_id, kind, coalesce(reported_by, instance_id))
  where ended_on is null;
create index debtor_flag_of_debtor on debtor_flag (instance_id, debtor_id);

-- Whose debts all rest, of all creditors: few, and found at once.
create index debtor_flag_rests on debtor_flag (instance_id, debtor_id)
  where ended_on is null and answer is distinct from 'GO_ON';
create view resting_debtor as
  select instance_id, debtor_id from debtor_flag
  where ended_on is null and answer is distinct from 'GO_ON';
create view resting_debt as
  select r.instance_id, i.id as debt_id, r.debtor_id from resting_debtor r
  join invoice i on i.instance_id = r.instance_id and i.debtor_id = r.debtor_id
  union all
  select r.instance_id, c.id, r.debtor_id from resting_debtor r
  join claim c on c.instance_id = r.instance_id and c.debtor_id = r.debtor_id;
-- When each rest of a debtor was over: what goes on then waits as after a pause (M-10).
create view rest_over as
  select instance_id, debtor_id, case when answer = 'GO_ON' then answered_on else ended_on end as over_on from debtor_flag
  where answer = 'GO_ON' or ended_on is not null;

grant select, insert on debtor_flag to kvitt_app;
grant update (answer, answered_by, answered_on, filed_with, filed_on, ended_on, ended_by, end_reason) on debtor_flag to kvitt_app;
grant select on resting_debtor, resting_debt, rest_over to kvitt_app;

-- When a person is erased, what was said of them goes with their name.
create function erase_flag_words() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update debtor_flag set source = '[erased]', end_reason = case when end_reason is null then null else '[erased]' end
    where instance_id = new.instance_id and debtor_id = new.id;
  return null;
end $$;
create trigger debtor_flags_erased after update of identity on debtor for each row
  when (new.identity = 'erased ' || new.id) execute function erase_flag_words();
