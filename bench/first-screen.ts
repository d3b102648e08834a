/** What Lighthouse says of the built portals on a phone, median of five: where a debtor begins, and the two public sites. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from './run.ts'
import { withRunningProduct } from './running-product.ts'

const RUNS = 5
const PAGES = {
  'start page': '',
  'link to an invoice': '#/sv/invoice/260101314920/41105',
  homepage: 'home/sv/',
  'support site': 'support/sv/',
  article: 'support/sv/more-time/',
  'what waiting costs': 'home/sv/waiting/',
}

/** A browser that was given no processor shows nothing in time; such a run says nothing of the page. */
const TRIES = 3

type Report = {
  readonly runtimeError?: object
  readonly environment: { readonly benchmarkIndex: number }
  readonly categories: Readonly<Record<string, { readonly score: number }>>
  readonly audits: Readonly<Record<string, { readonly numericValue: number }>>
}

/** Not a dependency: it brings two hundred packages, and its newest version wants Node 22. */
function findLighthouse(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('lighthouse/cli/index.js')
  } catch {
    return undefined
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function measure(lighthouse: string, browser: string, url: string): Report {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-lighthouse-'))
  try {
    const file = join(folder, 'report.json')
    const flags = ['--quiet', '--output=json', `--output-path=${file}`]
    const chrome = '--chrome-flags=--headless=new --no-sandbox --disable-gpu'
    const env = { ...process.env, CHROME_PATH: browser }
    for (let tries = 0; tries < TRIES; tries += 1) {
      spawnSync(process.execPath, [lighthouse, url, ...flags, chrome], { env, stdio: 'ignore' })
      const report = JSON.parse(readFileSync(file, 'utf8')) as Report
      if (!report.runtimeError) return report
    }
    throw new Error(`Lighthouse saw nothing of ${url}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A page of one heading, which no page can be shown before: what is left is the phone's line, as Lighthouse simulates it, and this
 * machine. A program of its own, as the product is: this one waits for Lighthouse.
 */
const BARE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Heading</title></head><body><h1>Heading</h1></body></html>'
const BARE_SERVER = `require('node:http').createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(${JSON.stringify(BARE)})).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

async function withBarePage<Answer>(use: (url: string) => Promise<Answer>): Promise<Answer> {
  const child = spawn(process.execPath, ['--eval', BARE_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return await use(`http://localhost:${port.toString().trim()}/`)
  } finally {
    child.kill()
  }
}

const AUDITS = [
  ['TBT', 'ms', 'total-blocking-time', 1],
  ['CLS x 1000', '', 'cumulative-layout-shift', 1000],
] as const

/** What is said of a page, its LCP beside that of the bare page. */
function resultsOf(name: string, reports: readonly Report[], floor: number): Result[] {
  const figure = (what: string, unit: string, of: (report: Report) => number): Result => ({
    name: `${name}: ${what}`,
    value: median(reports.map(of)),
    unit,
    floor: null,
    ratio: null,
  })
  const lcp = figure('LCP', 'ms', lcpOf)
  return [
    ...['performance', 'accessibility', 'best-practices', 'seo'].map((category) =>
      figure(category, 'of 100', (report) => 100 * (report.categories[category]?.score ?? 0)),
    ),
    { ...lcp, floor, ratio: lcp.value / floor },
    ...AUDITS.map(([what, unit, audit, times]) =>
      figure(what, unit, (report) => times * (report.audits[audit]?.numericValue ?? 0)),
    ),
  ]
}

const lcpOf = (report: Report): number => report.audits['largest-contentful-paint']?.numericValue ?? 0

/**
 * How fast Lighthouse found this machine, without which its times say nothing: it takes the machine for a good desktop (1,500 and more)
 * and counts each task fourfold.
 */
function machineOf(reports: readonly Report[]): Result {
  const value = median(reports.map(({ environment }) => environment.benchmarkIndex))
  return {
    name: 'first screen: Lighthouse’s index of this machine',
    value,
    unit: '',
    floor: null,
    ratio: null,
  }
}

export async function benchFirstScreen(): Promise<Result[]> {
  const lighthouse = findLighthouse()
  const browser = process.env.CHROMIUM_PATH ?? ''
  if (!lighthouse || !existsSync(browser)) {
    const missing = lighthouse ? 'Chromium' : 'Lighthouse (npm install --no-save lighthouse@12)'
    console.log(`skipped: first screen (${missing} is missing)`)
    return []
  }
  return withRunningProduct((address) =>
    withBarePage(async (bare) => {
      const urls = [
        ['', bare],
        ...Object.entries(PAGES).map(([name, path]) => [name, `${address}/${path}`]),
      ] as const
      // In turn, so that whatever else the machine does meets all of them.
      const rounds = Array.from({ length: RUNS }, () =>
        urls.map(([, url = '']) => measure(lighthouse, browser, url)),
      )
      const floor = median(rounds.map(([report]) => (report ? lcpOf(report) : 0)))
      return [
        machineOf(rounds.flat()),
        ...Object.keys(PAGES).flatMap((name, index) =>
          resultsOf(
            name,
            rounds.flatMap((reports) => reports[index + 1] ?? []),
            floor,
          ),
        ),
      ]
    }),
  )
}
