/** What a debtor asks: one thread of a kind about a debt, a clock, an answer that is told of, and an end with the debt. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { stopClaim, stopInvoice } from '../collection/collection.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { formWith, makePng, PDF } from '../testing/files/sample-files.ts'
import { signIn } from '../testing/sign-in.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import type { Thread } from './conversations.ts'

let server: TestServer
let invoice: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
})

const sql = async (text: string, values: readonly unknown[]) =>
  (await server.test.owner.query(text, [...values])).rows
const path = (rest = '') => `/api/public/invoices/${invoice.reference}/${invoice.zip}/conversations${rest}`
const QUESTION = { kind: 'QUESTION', text: 'Vad avser avgiften?' }
const post = (rest: string, body: unknown, key?: string) =>
  server.call('POST', path(rest), { body, headers: key === undefined ? {} : { 'idempotency-key': key } })
const asked = async (body: object = QUESTION): Promise<Thread> => {
  const answer = await post('', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}
const threads = async (): Promise<Thread[]> => (await server.call('GET', path())).json
const write = (conversation: string, text = 'En sak till.', key?: string) =>
  post('/messages', { conversation, text }, key)
const answer = (id: string, text = 'Den avser påminnelsen.', key?: string) =>
  server.call('POST', `/api/client/conversations/${id}/answer`, {
    body: { text },
    headers: { ...clerk, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const taskOf = async (id: string) =>
  (
    await sql(
      'select kind, done_at is not null as is_done, done_by, made_on::text from task where about = $1',
      [`conversation:${id}`],
    )
  )[0]
const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code

describe('a question', () => {
  test('makes a thread with a last day for the answer, and a task', async () => {
    const thread = await asked()
    expect(thread).toMatchObject({
      kind: 'QUESTION',
      status: 'OPEN',
      askedOn: TODAY,
      answerBy: addBankDays('SE', addDays(date(TODAY), 5), 0),
      messages: [{ from: 'DEBTOR', text: 'Vad avser avgiften?', date: TODAY }],
      files: [],
    })
    expect(await threads()).toEqual([thread])
    expect(await taskOf(thread.id)).toMatchObject({ kind: 'question_asked', is_done: false, made_on: TODAY })
  })

  test('is answered: the debtor is told where they asked to be, and the task is done by who answered', async () => {
    const thread = await asked({ ...QUESTION, debtorEmail: ' alva@example.com ' })
    const done = await answer(thread.id, ' Den avser påminnelsen.\n\n\nHälsningar ')
    expect(done.json, done.text).toMatchObject({ status: 'ANSWERED', deadline: null })
    expect(await threads()).toMatchObject([
      { status: 'ANSWERED', answerBy: null, messages: [{ from: 'DEBTOR' }, { from: 'CREDITOR' }] },
    ])
    const task = await taskOf(thread.id)
    expect(task).toMatchObject({ is_done: true, done_by: expect.stringMatching(/^person:/) })
    const [mail] = await sql(
      `select recipient, text_body from mail_outbox where invoice_id = $1 and kind = 'question_answered'`,
      [invoice.id],
    )
    expect(mail).toMatchObject({ recipient: 'alva@example.com' })
    expect(mail.text_body).toContain('Svaret: Den avser påminnelsen.')
    const deeds = await sql(
      `select kind, actor, before, after->>'status' as after from audit_event where about = $1`,
      [`conversation:${thread.id}`],
    )
    expect(deeds).toEqual([
      { kind: 'question_answered', actor: task.done_by, before: { status: 'OPEN' }, after: 'ANSWERED' },
    ])
  })

  test('waits again when the debtor writes again, with a new clock', async () => {
    const thread = await asked()
    await answer(thread.id)
    const more = await write(thread.id)
    expect(more.json, more.text).toMatchObject({ status: 'OPEN', askedOn: TODAY })
    expect(await taskOf(thread.id)).toMatchObject({ is_done: false, done_by: null })
    expect((await answer(thread.id, 'Ja.')).status).toBe(200)
    expect(await taskOf(thread.id)).toMatchObject({ is_done: true })
  })

  test('about a claim is found with those of its invoices', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const to = `/api/public/collection-batches/${claim.reference}/${claim.zip}/conversations`
    const made = await server.call('POST', to, { body: QUESTION })
    expect(made.status, made.text).toBe(201)
    const { id } = made.json as Thread
    await sql(
      `insert into conversation (instance_id, id, invoice_id, kind, status, door, email, asked_on)
       values ($1, gen_random_uuid(), $2, 'QUESTION', 'ANSWERED', 'public', '', '2026-11-01')`,
      [server.instanceId, claim.invoices[0]?.id],
    )
    expect(((await server.call('GET', to)).json as Thread[]).length).toBe(2)
    await stopClaim(
      server.product.context,
      { instanceId: server.instanceId, claimId: claim.id },
      {
        on: TODAY,
        reason: 'Dödsbo',
      },
    )
    expect(await taskOf(id)).toMatchObject({ is_done: true, done_by: null })
  })
})

describe('is refused, and nothing has changed', () => {
  test.each([
    ['without words', { ...QUESTION, text: ' \n ' }, 'message_required'],
    ['with invisible words', { ...QUESTION, text: '\u200b\u200b' }, 'message_required'],
    ['with too many', { ...QUESTION, text: 'x'.repeat(4001) }, 'reason_too_long'],
    ['with a wrong address', { ...QUESTION, debtorEmail: 'alva' }, 'invalid_email'],
    ['of an unknown kind', { ...QUESTION, kind: 'GREETING' }, 'invalid_request'],
    ['without a kind', { text: 'x' }, 'invalid_request'],
  ])('%s', async (_, body, code) => {
    const refused = await post('', body)
    expect([refused.status, codeOf(refused)]).toEqual([400, code])
    expect(await threads()).toEqual([])
  })

  test('what is written is kept as text', async () => {
    const text = '=HYPERLINK("http://evil.test")\n<script>alert(1)</script>'
    const thread = await asked({ ...QUESTION, text })
    expect(thread.messages[0]?.text).toBe(text)
  })

  test('about an invoice that is closed or in a claim', async () => {
    await transfer(server, invoice, 84_200)
    expect(codeOf(await post('', QUESTION))).toBe('conversation_not_allowed')
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const [member] = claim.invoices
    const refused = await server.call(
      'POST',
      `/api/public/invoices/${member?.reference}/${member?.zip}/conversations`,
      { body: QUESTION },
    )
    expect(refused.json).toMatchObject({ code: 'conversation_not_allowed' })
    expect(refused.text).toContain(claim.number)
  })

  test('a second one while one waits, and ten more messages than are answered', async () => {
    const thread = await asked()
    expect(codeOf(await post('', { ...QUESTION, text: 'Och nu?' }))).toBe('conversation_open')
    for (let n = 1; n < 10; n++) expect((await write(thread.id, `Nr ${n}`)).status).toBe(201)
    expect(codeOf(await write(thread.id, 'Nr 10'))).toBe('too_many_messages')
    await answer(thread.id)
    expect((await write(thread.id, 'Tack.')).status).toBe(201)
  })

  test.each(['00000000-0000-7000-8000-000000000000', 'x', ''])(
    'a message or a file for thread "%s"',
    async (id) => {
      expect(codeOf(await write(id))).toBe('conversation_not_open')
      const file = await server.call('PUT', path(`/files?conversation=${id}`), { body: formWith(PDF) })
      expect(codeOf(file)).toBe('conversation_not_open')
    },
  )

  test('a message for the thread of another debtor', async () => {
    const mine = await asked()
    invoice = await buildInvoice(server.test, server.instanceId, server.clock, { debtorName: 'Berit Annan' })
    expect(codeOf(await write(mine.id))).toBe('conversation_not_open')
    expect(await threads()).toEqual([])
  })
})

describe('whoever has shown an electronic ID', () => {
  test('writes what a pair does not see, and is answered at no address that a stranger typed', async () => {
    const headers = await signIn(server.product.context, server.instanceId, [invoice.debtorId])
    const thread = await asked({ ...QUESTION, debtorEmail: 'stranger@example.com' })
    const own = `/api/debtor/invoices/conversations`
    const query = `?paymentReference=${invoice.reference}`
    const more = await server.call('POST', `${own}/messages${query}`, {
      body: { conversation: thread.id, text: 'Det är jag.' },
      headers,
    })
    expect(more.status, more.text).toBe(201)
    expect(await threads()).toEqual([])
    expect(codeOf(await write(thread.id))).toBe('conversation_not_open')
    expect(
      ((await server.call('GET', `${own}${query}`, { headers })).json as Thread[])[0]?.messages,
    ).toHaveLength(2)
    await answer(thread.id)
    const mails = await sql(
      `select recipient from mail_outbox where invoice_id = $1 and kind = 'question_answered'`,
      [invoice.id],
    )
    expect(mails.map(({ recipient }) => recipient)).not.toContain('stranger@example.com')
  })
})

test('a file that an electronic ID sends into the thread of a pair is no more seen by the pair than a message is', async () => {
  const headers = await signIn(server.product.context, server.instanceId, [invoice.debtorId])
  const { id } = await asked()
  const sent = await server.call(
    'PUT',
    `/api/debtor/invoices/conversations/files?paymentReference=${invoice.reference}&conversation=${id}`,
    { body: formWith(PDF), headers },
  )
  expect(sent.status, sent.text).toBe(201)
  expect(await threads()).toEqual([])
})

describe('races', () => {
  test('twenty at once are one, also under one key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('', QUESTION)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 201).map(codeOf))).toEqual(
      new Set(['conversation_open']),
    )
    invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const same = await Promise.all(Array.from({ length: 8 }, () => post('', QUESTION, 'k-1')))
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(same.map(({ json }) => (json as Thread).id)).size).toBe(1)
    const [{ id }] = same.map(({ json }) => json as Thread) as [Thread]
    const again = await Promise.all(Array.from({ length: 8 }, () => write(id, 'Mer.', 'k-2')))
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await threads())[0]?.messages).toHaveLength(2)
    expect(codeOf(await write(id, 'Annat.', 'k-2'))).toBe('idempotency_key_reused')
  })

  test('two answers: one is sent, and its key is answered again', async () => {
    const { id } = await asked()
    const both = await Promise.all([answer(id, 'Ett.', 'a'), answer(id, 'Två.', 'b')])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
    expect(both.flatMap((one) => codeOf(one) ?? [])).toEqual(['conversation_answered'])
    const won = both[0]?.status === 200 ? (['Ett.', 'a'] as const) : (['Två.', 'b'] as const)
    const again = await answer(id, ...won)
    expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
    expect((await threads())[0]?.messages).toHaveLength(2)
  })

  test('more words against an answer: whichever comes first, the thread and its task agree', async () => {
    for (let n = 0; n < 10; n++) {
      const beside = invoice
      invoice = await buildInvoice(server.test, server.instanceId, server.clock, { beside })
      const { id } = await asked()
      const both = await Promise.all(n % 2 ? [answer(id), write(id)] : [write(id), answer(id)])
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '201'])
      const [thread] = await threads()
      expect(await taskOf(id)).toMatchObject({ is_done: thread?.status === 'ANSWERED' })
      expect(thread?.messages).toHaveLength(3)
    }
  })

  test('a question against the payment of all: none waits about what is paid', async () => {
    for (let n = 0; n < 4; n++) {
      invoice = await buildInvoice(server.test, server.instanceId, server.clock)
      await Promise.all([post('', QUESTION), transfer(server, invoice, 84_200)])
      const open = await sql(
        `select 1 from task where details->>'invoiceId' = $1 and kind = 'question_asked' and done_at is null`,
        [invoice.id],
      )
      expect(open).toEqual([])
      expect((await threads()).filter(({ status }) => status === 'OPEN')).toEqual([])
    }
  })
})

describe('when the debt is over', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['paid', () => transfer(server, invoice, 84_200)],
    [
      'stopped',
      () =>
        stopInvoice(
          server.product.context,
          { instanceId: server.instanceId, invoiceId: invoice.id },
          { on: TODAY, reason: 'Dödsbo' },
        ),
    ],
    [
      'credited',
      () =>
        server.call('POST', `/api/client/invoices/${invoice.id}/credit`, {
          body: { reason: 'Fel' },
          headers: clerk,
        }),
    ],
  ])('%s: the thread ends, and so does its task', async (_, end) => {
    const { id } = await asked()
    await end()
    expect(await threads()).toMatchObject([{ status: 'ENDED', answerBy: null }])
    expect(await taskOf(id)).toMatchObject({ is_done: true, done_by: null })
    expect(codeOf(await write(id))).toBe('conversation_not_open')
    expect(codeOf(await answer(id))).toBe('conversation_answered')
  })

  test('an answered thread is not opened again', async () => {
    const { id } = await asked()
    await answer(id)
    await transfer(server, invoice, 84_200)
    expect(codeOf(await write(id))).toBe('conversation_not_open')
  })
})

describe('files', () => {
  const send = (id: string, form: FormData) =>
    server.call('PUT', path(`/files?conversation=${id}`), { body: form })

  test('come along, once, and are opened by the debtor and the staff', async () => {
    const { id } = await asked()
    const picture = makePng({ weight: 2_000 })
    const both = await Promise.all([
      send(id, formWith(picture, 'a.png')),
      send(id, formWith(picture, 'a.png')),
    ])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const [mine] = await threads()
    expect(mine?.files).toMatchObject([{ fileNameRaw: 'a.png', size: picture.length, date: TODAY }])
    const seen = await server.call('GET', `/api/client/conversations/${id}`, { headers: clerk })
    const [theirs] = (seen.json as Thread).files
    for (const name of [mine?.files[0]?.fileName, theirs?.fileName]) {
      const opened = await fetch(`${server.origin}/api/storage/${name}`)
      expect(opened.headers.get('content-disposition')).toMatch(/^attachment;/)
      expect(Buffer.from(await opened.arrayBuffer()).equals(picture)).toBe(true)
    }
  })

  test.each([
    ['a page', Buffer.from('<script>alert(1)</script>'), 'file_rejected'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file_rejected'],
    ['an archive', Buffer.from('PK\u0003\u0004'), 'file_rejected'],
    ['nothing', Buffer.alloc(0), 'file_rejected'],
  ])('%s is refused', async (_, bytes, code) => {
    const { id } = await asked()
    expect(codeOf(await send(id, formWith(bytes)))).toBe(code)
    expect((await threads())[0]?.files).toEqual([])
  })

  test('ten at most, and none once it is answered', async () => {
    const { id } = await asked()
    const marks = Array.from({ length: 11 }, (_, n) => makePng({ mark: String(n) }))
    for (const mark of marks.slice(0, 10)) expect((await send(id, formWith(mark))).status).toBe(201)
    expect(codeOf(await send(id, formWith(marks[10] ?? PDF)))).toBe('too_many_files')
    await answer(id)
    expect(codeOf(await send(id, formWith(PDF)))).toBe('conversation_not_open')
  })
})

describe('the staff', () => {
  test('find it by its words about it, and as a task', async () => {
    const { id } = await asked()
    const found = await server.call('POST', '/api/client/conversations/search', {
      body: { query: invoice.number, filters: { status: 'OPEN', kind: 'QUESTION' } },
      headers: clerk,
    })
    expect(found.json, found.text).toMatchObject([
      {
        id,
        subject: { type: 'invoices', id: invoice.id, number: invoice.number },
        last: { from: 'DEBTOR', text: 'Vad avser avgiften?' },
        balance: 842,
        debtor: { id: invoice.debtorId },
      },
    ])
    const detail = await server.call('GET', `/api/client/conversations/${id}`, { headers: clerk })
    const { taskId, deadline } = detail.json as { taskId: string; deadline: string }
    const task = await server.call('GET', `/api/client/tasks/${taskId}`, { headers: clerk })
    expect(task.json, task.text).toMatchObject({
      kind: 'question_asked',
      subject: { type: 'conversations', id, number: invoice.number },
      deadline,
      amount: 842,
    })
  })

  test.each([
    ['no words', '  ', 'answer_required'],
    ['too many words', 'x'.repeat(4001), 'reason_too_long'],
  ])('an answer with %s is refused', async (_, text, code) => {
    const { id } = await asked()
    expect(codeOf(await answer(id, text))).toBe(code)
    expect(await threads()).toMatchObject([{ status: 'OPEN' }])
  })
})
