import { userInfo } from 'node:os'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'
import { atNoon } from '../src/testing/commands/at-noon.ts'

let server: TestServer
let env: Record<string, string> = {}

atNoon()
beforeAll(async () => {
  server = await startTestServer()
  env = { DATABASE_URL: urlOf(server.test) }
})

const run = (...args: string[]): Promise<Ended> => runHere('payment-account-cli', args, env)
const told = (...lines: string[]) => ({
  status: 0,
  stderr: '',
  stdout: `${['Accounts of nordklar AB', ...lines].join('\n')}\n`,
})

const OURS = ['--receiver', 'Nordklar AB']
const NORWAY = ['--iban', 'NO9799990000111', '--currency', 'NOK', ...OURS]
const EURO = ['--iban', 'FI05 9999 0000 0001 11', '--currency', 'eur', ...OURS, '--bic=DEMOFIHHXXX']

test('an account is entered, shown to payers of its currency, and another one chosen instead of it', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    currency: 'EUR',
    hasAccount: false,
  })
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
  // Each deed by itself, however many in an hour.
  expect(rows).toEqual([{ actor: `person:${userInfo().username}`, accounts: 5 }])
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

test('an account has the numbers that a person enters; another account with one of them is the same', async () => {
  const { id } = await buildInstance(server.test, { alias: 'numbers', isDefault: false })
  const at = (...args: string[]) => run('--provider', 'numbers', ...args)
  const numbers = (...lines: string[]) => ({
    status: 0,
    stderr: '',
    stdout: `${['Numbers of one account of numbers AB', ...lines].join('\n')}\n`,
  })
  await at('--bankgiro', '9990-0110', '--currency', 'SEK', ...OURS)
  await at('--iban', 'SE4550000000058398257466', '--currency', 'SEK', ...OURS)
  await at(...NORWAY)
  expect(await at('--of', '99900110')).toEqual(numbers('SE BANKGIRO 99900110'))
  // The IBAN was an account of its own until somebody said that it is the one behind the bankgiro.
  for (let again = 0; again < 2; again++)
    expect(await at('--of', '9990-0110', '--iban', 'SE45 5000 0000 0583 9825 7466')).toEqual(
      numbers('SE BANKGIRO 99900110', 'SE IBAN SE4550000000058398257466'),
    )
  expect(await at('--of', 'SE4550000000058398257466', '--swish', '123 118 11 89')).toEqual(
    numbers('SE BANKGIRO 99900110', 'SE IBAN SE4550000000058398257466', 'SE SWISH 1231181189'),
  )
  // Computed: the Norwegian IBAN is its 11 digits.
  expect(await at('--of', '9999.00.00111')).toEqual(numbers('NO IBAN NO9799990000111'))
  await server.test.owner.query(
    `insert into creditor (instance_id, id, identity, name, country) values ($1, gen_random_uuid(), 'c', 'C', 'SE')`,
    [id],
  )
  await server.test.owner.query(
    `with made as (insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, is_usable, number_key)
       select $1, gen_random_uuid(), id, 'BANKGIRO', '5402-9681', 'C', true, 'BANKGIRO54029681' from creditor where instance_id = $1
       returning id)
     insert into account_address (instance_id, account_id, address) select $1, id, 'SE BANKGIRO 54029681' from made`,
    [id],
  )
  expect(await at('--of', '9990-0110', '--bankgiro', '5402-9681')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/account of somebody else/),
  })
  expect(await at('--bankgiro', '5402-9681', '--currency', 'SEK', ...OURS)).toMatchObject({ status: 2 })
})

test.each([
  ['an account that nobody has', ['--of', '5402-9681'], /^No account of this provider has the number/],
  ['a number with a wrong digit', ['--of', '9990-0110', '--plusgiro', '4-3'], /is not such a number/],
  ['two numbers', ['--of', '9990-0110', '--plusgiro', '4-2', '--swish', '1231181189'], /^With --of give one/],
  [
    'a national number without its country',
    ['--of', '9990-0110', '--account', '6000123456789'],
    /^With --of/,
  ],
  ['a receiver', ['--of', '9990-0110', '--receiver', 'X'], /^With --of give one number/],
])('of an account, %s is answered with one sentence', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})

test('the account of a creditor cannot be the provider’s own; another provider may have the same', async () => {
  await buildInvoice(server.test, server.instanceId, server.clock, {})
  await server.test.owner.query(
    `update payment_account set number_key = 'BANKGIRO54029681', account_number = '5402-9681'
     where id = (select id from payment_account where creditor_id is not null and instance_id = $1 order by id desc limit 1)`,
    [server.instanceId],
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

test('a person says who has the account of a creditor; a mistake is one sentence', async () => {
  const { creditorId } = await buildInvoice(server.test, server.instanceId, server.clock, {})
  const { rows } = await server.test.owner.query<{ id: string }>(
    'update payment_account set holder = null where creditor_id = $1 returning id',
    [creditorId],
  )
  const id = rows[0]?.id ?? ''
  const heading = /Accounts of its creditors, and who has them\n/
  const line = (who: string) =>
    new RegExp(`\\n${who}  bankgiro 9990-0227  Fjällström Demo Energi AB  account ${id}\\n`)
  const { stdout } = await run()
  expect(stdout).toMatch(heading)
  expect(stdout).toMatch(line('not told'))
  expect(await run('--of', id, '--holder', 'creditor')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(line('creditor')),
  })
  for (const args of [
    ['--of', id, '--holder', 'bank'],
    ['--of', id, '--holder', 'creditor', '--swish', '1231181189'],
  ])
    expect(await run(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^With --of give --holder/),
    })
  expect(await run('--holder', 'creditor')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^--holder goes with --of/),
  })
  expect(await run('--of', '0198e1c0-5a1b-7c3d-8e4f-0123456789ab', '--holder', 'instance')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/is no account of a creditor/),
  })
})

test('an account shows up to when it is told, and which days the daily run waits for or goes on without', async () => {
  const { id } = await buildInstance(server.test, { alias: 'told', isDefault: false })
  const at = (...args: string[]) => run('--provider', 'told', '--by', 'anna', ...args)
  const today = date(new Date().toLocaleDateString('sv', { timeZone: 'Europe/Stockholm' }))
  const bankDay = (from: CalendarDate, days: number) => addBankDays('SE', from, days)
  // Of a day without banks nothing is told: what begins on one is told up to it at once.
  const since = bankDay(addDays(today, -40), 0)
  await at('--bankgiro', '9990-0110', '--currency', 'SEK', ...OURS)
  await at('--of', '9990-0110', '--files', 'daily-statement')
  await server.test.owner.query('update payment_account set files_since = $2 where instance_id = $1', [
    id,
    since,
  ])
  const first = `SEK  bankgiro 9990-0110  Nordklar AB  files daily-statement since ${since}`
  expect((await at()).stdout).toContain(`${first}  nothing told yet  missing, and waited for no more: `)
  // The last bank day before today but one is told.
  const days = Array.from({ length: 12 }, (_, back) => addDays(today, -1 - back))
  const [yesterday, before] = days.filter((day) => bankDay(day, 0) === day)
  const told = await at('--of', '9990-0110', '--told-to', String(before))
  expect(told.stdout).toContain(
    `${first}  told up to ${addDays(yesterday ?? today, -1)}  the daily run waits for ${yesterday}\n`,
  )
  const all = await at('--of', '9990-0110', '--told-to', today)
  expect(all.stdout).toContain(`${first}  told up to ${today}\n`)
})

test('how the files of an account come is said once, and up to when all of it is here', async () => {
  await buildInstance(server.test, { alias: 'files', isDefault: false })
  const at = (...args: string[]) => run('--provider', 'files', '--by', 'berit', ...args)
  const shown = (...lines: string[]) => ({
    status: 0,
    stderr: '',
    stdout: `${['Accounts of files AB', ...lines].join('\n')}\n`,
  })
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Stockholm' })
  await at('--bankgiro', '9990-0110', '--currency', 'SEK', ...OURS)
  const account = 'SEK  bankgiro 9990-0110  Nordklar AB'
  const early = await at('--of', '9990-0110', '--told-to', today)
  expect(early.status).toBe(2)
  expect(early.stderr).toMatch(/^Say first how the files of 9990-0110 come, with --files\.$/m)
  for (let again = 0; again < 2; again++)
    expect(await at('--of', '9990-0110', '--files', 'daily-statement')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`${account}  files daily-statement since ${today}`),
    })
  for (let again = 0; again < 2; again++)
    expect((await at('--of', '9990-0110', '--told-to', today)).status).toBe(0)
  expect((await at('--of', '9990-0110', '--told-to', '9000-01-01')).stderr).toMatch(
    /^9000-01-01 is still to come/,
  )
  expect(await at('--of', '9990-0110', '--files', 'none')).toEqual(shown(`${account}  files none`))
  const { rows } = await server.test.owner.query(
    `select kind, count(*)::int as deeds from audit_event where actor = 'person:berit' and kind in ('account_files_chosen', 'account_told')
     group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { kind: 'account_files_chosen', deeds: 2 },
    { kind: 'account_told', deeds: 2 },
  ])
})

test.each([
  ['--files without an account', ['--files', 'none'], /^--files goes with --of/],
  ['a kind of files that is none', ['--of', '1', '--files', 'weekly'], /^With --of give --files none, daily/],
  ['a day that is none', ['--of', '1', '--told-to', '2026-02-30'], /^With --of give --told-to and a day/],
  [
    'two things at once',
    ['--of', '1', '--files', 'none', '--holder', 'creditor'],
    /^With --of give --holder instance or/,
  ],
])('%s is answered with one sentence', async (_, args, sentence) => {
  const { status, stderr } = await run(...args)
  expect(status).toBe(2)
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
