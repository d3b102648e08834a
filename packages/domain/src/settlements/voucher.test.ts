import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { ACCOUNT_ROLES, accountPlanOn, BAS_PLAN } from './account-plan.ts'
import { SETTLEMENT_LINE_KINDS, type SettlementLineKind } from './settlement.ts'
import { effectOfLine, voucherOf, type DebtParts, type VoucherLine } from './voucher.ts'

const DAY = date('2026-11-08')
const NONE: DebtParts = { principalMinor: 0, costsMinor: 0, interestMinor: 0 }

/** `minor` as a settlement's line has it. */
const line = (kind: SettlementLineKind, minor: number, parts: Partial<DebtParts> = {}): VoucherLine => ({
  kind,
  date: DAY,
  effectMinor: effectOfLine(kind, minor),
  ...NONE,
  ...parts,
})

const posted = (lines: readonly VoucherLine[]) => voucherOf(lines).map(({ role, minor }) => [role, minor])

test('what came is credited to what it paid, what is taken off is debited, and the rest is the payout', () => {
  const lines = [
    line('COLLECTED', 106_050, { principalMinor: 100_000, costsMinor: 6_000, interestMinor: 50 }),
    line('COMMISSION', 5_000),
    line('VAT', 1_250),
    line('COURT_OUTLAY', 30_000),
  ]
  expect(posted(lines)).toEqual([
    ['receivable', -100_000],
    ['costs', -6_000],
    ['interest', -50],
    ['fees', 5_000],
    ['vat', 1_250],
    ['outlay', 30_000],
    ['payout', 69_800],
  ])
})

test('what is carried waits on its account, and comes back from there', () => {
  expect(posted([line('COLLECTED', 4_500, { principalMinor: 4_500 }), line('CARRIED_OUT', 4_500)])).toEqual([
    ['receivable', -4_500],
    ['carried', 4_500],
  ])
  expect(posted([line('CARRIED_IN', -4_500)])).toEqual([
    ['carried', -4_500],
    ['payout', 4_500],
  ])
})

test('what came to an account of the creditor’s own is at its bank, and what paid no debt is owed back', () => {
  expect(posted([line('PAID_TO_CREDITOR', 20_000)])).toEqual([
    ['bank', 20_000],
    ['payout', -20_000],
  ])
  expect(posted([line('COLLECTED', 700, { principalMinor: 500 })])).toEqual([
    ['receivable', -500],
    ['owedBack', -200],
    ['payout', 700],
  ])
})

test.each(SETTLEMENT_LINE_KINDS)('a voucher with %s comes to nothing', (kind) => {
  for (const minor of [1, -1, 123_457]) {
    const postings = voucherOf([line(kind, minor, { principalMinor: 1, costsMinor: -3 }), line('VAT', 77)])
    expect(postings.reduce((sum, posting) => sum + posting.minor, 0)).toBe(0)
  }
})

test('the last word about a day holds, and what it leaves out is as BAS has it', () => {
  const fees = { number: '6990', name: 'Externt' }
  const later = { number: '6991', name: 'Externt, nytt' }
  const chosen = [
    { from: '2026-01-01', accounts: { fees } },
    { from: '2026-11-01', accounts: {} },
    { from: '2026-11-01', accounts: { fees: later } },
  ]
  expect(accountPlanOn(chosen, '2025-12-31')).toEqual(BAS_PLAN)
  expect(accountPlanOn(chosen, '2026-10-31')).toEqual({ ...BAS_PLAN, fees })
  expect(accountPlanOn(chosen, '2026-11-01')).toEqual({ ...BAS_PLAN, fees: later })
  expect(Object.keys(BAS_PLAN)).toEqual([...ACCOUNT_ROLES])
})
