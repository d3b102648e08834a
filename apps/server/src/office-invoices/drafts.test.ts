/** Invoices that a creditor's staff write: from the form to what the debtor owes. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let known: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  known = await buildInvoice(server.test, server.instanceId, server.clock)
  clerk = await signInStaff(server.product.context, { ...at(), role: 'clerk' })
})

const at = () => ({ instanceId: server.instanceId, creditorId: known.creditorId })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const DUE = addDays(TODAY, 30)

const debtor = {
  type: 'PERSON',
  name: 'Alva Provlund',
  email: 'alva@example.com',
  address: 'Provgatan 1',
  zip: '111 22',
  city: 'Stockholm',
  countryCode: 'SE',
}
const rows = [
  { description: 'El', quantity: 3, unitPrice: '100.0050', vatPercent: 25 },
  { description: 'Avgift', quantity: '1', unitPrice: 10, vatPercent: 0, vatReason: 'Undantaget' },
]
const draft = { debtor, invoiceDate: TODAY, expireDate: DUE, currency: 'SEK', rows }

type Sent = { readonly key?: string; readonly by?: SignedIn }
const call = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  { key, by = clerk }: Sent = {},
) =>
  server.call(method, `/api/client/invoices${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { authorization: by.authorization, ...(key ? { 'idempotency-key': key } : {}) },
  })
const create = (wishes: object = {}, sent: Sent = {}) => call('POST', '', { ...draft, ...wishes }, sent)

type Office = {
  id: string
  invoiceNumber: string
  paymentReference: string
  originalReference: string | null
  statuses: { main: string }
  balances: { total: number }
  totals: { totalToPay: number }
  dates: { sentDate: string | null }
  debtor: { id: string; invoiceAddress: object }
}
const officeOf = (answer: Answer): Office => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json
}
const codeOf = ({ status, json }: Answer) => {
  const { code, errors = [] } = json as { code: string; errors?: { field: string }[] }
  return [status, code, ...errors.map(({ field }) => field)]
}

test('a draft is priced, numbered from the creditor’s series and owed by nobody', async () => {
  const answer = await create()
  expect(answer.status).toBe(201)
  const made = officeOf(answer)
  // 3 × 100.0050 = 300.015 -> 300.02; 25 % of it is 75.005 -> 75.01; and 10.00 without tax.
  expect(made).toMatchObject({
    statuses: { main: 'CREATED' },
    totals: { totalToPay: 385.03 },
    balances: { total: 0 },
    dates: { sentDate: null },
    debtor: { name: 'Alva Provlund', invoiceAddress: { address: 'Provgatan 1', zip: '11122' } },
  })
  expect(made.invoiceNumber).toMatch(/^\d+$/)
  expect(made.paymentReference).toMatch(/^\d{14}$/)
  expect(Number(officeOf(await create()).invoiceNumber)).toBe(Number(made.invoiceNumber) + 1)
  expect(
    await sql(
      'select * from posting p join ledger_account a on a.id = p.account_id where a.invoice_id = $1',
      [made.id],
    ),
  ).toEqual([])
})

test('the address may stand in invoiceAddress, and a debtor is found again', async () => {
  const { address, zip, city, countryCode, ...person } = debtor
  const nested = { ...person, invoiceAddress: { address, zip, city, countryCode } }
  const [first, second] = [officeOf(await create({ debtor: nested })), officeOf(await create())]
  expect(first.debtor).toEqual(second.debtor)
})

test('a reference of one’s own is kept when it can be used, and replaced when it cannot', async () => {
  expect(officeOf(await create({ paymentReference: '1234 5674' }))).toMatchObject({
    paymentReference: '12345674',
    originalReference: null,
  })
  const wrong = officeOf(await create({ paymentReference: 'F-17' }))
  expect(wrong.originalReference).toBe('F-17')
  expect(wrong.paymentReference).toMatch(/^\d{14}$/)
})

test('approved, it waits for its day; sent, it is owed, and told by the way that was wanted', async () => {
  const { id } = officeOf(await create({ distribution: 'LETTER' }))
  expect(officeOf(await call('POST', `/${id}/approve`)).statuses.main).toBe('PENDING')
  expect(codeOf(await call('POST', `/${id}/approve`))).toEqual([400, 'act_not_open'])
  await server.product.sendApproved()
  expect(officeOf(await call('GET', `/${id}`))).toMatchObject({
    statuses: { main: 'ACTIVATED' },
    balances: { total: 385.03 },
    dates: { sentDate: TODAY },
  })
  expect(await sql('select kind, channel from mail_outbox where invoice_id = $1', [id])).toEqual([
    { kind: 'new_invoice', channel: 'LETTER' },
  ])
  await server.product.sendApproved()
  expect(codeOf(await call('DELETE', `/${id}`))).toEqual([400, 'already_sent'])
})

test('an invoice of a later day is sent on that day', async () => {
  const { id } = officeOf(await create({ invoiceDate: addDays(TODAY, 1) }))
  await call('POST', `/${id}/approve`)
  await server.product.sendApproved()
  expect(officeOf(await call('GET', `/${id}`)).statuses.main).toBe('PENDING')
  expect(officeOf(await call('DELETE', `/${id}`)).statuses.main).toBe('ARCHIVED')
  expect(await sql('select status from collection_step where invoice_id = $1', [id])).toEqual([
    { status: 'CANCELLED' },
  ])
})

test('what the creditor has sent itself may be due, is booked today, and nothing is sent', async () => {
  const sentDate = addDays(TODAY, -40)
  const alreadySent = { sentDate, remindedOn: addDays(TODAY, -5), reminderFee: 60 }
  const wishes = { invoiceDate: sentDate, expireDate: addDays(TODAY, -10), alreadySent }
  const { id } = officeOf(await create(wishes))
  await call('POST', `/${id}/approve`)
  await server.product.sendApproved()
  expect(officeOf(await call('GET', `/${id}`))).toMatchObject({
    statuses: { main: 'ACTIVATED' },
    balances: { total: 445.03, costs: 60 },
    dates: { sentDate },
  })
  expect(await sql('select kind from mail_outbox where invoice_id = $1', [id])).toEqual([])
  // The work was the creditor's, though what our reminders cost is the operator's.
  const owners =
    'select charge_owner from ledger_transaction where invoice_id = $1 and charge_owner is not null'
  expect(await sql(owners, [id])).toEqual([{ charge_owner: 'CREDITOR' }])
})

test('a reminder of the creditor’s own comes after the due date, at the door and when it is sent', async () => {
  const sentDate = addDays(TODAY, -40)
  const alreadySent = { sentDate, remindedOn: addDays(TODAY, -5), reminderFee: 60 }
  const due = (expireDate: CalendarDate) => create({ invoiceDate: sentDate, expireDate, alreadySent })
  const early = await due(addDays(TODAY, -5))
  expect(codeOf(early)).toEqual([400, 'reminder_too_soon', 'alreadySent.remindedOn'])
  expect(early.text).toContain(addDays(TODAY, -4))
  const { id } = officeOf(await due(addDays(TODAY, -6)))
  // A draft of before there was this rule, or one that came by another door.
  await sql(`update invoice set expire_date = $2 where id = $1`, [id, addDays(TODAY, 20)])
  await call('POST', `/${id}/approve`)
  await server.product.sendApproved()
  expect(officeOf(await call('GET', `/${id}`))).toMatchObject({
    statuses: { main: 'ACTIVATED' },
    balances: { total: 385.03, costs: 0 },
  })
  const steps = `select 1 from collection_step where invoice_id = $1 and type = 'REMINDER' and status = 'PERFORMED'`
  expect(await sql(steps, [id])).toEqual([])
})

test('a reminder of the creditor’s own may have cost what the law allows, and was agreed before', async () => {
  const sentDate = addDays(TODAY, -40)
  const sent = (reminderFee: number) => ({
    invoiceDate: sentDate,
    expireDate: addDays(TODAY, -10),
    alreadySent: { sentDate, remindedOn: addDays(TODAY, -5), reminderFee },
  })
  const agreed = (day: string | null) =>
    sql('update creditor set reminder_fee_agreed_on = $1 where instance_id = $2', [day, server.instanceId])
  const field = 'alreadySent.reminderFee'
  expect(codeOf(await create(sent(60.01)))).toEqual([400, 'reminder_fee_too_large', field])
  const { id } = officeOf(await create(sent(60)))
  await agreed(addDays(sentDate, 1))
  expect(codeOf(await create(sent(0.01)))).toEqual([400, 'reminder_fee_not_agreed', field])
  expect((await create(sent(0))).status).toBe(201)
  // Nothing is charged that stood in a draft, and was not agreed after all.
  await call('POST', `/${id}/approve`)
  await server.product.sendApproved()
  expect(officeOf(await call('GET', `/${id}`))).toMatchObject({ balances: { costs: 0 } })
  await agreed('2000-01-01')
})

test('a key that comes again makes nothing again, also at the same time', async () => {
  const both = await Promise.all([create({}, { key: 'twice' }), create({}, { key: 'twice' })])
  const [first, second] = both.map(officeOf)
  expect(first?.id).toBe(second?.id)
  expect(both.map(({ headers }) => headers.get('idempotency-hit')).filter(Boolean)).toEqual(['true'])
  expect(codeOf(await create({ expireDate: addDays(DUE, 1) }, { key: 'twice' }))).toEqual([
    400,
    'idempotency_key_reused',
  ])
})

test('a number of the creditor’s is taken once', async () => {
  expect(officeOf(await create({ invoiceNumber: 'E-1' })).invoiceNumber).toBe('E-1')
  expect(codeOf(await create({ invoiceNumber: 'E-1' }))).toEqual([
    400,
    'invoice_number_taken',
    'invoiceNumber',
  ])
  const racing = await Promise.all([1, 2, 3].map(() => create({ invoiceNumber: 'E-2' })))
  expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
})

test('ten at once have ten numbers', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => create()))
  expect(new Set(made.map((one) => officeOf(one).invoiceNumber)).size).toBe(10)
})

const days = (n: number): CalendarDate => addDays(TODAY, n)
test.each<[string, object, string]>([
  ['a due date that has passed', { invoiceDate: days(-9), expireDate: days(-1) }, 'expireDate'],
  ['due before it is written', { expireDate: days(-1) }, 'expireDate'],
  ['no day', { invoiceDate: '2026-02-30' }, 'invoiceDate'],
  ['no rows', { rows: [] }, 'rows'],
  ['no tax and no reason', { rows: [{ ...rows[1], vatReason: '' }] }, 'rows.0.vatReason'],
  ['five decimals', { rows: [rows[0], { ...rows[0], unitPrice: '1.00001' }] }, 'rows.1.unitPrice'],
  ['a currency that is none', { currency: 'XXX' }, 'currency'],
  ['no zip of the country', { debtor: { ...debtor, zip: '1' } }, 'debtor.zip'],
  ['no country', { debtor: { ...debtor, countryCode: undefined } }, 'debtor.countryCode'],
  [
    'a number that fails its check',
    { debtor: { ...debtor, identificationNumber: '19900729-2388' } },
    'debtor.identificationNumber',
  ],
  ['no e-mail address', { debtor: { ...debtor, email: 'alva' } }, 'debtor.email'],
  ['sent tomorrow', { alreadySent: { sentDate: days(1) } }, 'alreadySent.sentDate'],
  ['sent before it is written', { alreadySent: { sentDate: days(-1) } }, 'alreadySent.sentDate'],
  [
    'sent after its due date',
    { invoiceDate: days(-9), expireDate: days(-2), alreadySent: { sentDate: days(-1) } },
    'alreadySent.sentDate',
  ],
  [
    'a fee without a reminder',
    { alreadySent: { sentDate: TODAY, reminderFee: 60 } },
    'alreadySent.reminderFee',
  ],
  ['a line break in a name', { debtor: { ...debtor, name: 'Alva\nB' } }, 'debtor.name'],
])('%s is refused at its field, and nothing is kept', async (_, wishes, field) => {
  const before = await sql('select count(*)::int as n from invoice')
  expect(codeOf(await create(wishes))).toEqual([400, 'invalid_request', field])
  expect(await sql('select count(*)::int as n from invoice')).toEqual(before)
})

test('what nobody knows is named', async () => {
  expect(codeOf(await create({ colour: 'red' })).slice(0, 2)).toEqual([400, 'unknown_field'])
})

test('too soon to be due is refused when it is approved, and stays a draft', async () => {
  const { id } = officeOf(await create({ expireDate: days(9) }))
  const answer = await call('POST', `/${id}/approve`)
  expect(codeOf(answer)).toEqual([400, 'due_too_soon', 'expireDate'])
  expect(answer.text).toContain(days(10))
  expect(officeOf(await call('GET', `/${id}`)).statuses.main).toBe('CREATED')
})

test('approved and withdrawn at once, it is one of them in the end', async () => {
  const { id } = officeOf(await create())
  await call('POST', `/${id}/approve`)
  const [, withdrawn] = await Promise.all([server.product.sendApproved(), call('DELETE', `/${id}`)])
  const { statuses, balances } = officeOf(await call('GET', `/${id}`))
  expect([statuses.main, balances.total]).toEqual(
    withdrawn.status === 200 ? ['ARCHIVED', 0] : ['ACTIVATED', 385.03],
  )
})

test('a program with the scope of invoices writes them, and each deed names who did it', async () => {
  const key = await holdKey(server.product.context, { ...at(), scopes: ['invoices'] })
  const { id } = officeOf(await create({}, { by: key }))
  expect(
    await sql(
      `select kind, split_part(actor, ':', 1) as who from audit_event where about = 'invoice:' || $1`,
      [id],
    ),
  ).toEqual([{ kind: 'invoice_drafted', who: 'key' }])
})

test('what another creditor has entered of a debtor is not shown, and is not where letters go', async () => {
  const number = '19900729-2387'
  const other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const { context } = server.product
  const by = await signInStaff(context, {
    instanceId: server.instanceId,
    creditorId: other.creditorId,
    role: 'clerk',
  })
  const first = officeOf(await create({ debtor: { ...debtor, identificationNumber: number } }))
  const stranger = {
    ...debtor,
    identificationNumber: number,
    name: 'Alva P',
    email: 'elsewhere@example.com',
    address: 'Annangatan 2',
    zip: '411 05',
  }
  const second = await create({ debtor: stranger }, { by })
  expect(officeOf(second).debtor.id).toBe(first.debtor.id)
  for (const secret of ['alva@example.com', 'Provgatan']) expect(second.text).not.toContain(secret)
  const seen = await call('GET', `/${officeOf(second).id}`, undefined, { by })
  expect(seen.json).toMatchObject({ debtor: { name: 'Alva P', email: 'elsewhere@example.com' } })
  const { id } = officeOf(second)
  expect((await call('POST', `/${id}/approve`, undefined, { by })).status).toBe(200)
  await server.product.sendApproved()
  await server.product.sendMail()
  expect(await sql('select recipient from mail_outbox where invoice_id = $1', [id])).toEqual([
    { recipient: 'elsewhere@example.com' },
  ])
})
