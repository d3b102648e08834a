/** `npm test -- --changed` knows each feature: tools/gate/reach.json names what is there, and misses no feature that can break. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakLine, chooseFile } from '../gate/break-line.mjs'
import { listFeatures, listImporters, planFor, readReach } from '../gate/changed.mjs'
import { listProject } from './project.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const files = listProject()
const reach = readReach()
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const importers = listImporters(files, readText)
const folders = listFeatures(files, reach)

test('what reach.json names is there', () => {
  const isFolder = (name: string): boolean =>
    name.includes('/')
      ? files.some((file) => file.startsWith(name))
      : folders.some((folder) => folder.endsWith(`/${name}/`))
  expect(
    Object.keys(reach).filter((name) => !isFolder(name)),
    'folders',
  ).toEqual([])
  const named = Object.values(reach).flatMap(({ tests = [], journeys = [] }) => [
    ...tests,
    ...journeys.map((journey) => `e2e/${journey}`),
  ])
  const isThere = (start: string): boolean =>
    files.some((file) => file.startsWith(start) && /\.(?:test|spec)\.ts$/.test(file))
  expect(
    named.filter((start) => !isThere(start)),
    'tests and journeys',
  ).toEqual([])
})

test('a broken line of each feature has tests of its own feature, not all', () => {
  const broken = folders.flatMap((folder) => chooseFile(folder, files, readText) ?? [])
  expect(broken.length).toBeGreaterThan(50)
  const withoutTests = broken.filter((path) => {
    const { tests, journeys, far } = planFor([path], { files, importers, reach })
    const own = tests.filter((test) => !test.startsWith('tools/'))
    return far.length > 0 || own.length + journeys.length === 0
  })
  expect(withoutTests).toEqual([])
})

test('a broken line finds nothing, or does not answer', () => {
  expect(breakLine('select a\n  where b = 1\n')).toBe('select a\n  where false and b = 1\n')
  expect(breakLine('f() {\n  return 1\n}')).toMatch(/broken on purpose'\)\n {2}return 1/)
})
