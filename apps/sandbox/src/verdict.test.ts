import { describe, expect, test } from 'vitest'
import type { Payment } from './bank/payment.ts'
import type { CreditEnd, Transfer } from './bank/transfers.ts'
import type { MobileOrder, Refund } from './mobile/mobile-order.ts'
import { judge, readLedgerReport } from './verdict.ts'
import type { LedgerOrder, LedgerReport, Ordered } from './verdict.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const ID = '01a200be-104f-7f5e-be14-31a3329deb27'
const OTHER = '01a200be-104f-7f5e-be14-31a3329deb28'

const paid = (change: Partial<Payment> = {}): Payment => ({
  product: 'swedish-giro',
  instructedAmount: { currency: 'SEK', amount: '842.5' },
  creditorName: 'Fjällström Demo Energi AB',
  creditorAccount: { bban: '123-4567' },
  endToEndIdentification: ID,
  remittanceInformationStructured: { reference: '261185' },
  redirectUri: 'http://localhost/',
  paymentId: 'bank-1',
  authorisationId: 'a',
  token: 't',
  createdAtMs: NOW - 600_000,
  expiresAtMs: NOW,
  status: 'ACSC',
  scaStatus: 'finalised',
  held: false,
  executedAtMs: NOW - 600_000,
  ...change,
})
const swish = (change: Partial<MobileOrder> = {}): MobileOrder => ({
  id: ID.replaceAll('-', '').toUpperCase(),
  payeePaymentReference: 'x',
  callbackUrl: 'https://kvitt.example/c',
  payeeAlias: '1234679304',
  amount: '842.50',
  currency: 'SEK',
  message: '261185',
  status: 'PAID',
  createdAtMs: NOW - 600_000,
  expiresAtMs: NOW,
  paidAtMs: NOW - 600_000,
  ...change,
})
const order = (change: Partial<LedgerOrder> = {}): LedgerOrder => ({
  id: ID,
  gateway: 'DIRECT_BANK',
  status: 'COMPLETED',
  amount: '842.50',
  currency: 'SEK',
  bookings: 1,
  withAPerson: false,
  ...change,
})
const report = (orders: LedgerOrder[], checks: LedgerReport['checks'] = []): LedgerReport => ({
  orders,
  checks,
  sums: [],
})
const NOTHING = {
  payments: [],
  mobile: [],
  refunds: [],
  statements: { transfers: () => [], endOf: () => undefined },
}
const judged = (payments: Payment[], orders: LedgerOrder[], mobile: MobileOrder[] = []) =>
  judge(report(orders), { ...NOTHING, payments, mobile }, NOW)

const TRANSFER: Transfer = {
  id: 'by-hand',
  account: '99900227',
  scheme: 'BANKGIRO',
  currency: 'SEK',
  amount: '842.50',
  reference: '261185',
  payer: 'Somebody',
  day: '2026-11-20',
  createdAtMs: NOW - 600_000,
}

const RIGHT = { isRight: true, doubled: [], lost: [], wrong: [], broken: [] }

test.each([
  ['a bank payment', [paid()], []],
  ['a Swish payment', [], [swish()]],
])('%s that is booked once is right', (_, payments, mobile) => {
  expect(judged(payments, [order()], mobile)).toEqual({
    ...RIGHT,
    executed: 1,
    booked: 1,
    onTheWay: 0,
    inNextFile: 0,
    withAPerson: 0,
    differences: [{ currency: 'SEK', amount: '0.00' }],
  })
})

test('what was not executed and is not booked is nobody’s business', () => {
  const waits = paid({ status: 'ACCP' })
  const failed = order({ status: 'FAILED', bookings: 0 })
  expect(judged([waits], [failed], [swish({ status: 'ERROR' })])).toMatchObject({ ...RIGHT, executed: 0 })
})

test('booked twice is doubled, and the difference is what is too much', () => {
  expect(judged([paid()], [order({ bookings: 2 })])).toMatchObject({
    isRight: false,
    doubled: ['261185'],
    booked: 0,
    differences: [{ currency: 'SEK', amount: '-842.50' }],
  })
})

const ended = (end: CreditEnd | undefined) => ({ transfers: () => [], endOf: () => end })
const end = (status: CreditEnd['status']): CreditEnd => ({ status, number: null, reason: null })

test('what only a file can tell of waits for it, is booked by it, or is for a person, and never lost', () => {
  const gaveUp = report([order({ status: 'FAILED', bookings: 0 })])
  const untold = [paid({ isUntold: true })]
  const judgedAt = (statements: Ordered['statements'], payments: Payment[]) =>
    judge(gaveUp, { ...NOTHING, payments, statements }, NOW)
  expect(judgedAt(ended(undefined), untold)).toMatchObject({ ...RIGHT, inNextFile: 1, booked: 0 })
  expect(judgedAt(ended(end('BOOKED')), untold)).toMatchObject({ ...RIGHT, inNextFile: 0, booked: 1 })
  expect(judgedAt(ended(end('SUSPENSE')), untold)).toMatchObject({ ...RIGHT, withAPerson: 1 })
  // One that the client has heard of is its to know.
  expect(judgedAt(ended(undefined), [paid()])).toMatchObject({ isRight: false, lost: ['261185'] })
})

test('money by hand is the product’s from the file on, unless the account is nobody’s', () => {
  const transfer = { ...TRANSFER, id: 'by-hand' }
  const judgedAt = (one: CreditEnd | undefined) =>
    judge(report([]), { ...NOTHING, statements: { transfers: () => [transfer], endOf: () => one } }, NOW)
  expect(judgedAt(undefined)).toMatchObject({ ...RIGHT, executed: 1, inNextFile: 1 })
  expect(judgedAt(end('KNOWN'))).toMatchObject({ ...RIGHT, executed: 1, booked: 1 })
  expect(judgedAt(end('SUSPENSE'))).toMatchObject({ ...RIGHT, executed: 1, withAPerson: 1 })
  expect(judgedAt(end('REFUSED'))).toMatchObject({ ...RIGHT, executed: 0 })
})

test('not booked is on its way for three minutes, then lost', () => {
  const unbooked = order({ status: 'IN_PROGRESS', bookings: 0 })
  expect(judged([paid({ executedAtMs: NOW - 179_000 })], [unbooked])).toMatchObject({ ...RIGHT, onTheWay: 1 })
  for (const known of [[unbooked], []]) {
    expect(judged([paid({ executedAtMs: NOW - 180_000 })], known)).toMatchObject({
      isRight: false,
      lost: ['261185'],
      differences: [{ currency: 'SEK', amount: '842.50' }],
    })
  }
})

test('what somebody was asked to look at is neither lost nor booked', () => {
  const asked = order({ bookings: 0, withAPerson: true })
  expect(judged([paid()], [asked])).toMatchObject({ ...RIGHT, withAPerson: 1, booked: 0 })
})

test.each([
  ['another sum', order({ amount: '842.00' }), '261185'],
  ['another currency', order({ currency: 'NOK' }), '261185'],
])('%s is wrong', (_, booked, reference) => {
  expect(judged([paid()], [booked])).toMatchObject({ isRight: false, wrong: [reference] })
})

test('booked though nothing was executed here is wrong', () => {
  expect(judged([paid()], [order(), order({ id: OTHER })])).toMatchObject({
    isRight: false,
    wrong: [OTHER],
    differences: [{ currency: 'SEK', amount: '-842.50' }],
  })
})

describe('money that went back', () => {
  const refund: Refund = {
    id: OTHER.replaceAll('-', '').toUpperCase(),
    originalPaymentReference: 'R',
    amount: '100.00',
    currency: 'SEK',
    payerAlias: '1234679304',
    message: '261185',
    callbackUrl: 'https://kvitt.example/r',
    status: 'PAID',
    createdAtMs: NOW - 600_000,
  }
  const judgedBack = (refunds: Refund[], orders: LedgerOrder[]) =>
    judge(report(orders), { ...NOTHING, mobile: [swish()], refunds }, NOW)
  const booked = order({ id: OTHER, status: 'PAID', amount: '-100.00' })

  test('booked once it is right, and not before it went', () => {
    expect(judgedBack([refund], [order(), booked])).toMatchObject({ ...RIGHT, executed: 2, booked: 2 })
    const failed = { ...refund, status: 'ERROR' as const }
    expect(judgedBack([failed], [order(), { ...booked, bookings: 0 }])).toMatchObject({
      ...RIGHT,
      executed: 1,
    })
    expect(judgedBack([], [order(), booked])).toMatchObject({ isRight: false, wrong: [OTHER] })
  })

  test('twice, with another sum, or not at all it is wrong', () => {
    expect(judgedBack([refund], [order(), { ...booked, bookings: 2 }])).toMatchObject({
      doubled: ['261185'],
      differences: [{ currency: 'SEK', amount: '100.00' }],
    })
    expect(judgedBack([refund], [order(), { ...booked, amount: '100.00' }])).toMatchObject({
      wrong: ['261185'],
    })
    expect(judgedBack([refund], [order()])).toMatchObject({
      lost: ['261185'],
      differences: [{ currency: 'SEK', amount: '-100.00' }],
    })
  })
})

test('an invariant that does not hold is named', () => {
  const checks = [
    { name: 'inv_i1_postings_sum_to_zero', rows: 0 },
    { name: 'inv_i2_balances_equal_postings', rows: 2 },
  ]
  expect(judge(report([], checks), NOTHING, NOW)).toMatchObject({ isRight: false, broken: [checks[1]] })
})

test('what is no report is none', () => {
  expect(readLedgerReport({ checks: [], sums: [], orders: [] })).toBeDefined()
  for (const value of [null, [], {}, { checks: [], sums: [] }, { checks: [1], sums: [], orders: [] }]) {
    expect(readLedgerReport(value)).toBeUndefined()
  }
})
