/** The program works with a login that can do no more than it was granted. */
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'

/** Known once the first connection is made: the program does not start with it, and stops answering if it comes later. */
export class UnsafeLogin extends StartupError {}

type Rights = { session: string; acting: string; why: string | null }

/** Of both: who logged in can be again what a role had been set to, by one statement. */
const RIGHTS = {
  name: 'platform.rights',
  text: `select session_user::text as session, current_user::text as acting, (
     select case
       when bool_or(r.rolsuper) then 'is a superuser'
       when bool_or(r.rolbypassrls) then 'passes by row security'
       when bool_or(r.rolcreaterole) then 'may make roles'
       when exists (select from (select distinct relowner from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) o
         where pg_has_role(session_user, o.relowner, 'MEMBER') or pg_has_role(current_user, o.relowner, 'MEMBER'))
         then 'owns the tables'
       when exists (select from pg_roles s
         where (s.rolsuper or s.rolbypassrls or s.rolcreaterole or s.rolname in ('pg_write_all_data',
           'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))
         and (pg_has_role(session_user, s.oid, 'MEMBER') or pg_has_role(current_user, s.oid, 'MEMBER')))
         then 'is a member of a role with more rights than the program may have'
     end
     from pg_roles r where r.rolname in (session_user, current_user)) as why`,
}

/**
 * The migrating login leaves the program's role its limits. Where it may not, a start behind a pooler says what is missing. Connections of
 * our own ask for theirs, some of them for less.
 */
export const GIVE_LIMITS = `do $$
begin
  if exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
    where r.rolname = 'kvitt_app' and s.setdatabase = 0 and s.setconfig @> array['TimeZone=UTC', 'statement_timeout=20s',
      'idle_in_transaction_session_timeout=30s']) then return; end if;
  alter role kvitt_app set TimeZone = 'UTC';
  alter role kvitt_app set statement_timeout = '20s';
  alter role kvitt_app set idle_in_transaction_session_timeout = '30s';
exception when insufficient_privilege or undefined_object then null;
end $$`

type Limited = { isUtc: boolean; hasLimits: boolean }

/** What a connection of our own asks for at its start. Behind a pooler only the role can bring it along. */
const ROLE_LIMITS = `select current_setting('TimeZone') = 'UTC' as "isUtc",
  current_setting('statement_timeout') <> '0' and current_setting('idle_in_transaction_session_timeout') <> '0' as "hasLimits"`

/**
 * Throws UnsafeLogin with a sentence when this connection could do more than the program may, or when it comes from a pooler that shares
 * connections and its role brings no limits along.
 */
export async function checkLogin(
  client: Pick<pg.ClientBase, 'query'>,
  { isPooled }: { readonly isPooled: boolean },
): Promise<void> {
  if (isPooled) await checkLimits(client)
  const rights = (await client.query<Rights>(isPooled ? RIGHTS.text : RIGHTS)).rows[0]
  if (rights?.why === null) return
  throw new UnsafeLogin(
    `The database knows the program as ${rights?.session} (acting as ${rights?.acting}), which ${rights?.why}. ` +
      'Let DATABASE_URL log in as kvitt_app, and DATABASE_OWNER_URL as the owner of the tables.',
  )
}

async function checkLimits(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const limited = (await client.query<Limited>(ROLE_LIMITS)).rows[0]
  if (limited?.isUtc && limited.hasLimits) return
  throw new UnsafeLogin(
    'Behind the pooler the role kvitt_app has no limits of its own (TimeZone UTC, statement_timeout, idle_in_transaction_session_timeout). ' +
      'Run "npm run migrate", let the pooler make its connections anew, then start again.',
  )
}
