-- What a person asks about their personal data (GDPR art. 12.3): when it came, by when it is answered, and what was answered.
-- `due_on` is the last day: a month from when it came, two more once the person has been told why it takes longer.
create table data_request (
  instance_id uuid not null references instance (id),
  id uuid not null,
  debtor_id uuid not null,
  -- Each debtor that was certainly the same person when it was entered, and `debtor_id` among them.
  debtor_ids uuid[] not null check (debtor_id = any (debtor_ids)),
  wish text not null check (wish in ('ACCESS', 'RECTIFICATION', 'ERASURE', 'OBJECTION')),
  came_on date not null,
  came_by text not null check (came_by in ('LETTER', 'EMAIL', 'PHONE', 'PORTAL')),
  words text,
  due_on date not null check (due_on > came_on),
  entered_by text not null,
  -- Both moments are the database's own, as those of the audit log: which was first is told by them.
  entered_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  extended_by text,
  extended_told_on date,
  extension_reason text,
  answer text check (answer in ('HANDED_OUT', 'ELSEWHERE', 'REFUSED', 'WITHDRAWN')),
  refused_because text check (refused_because in ('IDENTITY_UNCLEAR', 'UNFOUNDED', 'EXCESSIVE')),
  reason text,
  told_on date,
  answered_by text,
  answered_on date,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check (num_nonnulls(extended_by, extended_told_on, extension_reason) in (0, 3)),
  check (num_nonnulls(answer, answered_by, answered_on, answered_at) in (0, 4)),
  check ((answer is not distinct from 'REFUSED') = (refused_because is not null)),
  check ((coalesce(answer, 'WITHDRAWN') <> 'WITHDRAWN') = (told_on is not null)),
  check (answer is null or answer = 'HANDED_OUT' or reason is not null)
);
create unique index data_request_open on data_request (instance_id, debtor_id, wish) where answer is null;
create index data_request_of_person on data_request using gin (debtor_ids);
grant select, insert on data_request to kvitt_app;
grant update (due_on, extended_by, extended_told_on, extension_reason, answer, refused_because, reason, told_on, answered_by,
  answered_on) on data_request to kvitt_app;

-- As a legal hold does (0404): who enters or answers a request and who erases wait for one another, and the moments are those under the lock.
create function data_request_in_order() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(holds_key(new.instance_id));
    new.entered_at := clock_timestamp();
    new.answered_at := null;
  elsif old.answer is null and new.answer is not null then
    perform pg_advisory_xact_lock(holds_key(new.instance_id));
    new.answered_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger data_request_a_in_order before insert or update on data_request for each row execute function data_request_in_order();

-- What of a person a run can find: debts, news of payments, the person, files for the bank that name them. As in hold_subject before (0410).
create function subjects_of_person(of_instance uuid, of_debtor uuid) returns table (subject_id uuid) language sql stable as $$
  select of_debtor
  union all select i.id from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor
  union all select c.id from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor
  union all select p.id from payment p join invoice i on i.instance_id = p.instance_id and i.id = p.debt_id
    where i.instance_id = of_instance and i.debtor_id = of_debtor
  union all select p.id from payment p join claim c on c.instance_id = p.instance_id and c.id = p.debt_id
    where c.instance_id = of_instance and c.debtor_id = of_debtor
  union all select o.file_id from (select names_of_money(of_instance, of_debtor) as ids offset 0) n
    join payout o on o.instance_id = of_instance and ids_in(o.about) && n.ids
    join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id and f.kind = 'REFUND'
$$;
create or replace view hold_subject as
  select h.instance_id, h.id as hold_id, h.debtor_id, s.subject_id
  from legal_hold h cross join lateral subjects_of_person(h.instance_id, h.debtor_id) s;

-- Whoever has asked for a copy gets what is held: nothing of theirs goes before the answer, however long ago its time was over.
create view asked_subject as
  select r.instance_id, r.id as request_id, d.debtor_id, s.subject_id
  from data_request r cross join lateral unnest(r.debtor_ids) d (debtor_id)
  cross join lateral subjects_of_person(r.instance_id, d.debtor_id) s
  where r.wish = 'ACCESS';

-- What is kept today: by a hold, or by a request for a copy that nobody has answered.
create or replace view held_subject as
  select s.instance_id, s.hold_id, s.debtor_id, s.subject_id, null::uuid as request_id from hold_subject s
  join legal_hold h on h.instance_id = s.instance_id and h.id = s.hold_id
  where is_standing(h)
  union all
  select s.instance_id, null, s.debtor_id, s.subject_id, s.request_id from asked_subject s
  join data_request r on r.instance_id = s.instance_id and r.id = s.request_id
  where r.answer is null;
grant select on asked_subject to kvitt_app;

-- When a person is erased, their words and what was said of them go with their name, and what was written beside the task.
create function erase_request_words() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update data_request set words = case when words is null then null else '[erased]' end,
      extension_reason = case when extension_reason is null then null else '[erased]' end,
      reason = case when reason is null then null else '[erased]' end
    where instance_id = new.instance_id and debtor_id = new.id;
  update task_note x set text = '[erased]' from task t, data_request r where t.instance_id = x.instance_id and t.id = x.task_id
    and t.kind = 'data_request' and t.about = 'data-request:' || r.id and r.instance_id = t.instance_id
    and r.instance_id = new.instance_id and r.debtor_id = new.id;
  return null;
end $$;
create trigger data_requests_erased after update of identity on debtor for each row
  when (new.identity = 'erased ' || new.id) execute function erase_request_words();

-- Two notes of one person beside one task were one, once both were erased, and nothing of their debtor could go.
drop index task_note_once;
create unique index task_note_once on task_note (instance_id, task_id, noted_by, md5(text)) where text <> '[erased]';

-- As before (0402); also what was written beside the tasks of flags.
create or replace function erase_flag_words() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update debtor_flag set source = '[erased]', end_reason = case when end_reason is null then null else '[erased]' end
    where instance_id = new.instance_id and debtor_id = new.id;
  update task_note x set text = '[erased]' from task t, debtor_flag f where t.instance_id = x.instance_id and t.id = x.task_id
    and t.kind = 'debtor_flagged' and t.about = 'flag:' || f.id and f.instance_id = t.instance_id
    and f.instance_id = new.instance_id and f.debtor_id = new.id;
  return null;
end $$;

-- As before (0410); also of a request that was answered after its person was erased.
create or replace function has_later_words(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select has_later_words_of_debts(of_instance, of_debtor) or exists (select from legal_hold h
    where h.instance_id = of_instance and h.debtor_id = of_debtor and (h.reason <> '[erased]' or h.lift_reason <> '[erased]')
      and (h.lifted_at is not null or h.until_on < current_date))
    or exists (select from data_request r where r.instance_id = of_instance and r.debtor_id = of_debtor and r.answer is not null
      and (r.words <> '[erased]' or r.reason <> '[erased]' or r.extension_reason <> '[erased]'))
$$;

-- Nothing of a person went while a request for a copy of it was open.
create view inv_i57_asked_is_kept as
  select s.instance_id, s.request_id, s.subject_id, 'erased while a copy was asked for' as violation
  from asked_subject s
  join data_request r on r.instance_id = s.instance_id and r.id = s.request_id
  join retention_item i on i.instance_id = s.instance_id and i.subject_id = s.subject_id
  where i.state = 'DONE' and i.erased_at > r.entered_at and (r.answered_at is null or i.erased_at < r.answered_at);

-- A request is asked about until it is answered, and then no more; its last day is the law's.
create view inv_i58_requests_are_asked_about as
  select r.instance_id, r.id as request_id, 'nobody is asked' as violation from data_request r
  where r.answer is null and not exists (select from task t where t.instance_id = r.instance_id and t.kind = 'data_request'
    and t.about = 'data-request:' || r.id and t.done_at is null)
  union all
  select r.instance_id, r.id, 'asked about though it is answered' from data_request r
  join task t on t.instance_id = r.instance_id and t.kind = 'data_request' and t.about = 'data-request:' || r.id and t.done_at is null
  where r.answer is not null
  union all
  select r.instance_id, r.id, 'its last day is another' from data_request r
  where r.due_on not between (r.came_on + case when r.extended_by is null then interval '1 month' else interval '3 months' end)::date
    and (r.came_on + case when r.extended_by is null then interval '1 month' else interval '3 months' end)::date + 10;
grant select on inv_i57_asked_is_kept, inv_i58_requests_are_asked_about to kvitt_app;
