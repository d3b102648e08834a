import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Entry = { version?: string; optionalDependencies?: Record<string, string> }

const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}

/** Where Node would find `name` from the package at `path`: its own node_modules, then those above it. */
function findPackage(path: string, name: string): Entry | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const found = lockfile.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]
    if (found !== undefined || folder === '') return found
  }
}

// npm leaves out what the registry at hand does not offer, and then refuses its own lockfile on the next computer.
test('the lockfile names every optional package, those of other platforms included', () => {
  const missing = Object.entries(lockfile.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => findPackage(path, name) === undefined),
  )
  expect(missing).toEqual([])
  expect(findPackage('node_modules/rolldown', '@rolldown/binding-linux-x64-gnu')?.version).toMatch(/^\d/)
})
