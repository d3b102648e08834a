/** Is a message from here? Yes or no, and nothing else about anybody. */
import { beforeAll, expect, test } from 'vitest'
import { addressOf as accountAddress } from '@kvitt/domain/account-address.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let own: { id: string; host: string }
let others: { id: string; host: string }
let invoice: BuiltInvoice
let foreign: BuiltInvoice
let nowMs = Date.now()
const clock = { ...testClock(), now: () => nowMs }

beforeAll(async () => {
  server = await startTestServer({ clock })
  own = await buildInstance(server.test, { alias: 'asks', isDefault: false, guessLimits: {} })
  others = await buildInstance(server.test, { alias: 'others', isDefault: false, guessLimits: {} })
  invoice = await buildInvoice(server.test, own.id, clock)
  foreign = await buildInvoice(server.test, others.id, clock)
  await server.test.owner.query(
    `update instance set name = 'Älvklar Inkasso AB', phone = '031-390 06 10', email = 'hjalp@alvklar.example',
       mail_from = 'faktura@alvklar.example', homepage = 'https://www.alvklar.example/om' where id = $1`,
    [own.id],
  )
})

type Told = { status: number; body: string; headers: Record<string, unknown> }

async function ask(message: unknown, address = '203.0.113.7', host = own.host): Promise<Told> {
  const answer = await server.product.app.inject({
    method: 'POST',
    url: '/api/public/messages/check',
    headers: { host },
    remoteAddress: address,
    payload: { message },
  })
  return { status: answer.statusCode, body: answer.body, headers: answer.headers }
}

/** Each question comes from a network of its own, so that no budget answers. */
let networks = 0
const isGenuine = async (message: string, host?: string): Promise<boolean> => {
  const told = await ask(message, `198.51.${(networks += 1)}.1`, host)
  expect(told.status, told.body).toBe(200)
  return (JSON.parse(told.body) as { genuine: boolean }).genuine
}

test('the reference of an invoice, however it is written, is known, and one without an invoice is not', async () => {
  expect(await isGenuine(invoice.reference)).toBe(true)
  expect(await isGenuine(` OCR: ${invoice.reference.replace(/(.{4})/g, '$1 ')}`)).toBe(true)
  expect(await isGenuine(`${invoice.reference}0`)).toBe(false)
})

test('the reference of a claim is known', async () => {
  const claim = await buildClaim(server.test, own.id, clock)
  expect(await isGenuine(claim.reference)).toBe(true)
})

test('what belongs to another provider is not known here', async () => {
  expect(await isGenuine(foreign.reference)).toBe(false)
  expect(await isGenuine(foreign.reference, others.host)).toBe(true)
})

test('an account that money is to be paid to is known, in its forms, and a foreign one is not', async () => {
  const { rows } = await server.test.owner.query<{ address: string }>(
    'select address from account_address where instance_id = $1 limit 1',
    [own.id],
  )
  const number = rows[0]?.address.split(' ').at(-1) ?? ''
  expect(accountAddress('BANKGIRO', number) ?? accountAddress('IBAN', number)).toBeDefined()
  expect(await isGenuine(number)).toBe(true)
  expect(await isGenuine(`${number.slice(0, -4)}-${number.slice(-4)}`)).toBe(true)
  expect(await isGenuine('SE45 5000 0000 0583 9825 7466')).toBe(false)
})

test.each([
  'hjalp@alvklar.example',
  'Faktura@Alvklar.Example',
  'AlvklarInka',
  'Älvklar Inkasso AB',
  '031-390 06 10',
  '+46 31 390 06 10',
  'https://www.alvklar.example/betala?x=1',
  'www.alvklar.example',
])('the sender %s is ours', async (sender) => {
  expect(await isGenuine(sender)).toBe(true)
})

test.each([
  'faktura@alvklar.example.evil.test',
  'https://alvklar.example.evil.test/',
  'https://www.alvklar.example@evil.test/',
  'javascript:alert(1)//www.alvklar.example',
  'wwwalvklar.example',
  '031-390 06 11',
  'Alvklar',
  '',
  '   ',
  `<script>alert('${'x'.repeat(20)}')</script>`,
  "' or 1=1 --",
  '\u0000',
  'x'.repeat(10_000),
  '1'.repeat(10_000),
])('%j is not ours, and is answered as all others are', async (message) => {
  expect(await isGenuine(message)).toBe(false)
})

test('check.enumerate: an unknown reference, a foreign one and nonsense are answered with the same bytes', async () => {
  const told = await Promise.all(
    [`${invoice.reference}0`, foreign.reference, 'nonsense', 'x'.repeat(5000)].map((message, index) =>
      ask(message, `192.0.${index}.1`),
    ),
  )
  const [first] = told.map(({ status, body, headers }) => ({
    status,
    body,
    headers: Object.keys(headers).filter((name) => name !== 'date'),
  }))
  expect(first?.body).toBe('{"genuine":false}')
  for (const { status, body, headers } of told) {
    expect({ status, body, headers: Object.keys(headers).filter((name) => name !== 'date') }).toEqual(first)
  }
})

test('check.enumerate: a network is answered thirty times an hour, right or wrong, and others go on', async () => {
  const asked: Told[] = []
  for (let n = 0; n < 32; n += 1)
    asked.push(await ask(n % 2 ? invoice.reference : 'no', `203.0.114.${n + 1}`))
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(JSON.parse(asked.at(-1)?.body ?? '{}')).toMatchObject({ code: 'check_throttled' })
  expect((await ask('no', '203.0.115.1')).status).toBe(200)
  nowMs += HOUR_MS
  expect((await ask('no', '203.0.114.1')).status).toBe(200)
})

test('check.enumerate: of what was asked nothing is kept, and of who asked only keyed hashes', async () => {
  const { rows } = await server.test.owner.query<{ text: string }>(
    `select b::text as text from guess_budget b where scope = 'message-check'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toMatch(/203\.0\.|192\.0\./)
  expect(rows.map(({ text }) => text).join()).not.toContain(invoice.reference)
})
