/** What a program relies on in a database, as its catalog has it: what a migration changes in it, an older program meets. */
import type pg from 'pg'

type Column = { readonly type: string; readonly mayBeLeftOut: boolean; readonly mayBeNull: boolean }
type Guard = {
  /** The table that it stands on. */
  readonly table: string
  readonly definition: string
  /** Empty where it is about a whole row. */
  readonly columns: readonly string[]
}

export type Catalog = {
  /** Tables and views, each with its columns. */
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, Column>>
  /** Constraints, unique indexes, triggers, policies: what may refuse a write, by kind and name. */
  readonly guards: ReadonlyMap<string, Guard>
  /** Functions by their arguments, with what they answer. */
  readonly functions: ReadonlyMap<string, string>
  /** Rights of the program's role, labels of types, and tables that hide rows from it: each a sentence of its own. */
  readonly facts: ReadonlySet<string>
}

const COLUMNS = `select c.relname as relation, a.attname as name,
    format_type(a.atttypid, a.atttypmod) || a.attgenerated::text as type,
    not a.attnotnull as "mayBeNull",
    not a.attnotnull or a.atthasdef or a.attidentity <> '' as "mayBeLeftOut"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and c.relname <> 'migration'`

const GUARDS = `select 'constraint ' || conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition,
    (select coalesce(array_agg(attname::text), '{}') from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
  union all select 'unique index ' || c.relname, i.indrelid::regclass::text, pg_get_indexdef(i.indexrelid),
    case when 0 = any (i.indkey::int[]) or i.indpred is not null then '{}'
      else (select array_agg(attname::text) from pg_attribute where attrelid = i.indrelid and attnum = any (i.indkey::int[])) end
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indisunique and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  union all select 'trigger ' || tgname, tgrelid::regclass::text, pg_get_triggerdef(t.oid), '{}'
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not tgisinternal and c.relnamespace = 'public'::regnamespace
  union all select 'policy ' || policyname, tablename, concat_ws(' ', permissive, cmd, roles::text, qual, with_check), '{}'
  from pg_policies where schemaname = 'public'`

const FUNCTIONS = `select oid::regprocedure::text as name, pg_get_function_result(oid) as result
  from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`

const FACTS = `select format('%s on %s is granted', a.privilege_type, c.relname) as fact
  from pg_class c cross join lateral aclexplode(c.relacl) a
  where c.relnamespace = 'public'::regnamespace and a.grantee in (0, 'kvitt_app'::regrole)
  union select format('%s (%s) on %s is granted', p.privilege_type, p.column_name, p.table_name)
  from information_schema.column_privileges p where p.table_schema = 'public' and p.grantee = 'kvitt_app'
  union select format('%s may be called', p.oid::regprocedure)
  from pg_proc p cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
  where p.pronamespace = 'public'::regnamespace and a.grantee in (0, 'kvitt_app'::regrole)
  union select format('%s has %s', e.enumtypid::regtype, e.enumlabel) from pg_enum e
  union select format('%s shows all rows', relname) from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`

export async function readCatalog(client: Pick<pg.ClientBase, 'query'>): Promise<Catalog> {
  const relations = new Map<string, Map<string, Column>>()
  const { rows: columns } = await client.query<Column & { relation: string; name: string }>(COLUMNS)
  for (const { relation, name, ...column } of columns) {
    relations.set(relation, (relations.get(relation) ?? new Map<string, Column>()).set(name, column))
  }
  const { rows: guards } = await client.query<Guard & { name: string }>(GUARDS)
  const { rows: functions } = await client.query<{ name: string; result: string }>(FUNCTIONS)
  const { rows: facts } = await client.query<{ fact: string }>(FACTS)
  return {
    relations,
    guards: new Map(guards.map(({ name, ...guard }) => [`${name} on ${guard.table}`, guard])),
    functions: new Map(functions.map(({ name, result }) => [name, result])),
    facts: new Set(facts.map(({ fact }) => fact)),
  }
}

function columnBreaks(
  relation: string,
  before: ReadonlyMap<string, Column>,
  after: ReadonlyMap<string, Column>,
): string[] {
  const old = [...before].flatMap(([name, was]) => {
    const is = after.get(name)
    const column = `column ${relation}.${name}`
    if (!is) return [`${column} is gone`]
    if (is.type !== was.type) return [`${column} was ${was.type} and is ${is.type}`]
    if (was.mayBeNull && !is.mayBeNull) return [`${column} may no longer be null`]
    return was.mayBeLeftOut && !is.mayBeLeftOut ? [`${column} may no longer be left out`] : []
  })
  const added = [...after].flatMap(([name, { mayBeLeftOut }]) =>
    before.has(name) || mayBeLeftOut ? [] : [`column ${relation}.${name} is new and may not be left out`],
  )
  return [...old, ...added]
}

/** A guard on new columns alone meets no row that an older program writes as long as those have a default that passes it. */
function guardBreaks(before: Catalog, after: Catalog): string[] {
  return [...after.guards].flatMap(([name, { table, definition, columns }]) => {
    const had = before.relations.get(table)
    if (!had || before.guards.get(name)?.definition === definition) return []
    const isOfNew = columns.length > 0 && columns.every((column) => !had.has(column))
    return isOfNew ? [] : [`${name} is ${before.guards.has(name) ? 'another' : 'new'}`]
  })
}

/** What an older program would stumble over, one sentence each; empty where there is nothing. What a function does is not seen. */
export function breaksBetween(before: Catalog, after: Catalog): string[] {
  const relations = [...before.relations].flatMap(([name, columns]) => {
    const is = after.relations.get(name)
    return is ? columnBreaks(name, columns, is) : [`relation ${name} is gone`]
  })
  const isGone = (fact: string): boolean =>
    relations.some(
      (one) => one.endsWith('is gone') && fact.includes(one.split(' ')[1]?.split('.').at(-1) ?? ' '),
    )
  const functions = [...before.functions].flatMap(([name, result]) => {
    const is = after.functions.get(name)
    if (is === undefined) return [`function ${name} is gone`]
    return is === result ? [] : [`function ${name} answered ${result} and answers ${is}`]
  })
  const facts = [...before.facts]
    .filter(
      (fact) =>
        !after.facts.has(fact) &&
        !isGone(fact) &&
        !functions.some((one) => one === `function ${fact.replace(/ may be called$/, '')} is gone`),
    )
    .map((fact) => `no longer: ${fact}`)
  return [...relations, ...guardBreaks(before, after), ...functions, ...facts].toSorted()
}
