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
  const [back = ''] = await statement({ minor: 1_250 })
  expect(told(await enter(back, 'bank-cost', { kind: 'FEE' }))).toEqual([200, undefined])
  expect(await termsOn(day)).toMatchObject({ verdict: 'AGREES', bank: 403.1, held: 400, bank_interest: 3.1 })
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
  expect(told(await enter(line, 'advance', { creditor: invoice.creditorId }))).toEqual([200, undefined])
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
