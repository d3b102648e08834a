import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { contrastRatio } from '@kvitt/domain/instances/colour.ts'
import { PORTALS } from '@kvitt/domain/instances/portals.ts'
import { buildInvoice } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-provider-'))
let server: TestServer
let env: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  env = { DATABASE_URL: urlOf(server.test) }
})

const run = (...args: string[]): Promise<Ended> => runHere('provider-cli', args, env)

function picture(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** The product looks at its providers every five seconds. */
const seen = (look: () => Promise<unknown>, expected: unknown) =>
  expect.poll(look, { timeout: 8_000, interval: 250 }).toEqual(expected)

const instances = async () =>
  (await server.test.owner.query('select * from instance order by created_at, id')).rows

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
const NEW = ['--new', 'Nyklar', '--domain', 'pay.example', '--country', 'no', '--mode', 'test']
const NEEDED = [
  '--name',
  'Nyklar Demo AS',
  '--identification-number',
  '999 999 999',
  '--phone',
  '+47 22 00 00 00',
  '--email',
  'hei@nyklar.example',
  '--primary',
  '#FFD400',
  '--postal-address',
  'Storgata 1,  0155 Oslo',
]

test('a provider is made, with colours that can be read, and is found at its address', async () => {
  const { status, stdout, stderr } = await run(...NEW, ...NEEDED, '--logo', picture('logo.svg', SVG))
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Nyklar Demo AS\n {2}address {3}nyklar\.pay\.example, NO, test\n/)
  const made = (await instances()).find((row) => row.url_alias === 'nyklar')
  expect(made).toMatchObject({
    language: 'nb',
    time_zone: 'Europe/Oslo',
    is_default: false,
    postal_address: 'Storgata 1, 0155 Oslo',
  })
  expect(contrastRatio(made.palette.inkLight, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  const ask = (url: string) =>
    server.product.app.inject({ url, headers: { host: 'nyklar.pay.example', accept: '*/*' } })
  // The product looks again after five seconds.
  await seen(async () => (await ask('/api/instance-providers/default')).json().name, 'Nyklar Demo AS')
  const shown = (await ask('/api/instance-providers/default')).json()
  expect(shown).toMatchObject({ name: 'Nyklar Demo AS', countryCode: 'NO' })
  const logo = await ask(`/api/storage/${shown.fileInformation.debtorPortalLogotypeFileName}`)
  expect([logo.statusCode, logo.headers['content-type'], logo.body]).toEqual([200, 'image/svg+xml', SVG])
  expect(await run(...NEW, ...NEEDED)).toMatchObject({ status: 2, stderr: /already/ })
})

test('what is named changes, the rest stays, and it leaves a trace', async () => {
  const [before] = await instances()
  const blank = { create: { width: 2, height: 2, channels: 3 as const, background: '#123456' } }
  const png = new Uint8Array(await sharp(blank).png().toBuffer())
  const settings = [
    '--homepage',
    'https://nordklar.example/om',
    '--button',
    '#7f7f7f',
    '--secondary',
    '#123456',
    '--favicon',
    picture('icon.png', png),
    '--promote',
    'bank_transfer=new',
    '--logins',
    'bankid',
  ]
  expect(await run(...settings)).toMatchObject({ status: 0, stderr: '' })
  const [after] = await instances()
  expect({ ...after, palette: 0 }).toEqual({
    ...before,
    palette: 0,
    homepage: 'https://nordklar.example/om',
    secondary_colour: '#123456',
    button_colour: '#7f7f7f',
    favicon_name: expect.stringMatching(/^favicon-[0-9a-f]{12}\.png$/),
    promotions: { BANK_TRANSFER: 'NEW' },
    logins: ['BANKID'],
  })
  expect(contrastRatio(after.palette.fill, after.palette.onFill)).toBeGreaterThanOrEqual(4.5)
  expect(after.palette.inkLight).toBe(before.palette.inkLight)
  const { rows } = await server.test.owner.query(
    `select count(*)::int as n from audit_event where kind = 'provider_changed' and about = $1`,
    [`instance:${after.id}`],
  )
  expect(rows[0].n).toBe(1)
  expect(await run('--logins', 'payment_reference,bankid', '--favicon', 'none')).toMatchObject({ status: 0 })
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-methods`
  const promoted = async () =>
    ((await server.call('GET', path)).json as { code: string; promotion: string | null }[])
      .filter(({ promotion }) => promotion !== null)
      .map(({ code, promotion }) => `${code} ${promotion}`)
  await seen(promoted, ['BANK_TRANSFER NEW'])
  expect((await instances())[0].favicon_name).toBeNull()
  expect((await run('--promote', 'BANK_TRANSFER=none')).stdout).toContain('promoted  none')
})

test('what needs no more SQL: messages, limits, extras; each with who and what was before', async () => {
  const chat = picture('chat.html', '<script src="https://chat.example.com/widget.js"></script>')
  const wishes = {
    '--mail-from': 'faktura@nordklar.example',
    '--letter-channels': 'EMAIL,LETTER',
    '--bill-channels': 'LETTER',
    '--news-channels': 'none',
    '--needs-eid': 'lists,plans',
    '--guess-limit': 'zipPerHour=100',
    '--analytics': 'G-ABC12345',
    '--chat': chat,
    '--chat-mode': 'frame',
    '--chat-hosts': 'chat.example.com',
  }
  const said = await run('--provider', 'nordklar', ...Object.entries(wishes).flat(), '--by', 'kim')
  expect([said.status, said.stderr]).toEqual([0, ''])
  const changed = {
    mail_from: 'faktura@nordklar.example',
    letter_channels: ['EMAIL', 'LETTER'],
    bill_channels: ['LETTER'],
    news_channels: [],
    public_session_policy: ['lists', 'plans'],
    analytics_code: 'G-ABC12345',
    helpdesk_chat_html: '<script src="https://chat.example.com/widget.js"></script>',
    chat_mode: 'frame',
    chat_hosts: ['chat.example.com'],
  }
  const { owner } = server.test
  const rowOf = async () => (await owner.query(`select * from instance where url_alias = 'nordklar'`)).rows[0]
  const row = await rowOf()
  expect(row).toMatchObject({ ...changed, guess_limits: expect.objectContaining({ zipPerHour: 100 }) })
  const deeds = `select actor, after from audit_event where kind = 'provider_changed' order by seq desc limit 1`
  expect((await owner.query(deeds)).rows).toMatchObject([{ actor: 'person:kim', after: changed }])
  await run(
    '--guess-limit',
    'zipPerHour=default',
    '--mail-from',
    'none',
    '--chat',
    'none',
    '--needs-eid',
    'none',
  )
  const back = await rowOf()
  expect(back).toMatchObject({ mail_from: null, helpdesk_chat_html: null, public_session_policy: [] })
  expect(back.guess_limits).not.toHaveProperty('zipPerHour')
})

test('sessions and locks of one provider are ended, and nobody else’s', async () => {
  const { owner } = server.test
  const { rows } = await owner.query('select id, url_alias from instance order by is_default desc limit 2')
  for (const { id } of rows) {
    await owner.query(
      `insert into session (instance_id, id, debtor_ids, cookie_hash, started_at, renewed_at, ends_at)
       values ($1, gen_random_uuid(), array[gen_random_uuid()], sha256('x'), now(), now(), now() + interval '1 day')`,
      [id],
    )
    await owner.query(
      `insert into guess_budget (instance_id, key, scope, expires_at, fails)
       values ($1, decode(md5('x'), 'hex'), 'zip', now() + interval '1 hour', 50)`,
      [id],
    )
  }
  expect(rows).toHaveLength(2)
  expect(await run('--end-sessions', '--release-guesses', '--by', 'kim')).toEqual({
    status: 0,
    stderr: '',
    stdout: '1 sessions ended\n1 budgets of guesses released\n',
  })
  const left = await owner.query(
    `select (select count(*)::int from session s where s.instance_id = i.id and logged_out_at is null) as sessions,
       (select count(*)::int from guess_budget g where g.instance_id = i.id) as guesses
     from instance i where i.id = any ($1) order by is_default desc`,
    [rows.map(({ id }) => id as string)],
  )
  expect(left.rows).toEqual([
    { sessions: 0, guesses: 0 },
    { sessions: 1, guesses: 1 },
  ])
  expect((await run('--end-sessions')).stdout).toBe('0 sessions ended\n')
  const deeds = `select kind from audit_event where kind in ('sessions_ended', 'guesses_released') order by kind`
  expect((await owner.query(deeds)).rows).toEqual([{ kind: 'guesses_released' }, { kind: 'sessions_ended' }])
})

type Mistake = [what: string, args: string[], sentence: RegExp]

test.each<Mistake>([
  ['a colour that is none', ['--primary', 'teal'], /^"teal" is not a colour like #0b5c6b\./],
  ['a homepage without encryption', ['--homepage', 'http://nordklar.example'], /not an address like https/],
  ['a picture that is a page', ['--logo', picture('page.svg', '<html></html>')], /^The logo is no SVG, PNG/],
  ['a picture that is not there', ['--logo', join(folder, 'gone.svg')], /could not be read \(ENOENT\)/],
  ['a large picture', ['--logo', picture('large.svg', SVG.padEnd(5_500_000))], /more than 5 MB/],
  [
    'a broken picture',
    ['--logo', picture('cut.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
    /is broken/,
  ],
  ['an e-mail that is none', ['--email', 'nordklar'], /^"nordklar" is not an e-mail address/],
  ['a phone that is none', ['--phone', 'ring us'], /^"ring us" is not a phone number/],
  [
    'a promoted credit',
    ['--promote', 'PART_PAYMENT_PLAN=new'],
    /cannot be promoted: it is no way to pay, or/,
  ],
  ['a word of one’s own', ['--promote', 'BANK_TRANSFER=hurry'], /NEW or RECOMMENDED, or none/],
  ['a way to log in that there is not', ['--logins', 'BANKID,PASSWORD'], /^Ways to log in are/],
  [
    'a new one without a name',
    [...NEW.slice(0, 1), 'x1', ...NEW.slice(2), '--primary', '#000'],
    /needs a name/,
  ],
  ['a new one in another country', [...NEW.slice(0, 5), 'US', ...NEEDED], /^US is none of SE, NO, DK, FI/],
  [
    'a new one at an odd place',
    [...NEW.slice(0, 3), 'pay_example', ...NEW.slice(4), ...NEEDED],
    /is no domain/,
  ],
  ...PORTALS.filter(({ name }) => name !== 'debtor').map(
    ({ name }): Mistake => [
      `a new one where each provider has its ${name} portal`,
      ['--new', name, ...NEW.slice(2), ...NEEDED],
      new RegExp(`^"${name}" is the name of a portal`),
    ],
  ),
  ...['nordklar.portal.test', 'deep.home.nordklar.portal.test', 'Nordklar.Portal.Test'].map(
    (domain): Mistake => [
      `a new one below another, at ${domain}`,
      ['--new', 'below', '--domain', domain, ...NEW.slice(4), ...NEEDED],
      /is the address of another provider, or below it/,
    ],
  ),
  [
    'a new one above another',
    ['--new', 'portal', '--domain', 'test', ...NEW.slice(4), ...NEEDED],
    /is the domain of another provider, or above it/,
  ],
  [
    'a new one whose address is too long',
    ['--new', 'a'.repeat(63), '--domain', `${'b'.repeat(63)}.`.repeat(3) + 'se', ...NEW.slice(4), ...NEEDED],
    /is too long/,
  ],
  [
    'an address that is none',
    ['--mail-from', 'Kvitt <a@b.se>'],
    /is not an address that e-mail can come from/,
  ],
  ['letters that end nowhere', ['--letter-channels', 'LETTER,EMAIL'], /the last way is LETTER/],
  ['a way that there is not', ['--news-channels', 'FAX'], /^"FAX" is none of EMAIL, SMS/],
  ['a power that there is not', ['--needs-eid', 'lists,money'], /^"money" is none of lists, /],
  ['a limit that there is not', ['--guess-limit', 'perYear=1'], /^"perYear" is none of referencePerDay/],
  ['a limit that is none', ['--guess-limit', 'zipPerHour=many'], /^zipPerHour is a whole number/],
  ['a code that is none', ['--analytics', 'UA-1'], /is not a code such as G-ABC12345/],
  ['a chat nowhere', ['--chat-mode', 'sidebar'], /^The chat stands in the "page" or in a "frame"/],
  ['an odd host', ['--chat-hosts', 'https://chat.example'], /is not a host such as chat\.example\.com/],
  ['nobody', ['--provider', 'nobody', '--phone', '031-390 06 10'], /^There is no provider nobody/],
  ['both', ['--provider', 'x', ...NEW], /^Give --provider or --new/],
])('%s is answered with one sentence and status 2, and nothing changes', async (_, args, sentence) => {
  const before = await instances()
  const { status, stdout, stderr } = await run(...args, '--background', 'none')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(await instances()).toEqual(before)
})
