/** A provider's manager changes it in the portal by the rules of the command: all or nothing, one after the other, with a trace. */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

type Provider = { readonly version: number; readonly [name: string]: unknown }

let server: TestServer
let foreignId: string
const people = new Map<string, SignedIn>()
beforeAll(async () => {
  server = await startTestServer()
  foreignId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  for (const role of ['manager', 'support', 'auditor', 'approver'] as const)
    people.set(
      role,
      await signInStaff(server.product.context, { instanceId: server.instanceId, creditorId: null, role }),
    )
})

const call = (method: string, path: string, body?: object, who = 'manager'): Promise<Answer> =>
  server.call(method, `/api/admin/instance-providers${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(people.get(who) as SignedIn) },
  })
const told = ({ status, json }: Answer) => {
  const { code, errors } = json as { code?: string; errors?: { field: string }[] }
  return [status, code, ...(errors?.map(({ field }) => field) ?? [])]
}
const read = async () => (await call('GET', `/${server.instanceId}`)).json as Provider
const change = async (wish: object, who?: string) =>
  call('PUT', `/${server.instanceId}`, { version: (await read()).version, ...wish }, who)
const kept = async () => (await server.test.owner.query('select xmin, * from instance order by id')).rows

const GOOD_LINK = { text: 'Om oss', url: 'https://nordklar.example/om' }

test('an operator finds its own provider and no other', async () => {
  const found = (await call('POST', '/search', {}, 'support')).json
  expect(found).toMatchObject([{ id: server.instanceId, version: (await read()).version }])
  expect(found).toHaveLength(1)
  expect(told(await call('GET', `/${foreignId}`))).toEqual([404, 'not_found'])
  expect(told(await call('PUT', `/${foreignId}`, { version: 1, name: 'Vår' }))).toEqual([404, 'not_found'])
})

test('only a manager changes it; who may see reads it', async () => {
  const before = await kept()
  for (const role of ['support', 'auditor', 'approver'])
    expect(told(await change({ name: 'Annat' }, role)), role).toEqual([403, 'not_allowed'])
  expect(await kept()).toEqual(before)
  expect((await call('GET', `/${server.instanceId}`, undefined, 'auditor')).status).toBe(200)
  expect(told(await call('GET', `/${server.instanceId}`, undefined, 'approver'))).toEqual([
    403,
    'not_allowed',
  ])
})

test('what is sent changes, what is left out stays, null takes away, and the deed says who did it', async () => {
  const before = await read()
  const wish = {
    name: '  Nordklar   Kundservice ',
    homepage: 'https://nordklar.example/',
    postalAddress: 'Provgatan 4, 411 05 Göteborg',
    contactInformation: { phone: '+46 8 123 45 67' },
    brandInformation: { debtorPortalPrimaryBrandColor: '#FFEE00', debtorPortalButtonColor: '#fe0' },
    needsEid: ['documents', 'plans'],
    fileWait: 5,
    promotions: { BANK_TRANSFER: 'NEW' },
    secondFactor: 'required',
    mailFrom: 'kund@nordklar.example',
  }
  const answer = await change(wish)
  expect(answer.status).toBe(200)
  const after = answer.json as Provider
  expect(after).toMatchObject({
    ...wish,
    name: 'Nordklar Kundservice',
    brandInformation: { debtorPortalPrimaryBrandColor: '#ffee00', debtorPortalButtonColor: '#ffee00' },
    logins: before['logins'],
    letterChannels: before['letterChannels'],
  })
  expect(after).toEqual(await read())
  expect(after.version).not.toBe(before.version)
  const { rows } = await server.test.owner.query(
    `select actor, before, after from audit_event where kind = 'provider_changed' order by seq desc limit 1`,
  )
  expect(rows[0]).toMatchObject({
    actor: expect.stringMatching(/^person:/),
    before: { name: before['name'] },
    after: { name: 'Nordklar Kundservice', bank_file_wait_days: 5 },
  })
  const cleared = {
    homepage: null,
    postalAddress: null,
    mailFrom: null,
    secondFactor: null,
    promotions: { BANK_TRANSFER: null },
  }
  expect((await change(cleared)).json).toMatchObject({
    homepage: null,
    postalAddress: null,
    mailFrom: null,
    secondFactor: 'default',
    promotions: { BANK_TRANSFER: null },
  })
})

test('bad input changes nothing, not even what is right beside it, and names the field', async () => {
  const before = await kept()
  for (const [wish, field] of [
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ identificationNumber: 'x'.repeat(41) }, 'identificationNumber'],
    [{ homepage: 'javascript:alert(1)' }, 'homepage'],
    [{ homepage: 'http://nordklar.example' }, 'homepage'],
    [{ postalAddress: '' }, 'postalAddress'],
    [{ postalAddress: 'x'.repeat(201) }, 'postalAddress'],
    [{ contactInformation: { phone: 'ring oss' } }, 'contactInformation.phone'],
    [{ contactInformation: { email: 'a@b' } }, 'contactInformation.email'],
    [{ brandInformation: { debtorPortalButtonColor: 'red' } }, 'brandInformation.debtorPortalButtonColor'],
    [{ logins: ['PASSWORD'] }, 'logins'],
    [{ reach: 'world' }, 'reach'],
    [{ needsEid: ['everything'] }, 'needsEid'],
    [{ fileWait: 21 }, 'fileWait'],
    [{ fileWait: -1 }, 'fileWait'],
    [{ promotions: { BANK_TRANSFER: 'BEST' } }, 'promotions.BANK_TRANSFER'],
    [{ letterChannels: ['EMAIL'] }, 'letterChannels'],
    [{ newsChannels: ['FAX'] }, 'newsChannels'],
    [{ mailFrom: 'Nordklar <a@b.example>' }, 'mailFrom'],
    [{ serviceTexts: { sv: 'x'.repeat(1_001) } }, 'serviceTexts.sv'],
    [{ adLinks: { fi: [{ text: 'Om', url: 'http://nordklar.example/' }] } }, 'adLinks.fi.0.url'],
    [{ adLinks: { sv: [{ text: 'Om', url: 'javascript:alert(1)' }] } }, 'adLinks.sv.0.url'],
    [
      { adLinks: { sv: [GOOD_LINK, { text: 'Om', url: 'https://a@nordklar.example/' }] } },
      'adLinks.sv.1.url',
    ],
    [{ adLinks: { sv: [{ text: ' ', url: 'https://nordklar.example/' }] } }, 'adLinks.sv.0.text'],
    [{ adLinks: { sv: [GOOD_LINK, GOOD_LINK, GOOD_LINK] } }, 'adLinks.sv'],
  ] as const)
    expect(told(await change({ mailFrom: 'x@y.example', ...wish })), field).toEqual([
      400,
      'invalid_request',
      field,
    ])
  expect(await kept()).toEqual(before)
})

test('texts and links are each language’s own, shown to debtors, and empty is absent; an advertisement has the product’s own company alone', async () => {
  const shown = async () => {
    const { serviceTexts, adLinks } = (await server.call('GET', '/api/instance-providers/default'))
      .json as Provider
    return { serviceTexts, adLinks }
  }
  const wish = {
    serviceTexts: { sv: 'Vi svarar.\nVardagar 9–16.', en: ' We answer. ' },
    adLinks: { sv: [GOOD_LINK, { text: '', url: '' }], en: [] },
  }
  const answer = await change(wish)
  expect(answer.json, answer.text).toMatchObject({
    serviceTexts: { sv: 'Vi svarar.\nVardagar 9–16.', en: 'We answer.' },
    adLinks: { sv: [GOOD_LINK] },
  })
  const owner = (is: boolean) =>
    server.test.owner.query('update instance set is_product_owner = $1 where is_default', [is])
  await owner(false)
  const texts = { serviceTexts: { sv: 'Vi svarar.\nVardagar 9–16.', en: 'We answer.' } }
  await expect.poll(shown, { timeout: 8_000, interval: 300 }).toEqual({ ...texts, adLinks: {} })
  await owner(true)
  await expect
    .poll(shown, { timeout: 8_000, interval: 300 })
    .toEqual({ ...texts, adLinks: { sv: [GOOD_LINK] } })
  expect((await change({ serviceTexts: { sv: null, en: '' }, adLinks: { sv: null } })).json).toMatchObject({
    serviceTexts: {},
    adLinks: {},
  })
})

test('of two managers at once one is told that the other was first', async () => {
  const { version } = await read()
  const both = await Promise.all(
    ['Nordklar Ett', 'Nordklar Två'].map((name) => call('PUT', `/${server.instanceId}`, { version, name })),
  )
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  const names = both.map(({ json }) => (json as { readonly name?: string }).name)
  expect(names).toContain((await read())['name'])
})

test('what changes nothing leaves no trace', async () => {
  const before = await kept()
  const { name, logins } = await read()
  expect((await change({ name, logins })).status).toBe(200)
  expect(await kept()).toEqual(before)
})

test('programs of others and the limits of guesses are not taken from here', async () => {
  const before = await kept()
  const wish = {
    guessLimits: { zipPerHour: 'off' },
    clientAnalyticsCode: 'G-12345678',
    helpdeskChatHtml: '<script src="https://chat.example/a.js"></script>',
    chatMode: 'page',
    chatHosts: ['chat.example'],
  }
  expect((await change(wish)).status).toBe(200)
  expect(await kept()).toEqual(before)
})

test('who comes in, and who the mail comes from, takes a fresh sign-in; a telephone number does not', async () => {
  const age = (minutes: number) =>
    server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at - make_interval(mins => $1)`,
      [minutes],
    )
  const { logins, secondFactor } = await read()
  await age(11)
  try {
    const before = await kept()
    for (const wish of [
      { logins: [] },
      { secondFactor: 'optional' },
      { mailFrom: 'en.annan@nordklar.example' },
    ])
      expect(told(await change(wish)), JSON.stringify(wish)).toEqual([403, 'sign_in_again'])
    expect(await kept()).toEqual(before)
    const same = { logins, secondFactor, contactInformation: { phone: '+46 8 765 43 21' } }
    expect((await change(same)).status).toBe(200)
  } finally {
    await age(-11)
  }
})

test('whoever writes at another provider does not keep it from being changed', async () => {
  const other = await server.test.owner.connect()
  try {
    await other.query('begin')
    await other.query('select from instance where id = $1 for update', [foreignId])
    expect((await change({ name: 'Nordklar Utan Väntan' })).status).toBe(200)
  } finally {
    await other.query('rollback')
    other.release()
  }
})
