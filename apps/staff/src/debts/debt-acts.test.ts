import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { bodyOf, formOf, mostDaysOf, type ActedDebt, type DebtAct } from './debt-acts.ts'

const debt: ActedDebt = {
  number: '261111',
  name: 'Alva',
  today: '2026-11-20',
  expireDate: '2026-11-30',
  currency: 'SEK',
  balances: { total: 1310, costs: 60, interest: 0 },
  creditable: 1250,
  mostDays: mostDaysOf('clerk'),
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

test.each([
  ['pause', { until: '2026-12-04', reason: ' Asked ' }, { until: '2026-12-04', reason: 'Asked' }],
  ['credit', { amount: '', reason: 'Wrong' }, { reason: 'Wrong' }],
  ['credit', { amount: '1 000,50', reason: 'Wrong' }, { amount: '1000.50', reason: 'Wrong' }],
  [
    'credit',
    { row: '{"line":"2","quantity":"3"}', amount: '', reason: 'Wrong' },
    { rows: [{ line: '2', quantity: '3' }], reason: 'Wrong' },
  ],
  [
    'credit',
    { row: '{"line":"2","quantity":"3"}', amount: '10,5', reason: 'Wrong' },
    { rows: [{ line: '2', amount: '10.5' }], reason: 'Wrong' },
  ],
  ['credit', { row: '', amount: '', reason: 'Wrong' }, { reason: 'Wrong' }],
  ['waive', { what: 'costs', amount: '', reason: 'Late letter' }, { costs: true, reason: 'Late letter' }],
  ['waive', { what: 'interest', amount: '5', reason: 'x' }, { interest: true, amount: '5', reason: 'x' }],
  [
    'direct-payment',
    { amount: '1310,00', date: '2026-11-20', note: '' },
    { amount: '1310.00', date: '2026-11-20' },
  ],
  ['stop', { reason: 'OTHER', note: 'Moved' }, { reason: 'OTHER', note: 'Moved' }],
  ['to-collection', { ground: 'Never pays' }, { ground: 'Never pays' }],
  ['apply-to-court', {}, { confirm: true }],
  ['approve', {}, {}],
] as const)('the body of %s', (act, values, body) => {
  expect(bodyOf(act, values)).toEqual(body)
})

const field = (act: DebtAct, name: string, of = debt) =>
  formOf(act, of).fields.find((one) => one.name === name)

test.each([
  ['direct-payment', 'amount', '1310,00', true],
  ['direct-payment', 'amount', '1310,01', false],
  ['direct-payment', 'amount', '0', false],
  ['direct-payment', 'amount', '10,005', false],
  ['direct-payment', 'date', '2026-11-20', true],
  ['direct-payment', 'date', '2026-11-21', false],
  ['credit', 'amount', '1250', true],
  ['credit', 'amount', '1250,01', false],
  ['waive', 'amount', '60,01', false],
  ['pause', 'until', '2026-11-20', false],
  ['pause', 'until', '2026-11-21', true],
  ['pause', 'until', '2027-02-18', true],
  ['pause', 'until', '2027-02-19', false],
  ['more-time', 'until', '2026-11-30', false],
  ['more-time', 'until', '2026-12-01', true],
  ['pause', 'reason', 'x'.repeat(500), true],
  ['pause', 'reason', 'x'.repeat(501), false],
] as const)('%s: %s %s may stand: %s', (act, name, value, may) => {
  expect(field(act, name)?.check?.(value) === undefined).toBe(may)
})

test('only what was charged can be waived, and a usual day is one that may be chosen', () => {
  expect(field('waive', 'what')?.choices?.map(({ value }) => value)).toEqual(['costs'])
  for (const act of ['pause', 'more-time'] as const) {
    const until = field(act, 'until', { ...debt, expireDate: '2027-02-10' })
    expect(until?.check?.(until.initial ?? ''), act).toBeUndefined()
  }
})

test('a row is chosen where there is more than one', () => {
  const row = (line: string) => ({ line, description: `Row ${line}`, quantity: '1' })
  expect(field('credit', 'row', { ...debt, rows: [row('1')] })).toBeUndefined()
  const choices = field('credit', 'row', { ...debt, rows: [row('1'), row('2')] })?.choices
  expect(choices?.map(({ text }) => text)).toEqual(['act.credit.all_rows', 'Row 1', 'Row 2'])
})
