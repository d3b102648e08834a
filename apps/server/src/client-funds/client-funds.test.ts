/**
 * A week of client funds through the doors that money really takes: a gateway, statements, suspense, refunds and a payout. What has to come
 * of each day is worked out by hand beside it; the proof of the days themselves is `domain/client-funds/proof.test.ts`.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { proveClientFunds } from './client-funds.ts'
import { tellHolder } from '../bank-files/bank-files.ts'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { recordPaymentResult } from '../payments/payments.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { camt, type CamtEntry } from '../testing/files/bank-formats.ts'
import {
  build,
  instance,
  one,
  rows,
  server,
  takeFiles,
  useBankFiles,
  violated,
} from '../testing/files/bank-files.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'

const IBAN = 'SE4550000000058398257466'
const [MON, TUE, WED, THU, FRI] = ['23', '24', '25', '26', '27'].map((n) => date(`2026-11-${n}`)) as [
  CalendarDate, CalendarDate, CalendarDate, CalendarDate, CalendarDate,
] // biome-ignore format: five days

useBankFiles()
let ask: AskOffice
let serial = 0

type Term = { readonly term: string; readonly side: string; readonly amount: number | null }
type Proof = {
  readonly currency: string
  readonly verdict: string
  readonly difference: number | null
  readonly terms: readonly Term[]
}

const proofsOf = async (day?: CalendarDate) => {
  const answer = await ask('finance', `GET /client-funds${day === undefined ? '' : `?day=${day}`}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as {
    readonly day: string
    readonly latest: string | null
    readonly proofs: readonly Proof[]
    readonly belowZero: readonly object[]
  }
}
afterEach(async () => {
  expect((await server.test.owner.query('select * from inv_i36_bank_days_are_of_lines')).rows).toEqual([])
})

const proofOf = async (day: CalendarDate, currency = 'SEK') =>
  (await proofsOf(day)).proofs.find((proof) => proof.currency === currency) as Proof
const termsOf = async (day: CalendarDate, currency?: string) =>
  Object.fromEntries(
    (await proofOf(day, currency)).terms.flatMap(({ term, amount }) =>
      amount === 0 ? [] : [[term, amount]],
    ),
  )
const itemsOf = async (day: CalendarDate, term: string) => {
  const answer = await ask('finance', `GET /client-funds/items?day=${day}&currency=SEK&term=${term}`)
  expect(answer.status, answer.text).toBe(200)
  const { items, rest } = answer.json as {
    readonly items: { readonly kind: string; readonly amount: number; readonly name: string | null }[]
    readonly rest: number
  }
  return { items: items.map(({ kind, amount }) => [kind, amount]), rest }
}

/** The statement of a day: what it begins and ends with in öre, and what came. */
function statement(
  day: CalendarDate,
  [opening, closing]: readonly [number, number],
  entries: readonly (Partial<CamtEntry> & { readonly amountMinor: number })[],
  currency = 'SEK',
): string {
  serial += 1
  const balance = (code: string, minor: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  return camt({
    account: { iban: IBAN },
    serial,
    head: balance('OPBD', opening) + balance('CLBD', closing),
    entries: entries.map((entry, at) => ({ currency, day, bankId: `B${serial}${at}`, ...entry })),
  })
}

/** Pays through the bank's gateway, which says that it is done. */
async function payByGateway(invoice: BuiltInvoice, day: CalendarDate): Promise<void> {
  const body = {
    amount: '842.00',
    redirectUri: `${server.origin}/`,
    serviceProviderCode: 'DIRECT_BANK',
    paymentDate: day,
  }
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const started = await server.call('POST', path, { body })
  expect(started.status, started.text).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const { id } = await one<{ id: string }>('select id from payment where invoice_id = $1', invoice.id)
  await recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'sweep')
}

async function sendBack(): Promise<void> {
  const found = await ask('finance', 'POST /suspense/search', {})
  const waiting = (found.json as { id: string; currency: string }[]).find(
    ({ currency }) => currency === 'SEK',
  )
  const sent = await ask(
    'finance',
    `POST /suspense/${waiting?.id}/send-back`,
    { reason: 'Nobody knows it' },
    'send-back',
  )
  expect(sent.status, sent.text).toBeLessThan(300)
}

async function refund(invoice: BuiltInvoice): Promise<void> {
  const search = { query: invoice.number, queryTarget: 'invoiceNumber' }
  const [owed] = (await ask('finance', 'POST /refunds/search', search)).json as { id: string }[]
  const ordered = await ask('finance', `POST /refunds/${owed?.id}/record`, {}, 'refund')
  expect(ordered.status, ordered.text).toBeLessThan(300)
}

let gateway: BuiltInvoice
let overpaid: BuiltInvoice
let late: BuiltInvoice

beforeAll(async () => {
  const context = { db: server.test.db, clock: server.clock }
  const giro = { form: 'bankgiro', number: '9990-0110', currency: 'SEK', receiver: 'Nordklar AB' } as const
  const by = 'person:anna'
  await chooseOwnAccount(context, server.instanceId, { ...giro, by, bank: undefined, bic: undefined })
  await rows(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  const wanted = { kind: 'IBAN', number: IBAN, country: 'SE' } as const
  await addAddress(context, server.instanceId, { of: giro.number, wanted, by })
  ask = await openOffice(server, ['finance', 'manager', 'auditor', 'handler', 'support', 'approver'])

  server.clock.moveTo(MON)
  const wishes = { hasAccount: false }
  gateway = await build(84_200, wishes)
  const paid = await build(50_000, wishes)
  overpaid = await build(30_000, wishes)
  late = await build(20_000, wishes)
  await payByGateway(gateway, MON)

  // The account had 1,000.00 before; 500.00 pays an invoice, and nobody knows 70.00.
  server.clock.moveTo(TUE)
  await takeFiles(
    statement(
      MON,
      [100_000, 157_000],
      [
        { amountMinor: 50_000, reference: paid.reference },
        { amountMinor: 7_000, message: 'Hej' },
      ],
    ),
  )
  // The gateway's 842.00 arrives, and 350.00 is paid where 300.00 was owed. 10.00 euros come on the same account.
  server.clock.moveTo(WED)
  await takeFiles(
    statement(
      TUE,
      [157_000, 276_200],
      [
        { amountMinor: 84_200, reference: gateway.reference },
        { amountMinor: 35_000, reference: overpaid.reference },
      ],
    ),
    statement(TUE, [0, 1_000], [{ amountMinor: 1_000, message: 'Euro' }], 'EUR'),
  )
  await sendBack()
  await refund(overpaid)
  // The 70.00 leave.
  server.clock.moveTo(THU)
  await takeFiles(statement(WED, [276_200, 269_200], [{ amountMinor: 7_000, isDebit: true }]))
  // Thursday's file is missing, in which 200.00 came; Friday's is here on Saturday.
  server.clock.moveTo(addDays(FRI, 1))
  await takeFiles(statement(FRI, [289_200, 289_200], []))
})
beforeEach(() => server.clock.moveTo(addDays(FRI, 1)))

describe('each day has these terms, and agrees', () => {
  test.each<readonly [CalendarDate, Record<string, number>]>([
    // 1570 at the bank and 842 on its way are 842 held, 570 that was entered on Tuesday, and the 1,000 from before.
    [MON, { bank: 1570, gateways: 842, held: 842, entered_later: 570, before_books: 1000 }],
    [TUE, { bank: 2762, gateways: 842, held: 1342, suspense: 70, entered_later: 1192, before_books: 1000 }],
    // 50 is to be refunded and 70 to go back; the 70 have left, as was entered on Thursday.
    [WED, { bank: 2692, held: 1642, owed: 120, entered_later: -70, before_books: 1000 }],
  ])('%s', async (day, terms) => {
    expect(await termsOf(day)).toEqual(terms)
    expect(await proofOf(day)).toMatchObject({ verdict: 'AGREES', difference: 0, since: null })
  })
  test('in euros, from the day on which there are any', async () => {
    expect(await proofOf(MON, 'EUR')).toBeUndefined()
    expect(await termsOf(TUE, 'EUR')).toEqual({ bank: 10, entered_later: 10 })
    expect(await proofOf(TUE, 'EUR')).toMatchObject({ verdict: 'AGREES' })
    expect(await proofOf(WED, 'EUR')).toMatchObject({ verdict: 'NO_STATEMENT', lastCovered: TUE })
    expect(await termsOf(WED, 'EUR')).toEqual({ bank: null, suspense: 10 })
  })
})

test('each term is made of these, and nothing is left over', async () => {
  expect(await itemsOf(MON, 'gateways')).toEqual({ items: [['payment', 842]], rest: 0 })
  expect(await itemsOf(TUE, 'suspense')).toEqual({ items: [['bank_line', 70]], rest: 0 })
  expect(await itemsOf(WED, 'owed')).toEqual({
    items: [
      ['refund', 70],
      ['refund', 50],
    ],
    rest: 0,
  })
  expect(await itemsOf(WED, 'suspense')).toEqual({ items: [], rest: 0 })
  expect(await itemsOf(WED, 'gateways')).toEqual({ items: [], rest: 0 })
  expect(await itemsOf(WED, 'entered_later')).toEqual({ items: [['bank_lines', -70]], rest: 0 })
  expect(await itemsOf(WED, 'bank')).toEqual({ items: [['account', 2692]], rest: 0 })
  expect(await itemsOf(WED, 'before_books')).toEqual({ items: [['account', 1000]], rest: 0 })
  const held = await itemsOf(WED, 'held')
  expect([held.items.reduce((sum, [, amount]) => sum + Number(amount), 0), held.rest]).toEqual([1642, 0])
})

test('a missing file is found and dated; entered late, it is said, and the day agrees', async () => {
  expect(await proofsOf()).toMatchObject({ day: FRI, latest: FRI })
  expect(await proofOf(THU)).toMatchObject({ verdict: 'NO_STATEMENT', lastCovered: WED })
  expect(await proofOf(FRI)).toMatchObject({
    verdict: 'DIFFERS',
    difference: 200,
    since: FRI,
    changes: [{ day: FRI, amount: 200 }],
    accounts: [{ number: '99900110', balance: 2892, difference: 200, since: FRI }],
  })
  const before = await proofOf(WED)
  const saturday = addDays(FRI, 1)
  await takeFiles(statement(THU, [269_200, 289_200], [{ amountMinor: 20_000, reference: late.reference }]))
  expect(await proofOf(FRI)).toMatchObject({ verdict: 'AGREES', enteredLast: saturday })
  expect(await termsOf(FRI)).toMatchObject({ bank: 2892, entered_later: 200 })
  expect((await proofOf(THU)).verdict).toBe('AGREES')
  expect(await proofOf(WED)).toEqual(before)
  expect(await violated()).toEqual([])
})

describe('a planted fault is found and dated', () => {
  const change = async (sql: string, ...values: unknown[]) => {
    const { owner } = server.test
    await owner.query('begin')
    await owner.query(`set local session_replication_role = 'replica'`)
    await owner.query(sql, values)
    await owner.query('commit')
  }
  test('another amount on a statement', async () => {
    const add = (minor: number) =>
      change(
        'update bank_statement set closing_minor = closing_minor + $2 where closing_on = $1 and currency = $3',
        FRI,
        minor,
        'SEK',
      )
    await add(700)
    expect(await proofOf(FRI)).toMatchObject({ verdict: 'DIFFERS', difference: 7, since: FRI })
    await add(-700)
    expect((await proofOf(FRI)).verdict).toBe('AGREES')
  })
  test('a line of 350.00 that never came into the books, of which 50.00 was owed back', async () => {
    const plant = async (sign: 1 | -1) => {
      const taken = `update ledger_account_day set amount_minor = amount_minor + $1 where booked_on = $2`
      await change(
        `${taken} and creditor_id = $3 and kind = 'held_for_creditor'`,
        sign * 30_000,
        WED,
        overpaid.creditorId,
      )
      await change(`${taken} and kind = 'clearing' and gateway = 'BANK_RETURN'`, sign * 5_000, WED)
      await change(
        `update bank_account_day set amount_minor = amount_minor - $1 where bank_on = $2 and currency = 'SEK'`,
        sign * 35_000,
        TUE,
      )
    }
    await plant(1)
    expect((await proofOf(MON)).verdict).toBe('AGREES')
    for (const day of [TUE, WED, FRI])
      expect(await proofOf(day)).toMatchObject({
        difference: 350,
        since: TUE,
        changes: [{ day: TUE, amount: 350 }],
        accounts: [{ difference: 350, since: TUE }],
      })
    await plant(-1)
    expect((await proofOf(FRI)).verdict).toBe('AGREES')
  })
  test('an entry that no bank told of', async () => {
    const { creditorId } = overpaid
    const plant = (minor: number) =>
      change(
        `update ledger_account_day set amount_minor = amount_minor - $2 where booked_on = $1 and creditor_id = $3 and kind = 'held_for_creditor'`,
        WED,
        minor,
        creditorId,
      )
    await plant(4_200)
    expect((await proofOf(TUE)).verdict).toBe('AGREES')
    expect(await proofOf(FRI)).toMatchObject({ verdict: 'DIFFERS', difference: -42, since: WED })
    await plant(-4_200)
    expect((await proofOf(FRI)).verdict).toBe('AGREES')
  })
})

test('while lines of a file are being entered it says so', async () => {
  const { owner } = server.test
  expect(await proofOf(FRI)).toMatchObject({ waitingLines: 0 })
  const { rows } = await owner.query<{ id: string; status: string }>(
    `select id, status from bank_line where status not in ('WAITING', 'REPEATED') order by id limit 1`,
  )
  const [line] = rows
  const become = async (status: string | undefined): Promise<void> => {
    await owner.query('alter table bank_line disable trigger user')
    await owner.query('update bank_line set status = $2 where id = $1', [line?.id, status])
    await owner.query('alter table bank_line enable trigger user')
  }
  await become('WAITING')
  try {
    expect(await proofOf(FRI)).toMatchObject({ waitingLines: 1 })
  } finally {
    await become(line?.status)
  }
})

test('as a PDF, and as a confirmation for the auditor, with the same figures', async () => {
  const at = { instanceId: server.instanceId, creditorId: null, role: 'auditor' } as const
  const auditor = await signInStaff(server.product.context, at)
  const download = async (wanted: string, day: CalendarDate = WED) => {
    const path = `/api/admin/client-funds?day=${day}&document=${wanted}`
    const answer = await fetch(`${server.origin}${path}`, {
      headers: { ...auditor, accept: 'application/pdf' },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return wordsOf(Buffer.from(await answer.arrayBuffer()))
  }
  for (const wanted of ['proof', 'confirmation']) {
    const words = await download(wanted)
    for (const figure of ['2 692,00', '1 642,00', '120,00', '1 000,00'])
      expect(words, wanted).toContain(figure)
    expect(words).toContain('Det stämmer från det första kontoutdraget.')
  }
  const confirmed = await download('confirmation', TUE)
  expect(confirmed).toContain('bekräftar att')
  expect(confirmed).toContain('underskrift')
  // Of the euros no statement ends on Wednesday: nothing is confirmed, and there is no line to sign on.
  const unproved = await download('confirmation')
  expect(unproved).toContain('bekräftar dem inte än')
  expect(unproved).not.toContain('underskrift')
})

test('read by finance, managers and the auditor; to others it is not allowed; a day to come does not exist', async () => {
  const paths = ['/client-funds', `/client-funds/items?day=${MON}&currency=SEK&term=held`]
  for (const path of paths) {
    for (const who of ['finance', 'manager', 'auditor'] as const)
      expect((await ask(who, `GET ${path}`)).status, `${who} ${path}`).toBe(200)
    for (const who of ['handler', 'support', 'approver'] as const)
      expect(told(await ask(who, `GET ${path}`)), `${who} ${path}`).toEqual([403, 'not_allowed'])
  }
  expect(told(await ask('finance', 'GET /client-funds?day=2026-11-29'))).toEqual([
    400,
    'day_out_of_reach',
    'day',
  ])
  expect(told(await ask('finance', 'GET /client-funds?day=2026-02-30'))).toEqual([
    400,
    'invalid_request',
    'day',
  ])
})

test("another provider's accounts and books are never seen", async () => {
  const before = await proofsOf(FRI)
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const principal = {
    kind: 'operator',
    instance: { id, timeZone: 'Europe/Oslo' },
  } as unknown as OperatorMember
  expect((await proveClientFunds(server.product.context, principal, FRI)).proofs).toEqual([])
  await buildInvoice(server.test, id, server.clock, { totalMinor: 1_000 })
  await rows(
    `insert into bank_account_day (instance_id, account_id, currency, bank_on, entered_on, amount_minor)
     select $1, a.id, 'SEK', $2, $2, 5 from payment_account a where a.instance_id = $1`,
    id,
    FRI,
  )
  expect(await proofsOf(FRI)).toEqual(before)
  expect((await proveClientFunds(server.product.context, principal, FRI)).proofs).toHaveLength(1)
  await rows('delete from bank_account_day where instance_id = $1', id)
})

test('an account that turns out to be a creditor’s own is none of client funds, and the days before stay as they were', async () => {
  const before = await termsOf(FRI)
  const saturday = addDays(FRI, 1)
  server.clock.moveTo(saturday)
  const invoice = await build(60_000)
  const { id } = await one<{ id: string }>(
    'select payment_account_id as id from invoice where id = $1',
    invoice.id,
  )
  await rows('update payment_account set holder = null where id = $1', id)
  await rows(
    `update account_address set account_id = $1 where address = 'SE BANKGIRO 99900227' and instance_id = $2`,
    id,
    server.instanceId,
  )
  await transfer(server, invoice, 60_000, FRI)
  expect(await proofOf(saturday)).toMatchObject({ verdict: 'NO_STATEMENT', lastCovered: THU })
  expect(await proofOf(FRI)).toMatchObject({ verdict: 'NO_STATEMENT' })
  server.clock.moveTo(addDays(saturday, 2))
  await tellHolder({ ...server.product.context }, instance, { of: id, holder: 'CREDITOR', by: 'person:anna' })
  expect(await proofOf(FRI)).toMatchObject({ verdict: 'AGREES' })
  expect(await termsOf(FRI)).toEqual(before)
  expect(await violated()).toEqual([])
})
