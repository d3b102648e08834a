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
  answer text check (answer in ('HANDED_OUT', 'ELSEWHERE', 'NOT_DONE', 'REFUSED', 'WITHDRAWN')),
  ground text check (ground in ('IDENTITY_UNCLEAR', 'UNFOUNDED', 'EXCESSIVE', 'KEPT_BY_LAW', 'DATA_ARE_RIGHT', 'OVERRIDING_GROUNDS', 'LEGAL_CLAIMS')),
  -- Of a no: the person was told why, and that they may complain to the authority and go to court (art. 12.4).
  was_told_how boolean not null default false,
  reason text,
  told_on date,
  answered_by text,
  answered_on date,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check (num_nonnulls(extended_by, extended_told_on, extension_reason) in (0, 3)),
  check (num_nonnulls(answer, answered_by, answered_on, answered_at) in (0, 4)),
  check ((coalesce(answer, '') in ('REFUSED', 'NOT_DONE')) = (ground is not null)),
  check (was_told_how = (ground is not null)),
  check ((coalesce(answer, 'WITHDRAWN') <> 'WITHDRAWN') = (told_on is not null)),
  check (answer is null or answer = 'HANDED_OUT' or reason is not null)
);
-- Asked twice these are answered once; what is corrected or objected to may be another thing each time.
create unique index data_request_open on data_request (instance_id, debtor_id, wish) where answer is null and wish in ('ACCESS', 'ERASURE');
create index data_request_of_person on data_request using gin (debtor_ids);
grant select, insert on data_request to kvitt_app;
grant update (due_on, extended_by, extended_told_on, extension_reason, answer, ground, was_told_how, reason, told_on,
  answered_by, answered_on) on data_request to kvitt_app;

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
  elsif old.answer is not null and not (to_jsonb(new) - 'words' - 'reason' - 'extension_reason' = to_jsonb(old) - 'words' - 'reason' - 'extension_reason'
    and coalesce(current_setting('kvitt.erasing', true), '') = 'on'
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid)) then
    raise exception 'what was answered is not answered anew: only its words go' using errcode = 'KV002';
  end if;
  return new;
end $$;
create trigger data_request_a_in_order before insert or update on data_request for each row execute function data_request_in_order();

-- What of a person a run can find: debts, news of payments, the person, requests, files for the bank that name them. As in hold_subject before (0410).
create function subjects_of_person(of_instance uuid, of_debtor uuid) returns table (subject_id uuid) language sql stable as $$
  select of_debtor
  union all select i.id from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor
  union all select c.id from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor
  union all select p.id from payment p join invoice i on i.instance_id = p.instance_id and i.id = p.debt_id
    where i.instance_id = of_instance and i.debtor_id = of_debtor
  union all select p.id from payment p join claim c on c.instance_id = p.instance_id and c.id = p.debt_id
    where c.instance_id = of_instance and c.debtor_id = of_debtor
  union all select q.id from data_request q where q.instance_id = of_instance and q.debtor_id = of_debtor
  union all select o.file_id from (select names_of_money(of_instance, of_debtor) as ids offset 0) n
    join payout o on o.instance_id = of_instance and ids_in(o.about) && n.ids
    join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id and f.kind = 'REFUND'
$$;
create or replace view hold_subject as
  select h.instance_id, h.id as hold_id, h.debtor_id, s.subject_id
  from legal_hold h cross join lateral subjects_of_person(h.instance_id, h.debtor_id) s;

-- Whoever has asked something is told the answer, and gets what was held when they asked: nothing of theirs goes before it, however long ago
-- its time was over. Where they asked to be erased the rest may go; who they are and what they wrote stays until they have been told.
create view asked_subject as
  select r.instance_id, r.id as request_id, d.debtor_id, s.subject_id
  from data_request r cross join lateral unnest(r.debtor_ids) d (debtor_id)
  cross join lateral subjects_of_person(r.instance_id, d.debtor_id) s
  where r.wish <> 'ERASURE' or s.subject_id = d.debtor_id;

-- The end of a number, without what it is written with: ten and twelve digits of one Swedish number are one person's. Rather too many are
-- kept for a month than one too few.
create function number_end(number text) returns text language sql immutable parallel safe as $$
  select case when length(k.key) >= 6 then right(k.key, 10) end
  from (select upper(regexp_replace(number, '[^0-9A-Za-z]', '', 'g')) as key) k
$$;
create index debtor_of_number_end on debtor (instance_id, country, number_end(identification_number));

-- What is kept today: by a hold, or by a request that nobody has answered, on the rows that were the same person when it was entered and
-- those that are it now.
create or replace view held_subject as
  select s.instance_id, s.hold_id, s.debtor_id, s.subject_id, null::uuid as request_id from hold_subject s
  join legal_hold h on h.instance_id = s.instance_id and h.id = s.hold_id
  where is_standing(h)
  union all
  select r.instance_id, null, d.debtor_id, s.subject_id, r.id
  from data_request r cross join lateral (
    select unnest(r.debtor_ids) as debtor_id
    union select o.id from debtor p join debtor o on o.instance_id = p.instance_id and o.country = p.country
      and number_end(o.identification_number) = number_end(p.identification_number)
      where p.instance_id = r.instance_id and p.id = r.debtor_id) d
  cross join lateral subjects_of_person(r.instance_id, d.debtor_id) s
  where r.answer is null and (r.wish <> 'ERASURE' or s.subject_id = d.debtor_id);
grant select on asked_subject to kvitt_app;

-- The words of requests that were answered, and what was written beside their tasks. `of_request` null: all of the person's.
create function erase_words_of_requests(of_instance uuid, of_debtor uuid, of_request uuid) returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update data_request set words = case when words is null then null else '[erased]' end,
      extension_reason = case when extension_reason is null then null else '[erased]' end,
      reason = case when reason is null then null else '[erased]' end
    where instance_id = of_instance and debtor_id = of_debtor and answer is not null and (of_request is null or id = of_request);
  update task_note x set text = '[erased]' from task t, data_request r where t.instance_id = x.instance_id and t.id = x.task_id
    and t.kind = 'data_request' and t.about = 'data-request:' || r.id and r.instance_id = t.instance_id
    and r.instance_id = of_instance and r.debtor_id = of_debtor and r.answer is not null and (of_request is null or r.id = of_request);
end $$;
revoke execute on function erase_words_of_requests(uuid, uuid, uuid) from public;

-- When a person is erased, their words and what was said of them go with their name: of what was answered alone.
create function erase_request_words() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform erase_words_of_requests(new.instance_id, new.id, null);
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

-- Was anything written beside a task?
create function has_notes(of_instance uuid, of_about text) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from task t join task_note x on x.instance_id = t.instance_id and x.task_id = t.id
    where t.instance_id = of_instance and t.about = of_about and x.text <> '[erased]')
$$;
revoke execute on function has_notes(uuid, text) from public;
grant execute on function has_notes(uuid, text) to kvitt_app;

-- As before (0410); also of a request that was answered, and of a flag that was set or ended, after its person was erased.
create or replace function has_later_words(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select has_later_words_of_debts(of_instance, of_debtor) or exists (select from legal_hold h
    where h.instance_id = of_instance and h.debtor_id = of_debtor and (h.reason <> '[erased]' or h.lift_reason <> '[erased]')
      and (h.lifted_at is not null or h.until_on < current_date))
    or exists (select from data_request r where r.instance_id = of_instance and r.debtor_id = of_debtor and r.answer is not null
      and (r.words <> '[erased]' or r.reason <> '[erased]' or r.extension_reason <> '[erased]' or has_notes(r.instance_id, 'data-request:' || r.id)))
    or exists (select from debtor_flag f where f.instance_id = of_instance and f.debtor_id = of_debtor
      and (f.source <> '[erased]' or f.end_reason <> '[erased]' or has_notes(f.instance_id, 'flag:' || f.id)))
$$;

-- As before (0404); also a request whose answer is three years old, as what was written of a dispute.
create or replace function erase_case(of_instance uuid, of_debt uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  asker uuid;
begin
  perform lock_to_erase(of_instance, array[of_debt], '{}');
  if is_held(of_instance, of_debt) then return false; end if;
  select debtor_id into asker from data_request where instance_id = of_instance and id = of_debt
    and answered_on <= current_date - interval '36 months';
  if asker is null then return erase_case_now(of_instance, of_debt); end if;
  perform set_config('kvitt.erasing', 'on', true);
  perform erase_words_of_requests(of_instance, asker, of_debt);
  perform set_config('kvitt.erasing', 'off', true);
  return true;
end $$;

-- Nothing of a person went while a request of theirs was open, or, where they asked to be erased, not who they are.
create view inv_i57_asked_is_kept as
  select s.instance_id, s.request_id, s.subject_id, 'erased while it was asked about' as violation
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
