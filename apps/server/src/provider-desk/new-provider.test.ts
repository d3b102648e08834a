/** A provider is made in the portal: by whom, once, whole or not at all, and its first manager gets in. */
import { beforeAll, expect, test } from 'vitest'
import { OPERATOR_ROLES } from '@kvitt/domain/staff/roles.ts'
import { buildInstance } from '../testing/build.ts'
import { openOffice, signInStaff, told, type AskOffice, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let elsewhere: { readonly host: string; readonly manager: SignedIn }
beforeAll(async () => {
  server = await startTestServer()
  const { id, host } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const member = { instanceId: id, creditorId: null, role: 'manager', email: 'manager@example.com' } as const
  elsewhere = { host, manager: await signInStaff(server.product.context, member) }
  ask = await openOffice(server, OPERATOR_ROLES)
})

const PATH = 'POST /instance-providers'
const wish = (urlAlias: string, others: object = {}) => ({
  urlAlias,
  urlDomain: 'betala.example',
  countryCode: 'NO',
  mode: 'test',
  name: 'Fjordpost Demo AS',
  identificationNumber: '987 654 325',
  contactInformation: { phone: '+47 22 00 00 10', email: 'hei@fjordpost.example' },
  brandInformation: { debtorPortalPrimaryBrandColor: '#123456' },
  manager: { name: 'Noor Først', email: 'Noor@Fjordpost.example' },
  ...others,
})
const rows = async (sql: string, ...values: unknown[]) => (await server.test.owner.query(sql, values)).rows
const instances = () => rows('select url_alias, url_domain, name from instance order by url_alias')
/** Everything that a refused wish may not leave behind. */
const left = async () => [
  await instances(),
  await rows('select email from person order by email'),
  await rows('select recipient from mail_outbox order by recipient'),
  await rows('select count(*)::int as n from audit_event'),
]

test('the one who makes it is told where it is; its first manager is invited; both logs say so', async () => {
  const made = await ask('manager', PATH, wish('Fjordpost'))
  expect(made.status, made.text).toBe(201)
  const { id, ...rest } = made.json as { id: string }
  expect(rest).toEqual({
    name: 'Fjordpost Demo AS',
    adminPortal: 'https://admin.fjordpost.betala.example/',
    email: 'noor@fjordpost.example',
  })
  expect(
    await rows(
      'select url_alias, url_domain, country, language, time_zone, mode, is_default from instance where id = $1',
      id,
    ),
  ).toEqual([
    {
      url_alias: 'fjordpost',
      url_domain: 'betala.example',
      country: 'NO',
      language: 'nb',
      time_zone: 'Europe/Oslo',
      mode: 'test',
      is_default: false,
    },
  ])
  expect(
    await rows(
      `select p.email, m.role from membership m join person p on p.id = m.person_id where m.instance_id = $1 and m.ended_at is null`,
      id,
    ),
  ).toEqual([{ email: 'noor@fjordpost.example', role: 'manager' }])
  expect(await rows('select kind, recipient from mail_outbox where instance_id = $1', id)).toEqual([
    { kind: 'staff_invited', recipient: 'noor@fjordpost.example' },
  ])
  const deeds =
    'select kind, actor from audit_event where instance_id = $1 and about in ($2, $3) order by seq'
  const by = expect.stringMatching(/^person:/)
  expect(await rows(deeds, server.instanceId, `instance:${id}`, '')).toEqual([
    { kind: 'provider_made', actor: by },
  ])
  expect(await rows(deeds, id, `instance:${id}`, '')).toEqual([{ kind: 'provider_changed', actor: by }])
  expect(
    await rows(`select actor from audit_event where instance_id = $1 and kind = 'user_invited'`, id),
  ).toEqual([{ actor: by }])
  // Whoever made it is none of its people, and does not find it.
  expect(told(await ask('manager', `GET /instance-providers/${id}`))).toEqual([404, 'not_found'])
})

test('only a manager of the default provider makes one', async () => {
  const before = await left()
  for (const role of OPERATOR_ROLES.filter((one) => one !== 'manager'))
    expect(told(await ask(role, PATH, wish('bergpost'))), role).toEqual([403, 'not_allowed'])
  const answer = await server.product.app.inject({
    method: 'POST',
    url: '/api/admin/instance-providers',
    headers: { ...elsewhere.manager, host: elsewhere.host },
    payload: wish('bergpost'),
  })
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'not_allowed'])
  expect(await left()).toEqual(before)
})

test('a wish that cannot be granted names the field and leaves nothing behind', async () => {
  const before = await left()
  const [own] = await rows('select url_alias, url_domain from instance where id = $1', server.instanceId)
  for (const [wrong, ...expected] of [
    [{ urlAlias: 'två ord' }, 'invalid_request', 'urlAlias'],
    [{ urlAlias: 'admin' }, 'invalid_request', 'urlAlias'],
    [{ urlAlias: own.url_alias.toUpperCase() }, 'provider_address_taken', 'urlAlias'],
    [{ urlDomain: 'http://x' }, 'invalid_request', 'urlDomain'],
    [{ urlDomain: `${own.url_alias}.${own.url_domain}` }, 'provider_address_taken', 'urlDomain'],
    [{ countryCode: 'DE' }, 'invalid_request', 'countryCode'],
    [{ name: '' }, 'invalid_request', 'name'],
    [{ identificationNumber: 'x'.repeat(41) }, 'invalid_request', 'identificationNumber'],
    [
      { contactInformation: { phone: 'ring oss', email: 'a@b.example' } },
      'invalid_request',
      'contactInformation.phone',
    ],
    [
      { contactInformation: { phone: '+4722000010', email: 'a@b' } },
      'invalid_request',
      'contactInformation.email',
    ],
    [
      { brandInformation: { debtorPortalPrimaryBrandColor: 'red' } },
      'invalid_request',
      'brandInformation.debtorPortalPrimaryBrandColor',
    ],
    [{ manager: { name: 'N', email: 'ingen' } }, 'invalid_request', 'manager.email'],
    // This server is reached without encryption: with a live provider it would not start again.
    [{ mode: 'live' }, 'invalid_request', 'mode'],
  ] as const)
    expect(told(await ask('manager', PATH, wish('bergpost', wrong))), JSON.stringify(wrong)).toEqual([
      400,
      ...expected,
    ])
  expect(await left()).toEqual(before)
})

test('of two who make the same at once one is told that it is taken, and one is made', async () => {
  const both = await Promise.all(
    [1, 2, 3].map((n) =>
      ask('manager', PATH, wish('dalpost', { manager: { name: `M ${n}`, email: `m${n}@dalpost.example` } })),
    ),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
  for (const answer of both.filter(({ status }) => status === 400))
    expect(told(answer)).toEqual([400, 'provider_address_taken', 'urlAlias'])
  expect(await rows(`select count(*)::int as n from instance where url_alias = 'dalpost'`)).toEqual([
    { n: 1 },
  ])
  expect(
    await rows(`select count(*)::int as n from mail_outbox where recipient like '%@dalpost.example'`),
  ).toEqual([{ n: 1 }])
})

test('the same under one key makes one and answers the same; another wish under it is refused', async () => {
  const body = wish('vikpost', { manager: { name: 'V', email: 'v@vikpost.example' } })
  const both = await Promise.all([1, 2].map(() => ask('manager', PATH, body, 'en-nyckel')))
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  expect(both[0]?.json).toEqual(both[1]?.json)
  expect(told(await ask('manager', PATH, { ...body, name: 'Annat' }, 'en-nyckel'))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  expect(
    await rows(`select count(*)::int as n from mail_outbox where recipient = 'v@vikpost.example'`),
  ).toEqual([{ n: 1 }])
})

test('whoever writes at another provider does not keep one from being made', async () => {
  const other = await server.test.owner.connect()
  try {
    await other.query('begin')
    await other.query('select from instance where id = $1 for key share', [server.instanceId])
    expect((await ask('manager', PATH, wish('sundpost'))).status).toBe(201)
  } finally {
    await other.query('rollback')
    other.release()
  }
})

test('the maker is none of its people', async () => {
  const before = await left()
  const own = { manager: { name: 'M', email: 'Manager@example.com' } }
  expect(told(await ask('manager', PATH, wish('bergpost', own)))).toEqual([
    400,
    'another_person_needed',
    'manager.email',
  ])
  expect(await left()).toEqual(before)
})

test('what is answered again or refused spends no invitation, and is answered again when the sign-in is old', async () => {
  const spent = async () =>
    Number(
      (await rows(`select coalesce(sum(fails), 0) as n from guess_budget where scope = 'staff-invited'`))[0]
        .n,
    )
  const body = wish('elvpost', { manager: { name: 'E', email: 'e@elvpost.example' } })
  const before = await spent()
  const made = await ask('manager', PATH, body, 'elv')
  expect(made.status, made.text).toBe(201)
  expect(await spent()).toBe(before + 1)
  expect(told(await ask('manager', PATH, body))).toEqual([400, 'provider_address_taken', 'urlAlias'])
  await rows(`update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`)
  expect((await ask('manager', PATH, body, 'elv')).json).toEqual(made.json)
  await rows(`update staff_session set signed_in_at = signed_in_at + interval '11 minutes'`)
  expect(await spent()).toBe(before + 1)
})

test('a sign-in of eleven minutes ago is too old', async () => {
  const before = await left()
  await rows(`update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`)
  expect(told(await ask('manager', PATH, wish('bergpost')))).toEqual([403, 'sign_in_again'])
  expect(await left()).toEqual(before)
})
