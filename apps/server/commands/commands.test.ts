/** Every command acts at the provider that it is told, although another one holds the same numbers. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { castBgMax } from '../src/demo/cast-bgmax.ts'
import { buildInstance, TODAY } from '../src/testing/build.ts'
import { closeAfterwards } from '../src/testing/close-afterwards.ts'
import { runHere, runProgram, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'
import { buildTwin, CLAIM_NUMBER, CREDITOR_NUMBER, INVOICES, type Twin } from '../src/testing/twins.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kvitt-commands-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
/** Each command that does something is a process of its own. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const bankFile = join(folder, 'bank.txt')
const payments = [{ reference: INVOICES.alsoOpen.reference, amountMinor: 10_000 }]
writeFileSync(bankFile, castBgMax({ bankgiro: '9990-0227', day: TODAY, payments, serial: 2 }), 'latin1')
const invoiceFile = here('../src/imports/fixtures/se-invoice.xml')

type Case = {
  /** Does something at a provider, by numbers that the other one has too, and by what only its own rows are called. */
  readonly act: (own: Twin) => string[]
  /** The same, where it names a row of one provider only: at the other one there is none. */
  readonly strange?: (own: Twin) => string[]
  /** Without options it lists; what of a provider's its list shows, where the list is of several. */
  readonly lists?: (own: Twin) => string
}

const words = (text: string): string[] => text.split(' ')
const WHY = ['--reason', 'as the twin said']
const BY = ['--by', 'Eva Berg']

const CASES: Readonly<Record<string, Case>> = {
  import: {
    act: () => [invoiceFile],
    strange: ({ creditorId }) => ['--creditor', creditorId, invoiceFile],
  },
  'import-payments': { act: () => [bankFile] },
  'payment-account': {
    act: () => words('--bankgiro 9990-0110 --currency SEK --receiver Twin'),
    lists: () => '',
  },
  court: {
    act: () => [
      ...BY,
      ...WHY,
      ...words(
        `--claim ${CLAIM_NUMBER} --record-application ${TODAY} --authority Kronofogden --case-number 1`,
      ),
    ],
    strange: ({ claimId }) => [...BY, ...WHY, '--claim', claimId, '--apply'],
  },
  'record-refund': {
    act: ({ owedAbout }) => ['--about', owedAbout],
    strange: ({ owedAbout }) => ['--about', owedAbout],
    lists: ({ owedAbout }) => owedAbout,
  },
  'move-payment': {
    act: ({ bookedLine }) => ['--line', bookedLine, '--invoice', INVOICES.alsoOpen.number, ...WHY],
    strange: ({ bookedLine }) => ['--line', bookedLine, ...WHY],
  },
  'decide-dispute': {
    act: ({ disputeId }) => ['--dispute', disputeId, '--reject', '--answer', 'Mätaren är läst.', ...BY],
    strange: ({ disputeId }) => ['--dispute', disputeId, '--uphold', '--answer', 'Ni hade rätt.', ...BY],
    lists: ({ disputeId }) => disputeId,
  },
  'decide-debt': {
    act: () => ['--claim', CLAIM_NUMBER, '--pause', ...WHY, ...BY],
    strange: ({ claimId }) => ['--claim', claimId, '--stop', ...WHY, ...BY],
  },
  'reminder-fee': {
    act: () => ['--creditor', CREDITOR_NUMBER, '--agreed-on', '2024-01-31', '--source', 'Terms, 7', ...BY],
    strange: ({ creditorId }) => ['--creditor', creditorId, '--not-agreed', ...BY],
    lists: ({ creditorId }) => creditorId,
  },
  agreement: {
    act: () =>
      words(
        `--creditor ${CREDITOR_NUMBER} --from 2099-01-01 --source 6 --period week --currency SEK --vat 25`,
      ),
    strange: ({ creditorId }) =>
      words(`--creditor ${creditorId} --from 2099-01-01 --source 6 --period month --currency SEK --vat 25`),
    lists: () => '',
  },
  'charge-owner': {
    act: () =>
      words(`--creditor ${CREDITOR_NUMBER} --from 2099-01-01 --fees creditor --interest creditor --source 7`),
    strange: ({ creditorId }) =>
      words(`--creditor ${creditorId} --from 2099-02-01 --fees operator --interest creditor --source 7`),
    lists: () => '',
  },
  'place-payment': {
    act: ({ lostLine }) => ['--line', lostLine, '--invoice', INVOICES.open.number],
    strange: ({ lostLine }) => ['--line', lostLine, '--send-back'],
    lists: ({ lostLine }) => lostLine,
  },
  credentials: {
    act: () => words('--digital-mailbox-tenant 5a17d0b0c0de'),
    lists: () => '',
  },
  'first-manager': { act: () => words('--email first@twin.example --name Anna') },
  provider: { act: () => ['--phone', '031-390 06 11'], lists: ({ instance }) => instance.row.email ?? '' },
  'refund-payment': {
    act: ({ swishPayment }) => ['--payment', swishPayment, '--whole'],
    strange: ({ swishPayment }) => ['--payment', swishPayment, '--whole'],
  },
  'reverse-payment': {
    act: ({ neverCame }) => ['--payment', neverCame, ...WHY],
    strange: ({ neverCame }) => ['--payment', neverCame, ...WHY],
  },
  'second-factor': {
    act: ({ inTwoSteps }) => ['--reset', inTwoSteps, ...BY],
    strange: ({ inTwoSteps }) => ['--reset', inTwoSteps, ...BY],
  },
  task: {
    act: ({ taskId }) => ['--task', taskId, '--do', 'settled', ...WHY],
    strange: ({ taskId }) => ['--task', taskId],
    lists: ({ taskId }) => taskId.slice(-8),
  },
}
/** Of the whole database, whichever providers it has. */
const OF_ALL = ['migrate', 'read-journal']
/** Begins with what two people have agreed to in the admin portal: tested with that (issuers/issuer-desk.test.ts). */
const OF_AGREED = ['sign-in-issuer']

let server: TestServer
let settings: Record<string, string> = {}
let first: Twin
let second: Twin

beforeAll(async () => {
  server = await startTestServer()
  const { host } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  first = await buildTwin(server, 'localhost')
  second = await buildTwin(server, host)
  const { swish } = server.product.context.config
  const files = swish?.numbers.at(-1)
  const swishOf = (ending: string, alias: string) => ({
    [`SWISH_PAYEE_ALIAS${ending}`]: alias,
    [`SWISH_CERTIFICATE_FILE${ending}`]: files?.certificateFile ?? '',
    [`SWISH_KEY_FILE${ending}`]: files?.keyFile ?? '',
  })
  settings = {
    DATABASE_URL: urlOf(server.test),
    PUBLIC_URL: server.origin,
    SETTINGS_KEY_FILE: server.product.context.config.settingsKeyFile,
    SWISH_BASE_URL: swish?.baseUrl ?? '',
    SWISH_CA_FILE: swish?.caFile ?? '',
    ...swishOf('', files?.payeeAlias ?? ''),
    ...swishOf('_FJELLKLAR', '1231181189'),
  }
})

const run = (name: string, args: readonly string[], env = settings): Promise<Ended> =>
  runProgram(`${name}-cli`, args, env)

/** What is refused, or lists only, in this process: a process of its own costs 0.8 s of a core. */
const inside = (name: string, args: readonly string[], env = settings): Promise<Ended> =>
  runHere(`${name}-cli`, args, env)

/** A digest of every row that belongs to a provider, by table. */
async function digestsOf({ instance: { id } }: Twin): Promise<Record<string, string>> {
  const { owner } = server.test
  const { rows: tables } = await owner.query<{ name: string; key: string }>(
    `select c.relname as name, case when c.relname = 'instance' then 'id' else 'instance_id' end as key
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and (c.relname = 'instance'
       or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'instance_id'))
     order by 1`,
  )
  // One statement: of each table in one of its own, they took most of the time of this file.
  const digest = ({ name, key }: { name: string; key: string }): string =>
    `select '${name}' as name, md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest
     from ${name} t where t.${key} = $1`
  const { rows } = await owner.query<{ name: string; digest: string }>(
    tables.map(digest).join(' union all '),
    [id],
  )
  expect(tables.length).toBeGreaterThan(40)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
const both = async () => [await digestsOf(first), await digestsOf(second)] as const

test('every command of package.json is here', () => {
  const { scripts } = JSON.parse(readFileSync(here('../../../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = Object.values(scripts).flatMap((line) => {
    const [, name] = /^node tools\/run-command\.mjs ([a-z-]+)$/.exec(line) ?? []
    return name === undefined ? [] : [name]
  })
  expect(commands.toSorted()).toEqual([...Object.keys(CASES), ...OF_ALL, ...OF_AGREED].toSorted())
  const programs = readdirSync(here('.')).filter((name) => name.endsWith('-cli.ts'))
  expect(programs.toSorted()).toEqual(commands.map((name) => `${name}-cli.ts`).toSorted())
})

// First what changes nothing: afterwards the two are not the same any more.
describe('without a decision', () => {
  const LISTS = Object.entries(CASES).flatMap(([name, { lists }]) => (lists ? [[name, lists] as const] : []))

  test.each(LISTS)(
    '%s lists and can write nothing; of the provider that is named, when one is',
    async (name, shown) => {
      const { owner, ownerAddress } = server.test
      const program = `alter role kvitt_app in database ${ownerAddress.database}`
      await owner.query(`${program} set default_transaction_read_only = on`)
      try {
        const [all, own] = await Promise.all([inside(name, []), inside(name, ['--provider', 'fjellklar'])])
        expect([all, own]).toMatchObject([1, 2].map(() => ({ status: 0, stderr: '' })))
        expect(all.stdout).toContain(shown(first))
        expect(own.stdout).toContain(shown(second))
        if (shown(first) !== '') expect(own.stdout).not.toContain(shown(first))
      } finally {
        await owner.query(`${program} reset default_transaction_read_only`)
      }
    },
  )
})

describe('of two providers that hold the same', () => {
  test.each(Object.entries(CASES))('%s acts at the one that is named', async (name, { act, strange }) => {
    const before = await both()
    const [unknown, wrong] = await Promise.all([
      inside(name, ['--provider', 'nobody', ...act(second)]),
      strange && inside(name, ['--provider', 'nordklar', ...strange(second)]),
    ])
    const sentence = 'There is no provider nobody. There are fjellklar, nordklar.\n'
    expect(unknown).toEqual({ status: 2, stdout: '', stderr: sentence })
    if (wrong) expect(wrong.status, wrong.stdout).toBe(2)
    expect(await both()).toEqual(before)
    const done = await run(name, ['--provider', 'fjellklar', ...act(second)])
    expect(done.status, `${done.stdout}${done.stderr}`).toBe(0)
    const after = await both()
    expect(after[0]).toEqual(before[0])
    expect(after[1]).not.toEqual(before[1])
  })
})

test('migrate is of all providers, and says so', async () => {
  const { status, stderr } = await run('migrate', ['--provider', 'nordklar'])
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^--provider is not an option: all providers/)])
})

describe('a command leaves the database as it is', () => {
  const numbers = async () =>
    (await server.test.owner.query('select count(*)::int as n, max(number) as last from migration'))
      .rows[0] as {
      n: number
      last: number
    }

  test('the owner’s login is not used, and one that is behind or ahead is refused', async () => {
    const { owner } = server.test
    const asProgram = { DATABASE_URL: urlOf(server.test, 'kvitt_app') }
    const asOwner = { ...asProgram, DATABASE_OWNER_URL: 'postgresql://nobody@localhost:1/none' }
    expect(await inside('task', [], asOwner)).toMatchObject({ status: 0 })
    const { rows } = await owner.query(
      'delete from migration where number = (select max(number) from migration) returning *',
    )
    const behind = await numbers()
    const older = 'it is older than this program. Run "npm run migrate".\n'
    for (const env of [settings, asProgram])
      expect(await inside('task', [], env)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: `The database lacks migration ${rows[0].name}: ${older}`,
      })
    expect(await numbers()).toEqual(behind)
    const { number, name, hash } = rows[0] as { number: number; name: string; hash: string }
    const note = 'insert into migration (number, name, hash) values ($1, $2, $3)'
    await owner.query(note, [number, name, hash])
    await owner.query(note, [9_999, '9999_ahead.sql', 'x'])
    expect((await inside('task', [])).stderr).toMatch(
      /^The database has migration 9999_ahead\.sql.*: it is newer, and this program does not work on it\./,
    )
    await owner.query('delete from migration where number = 9999')
  })

  test('before the first start there is nothing to work on, and nothing is made', async () => {
    const empty = mkdtempSync(join(folder, 'data-'))
    for (const DATA_DIR of [empty, join(empty, 'nowhere')]) {
      const { status, stdout, stderr } = await run('task', [], { DATA_DIR })
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^There is nothing in .* to work on\. Start Kvitt once with "npm start"/)
    }
    expect(readdirSync(empty)).toEqual([])
  })
})
