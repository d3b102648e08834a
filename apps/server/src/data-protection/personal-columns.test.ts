/** Where personal data stands: each column that can hold words has its line, and an export finds a person wherever they stand. */
import { beforeAll, expect, test } from 'vitest'
import { languageFrom } from '../platform/texts.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { tableRows } from './person-table.ts'
import { columnsOf, PERSONAL_DATA } from './personal-columns.queries.ts'

let world: TestDatabase
beforeAll(async () => {
  world = await testDatabase()
})

/** What can hold a name, a number or an address: all but what is a number, a moment, a yes or no, or another row's id. */
const WORDS = `c.data_type not in ('uuid', 'boolean', 'bigint', 'integer', 'smallint', 'numeric', 'timestamp with time zone', 'character', 'date')`

async function columnsWithWords(): Promise<string[]> {
  const { rows } = await world.owner.query(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and ${WORDS} order by 1`,
  )
  return rows.map(({ name }) => name)
}

const written = (): string[] => [
  ...Object.entries(PERSONAL_DATA.persons).flatMap(([table, { goes, stays, hidden }]) =>
    [...Object.values(goes ?? {}), stays, hidden].flatMap(columnsOf).map((name) => `${table}.${name}`),
  ),
  ...Object.values(PERSONAL_DATA.others).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, line]) => columnsOf(line).map((name) => `${table}.${name}`)),
  ),
]

test('each column that can hold words has one line, and no line is of a column that is not there', async () => {
  expect(written().toSorted()).toEqual(await columnsWithWords())
})

test('a column that is new and has no line is found', async () => {
  await world.owner.query('alter table debtor add column nickname text')
  const missing = (await columnsWithWords()).filter((name) => !written().includes(name))
  await world.owner.query('alter table debtor drop column nickname')
  expect(missing).toEqual(['debtor.nickname'])
})

test('every kind of row has its name in each language', () => {
  const all = Object.fromEntries(Object.keys(PERSONAL_DATA.persons).map((table) => [table, [{}]]))
  for (const code of ['sv', 'en', 'nb', 'da', 'fi'] as const) {
    const names = [...tableRows(all, languageFrom(code, 'sv'))].map(([row]) => row?.[0])
    expect(names.length).toBeGreaterThan(25)
  }
})
