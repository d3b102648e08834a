/** The operator's own money among client funds: what each entry books, and what it does to the proof. Sums are worked out by hand. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookOperatorsPart } from '@kvitt/domain/ledger/payout.ts'
import { money } from '@kvitt/domain/money.ts'
import { postBookings } from '../../ledger/ledger.ts'
import { newId } from '../../platform/identity.ts'
import {
  build,
  one,
  rows,
  server,
  takeFiles,
  useBankFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import { camt, type CamtEntry } from '../../testing/files/bank-formats.ts'
import { returnAdvance } from './enter-line.ts'
import { openOffice, told, type AskOffice } from '../../testing/staff.ts'
import type { BuiltInvoice } from '../../testing/build.ts'

useBankFiles()
const MONDAY = date('2026-11-02')
let ask: AskOffice
let invoice: BuiltInvoice
let serial = 0
let bank = 0
let day = MONDAY

/** A statement of the next day, with what moved: above zero in, below zero out. Answers the lines in suspense with these amounts. */
async function statement(
  ...moves: readonly (Partial<CamtEntry> & { readonly minor: number })[]
): Promise<string[]> {
  serial += 1
  day = addDays(day, 1)
  const balance = (code: string, minor: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const opening = bank
  bank += moves.reduce((sum, { minor }) => sum + minor, 0)
  const entries = moves.map(({ minor, ...entry }, at) => ({
    currency: 'SEK' as const,
    day,
    bankId: `O${serial}-${at}`,
    amountMinor: Math.abs(minor),
    isDebit: minor < 0,
    ...entry,
  }))
  server.clock.moveTo(day)
  await takeFiles(
    camt({
      account: { other: '99900110' },
      serial,
      head: balance('OPBD', opening) + balance('CLBD', bank),
      entries,
    }),
  )
  const found = await rows<{ id: string }>(
    `select l.id from bank_line l join bank_file f on f.id = l.file_id where l.status = 'SUSPENSE' and l.bank_date = $1 order by l.number`,
    day,
  )
  return found.map(({ id }) => id)
}

/** As when a payment that was paid out is taken back, or fees become the operator's. */
const take = (minor: number, cause: string) =>
  server.test.db.transaction((tx) =>
    postBookings(
      tx,
      server.instanceId,
      [
        {
          id: newId(server.clock.now()),
          kind: 'REFUND',
          bookedOn: day,
          cause,
          invoiceId: null,
          paymentId: null,
          lines: bookOperatorsPart(invoice.creditorId, money(minor, 'SEK')),
        },
      ],
      server.clock,
    ),
  )

const termsOn = async (on: CalendarDate): Promise<Record<string, unknown>> => {
  const { json } = await ask('finance', `GET /client-funds?day=${on}`)
  const { proofs, belowZero } = json as {
    proofs: { verdict: string; terms: { term: string; amount: number }[] }[]
    belowZero: { amount: number }[]
  }
  const terms = proofs[0]?.terms.flatMap(({ term, amount }) => (amount === 0 ? [] : [[term, amount]])) ?? []
  return {
    verdict: proofs[0]?.verdict,
    ...Object.fromEntries(terms),
    short: belowZero.map(({ amount }) => amount),
  }
}
const enter = (id: string, way: string, body?: object, key: string = newId(server.clock.now())) =>
  ask('finance', `POST /suspense/${id}/${way}`, body, key)

/** One proposes it, and another approves. */
async function byTwo(id: string, way: string, body: object) {
  const asked = await enter(id, way, body)
  if (asked.status !== 200) return asked
  expect(asked.json).toMatchObject({ status: 'SUSPENSE', proposal: expect.any(String) })
  const { proposal } = asked.json as { proposal: string }
  expect(told(await ask('finance', `POST /proposals/${proposal}/approve`))).toEqual([403, 'not_allowed'])
  return ask('approver', `POST /proposals/${proposal}/approve`)
}

beforeAll(async () => {
  ask = await openOffice(server, ['finance', 'manager', 'approver', 'support', 'auditor'])
  await rows(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  server.clock.moveTo(MONDAY)
  invoice = await build(40_000, { hasAccount: false })
  await statement({ minor: 40_000, reference: invoice.reference })
})

test("a charge of the bank is owed to the account by the operator, interest is nobody's yet, and the proof agrees", async () => {
  const [fee = '', interest = ''] = await statement({ minor: -1_250 }, { minor: 310 })
  const preview = await ask('finance', `POST /suspense/${fee}/preview-entry`, { kind: 'FEE' })
  expect((preview.json as { postings: object[] }).postings).toEqual([
    { account: 'suspense', number: null, name: null, amount: -12.5 },
    { account: 'bank_fees', number: null, name: null, amount: 12.5 },
  ])
  expect(await one('select status from bank_line where id = $1', fee)).toEqual({ status: 'SUSPENSE' })
  const key = newId(server.clock.now())
  const entered = await enter(fee, 'bank-cost', { kind: 'FEE' }, key)
  expect(entered.json, entered.text).toMatchObject({
    status: 'SETTLED',
    entry: { kind: 'FEE', creditor: null },
  })
  // The same act again is harmless; another finds the money gone.
  expect((await enter(fee, 'bank-cost', { kind: 'FEE' }, key)).status).toBe(200)
  expect(told(await enter(fee, 'bank-cost', { kind: 'INTEREST' }))).toEqual([400, 'not_in_suspense'])
  expect(told(await enter(interest, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
  expect(await termsOn(day)).toEqual({
    verdict: 'AGREES',
    bank: 390.6,
    bank_fees: 12.5,
    held: 400,
    bank_interest: 3.1,
    short: [],
  })
  // The operator puts the charge back.
  const [back = '', more = ''] = await statement({ minor: 1_250 }, { minor: 1_251 })
  // No more than was taken: the rest is a debtor's money.
  expect(told(await enter(more, 'bank-cost', { kind: 'FEE' }))).toEqual([400, 'more_than_booked'])
  expect(told(await byTwo(back, 'bank-cost', { kind: 'FEE' }))).toEqual([200, undefined])
  expect((await ask('finance', `POST /suspense/${more}/send-back`)).status).toBe(200)
  const [gone = '', large = ''] = await statement({ minor: -310 }, { minor: -311 })
  expect(told(await enter(large, 'bank-cost', { kind: 'INTEREST' }))).toEqual([400, 'more_than_booked'])
  expect(told(await enter(gone, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
  const [again = '', put = ''] = await statement({ minor: 310 }, { minor: 311 })
  expect(told(await enter(again, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
  expect(told(await enter(put, 'bank-cost', { kind: 'FEE' }))).toEqual([400, 'more_than_booked'])
  // Charged interest that no interest has been given for is a charge.
  expect(told(await enter(large, 'bank-cost', { kind: 'FEE' }))).toEqual([200, undefined])
  expect(told(await byTwo(put, 'bank-cost', { kind: 'FEE' }))).toEqual([200, undefined])
  expect(await termsOn(day)).toMatchObject({
    verdict: 'AGREES',
    bank: 415.61,
    held: 400,
    bank_interest: 3.1,
    owed: 12.51,
  })
  expect(await violated()).toEqual([])
})

test('an advance ends the task and covers what is missing; it is no money held, and comes back when it covers nothing', async () => {
  await take(42_000, 'test:taken-back')
  const isAsked = async () =>
    (await one<{ open: boolean }>(`select done_at is null as open from task where kind = 'advance_wanted'`))
      .open
  expect(await isAsked()).toBe(true)
  const [line = ''] = await statement({ minor: 2_500 })
  const shown = (await ask('finance', `GET /suspense/${line}`)).json
  expect(shown).toMatchObject({
    isEnterable: true,
    short: [{ creditor: { id: invoice.creditorId }, amount: 20 }],
  })
  expect(told(await enter(line, 'advance', { creditor: newId(server.clock.now()) }))).toEqual([
    400,
    'nothing_to_advance',
    'creditor',
  ])
  expect(told(await enter(line, 'fees-drawn'))).toEqual([400, 'entry_not_open'])
  // Whatever the sum, one person alone does not say that a stranger's money is ours.
  expect(told(await byTwo(line, 'advance', { creditor: invoice.creditorId }))).toEqual([200, undefined])
  expect(await isAsked()).toBe(false)
  expect(await termsOn(day)).toMatchObject({
    verdict: 'AGREES',
    held: -20,
    advances: 25,
    fees: 420,
    short: [],
  })
  expect(await violated()).toEqual([])
})

test("no more than the operator's fees is drawn, less what it owes for its bank's charges", async () => {
  const [charge = '', more = ''] = await statement({ minor: -2_000 }, { minor: -40_001 })
  const [, most = ''] = await statement({ minor: 50_000 }, { minor: -40_000 })
  expect(told(await enter(charge, 'bank-cost', { kind: 'FEE' }))).toEqual([200, undefined])
  expect((await ask('finance', `GET /suspense/${more}`)).json).toMatchObject({ drawable: 400, short: [] })
  expect(told(await enter(more, 'fees-drawn'))).toEqual([400, 'more_than_fees'])
  expect(told(await enter(most, 'advance', { creditor: invoice.creditorId }))).toEqual([
    400,
    'entry_not_open',
  ])
  const [first, second] = await Promise.all([enter(most, 'fees-drawn'), enter(most, 'fees-drawn')])
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(await termsOn(day)).toMatchObject({ verdict: 'AGREES', fees: 20, bank_fees: 20, suspense: 99.99 })
  expect(await violated()).toEqual([])
})

const balanceOfAdvance = async (): Promise<number> =>
  (
    await one<{ minor: number }>(
      `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = 'advance'`,
    )
  ).minor

test.each(['entered first', 'placed first', 'at once'])(
  'a line that one enters and another places, %s: one of them',
  async (order) => {
    const debt = await build(7_700, { hasAccount: false })
    const [line = ''] = await statement({ minor: 7_700 })
    const acts = {
      enter: () => enter(line, 'bank-cost', { kind: 'INTEREST' }),
      place: () => enter(line, 'place', { invoice: debt.id }),
    }
    const done =
      order === 'at once'
        ? await Promise.all([acts.enter(), acts.place()])
        : order === 'entered first'
          ? [await acts.enter(), await acts.place()]
          : [await acts.place(), await acts.enter()]
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await termsOn(day)).toMatchObject({ verdict: 'AGREES' })
    expect(await violated()).toEqual([])
  },
)

test('an advance beside a payment that takes more at once: the task stays where anything is missing', async () => {
  await take(10_000, 'test:below')
  const [line = ''] = await statement({ minor: 10_000 })
  const missing = async () =>
    (
      await one<{ minor: number }>(
        `select coalesce(sum(balance_minor), 0)::int as minor from ledger_account
       where creditor_id = $1 and kind in ('held_for_creditor', 'advance')`,
        invoice.creditorId,
      )
    ).minor
  const before = await missing()
  await Promise.all([byTwo(line, 'advance', { creditor: invoice.creditorId }), take(3_000, 'test:beside')])
  expect(await missing()).toBe(before - 10_000 + 3_000)
  expect(await violated()).toEqual([])
})

test('above the limit, summed for a day, another decides; meanwhile it lies in suspense and can go another way', async () => {
  const [small = '', large = '', other = ''] = await statement(
    { minor: 400_000 },
    { minor: 100_001 },
    { minor: 600_000 },
  )
  expect(told(await enter(small, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
  const asked = await enter(large, 'bank-cost', { kind: 'INTEREST' })
  expect(asked.json, asked.text).toMatchObject({
    status: 'SUSPENSE',
    entry: null,
    proposal: expect.any(String),
  })
  const { proposal } = asked.json as { proposal: string }
  expect(told(await enter(large, 'bank-cost', { kind: 'INTEREST' }))).toEqual([400, 'proposal_open'])
  expect(told(await ask('finance', `POST /proposals/${proposal}/approve`))).toEqual([403, 'not_allowed'])
  expect(told(await ask('approver', `POST /proposals/${proposal}/approve`))).toEqual([200, undefined])
  expect((await ask('finance', `GET /suspense/${large}`)).json).toMatchObject({
    status: 'SETTLED',
    entry: { kind: 'INTEREST' },
    proposal: null,
  })
  const second = (await enter(other, 'bank-cost', { kind: 'INTEREST' })).json as { proposal: string }
  expect((await ask('finance', `POST /suspense/${other}/send-back`)).status).toBe(200)
  expect(told(await ask('approver', `POST /proposals/${second.proposal}/approve`))).toEqual([
    409,
    'changed_meanwhile',
  ])
  expect(await violated()).toEqual([])
})

test('whoever may not work bank files enters nothing, and what is no line or no kind is refused', async () => {
  const [line = ''] = await statement({ minor: 123 })
  for (const who of ['support', 'auditor', 'approver'] as const)
    expect(told(await ask(who, `POST /suspense/${line}/bank-cost`, { kind: 'FEE' }))).toEqual([
      403,
      'not_allowed',
    ])
  expect((await enter(newId(server.clock.now()), 'bank-cost', { kind: 'FEE' })).status).toBe(404)
  expect((await enter(line, 'bank-cost', { kind: 'ADVANCE' })).status).toBe(400)
  expect((await enter(line, 'advance', { creditor: "x' or 1=1 --" })).status).toBe(400)
  expect(told(await ask('finance', `POST /suspense/${line}/preview-entry`, { kind: 'ADVANCE' }))).toEqual([
    400,
    'invalid_request',
    'creditor',
  ])
  // A creditor's own account is none of client funds.
  await rows(`update bank_line set holder = 'CREDITOR' where id = $1`, line)
  expect(told(await enter(line, 'bank-cost', { kind: 'INTEREST' }))).toEqual([400, 'entry_not_open'])
  await rows(`update bank_line set holder = 'INSTANCE' where id = $1`, line)
  expect(told(await enter(line, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
})

test("a creditor's advance is the operator's again as far as it covers nothing, once", async () => {
  const had = await balanceOfAdvance()
  expect(had).toBeGreaterThan(0)
  const back = (cause: string) =>
    server.test.db.transaction((tx) =>
      returnAdvance(
        { tx, clock: server.clock, instanceId: server.instanceId, today: day },
        { creditorId: invoice.creditorId, currency: 'SEK', cause },
      ),
    )
  const heldOf = async () =>
    (
      await one<{ minor: number }>(
        `select -balance_minor::int as minor from ledger_account where creditor_id = $1 and kind = 'held_for_creditor'`,
        invoice.creditorId,
      )
    ).minor
  const held = await heldOf()
  expect(await back('advance-back:test:1')).toBe(Math.max(0, had - Math.max(0, -held)))
  expect(await balanceOfAdvance()).toBe(Math.min(had, Math.max(0, -held)))
  expect(await back('advance-back:test:2')).toBe(0)
  const debt = await build(900_000, { beside: invoice, hasAccount: false })
  await statement({ minor: 900_000, reference: debt.reference })
  const left = await balanceOfAdvance()
  expect(await back('advance-back:test:3')).toBe(left)
  expect(await balanceOfAdvance()).toBe(0)
  expect(await termsOn(day)).toMatchObject({ verdict: 'AGREES', short: [] })
  expect(await violated()).toEqual([])
})

test('fees that cover what is missing of a creditor are not drawn before it is advanced', async () => {
  const [line = ''] = await statement({ minor: -100 })
  const drawable = async () =>
    ((await ask('finance', `GET /suspense/${line}`)).json as { drawable: number }).drawable
  const before = await drawable()
  const other = await build(1_000, { hasAccount: false })
  const missing = (minor: number, cause: string) =>
    server.test.db.transaction((tx) =>
      postBookings(
        tx,
        server.instanceId,
        [
          {
            id: newId(server.clock.now()),
            kind: 'REFUND',
            bookedOn: day,
            cause,
            invoiceId: null,
            paymentId: null,
            lines: bookOperatorsPart(other.creditorId, money(minor, 'SEK')),
          },
        ],
        server.clock,
      ),
    )
  // 50.00 of it become fees, and the same 50.00 are missing: nothing more can be drawn than before.
  await missing(5_000, 'test:missing')
  expect(await drawable()).toBe(before)
  expect(await violated()).toEqual([])
})

test('what was entered and the bank takes back names what it was: a person looks', async () => {
  const [line = ''] = await statement({ minor: 777, bankId: 'TAKEN' })
  expect(told(await enter(line, 'bank-cost', { kind: 'INTEREST' }))).toEqual([200, undefined])
  await statement({ minor: -777, bankId: 'TAKEN', isReversal: true })
  const { reason } = await one<{ reason: string }>(
    `select details ->> 'reason' as reason from task where kind = 'bank_line' and done_at is null and details ->> 'takesBack' = $1`,
    line,
  )
  expect(reason).toBe('not_reversible')
  expect(await violated()).toEqual([])
})
