import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import { amount, asWritten, sqlJson, word } from './sql-json.ts'

const database = await testDatabase()

/** Writes with `fields` over a row `v` of the values. */
async function written(fields: Parameters<typeof sqlJson>[0], values: string): Promise<string> {
  const { rows } = await database.owner.query<{ json: string }>(
    `select ${sqlJson(fields)} as json from (select ${values}) v`,
  )
  return rows[0]?.json ?? ''
}

test('what JSON.parse reads is what stood there', async () => {
  const hard = 'Åsa "Ö" \\ O\'Neill\n\t\u0001 \u2028 </script> 猫 😀'
  const { rows } = await database.owner.query<{ json: string }>(
    `select ${sqlJson({ "it's": 'v.text', inside: { 'a "b"': 'v.none', deep: { id: word('v.id') } } })} as json
     from (select $1::text as text, null::text as none, '7f8c0000-0000-7000-8000-000000000001'::uuid as id) v`,
    [hard],
  )
  const json = rows[0]?.json ?? ''
  expect(JSON.parse(json)).toEqual({
    "it's": hard,
    inside: { 'a "b"': null, deep: { id: '7f8c0000-0000-7000-8000-000000000001' } },
  })
  expect(json).not.toContain('\n')
})

test('dates, truth and nothing', async () => {
  const fields = { day: 'v.day', is: 'v.is', none: 'v.none', raw: asWritten(`'[1]'`) }
  const values = `date '2026-11-20' as day, true as is, null::date as none`
  expect(await written(fields, values)).toBe('{"day":"2026-11-20","is":true,"none":null,"raw":[1]}')
})

test.each([
  ['0', '0.00'],
  ['5', '0.05'],
  ['-5', '-0.05'],
  ['-150', '-1.50'],
  ['84200', '842.00'],
  ['9007199254740991', '90071992547409.91'],
  ['-9223372036854775808', '-92233720368547758.08'],
])('%s minor units are %s', async (minor, text) => {
  expect(await written({ a: amount('v.minor') }, `(${minor})::bigint as minor`)).toBe(`{"a":${text}}`)
})
