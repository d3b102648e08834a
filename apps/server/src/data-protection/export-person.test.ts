/** Everything that is held about one person, found wherever it stands, and nothing of anybody else. */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildKnownPerson, placesOf, WORDS } from '../testing/debts/known-person.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice
let other: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler', 'manager', 'auditor', 'approver', 'finance'])
  invoice = await buildKnownPerson(server)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
})

const exported = (
  who: Parameters<AskOffice>[0],
  id = invoice.debtorId,
  body: object = { reason: 'asked by letter' },
) => ask(who, `POST /debtors/${id}/personal-data`, body)

test('wherever a name, an e-mail or a number of a person stands, the export has it', async () => {
  const places = await placesOf(server.test, WORDS)
  expect(places).toEqual(
    expect.arrayContaining([
      'debtor.name',
      'debtor_contact.email',
      'dispute.reason',
      'bank_line.payer',
      'mail_outbox.text_body',
    ]),
  )
  const { status, json } = await exported('handler')
  expect(status).toBe(200)
  const { rows } = json as { rows: Record<string, Record<string, unknown>[]> }
  const missing = places.filter((place) => {
    const [table = '', column = ''] = place.split('.')
    return !rows[table]?.some((row) => WORDS.some((word) => JSON.stringify(row[column] ?? '').includes(word)))
  })
  expect(missing).toEqual([])
})

test('nothing of another person is in it, and no secret', async () => {
  await server.test.owner.query(
    `update dispute set status = 'REJECTED', decided_on = current_date, decision = 'Nej.', decided_by = 'person:Berit Handläggare'`,
  )
  const { json } = await exported('manager')
  await server.test.owner.query(
    `update dispute set status = 'OPEN', decided_on = null, decision = null, decided_by = null`,
  )
  const text = JSON.stringify(json)
  expect(text).not.toContain('Berit')
  expect(text).toContain('"decided_by":"staff"')
  expect(text).not.toContain(other.debtorId)
  expect(text).not.toContain(other.id)
  expect(text).not.toMatch(/callback_secret|cookie_hash|request_hash|token_hash/)
})

test('of a line that pays several people’s bills nobody is shown who paid, nor another’s reference', async () => {
  const { owner } = server.test
  await owner.query(
    `insert into bank_line (instance_id, id, file_id, number, account_key, deposit_key, deposit_line, kind, amount_minor, currency,
       bank_date, payment_references, payer, message, status)
     select instance_id, gen_random_uuid(), file_id, 2, 'a', 'c', 1, 'PAYMENT', 200, 'SEK', '2026-11-19', array[$1, $2],
       'Valdemar Betalarsson', 'hyra och el', 'WAITING' from bank_line limit 1`,
    [invoice.reference, other.reference],
  )
  const { json } = await exported('manager')
  const lines = (json as { rows: { bank_line: Record<string, unknown>[] } }).rows.bank_line
  expect(lines).toHaveLength(2)
  expect(lines.map((line) => line['payment_references'])).toEqual([[invoice.reference], [invoice.reference]])
  const text = JSON.stringify(json)
  for (const word of [other.reference, 'Valdemar', 'hyra och el']) expect(text).not.toContain(word)
})

test('only who answers requests may, and what is not of the provider does not exist', async () => {
  for (const who of ['support', 'finance', 'auditor', 'approver'] as const)
    expect(told(await exported(who)), who).toEqual([403, 'not_allowed'])
  expect(told(await exported('handler', invoice.id))).toEqual([404, 'not_found'])
  const { id: foreignId } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, foreignId, server.clock, { zip: '0150' })
  expect(told(await exported('handler', foreign.debtorId))).toEqual([404, 'not_found'])
  expect((await exported('handler', invoice.debtorId, {})).status).toBe(400)
})

test('it is a deed with its reason, and the person’s own log says who has looked, without a name', async () => {
  await ask('support', `GET /debtors/${invoice.debtorId}`)
  await exported('handler', invoice.debtorId, { reason: 'letter of 3 November' })
  const deed = await server.test.owner.query(
    `select reason, about from audit_event where kind = 'person_exported' order by at desc limit 1`,
  )
  expect(deed.rows).toEqual([{ reason: 'letter of 3 November', about: `debtor:${invoice.debtorId}` }])
  const { rows } = (await exported('handler')).json as {
    rows: { audit_event: { kind: string; who: string }[] }
  }
  const looks = rows.audit_event.map(({ kind, who }) => `${who} ${kind}`)
  expect(looks).toEqual(expect.arrayContaining(['staff staff_opened', 'staff person_exported']))
  expect(JSON.stringify(rows.audit_event)).not.toContain('support@example.com')
})
