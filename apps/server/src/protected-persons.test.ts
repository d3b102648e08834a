/**
 * A protected identity (M-36): how the person is reached is planted so that it is known again, and looked for in what every call of staff and
 * of programs answers, by each role and scope. A new call is in here by itself.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  CREDITOR_ROLES,
  KEY_SCOPES,
  OPERATOR_ROLES,
  RIGHTS_OF_OPERATOR,
  type OperatorRole,
} from '@kvitt/domain/staff/roles.ts'
import { BINDINGS } from './api.ts'
import { pathOf, pathsOf } from './platform/http/serve.ts'
import { buildThings, type Things } from './testing/build-things.ts'
import type { BuiltInvoice } from './testing/build.ts'
import { signIn } from './testing/sign-in.ts'
import { holdKey, signInStaff, told, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

const ZIP = '98763'
const PLANTED = {
  street: 'Planterade gränden 77',
  co: 'c/o Gömd Planterad',
  city: 'Plantstad',
  zip: `"${ZIP}"`,
  email: 'planted@hidden.example',
  phone: '+46700998877',
} as const
/** What a creditor of its own has told beside. */
const OF_CREDITOR = { ...PLANTED, street: 'Kreditorns gränd 88', city: 'Kreditstad' } as const
/** Where a guardian lives, who may live with them. */
const OF_GUARDIAN = { street: 'Förmyndarens gränd 99', email: 'guardian@hidden.example' } as const
const TRACES = [
  ...new Set([...Object.values(PLANTED), ...Object.values(OF_CREDITOR), ...Object.values(OF_GUARDIAN)]),
]

let server: TestServer
let things: Things
let invoice: BuiltInvoice
const staff: { name: string; door: 'client' | 'admin'; headers: SignedIn }[] = []
const officeOf = new Map<OperatorRole, SignedIn>()

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

beforeAll(async () => {
  server = await startTestServer()
  const { instanceId } = server
  const built = await buildThings(server, { instanceId, zip: ZIP })
  things = built.things
  invoice = built.invoice
  await plant()
  const { context } = server.product
  for (const role of OPERATOR_ROLES) {
    const headers = await signInStaff(context, { instanceId, creditorId: null, role })
    officeOf.set(role, headers)
    staff.push({ name: role, door: 'admin', headers })
  }
  const at = { instanceId, creditorId: invoice.creditorId }
  for (const role of CREDITOR_ROLES)
    staff.push({
      name: `creditor's ${role}`,
      door: 'client',
      headers: await signInStaff(context, { ...at, role }),
    })
  for (const scope of KEY_SCOPES)
    staff.push({
      name: `key: ${scope}`,
      door: 'client',
      headers: await holdKey(context, { ...at, scopes: [scope] }),
    })
})

beforeEach(async () => {
  await sql('delete from debtor_flag')
  // A minor, so that the guardian acts; their debts go on.
  await sql(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on, answer, answered_by, answered_on)
     values ($1, gen_random_uuid(), $2, 'MINOR', '2026-11-01', 'x', 'person:x', '2026-11-01', 'GO_ON', 'person:x', '2026-11-01')`,
    [server.instanceId, invoice.debtorId],
  )
})

/** Wherever how a debtor is reached is kept. */
async function plant(): Promise<void> {
  const { instanceId, creditorId, debtorId, id } = invoice
  const where = 'instance_id = $1 and'
  await sql(
    `update debtor set address = $3, address2 = $4, city = $5, zip = $6, email = $7, phone = $8 where ${where} id = $2`,
    [instanceId, debtorId, PLANTED.street, PLANTED.co, PLANTED.city, ZIP, PLANTED.email, PLANTED.phone],
  )
  await sql(
    `insert into debtor_contact (instance_id, creditor_id, debtor_id, name, email, phone, address, address2, zip, city)
     values ($1, $2, $3, 'Prov Person', $4, $5, $6, $7, $8, $9)`,
    [
      instanceId,
      creditorId,
      debtorId,
      PLANTED.email,
      PLANTED.phone,
      OF_CREDITOR.street,
      PLANTED.co,
      ZIP,
      OF_CREDITOR.city,
    ],
  )
  await sql(
    `update mail_outbox set recipient = $2, text_body = $3 where ${where} invoice_id is not null`.replace(
      '$1 and',
      '$1 and',
    ),
    [instanceId, PLANTED.email, `Hej, ${PLANTED.street}`],
  )
  await sql(
    `insert into representative (instance_id, id, debtor_id, kind, name, email, address, zip, city, country, source, entered_by, entered_on)
     values ($1, gen_random_uuid(), $2, 'GUARDIAN', 'Gun Prov', $3, $4, $5, 'Göteborg', 'SE', 'x', 'person:x', '2026-11-01')`,
    [instanceId, debtorId, OF_GUARDIAN.email, OF_GUARDIAN.street, ZIP],
  )
  await sql(`update dispute set email = $2 where instance_id = $1`, [instanceId, PLANTED.email])
  await sql(`update conversation set email = $2 where instance_id = $1`, [instanceId, PLANTED.email])
  const names = ['invoice_number', 'address', 'zip', 'city', 'email', 'phone']
  await sql(`update import set columns = $2, mapping = $3 where id = $1`, [
    things['imports'],
    JSON.stringify(names.map((name) => ({ name }))),
    JSON.stringify(Object.fromEntries(names.map((name, at) => [name, at]))),
  ])
  await sql(
    `insert into import_row (instance_id, import_id, number, invoice_number, cells, state, invoice_id)
     values ($1, $2, 1, 'X1', $3, 'READY', $4)`,
    [
      instanceId,
      things['imports'],
      JSON.stringify(['X1', PLANTED.street, ZIP, PLANTED.city, PLANTED.email, PLANTED.phone]),
      id,
    ],
  )
}

/** Everything that is read, and every search and sum: what changes nothing. */
const reading = BINDINGS.map(({ contract }) => contract).filter(
  ({ method, path }) => method === 'GET' || path.endsWith('/search') || path.endsWith('/sum'),
)

async function sweep(): Promise<{ readonly asked: number; readonly found: readonly string[] }> {
  const found: string[] = []
  let asked = 0
  for (const { name: who, door, headers } of staff) {
    for (const contract of reading) {
      if (!contract.doors.includes(door)) continue
      const resource = contract.path.split('/')[1] ?? ''
      const path = pathOf(contract, door)
        .replace(':id', things[resource] ?? 'x')
        .replace(':number', '1')
      const body = contract.method === 'GET' ? {} : { body: {} }
      // As JSON, and as each file that it may be.
      for (const accept of ['application/json', ...(contract.alsoFiles ?? [])]) {
        const answer = await server.call(contract.method, path, { headers: { ...headers, accept }, ...body })
        if (answer.status < 300) asked += 1
        const traces = TRACES.filter((trace) => answer.text.includes(trace))
        if (traces.length > 0) found.push(`${who}: ${contract.method} ${path}: ${traces.join(', ')}`)
      }
    }
  }
  return { asked, found }
}

const flags = (who: OperatorRole, call: string, body: object): Promise<Answer> => {
  const [method = '', path = ''] = call.split(' ')
  return server.call(method, `/api/admin${path}`, { body, headers: { ...officeOf.get(who) } })
}
const protect = async (): Promise<string> => {
  const body = { kind: 'PROTECTED', from: '2026-11-01', source: 'Folkbokföringen' }
  const answer = await flags('support', `POST /debtors/${invoice.debtorId}/flags`, body)
  expect(answer.status, answer.text).toBe(200)
  const { flags: set } = answer.json as { flags: { id: string; kind: string }[] }
  return set.find(({ kind }) => kind === 'PROTECTED')?.id ?? ''
}
const pairs = () => [
  { reference: invoice.reference, zip: ZIP },
  { reference: invoice.reference, zip: '98764' },
]

test('protected.sweep: no call shows anybody how a protected person is reached, but the one that says so', async () => {
  const before = await sweep()
  // What is shown of anybody else, so that the sweep is known to look where it stands.
  for (const kind of ['invoices/', 'debtors/', 'disputes/', 'conversations/', 'outbox/', '/rows', '/search'])
    expect(
      before.found.some((line) => line.includes(kind)),
      kind,
    ).toBe(true)
  expect(before.found.length).toBeGreaterThan(60)
  const id = await protect()
  const after = await sweep()
  expect(after.found).toEqual([])
  expect(after.asked, 'as much is answered as before').toBe(before.asked)

  const path = `POST /debtors/${invoice.debtorId}/protected`
  for (const role of OPERATOR_ROLES) {
    const answer = await flags(role, path, { reason: 'Ringer om adressen.' })
    const may = RIGHTS_OF_OPERATOR[role].includes('see_protected')
    expect(may, role).toBe(role === 'handler' || role === 'manager')
    expect(told(answer), role).toEqual(may ? [200, undefined] : [403, 'not_allowed'])
    if (may) for (const trace of TRACES) expect(answer.text, role).toContain(trace)
  }
  expect(told(await flags('handler', path, { reason: ' ' }))).toEqual([400, 'why_required', 'reason'])
  const deeds = await sql(`select about, reason from audit_event where kind = 'protected_seen'`)
  expect(deeds).toEqual([
    { about: `debtor:${invoice.debtorId}`, reason: 'Ringer om adressen.' },
    { about: `debtor:${invoice.debtorId}`, reason: 'Ringer om adressen.' },
  ])
  const log = JSON.stringify(await sql('select * from audit_event'))
  expect(TRACES.filter((trace) => log.includes(trace))).toEqual([])

  // It hides, and keeps nothing back: there is nothing to answer, and only who may see it ends it.
  expect(await sql('select from resting_debtor')).toEqual([])
  expect(told(await flags('manager', `POST /debtor-flags/${id}/answer`, { answer: 'GO_ON' }))).toEqual([
    400,
    'act_not_open',
  ])
  expect(told(await flags('support', `POST /debtor-flags/${id}/end`, { reason: 'Fel.' }))).toEqual([
    403,
    'not_allowed',
  ])
  expect((await flags('handler', `POST /debtor-flags/${id}/end`, { reason: 'Upphävt.' })).status).toBe(200)
  expect(told(await flags('handler', path, { reason: 'Igen.' })), 'it stands on the debtor again').toEqual([
    400,
    'act_not_open',
  ])
}, 300_000)

test('a creditor’s people say it to the operator: they set none', async () => {
  const clerk = staff.find(({ name }) => name === "creditor's clerk")
  const body = { kind: 'PROTECTED', from: '2026-11-01', source: 'x' }
  const path = `/api/client/debtors/${invoice.debtorId}/flags`
  expect(told(await server.call('POST', path, { body, headers: { ...clerk?.headers } }))).toEqual([
    403,
    'not_allowed',
    'kind',
  ])
})

test('protected.pair: the right pair of a protected person is a wrong one, to each call of the public door', async () => {
  const open = await server.call('GET', `/api/public/invoices/${invoice.reference}/${ZIP}`)
  expect(open.status, open.text).toBe(200)
  const id = await protect()
  const plain = ({ status, text }: Answer) => [
    status,
    text.replaceAll(/"(traceId|instance)":"[^"]*"/g, '').replaceAll(/9876[34]/g, 'zip'),
  ]
  const budget = async () =>
    (await sql(`select coalesce(sum(fails), 0)::int as fails from guess_budget where scope = 'reference'`))[0]
      .fails
  let compared = 0
  for (const { contract } of BINDINGS) {
    if (!contract.doors.includes('public')) continue
    for (const path of pathsOf(contract, 'public')) {
      if (!path.includes(':paymentReference') || contract.largestFile) continue
      const answers: Answer[] = []
      const counted: number[] = []
      for (const { reference, zip } of pairs()) {
        await sql('delete from guess_budget')
        answers.push(
          await server.call(
            contract.method,
            path
              .replace(':paymentReference', reference)
              .replace(':zip', zip)
              .replace(':id', things['disputes'] ?? ''),
            contract.method === 'GET' ? {} : { body: {} },
          ),
        )
        counted.push(await budget())
      }
      const [right, wrong] = answers
      if (!right || !wrong) throw new Error('two were asked')
      expect(plain(right), `${contract.method} ${path}`).toEqual(plain(wrong))
      expect(counted[0], `${contract.method} ${path} costs the same`).toBe(counted[1])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(8)

  // Whoever has shown who they are sees their own debts, and where they live.
  const session = await signIn(server.product.context, server.instanceId, [invoice.debtorId])
  const mine = await server.call('GET', `/api/debtor/invoices?paymentReference=${invoice.reference}`, {
    headers: session,
  })
  expect(mine.text).toContain(PLANTED.email)
  await flags('manager', `POST /debtor-flags/${id}/end`, { reason: 'Slut.' })
  expect((await server.call('GET', `/api/public/invoices/${invoice.reference}/${ZIP}`)).status).toBe(200)
})

test('protected.peek: only who may see it looks at the portal, and one that is open ends', async () => {
  const look = (who: OperatorRole) =>
    flags(who, `POST /debtors/${invoice.debtorId}/view`, { reason: 'Ringer.' })
  const started = await look('support')
  const ticket = (started.json as { address: string }).address.split('/').at(-1)
  const opened = await server.call('POST', '/api/public/views', { body: { ticket } })
  const { id_token: token } = opened.json as { id_token: string }
  const cookie = (opened.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? ''
  const read = () =>
    server.call('GET', `/api/debtor/invoices?paymentReference=${invoice.reference}`, {
      headers: { authorization: `Bearer ${token}`, cookie },
    })
  expect((await read()).text).toContain(PLANTED.email)
  const id = await protect()
  expect(told(await read())).toEqual([401, 'not_signed_in'])
  for (const role of ['support', 'finance', 'auditor'] as const)
    expect(told(await look(role)), role).toEqual([403, 'person_protected'])
  expect((await look('handler')).status).toBe(201)
  await flags('manager', `POST /debtor-flags/${id}/end`, { reason: 'Slut.' })
})

test('protected.file: a paper says where its receiver lives, and is given only to who may see it', async () => {
  type Paper = { fileName: string; type: string }[]
  const list = async (who: OperatorRole): Promise<Paper> => {
    const path = `/api/admin/invoices/${invoice.id}/documents`
    const answer = await server.call('GET', path, { headers: { ...officeOf.get(who) } })
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }
  const ofSupport = await list('support')
  const ofManager = await list('manager')
  expect(ofSupport.length).toBeGreaterThan(0)
  const open = async (name = '') => (await server.call('GET', `/api/storage/${name}`)).status
  expect(await open(ofSupport[0]?.fileName)).toBe(200)
  const id = await protect()
  expect(await list('support')).toEqual([])
  expect(await open(ofSupport[0]?.fileName), 'a link from before').toBe(404)
  expect(await open(ofManager[0]?.fileName)).toBe(200)
  await flags('manager', `POST /debtor-flags/${id}/end`, { reason: 'Slut.' })
  expect(await open(ofSupport[0]?.fileName)).toBe(200)
})
