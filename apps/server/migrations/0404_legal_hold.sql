-- A legal hold: while it stands, nothing of a person is archived or erased because its time is over (GDPR art. 17.3 e: what is needed for
-- legal claims). Who sets one and who erases wait for one another, so that one of them is first: what is erased after is judged anew.

create table legal_hold (
  instance_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  from_on date not null,
  -- The last day of it; null: until it is lifted.
  until_on date check (until_on >= from_on),
  reason text not null check (length(reason) <= 2000),
  -- Where it comes from: an authority's letter, a court's case.
  source text not null check (length(source) <= 500),
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text check (length(lift_reason) <= 2000),
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check (num_nonnulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create index legal_hold_debtor on legal_hold (instance_id, debtor_id);
grant select, insert on legal_hold to kvitt_app;
grant update (lifted_by, lifted_at, lift_reason) on legal_hold to kvitt_app;

-- A hold stands on its days, until it is lifted.
create function is_standing(h legal_hold) returns boolean language sql stable as $$
  select h.lifted_at is null and current_date between h.from_on and coalesce(h.until_on, 'infinity')
$$;

-- Who erases holds this with others until the end of the transaction; who sets or lifts a hold, alone.
create function holds_key(of_instance uuid) returns bigint language sql immutable parallel safe
  return hashtextextended('legal holds of ' || of_instance::text, 0);

-- Its moments are those under the lock: the order of holds and erasing is told by them alone.
create function legal_hold_in_order() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(holds_key(new.instance_id));
    new.set_at := clock_timestamp();
    new.lifted_by := null;
    new.lifted_at := null;
    new.lift_reason := null;
  elsif old.lifted_at is null and new.lifted_by is not null then
    perform pg_advisory_xact_lock(holds_key(new.instance_id));
    new.lifted_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger legal_hold_a_in_order before insert or update on legal_hold for each row execute function legal_hold_in_order();

-- It is lifted once, by a person; its words go with the person's. Nothing else of it changes, and it is never deleted.
create function legal_hold_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.lifted_at is null and new.lifted_at is not null
      and to_jsonb(new) - 'lifted_by' - 'lifted_at' - 'lift_reason' = to_jsonb(old) - 'lifted_by' - 'lifted_at' - 'lift_reason' then
      return new;
    end if;
    if current_setting('kvitt.erasing', true) = 'on' and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid)
      and to_jsonb(new) - 'reason' - 'source' - 'lift_reason' = to_jsonb(old) - 'reason' - 'source' - 'lift_reason' then
      return new;
    end if;
  end if;
  raise exception 'legal_hold is append-only: a hold is lifted, never changed' using errcode = 'KV002';
end $$;
create trigger legal_hold_b_stays before update or delete on legal_hold for each row execute function legal_hold_stays();
create trigger legal_hold_not_emptied before truncate on legal_hold for each statement execute function refuse_change();

-- By what ids money that went back to somebody is known (money_out.about): theirs, and those of their debts, payments, refunds and lines.
create function names_of_money(of_instance uuid, of_debtor uuid) returns text[] language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  with debt as (
    select id from invoice where instance_id = of_instance and debtor_id = of_debtor
    union all select id from claim where instance_id = of_instance and debtor_id = of_debtor),
  paid as (select p.id from payment p where p.instance_id = of_instance and p.debt_id in (select id from debt))
  select array_agg(k.id::text) from (
    select of_debtor as id union all select id from debt union all select id from paid
    union all select r.id from refund r where r.instance_id = of_instance and r.payment_id in (select id from paid)
    union all select l.id from bank_line l join debt on debt.id = l.invoice_id where l.instance_id = of_instance
    union all select l.id from bank_line l join debt on debt.id = l.claim_id where l.instance_id = of_instance
    union all select l.id from bank_line l join paid on paid.id = l.payment_id where l.instance_id = of_instance) k
$$;
revoke execute on function names_of_money(uuid, uuid) from public;
grant execute on function names_of_money(uuid, uuid) to kvitt_app;

-- What of a person a run can find, by the holds on that person: debts, news of payments, the person, files for the bank that name them.
create view hold_subject as
  select h.instance_id, h.id as hold_id, h.debtor_id, s.subject_id
  from legal_hold h cross join lateral (
    select h.debtor_id as subject_id
    union all select i.id from invoice i where i.instance_id = h.instance_id and i.debtor_id = h.debtor_id
    union all select c.id from claim c where c.instance_id = h.instance_id and c.debtor_id = h.debtor_id
    union all select p.id from payment p join invoice i on i.instance_id = p.instance_id and i.id = p.debt_id
      where i.instance_id = h.instance_id and i.debtor_id = h.debtor_id
    union all select p.id from payment p join claim c on c.instance_id = p.instance_id and c.id = p.debt_id
      where c.instance_id = h.instance_id and c.debtor_id = h.debtor_id
    union all select o.file_id from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id and f.kind = 'REFUND'
      where o.instance_id = h.instance_id and split_part(o.about, ':', 2) in (select unnest(names_of_money(h.instance_id, h.debtor_id)))) s;

-- What is kept today.
create view held_subject as
  select s.instance_id, s.hold_id, s.debtor_id, s.subject_id from hold_subject s
  join legal_hold h on h.instance_id = s.instance_id and h.id = s.hold_id
  where is_standing(h);
grant select on hold_subject, held_subject to kvitt_app;

create function is_held(of_instance uuid, of_subject uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from held_subject s where s.instance_id = of_instance and s.subject_id = of_subject)
$$;
revoke execute on function is_held(uuid, uuid) from public;

-- As before (0390); but whoever sets or lifts a hold is waited for first.
create or replace function lock_to_erase(of_instance uuid, debts uuid[], debtors uuid[]) returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  claims uuid[];
begin
  perform pg_advisory_xact_lock_shared(holds_key(of_instance));
  select coalesce(array_agg(c.id), '{}') into claims from (
    select id from claim where instance_id = of_instance and id = any (debts)
    union select id from claim where instance_id = of_instance and debtor_id = any (debtors)
    union select claim_id from invoice where instance_id = of_instance and id = any (debts) and claim_id is not null
    union select claim_id from invoice where instance_id = of_instance and debtor_id = any (debtors) and claim_id is not null) c;
  perform from invoice where instance_id = of_instance and id in (
    select unnest(debts)
    union select id from invoice where instance_id = of_instance and debtor_id = any (debtors)
    union select id from invoice where instance_id = of_instance and claim_id = any (claims)) order by id for update;
  perform from claim where instance_id = of_instance and id = any (claims) order by id for update;
  perform from debtor where instance_id = of_instance and id = any (debtors) order by id for update;
end $$;

-- What erased before does it still, by another name that the program cannot call; each is asked first whether it is held, in a statement
-- of its own that begins under the lock.
alter function erase_case(uuid, uuid) rename to erase_case_now;
alter function erase_news(uuid, uuid) rename to erase_news_now;
alter function erase_file(uuid, uuid) rename to erase_file_now;
alter function erase_person(uuid, uuid) rename to erase_person_now;
alter function has_later_words(uuid, uuid) rename to has_later_words_of_debts;
revoke execute on function erase_case_now(uuid, uuid), erase_news_now(uuid, uuid), erase_file_now(uuid, uuid), erase_person_now(uuid, uuid),
  has_later_words_of_debts(uuid, uuid) from kvitt_app;

create function erase_case(of_instance uuid, of_debt uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_to_erase(of_instance, array[of_debt], '{}');
  return not is_held(of_instance, of_debt) and erase_case_now(of_instance, of_debt);
end $$;

create function erase_news(of_instance uuid, of_payment uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_to_erase(of_instance, '{}', '{}');
  return not is_held(of_instance, of_payment) and erase_news_now(of_instance, of_payment);
end $$;

create function erase_file(of_instance uuid, of_file uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_to_erase(of_instance, '{}', '{}');
  return not is_held(of_instance, of_file) and erase_file_now(of_instance, of_file);
end $$;

-- The words of holds that are over go with the person.
create function erase_person(of_instance uuid, of_debtor uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_to_erase(of_instance, '{}', array[of_debtor]);
  if is_held(of_instance, of_debtor) or not erase_person_now(of_instance, of_debtor) then return false; end if;
  perform set_config('kvitt.erasing', 'on', true);
  update legal_hold set reason = '[erased]', source = '[erased]', lift_reason = case when lift_reason is null then null else '[erased]' end
    where instance_id = of_instance and debtor_id = of_debtor and (lifted_at is not null or until_on < current_date);
  perform set_config('kvitt.erasing', 'off', true);
  return true;
end $$;

-- Also of a hold that was over only after somebody was erased.
create function has_later_words(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select has_later_words_of_debts(of_instance, of_debtor) or exists (select from legal_hold h
    where h.instance_id = of_instance and h.debtor_id = of_debtor and h.reason <> '[erased]'
      and (h.lifted_at is not null or h.until_on < current_date))
$$;
revoke execute on function erase_case(uuid, uuid), erase_news(uuid, uuid), erase_file(uuid, uuid), erase_person(uuid, uuid),
  has_later_words(uuid, uuid) from public;
grant execute on function erase_case(uuid, uuid), erase_news(uuid, uuid), erase_file(uuid, uuid), erase_person(uuid, uuid),
  has_later_words(uuid, uuid) to kvitt_app;

-- When a thing went, in the order of holds; and on which of the database's days it was judged.
alter table retention_item add column erased_at timestamptz;
alter table retention_item add column erased_on date;
create function retention_item_went() returns trigger language plpgsql as $$
begin
  new.erased_at := clock_timestamp();
  new.erased_on := current_date;
  return new;
end $$;
create trigger retention_item_went before update of state on retention_item for each row
  when (new.state = 'DONE' and old.state <> 'DONE') execute function retention_item_went();

-- Nothing of a person went while a hold stood: not by a run, nor by any other way.
create view inv_i39_held_is_kept as
  select h.instance_id, h.id as hold_id, i.subject_id, 'erased while held' as violation
  from retention_item i
  join hold_subject s on s.instance_id = i.instance_id and s.subject_id = i.subject_id
  join legal_hold h on h.instance_id = s.instance_id and h.id = s.hold_id
  where i.state = 'DONE' and i.erased_at > h.set_at and (h.lifted_at is null or i.erased_at < h.lifted_at)
    and i.erased_on between h.from_on and coalesce(h.until_on, 'infinity')
  union all
  select h.instance_id, h.hold_id, h.subject_id, 'gone without a run'
  from held_subject h
  join debtor d on d.instance_id = h.instance_id and d.id = h.subject_id
  join legal_hold l on l.instance_id = h.instance_id and l.id = h.hold_id
  where d.identity = 'erased ' || d.id and not exists (select from retention_item i where i.instance_id = d.instance_id
    and i.kind = 'BOOKS' and i.subject_id = d.id and i.state = 'DONE' and coalesce(i.erased_at, '-infinity') < l.set_at);
grant select on inv_i39_held_is_kept to kvitt_app;
