/** What a creditor's staff does with invoices that have been sent. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let one: BuiltInvoice
let first: BuiltInvoice
let clerk: SignedIn
let manager: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  first = await buildInvoice(server.test, server.instanceId, server.clock)
  const at = { instanceId: server.instanceId, creditorId: first.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  manager = await signInStaff(server.product.context, { ...at, role: 'manager' })
})
const build = (wishes: InvoiceWishes = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, { beside: first, ...wishes })
beforeEach(async () => {
  one = await build()
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const days = (n: number) => addDays(TODAY, n)

type Sent = { readonly by?: SignedIn; readonly key?: string; readonly id?: string }
const act = (
  name: string,
  body: object = {},
  { by = manager, key, id = one.id }: Sent = {},
): Promise<Answer> =>
  server.call('POST', `/api/client/invoices/${id}/${name}`, {
    body,
    headers: { authorization: by.authorization, ...(key ? { 'idempotency-key': key } : {}) },
  })

/** Status, balance, and the codes and fields of a refusal. */
function told({ status, json, text }: Answer): unknown[] {
  if (status >= 400) {
    const { code, errors } = json as { code: string; errors: { field: string }[] }
    return [status, code, ...errors.map(({ field }) => field)]
  }
  expect(status, text).toBe(200)
  const { statuses, balances } = json as { statuses: { main: string }; balances: { total: number } }
  return [statuses.main, balances.total]
}
const mails = async (id = one.id) =>
  (await sql('select kind from mail_outbox where invoice_id = $1 order by id', [id])).map(({ kind }) => kind)
const deeds = async (id = one.id) =>
  (
    await sql(`select kind from audit_event where is_deed and about = 'invoice:' || $1 order by seq`, [id])
  ).map(({ kind }) => kind)
/** Every rule of the books, over everything that the tests of this file do. */
async function expectTrueBooks() {
  const rules = await sql(`select viewname as name from pg_views where viewname like 'inv\\_%'`)
  expect(rules.length).toBeGreaterThan(25)
  for (const { name } of rules) {
    expect(await sql(`select * from ${name}`), name).toEqual([])
  }
}

test('credit: an amount, then all that is left; numbered, told, and no more than the document', async () => {
  expect(told(await act('credit', { amount: '142.00', reason: 'Fel mätare' }, { by: clerk }))).toEqual([
    'ACTIVATED',
    700,
  ])
  expect(told(await act('credit', { amount: 700.01, reason: 'Fel' }))).toEqual([
    400,
    'amount_too_large',
    'amount',
  ])
  expect(told(await act('credit', { reason: 'Fel' }))).toEqual(['CLOSED', 0])
  expect(told(await act('credit', { reason: 'Fel' }))).toEqual([400, 'nothing_left'])
  const notes = await sql(
    'select credit_note_number as number from credit_note where invoice_id = $1 order by 1',
    [one.id],
  )
  expect(notes.map(({ number }) => number)).toEqual([
    expect.stringMatching(/^K\d+$/),
    expect.stringMatching(/^K\d+$/),
  ])
  expect(await mails()).toEqual(['credited', 'credited'])
  expect(await deeds()).toEqual(['invoice_credited', 'invoice_credited'])
  await expectTrueBooks()
})

test('credit: what was paid becomes owed back', async () => {
  await act('direct-payment', { amount: 842, date: TODAY })
  expect(told(await act('credit', { amount: 100, reason: 'Rabatt' }))).toEqual(['CLOSED', 0])
  await expectTrueBooks()
})

test('credit: by row', async () => {
  expect(told(await act('credit', { rows: [{ line: '1', amount: 42 }], reason: 'Fel' }))).toEqual([
    'ACTIVATED',
    800,
  ])
  expect(told(await act('credit', { rows: [{ line: '7', quantity: 1 }], reason: 'Fel' }))).toEqual([
    400,
    'invalid_request',
    'rows.0.line',
  ])
  expect(told(await act('credit', { amount: 1, rows: [{ line: '1', quantity: 1 }], reason: 'Fel' }))).toEqual(
    [400, 'invalid_request', 'amount', 'rows'],
  )
  expect(told(await act('credit', { amount: 1, reason: '  ' }))).toEqual([400, 'why_required', 'reason'])
})

test('a key that comes again credits nothing again, also at the same time', async () => {
  const body = { amount: '100.00', reason: 'Rabatt' }
  const both = await Promise.all([act('credit', body, { key: 'a' }), act('credit', body, { key: 'a' })])
  expect(both.map(told)).toEqual([
    ['ACTIVATED', 742],
    ['ACTIVATED', 742],
  ])
  expect(told(await act('credit', { ...body, amount: 1 }, { key: 'a' }))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  const other = await build()
  expect(told(await act('credit', body, { key: 'a', id: other.id }))).toEqual([400, 'idempotency_key_reused'])
})

test('a pause, within what a clerk may, and its end', async () => {
  const reason = 'Sjuk'
  expect(told(await act('pause', { until: days(91), reason }, { by: clerk }))).toEqual([
    400,
    'day_out_of_reach',
    'until',
  ])
  expect(told(await act('pause', { until: TODAY, reason }))).toEqual([400, 'day_out_of_reach', 'until'])
  expect(told(await act('pause', { until: days(90), reason }, { by: clerk }))).toEqual(['PAUSED', 842])
  expect(told(await act('pause', { until: days(91), reason }))).toEqual([400, 'paused_already'])
  expect(told(await act('resume', {}, { by: clerk }))).toEqual(['ACTIVATED', 842])
  expect(told(await act('pause', { until: days(91), reason }))).toEqual(['PAUSED', 842])
  expect(await deeds()).toEqual(['debt_paused', 'debt_resumed', 'debt_paused'])
})

test('a resume of what is not paused is refused', async () => {
  expect(told(await act('resume'))).toEqual([400, 'act_not_open'])
})

test('waive: one of both, and only what is there', async () => {
  expect(told(await act('waive', { costs: true, interest: true, reason: 'Kulans' }))).toEqual([
    400,
    'invalid_request',
    'costs',
    'interest',
  ])
  expect(told(await act('waive', { costs: true, reason: 'Kulans' }))).toEqual([400, 'nothing_left'])
  expect(told(await act('waive', { interest: true, amount: 5, reason: 'Kulans' }))).toEqual([
    400,
    'nothing_left',
  ])
})

test('the same amount for the same reason under another key is meant; without one it is a repetition', async () => {
  const body = { amount: '10.00', reason: 'goodwill' }
  expect(told(await act('write-off', body, { key: 'w-1' }))).toEqual(['ACTIVATED', 832])
  expect(told(await act('write-off', body, { key: 'w-1' }))).toEqual(['ACTIVATED', 832])
  expect(told(await act('write-off', body, { key: 'w-2' }))).toEqual(['ACTIVATED', 822])
  expect(told(await act('write-off', body))).toEqual(['ACTIVATED', 822])
})

test('more time moves the last day, tells the debtor, and no step comes before it', async () => {
  const late = await build({ dueDate: days(-3) })
  const answer = await act('more-time', { until: days(20) }, { id: late.id, by: clerk })
  expect(told(answer)).toEqual(['ACTIVATED', 842])
  expect(answer.json).toMatchObject({ dates: { expireDate: days(20) } })
  const steps = await sql(
    `select planned_date::text as day from collection_step where invoice_id = $1 and status = 'PLANNED'`,
    [late.id],
  )
  expect(steps.length).toBe(1)
  expect(steps[0].day > days(20)).toBe(true)
  expect(await mails(late.id)).toEqual(['more_time'])
  expect(told(await act('more-time', { until: days(10) }, { id: late.id }))).toEqual([
    400,
    'act_not_open',
    'until',
  ])
  await expectTrueBooks()
})

test('to collection: the next step comes as early as the law allows, and says when', async () => {
  const late = await build({ dueDate: days(-2) })
  const sent = { id: late.id, by: clerk }
  expect(told(await act('to-collection', { ground: ' ' }, sent))).toEqual([400, 'why_required', 'ground'])
  const answer = await act('to-collection', { ground: 'Betalar aldrig' }, sent)
  expect(told(answer)).toEqual(['ACTIVATED', 842])
  // Nothing is sent before tomorrow night, and nothing that would have come is left beside it.
  expect(answer.json).toMatchObject({ nextStep: { plannedDate: days(1) } })
  const planned = await sql(`select type from collection_step where invoice_id = $1 and status = 'PLANNED'`, [
    late.id,
  ])
  expect(planned.length).toBe(1)
  await expectTrueBooks()
})

test('a direct payment: part, then the rest; never more than is owed, never to come', async () => {
  expect(told(await act('direct-payment', { amount: 842.01, date: TODAY }))).toEqual([
    400,
    'amount_too_large',
    'amount',
  ])
  expect(told(await act('direct-payment', { amount: 1, date: days(1) }))).toEqual([
    400,
    'day_out_of_reach',
    'date',
  ])
  expect(told(await act('direct-payment', { amount: 0, date: TODAY }))).toEqual([
    400,
    'amount_too_large',
    'amount',
  ])
  expect(
    told(await act('direct-payment', { amount: 42, date: TODAY, note: 'Kontant' }, { by: clerk })),
  ).toEqual(['ACTIVATED', 800])
  expect(told(await act('direct-payment', { amount: '800.00', date: TODAY }))).toEqual(['CLOSED', 0])
  expect(told(await act('direct-payment', { amount: 1, date: TODAY }))).toEqual([400, 'act_not_open'])
  const held = await sql(
    `select coalesce(sum(p.amount_minor), 0)::int as minor from posting p
     join ledger_account a on a.id = p.account_id join ledger_transaction t on t.id = p.transaction_id
     where t.invoice_id = $1 and a.kind = 'held_for_creditor'`,
    [one.id],
  )
  expect(held).toEqual([{ minor: 0 }])
  await expectTrueBooks()
})

test('two direct payments of all that is owed at once: one is too much', async () => {
  const both = await Promise.all([1, 2].map(() => act('direct-payment', { amount: 842, date: TODAY })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  await expectTrueBooks()
})

test('stopped: nothing more is asked for, what is left stays in the books, and the debtor is told', async () => {
  expect(told(await act('stop', { reason: 'WITHDRAWN', note: 'Överlämnad i fel tid' }))).toEqual([
    'STOPPED',
    842,
  ])
  expect(await mails()).toEqual(['stopped'])
  expect(told(await act('stop', { reason: 'OTHER' }))).toEqual([400, 'act_not_open'])
  expect(told(await act('stop', { reason: 'BORED' }))).toEqual([400, 'invalid_request', 'reason'])
})

test('written off: a part, then the rest', async () => {
  expect(told(await act('write-off', { amount: 100, reason: 'Litet' }))).toEqual(['ACTIVATED', 742])
  expect(told(await act('write-off', { amount: 742.01, reason: 'Litet' }))).toEqual([
    400,
    'amount_too_large',
    'amount',
  ])
  expect(told(await act('write-off', { reason: 'Litet' }))).toEqual(['STOPPED', 0])
  await expectTrueBooks()
})

test('what only a manager may is not a clerk’s, nor a program’s', async () => {
  const program = await holdKey(server.product.context, {
    instanceId: server.instanceId,
    creditorId: one.creditorId,
    scopes: ['read', 'invoices', 'payments'],
  })
  for (const by of [clerk, program]) {
    expect(told(await act('stop', { reason: 'OTHER' }, { by }))).toEqual([403, 'not_allowed'])
    expect(told(await act('write-off', { reason: 'Litet' }, { by }))).toEqual([403, 'not_allowed'])
  }
  expect(told(await act('direct-payment', { amount: 42, date: TODAY }, { by: program }))).toEqual([
    'ACTIVATED',
    800,
  ])
})

test('in a claim everything but a credit is the claim’s', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const [member] = claim.invoices
  if (!member) throw new Error('the claim has no invoice')
  const by = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: member.creditorId,
    role: 'manager',
  })
  const sent = { by, id: member.id }
  const acts: [string, object][] = [
    ['waive', { costs: true, reason: 'Kulans' }],
    ['pause', { until: days(10), reason: 'Sjuk' }],
    ['resume', {}],
    ['more-time', { until: days(40) }],
    ['to-collection', { ground: 'Betalar aldrig' }],
    ['direct-payment', { amount: 10, date: TODAY }],
    ['stop', { reason: 'OTHER' }],
    ['write-off', { reason: 'Litet' }],
  ]
  for (const [name, body] of acts) {
    const answer = await act(name, body, sent)
    expect([name, ...told(answer)]).toEqual([name, 400, 'in_claim'])
    expect(answer.json).toMatchObject({ params: { claimId: claim.id } })
  }
  expect((await act('credit', { amount: 10, reason: 'Fel' }, sent)).status).toBe(200)
  await expectTrueBooks()
})

test('a draft and what is withdrawn take no act', async () => {
  const draft = await build({ status: 'CREATED' })
  const sent = { id: draft.id }
  expect(told(await act('credit', { reason: 'Fel' }, sent))).toEqual([400, 'act_not_open'])
  expect(told(await act('pause', { until: days(10), reason: 'Sjuk' }, sent))).toEqual([400, 'act_not_open'])
  expect(told(await act('direct-payment', { amount: 1, date: TODAY }, sent))).toEqual([400, 'act_not_open'])
  expect(told(await act('stop', { reason: 'OTHER' }, sent))).toEqual([400, 'act_not_open'])
  expect(told(await act('write-off', { reason: 'Litet' }, sent))).toEqual([400, 'act_not_open'])
  expect(told(await act('more-time', { until: days(40) }, sent))).toEqual([400, 'act_not_open'])
})

const read = async (name: string, id = one.id, by = clerk) => {
  const answer = await server.call('GET', `/api/client/invoices/${id}/${name}`, {
    headers: { authorization: by.authorization, 'accept-language': 'sv' },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

test('the acts say what they do, what they cost and why one is not open', async () => {
  const acts = (await read('acts')) as { act: string; isOpen: boolean; reason: string | null }[]
  expect(acts.filter(({ isOpen }) => isOpen).map(({ act }) => act)).toEqual([
    'credit',
    'pause',
    'more-time',
    'to-collection',
    'direct-payment',
    'deny-tax-reduction',
  ])
  expect(acts.find(({ act }) => act === 'stop')).toMatchObject({
    reason: 'not_allowed',
    message: expect.stringMatching(/roll/),
    consequence: expect.stringMatching(/kunden får veta/),
    cost: { creditor: 842, debtor: 0 },
  })
  expect(acts.find(({ act }) => act === 'withdraw')).toMatchObject({ reason: 'already_sent' })
})

test('what an act is said to be is what it answers', async () => {
  const said: unknown[][] = []
  const answered: unknown[][] = []
  for (const wishes of [{ status: 'CREATED' }, { status: 'PENDING' }, {}] as const) {
    const { id } = await build(wishes)
    const acts = (await read('acts', id, manager)) as {
      act: string
      isOpen: boolean
      reason: string | null
    }[]
    const bodies: Record<string, object> = {
      waive: { costs: true, reason: 'Kulans' },
      pause: { until: days(10), reason: 'Sjuk' },
      resume: {},
      'direct-payment': { amount: 1, date: TODAY },
    }
    for (const { act: name, reason } of acts.filter((offered) => !offered.isOpen)) {
      const body = bodies[name]
      if (!body) continue
      said.push([name, 400, reason])
      answered.push([name, ...told(await act(name, body, { id })).slice(0, 2)])
    }
  }
  expect(said.length).toBeGreaterThan(5)
  expect(answered).toEqual(said)
})

test('rows, the story, and a balance whose lines add up to it', async () => {
  await act('direct-payment', { amount: 42, date: TODAY })
  await act('credit', { amount: 100, reason: 'Fel' })
  expect(await read('rows')).toMatchObject([{ line: '1', description: 'El', amount: 842 }])
  const { events } = (await read('events')) as { events: { type: string }[] }
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['INVOICE', 'PAYMENT', 'CREDIT_INVOICE']),
  )
  const { balances, lines } = (await read('explanation')) as {
    balances: Record<'total' | 'principal' | 'costs' | 'interest', number>
    lines: Record<'principal' | 'costs' | 'interest', number>[]
  }
  expect(balances).toEqual({ total: 700, principal: 700, costs: 0, interest: 0 })
  for (const part of ['principal', 'costs', 'interest'] as const) {
    const minor = lines.reduce((sum, line) => sum + Math.round(line[part] * 100), 0)
    expect(minor).toBe(Math.round(balances[part] * 100))
  }
})

test('a program that may not read is told what it has done, and nobody’s data', async () => {
  const at = { instanceId: server.instanceId, creditorId: first.creditorId }
  const writer = await holdKey(server.product.context, { ...at, scopes: ['payments'] })
  const reader = await holdKey(server.product.context, { ...at, scopes: ['payments', 'read'] })
  const pay = (by: SignedIn) => act('direct-payment', { amount: '10.00', date: TODAY }, { by })
  const [told, seen] = [await pay(writer), await pay(reader)]
  expect([told.status, seen.status], told.text).toEqual([200, 200])
  expect(seen.text).toContain('Alva Provlund')
  expect(told.text).not.toContain('Alva Provlund')
  const names = (answer: Answer) => Object.keys(answer.json).toSorted()
  expect(names(told)).toEqual(names(seen).filter((name) => !['debtor', 'customerNumber'].includes(name)))
  expect(told.text).toMatch(/"total":\d+\.\d\d[,}]/)
})
