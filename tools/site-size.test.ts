/** What a visitor of the homepage or the support site loads, as they are built from these sources. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const KB = 1000
const LANGUAGES = ['da', 'en', 'fi', 'nb', 'sv']

describe.each(['home', 'support'])('%s', (site) => {
  const folder = mkdtempSync(join(tmpdir(), `kvitt-${site}-`))
  beforeAll(() => {
    const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
    const command = [vite, 'build', '--logLevel', 'error', '--emptyOutDir', '--outDir', folder]
    const cwd = fileURLToPath(new URL(`../apps/${site}`, import.meta.url))
    execFileSync(process.execPath, command, { cwd, env: { ...process.env, NODE_ENV: 'production' } })
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Each page by its place, such as `sv/waiting`. */
  const pages = (): [string, string][] =>
    readdirSync(join(folder, 'pages'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        entry.parentPath.slice(folder.length + '/pages/'.length),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ])

  test('all script together is at most 30 kB', () => {
    const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js.br'))
    expect(scripts.length).toBeGreaterThan(1)
    const sent = scripts.reduce((sum, name) => sum + readFileSync(join(folder, 'assets', name)).length, 0)
    expect(sent).toBeLessThanOrEqual(30 * KB)
  })

  test('a page is at most 15 kB as it is sent', () => {
    for (const [place, html] of pages()) {
      const sent = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      // A tenant's name, colours and addresses take the rest.
      expect(sent.length, place).toBeLessThanOrEqual(15 * KB - 400)
    }
  })

  test('every page is there in five languages, with its words', () => {
    const places = pages().map(([place]) => place)
    const paths = new Set(places.map((place) => place.slice(3)))
    expect([...places].sort()).toEqual(
      LANGUAGES.flatMap((language) =>
        [...paths].map((path) => `${language}/${path}`.replace(/\/$/, '')),
      ).sort(),
    )
    for (const [place, html] of pages()) {
      expect(html, place).not.toMatch(/>[a-z]+\.[a-z_]+<|undefined|\[object /)
    }
  })

  test('no page has a handler, a style attribute, or a style or script without a nonce', () => {
    for (const [place, html] of pages()) {
      const tags = html.replace(/<script type="application\/[^>]*>.*?<\/script>/gs, '')
      expect(tags, place).not.toMatch(/<[^>]*\s(?:on\w+|style)=/)
      expect(tags, place).not.toMatch(/<style(?! nonce="%%nonce%%")/)
      expect(tags, place).not.toMatch(/<script(?! nonce="%%nonce%%")/)
    }
  })

  /** Each address of a link of the head, by what it says of it. */
  const linksOf = (html: string, mark: RegExp): string[] =>
    [...html.matchAll(/<link [^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => mark.test(tag))
      .map((tag) => /href="([^"]*)"/.exec(tag)?.[1] ?? '')
      .sort()

  test('a page that can be found names itself once and each language once, and the map lists it', () => {
    const map = readFileSync(join(folder, 'sitemap.xml'), 'utf8')
    const found = pages().filter(([, html]) => !html.includes('noindex'))
    // Only the lost page is hidden.
    expect(pages().length - found.length).toBe(LANGUAGES.length)
    for (const [place, html] of found) {
      const path = place.slice(3)
      const [canonical = '', ...more] = linksOf(html, /rel="canonical"/)
      expect(more, place).toEqual([])
      expect(canonical, place).toMatch(new RegExp(`/${place}/$`))
      const shown = LANGUAGES.map((other) => canonical.replace(`/${place}/`, `/${other}/${path}/`))
      const wanted = shown.map((address) => address.replace(/\/\/$/, '/')).sort()
      expect(linksOf(html, /hreflang="(?:da|en|fi|nb|sv)"/), place).toEqual(wanted)
      expect(linksOf(html, /x-default/).length, place).toBe(path === '' ? 1 : 0)
      if (canonical.startsWith(`%%${site}Whole%%`)) expect(map, place).toContain(`<loc>${canonical}</loc>`)
    }
  })

  test('a page says to machines who sends it, and an article what it answers', () => {
    const kinds = (html: string): string[] =>
      [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, text = '']) => {
        const { '@type': kind } = JSON.parse(text) as { '@type': string }
        return kind
      })
    for (const [place, html] of pages()) {
      if (html.includes('noindex')) expect(kinds(html), place).toEqual([])
      else expect(kinds(html), place).toContain('Organization')
    }
    const asked = pages().filter(([, html]) => kinds(html).includes('FAQPage'))
    if (site === 'support') expect(asked.length).toBeGreaterThan(20 * LANGUAGES.length)
  })

  test('what is shared shows a picture that is there', () => {
    for (const [place, html] of pages()) {
      const [, picture] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? []
      expect(picture, place).toBe('%%homeWhole%%/social.png')
    }
    if (site !== 'home') return
    const png = readFileSync(join(folder, 'social.png'))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    // The size that a large card wants.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    expect(png.length).toBeLessThan(300 * KB)
  })
})
