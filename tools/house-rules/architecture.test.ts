/** The pages that say where things are name only what is there, and the first of them stays a page. */
import { expect, test } from 'vitest'
import { findLostNames, findLostPaths } from './architecture.ts'
import { readProject } from './project.ts'

const project = readProject()
const first = project.filter(({ path }) => path === 'ARCHITECTURE.md')
const decisions = project.filter(({ path }) => path.startsWith('docs/decisions/'))

test('the paths in ARCHITECTURE.md and in the decisions exist', () => {
  expect(decisions.length).toBeGreaterThan(20)
  expect([...first, ...decisions].flatMap((page) => findLostPaths(page, project))).toEqual([])
})

test('a number is one decision’s, and its heading has it', () => {
  const numbers = decisions.map(({ path }) => path.slice('docs/decisions/'.length).slice(0, 3))
  expect(numbers.filter((one, place) => numbers.indexOf(one) !== place)).toEqual([])
  const astray = decisions.filter(({ text }, place) => !text.startsWith(`# ${numbers[place]}`))
  expect(astray.map(({ path }) => path)).toEqual([])
})

test('what ARCHITECTURE.md names stands in the file that it names beside it', () => {
  expect(first.flatMap((page) => findLostNames(page, project))).toEqual([])
})

test('ARCHITECTURE.md is one page', () => {
  expect(first[0]?.text.match(/\S+/g)?.length).toBeLessThanOrEqual(900)
})

const files = [
  { path: 'apps/server/src/payments/settle.ts', text: 'export function recordPaymentResult() {}' },
]
const lost = (text: string): string[] => [
  ...findLostPaths({ path: 'ARCHITECTURE.md', text }, files),
  ...findLostNames({ path: 'ARCHITECTURE.md', text }, files),
]

test.each([
  '`apps/server/src/payments/settle.ts`',
  '`payments/settle.ts` `recordPaymentResult`',
  '`noPathBesideIt`, `@scope/package` and `/api/public`',
  '```\napps/server/src/\n  payments/  what settles\n```',
])('%s is there', (text) => {
  expect(lost(text)).toEqual([])
})

test.each([
  '`apps/server/src/payments/settled.ts`',
  '`payment/settle.ts`',
  '`payments/settle.ts` `recordResult`',
  '`settled/`',
  '```\napps/server/src/\n  refunds/  what goes back\n```',
])('%s is found', (text) => {
  expect(lost(text)).toHaveLength(1)
})
