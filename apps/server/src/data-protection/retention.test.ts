/** What is over its time: found, approved by a person, gone wherever it stood; the books stay as they were. */
import { beforeEach, expect, test } from 'vitest'
import { booksRule, retentionRules } from '@kvitt/domain/data-protection/retention.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildConversation } from '../testing/build-conversation.ts'
import { buildKnownPerson, endLongAgo, placesOf, WORDS } from '../testing/debts/known-person.ts'
import { buildRefundFile } from '../testing/debts/refund-file.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { eraseApproved } from './retention.ts'
import { eraseSomeOf } from './retention.queries.ts'

type Found = { kind: string; count: number; samples: string[] }
type Run = { id: string; status: string; count: number; done: number; left: number; found: Found[] }

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice

beforeEach(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'handler', 'auditor', 'support'])
  invoice = await buildKnownPerson(server)
})

const find = async (): Promise<Run[]> => runsOf(await ask('manager', 'POST /data-protection/find'))
const runsOf = ({ json }: { json: unknown }): Run[] => (json as { runs: Run[] }).runs
const approve = (run: string, count: number, who: 'manager' | 'handler' = 'manager') =>
  ask(who, 'POST /data-protection/approve', { run, count, held: 0, reason: 'yearly' })
/** Every sum of the books, by account. */
const sums = async () =>
  (
    await server.test.owner.query(
      `select a.id, a.balance_minor, count(p.*) as lines, sum(p.amount_minor) as posted from ledger_account a
       left join posting p on p.account_id = a.id group by 1, 2 order by 1`,
    )
  ).rows

test('while a debt is open nothing goes, and the answer says what stays and why', async () => {
  expect(await find()).toEqual([])
  expect((await ask('handler', `GET /debtors/${invoice.debtorId}/erasure`)).json).toEqual({
    goes: [],
    stays: [
      { kind: 'OPEN', ground: '', until: null, count: 1 },
      { kind: 'BOOKS', ground: 'bokföringslagen (1999:1078) 7 kap. 2 §', until: null, count: 1 },
    ],
  })
  const refused = await ask('manager', `POST /debtors/${invoice.debtorId}/erasure`, { reason: 'asked' })
  expect(told(refused)).toEqual([400, 'nothing_over_time'])
  const { rows } = await server.test.owner.query('select erase_person($1, $2) as done', [
    server.instanceId,
    invoice.debtorId,
  ])
  expect(rows).toEqual([{ done: false }])
  expect(await placesOf(server.test, WORDS)).toContain('debtor.name')
})

test('after 36 months the words of the case go, and the books keep the person', async () => {
  await endLongAgo(server.test, invoice, 37)
  const [run] = await find()
  expect(run).toMatchObject({
    status: 'FOUND',
    count: 2,
    found: [{ kind: 'ARCHIVE' }, { kind: 'CASE', count: 1 }],
  })
  expect(run?.found[1]?.samples).toEqual([invoice.id])
  const before = await sums()
  expect(told(await approve(run?.id ?? '', 9))).toEqual([409, 'selection_changed'])
  expect(told(await approve(run?.id ?? '', 2, 'handler'))).toEqual([403, 'not_allowed'])
  expect((await approve(run?.id ?? '', 2)).status).toBe(200)
  await eraseApproved(server.product.context)
  const [done] = runsOf(await ask('auditor', 'GET /data-protection'))
  expect(done).toMatchObject({ status: 'DONE', done: 2, left: 0 })
  const places = await placesOf(server.test, WORDS)
  expect(places.filter((place) => /^(dispute|conversation|mail_outbox)/.test(place))).toEqual([])
  expect(places).toEqual(expect.arrayContaining(['debtor.name', 'invoice.rows', 'bank_line.payer']))
  expect(await sums()).toEqual(before)
})

test('a paid invoice is archived after 24 months, one with something left on it is not', async () => {
  const paid = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const at = { instanceId: server.instanceId, creditorId: paid.creditorId, role: 'manager' } as const
  const creditor = await signInStaff(server.product.context, at)
  const credited = await server.call('POST', `/api/client/invoices/${paid.id}/credit`, {
    body: { reason: 'Fel' },
    headers: { ...creditor, 'Undo-Seconds': '0', 'Idempotency-Key': 'all of it' },
  })
  expect(credited.status, credited.text).toBe(200)
  await endLongAgo(server.test, paid, 25)
  await endLongAgo(server.test, invoice, 25, 'owing')
  const [run] = await find()
  expect(run?.found).toMatchObject([{ kind: 'ARCHIVE', samples: [paid.id] }])
  await approve(run?.id ?? '', 1)
  await eraseApproved(server.product.context)
  const { rows } = await server.test.owner.query('select id, status from invoice where id = any ($1)', [
    [paid.id, invoice.id],
  ])
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [paid.id, 'ARCHIVED'],
      [invoice.id, 'STOPPED'],
    ]),
  )
})

test('when the books may go the person stands nowhere, sums are as before, and the log is whole', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const before = await sums()
  const [run] = await find()
  expect(run?.found.map(({ kind }) => kind)).toEqual(['ARCHIVE', 'BOOKS', 'CASE'])
  await approve(run?.id ?? '', run?.count ?? 0)
  await eraseApproved(server.product.context)
  expect(await placesOf(server.test, WORDS)).toEqual([])
  expect(await sums()).toEqual(before)
  expect((await ask('auditor', 'GET /audit/verify')).json).toMatchObject({ intact: true })
  expect(await find()).toMatchObject([{ status: 'DONE' }])
})

test('a run that is cut off in the middle goes on, and two processes beside one another do each thing once', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const more = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  await endLongAgo(server.test, more, 12 * 9)
  const [run] = await find()
  const { id = '', count = 0 } = run ?? {}
  await approve(id, count)
  const { db } = server.product.context
  const of = { instanceId: server.instanceId, id }
  await db.transaction((tx) => eraseSomeOf(tx, of, 1))
  const killed = db.transaction(async (tx) => {
    await eraseSomeOf(tx, of, count)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(runsOf(await ask('auditor', 'GET /data-protection'))[0]).toMatchObject({
    status: 'APPROVED',
    done: 1,
  })
  expect(await placesOf(server.test, WORDS)).toContain('debtor.name')
  await Promise.all([eraseApproved(server.product.context), eraseApproved(server.product.context)])
  await eraseApproved(server.product.context)
  expect(runsOf(await ask('auditor', 'GET /data-protection'))[0]).toMatchObject({
    status: 'DONE',
    done: count,
    left: 0,
  })
  expect(await placesOf(server.test, WORDS)).toEqual([])
})

test('what was ended anew when its turn comes is left, as it is', async () => {
  await endLongAgo(server.test, invoice, 37)
  const [run] = await find()
  await approve(run?.id ?? '', run?.count ?? 0)
  // A payment was taken back, and came again: it was over again for a day.
  await server.test.owner.query('update debt_end set ended_on = current_date - 1 where debt_id = $1', [
    invoice.id,
  ])
  await eraseApproved(server.product.context)
  expect(runsOf(await ask('auditor', 'GET /data-protection'))[0]).toMatchObject({
    status: 'DONE',
    done: 0,
    left: 2,
  })
  expect(await placesOf(server.test, WORDS)).toContain('dispute.reason')
  const { rows } = await server.test.owner.query('select status from invoice where id = $1', [invoice.id])
  expect(rows).toEqual([{ status: 'STOPPED' }])
})

test('what cannot be erased as it stands keeps nothing else waiting', async () => {
  await endLongAgo(server.test, invoice, 37)
  const more = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const asked = await buildConversation(server.test, server.clock, more)
  await endLongAgo(server.test, more, 37)
  await server.test.owner.query(
    `alter table conversation_message add constraint stuck check (conversation_id <> '${asked.id}' or text <> '[erased]')`,
  )
  const [run] = await find()
  await approve(run?.id ?? '', 4)
  await eraseApproved(server.product.context)
  expect(runsOf(await ask('auditor', 'GET /data-protection'))[0]).toMatchObject({
    status: 'DONE',
    done: 3,
    left: 1,
  })
  expect(await placesOf(server.test, WORDS)).not.toContain('dispute.reason')
  expect(await find()).toMatchObject([{ status: 'FOUND', count: 1 }, { status: 'DONE' }])
})

test('somebody who asks is forgotten as far as the time is over, by a manager who has just signed in', async () => {
  await endLongAgo(server.test, invoice, 37)
  const path = `/debtors/${invoice.debtorId}/erasure`
  expect(told(await ask('handler', `POST ${path}`, { reason: 'asked' }))).toEqual([403, 'not_allowed'])
  const answer = await ask('manager', `POST ${path}`, { reason: 'asked by letter' })
  expect(answer.json).toMatchObject({
    goes: [],
    stays: [{ kind: 'BOOKS', until: expect.stringMatching(/^20\d\d-01-01$/) }],
  })
  expect((await placesOf(server.test, WORDS)).filter((place) => place.startsWith('dispute'))).toEqual([])
  const { rows } = await server.test.owner.query(
    `select reason from audit_event where kind = 'person_erased'`,
  )
  expect(rows).toEqual([{ reason: 'asked by letter' }])
  await server.test.owner.query(`update staff_session set signed_in_at = now() - interval '11 minutes'`)
  expect(told(await ask('manager', `POST ${path}`, { reason: 'x' }))).toEqual([403, 'sign_in_again'])
})

test('files for the bank with refunds go when the books of their day may', async () => {
  await buildRefundFile(server, { executionOn: '2015-03-01' })
  await buildRefundFile(server, { executionOn: '2026-03-01' })
  const [run] = await find()
  expect(run?.found).toMatchObject([{ kind: 'FILES', count: 1, oldest: '2023-01-01' }])
  await approve(run?.id ?? '', 1)
  await eraseApproved(server.product.context)
  const { rows } = await server.test.owner.query(
    'select execution_on::text as day, content from payout_file order by 1',
  )
  expect(rows).toEqual([
    { day: '2015-03-01', content: '[erased]' },
    { day: '2026-03-01', content: '<Nm>Ottilia</Nm>' },
  ])
})

test('the program itself can change none of what it may only add to', async () => {
  const { db } = server.product.context
  const { rows } = await server.test.owner.query(
    `select has_column_privilege('kvitt_app', 'conversation_message', 'text', 'UPDATE') as message,
       has_column_privilege('kvitt_app', 'debt_end', 'ended_on', 'UPDATE') as day`,
  )
  expect(rows).toEqual([{ message: false, day: false }])
  await expect(server.test.owner.query(`update conversation_message set text = 'x'`)).rejects.toThrow(
    /append-only/,
  )
  await expect(
    db.rows({ name: 'test.erase', text: `select set_config('kvitt.erasing', 'on', false)` }),
  ).resolves.toBeDefined()
})

test('the database keeps the books as long as the rules say', async () => {
  for (const country of ['SE', 'NO', 'DK', 'FI', 'DE']) {
    const { rows } = await server.test.owner.query(
      `select books_kept_years($1) as years, books_kept_until($1, '2020-03-01')::text as until`,
      [country],
    )
    const { years } = booksRule(country)
    expect(rows).toEqual([{ years, until: `${2020 + years + 1}-01-01` }])
  }
  expect(retentionRules('SE').find(({ kind }) => kind === 'CASE')?.period).toEqual({ months: 36 })
  // Of 2020, seven years after the end of 2020.
  expect(booksRule('SE').years).toBe(7)
})
