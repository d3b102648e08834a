import { describe, expect, test } from 'vitest'
import { breaksExportNames, breaksMigrations, breaksPathNames, findBarrels, findGoneWords } from './names.ts'
import { listProject, readProject } from './project.ts'

describe('this project', () => {
  const paths = listProject()
  const files = readProject()

  test('has named its folders and files', () => {
    expect(paths.length).toBeGreaterThan(50)
    expect(breaksPathNames(paths)).toEqual([])
  })

  test('has no barrels', () => {
    expect(findBarrels(files)).toEqual([])
  })

  test('exports words of the business', () => {
    expect(breaksExportNames(files)).toEqual([])
  })

  test('has no words that are gone', () => {
    expect(findGoneWords(files)).toEqual([])
  })

  test('gives each number to one migration', () => {
    expect(paths.some((path) => path.startsWith('apps/server/migrations/0001_'))).toBe(true)
    expect(breaksMigrations(paths)).toEqual([])
  })
})

test.each([
  'apps/server/src/utils/money.ts',
  'apps/server/src/payments/helpers.ts',
  'packages/ui/src/common/button.tsx',
  'packages/domain/src/types.ts',
  'apps/debtor/src/lib/api.ts',
  'apps/debtor/src/PayButton.tsx',
  'apps/debtor/src/pay_button.tsx',
  'apps/debtor/src/Payments/pay-button.tsx',
])('%s is no name', (path) => {
  expect(breaksPathNames([path])).toEqual([expect.stringContaining(path)])
})

test.each([
  'apps/server/src/payments/payments.queries.ts',
  'packages/ui/src/components/button.module.css',
  'apps/server/migrations/0001_foundation.sql',
  'packages/ui/README.md',
  'ARCHITECTURE.md',
])('%s is a name', (path) => {
  expect(breaksPathNames([path])).toEqual([])
})

test.each([
  ['packages/domain/src/index.ts', 'export const a = 1'],
  ['packages/domain/src/all.ts', "export * from './money.ts'\nexport const a = 1"],
  ['packages/domain/src/all.ts', "export { money } from './money.ts'"],
  ['packages/domain/src/all.ts', "import './a.ts'\nexport type { Money } from './money.ts'"],
])('%s with %s is a barrel', (path, text) => {
  expect(findBarrels([{ path, text }])).toHaveLength(1)
})

test.each([
  'export const a = 1',
  "export { money } from './money.ts'\nexport const a = 1",
  "import './a.ts'",
])('%s is none', (text) => {
  expect(findBarrels([{ path: 'packages/domain/src/money.ts', text }])).toEqual([])
})

test.each([
  ['export function processPayment() {}', 1],
  ['export const handleCallback = () => {}', 1],
  ['export class PaymentService {}', 1],
  ['export type JobManager = {}', 1],
  ['export default function handle() {}', 1],
  ['export function startPayment() {}', 0],
  ['export const processor = 1', 0],
  ['function handleClick() {}', 0],
])('%s: %i', (text, count) => {
  expect(breaksExportNames([{ path: 'apps/server/src/payments/payments.ts', text }])).toHaveLength(count)
})

test.each([
  [['0001_a.sql', '0001_b.sql'], 1],
  [['0001_a.sql', '0003_b.sql', '0003_c.sql', '0004_d.sql', '0004_e.sql'], 2],
  [['0001_a.sql', '0003_b.sql'], 0],
  [['1_a.sql'], 1],
  [['0001_a.sql', 'notes.txt'], 1],
  [['0001_a.sql', '0002_b_c.sql'], 0],
])('migrations %j: %i', (names, count) => {
  expect(breaksMigrations(names.map((name) => `apps/server/migrations/${name}`))).toHaveLength(count)
})

test.each([
  ["import { openFuse } from './fuse.ts'", 2],
  ['/** Kept per asker. */', 1],
  ['const runNightly = refuse(setAsideFor)', 0],
])('words that are gone in %s: %i', (text, count) => {
  expect(findGoneWords([{ path: 'apps/server/src/a.ts', text }])).toHaveLength(count)
  expect(findGoneWords([{ path: 'apps/debtor/src/a.ts', text }])).toEqual([])
})
