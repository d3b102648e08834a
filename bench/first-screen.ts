/** What Lighthouse says of the built portals on a phone, median of five: where a debtor begins, and the two public sites. */
import { spawnSync } from 'node:child_process'
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

function measure(lighthouse: string, browser: string, url: string): Report[] {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-lighthouse-'))
  try {
    const file = join(folder, 'report.json')
    const flags = ['--quiet', '--output=json', `--output-path=${file}`]
    const chrome = '--chrome-flags=--headless=new --no-sandbox --disable-gpu'
    const env = { ...process.env, CHROME_PATH: browser }
    const runOnce = (triesLeft: number): Report => {
      spawnSync(process.execPath, [lighthouse, url, ...flags, chrome], { env, stdio: 'ignore' })
      const report = JSON.parse(readFileSync(file, 'utf8')) as Report
      if (!report.runtimeError) return report
      if (triesLeft === 0) throw new Error(`Lighthouse saw nothing of ${url}`)
      return runOnce(triesLeft - 1)
    }
    return Array.from({ length: RUNS }, () => runOnce(TRIES - 1))
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
  return withRunningProduct(async (address) =>
    Object.entries(PAGES).flatMap(([name, path]) => {
      const reports = measure(lighthouse, browser, `${address}/${path}`)
      const figure = (what: string, unit: string, of: (report: Report) => number): Result => ({
        name: `${name}: ${what}`,
        value: median(reports.map(of)),
        unit,
        floor: null,
        ratio: null,
      })
      return [
        ...['performance', 'accessibility', 'best-practices', 'seo'].map((category) =>
          figure(category, 'of 100', (report) => 100 * (report.categories[category]?.score ?? 0)),
        ),
        figure('LCP', 'ms', (report) => report.audits['largest-contentful-paint']?.numericValue ?? 0),
        figure('TBT', 'ms', (report) => report.audits['total-blocking-time']?.numericValue ?? 0),
        figure(
          'CLS x 1000',
          '',
          (report) => 1000 * (report.audits['cumulative-layout-shift']?.numericValue ?? 0),
        ),
      ]
    }),
  )
}
