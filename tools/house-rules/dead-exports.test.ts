import { describe, expect, test } from 'vitest'
import { findDeadExports } from './dead-exports.ts'
import { readProject, type ProjectFile } from './project.ts'

const file = (path: string, ...lines: string[]): ProjectFile => ({ path, text: lines.join('\n') })

test('what only tests use is not in this project', () => {
  expect(findDeadExports(readProject())).toEqual([])
})

describe('an export that a test imports', () => {
  const PATH = 'packages/domain/src/money.ts'
  const asTest = file('packages/domain/src/money.test.ts', "import { share } from './money.ts'")
  const found = (...others: ProjectFile[]) => findDeadExports([asTest, ...others])
  const money = file(PATH, 'export const share = () => 1')

  test.each([
    ['a constant', 'export const share = () => 1'],
    ['a function, also one that calls itself', 'export function share(n) { return n }'],
    ['a type', 'export type share = string'],
    ['a name that is exported by itself', 'const share = 1', 'export { share }'],
    ['a field of that name is no use', 'export const share = 1', 'const other = { share: 2 }', 'other.share'],
  ])('is dead: %s', (_what, ...lines) => {
    expect(found(file(PATH, ...lines))).toEqual([
      expect.stringMatching(/money\.ts:\d share: only tests use it/),
    ])
  })

  test.each([
    ['by name', "import { share } from '../money.ts'"],
    ['under another name', "import { share as part } from '@kvitt/domain/money.ts'"],
    ['as a type', "import type { share } from '../money.ts'"],
    ['handed on', "export { share } from '../money.ts'"],
    ['as a whole', "import * as money from '../money.ts'"],
    ['when it is needed', "const { share } = await import('../money.ts')"],
  ])('is alive when the product imports it %s', (_how, line) => {
    expect(found(money, file('packages/domain/src/invoices/invoice.ts', line))).toEqual([])
  })

  test.each([
    ['a call', 'export const share = () => 1', 'export const twice = () => share() * 2'],
    ['a type', 'export type share = string', 'export const a = (b: share) => b'],
    ['a part of a screen', 'export const share = () => 1', 'export const page = () => <share />'],
    ['a short field', 'export const share = 1', 'export const all = { share }'],
  ])('is alive when its own file uses it: %s', (_what, ...lines) => {
    const screen = { ...file(PATH.replace('.ts', '.tsx'), ...lines) }
    const test = file('packages/domain/src/money.test.ts', "import { share } from './money.tsx'")
    expect(findDeadExports([test, screen])).toEqual([])
  })

  test('is dead when only a benchmark uses it besides, and alive when vectors or the lab do', () => {
    const use = "import { share } from '@kvitt/domain/money.ts'"
    expect(found(money, file('bench/load.ts', use))).toHaveLength(1)
    expect(found(money, file('tools/vectors/credit.ts', use))).toEqual([])
    expect(found(money, file('apps/debtor/lab/parts.tsx', use))).toEqual([])
  })

  test('what nobody imports is for knip to find', () => {
    expect(findDeadExports([money])).toEqual([])
  })
})
