/** What no migration can settle for good: rights on the database itself, which a restore leaves behind, and owners. */

/**
 * Nobody but the owner makes temporary tables. A login that may not forbid that leaves it as it is: the functions that
 * run with their owner's rights look at such tables last.
 */
const TAKE_TEMPORARY = `do $$
begin
  if has_database_privilege('kvitt_app', current_database(), 'TEMPORARY') then
    execute format('revoke temporary on database %I from public, kvitt_app', current_database());
  end if;
end $$`

/** A function that a migration has defined anew has lost what an earlier one had set. */
const NAME_TEMPORARY_LAST = `do $$
declare
  definer record;
begin
  for definer in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and not exists (select from unnest(p.proconfig) c where c ~ '^search_path=.*, *pg_temp$')
  loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', definer.name);
  end loop;
end $$`

/**
 * What a superuser has made goes to a role that is none and that nobody logs in as. Indexes, and sequences of columns,
 * follow their tables.
 */
const HAND_OVER = `do $$
declare
  thing record;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then return; end if;
  if not exists (select from pg_roles where rolname = 'kvitt_owner') then
    begin
      create role kvitt_owner nologin nosuperuser nocreatedb nocreaterole nobypassrls;
    -- Roles belong to all databases of a server: another one was quicker.
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  for thing in
    select format('alter table %s owner to kvitt_owner', c.oid::regclass) as command
    from pg_class c join pg_roles r on r.oid = c.relowner
    where c.relnamespace = 'public'::regnamespace and r.rolsuper and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e')
        and (d.deptype = 'e' or c.relkind = 'S'))
    union all
    select format('alter routine %s owner to kvitt_owner', p.oid::regprocedure)
    from pg_proc p join pg_roles r on r.oid = p.proowner
    where p.pronamespace = 'public'::regnamespace and r.rolsuper
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to kvitt_owner', t.oid::regtype)
    from pg_type t join pg_roles r on r.oid = t.typowner
    where t.typnamespace = 'public'::regnamespace and r.rolsuper and t.typtype in ('d', 'e')
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
  loop
    execute thing.command;
  end loop;
end $$`

/** Leaves the database such that the program's login cannot come to its owner's rights. Safe to repeat. */
export async function closeDoors(ask: (text: string) => Promise<unknown>): Promise<void> {
  await ask(TAKE_TEMPORARY)
  await ask(NAME_TEMPORARY_LAST)
  await ask(HAND_OVER)
}
