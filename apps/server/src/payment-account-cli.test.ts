import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice } from './testing/build.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'

const CLI = fileURLToPath(new URL('payment-account-cli.ts', import.meta.url))
let server: TestServer
let env: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  const { host, port, user, database } = server.test.ownerAddress
  env = {
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`,
  }
})

function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
const told = (...lines: string[]) => ({
  status: 0,
  stderr: '',
  stdout: `${['Accounts of nordklar AB', ...lines].join('\n')}\n`,
})

const OURS = ['--receiver', 'Nordklar AB']
const EURO = ['--iban', 'FI05 9999 0000 0001 11', '--currency', 'eur', ...OURS, '--bic=DEMOFIHHXXX']

test('an account is entered, shown to payers of its currency, and another one chosen instead of it', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { currency: 'EUR' })
  const shown = async (part = '') =>
    (await server.call('GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-${part}`))
      .json
  expect(await run()).toEqual(
    told('none: claims, and invoices without an account that can be paid to, cannot be paid'),
  )
  const first = 'EUR  IBAN FI0599990000000111  Nordklar AB  BIC DEMOFIHHXXX'
  for (let again = 0; again < 2; again++) expect(await run(...EURO)).toEqual(told(first))
  expect(await shown('account')).toMatchObject({ iban: 'FI0599990000000111', receiverName: 'Nordklar AB' })
  expect(await shown('methods')).toContainEqual(expect.objectContaining({ code: 'BANK_TRANSFER' }))
  const other = 'EUR  IBAN NO9799990000111  Nordklar AB  Demobanken Norge'
  const norway = ['--iban', 'NO9799990000111', '--currency', 'EUR', ...OURS, '--bank', 'Demobanken Norge']
  expect(await run(...norway)).toEqual(told(other, first))
  expect(await shown('account')).toMatchObject({ iban: 'NO9799990000111' })
  expect(await run(...EURO, '--provider', 'nordklar')).toEqual(told(first, other))
  expect(await shown('account')).toMatchObject({ iban: 'FI0599990000000111' })
  const giro = ['--bankgiro', '99900110', '--currency', 'SEK', ...OURS]
  expect(await run(...giro)).toEqual(told(first, other, 'SEK  bankgiro 9990-0110  Nordklar AB'))
  const { rows } = await server.test.owner.query(
    `select actor, count(*)::int as accounts from audit_event where kind = 'account_chosen' group by 1`,
  )
  expect(rows).toEqual([{ actor: 'command', accounts: 3 }])
})

test.each([
  [
    'an IBAN with a wrong digit',
    ['--iban', 'FI0599990000000112', '--currency', 'EUR'],
    /is not an IBAN: its length or/,
  ],
  [
    'a bankgiro with a wrong digit',
    ['--bankgiro', '9990-0111', '--currency', 'SEK'],
    /is not a bankgiro: its length/,
  ],
  [
    'a plusgiro with a wrong digit',
    ['--plusgiro', '4-3', '--currency', 'SEK'],
    /is not a plusgiro: its length/,
  ],
  [
    'euros to a bankgiro',
    ['--bankgiro', '9990-0110', '--currency', 'EUR'],
    /^A bankgiro takes SEK only\. Give an IBAN/,
  ],
  [
    'a currency that is none',
    ['--iban', 'FI0599990000000111', '--currency', 'XAU'],
    /^XAU is not a currency/,
  ],
  [
    'a BIC that is none',
    ['--iban', 'FI0599990000000111', '--currency', 'EUR', '--bic', 'DEMO'],
    /^DEMO is not a BIC/,
  ],
  [
    'two numbers',
    ['--bankgiro', '1', '--plusgiro', '4-2', '--currency', 'SEK'],
    /^Give one number, with --currency/,
  ],
  ['no currency', ['--iban', 'FI0599990000000111'], /^Give one number, with --currency/],
  [
    'an unknown provider',
    ['--provider', 'nobody', ...EURO.slice(0, 4)],
    /^There is no provider nobody\. There are /,
  ],
  ['an unknown option', ['--swift', 'X'], /^--swift is not an option\. Usage: /],
])('%s is answered with one sentence and status 2, and nothing is entered', async (_, args, sentence) => {
  const count = async () => (await server.test.owner.query('select count(*) from payment_account')).rows
  const before = await count()
  const { status, stdout, stderr } = await run(...args, ...OURS)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(await count()).toEqual(before)
})

test('the account of a creditor cannot be the provider’s own; another provider may have the same', async () => {
  await buildInvoice(server.test, server.instanceId, server.clock, {})
  await server.test.owner.query(
    `update payment_account set number_key = 'BANKGIRO54029681', account_number = '5402-9681'
     where id = (select id from payment_account where creditor_id is not null order by id desc limit 1)`,
  )
  const theirs = ['--bankgiro', '5402-9681', '--currency', 'SEK', '--receiver', 'Nordklar AB']
  expect(await run(...theirs)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/account of a creditor/),
  })
  await buildInstance(server.test, { alias: 'other', isDefault: false })
  expect(await run(...EURO, '--provider=other')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Accounts of other AB\nEUR {2}IBAN FI05/),
  })
})
