import { Writable } from 'node:stream'
import pg from 'pg'
import { expect, test } from 'vitest'
import { errorForLog, framesOf, withoutData } from './log-text.ts'
import { openLog } from './log.ts'

test.each([
  ['invalid input syntax for type uuid: "260101314920"', 'invalid input syntax for type uuid: […]'],
  ['550 no such user alva.berg@example.se here', '550 no such user […] here'],
  ['reference 2601 0131 4920 and zip 411 05', 'reference […] and zip […]'],
  ['of 19900101-2384 and +46 70 123 45 67', 'of […] and […]'],
  [
    'payment 0198e1c0-5a1b-7c3d-8e4f-0123456789ab of 2026-11-23 was 404',
    'payment 0198e1c0-5a1b-7c3d-8e4f-0123456789ab of 2026-11-23 was 404',
  ],
  ['connect ECONNREFUSED after 30 s', 'connect ECONNREFUSED after 30 s'],
])('%s is logged as %s', (text, logged) => {
  expect(withoutData(text)).toBe(logged)
})

/** As the driver makes it of the server's own words. */
function databaseError(): pg.DatabaseError {
  const error = new pg.DatabaseError('duplicate key of Alva Berg', 10, 'error')
  return Object.assign(error, {
    code: '23505',
    detail: 'Key (name)=(Alva Berg) already exists.',
    where: "SQL statement insert with 'Alva Berg'",
    hint: 'Alva Berg',
    internalQuery: "select 'Alva Berg'",
    parameters: ['Alva Berg'],
    table: 'debtor',
    constraint: 'debtor_name_key',
  })
}

test('an error is logged with its sort, its places and its causes, and without what it says of anybody', () => {
  const lines: string[] = []
  const log = openLog(
    'trace',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const parsed = ((): unknown => {
    try {
      return JSON.parse('{"name": Alva Berg}')
    } catch (error) {
      return error
    }
  })()
  const cause = new AggregateError([databaseError(), parsed], 'both of "Alva Berg"')
  log.error({ err: new Error('it failed', { cause }), reason: 'told "Alva Berg"' }, 'request failed')
  const [line = ''] = lines
  expect(line).not.toContain('Alva')
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    reason: 'told […]',
    err: {
      message: 'it failed',
      stack: expect.stringContaining('log-text.test.ts') as string,
      causes: [
        {
          causes: [
            { code: '23505', table: 'debtor', constraint: 'debtor_name_key' },
            { type: 'SyntaxError' },
          ],
        },
      ],
    },
  })
})

test('a message of many lines is no frame', () => {
  const error = new Error('first\n    at Alva (Berg)\n  at home')
  expect(framesOf(error).join('\n')).not.toMatch(/Alva|home/)
  expect(framesOf(error).length).toBeGreaterThan(0)
})

test.each([['Alva'], [undefined], [null], [{ name: 'Alva' }]])(
  '%j, thrown, is named by its type',
  (thrown) => {
    expect(JSON.stringify(errorForLog(thrown))).not.toContain('Alva')
  },
)
