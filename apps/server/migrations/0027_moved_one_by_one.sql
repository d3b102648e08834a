-- As before (0025), for one invoice without the arrays that many need: a night moves invoices by the hundred thousand.
create or replace function count_moved_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public
set enable_seqscan = off as $$
declare
  was text := coalesce(listed_as(old.type, old.status, old.claim_id), '');
  now_is text := coalesce(listed_as(new.type, new.status, new.claim_id), '');
  taken bigint;
begin
  select slot into taken from list_length
    where instance_id = new.instance_id and debtor_id = new.debtor_id
    limit 1 for no key update skip locked;
  if taken is null then
    insert into list_length (instance_id, debtor_id, activated, paused, disputed, pending_authorization, closed, stopped)
      values (new.instance_id, new.debtor_id, 0, 0, 0, 0, 0, 0) returning slot into taken;
  end if;
  -- A statement of its own: it sees what was committed until the slot was taken.
  update list_length
    set activated = activated + (now_is = 'ACTIVATED')::integer - (was = 'ACTIVATED')::integer,
      paused = paused + (now_is = 'PAUSED')::integer - (was = 'PAUSED')::integer,
      disputed = disputed + (now_is = 'DISPUTED')::integer - (was = 'DISPUTED')::integer,
      pending_authorization = pending_authorization + (now_is = 'PENDING_AUTHORIZATION')::integer
        - (was = 'PENDING_AUTHORIZATION')::integer,
      closed = closed + (now_is = 'CLOSED')::integer - (was = 'CLOSED')::integer,
      stopped = stopped + (now_is = 'STOPPED')::integer - (was = 'STOPPED')::integer
    where instance_id = new.instance_id and debtor_id = new.debtor_id and slot = taken;
  return null;
end $$;
