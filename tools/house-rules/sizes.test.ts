import { describe, expect, test } from 'vitest'
import { listProject, readProject } from './project.ts'
import { findFullFolders, findLongFiles, findLongFunctions, findManyParameters } from './sizes.ts'

describe('this project', () => {
  const files = readProject()

  test('has files that can be read in one sitting', () => {
    expect(findLongFiles(files)).toEqual([])
  })

  test('has folders that are seen through at a glance', () => {
    expect(findFullFolders(listProject())).toEqual([])
  })

  test('has functions that fit on two screens', () => {
    expect(findLongFunctions(files)).toEqual([])
  })

  test('has calls that can be read without counting', () => {
    expect(findManyParameters(files)).toEqual([])
  })
})

const lines = (count: number) => Array.from({ length: count }, () => 'call()').join('\n')

test('no type is asked to be one of all calls: the compiler would compare the schemas of each with those of each', () => {
  const asks = /\bextends Call\b(?! extends)/
  const found = readProject().filter(
    ({ path, text }) =>
      asks.test(text) &&
      /^(?:apps|packages)\/(?:office|ui|domain|staff|debtor)\/src\//.test(path) &&
      /calls\.ts'|AnyCall/.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
  expect(asks.test('ask: <C extends Call>(call: C) => void')).toBe(true)
})

test('a long file is seen, a test may be longer', () => {
  expect(findLongFiles([{ path: 'apps/server/src/a.ts', text: lines(321) }])).toHaveLength(1)
  expect(findLongFiles([{ path: 'packages/ui/src/a.css', text: lines(321) }])).toHaveLength(1)
  expect(findLongFiles([{ path: 'apps/server/src/a.ts', text: `${lines(320)}\n` }])).toEqual([])
  expect(findLongFiles([{ path: 'apps/server/src/a.test.ts', text: lines(600) }])).toEqual([])
  expect(findLongFiles([{ path: 'apps/server/src/a.test.ts', text: lines(601) }])).toHaveLength(1)
  expect(findLongFiles([{ path: 'apps/server/migrations/0001_a.sql', text: lines(2000) }])).toEqual([])
})

test('a long function is seen', () => {
  const functionOf = (count: number) => [
    { path: 'apps/server/src/a.ts', text: `const a = () => {\n${lines(count)}\n}` },
  ]
  expect(findLongFunctions(functionOf(79))).toEqual([expect.stringContaining('apps/server/src/a.ts:1 ')])
  expect(findLongFunctions(functionOf(78))).toEqual([])
})

test('a fifth parameter is seen', () => {
  const file = (parameters: string) => [
    { path: 'apps/server/src/a.ts', text: `function a(${parameters}) {}` },
  ]
  expect(findManyParameters(file('a, b, c, d, e'))).toHaveLength(1)
  expect(findManyParameters(file('a, b, c, d'))).toEqual([])
  expect(findManyParameters(file('{ a, b, c, d, e }'))).toEqual([])
})

test('a full folder is seen, and a file too deep below src', () => {
  const filesOf = (folder: string, count: number, ending = '.ts') =>
    Array.from({ length: count }, (_, index) => `${folder}/file-${index}${ending}`)
  const folder = 'apps/server/src/payments'
  expect(findFullFolders(filesOf(folder, 26))).toEqual([`${folder}/ has 26 files, 25 are the most`])
  expect(findFullFolders([...filesOf(folder, 25), ...filesOf(folder, 40, '.test.ts')])).toEqual([])
  expect(findFullFolders(filesOf('apps/server/migrations', 90, '.sql'))).toEqual([])
  expect(findFullFolders([`${folder}/a/b/c.ts`])).toEqual([])
  expect(findFullFolders([`${folder}/a/b/c/d.ts`])).toHaveLength(1)
})
