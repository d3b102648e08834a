import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import {
  canMovePlan,
  endsPlanOn,
  instalmentDueDate,
  instalmentSendDate,
  PLAN_MOVES,
  PLAN_STATUSES,
  withdrawUntil,
  type PlanMove,
  instalmentState,
} from './part-payment.ts'

test('a plan ends once, in one of four ways, and never moves again', () => {
  const allowed = (Object.keys(PLAN_MOVES) as PlanMove[]).flatMap((move) =>
    PLAN_STATUSES.flatMap((from) =>
      PLAN_STATUSES.filter((to) => canMovePlan(move, from, to)).map((to) => `${move}: ${from} -> ${to}`),
    ),
  )
  expect(allowed).toEqual([
    'complete: ACTIVE -> COMPLETED',
    'default: ACTIVE -> DEFAULTED',
    'withdraw: ACTIVE -> WITHDRAWN',
    'stop: ACTIVE -> STOPPED',
  ])
})

test.each([
  ['2026-11-20', 1, '2026-12-20'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-01-31', 2, '2026-03-31'],
  ['2027-11-30', 3, '2028-02-29'],
])('started on %s, instalment %i is due on %s', (start, number, due) => {
  expect(instalmentDueDate(date(start), number)).toBe(due)
})

test('an instalment is billed its terms before the due date, and not before the plan began', () => {
  const startedOn = date('2026-02-01')
  expect(instalmentSendDate(date('2026-03-01'), { termsDays: 14, startedOn })).toBe('2026-02-15')
  expect(instalmentSendDate(date('2026-03-01'), { termsDays: 28, startedOn })).toBe('2026-02-01')
  expect(instalmentSendDate(date('2026-02-10'), { termsDays: 28, startedOn })).toBe('2026-02-01')
})

test.each([
  // Noticed two days after the due date: the month is what takes longer.
  ['2026-03-01', '2026-03-03', '2026-04-01'],
  // Noticed late: the four weeks are.
  ['2026-03-01', '2026-03-20', '2026-04-17'],
])('due on %s and noticed on %s, a missed instalment ends the plan on %s', (dueDate, noticeOn, ends) => {
  expect(endsPlanOn({ dueDate: date(dueDate), noticeOn: date(noticeOn) })).toBe(ends)
})

test('fourteen days to withdraw, the day of the agreement not counted', () => {
  expect(withdrawUntil(date('2026-11-20'))).toBe('2026-12-04')
})

test.each([
  ['2026-11-20', undefined, 'TO_COME'],
  ['2026-11-20', 'ACTIVATED', 'DUE'],
  ['2026-11-19', 'ACTIVATED', 'LATE'],
  ['2026-11-19', 'CLOSED', 'PAID'],
  ['2026-11-19', 'STOPPED', 'STOPPED'],
])('an instalment due %s whose bill is %s is %s on 20 November', (dueDate, status, state) => {
  expect(instalmentState(dueDate, status === undefined ? undefined : { status }, '2026-11-20')).toBe(state)
})
