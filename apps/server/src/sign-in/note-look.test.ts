/** What staff are shown of people is in the log, each time, with who; what a person does is in another, kept longer. */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildThings } from '../testing/build-things.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { forgetOldEvents, noteDeed } from '../audit/audit.ts'

let server: TestServer
let invoice: BuiltInvoice
let other: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  clerk = await signInStaff(server.product.context, { ...invoice, role: 'clerk', email: 'clerk@example.com' })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const looks = () =>
  sql(
    `select kind, about, after, actor from audit_event where kind in ('staff_opened', 'staff_listed') order by seq`,
  )
const get = (path: string, headers: SignedIn = clerk) => server.call('GET', path, { headers: { ...headers } })

test('each row and each list that somebody is shown is written down; what they were refused is not', async () => {
  const [{ id: personId, membership }] = await sql(
    `select p.id, m.id as membership from person p join membership m on m.person_id = p.id where p.email = 'clerk@example.com'`,
  )
  const actor = `person:${personId}:${membership}`
  for (let time = 0; time < 2; time++) {
    expect((await get(`/api/client/debtors/${invoice.debtorId}`)).status).toBe(200)
  }
  expect((await get(`/api/client/debtors/${other.debtorId}`)).status).toBe(404)
  const search = (body: object) =>
    server.call('POST', '/api/client/invoices/search', { body, headers: { ...clerk } })
  const body = { query: 'Alva', queryTarget: 'name', 'statuses.main': 'ACTIVATED' }
  expect((await search(body)).status).toBe(200)
  expect((await search({ 'statuses.main': 'NONE' })).status).toBe(400)
  const key = await holdKey(server.product.context, { ...invoice, scopes: ['read'] })
  expect((await get(`/api/client/invoices/${invoice.id}`, key)).status).toBe(200)
  const opened = { kind: 'staff_opened', about: `debtors:${invoice.debtorId}`, after: {}, actor }
  const filters = { queryTarget: 'name', 'statuses.main': 'ACTIVATED' }
  expect(await looks()).toEqual([
    opened,
    opened,
    { kind: 'staff_listed', about: 'invoices', after: { found: 1, filters, isSearched: true }, actor },
    { kind: 'staff_opened', about: `invoices:${invoice.id}`, after: {}, actor: `key:${key.id}` },
  ])
  expect(await sql('select * from inv_i21_audit_events_are_chained')).toEqual([])
})

test('a sum for a name, the rows of a bank’s file and of an import, and how long an exported list is, are written down', async () => {
  const { instanceId } = server
  const finance = await signInStaff(server.product.context, { instanceId, creditorId: null, role: 'finance' })
  const { things } = await buildThings(server, { instanceId, zip: '75320' })
  const post = (path: string, body: object, headers: object = clerk) =>
    server.call('POST', path, { body, headers: { ...headers } })
  const before = await sql('select max(seq)::int as seq from audit_event')
  expect(
    (await post('/api/client/invoices/sum', { search: { query: 'Alva', queryTarget: 'name' } })).status,
  ).toBe(200)
  const file = things['payment-batches'] ?? ''
  expect((await get(`/api/admin/payment-batches/${file}/lines?page=1`, finance)).status).toBe(200)
  const list = { 'statuses.main': 'ACTIVATED' }
  expect((await post('/api/client/invoices/search', list, { ...clerk, accept: 'text/csv' })).status).toBe(200)
  expect(
    await sql('select kind, about, after from audit_event where seq > $1 and kind like $2 order by seq', [
      before[0].seq,
      'staff_%ed',
    ]),
  ).toEqual([
    { kind: 'staff_listed', about: 'invoices', after: expect.objectContaining({ found: 1 }) },
    { kind: 'staff_listed', about: `payment-batches:${file}`, after: { found: 1, filters: { page: '1' } } },
    { kind: 'staff_exported', about: 'invoices', after: { found: 1, filters: list } },
  ])
})

test('after twelve months looks go and deeds stay; both chains stay whole', async () => {
  const { context } = server.product
  const { instanceId } = server
  const deed = { instanceId, kind: 'debt_paused', by: 'person:anna', about: 'invoice:x' } as const
  await context.db.transaction((tx) => noteDeed(tx, deed))
  await sql(
    `insert into audit_event (instance_id, kind, actor, about, is_deed, at) values ($1, 'debt_paused', 'person:anna', 'old', true, now() - interval '9 years')`,
    [instanceId],
  )
  const { id: other } = await buildInstance(server.test, { alias: 'looked', isDefault: false })
  const look = (about: string, age: string) =>
    sql(
      `insert into audit_event (instance_id, kind, actor, about, after, at) values ($1, 'staff_opened', 'key:x', $2, '{}', now() - $3::interval)`,
      [other, about, age],
    )
  await look('debtors:old', '13 months')
  await look('debtors:new', '1 day')
  // Its transaction had begun long before that of the one before it: it goes with that one, and leaves no gap.
  await look('debtors:late', '13 months')
  await expect(sql(`delete from audit_event where about = 'old'`)).rejects.toThrow('append-only')
  await forgetOldEvents(context)
  expect(
    (await sql(`select about from audit_event where is_deed order by seq`)).map(({ about }) => about),
  ).toEqual(['invoice:x', 'old'])
  expect(await sql('select about from audit_event where instance_id = $1 order by seq', [other])).toEqual([
    { about: 'debtors:new' },
    { about: 'debtors:late' },
  ])
  expect(await sql('select count(distinct chain)::int as chains from audit_event')).toEqual([{ chains: 3 }])
})
