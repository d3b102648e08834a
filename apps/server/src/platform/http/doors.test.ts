/** The program's role must not come to another's rights through anything that the database does for it. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../testing/global-setup.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { migrate } from '../database/migrate.ts'

const base = await testDatabase()

/** What `statements` answer to the program's own login; nothing of it stays. */
async function asProgram(statements: readonly string[]): Promise<unknown> {
  const client = new pg.Client(base.address)
  await client.connect()
  try {
    await client.query('begin')
    let last: pg.QueryResult | undefined
    for (const statement of statements) last = await client.query(statement)
    return last?.rows[0]
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

/** A table before the one that the function means, and a trigger on it that runs with the function's rights. */
const TAKE_OVER = [
  'create temporary table audit_event (at timestamptz)',
  'grant all on audit_event to public',
  `create function pg_temp.take_over() returns trigger language plpgsql as
     'begin execute ''alter role kvitt_app superuser''; return null; end'`,
  'grant execute on function pg_temp.take_over() to public',
  'create trigger take_over before delete on audit_event for each statement execute function pg_temp.take_over()',
  'select forget_audit_events()',
  `select rolsuper from pg_roles where rolname = 'kvitt_app'`,
]

test('the program cannot make itself superuser, even where it may make temporary tables', async () => {
  await base.owner.query(`grant temporary on database ${base.address.database} to kvitt_app`)
  expect(await asProgram(TAKE_OVER)).toEqual({ rolsuper: false })
})

test('no function that runs with its owner’s rights looks into temporary tables first, or belongs to a superuser', async () => {
  const { rows } = await base.owner.query<{ name: string; wrong: string[] }>(
    `select p.oid::regprocedure::text as name, r.rolname, p.proconfig
     from pg_proc p join pg_roles r on r.oid = p.proowner
     where p.prosecdef and p.pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       and (r.rolsuper or r.rolbypassrls or not exists (
         select from unnest(p.proconfig) c where c ~ '^search_path=.*, *pg_temp$'))`,
  )
  expect(rows).toEqual([])
})

test('there are such functions, and nothing else of ours belongs to a superuser', async () => {
  const { rows } = await base.owner.query(
    `select (select count(*) > 5 from pg_proc where prosecdef) as has_functions,
       (select array_agg(c.relname::text) from pg_class c join pg_roles r on r.oid = c.relowner
        where c.relnamespace = 'public'::regnamespace and r.rolsuper) as of_superusers,
       (select array_agg(p.proname::text) from pg_proc p join pg_roles r on r.oid = p.proowner
        where p.pronamespace = 'public'::regnamespace and r.rolsuper) as functions_of_superusers`,
  )
  expect(rows).toEqual([{ has_functions: true, of_superusers: null, functions_of_superusers: null }])
})

test('a start takes away temporary tables, also where a restore has brought them back', async () => {
  await base.owner.query(`grant temporary on database ${base.address.database} to kvitt_app, public`)
  await migrate(base.ownerAddress, MIGRATIONS)
  await expect(asProgram(TAKE_OVER)).rejects.toThrow(/permission denied to create temporary tables/)
})
