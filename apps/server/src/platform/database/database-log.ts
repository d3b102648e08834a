/** What a PostgreSQL writes into its own log of what the program asks, and keeps there. */
import { onOwnConnection, type Patience } from './connect.ts'
import { WORK_LIMITS, type DatabaseAddress } from './database.ts'

/** On the roles of a superuser's choice: errors go to who asked, not to the log as well, and nothing else is written down. */
export const QUIET = {
  log_min_messages: 'log',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
} as const

/** A superuser that migrates leaves the program's own role quiet, and is quiet itself meanwhile. */
export const QUIET_PROGRAM = `do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then return; end if;
  if not exists (select from pg_roles where rolname = 'kvitt_app') then return; end if;
  if exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
    where r.rolname = 'kvitt_app' and s.setdatabase = 0 and s.setconfig @> array[${Object.entries(QUIET)
      .map(([name, value]) => `'${name}=${value}'`)
      .join(', ')}]) then return; end if;
  ${Object.entries(QUIET)
    .map(([name, value]) => `alter role kvitt_app set ${name} = '${value}';`)
    .join('\n  ')}
end $$`

export const QUIET_SELF = `select set_config('log_min_messages', 'log', false)
  from pg_roles where rolname = current_user and rolsuper`

/** Which settings say what a server writes down. */
const READ = {
  name: 'platform.logSettings',
  text: `select name, setting from pg_settings where name ~ '^log_|^auto_explain\\.|^pgaudit\\.'`,
}

/** A duration from which statements are logged; negative for never. */
const isSet = (setting: string | undefined): boolean => setting !== undefined && Number(setting) >= 0

/**
 * The settings by which a server keeps what it is told of people, by name; empty when there are none that the login may
 * see. A statement of ours has no values in it, those come beside it.
 */
export function tellingSettings(settings: ReadonlyMap<string, string>): string[] {
  const keepsErrors = !['log', 'fatal', 'panic'].includes(settings.get('log_min_messages') ?? 'log')
  const writers = [
    ['mod', 'all'].includes(settings.get('log_statement') ?? 'none') && 'log_statement',
    isSet(settings.get('log_min_duration_statement')) && 'log_min_duration_statement',
    isSet(settings.get('log_min_duration_sample')) && 'log_min_duration_sample',
    Number(settings.get('log_transaction_sample_rate') ?? 0) > 0 && 'log_transaction_sample_rate',
  ].filter((name) => name !== false)
  const explains =
    isSet(settings.get('auto_explain.log_min_duration')) &&
    settings.get('auto_explain.log_parameter_max_length') !== '0'
  return [
    ...(keepsErrors ? ['log_min_messages'] : []),
    ...(settings.get('log_parameter_max_length') === '0' ? [] : writers),
    ...(explains ? ['auto_explain.log_parameter_max_length'] : []),
    ...(settings.get('pgaudit.log_parameter') === 'on' ? ['pgaudit.log_parameter'] : []),
  ]
}

/** Says so when the server at `address`, as the program's own login sees it, keeps what it is told of people. */
export async function warnOfTellingLog(address: DatabaseAddress, patience: Patience): Promise<void> {
  const { rows } = await onOwnConnection(address, WORK_LIMITS, patience, (client) =>
    client.query<{ name: string; setting: string }>(READ),
  )
  const telling = tellingSettings(new Map(rows.map(({ name, setting }) => [name, setting])))
  if (telling.length === 0) return
  patience.log(
    `The database's own log may keep what is told of debtors (${telling.join(', ')}). docs/operations.md, "The database's own log", says what to set.`,
  )
}
