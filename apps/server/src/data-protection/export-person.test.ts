/** Everything that is held about one person, found wherever it stands, and nothing of anybody else. */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildConversation } from '../testing/build-conversation.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice
let other: BuiltInvoice

/** Words that stand nowhere else. */
const NAME = 'Ottilia Kanariefågel'
const EMAIL = 'ottilia.kanarie@example.com'
const NUMBER = '194512319876'

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler', 'manager', 'auditor', 'approver', 'finance'])
  const { test: world, clock, instanceId } = server
  invoice = await buildInvoice(world, instanceId, clock, { zip: '11122' })
  other = await buildInvoice(world, instanceId, clock, { zip: '41105' })
  await world.owner.query(
    `update debtor set name = $2, email = $3, identification_number = $4, identity = 'SE ' || $4 where id = $1`,
    [invoice.debtorId, NAME, EMAIL, NUMBER],
  )
  await world.owner.query(
    `insert into debtor_contact (instance_id, creditor_id, debtor_id, name, email, zip) values ($1, $2, $3, $4, $5, '11122')`,
    [instanceId, invoice.creditorId, invoice.debtorId, NAME, EMAIL],
  )
  const question = await buildConversation(world, clock, invoice)
  await world.owner.query(`update conversation set email = $2 where id = $1`, [question.id, EMAIL])
  const dispute = await buildDispute(world, clock, invoice)
  await world.owner.query(`update dispute set email = $2, reason = $3 where id = $1`, [
    dispute.id,
    EMAIL,
    `Jag, ${NAME}, har inte köpt detta.`,
  ])
  await world.owner.query(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, recipient, language, subject, text_body)
     values ($1, gen_random_uuid(), 'EMAIL', 'receipt', 'x:1', $2, $3, 'sv', 'Hej', $4)`,
    [instanceId, invoice.id, EMAIL, `Hej ${NAME}`],
  )
  const file = await world.owner.query(
    `insert into bank_file (instance_id, id, name, format, content_hash) values ($1, gen_random_uuid(), 'a', 'camt', '\\x01') returning id`,
    [instanceId],
  )
  await world.owner.query(
    `insert into bank_line (instance_id, id, file_id, number, account_key, deposit_key, deposit_line, kind, amount_minor, currency,
       bank_date, payment_references, payer, message, status)
     values ($1, gen_random_uuid(), $2, 1, 'a', 'b', 1, 'PAYMENT', 100, 'SEK', '2026-11-19', array[$3], $4, $5, 'WAITING')`,
    [instanceId, file.rows[0].id, invoice.reference, NAME, `Från ${EMAIL}`],
  )
})

const exported = (who: Parameters<AskOffice>[0], id = invoice.debtorId, body: object = { reason: 'asked by letter' }) =>
  ask(who, `POST /debtors/${id}/personal-data`, body)

/** Every column of every table in which a word of the person stands, read from the database itself. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const { rows } = await server.test.owner.query(
    `select table_name as t from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { t } of rows) {
    const hits = await server.test.owner.query(
      `select distinct e.key from ${t} x, jsonb_each_text(to_jsonb(x)) e where e.value ilike any ($1)`,
      [words.map((word) => `%${word}%`)],
    )
    for (const { key } of hits.rows) found.push(`${t}.${key}`)
  }
  return found
}

test('wherever a name, an e-mail or a number of a person stands, the export has it', async () => {
  const places = await placesOf([NAME, EMAIL, NUMBER])
  expect(places).toEqual(
    expect.arrayContaining(['debtor.name', 'debtor_contact.email', 'dispute.reason', 'bank_line.payer', 'mail_outbox.text_body']),
  )
  const { status, json } = await exported('handler')
  expect(status).toBe(200)
  const { rows } = json as { rows: Record<string, Record<string, unknown>[]> }
  const missing = places.filter((place) => {
    const [table = '', column = ''] = place.split('.')
    return !rows[table]?.some((row) => [NAME, EMAIL, NUMBER].some((word) => JSON.stringify(row[column] ?? '').includes(word)))
  })
  expect(missing).toEqual([])
})

test('nothing of another person is in it, and no secret', async () => {
  const { json } = await exported('manager')
  const text = JSON.stringify(json)
  expect(text).not.toContain(other.debtorId)
  expect(text).not.toContain(other.id)
  expect(text).not.toMatch(/callback_secret|cookie_hash|request_hash|token_hash/)
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
  const { rows } = (await exported('handler')).json as { rows: { audit_event: { kind: string; who: string }[] } }
  const looks = rows.audit_event.map(({ kind, who }) => `${who} ${kind}`)
  expect(looks).toEqual(expect.arrayContaining(['staff staff_opened', 'staff person_exported']))
  expect(JSON.stringify(rows.audit_event)).not.toContain('support@example.com')
})

test('as a PDF it is the same in words', async () => {
  const signedIn = await signInStaff(server.product.context, { instanceId: server.instanceId, creditorId: null, role: 'handler' })
  const path = `/api/admin/debtors/${invoice.debtorId}/personal-data`
  const asked = (accept: string) =>
    server.call('POST', path, { body: { reason: 'asked by letter' }, headers: { ...signedIn, accept, 'accept-language': 'en' } })
  const csv = await asked('text/csv')
  expect(csv.text).toContain(NAME)
  expect(csv.text).toContain('Who you are')
  expect(csv.text).toContain('Who looked or changed')
  const pdf = await asked('application/pdf')
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})
