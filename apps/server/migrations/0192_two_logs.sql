-- Two logs, both chained (staff.md 2): deeds, kept as long as the books; and who was let in and what was looked at, for twelve
-- months. Each is a chain of its own, so that the rows of one can go while those of the other stay whole.
create function deeds_chain(instance_id uuid) returns uuid language sql immutable as $$
  select md5('deeds:' || instance_id::text)::uuid
$$;

alter table audit_event
  drop constraint audit_event_check,
  drop constraint audit_event_check1,
  -- Deeds from before stand among the others.
  add check (chain in (coalesce(instance_id, '00000000-0000-0000-0000-000000000000'), deeds_chain(instance_id))),
  -- What somebody of the staff has looked at has details, and each look is a row.
  add check (is_deed or (reason is null and before is null));
drop index audit_event_once_an_hour;
create unique index audit_event_once_an_hour on audit_event (chain, kind, actor, about, hour)
  where not is_deed and after is null;

create or replace function chain_audit_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  last audit_event;
begin
  new.chain := case when new.is_deed then deeds_chain(new.instance_id)
    else coalesce(new.instance_id, '00000000-0000-0000-0000-000000000000') end;
  perform pg_advisory_xact_lock(hashtextextended('audit:' || new.chain::text, 0));
  select * into last from audit_event a where a.chain = new.chain order by a.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prev_hash := coalesce(last.hash, '\x00'::bytea);
  new.hash := audit_hash(new);
  return new;
end $$;

-- The books are kept for seven years after their year (bokföringslagen 7:2); ten are more than any of the five countries wants.
create function audit_kept(e audit_event) returns interval language sql immutable as $$
  select case when e.chain = deeds_chain(e.instance_id) then interval '10 years' else interval '12 months' end
$$;
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - audit_kept(old) then return old; end if;
  raise exception 'audit_event is append-only, and kept for twelve months, deeds for ten years' using errcode = 'KV002';
end $$;
create or replace function forget_audit_events() returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  gone bigint;
begin
  delete from audit_event e where e.at < now() - interval '12 months' and e.at < now() - audit_kept(e);
  get diagnostics gone = row_count;
  return gone;
end $$;
