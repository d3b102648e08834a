import { expect, test } from 'vitest'
import { stateText } from './flag-state.ts'

const OPEN = { answer: null, filedWith: null, filedOn: null, endedOn: null } as const

test.each([
  [OPEN, 'Waits for an answer'],
  [
    { ...OPEN, answer: 'FILED', filedWith: 'ESTATE', filedOn: '2026-11-20' },
    'Filed: The estate, 20 November 2026',
  ],
  // A creditor is not told with whom.
  [{ ...OPEN, answer: 'FILED' }, 'Filed'],
  [{ ...OPEN, answer: 'GO_ON' }, 'Collection goes on'],
  [{ ...OPEN, answer: 'STOP', endedOn: '2026-11-21' }, 'Ended 21 November 2026'],
] as const)('%o is told as %s', (flag, told) => {
  expect(stateText(flag)).toBe(told)
})
