import { describe, expect, test } from 'vitest'
import { findGone, findHandedOn } from './handed-on.ts'
import { readProject } from './project.ts'

const project = readProject()

test('no feature hands on more of its queries than it did, and the list is true', () => {
  expect(findHandedOn(project)).toEqual([])
  expect(findGone(project)).toEqual([])
})

describe('a main file', () => {
  const PATH = 'apps/server/src/claims/claims.ts'
  const found = (line: string, still: number) => findHandedOn([{ path: PATH, text: line }], { [PATH]: still })

  test.each([
    ["export { readClaim } from './claims.queries.ts'", 1],
    ["export { readClaim as claim, type ClaimRow, CLAIM_COLUMNS } from './claims.queries.ts'", 2],
    ["export { readStep } from '../invoices/steps.queries.ts'", 1],
  ])('hands on queries: %s', (line, count) => {
    expect(found(line, 0)).toEqual([expect.stringContaining(`hands on ${count} queries, 0 at most`)])
    expect(found(line, count)).toEqual([])
    expect(found(line, count + 1)).toEqual([expect.stringContaining('lower its number')])
  })

  test.each([
    ["export type { ClaimRow } from './claims.queries.ts'"],
    ["export { type ClaimRow } from './claims.queries.ts'"],
    ["export { openClaim } from './open-claims.ts'"],
    ["import { readClaim } from './claims.queries.ts'"],
    ['export const claim = 1'],
  ])('hands on none: %s', (line) => {
    expect(found(line, 0)).toEqual([])
  })

  test('a test and a file of queries may', () => {
    const text = "export { readClaim } from './claims.queries.ts'"
    const paths = ['claims.test.ts', 'more.queries.ts'].map((name) => `apps/server/src/claims/${name}`)
    expect(findHandedOn(paths.map((path) => ({ path, text })))).toEqual([])
  })
})
