/** The operator enters a creditor, keeps how it is reached, and proposes who manages it. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let foreignId: string
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'approver', 'finance', 'auditor', 'support'])
  const foreign = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  foreignId = (await buildInvoice(server.test, foreign.id, server.clock)).creditorId
})

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]

type Client = { id: string; version: number; phone: string | null; hasManager: boolean }
const NEW = {
  name: 'Granskog Fiber AB',
  countryCode: 'SE',
  identificationNumber: '559999-0206',
  email: 'faktura@granskog.example',
  phone: '031-390 06 10',
  address: 'Storgatan 1',
  zip: '411 05',
  city: 'Göteborg',
}
const make = (wish: object = {}, who: OperatorRole = 'manager', key?: string) =>
  ask(who, 'POST /clients', { ...NEW, ...wish }, key)
const known = async () => (await rows<{ n: number }>('select count(*)::int as n from creditor'))[0]?.n

test('bad data make no creditor and name the field; only a manager enters one', async () => {
  const before = await known()
  for (const [wish, field] of [
    [{ identificationNumber: '559999-0207' }, 'identificationNumber'],
    [{ identificationNumber: '0000000000' }, 'identificationNumber'],
    [{ identificationNumber: ' ' }, 'identificationNumber'],
    [{ countryCode: 'XX' }, 'countryCode'],
    [{ name: '\u200b' }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ phone: 'abc' }, 'phone'],
    [{ zip: '4110' }, 'zip'],
    [{ city: 'Göte\nborg' }, 'city'],
  ] as const)
    expect(told(await make(wish)), JSON.stringify(wish)).toEqual([400, 'invalid_request', field])
  expect((await make({ iban: 'SE1' })).status).toBe(400)
  for (const who of ['finance', 'support', 'auditor', 'approver'] as const)
    expect(told(await make({}, who)), who).toEqual([403, 'not_allowed'])
  expect(await known()).toBe(before)
})

test('a creditor is made once, by twins at once too, and its number is nobody else’s', async () => {
  const twins = await Promise.all([make({}, 'manager', 'one-key'), make({}, 'manager', 'one-key')])
  expect(twins.map(({ status }) => status)).toEqual([201, 201])
  const [one, other] = twins.map(({ json }) => json as Client)
  expect(other).toEqual(one)
  expect(one).toMatchObject({ ...NEW, zip: '41105', agreements: [], agreement: null, hasManager: false })
  // However it is written.
  expect(told(await make({ identificationNumber: 'SE559999020601', name: 'Annan AB' }))).toEqual([
    400,
    'client_exists',
    'identificationNumber',
  ])
  const deeds = await rows<{ kind: string }>(
    'select kind from audit_event where about = $1',
    `creditor:${one?.id}`,
  )
  expect(deeds).toEqual([{ kind: 'creditor_made' }])
  const without = await Promise.all([1, 2].map(() => make({ identificationNumber: '559999-0214' })))
  expect(without.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
})

test('what is left out stays, null clears, and an old version is refused', async () => {
  const { id, version } = (await make({ identificationNumber: '559999-0222' })).json as Client
  const change = (body: object, who: OperatorRole = 'manager') => ask(who, `PUT /clients/${id}`, body)
  const changed = await change({ version, phone: null, city: 'Mölndal', identificationNumber: '1' })
  expect(changed.json, changed.text).toMatchObject({
    name: NEW.name,
    phone: null,
    city: 'Mölndal',
    identificationNumber: '559999-0222',
  })
  expect(told(await change({ version, city: 'Kungälv' }))).toEqual([409, 'changed_meanwhile', 'version'])
  const now = (changed.json as Client).version
  for (const [body, field] of [
    [{ version: now, zip: '1' }, 'zip'],
    [{ version: now, name: '' }, 'name'],
    [{ version: now, name: null }, 'name'],
    [{ version: now, email: 'x' }, 'email'],
    [{ city: 'Kungälv' }, 'version'],
  ] as const)
    expect(told(await change(body)), field).toEqual([400, 'invalid_request', field])
  expect(told(await change({ version: now, city: 'Kungälv' }, 'finance'))).toEqual([403, 'not_allowed'])
  const races = await Promise.all(['Kungälv', 'Ale'].map((city) => change({ version: now, city })))
  expect(races.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const last = (await ask('auditor', `GET /clients/${id}`)).json as Client
  expect((await change({ version: last.version, phone: null })).json).toEqual(last)
  const deeds = await rows<{ kind: string }>(
    'select kind from audit_event where about = $1 order by seq',
    `creditor:${id}`,
  )
  expect(deeds.map(({ kind }) => kind)).toEqual(['creditor_made', 'creditor_changed', 'creditor_changed'])
})

test('another provider’s creditor does not exist', async () => {
  expect(told(await ask('manager', `PUT /clients/${foreignId}`, { version: 1, city: 'Oslo' }))).toEqual([
    404,
    'not_found',
  ])
  const body = { email: 'chef@granskog.example', name: 'Greta Gran' }
  expect(told(await ask('manager', `POST /clients/${foreignId}/manager`, body))).toEqual([404, 'not_found'])
})

test('its first manager is invited when another person has agreed, and comes to the creditor’s portal', async () => {
  const { id } = (await make({ identificationNumber: '559999-0230' })).json as Client
  const body = { email: 'Chef@granskog.example', name: 'Greta Gran' }
  const propose = (who: OperatorRole = 'manager') => ask(who, `POST /clients/${id}/manager`, body)
  expect(told(await propose('finance'))).toEqual([403, 'not_allowed'])
  const { id: proposal } = (await propose()).json as { id: string }
  expect(told(await propose())).toEqual([400, 'proposal_open'])
  const decide = (who: OperatorRole) => ask(who, `POST /proposals/${proposal}/approve`)
  expect(told(await decide('manager'))).toEqual([400, 'another_person_needed'])
  const members = () => rows('select role from membership where creditor_id = $1 and ended_at is null', id)
  expect(await members()).toEqual([])
  expect((await decide('approver')).status).toBe(200)
  expect(await members()).toEqual([{ role: 'manager' }])
  expect((await ask('auditor', `GET /clients/${id}`)).json).toMatchObject({ hasManager: false })
  await server.product.sendMail()
  const mail: { to: string; text: string }[] = await server.control('GET', '/control/mail')
  const text = mail.find(({ to }) => to.includes('chef@granskog.example'))?.text ?? ''
  const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none/').pathname
  const chosen = await fetch(`${server.origin}${link}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password: 'Gran havre lykta 42' }),
  })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/client/'])
  expect((await ask('auditor', `GET /clients/${id}`)).json).toMatchObject({ hasManager: true })
  expect(told(await propose())).toEqual([400, 'manager_exists'])
})

test('a manager who never came is followed by another, and the invitation to the wrong address ends', async () => {
  const { id } = (await make({ identificationNumber: '559999-0255' })).json as Client
  const invite = async (email: string) => {
    const body = { email, name: 'Greta Gran' }
    const { id: proposal } = (await ask('manager', `POST /clients/${id}/manager`, body)).json as {
      id: string
    }
    expect((await ask('approver', `POST /proposals/${proposal}/approve`)).status).toBe(200)
  }
  await invite('felskriven@granskog.example')
  await invite('ratt@granskog.example')
  expect(
    await rows(
      `select p.email, m.ended_at is not null as is_over,
         exists (select from invitation v where v.membership_id = m.id and v.used_at is null) as can_come
       from membership m join person p on p.id = m.person_id where m.creditor_id = $1 order by p.email`,
      id,
    ),
  ).toEqual([
    { email: 'felskriven@granskog.example', is_over: true, can_come: false },
    { email: 'ratt@granskog.example', is_over: false, can_come: true },
  ])
})

test('nobody of the operator becomes a creditor’s manager, whoever proposes and agrees', async () => {
  const { id } = (await make({ identificationNumber: '559999-0263' })).json as Client
  const [{ email }] = (await rows(
    `select p.email from person p join membership m on m.person_id = p.id
     where m.creditor_id is null and m.role = 'manager' and m.ended_at is null limit 1`,
  )) as [{ email: string }]
  const body = { email: email.toUpperCase(), name: 'Jag Själv' }
  expect(told(await ask('manager', `POST /clients/${id}/manager`, body))).toEqual([
    400,
    'another_person_needed',
    'email',
  ])
})
