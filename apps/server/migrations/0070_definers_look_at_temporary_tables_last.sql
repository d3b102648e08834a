-- What runs with its owner's rights must not be led to somebody else's tables: temporary ones are looked at first
-- unless they are named last. The start takes the right to make any away besides, and hands these functions to an owner
-- that is no superuser.
do $$
declare
  definer record;
begin
  for definer in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
  loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', definer.name);
  end loop;
end $$;
