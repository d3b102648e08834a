/** Is a message from here? Yes or no, and nothing else about anybody. */
import { pbkdf2Sync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addressOf as accountAddress } from '@kvitt/domain/account-address.ts'
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { LANGUAGES, textOf } from '../platform/texts.ts'
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

async function ask(
  message: unknown,
  address = '203.0.113.7',
  host = own.host,
  solution?: string,
): Promise<Told> {
  const answer = await server.product.app.inject({
    method: 'POST',
    url: '/api/public/messages/check',
    headers: { host, ...(solution ? { 'challenge-solution': solution } : {}) },
    remoteAddress: address,
    payload: { message },
  })
  return { status: answer.statusCode, body: answer.body, headers: answer.headers }
}

/** What a known reference is answered with. */
const RIGHT = '{"genuine":true,"what":"reference"}'

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

test.each(LANGUAGES)('a reference is known with what our letters print before it: %s', async (language) => {
  const label = textOf(language, 'document.reference')
  expect(await isGenuine(`${label} ${invoice.reference}`)).toBe(true)
  expect(await isGenuine(`${label}: ${invoice.reference}`)).toBe(true)
})

test.each(LANGUAGES)('what else our letters print before a number is known with it: %s', async (language) => {
  await server.test.owner.query(`update instance set identification_number = '559999-0073' where id = $1`, [
    own.id,
  ])
  nowMs += 6_000
  expect(await isGenuine(`${textOf(language, 'document.company_number')} 559999-0073`)).toBe(true)
  expect(await isGenuine(`${textOf(language, 'document.company_number')}: 559999-0081`)).toBe(false)
  const { rows } = await server.test.owner.query<{ address: string }>(
    'select address from account_address where instance_id = $1 limit 1',
    [own.id],
  )
  const number = rows[0]?.address.split(' ').at(-1) ?? ''
  expect(await isGenuine(`${textOf(language, 'document.account')} ${number}`)).toBe(true)
})

test.each(['Telefon', 'Tlf.', 'Tel:', 'Puhelin', 'Phone'])(
  'our phone number is known with %s before it',
  async (word) => {
    expect(await isGenuine(`${word} 031-390 06 10`)).toBe(true)
    expect(await isGenuine(`${word} 031-390 06 11`)).toBe(false)
  },
)

test('what is called an account is not known by somebody’s reference, nor the reverse', async () => {
  await buildInvoice(server.test, own.id, clock, { reference: '12345674' })
  expect(await isGenuine('12345674')).toBe(true)
  expect(await isGenuine('OCR 12345674')).toBe(true)
  expect(await isGenuine('1234-5674')).toBe(false)
  expect(await isGenuine('1234\u20135674')).toBe(false)
  expect(await isGenuine('Bankgiro 1234-5674')).toBe(false)
  expect(await isGenuine('Telefon 12345674')).toBe(false)
})

test.each(['OCR-nummer', 'Ref.nr:', 'Referensnummer', 'Viitenumero', 'KID-nummer'])(
  'a reference is known with %s before it',
  async (label) => expect(await isGenuine(`${label} ${invoice.reference}`)).toBe(true),
)

// 2348236 has the Finnish check digit and RF33 those of ISO 11649; slips fill up with zeros what banks leave them out of.
test('a Finnish reference is known in each form that it has, with and without zeros, and only here', async () => {
  await buildInvoice(server.test, own.id, clock, { reference: '2348236' })
  await buildInvoice(server.test, own.id, clock, { reference: '000123453' })
  for (const typed of [
    'RF332348236',
    'rf33 2348 236',
    'Viite: RF33 0000 0000 0000 0234 8236',
    '0000 0000 0000 0234 8236',
    '123453',
    'RF-viite: RF81123453',
  ]) {
    expect(await isGenuine(typed), typed).toBe(true)
    expect(await isGenuine(typed, others.host), typed).toBe(false)
  }
  expect(await isGenuine('RF34 2348 236')).toBe(false)
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
  'älvklar inkasso',
  '031-390 06 10',
  '+46 31 390 06 10',
  'https://www.alvklar.example/betala?x=1',
  'www.alvklar.example',
  'alvklar.example',
])('the sender %s is ours', async (sender) => {
  expect(await isGenuine(sender)).toBe(true)
})

test.each([
  'faktura@alvklar.example.evil.test',
  'https://alvklar.example.evil.test/',
  'https://www.alvklar.example@evil.test/',
  'https://www.alvklar.example/ Betala till bankgiro 5050-1055',
  'https://www.alvklar.example/?to=https://evil.test',
  'https://www.alvklar.example/\u00a0https://evil.test',
  'javascript:alert(1)//www.alvklar.example',
  'wwwalvklar.example',
  'https://evil.www.alvklar.example/',
  '031-390 06 11',
  'Alvklar',
  'Älvklar Inkasso Ltd',
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

/** A provider whose networks have so few questions that its own hundredfold is soon used up. */
async function buildFew(questionsPerHour: number): Promise<{ id: string; host: string }> {
  const built = await buildInstance(server.test, {
    alias: `few-${questionsPerHour}`,
    isDefault: false,
    guessLimits: { questionsPerHour },
  })
  nowMs += 6_000
  return built
}

/** Of a challenge for a question, as whoever reads the contract would find it. */
async function solutionFor(
  message: string,
  { host, address }: { host: string; address: string },
): Promise<string> {
  const answer = await server.product.app.inject({
    method: 'POST',
    url: '/api/public/challenges',
    remoteAddress: address,
    headers: { host },
    payload: { paymentReference: message },
  })
  const { challenge, nonce, target, iterations, tries } = answer.json<ChallengeAnswer>()
  for (let number = 0; number < tries; number++) {
    const made = pbkdf2Sync(Buffer.from(nonce, 'base64'), String(number), iterations, 16, 'sha256')
    if (made.toString('base64') === target) return `${challenge}.${number}`
  }
  throw new Error('no number solves it')
}

test('check.enumerate: strangers of many networks use up what all have, and then a calculation takes the place of a wait', async () => {
  const few = await buildFew(2)
  const { host } = few
  const right = await buildInvoice(server.test, few.id, clock)
  const wrong = `${right.reference}0`
  // What is right, and what is no reference, is not counted against everybody.
  for (let n = 0; n < 20; n += 1) {
    expect((await ask(right.reference, `198.18.${n}.1`, host)).body).toBe(RIGHT)
    expect((await ask('nonsense', `198.18.${n}.1`, host)).body).toBe('{"genuine":false}')
  }
  for (let n = 0; n < 200; n += 1) {
    const told = await ask(wrong, `198.19.${n >> 1}.1`, host)
    expect(told.body, String(n)).toBe('{"genuine":false}')
  }
  const address = '203.0.120.1'
  for (const reference of [right.reference, wrong]) {
    const refused = await ask(reference, address, host)
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'check_throttled',
      params: { challenge: 'offered' },
    })
  }
  expect((await ask('hjalp@few.example', '203.0.121.1', host)).status).toBe(200)
  const solution = await solutionFor(right.reference, { host, address })
  const solved = () => ask(right.reference, address, host, solution)
  expect((await solved()).body).toBe(RIGHT)
  expect(JSON.parse((await solved()).body)).toMatchObject({ code: 'check_throttled' })
})

test('check.enumerate: who shares a network with many is answered after a calculation, a hundred times as often and no more', async () => {
  const few = await buildFew(1)
  const { host } = few
  const right = await buildInvoice(server.test, few.id, clock)
  const address = '203.0.122.1'
  const calculated = async (message: string) =>
    (await ask(message, address, host, await solutionFor(message, { host, address }))).body
  expect((await ask('nonsense', address, host)).body).toBe('{"genuine":false}')
  for (const message of ['nonsense', 'hjalp@few.example', right.reference]) {
    const refused = JSON.parse((await ask(message, address, host)).body) as object
    expect(refused, message).toMatchObject({ code: 'check_throttled', params: { challenge: 'offered' } })
  }
  expect(await calculated(right.reference)).toBe(RIGHT)
  expect(await calculated(`${right.reference}0`)).toBe('{"genuine":false}')
  await server.test.owner.query(
    `update guess_budget set fails = 100 where instance_id = $1 and scope = 'message-check'`,
    [few.id],
  )
  const refused = JSON.parse(await calculated('nonsense')) as { params?: object }
  expect(refused).toMatchObject({ code: 'check_throttled' })
  expect(refused.params ?? {}).not.toHaveProperty('challenge')
})

test('check.enumerate: what is not answered is counted nowhere, and many at once get no more answers', async () => {
  const { host, id } = await buildFew(5)
  const told = await Promise.all(Array.from({ length: 40 }, () => ask('nonsense', '2001:db8:1:1::1', host)))
  expect(told.filter(({ status }) => status === 200)).toHaveLength(5)
  const spread = []
  for (let n = 2; n < 12; n += 1) spread.push((await ask('nonsense', `2001:db8:1:${n}::1`, host)).status)
  // The site has ten: five went to the first network.
  expect(spread.filter((status) => status === 200)).toHaveLength(5)
  const { rows } = await server.test.owner.query<{ fails: number }>(
    `select fails from guess_budget where instance_id = $1 and scope = 'message-check' order by fails`,
    [id],
  )
  expect(rows.map(({ fails }) => fails)).toEqual([1, 1, 1, 1, 1, 5, 10])
})

test('check.enumerate: of what was asked nothing is kept, and of who asked only keyed hashes', async () => {
  const { rows } = await server.test.owner.query<{ text: string }>(
    `select b::text as text from guess_budget b where scope = 'message-check'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toMatch(/203\.0\.|192\.0\./)
  expect(rows.map(({ text }) => text).join()).not.toContain(invoice.reference)
})

test('the address that the default provider’s own messages lead to is known, and nobody else’s', async () => {
  const link = server.product.context.config.publicUrl
  const { rows } = await server.test.owner.query<{ url_alias: string; url_domain: string }>(
    'select url_alias, url_domain from instance where is_default',
  )
  const host = rows.map((row) => `${row.url_alias}.${row.url_domain}`)[0] ?? ''
  expect(await isGenuine(`${link}/`, host)).toBe(true)
  expect(await isGenuine(`${link}/#/sv/`, host)).toBe(true)
  expect(await isGenuine(link.replace('://', '://evil.'), host)).toBe(false)
  expect(await isGenuine(`https://home.${host}/`, host)).toBe(true)
  expect(await isGenuine(`https://other.${host}/`, host)).toBe(false)
  expect(await isGenuine(link.replace('://', '://evil.test/'), host)).toBe(false)
  expect(await isGenuine(`${link}.evil.test/`, host)).toBe(false)
  // Whoever listens at another port of our host is somebody else.
  const { port } = new URL(link)
  for (const other of ['9999', '22', '444']) {
    expect(await isGenuine(`http://${host}:${other}/`, host), other).toBe(false)
    expect(await isGenuine(link.replace(`:${port}`, `:${other}`), host), other).toBe(false)
  }
  expect(await isGenuine(`https://${host}:443/`, host)).toBe(true)
  expect(await isGenuine(`http://${host}:${port}/`, host)).toBe(true)
  // Another provider's messages lead to its own address.
  expect(await isGenuine(`${link}/`)).toBe(false)
})

test('what stands in the head of a letter is known, and a sender that begins as a label does', async () => {
  await server.test.owner.query(
    `update instance set identification_number = '559999-0073', mail_from = 'konto@alvklar.example' where id = $1`,
    [own.id],
  )
  nowMs += 6_000
  for (const one of ['559999-0073', '5599990073', 'konto@alvklar.example'])
    expect(await isGenuine(one), one).toBe(true)
  expect(await isGenuine('559999-0081')).toBe(false)
})

const told = async (message: string): Promise<object> =>
  JSON.parse((await ask(message, `198.51.${(networks += 1)}.1`)).body) as object

test('our name is ours, and of one that is nearly ours it is told how ours is spelt', async () => {
  const named = await buildInstance(server.test, { alias: 'nordvik', isDefault: false, guessLimits: {} })
  await server.test.owner.query(
    `update instance set name = 'Nordvik Demo Inkasso AB', identification_number = '559999-0099' where id = $1`,
    [named.id],
  )
  nowMs += 6_000
  const ofNamed = async (message: string): Promise<object> =>
    JSON.parse((await ask(message, `198.51.${(networks += 1)}.1`, named.host)).body) as object
  for (const name of [
    'Nordvik',
    'nordvik',
    'Nordvik  Demo Inkasso AB',
    'Nordvik Demo Inkasso',
    '559999-0099',
  ])
    expect(await ofNamed(name), name).toEqual({ genuine: true, what: 'name' })
  // The o of the last one is Cyrillic.
  for (const name of ['Nordvikk', 'Nordvk', 'N0rdvik', 'Nоrdvik'])
    expect(await ofNamed(name), name).toEqual({ genuine: false, spelling: 'Nordvik' })
  expect(await ofNamed('Nordvik Demo Inkaso AB')).toEqual({
    genuine: false,
    spelling: 'Nordvik Demo Inkasso AB',
  })
  expect(await ofNamed('Nordvik Demo Inkasso Ltd')).toEqual({
    genuine: false,
    spelling: 'Nordvik Demo Inkasso',
  })
  for (const name of ['Klarna', 'Demo', 'AB', 'Bokhandeln i Göteborg'])
    expect(await ofNamed(name), name).toEqual({ genuine: false })
})

test('the name of a creditor is answered as any other name is', async () => {
  const { rows } = await server.test.owner.query<{ name: string }>(
    'select name from creditor where instance_id = $1 limit 1',
    [own.id],
  )
  expect(rows[0]?.name).toBeTruthy()
  expect(await told(rows[0]?.name ?? '')).toEqual({ genuine: false })
})

test('a yes says what was recognised, and the domain of our own mail is ours, where it is nobody else’s', async () => {
  await server.test.owner.query(
    `update instance set email = 'hjalp@brev.alvklar.example', mail_from = 'alvklar@gmail.com' where id = $1`,
    [own.id],
  )
  nowMs += 6_000
  expect(await told('brev.alvklar.example')).toEqual({ genuine: true, what: 'link' })
  expect(await told('gmail.com')).toEqual({ genuine: false })
  expect(await told('alvklar@gmail.com')).toEqual({ genuine: true, what: 'sender' })
  expect(await told(invoice.reference)).toEqual({ genuine: true, what: 'reference' })
})
