/** What a visitor has to load before the first screen, as the debtor portal is built from these sources. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../apps/debtor', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kvitt-portal-'))
const KB = 1000

beforeAll(() => {
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
  const command = [vite, 'build', '--logLevel', 'error', '--emptyOutDir', '--outDir', folder]
  execFileSync(process.execPath, command, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Files = {
  readonly style: string
  readonly entry: readonly string[]
  readonly languages: Readonly<Record<string, string>>
  readonly words: Readonly<Record<string, string>>
  readonly views: Readonly<
    Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>
  >
}

const page = (): string => readFileSync(join(folder, 'index.html'), 'utf8')

/** What the head script begins with. */
function files(): Files {
  const written = /const files=(\{.*?\});/.exec(page())?.[1]
  if (!written) throw new Error('the head names no files')
  return JSON.parse(written) as Files
}

const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.br`)).length, 0)

test('the first script is at most 85 kB and the whole style sheet of it at most 10', () => {
  expect(sizeOf(files().entry)).toBeLessThanOrEqual(85 * KB)
  expect(sizeOf([files().style])).toBeLessThanOrEqual(10 * KB)
})

test('what the first screen says and what everything else says are at most 6 kB each', () => {
  expect(Object.keys(files().languages).sort()).toEqual(['da', 'en', 'fi', 'nb', 'sv'])
  for (const [language, name] of Object.entries(files().languages)) {
    expect(sizeOf([name]), language).toBeLessThanOrEqual(6 * KB)
    expect(sizeOf([files().words[language] ?? '']), language).toBeLessThanOrEqual(6 * KB)
    const more = readdirSync(join(folder, 'assets')).filter((file) => file.startsWith(`_more_${language}`))
    expect(more.filter((file) => file.endsWith('.js')).length).toBe(1)
    expect(
      sizeOf(more.filter((file) => file.endsWith('.js')).map((file) => `assets/${file}`)),
      language,
    ).toBeLessThanOrEqual(6 * KB)
  }
})

test('the page with its screens and style is at most 8 kB as it is sent, without what a tenant adds', () => {
  const screens = JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as Record<
    string,
    { home: Record<string, string>; opening: string; lost: string }
  >
  for (const [language, { home, opening, lost }] of Object.entries(screens)) {
    expect(Object.keys(home).sort()).toEqual(['', 'BANKID', 'BANKID,PAYMENT_REFERENCE', 'PAYMENT_REFERENCE'])
    for (const [logins, screen] of Object.entries(home)) {
      const html = page()
        .replace('<!--kvitt:home-->', screen)
        .replace('<!--kvitt:opening-->', opening)
        .replace('<!--kvitt:lost-->', lost)
      const sent = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      // A tenant's name, colours and answer take 380 bytes more.
      expect(sent.length, `${language} ${logins}`).toBeLessThanOrEqual(8 * KB - 380)
    }
  }
})

test('the first screens have their words', () => {
  const screens = readFileSync(join(folder, 'screens.json'), 'utf8')
  expect(screens).toContain('Se och betala din faktura')
  expect(screens.match(/>[a-z_]+\.[a-z_]+</g)).toBeNull()
})

test('what a page of its own adds is at most 15 kB of script', () => {
  const { views } = files()
  expect(Object.keys(views)).toContain('invoice')
  for (const [view, { scripts }] of Object.entries(views)) {
    expect(sizeOf(scripts), view).toBeLessThanOrEqual(15 * KB)
  }
})

test('the page has no handler, no style attribute and no script without a nonce', () => {
  const screens = readFileSync(join(folder, 'screens.json'), 'utf8').replaceAll('\\"', '"')
  for (const html of [page(), screens]) {
    expect(html).not.toMatch(/<[^>]*\son\w+=/)
    expect(html).not.toMatch(/<[^>]*\sstyle=/)
    expect(html).not.toMatch(/<(?:script|style)(?![^>]*nonce=)/)
  }
})

test('every asset has its compressed twins', () => {
  const names = readdirSync(join(folder, 'assets')).filter((name) => /\.(?:js|css|svg)$/.test(name))
  expect(names.length).toBeGreaterThan(8)
  for (const name of names) {
    expect(existsSync(join(folder, 'assets', `${name}.br`)), name).toBe(true)
    expect(existsSync(join(folder, 'assets', `${name}.gz`)), name).toBe(true)
  }
})
