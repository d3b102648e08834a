-- A copy with another reason is another copy: who asked, and how that was made sure of, is told of each.
drop index person_export_waiting;
create unique index person_export_waiting on person_export (instance_id, debtor_id, person_id, format, language, reason)
  where status = 'WAITING';

-- What could not be made is tried again later.
alter table person_export add column next_at timestamptz not null default '-infinity';
grant update (next_at) on person_export to kvitt_app;

-- At each erasure every copy that is kept or being made goes, also where the person had been erased before and only later words go now;
-- and with it the words of whoever asked. The rows of one who is read stand in debtor_ids before they are read.
drop trigger debtor_erased_exports on debtor;
create or replace function drop_person_exports() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update person_export set
      status = case when status in ('WAITING', 'READY') then 'GONE' else status end,
      content = null,
      ended_at = coalesce(ended_at, now()),
      reason = '[erased]'
    where instance_id = new.instance_id and (debtor_id = new.id or new.id = any (debtor_ids));
  return null;
end $$;
create trigger debtor_erased_exports after update of identity on debtor
  for each row when (new.identity = 'erased ' || new.id) execute function drop_person_exports();
