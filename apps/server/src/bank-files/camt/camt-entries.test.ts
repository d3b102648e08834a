/** Entries of camt files with and without the bank's ids: each is kept once, and two are two. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { chooseOwnAccount } from '../../creditors/creditors.ts'
import { camt, type CamtEntry, type CamtReport } from '../../testing/files/bank-formats.ts'
import {
  balanceOf,
  context,
  one,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../../testing/files/bank-files.ts'
import { buildInvoice, TODAY } from '../../testing/build.ts'
import { placeSuspense } from '../bank-files.ts'

useBankFiles()

const IBAN = 'FI0599990000000111'
let serial = 0

beforeAll(async () => {
  await chooseOwnAccount({ db: server.test.db, clock: server.clock }, server.instanceId, {
    by: 'person:anna',
    form: 'iban',
    number: IBAN,
    currency: 'EUR',
    receiver: 'Nordklar AB',
    bank: undefined,
    bic: undefined,
  })
})

type Wishes = Partial<CamtEntry>
const entry = (wishes: Wishes): CamtEntry => ({ amountMinor: 50_000, currency: 'EUR', day: TODAY, ...wishes })
const report = (entries: readonly Wishes[], wishes: Partial<CamtReport> = {}): string =>
  camt({ account: { iban: IBAN }, serial: (serial += 1), entries: entries.map(entry), ...wishes })
const take = async (text: string): Promise<string[]> =>
  (await takeFiles(text)).map(({ outcome, reason }) =>
    outcome === 'refused' ? `${reason}` : (reason ?? outcome),
  )

const invoiceOf = (totalMinor = 50_000) =>
  buildInvoice(server.test, server.instanceId, server.clock, {
    currency: 'EUR',
    totalMinor,
    hasAccount: false,
  })
const two = async () => [await invoiceOf(), await invoiceOf()] as const

describe.each([['053'], ['054']] as const)('camt.%s without the bank’s ids', (message) => {
  const of = (entries: readonly Wishes[]) => report(entries, { message })

  test('two payments of one day and sum from different payers are two, and known in every later file', async () => {
    const [one, other] = await two()
    const day = addDays(TODAY, message === '053' ? -40 : -41)
    const first = { reference: one.reference, payer: 'Alva Provlund', day }
    const second = { reference: other.reference, payer: 'Bo Testberg', day }
    expect(await take(of([first, second]))).toEqual(['booked', 'booked'])
    expect([await stateOf(one), await stateOf(other)]).toEqual([
      { status: 'CLOSED', owed: 0 },
      { status: 'CLOSED', owed: 0 },
    ])
    expect(await take(of([second, first]))).toEqual(['unchanged'])
  })

  test('two that are equal in everything are two; a third one later is new', async () => {
    const day = addDays(TODAY, message === '053' ? -1 : -2)
    const equal = { payer: 'Alva Provlund', amountMinor: 1_300, day }
    expect(await take(of([equal, equal]))).toEqual(['no_reference', 'no_reference'])
    expect(await take(of([equal, equal]))).toEqual(['unchanged'])
    expect(await take(of([equal, equal, equal]))).toEqual(['no_reference'])
  })
})

test('two notifications with one payment each, of one day and sum, are two; the statement knows both', async () => {
  const [one, other] = await two()
  const first = {
    reference: one.reference,
    payer: 'Alva Provlund',
    amountMinor: 50_000,
    day: addDays(TODAY, -3),
  }
  const second = { ...first, reference: other.reference, payer: 'Bo Testberg' }
  expect(await take(report([first], { message: '054' }))).toEqual(['booked'])
  expect(await take(report([second], { message: '054' }))).toEqual(['booked'])
  expect(await take(report([second, first]))).toEqual(['unchanged'])
})

test('the same reference from another payer: a person decides', async () => {
  const invoice = await invoiceOf()
  const told = { reference: invoice.reference, payer: 'Alva Provlund', day: addDays(TODAY, -4) }
  expect(await take(report([told], { message: '054' }))).toEqual(['booked'])
  expect(await take(report([{ ...told, payer: 'Bo Testberg' }], { message: '054' }))).toEqual([
    'told_differently',
  ])
  const { open } = await one<{ open: number }>(
    `select count(*)::int as open from task where kind = 'bank_line' and details ->> 'reason' = 'told_differently' and done_at is null`,
  )
  expect(open).toBe(1)
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  // The person finds that it is the same money: it leaves suspense, and the task is done.
  const [first, second] = await rows<{ id: string }>(
    `select id from bank_line where $1 = any(payment_references) order by id`,
    invoice.reference,
  )
  const before = await balanceOf('clearing', 'BANK_FILE')
  const wrong = {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId: second?.id ?? '',
    to: { sameAs: second?.id ?? '' },
  }
  await expect(placeSuspense(context(), wrong)).rejects.toMatchObject({ code: 'not_the_same' })
  const same = {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId: second?.id ?? '',
    to: { sameAs: first?.id ?? '' },
  }
  for (let again = 0; again < 2; again++) await placeSuspense(context(), same)
  expect(await balanceOf('clearing', 'BANK_FILE')).toBe(before - 50_000)
  expect(
    await rows(`select from task where about = 'bank-line:' || $1::text and done_at is null`, second?.id),
  ).toEqual([])
})

describe('with the bank’s ids', () => {
  test.each([
    ['bankId', 50],
    ['txId', 51],
    ['uetr', 52],
    ['endToEndId', 53],
  ] as const)('%s: the same is known, whatever else is said; another one is new', async (kind, daysAgo) => {
    const [one, other] = await two()
    const day = addDays(TODAY, -daysAgo)
    const named = (id: string, reference: string) => ({ [kind]: id, reference, day, amountMinor: 50_000 })
    expect(await take(report([named(`${kind}-1`, one.reference)], { message: '054' }))).toEqual(['booked'])
    expect(await take(report([{ ...named(`${kind}-1`, ''), reference: '', payer: 'Elsewhere' }]))).toEqual([
      'unchanged',
    ])
    expect(await take(report([named(`${kind}-2`, other.reference)]))).toEqual(['booked'])
  })

  test('one name for two entries of a report stands for two', async () => {
    const [one, other] = await two()
    const day = addDays(TODAY, -6)
    const entries = [
      { bankId: 'TWICE', reference: one.reference, day },
      { bankId: 'TWICE', reference: other.reference, day },
    ]
    expect(await take(report(entries))).toEqual(['booked', 'booked'])
    expect(await take(report(entries))).toEqual(['unchanged'])
  })

  test('an end-to-end id that says nothing is none', async () => {
    const [one, other] = await two()
    const entries = [one, other].map(({ reference }) => ({
      reference,
      endToEndId: 'NOTPROVIDED',
      day: addDays(TODAY, -7),
    }))
    expect(await take(report(entries))).toEqual(['booked', 'booked'])
  })
})

test('a file from before ids were kept, and an overlapping one after it', async () => {
  const [one, other] = await two()
  const day = addDays(TODAY, -8)
  const entries = [
    { bankId: 'OLD1', reference: one.reference, day },
    { reference: other.reference, day },
  ]
  expect(await take(report(entries))).toEqual(['booked', 'booked'])
  // As lines were kept before: no ids, the account by its printed number, the key as it has always been.
  const kept = await rows<{ deposit_key: string }>(
    `update bank_line set bank_ids = '{}', account_id = null where bank_date = $1 returning deposit_key`,
    day,
  )
  const [first, second] = kept.map((row) => row.deposit_key)
  expect(first).toBe('camt:OLD1')
  expect(second).toMatch(/^camt:[\w-]{43}:1$/)
  const more = await invoiceOf()
  expect(await take(report([...entries, { reference: more.reference, day, payer: 'Bo Testberg' }]))).toEqual([
    'booked',
  ])
  expect(await stateOf(more)).toEqual({ status: 'CLOSED', owed: 0 })
})

describe('a statement’s balances', () => {
  const OTHER = { account: { iban: 'NO9799990000111' } } as const
  beforeAll(async () => {
    await chooseOwnAccount({ db: server.test.db, clock: server.clock }, server.instanceId, {
      by: 'person:anna',
      form: 'iban',
      number: 'NO9799990000111',
      currency: 'NOK',
      receiver: 'Nordklar AB',
      bank: undefined,
      bic: undefined,
    })
  })
  const balance = (code: string, minor: number, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="NOK">${(Math.abs(minor) / 100).toFixed(2)}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const day = (offset: number) => addDays(TODAY, offset)
  const stated = (
    offset: number,
    [opening, closing]: readonly [number, number],
    entries: readonly Wishes[],
  ) =>
    camt({
      ...OTHER,
      serial: (serial += 1),
      entries: entries.map((wishes) => ({
        amountMinor: 50_000,
        currency: 'NOK',
        day: day(offset),
        ...wishes,
      })),
      head: balance('OPBD', opening, day(offset)) + balance('CLBD', closing, day(offset)),
    })
  const gaps = () =>
    rows(
      `select details ->> 'after' as after, details ->> 'before' as before from task where kind = 'bank_file_gap' and done_at is null`,
    )

  test('opening and entries, also what was paid out, are closing, or the file is refused', async () => {
    const paid = [
      { amountMinor: 10_000, bankId: 'G1' },
      { amountMinor: 4_000, isDebit: true, bankId: 'G2' },
    ]
    expect(await take(stated(-20, [0, 7_000], paid))).toEqual([
      expect.stringMatching(/says that .* closes with 70\.00, .* add up to 60\.00/),
    ])
    expect(await take(stated(-20, [0, 6_000], paid))).toEqual(['no_reference', 'unexplained_debit'])
    expect(await gaps()).toEqual([])
  })
  test('a day between two statements that no file tells of is a task, and the file that comes ends it', async () => {
    expect(await take(stated(-18, [9_000, 12_000], [{ amountMinor: 3_000, bankId: 'G4' }]))).toEqual([
      'no_reference',
    ])
    expect(await gaps()).toEqual([{ after: day(-20), before: day(-18) }])
    expect(await take(stated(-19, [6_000, 9_000], [{ amountMinor: 3_000, bankId: 'G3' }]))).toEqual([
      'no_reference',
    ])
    expect(await gaps()).toEqual([])
    expect(
      await rows(
        `select opening_minor::int as opening, closing_minor::int as closing from bank_statement order by closing_on`,
      ),
    ).toEqual([
      { opening: 0, closing: 6_000 },
      { opening: 6_000, closing: 9_000 },
      { opening: 9_000, closing: 12_000 },
    ])
  })
})

test('a file about nobody’s account is refused, also when money only left it', async () => {
  const text = report([{ isDebit: true, bankId: 'D1' }], { account: { iban: 'DE89370400440532013000' } })
  expect(await take(text)).toEqual([expect.stringMatching(/is not an account of this instance/)])
})
