import { expect, test } from 'vitest'
import { groupOf } from './task-groups.ts'

test.each([
  [null, 'todo.no_date'],
  ['2026-11-19', 'todo.late'],
  ['2026-11-20', 'todo.today'],
  ['2026-11-21', 'todo.week'],
  ['2026-11-27', 'todo.week'],
  ['2026-11-28', 'todo.later'],
])('%s is %s', (deadline, group) => {
  expect(groupOf(deadline, '2026-11-20')).toBe(group)
})
