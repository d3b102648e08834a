import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import { IMPATIENT } from './connect.ts'
import { tellingSettings, warnOfTellingLog } from './database-log.ts'

const QUIET = {
  log_min_messages: 'log',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '-1',
}

test.each<[string, Record<string, string>, string[]]>([
  ['nothing is kept', {}, []],
  ['errors are', { log_min_messages: 'warning' }, ['log_min_messages']],
  ['statements are', { log_statement: 'all' }, ['log_statement']],
  ['only what changes tables is', { log_statement: 'ddl' }, []],
  ['statements are, without values', { log_statement: 'all', log_parameter_max_length: '0' }, []],
  ['slow statements are', { log_min_duration_statement: '0' }, ['log_min_duration_statement']],
  ['a part of the slow ones is', { log_min_duration_sample: '100' }, ['log_min_duration_sample']],
  ['a part of the transactions is', { log_transaction_sample_rate: '0.1' }, ['log_transaction_sample_rate']],
  [
    'plans are',
    { 'auto_explain.log_min_duration': '0', 'auto_explain.log_parameter_max_length': '-1' },
    ['auto_explain.log_parameter_max_length'],
  ],
  ['an audit is', { 'pgaudit.log_parameter': 'on' }, ['pgaudit.log_parameter']],
])('%s', (_name, settings, telling) => {
  expect(tellingSettings(new Map(Object.entries({ ...QUIET, ...settings })))).toEqual(telling)
})

test('the program’s login is quiet at the embedded server, and a login that is not is warned of', async () => {
  const base = await testDatabase()
  const said: string[] = []
  const patience = { ...IMPATIENT, log: (line: string) => void said.push(line) }
  await warnOfTellingLog(base.address, patience)
  expect(said).toEqual([])
  await warnOfTellingLog(base.ownerAddress, patience)
  expect(said).toEqual([expect.stringContaining('log_min_messages')])
  const client = new pg.Client(base.address)
  await client.connect()
  const { rows } = await client.query(`select current_setting('log_min_messages') as errors`)
  await client.end()
  expect(rows).toEqual([{ errors: 'log' }])
})
