-- An entry is given its number when it has the lock of its chain, and its time when its transaction began: the oldest by time are not
-- always the first. What goes is a beginning of the chain, up to the first that is to stay, so that no gap is left.
create or replace function forget_audit_events() returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  one record;
  stays bigint;
  gone bigint := 0;
  these bigint;
begin
  for one in
    select c.chain, audit_kept(first.entry) as kept from (
      select '00000000-0000-0000-0000-000000000000'::uuid as chain
      union all select id from instance
      union all select deeds_chain(id) from instance) c
    cross join lateral (select e as entry from audit_event e where e.chain = c.chain order by e.seq limit 1) first
  loop
    select e.seq into stays from audit_event e where e.chain = one.chain and e.at >= now() - one.kept order by e.seq limit 1;
    delete from audit_event e where e.chain = one.chain and (stays is null or e.seq < stays) and e.at < now() - one.kept;
    get diagnostics these = row_count;
    gone := gone + these;
  end loop;
  return gone;
end $$;
