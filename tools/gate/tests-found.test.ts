/** A test that nothing runs proves nothing. */
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { readProject } from '../house-rules/project.ts'

type Config = { test: { projects: { test: { name: string; include: string[] } }[] } }

/** Not of this program's types: by its name alone. */
const CONFIG = new URL('../../vitest.config.ts', import.meta.url).href
const { default: config } = (await import(CONFIG)) as { default: Config }

const tests = readProject().filter(({ path }) => /\.(?:test|spec)\.tsx?$/.test(path))

test('every file of tests belongs to one project', () => {
  expect(tests.length).toBeGreaterThan(400)
  const of = (path: string) =>
    config.test.projects.filter(({ test: { include } }) => include.some((glob) => matchesGlob(path, glob)))
  expect(tests.filter(({ path }) => of(path).length !== 1).map(({ path }) => path)).toEqual([])
})

test('whatever is longer in the soak is in the soak', () => {
  const soak = readFileSync(new URL('../soak.mjs', import.meta.url), 'utf8')
  const long = [...soak.matchAll(/^ {2}'((?:apps|e2e)\/[^']+)',$/gm)].map(([, path = '']) => path)
  expect(long.length).toBeGreaterThan(20)
  const isLonger = (text: string) => /process\.env\.SOAK\b|\/sample\.ts'/.test(text)
  const forgotten = tests.filter(
    ({ path, text }) => isLonger(text) && !long.some((begin) => path.startsWith(begin)),
  )
  expect(forgotten.map(({ path }) => path)).toEqual([])
  expect(long.filter((begin) => !tests.some(({ path }) => path.startsWith(begin)))).toEqual([])
})
