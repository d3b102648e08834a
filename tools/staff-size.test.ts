/** What staff have to load before the to-do list, as the portals of staff are built from these sources. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../apps/staff', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kvitt-staff-'))
const KB = 1000

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

let chunks: Readonly<Record<string, Chunk>> = {}

beforeAll(() => {
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
  const command = [
    vite,
    'build',
    '--logLevel',
    'error',
    '--manifest',
    'manifest.json',
    '--emptyOutDir',
    '--outDir',
    folder,
  ]
  execFileSync(process.execPath, command, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } })
  chunks = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as typeof chunks
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files that a chunk comes with. */
function filesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = chunks[name]
    if (!chunk) throw new Error(`there is no ${name}`)
    if (found.has(chunk.file)) continue
    found.add(chunk.file)
    filesOf(chunk.imports ?? [], found)
  }
  return found
}

const sizeOf = (files: ReadonlySet<string>): number =>
  [...files].reduce((sum, file) => sum + readFileSync(join(folder, `${file}.br`)).length, 0)

test('the to-do list is at most 160 kB of script, in each language', () => {
  const languages = (chunks['index.html']?.dynamicImports ?? []).filter((name) =>
    name.startsWith('language:'),
  )
  expect(languages).toHaveLength(5)
  for (const language of languages) {
    const files = filesOf(['index.html', 'src/tasks/to-do-page.tsx', language])
    expect(files.size).toBeGreaterThan(3)
    const size = sizeOf(files)
    expect(size, language).toBeGreaterThan(50 * KB)
    expect(size, language).toBeLessThanOrEqual(160 * KB)
  }
})

test('every other view is a script of its own', () => {
  const first = filesOf(['index.html'])
  const views = (chunks['index.html']?.dynamicImports ?? []).filter((name) => name.endsWith('-page.tsx'))
  expect(views.length).toBeGreaterThan(10)
  for (const view of views) expect(first.has(chunks[view]?.file ?? ''), view).toBe(false)
})
