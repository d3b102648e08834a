/** Files of banks in an operator's portal, and what is done with money that nobody could place: once, by a person, whole. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildClaim } from '../../testing/build-claim.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import {
  balanceOf,
  build,
  context,
  creditOf,
  fileOf,
  OF_INSTANCE,
  one,
  rows,
  server,
  stateOf,
  useBankFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import { formWith } from '../../testing/files/sample-files.ts'
import { signInStaff, type SignedIn } from '../../testing/staff.ts'
import type { Answer } from '../../testing/start-test-server.ts'
import { placeLeftLines } from '../bank-files.ts'
import { keepFile } from '../keep-file.ts'
import { readBankFile } from '../read-bank-file.ts'

useBankFiles()
let finance: SignedIn
let invoice: BuiltInvoice
let unknown = 8_800_000

beforeAll(async () => {
  const at = { instanceId: server.instanceId, creditorId: null }
  finance = await signInStaff(server.product.context, { ...at, role: 'finance' })
})

beforeEach(async () => {
  invoice = await build(100_000)
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, key?: string): Promise<Answer> =>
  server.call(method, `/api/admin${path}`, {
    ...(body === undefined ? {} : { body: body as object }),
    headers: { ...finance, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const put = (text: string, name = 'bgmax.txt'): Promise<Answer> =>
  ask('PUT', '/payment-batches', formWith(Buffer.from(text, 'latin1'), name))
const refusalOf = ({ status, json }: Answer) => {
  const { code, errors } = json as { code: string; errors?: { field: string }[] }
  return { status, code, fields: errors?.map(({ field }) => field) }
}
const refused = (code: string, ...fields: string[]) => ({ status: 400, code, fields })

type Case = {
  id: string
  status: string
  reason: string | null
  candidates: { id: string; number: string; evidence: string[]; refusal: string | null }[]
  on: object[]
}

/** Money with a reference that is nobody's, handed in; answers its line. */
async function lose(
  amountMinor: number,
  { reference = String((unknown += 1)), ...wishes }: { reference?: string; bankgiro?: string } = {},
): Promise<string> {
  const answer = await put(fileOf([{ reference, amountMinor }], wishes))
  expect(answer.status, answer.text).toBe(200)
  const { id } = answer.json as { id: string }
  return (await one<{ id: string }>('select id from bank_line where file_id = $1', id)).id
}
const caseOf = async (id: string): Promise<Case> => (await ask('GET', `/suspense/${id}`)).json
const place = (id: string, body: object, key?: string): Promise<Answer> =>
  ask('POST', `/suspense/${id}/place`, body, key)

test('a file says what was in it and where every öre is, once; the same file again says that it is the same', async () => {
  const [paid, other] = [await build(40_000), await build(60_000)]
  const text = fileOf([
    { reference: paid.reference, amountMinor: 40_000 },
    { reference: String((unknown += 1)), amountMinor: 1234 },
    { reference: other.reference, amountMinor: 60_000 },
  ])
  const first = await put(text, 'C:\\bank\\bg‮max.txt')
  const told = { payments: 3, amount: 1012.34, booked: 1000, suspense: 12.34, unplaced: 0, currency: 'SEK' }
  const counts = { booked: 2, suspense: 1, unplaced: 0 }
  expect(first.json).toMatchObject({
    ...told,
    counts,
    format: 'bgmax',
    name: 'bgmax.txt',
    duplicate: false,
  })
  expect(first.text).toContain('"amount":1012.34')
  expect(await stateOf(paid)).toEqual({ status: 'CLOSED', owed: 0 })
  const { id } = first.json as { id: string }
  const second = await put(text, 'again.txt')
  expect(second.json).toMatchObject({ ...told, id, name: 'bgmax.txt', duplicate: true })
  const whole = await ask('GET', `/payment-batches/${id}`)
  expect(whole.json).toMatchObject({
    ...told,
    createdBy: 'Prov finance',
    lines: [
      {
        match: 'REFERENCE',
        reason: null,
        amount: 400,
        on: [{ type: 'invoices', id: paid.id, number: paid.number, amount: 400 }],
      },
      { match: 'IN_SUSPENSE', reason: 'unknown_reference', on: [] },
      { match: 'REFERENCE', on: [{ id: other.id }] },
    ],
  })
  const waiting = await ask('GET', `/payment-batches/${id}/lines?status=SUSPENSE&limit=1`)
  expect(waiting.json).toMatchObject([{ number: 2, status: 'SUSPENSE' }])
  expect(refusalOf(await ask('GET', `/payment-batches/${id}/lines?status=LOST`)).code).toBe('invalid_filter')
  const found = await ask('POST', '/payment-batches/search', { inSuspense: 'true', query: 'BGMAX' })
  expect((found.json as { id: string }[]).map((row) => row.id)).toContain(id)
  const deeds = await rows<{ actor: string; kind: string }>(
    `select kind, actor from audit_event where about = $1`,
    `payment-batch:${id}`,
  )
  expect(deeds).toEqual([
    { kind: 'payments_imported', actor: expect.stringMatching(/^person:[0-9a-f-]{36}:[0-9a-f-]{36}$/) },
  ])
})

test('a file that two people hand in at once is in the books once', async () => {
  const invoice = await build(50_000)
  const text = fileOf([{ reference: invoice.reference, amountMinor: 50_000 }])
  const answers = await Promise.all([put(text), put(text), put(text)])
  const files = answers.map(({ json }) => json as { id: string; duplicate: boolean })
  expect(new Set(files.map(({ id }) => id)).size).toBe(1)
  expect(files.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await creditOf(invoice)).toBe(0)
})

test.each([
  ['nothing', '', 'Filen är tom'],
  ['a letter', 'Hej, här kommer betalningarna.', 'ingen betalningsfil'],
  ['a page', '<html><body>x</body></html>', 'inget har bokförts'],
  ['a torn file', fileText().slice(0, 300), 'inget har bokförts'],
  ['a file for a stranger', fileText('5050-1055'), 'is not an account'],
])('that is %s is refused with a sentence, and nothing has changed', async (_, text, sentence) => {
  const count = () => one('select count(*)::int from bank_file')
  const before = await count()
  const answer = await put(text)
  expect(refusalOf(answer)).toEqual(refused('bank_file_unreadable', 'file'))
  expect(answer.text).toContain(sentence)
  expect(await count()).toEqual(before)
})

test('a file what a process has kept and not placed is placed behind its back', async () => {
  const invoice = await build(70_000)
  const text = fileOf([{ reference: invoice.reference, amountMinor: 70_000 }])
  const read = await readBankFile({
    name: 'left.txt',
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  })
  const at = { instanceId: server.instanceId, clock: server.clock, by: null }
  const { fileId } = await server.test.db.transaction((tx) => keepFile(tx, at, read))
  const path = `/payment-batches/${fileId}`
  expect((await ask('GET', path)).json).toMatchObject({ unplaced: 700, counts: { unplaced: 1 } })
  await placeLeftLines(context(), [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
  expect((await ask('GET', path)).json).toMatchObject({
    unplaced: 0,
    booked: 700,
    lines: [{ status: 'BOOKED' }],
  })
})

function fileText(bankgiro = '9990-0227'): string {
  return [
    `01${'BGMAX'.padEnd(20)}0120261120120000000000P`,
    `05${bankgiro.replace('-', '').padStart(10, '0')}${' '.repeat(10)}SEK`,
    `20${'0'.repeat(10)}${'1234'.padStart(25)}${'100'.padStart(18, '0')}21${'1'.padStart(12, '0')}0`,
    `15${'0'.repeat(35)}2026112000001${'100'.padStart(18, '0')}SEK00000001 `,
    `70${'1'.padStart(8, '0')}${'0'.repeat(16)}${'1'.padStart(8, '0')}`,
  ]
    .map((row) => `${row.padEnd(80)}\r\n`)
    .join('')
}

test('money in suspense comes with what it may be meant for and what speaks for that', async () => {
  const slip = invoice.reference.slice(0, -1) + ((Number(invoice.reference.at(-1)) + 1) % 10)
  const id = await lose(100_000, { reference: slip })
  const found = await caseOf(id)
  expect(found).toMatchObject({ status: 'SUSPENSE', reason: 'unknown_reference', on: [] })
  const mine = found.candidates.find((each) => each.id === invoice.id)
  expect(mine).toMatchObject({
    number: invoice.number,
    evidence: ['NEAR_REFERENCE', 'AMOUNT'],
    refusal: null,
  })
  const list = (await ask('POST', '/suspense/search', { query: slip, queryTarget: 'paymentReference' })).json
  expect(list).toMatchObject([{ id, amount: 1000, currency: 'SEK', batch: { name: 'bgmax.txt' } }])
})

test('money in suspense shows what placing it would book, and books that; nothing of the showing stays', async () => {
  const id = await lose(100_300)
  const before = [await balanceOf('suspense'), await stateOf(invoice), await violated()]
  const shown = await ask('POST', `/suspense/${id}/preview`, { invoice: invoice.number })
  expect(shown.status, shown.text).toBe(200)
  const { postings, after } = shown.json as {
    postings: { account: string; number: string | null; amount: number }[]
    after: object[]
  }
  expect(postings).toContainEqual({ account: 'suspense', number: null, name: null, amount: 1003 })
  expect(postings).toContainEqual({
    account: 'principal',
    number: invoice.number,
    name: null,
    amount: -1000,
  })
  expect(postings.find(({ account }) => account === 'credit')?.amount).toBe(-3)
  expect(Math.round(postings.reduce((sum, { amount }) => sum + amount * 100, 0))).toBe(0)
  expect(after).toEqual([{ type: 'invoices', id: invoice.id, number: invoice.number, owed: 0 }])
  expect([await balanceOf('suspense'), await stateOf(invoice), await violated()]).toEqual(before)
  const placed = await place(id, { invoice: invoice.number })
  expect(placed.json).toMatchObject({
    status: 'BOOKED',
    candidates: [],
    on: [{ id: invoice.id, amount: 1003 }],
  })
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await creditOf(invoice)).toBe(300)
  const trace = `select kind, actor like 'person:%' as is_person from audit_event where about = $1`
  expect(await rows(trace, `bank-line:${id}`)).toEqual([{ kind: 'money_placed', is_person: true }])
  const tasks = `select kind from task where about = $1 and done_at is null`
  expect(await rows(tasks, `bank-line:${id}`)).toEqual([])
})

test('money in suspense is placed once: a key again answers the same, another body under it and a twin are refused', async () => {
  const id = await lose(10_000)
  const first = await place(id, { invoice: invoice.id }, 'k-1')
  const again = await place(id, { invoice: invoice.id }, 'k-1')
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.json).toEqual(first.json)
  expect(refusalOf(await place(id, { invoice: invoice.number }, 'k-1')).code).toBe('idempotency_key_reused')
  expect(refusalOf(await place(id, { invoice: invoice.id }))).toEqual(refused('not_in_suspense'))
  expect(await stateOf(invoice)).toMatchObject({ owed: 90_000 })
  const contested = await lose(20_000)
  const twins = await Promise.all([
    ...Array.from({ length: 3 }, () => place(contested, { invoice: invoice.id })),
    ask('POST', `/suspense/${contested}/send-back`, {}),
  ])
  expect(twins.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of twins.filter(({ status }) => status !== 200))
    expect(refusalOf(answer)).toEqual(refused('not_in_suspense'))
})

test('money in suspense goes back once, and a person is asked to send it', async () => {
  const id = await lose(7000)
  const back = await ask('POST', `/suspense/${id}/send-back`, { reason: 'Betalat två gånger' }, 'back')
  expect(back.json).toMatchObject({ status: 'SENT_BACK', reason: null, on: [] })
  expect(
    (await ask('POST', `/suspense/${id}/send-back`, { reason: 'Betalat två gånger' }, 'back')).status,
  ).toBe(200)
  expect(refusalOf(await ask('POST', `/suspense/${id}/send-back`))).toEqual(refused('not_in_suspense'))
  const tasks = await rows(`select kind from task where about = $1 and done_at is null`, `bank-line:${id}`)
  expect(tasks).toEqual([{ kind: 'send_back' }])
  const deeds = await rows(`select kind, reason from audit_event where about = $1`, `bank-line:${id}`)
  expect(deeds).toEqual([{ kind: 'money_sent_back', reason: 'Betalat två gånger' }])
})

test('money in suspense is shared out over several debts, whole, and can be taken back by the bank as one', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, { invoices: [{}] })
  const owed = () =>
    one<{ minor: number }>('select balance_minor::int as minor from claim where id = $1', claim.id)
  const before = (await owed()).minor
  const id = await lose(60_000, { bankgiro: OF_INSTANCE })
  const parts = [
    { invoice: invoice.number, amount: '350.50' },
    { collectionBatch: claim.number, amount: 249.5 },
  ]
  const preview = await ask('POST', `/suspense/${id}/preview`, { parts })
  expect((preview.json as { after: object[] }).after).toHaveLength(2)
  const placed = await place(id, { parts })
  expect(placed.json).toMatchObject({
    status: 'BOOKED',
    on: [
      { type: 'invoices', id: invoice.id, amount: 350.5 },
      { type: 'collection-batches', id: claim.id, amount: 249.5 },
    ],
  })
  expect(await stateOf(invoice)).toMatchObject({ owed: 64_950 })
  expect((await owed()).minor).toBe(before - 24_950)
  expect(await violated()).toEqual([])
})

test.each([
  ['names nothing', {}, 'invalid_request', ['invoice', 'collectionBatch']],
  ['names two', { invoice: 'a', collectionBatch: 'b' }, 'invalid_request', ['invoice', 'collectionBatch']],
  ['names a stranger', { invoice: '999999999' }, 'debt_unknown', ['invoice']],
  ['names a stranger’s claim', { collectionBatch: '1' }, 'debt_unknown', ['collectionBatch']],
  ['has no digits', { parts: [{ invoice: 'a', amount: '1,5' }] }, 'amount_malformed', ['parts.0.amount']],
  ['knows more', { invoice: 'a', amount: 1 }, 'unknown_field', undefined],
])('a placement that %s is refused by field, and changes nothing', async (_, body, code, fields) => {
  const id = await lose(500)
  const answer = refusalOf(await place(id, body))
  expect(answer).toMatchObject({ status: 400, code, ...(fields ? { fields } : {}) })
  expect(await caseOf(id)).toMatchObject({ status: 'SUSPENSE' })
})

test('money in suspense parts that are too much, too little or the same twice are refused by their place', async () => {
  const id = await lose(50_000)
  const other = await build(20_000)
  const at = (first: number, second: number, name = other.number) =>
    place(id, {
      parts: [
        { invoice: invoice.number, amount: first },
        { invoice: name, amount: second },
      ],
    })
  expect(refusalOf(await at(250, 250))).toEqual(refused('amount_too_large', 'parts.1.amount'))
  expect(refusalOf(await at(600, 1))).toEqual(refused('amount_too_large', 'parts.0.amount'))
  expect(refusalOf(await at(100, 0))).toEqual(refused('amount_too_large', 'parts.1.amount'))
  expect(refusalOf(await at(300, 100))).toEqual(refused('parts_do_not_add_up', 'parts'))
  expect(refusalOf(await at(250, 250, invoice.id))).toEqual(refused('parts_do_not_add_up', 'parts'))
  expect(refusalOf(await at(250, 250, 'x'))).toEqual(refused('debt_unknown', 'parts.1.invoice'))
  expect(await caseOf(id)).toMatchObject({ status: 'SUSPENSE' })
})

test('money in suspense stays where the debt is another’s, in another currency, closed, or not sent', async () => {
  const foreign = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const theirs = await buildInvoice(server.test, foreign.id, server.clock)
  const euro = await build(100_000, { currency: 'EUR' })
  const draft = await build(100_000, { status: 'CREATED' })
  const id = await lose(100_000)
  const at = async (name: string) => refusalOf(await place(id, { invoice: name }))
  expect(await at(theirs.id)).toEqual(refused('debt_unknown', 'invoice'))
  expect(await at(euro.id)).toEqual(refused('debt_in_other_currency', 'invoice'))
  expect(await at(draft.id)).toEqual(refused('act_not_open', 'invoice'))
  await put(fileOf([{ reference: invoice.reference, amountMinor: 100_000 }]))
  expect(await at(invoice.id)).toEqual(refused('nothing_left', 'invoice'))
  expect(await violated()).toEqual([])
})
