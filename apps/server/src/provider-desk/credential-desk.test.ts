/** A provider's manager enters what it shows its counterparties, tries it at the sandbox's, and takes it away; nobody reads it out. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { ensureCertificates } from '../../../sandbox/src/certificates.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let path: string
const NUMBER = '1231181189'
const pem = (name: string): string => readFileSync(join(inject('certificates'), name), 'utf8')
const pair = () => ({ certificate: pem('client.pem'), key: pem('client-key.pem') })

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'finance', 'support', 'auditor'])
  path = `/instance-providers/${server.instanceId}/credentials`
})
beforeEach(() => server.test.owner.query('delete from credential'))

type Row = {
  readonly kind: string
  readonly own: { account: string; certificate: { until: string } | null } | null
  readonly former: string[]
}
const list = async (who: OperatorRole = 'manager') =>
  ((await ask(who, `GET ${path}`)).json as { credentials: Row[] }).credentials
const own = async (kind: string) => (await list()).find((one) => one.kind === kind)?.own
const enter = (body: object, who: OperatorRole = 'manager') => ask(who, `PUT ${path}`, body)
const why = (answer: { json: unknown }) => (answer.json as { message: string }).message

test('a number with its certificate is entered, shown without a secret, used and noted', async () => {
  const entered = await enter({ kind: 'SWISH', number: NUMBER, ...pair() })
  expect(entered.status, entered.text).toBe(200)
  expect(entered.text).not.toContain('PRIVATE KEY')
  const until = new Date(new X509Certificate(pair().certificate).validTo).toISOString().slice(0, 10)
  expect(await own('SWISH')).toMatchObject({ account: NUMBER, certificate: { until }, isReadable: true })
  const [deed] = (
    await server.test.owner.query(
      `select actor, after::text as after from audit_event where kind = 'credentials_changed' order by seq desc limit 1`,
    )
  ).rows
  expect(deed.actor).toMatch(/^person:/)
  expect(deed.after).not.toContain('PRIVATE KEY')
  await enter({ kind: 'SWISH', number: '1234567890', ...pair() })
  expect((await list()).find(({ kind }) => kind === 'SWISH')).toMatchObject({
    own: { account: '1234567890' },
    former: [NUMBER],
  })
})

test('who may see reads the list; only a manager enters, tries and removes', async () => {
  await enter({ kind: 'DIGITAL_MAILBOX', number: '5a17d0b0c0de' })
  expect((await list('auditor')).map(({ kind }) => kind)).toEqual([
    'SWISH',
    'BANKID',
    'DIGITAL_MAILBOX',
    'ELECTRONIC_INVOICE',
  ])
  for (const who of ['finance', 'support', 'auditor'] as const) {
    expect(told(await enter({ kind: 'DIGITAL_MAILBOX', number: 'aaaa1111' }, who))).toEqual([
      403,
      'not_allowed',
    ])
    expect(told(await ask(who, `POST ${path}/try`, { kind: 'SWISH' }))).toEqual([403, 'not_allowed'])
    expect(told(await ask(who, `POST ${path}/remove`, { kind: 'DIGITAL_MAILBOX' }))).toEqual([
      403,
      'not_allowed',
    ])
  }
  expect(await own('DIGITAL_MAILBOX')).toMatchObject({ account: '5a17d0b0c0de' })
})

test.each([
  ['a number with letters', { number: '12ab' }, 'number', /8 till 15 siffror/],
  ['no certificate', { certificate: '' }, 'certificate', /inget certifikat/],
  ['a text for a certificate', { certificate: 'hej' }, 'certificate', /inget certifikat/],
  ['a text for a key', { key: 'hej' }, 'key', /ingen nyckel/],
  ['the key of another certificate', { key: 'server-key.pem' }, 'key', /hör inte till/],
])('%s is refused with its field, and changes nothing', async (_, wrong, field, sentence) => {
  const given = 'key' in wrong && wrong.key === 'server-key.pem' ? { key: pem('server-key.pem') } : wrong
  const refused = await enter({ kind: 'SWISH', number: NUMBER, ...pair(), ...given })
  expect(told(refused)).toEqual([400, 'credential_refused', field])
  expect(why(refused)).toMatch(sentence)
  expect(await own('SWISH')).toBeNull()
})

test('a number of another provider is refused, and whose it is is not told', async () => {
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  await enter({ kind: 'SWISH', number: NUMBER, ...pair() })
  await server.test.owner.query('update credential set instance_id = $1', [id])
  const refused = await enter({ kind: 'SWISH', number: NUMBER, ...pair() })
  expect(told(refused)).toEqual([400, 'credential_refused', 'number'])
  expect(refused.text.toLowerCase()).not.toContain('fjellklar')
  expect(await own('SWISH')).toBeNull()
  expect(told(await ask('manager', `GET /instance-providers/${id}/credentials`))).toEqual([404, 'not_found'])
})

const attempt = async (kind: string) => (await ask('manager', `POST ${path}/try`, { kind })).json
test('one press says whether the counterparty knows what has just been entered', async () => {
  const accepted = { outcome: 'ACCEPTED', detail: null }
  expect([await attempt('SWISH'), await attempt('BANKID')]).toEqual([accepted, accepted])
  // Of an authority that nobody there knows.
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-strange-'))
  closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
  const made = await ensureCertificates(folder, server.clock.now())
  const strange = { certificate: made['client.pem'], key: made['client-key.pem'] }
  await enter({ kind: 'SWISH', number: NUMBER, ...strange })
  await enter({ kind: 'BANKID', ...strange })
  for (const kind of ['SWISH', 'BANKID'])
    expect(await attempt(kind), kind).toMatchObject({
      outcome: 'REFUSED',
      detail: expect.stringMatching(/./),
    })
  await ask('manager', `POST ${path}/remove`, { kind: 'BANKID' })
  expect(await attempt('BANKID')).toEqual(accepted)
  expect(told(await ask('manager', `POST ${path}/try`, { kind: 'ELECTRONIC_INVOICE' }))).toEqual([
    400,
    'invalid_request',
    'kind',
  ])
})

test('what was entered goes again, twice changes nothing, and a number with payments under way stays', async () => {
  await enter({ kind: 'ELECTRONIC_INVOICE', number: '0007:5599990016' })
  for (const _ of [1, 2])
    expect((await ask('manager', `POST ${path}/remove`, { kind: 'ELECTRONIC_INVOICE' })).status).toBe(200)
  expect(await own('ELECTRONIC_INVOICE')).toBeNull()
  await enter({ kind: 'SWISH', number: NUMBER, ...pair() })
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 50_000 })
  await server.test.owner.query(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, 'SWISH', 'pay-now', 100, 'SEK', '2026-11-20', 'x', $3, 'SWISH', '1', 'IN_PROGRESS',
       'http://localhost/', gen_random_uuid(), 'x', 'x')`,
    [server.instanceId, invoice.id, NUMBER],
  )
  const refused = await ask('manager', `POST ${path}/remove`, { kind: 'SWISH' })
  expect(told(refused)).toEqual([400, 'credential_refused'])
  expect(await own('SWISH')).toMatchObject({ account: NUMBER })
})

test('a sign-in of an hour ago is too old to enter or remove anything', async () => {
  await enter({ kind: 'DIGITAL_MAILBOX', number: '5a17d0b0c0de' })
  await server.test.owner.query(
    `update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`,
  )
  expect(told(await enter({ kind: 'DIGITAL_MAILBOX', number: 'bbbb2222' }))).toEqual([403, 'sign_in_again'])
  expect(told(await ask('manager', `POST ${path}/remove`, { kind: 'DIGITAL_MAILBOX' }))).toEqual([
    403,
    'sign_in_again',
  ])
  expect(await own('DIGITAL_MAILBOX')).toMatchObject({ account: '5a17d0b0c0de' })
})
