import { expect, test } from 'vitest'
import { breaksOracle, findLongOracle } from './oracle.ts'
import { readProject } from './project.ts'

const PATH = 'apps/server/src/testing/oracle/debt.ts'

test('the oracle is there, short, and imports nothing of the product', () => {
  const project = readProject()
  expect(project.map(({ path }) => path)).toContain(PATH)
  expect(breaksOracle(project)).toEqual([])
  expect(findLongOracle(project)).toEqual([])
})

test.each([
  "import { money } from '@kvitt/domain/money.ts'",
  "import type { Debt } from '@kvitt/domain/ledger/booking.ts'",
  "import { addDays } from '../../../../../packages/domain/src/calendar.ts'",
  "import { build } from '../build.ts'",
  "export * from '../../ledger/ledger.ts'",
  "const server = await import('../../main.ts')",
  "import { expect } from 'vitest'",
  "import pg from 'pg'",
])('it may not: %s', (text) => {
  expect(breaksOracle([{ path: PATH, text }])).toHaveLength(1)
})

test.each([
  [PATH, "import { readFileSync } from 'node:fs'"],
  [PATH, "import { feeOf } from './law.ts'"],
  ['apps/server/src/testing/oracle/oracle.test.ts', "import { expect } from 'vitest'"],
  ['apps/server/src/testing/judged/play.ts', "import { money } from '@kvitt/domain/money.ts'"],
])('%s may: %s', (path, text) => {
  expect(breaksOracle([{ path, text }])).toEqual([])
})

test('600 lines are too many, comments and empty ones not counted', () => {
  const lines = (count: number) => [{ path: PATH, text: 'x\n'.repeat(count) }]
  expect(findLongOracle(lines(599))).toEqual([])
  expect(findLongOracle(lines(600))).toHaveLength(1)
  expect(findLongOracle([{ path: PATH, text: '/** a */\n\n// b\nx\n'.repeat(599) }])).toEqual([])
  expect(findLongOracle([...lines(599), { path: PATH.replace('debt', 'oracle.test'), text: 'x\n' }])).toEqual(
    [],
  )
})
