/** What debtors paid of charges, divided by hand between their owners. Amounts are öre. */
import { expect, test } from 'vitest'
import { operatorsChanges, operatorsShare, type ChargeEntry } from './paid-charges.ts'

type Parts = readonly [principal: number, costs: number, interest: number]

function entry(kind: string, cause: string, parts: Parts, of: Partial<ChargeEntry> & { debt?: string } = {}) {
  const { debt = 'I', ...more } = of
  const [principalMinor, costsMinor, interestMinor] = parts
  const moves = [{ debt, principalMinor, costsMinor, interestMinor }]
  return { kind, cause, owner: null, restates: null, moves, ...more } satisfies ChargeEntry
}
const invoice = entry('INVOICE', 'invoice:I', [100_000, 0, 0])
const fee = entry('REMINDER', 'step:1', [0, 6_000, 0], { owner: 'OPERATOR' })
const interest = entry('INTEREST', 'interest:1', [0, 0, 900], { owner: 'CREDITOR' })
const paid = (...parts: Parts) => entry('PAYMENT', 'payment:1', parts)
const share = (...entries: ChargeEntry[]) => Object.fromEntries(operatorsShare(entries))

test('nothing is the operator’s before it is paid', () => {
  expect(share(invoice, fee, interest)).toEqual({ I: 0 })
})

test('a part of a fee, then all of it; the interest is the creditor’s', () => {
  const part = paid(0, -2_500, 0)
  expect(share(invoice, fee, interest, part)).toEqual({ I: 2_500 })
  const rest = entry('PAYMENT', 'payment:2', [-100_000, -3_500, -900])
  expect(share(invoice, fee, interest, part, rest)).toEqual({ I: 6_000 })
})

test('the oldest is paid first: 50.00 of the creditor’s fee, then the operator’s', () => {
  const old = entry('REMINDER', 'step:0', [0, 5_000, 0], { owner: 'CREDITOR' })
  expect(share(invoice, old, fee, paid(0, -7_000, 0))).toEqual({ I: 2_000 })
})

test('a charge from before owners were kept is as where nothing is agreed', () => {
  const old = entry('REMINDER', 'step:0', [0, 6_000, 0])
  expect(share(invoice, old, paid(0, -6_000, 0))).toEqual({ I: 6_000 })
})

test('a letter that was not sent: what was paid of its fee settles what is owed besides', () => {
  const unsent = entry('REVERSAL', 'unsent:1', [-6_000, 0, 0])
  expect(share(invoice, fee, paid(0, -6_000, 0), unsent)).toEqual({ I: 0 })
  const next = entry('REMINDER', 'step:2', [0, 6_000, 0], { owner: 'OPERATOR' })
  expect(share(invoice, fee, paid(0, -6_000, 0), unsent, next)).toEqual({ I: 0 })
})

test('a fee that is taken back pays the next fee', () => {
  const second = entry('COLLECTION', 'step:2', [0, 18_000, 0], { owner: 'OPERATOR' })
  const back = entry('REVERSAL', 'credited:step:1', [0, -6_000, 0])
  expect(share(invoice, fee, second, paid(0, -6_000, 0), back)).toEqual({ I: 6_000 })
})

test('what is waived, written off or credited was never paid', () => {
  const waived = entry('REVERSAL', 'waived:d:step:1', [0, -4_000, 0], { restates: 'step:1' })
  expect(share(invoice, fee, waived, paid(0, -2_000, 0))).toEqual({ I: 2_000 })
  expect(share(invoice, fee, entry('WRITE_OFF', 'written-off:1', [0, -6_000, 0]))).toEqual({ I: 0 })
  const note = entry('CREDIT_INVOICE', 'credit-note:1', [-100_000, -6_000, 0])
  expect(share(invoice, fee, note)).toEqual({ I: 0 })
})

test('a payment that is taken back, and the rest that was written off with it', () => {
  const rest = entry('WRITE_OFF', 'write-off:payment:1', [0, -2_000, 0])
  expect(share(invoice, fee, paid(-100_000, -4_000, 0), rest)).toEqual({ I: 4_000 })
  const back = entry('REVERSAL', 'reversal:payment:1', [100_000, 6_000, 0])
  expect(share(invoice, fee, paid(-100_000, -4_000, 0), rest, back)).toEqual({ I: 0 })
  const again = entry('PAYMENT', 'payment:2', [-100_000, -6_000, 0])
  expect(share(invoice, fee, paid(-100_000, -4_000, 0), rest, back, again)).toEqual({ I: 6_000 })
})

test('what joins a claim keeps its owner there: 20.00 was paid before, 40.00 on the claim with its own fee', () => {
  const joins: ChargeEntry = {
    ...entry('TRANSFER_TO_CLAIM', 'transfer:I', [0, 0, 0]),
    moves: [
      { debt: 'I', principalMinor: -100_000, costsMinor: -4_000, interestMinor: -900 },
      { debt: 'C', principalMinor: 100_000, costsMinor: 4_000, interestMinor: 900 },
    ],
  }
  const claimFee = entry('COLLECTION', 'step:c', [0, 18_000, 0], { owner: 'CREDITOR', debt: 'C' })
  const story = [invoice, fee, interest, paid(0, -2_000, 0), joins, claimFee]
  expect(share(...story)).toEqual({ I: 2_000, C: 0 })
  const onClaim = entry('PAYMENT', 'payment:2', [0, -10_000, 0], { debt: 'C' })
  expect(share(...story, onClaim)).toEqual({ I: 2_000, C: 4_000 })
  // The letter of the first fee never left: its 60.00 settle the claim's own fee.
  const unsent = entry('REVERSAL', 'unsent:1', [0, -6_000, 0], { debt: 'C' })
  expect(share(...story, onClaim, unsent)).toEqual({ I: 0, C: 0 })
})

test('an instalment of a plan takes fees along from its debt', () => {
  const out = entry('TRANSFER_TO_PLAN', 'plan:n:I', [-30_000, -6_000, 0])
  const bill = entry('INVOICE', 'invoice:B', [30_000, 6_000, 0], { debt: 'B' })
  const planFee = entry('ADMIN_FEE', 'admin_fee:n', [0, 2_900, 0], { owner: 'OPERATOR', debt: 'B' })
  const all = entry('PAYMENT', 'payment:2', [-30_000, -8_900, 0], { debt: 'B' })
  expect(share(invoice, fee, out, bill, planFee)).toEqual({ I: 0, B: 0 })
  expect(share(invoice, fee, out, bill, planFee, all)).toEqual({ I: 0, B: 8_900 })
})

test('what a court costs is the creditor’s, who has paid it', () => {
  const cost = entry('COURT_FEE', 'step:k', [0, 30_000, 0], { owner: 'OPERATOR' })
  expect(share(invoice, cost, paid(0, -30_000, 0))).toEqual({ I: 0 })
})

test('an invoice of interest that is the operator’s', () => {
  const bill = entry('INVOICE', 'invoice:B', [15_000, 0, 0], { owner: 'OPERATOR', debt: 'B' })
  const pays = entry('PAYMENT', 'payment:2', [-10_000, 0, 0], { debt: 'B' })
  expect(share(bill, pays)).toEqual({ B: 10_000 })
})

// 130.00 of 150.00 was paid and the rest given up. Of a credit of 50.00 the 20.00 are what was given up, and 30.00 are owed back.
test('what was given up and is credited later was not paid: 100.00 of the bill is left', () => {
  const bill = entry('INVOICE', 'invoice:B', [15_000, 0, 0], { owner: 'OPERATOR', debt: 'B' })
  const pays = entry('PAYMENT', 'payment:1', [-13_000, 0, 0], { debt: 'B' })
  const rest = entry('WRITE_OFF', 'write-off:payment:1', [-2_000, 0, 0], { debt: 'B' })
  const note = entry('CREDIT_INVOICE', 'credit-note:1', [-5_000, 0, 0], { debt: 'B' })
  const undone = entry('WRITE_OFF', 'write-off:credit-note:1', [2_000, 0, 0], { debt: 'B' })
  const owedBack = entry('REFUND', 'refund:credit-note:1', [3_000, 0, 0], { debt: 'B' })
  const story = [bill, pays, rest, note, undone, owedBack]
  expect(share(...story)).toEqual({ B: 10_000 })
  // The payment of 130.00 did not come after all: 100.00 is owed again, and what was given up has been undone before.
  const back = entry('REVERSAL', 'reversal:payment:1', [13_000, 0, 0], { debt: 'B' })
  const noLonger = entry('REFUND', 'reversal:refund:credit-note:1', [-3_000, 0, 0], { debt: 'B' })
  expect(share(...story, back, noLonger)).toEqual({ B: 0 })
})

test('each entry changes what the operator has got by what it paid or took back of its fees', () => {
  const back = entry('REVERSAL', 'reversal:payment:1', [0, 2_500, 0])
  const changes = operatorsChanges([invoice, fee, paid(0, -2_500, 0), back, paid(0, -7_000, 0)])
  expect(changes.map((of) => Object.fromEntries(of))).toEqual([
    {},
    {},
    { I: 2_500 },
    { I: -2_500 },
    { I: 6_000 },
  ])
})
