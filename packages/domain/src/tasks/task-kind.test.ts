import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { TASK_GUIDES } from './task-acts.ts'
import { ALL_TASKS, deadlineOf, isTaskKind, SETTLED_BY_HAND, TASK_KINDS, type TaskKind } from './task-kind.ts'

test.each([
  // 2026-06-01 is a Monday; 6 June (a Saturday) is Sweden's national day, 19 June its Midsummer Eve (a Friday).
  ['the day it is made on is not counted', 'payment_late', '2026-06-01', 'SE', '2026-06-02'],
  ['five days that end on a Saturday go on to Monday', 'refund', '2026-06-01', 'SE', '2026-06-08'],
  ['a question: five days that end on a holiday go on', 'question_asked', '2026-06-01', 'SE', '2026-06-08'],
  ['fourteen calendar days', 'dispute_to_answer', '2026-06-01', 'SE', '2026-06-15'],
  [
    'a day that ends on a holiday goes on to the next bank day',
    'payment_late',
    '2026-06-18',
    'SE',
    '2026-06-22',
  ],
  ['the same day is a bank day in Norway', 'payment_late', '2026-06-18', 'NO', '2026-06-19'],
  ['two bank days from Monday', 'bank_line', '2026-06-01', 'SE', '2026-06-03'],
  ['two bank days from Thursday go over the weekend', 'bank_line', '2026-06-04', 'SE', '2026-06-08'],
  ['a bank day from a Sunday', 'bank_file_missing', '2026-06-07', 'SE', '2026-06-08'],
  ['two bank days over Midsummer', 'bank_line', '2026-06-18', 'SE', '2026-06-23'],
  ['two bank days over Christmas', 'bank_line', '2026-12-23', 'SE', '2026-12-29'],
  // 28 days after 26 November 2026: Christmas Eve.
  ['what the law has set goes on to no later day', 'data_request', '2026-11-26', 'SE', '2026-12-24'],
  ['a country without a list keeps the European days', 'bank_line', '2026-04-02', 'DE', '2026-04-08'],
] as const)('%s', (_what, kind, madeOn, country, last) => {
  expect(deadlineOf(kind, date(madeOn), country)).toBe(last)
})

test.each(['rate_unknown', 'ceiling_unknown', 'audit_cut'] as const)('%s has no last day', (kind) => {
  expect(deadlineOf(kind, date('2026-06-01'), 'SE')).toBeNull()
})

test('a kind is one of the list, and nothing that an object has besides', () => {
  for (const kind of Object.keys(TASK_KINDS)) expect(isTaskKind(kind)).toBe(true)
  expect(isTaskKind('toString')).toBe(false)
  expect(isTaskKind('REFUND' satisfies string as TaskKind)).toBe(false)
})

test('the portal and the command end the same kinds by saying that they are settled', () => {
  expect([...SETTLED_BY_HAND].sort()).toEqual(
    ALL_TASKS.filter((kind) => TASK_GUIDES[kind].acts.includes('settled')).sort(),
  )
})
