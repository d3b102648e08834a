/** The files of a settlement, read back: each of them comes to what is paid out, to the öre. */
import { beforeAll, describe, expect, test } from 'vitest'
import readXlsxFile from 'read-excel-file/node'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { SETTLEMENT_FILES, type SettlementFile } from '@kvitt/domain/settlements/settlement-file.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getVatInvoice } from '@kvitt/domain/settlements/vat-invoice.contract.ts'
import { performDailyRun, reversePayment } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { enterAgreement, makeSettlements } from './settlements.ts'

const MONDAY = date('2026-11-02')
type VatInvoiceAnswer = AnswerOf<typeof getVatInvoice>
let server: TestServer
let viewer: SignedIn
let stranger: SignedIn
let one: BuiltInvoice
type Listed = { id: string; number: number; paidOut: number; collected: number; status: string }
let settlements: Listed[]

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

/** A fee, interest and too much, all paid; the next week the payment is taken back; in the third comes money again. */
beforeAll(async () => {
  server = await startTestServer()
  const { test: db, instanceId, clock } = server
  const instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
  clock.moveTo(addDays(MONDAY, -40))
  one = await buildInvoice(db, instanceId, clock, { totalMinor: 100_000, dueDate: addDays(MONDAY, -10) })
  const other = await buildInvoice(db, instanceId, clock, {})
  await sql(
    `update creditor set identification_number = '5566778899', name = 'Fjällström "Energi" Łódź' where id = $1`,
    [one.creditorId],
  )
  for (const day of [addDays(MONDAY, -9), addDays(MONDAY, -3)]) {
    clock.moveTo(day)
    await performDailyRun({ ...context(), config: server.product.context.config }, instance, day)
  }
  clock.moveTo(MONDAY)
  await enterAgreement(context(), instance, {
    creditor: one.creditorId,
    from: MONDAY,
    invoiceCommissionBp: 1_250,
    claimCommissionBp: 2_000,
    currency: 'SEK',
    paymentPriceMinor: 200,
    casePriceMinor: 0,
    vatBp: 2_500,
    period: 'WEEK',
    smallestPayoutMinor: 0,
    source: 'Avtal, avsnitt 6',
    by: 'person:Eva Berg',
  })
  await transfer(server, one, 150_000, MONDAY)
  const settleOn = async (days: number) => {
    clock.moveTo(addDays(MONDAY, days))
    await makeSettlements(context(), instance, addDays(MONDAY, days))
  }
  await settleOn(7)
  const [payment] = await sql(
    `select split_part(cause, ':', 2) as id from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
    [one.id],
  )
  clock.moveTo(addDays(MONDAY, 8))
  await reversePayment(context(), { instanceId, paymentId: payment.id }, addDays(MONDAY, 8))
  await settleOn(14)
  const more = await buildInvoice(db, instanceId, clock, { totalMinor: 300_000, beside: one })
  await transfer(server, more, 300_000, addDays(MONDAY, 14))
  await settleOn(21)
  const signIn = (creditorId: string) =>
    signInStaff(server.product.context, { instanceId, creditorId, role: 'viewer' })
  viewer = await signIn(one.creditorId)
  stranger = await signIn(other.creditorId)
  const found = await server.call('POST', '/api/client/settlements/search?order=asc', {
    body: {},
    headers: viewer,
  })
  settlements = found.json as Listed[]
})

async function fetchFile(id: string, format: SettlementFile, headers: object = viewer, language = 'en') {
  const answer = await fetch(`${server.origin}/api/client/settlements/${id}`, {
    headers: { ...headers, accept: SETTLEMENT_FILES[format], 'accept-language': language },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') }
}

const minorOf = (text: string): number => Number(text.replace(/[\s\u00a0]/g, '').replace(/[,.]/, ''))
const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

/** The SIE file as a program reads it: labels with their fields. */
function readSie(bytes: Buffer) {
  const rows = bytes.toString('latin1').split('\r\n')
  const fieldsOf = (row: string) =>
    [...row.matchAll(/"((?:\\.|[^"\\])*)"|\{([^}]*)\}|(\S+)/g)].map(
      ([, text, objects, word]) => text?.replace(/\\(.)/g, '$1') ?? objects ?? word ?? '',
    )
  const all = rows.filter((row) => row.startsWith('#')).map(fieldsOf)
  const of = (label: string) => all.filter(([name]) => name === label).map(([, ...fields]) => fields)
  return {
    rows,
    of,
    trans: of('#TRANS').map(([account = '', , amount = '']) => ({ account, minor: minorOf(amount) })),
  }
}

test('the story has a payout, one that is owed, and what it is taken off', () => {
  expect(settlements.map(({ status, paidOut }) => [status, paidOut > 0])).toEqual([
    ['TO_APPROVE', true],
    ['CARRIED', false],
    ['TO_APPROVE', true],
  ])
})

describe.each([0, 1, 2])('settlement %i comes to what is paid out', (at) => {
  const paidOutMinor = () => Math.round((settlements[at]?.paidOut ?? NaN) * 100)
  const file = (format: SettlementFile) => fetchFile(settlements[at]?.id ?? '', format)

  test('as CSV', async () => {
    const { text, headers } = await file('csv')
    const [head = '', ...rows] = text.trim().split('\r\n')
    const amountAt = head.split(';').indexOf('Amount')
    expect(rows.length).toBeGreaterThan(1)
    expect(sum(rows.map((row) => minorOf(row.split(';')[amountAt] ?? '')))).toBe(paidOutMinor())
    expect(headers.get('content-disposition')).toContain(`Settlement ${at + 1} SEK`)
  })

  test('as a spreadsheet', async () => {
    const { bytes } = await file('xlsx')
    const sheets = (await readXlsxFile(bytes)) as unknown
    const rows = (
      Array.isArray(sheets) && !Array.isArray(sheets[0]) ? (sheets[0] as { data: unknown[][] }).data : sheets
    ) as unknown[][]
    const amountAt = rows[0]?.indexOf('Amount') ?? -1
    const amounts = rows.slice(1).map((row) => Math.round(Number(row[amountAt]) * 100))
    expect(sum(amounts)).toBe(paidOutMinor())
  })

  test('as PDF, in its lines and in its sums', async () => {
    const words = wordsOf((await file('pdf')).bytes)
    const lines = [...words.matchAll(/^(-?[\d ]+,\d\d)\nSEK$/gm)].map(([, amount = '']) => minorOf(amount))
    expect(lines.length).toBeGreaterThan(1)
    expect(sum(lines)).toBe(paidOutMinor())
    const parts = ['Collected', 'Fees', 'VAT', 'Corrections'].map((part) =>
      minorOf(new RegExp(`^${part}\n(-?[\\d ]+,\\d\\d) SEK$`, 'm').exec(words)?.[1] ?? ''),
    )
    expect(sum(parts)).toBe(paidOutMinor())
    expect(minorOf(/^To be paid out\n([\d ]+,\d\d) SEK$/m.exec(words)?.[1] ?? '')).toBe(paidOutMinor())
  })

  test('as SIE 4: a voucher that comes to nothing, with the payout on its account', async () => {
    const sie = readSie((await file('sie')).bytes)
    expect(sum(sie.trans.map(({ minor }) => minor))).toBe(0)
    expect(sum(sie.trans.filter(({ account }) => account === '1680').map(({ minor }) => minor))).toBe(
      paidOutMinor(),
    )
    const named = sie.of('#KONTO').map(([number]) => number)
    expect(new Set(sie.trans.map(({ account }) => account))).toEqual(new Set(named))
  })
})

test('the voucher says what was paid of the debt, and what it cost', async () => {
  const { trans } = readSie((await fetchFile(settlements[0]?.id ?? '', 'sie')).bytes)
  const on = (account: string) =>
    sum(trans.filter((row) => row.account === account).map(({ minor }) => minor))
  const [owed] = await sql(
    `select -sum(p.amount_minor)::int as interest from posting p
     join ledger_account a on a.id = p.account_id and a.kind = 'interest'
     join ledger_transaction t on t.id = p.transaction_id and t.kind = 'PAYMENT'
     where a.invoice_id = $1 and t.booked_on = '2026-11-02'`,
    [one.id],
  )
  expect(owed.interest).toBeGreaterThan(0)
  // What was too much was received and is no longer held.
  expect([on('1510'), on('3590'), on('8313'), on('2890')]).toEqual([-100_000, -6_000, -owed.interest, 0])
  const fees = 6_000 + 200 + Math.round((100_000 + owed.interest) / 8)
  expect([on('6062'), on('2641')]).toEqual([fees, Math.round(fees / 4)])
})

test('SIE says what the standard asks for, in its own characters', async () => {
  const { bytes, headers } = await fetchFile(settlements[0]?.id ?? '', 'sie')
  expect(headers.get('content-type')).toBe('application/x-sie')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.si"/)
  const sie = readSie(bytes)
  expect(sie.rows.slice(0, 5)).toEqual([
    '#FLAGGA 0',
    expect.stringMatching(/^#PROGRAM "Kvitt" "[^"]+"$/),
    '#FORMAT PC8',
    '#GEN 20261123',
    '#SIETYP 4',
  ])
  expect([sie.of('#ORGNR'), sie.of('#VALUTA')]).toEqual([[['556677-8899']], [['SEK']]])
  expect(sie.of('#VER')).toEqual([['', '', '20261108', 'Utbetalning 1 2026-11-02 - 2026-11-08']])
  // ä and ö of the first PCs; a letter that they lacked without its stroke, and quotes that do not end the field.
  const name = Buffer.from('#FNAMN "Fj\u0084llstr\u0094m \\"Energi\\" L\u00a2d\u0000', 'latin1').subarray(
    0,
    -1,
  )
  expect(bytes.includes(name)).toBe(true)
  expect(sie.of('#FNAMN')[0]?.[0]).toContain('"Energi"')
})

test('an account plan of the creditor’s own holds from its day', async () => {
  const { instanceId } = server
  const manager = await signInStaff(server.product.context, {
    instanceId,
    creditorId: one.creditorId,
    role: 'manager',
  })
  const path = '/api/client/settings/account-plan'
  const choose = (body: object, headers = manager) => server.call('PUT', path, { headers, body })
  const payout = { number: '1930', name: 'Klientmedel' }
  const chosen = { from: '2026-11-09', accounts: { payout } }
  expect((await choose(chosen, viewer)).status).toBe(403)
  for (const wrong of [
    { from: '2026-02-30', accounts: { payout } },
    { from: '2026-11-09', accounts: { payout: { ...payout, number: '19A0' } } },
    { from: '2026-11-09', accounts: { wages: payout } },
  ])
    expect((await choose(wrong)).status).toBe(400)
  await choose(chosen)
  const answer = await choose(chosen)
  expect(answer.json, answer.text).toMatchObject({
    accounts: { payout, vat: { number: '2641' } },
    chosen: [chosen],
  })
  expect((await server.call('GET', path, { headers: viewer })).json).toEqual(answer.json)
  expect((await server.call('GET', path, { headers: stranger })).json).toMatchObject({ chosen: [] })
  const accounts = async (at: number) =>
    readSie((await fetchFile(settlements[at]?.id ?? '', 'sie')).bytes)
      .of('#KONTO')
      .map(([number]) => number)
  expect(await accounts(0)).toContain('1680')
  expect(await accounts(2)).toContain('1930')
  expect(await accounts(2)).not.toContain('1680')
})

test.each(['sv', 'en', 'nb', 'da', 'fi'])('each file is whole in %s', async (language) => {
  const id = settlements[0]?.id ?? ''
  const { bytes } = await fetchFile(id, 'pdf', viewer, language)
  const words = wordsOf(bytes)
  expect(words).toContain('Avtal, avsnitt 6')
  expect(words).not.toMatch(/settlement\.|document\.|export\./)
  const csv = await fetchFile(id, 'csv', viewer, language)
  expect(csv.text).not.toMatch(/settlement\.|document\./)
})

test('one that is being counted has no file yet, another’s has none, and each that is taken is written down', async () => {
  const id = settlements[0]?.id ?? ''
  for (const format of Object.keys(SETTLEMENT_FILES) as SettlementFile[])
    expect((await fetchFile(id, format, stranger)).status, format).toBe(404)
  const [counting] = await sql(
    `insert into settlement (instance_id, id, creditor_id, currency, number, period_from, period_to, status)
     values ($1, gen_random_uuid(), $2, 'NOK', 1, '2026-11-02', '2026-11-08', 'COUNTING') returning id`,
    [server.instanceId, one.creditorId],
  )
  const early = await fetchFile(counting.id, 'pdf')
  expect([early.status, early.text]).toEqual([400, expect.stringContaining('settlement_counting')])
  await sql('delete from settlement where id = $1', [counting.id])
  const [{ count }] = await sql(
    `select count(*)::int from audit_event where kind = 'staff_exported' and about = $1 and after->>'file' = 'application/x-sie'`,
    [`settlements:${id}`],
  )
  expect(count).toBeGreaterThan(0)
})

describe('the VAT invoice for the fees', () => {
  const ask = async (at: number, headers: object = viewer) =>
    server.call('GET', `/api/client/settlements/${settlements[at]?.id}/vat-invoice`, {
      headers: { ...headers },
    })
  const pdfOf = async (at: number, language = 'en') => {
    const answer = await fetch(`${server.origin}/api/client/settlements/${settlements[at]?.id}/vat-invoice`, {
      headers: { ...viewer, accept: 'application/pdf', 'accept-language': language },
    })
    return { headers: answer.headers, words: wordsOf(Buffer.from(await answer.arrayBuffer())) }
  }
  const minor = (amount: number): number => Math.round(amount * 100)

  test('charges what the settlement takes off, with its VAT, between whom', async () => {
    const invoice = (await ask(0)).json as VatInvoiceAnswer
    const settlement = (
      await server.call('GET', `/api/client/settlements/${settlements[0]?.id}`, { headers: viewer })
    ).json as { fees: number; vat: number; vatInvoice: object }
    // A reminder fee of 60.00 that is the operator's, one payment at 2.00, and 12.5 % of 1,000.00 with its interest.
    const [{ interest }] = await sql(
      `select -sum(p.amount_minor)::int as interest from posting p
       join ledger_account a on a.id = p.account_id and a.kind = 'interest'
       join ledger_transaction t on t.id = p.transaction_id and t.kind = 'PAYMENT'
       where a.invoice_id = $1 and t.booked_on = '2026-11-02'`,
      [one.id],
    )
    const net = 6_000 + 200 + Math.round((100_000 + interest) / 8)
    const vat = Math.round(net / 4)
    expect(invoice).toMatchObject({
      number: 1,
      kind: 'INVOICE',
      issuedOn: addDays(MONDAY, 7),
      period: { from: MONDAY, to: addDays(MONDAY, 6) },
      seller: { name: 'nordklar AB', number: '559999-0016', vatNumber: 'SE559999001601', country: 'SE' },
      buyer: { name: 'Fjällström "Energi" Łódź', number: '5566778899', vatNumber: 'SE556677889901' },
      isReverseCharge: false,
      refersTo: [],
    })
    expect([invoice.net, invoice.vat, invoice.total].map(minor)).toEqual([net, vat, net + vat])
    expect(invoice.rates.map((rate) => [rate.percent, minor(rate.base), minor(rate.vat)])).toEqual([
      [25, net, vat],
    ])
    expect([minor(settlement.fees), minor(settlement.vat)]).toEqual([net, vat])
    expect(settlement.vatInvoice).toEqual({ number: 1, issuedOn: addDays(MONDAY, 7), kind: 'INVOICE' })
  })

  test('what goes back when the payment is taken back refers to it, and the numbers run on', async () => {
    const back = (await ask(1)).json as VatInvoiceAnswer
    expect(back).toMatchObject({ number: 2, kind: 'CREDIT_NOTE', refersTo: [1] })
    expect(minor(back.total)).toBeLessThan(0)
    const third = (await ask(2)).json as VatInvoiceAnswer
    expect(third).toMatchObject({ number: 3, kind: 'INVOICE', refersTo: [] })
  })

  test('does not change with those whom it names', async () => {
    const before = (await ask(0)).json
    await sql(`update creditor set name = 'Nytt namn AB' where id = $1`, [one.creditorId])
    await sql(`update instance set identification_number = '559999-0024' where id = $1`, [server.instanceId])
    expect((await ask(0)).json).toEqual(before)
    await expect(sql(`update vat_invoice set number = 9`)).rejects.toThrow(/append-only|cannot be changed/i)
  })

  test.each(['sv', 'en', 'nb', 'da', 'fi'])('is whole as PDF in %s', async (language) => {
    const { words } = await pdfOf(0, language)
    for (const text of ['SE559999001601', 'SE556677889901', 'Fjällström "Energi" ', addDays(MONDAY, 7)])
      expect(words).toContain(text)
    expect(words).not.toMatch(/vat_invoice\.|settlement\.|document\./)
  })

  test('as PDF it has the amounts of the answer', async () => {
    const invoice = (await ask(0)).json as VatInvoiceAnswer
    const { words, headers } = await pdfOf(0)
    const told = (label: string) =>
      minorOf(new RegExp(`^${label}\n([\\d ]+,\\d\\d) SEK$`, 'm').exec(words)?.[1] ?? '')
    expect(told('Total without VAT')).toBe(minor(invoice.net))
    expect(told('Total with VAT')).toBe(minor(invoice.total))
    expect(words).toMatch(/^VAT 25\.00% on [\d ]+,\d\d SEK$/m)
    expect(words).toContain('This invoice is paid. Its total was taken off settlement 1.')
    expect(headers.get('content-disposition')).toContain('VAT invoice 1 2026-11-09')
    expect((await pdfOf(1)).words).toMatch(/^Changes invoice\n1$/m)
  })

  test('another’s does not exist, and one without fees has none', async () => {
    expect((await ask(0, stranger)).status).toBe(404)
    const [free] = await sql(
      `insert into settlement (instance_id, id, creditor_id, currency, number, period_from, period_to, status, counted_at)
       values ($1, gen_random_uuid(), $2, 'DKK', 1, '2026-11-02', '2026-11-08', 'CARRIED', now()) returning id`,
      [server.instanceId, one.creditorId],
    )
    const path = `/api/client/settlements/${free.id}`
    expect((await server.call('GET', `${path}/vat-invoice`, { headers: viewer })).status).toBe(404)
    expect((await server.call('GET', path, { headers: viewer })).json).toMatchObject({ vatInvoice: null })
    await sql('delete from settlement where id = $1', [free.id])
  })

  test('a number that is left out, and a settlement without its invoice, are found', async () => {
    const broken = async () =>
      (await sql('select violation from inv_i45_vat_invoices_are_whole order by 1')).map(
        (row) => row.violation,
      )
    expect(await broken()).toEqual([])
    await sql('update vat_invoice_series set last = last + 1')
    expect(await broken()).toEqual(['left out'])
    await sql('update vat_invoice_series set last = last - 1')
    const client = await server.test.owner.connect()
    try {
      await client.query('begin')
      await client.query('alter table vat_invoice disable trigger all')
      await client.query('delete from vat_invoice where number = 2')
      const { rows } = await client.query('select violation from inv_i45_vat_invoices_are_whole order by 1')
      expect(rows.map((row) => row.violation)).toEqual(['left out', 'missing'])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
