import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const run = (...args: string[]): Promise<Ended> =>
  runHere('decide-dispute-cli', args, { DATABASE_URL: urlOf(server.test) })
const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows

async function disputed(): Promise<{ invoice: BuiltInvoice; id: string }> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig\nvid leverans.' }
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`
  return { invoice, id: ((await server.call('POST', path, { body })).json as { id: string }).id }
}

test('lists what waits, decides it once, says so again, and tells the debtor', {
  timeout: 120_000,
}, async () => {
  const { invoice, id } = await disputed()
  const listed = await run()
  expect(listed).toMatchObject({ status: 0, stderr: '' })
  expect(listed.stdout).toBe(
    `2026-11-20  dispute ${id}  invoice ${invoice.number}  of nordklar AB  Trasig vid leverans.\n1 to answer\n`,
  )
  const answer = ['--dispute', id, '--answer', 'Halva leveransen saknades.', '--by', 'Eva Berg']
  const upheld = await Promise.all([1, 2].map(() => run(...answer, '--uphold-part', '342.00')))
  expect(upheld.map(({ status, stderr }) => [status, stderr])).toEqual([1, 2].map(() => [0, '']))
  expect(new Set(upheld.map(({ stdout }) => stdout))).toEqual(
    new Set([`upheld  ${invoice.number}\n`, `upheld before  ${invoice.number}\n`]),
  )
  expect(await run(...answer, '--reject')).toEqual({
    status: 2,
    stdout: '',
    stderr: `The dispute about ${invoice.number} has ended already: it is UPHELD_PART.\n`,
  })
  expect(await sql('select balance_minor::int as owed from invoice where id = $1', invoice.id)).toEqual([
    { owed: 50_000 },
  ])
  const told = await sql(
    `select recipient, text_body as text from mail_outbox where cause = $1 and kind = 'dispute_upheld_in_part'`,
    `dispute:${id}`,
  )
  expect(told).toEqual([
    { recipient: 'alva@example.com', text: expect.stringContaining('Halva leveransen saknades.') as string },
  ])
  expect((await run()).stdout).toBe('0 to answer\n')
})

const ID = ['--dispute', '01a200be-104f-7f5e-be14-31a3329deb27']
const WORDS = ['--answer', 'Nej, det stämmer.', '--by', 'Eva Berg']
test.each([
  ['no dispute', ['--reject', ...WORDS], /^No dispute was named\. Usage: npm run decide-dispute/],
  ['no decision', [...ID, ...WORDS], /^Name one decision\. Usage: /],
  ['two decisions', [...ID, ...WORDS, '--reject', '--uphold'], /^Name one decision\. Usage: /],
  ['no answer', [...ID, '--reject'], /^Say what the debtor is told, and who decides\. Usage: /],
  ['no id', ['--dispute', 'x', '--reject', ...WORDS], /^"x" is no id of a dispute, which looks like /],
  ['a dispute that is not there', [...ID, '--reject', ...WORDS], /^The provider has no dispute 01a200be-/],
])('%s is answered with one sentence and status 2', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})
