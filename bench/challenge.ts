/**
 * How long the calculation of a challenge takes on a processor of a quarter of this one's speed: the portal's own function in a
 * worker of a browser, as on a debtor's device. The browser's own throttling slows a page and not its workers, so the time is multiplied.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { findSolution } from '@kvitt/ui/find-solution.ts'
import { makeChallenge } from '../apps/server/src/sign-in/challenges.ts'
import type { Result } from './run.ts'

const SLOWER = 4
const MOST_MS = 2_000
const RUNS = 7

/** A solution that is none, so that every number is tried: nobody has to calculate for longer. */
async function hardest() {
  const purpose = { instanceId: 'bench', reference: '1', network: '127.0.0.1' }
  const challenge = await makeChallenge({ key: new Uint8Array(32), nowMs: Date.now() }, purpose)
  return { ...challenge, target: Buffer.alloc(16).toString('base64') }
}

/** What a page does to have a worker try all numbers, as text: its parts are the browser's, not this program's. */
const inWorker = (challenge: object): string => `(async () => {
  const code = ${JSON.stringify(`const __name = (given) => given; const find = ${findSolution.toString()}
    onmessage = async ({ data }) => {
      const since = performance.now()
      const found = await find(data).then(() => true, () => false)
      postMessage(found ? -1 : performance.now() - since)
    }`)}
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })
  worker.postMessage(${JSON.stringify(challenge)})
  return answer.finally(() => worker.terminate())
})()`

/** In a worker of a page that may calculate, which one without an address may not. Milliseconds. */
async function timesIn(executablePath: string): Promise<number[]> {
  const server = createServer((_request, response) => response.end('<!doctype html><title>bench</title>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const ms = await page.evaluate<number>(inWorker(await hardest()))
      if (ms < 0) throw new Error('a number solved what has no solution')
      times.push(ms)
    }
    return times
  } finally {
    await browser.close()
    server.close()
  }
}

export async function* benchChallenge(): AsyncGenerator<Result> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? ''
  if (executablePath === '') {
    console.log('challenge: skipped, there is no Chromium (CHROMIUM_PATH).')
    return
  }
  const times = (await timesIn(executablePath)).toSorted((a, b) => a - b)
  // Of several the median: what else the machine does comes and goes.
  const value = (times[RUNS >> 1] ?? 0) * SLOWER
  yield {
    name: 'challenge, every number tried, a quarter of the speed',
    value,
    unit: 'ms',
    floor: MOST_MS,
    ratio: value / MOST_MS,
  }
}
