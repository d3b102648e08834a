/**
 * The server is killed at named points of a payment's way and at random moments, and started again: no payment that was
 * acknowledged is lost, none is booked twice, and no order is placed twice. `npm run soak` takes every point at both
 * gateways and two hundred random moments; every run of the tests takes some.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seeded } from '../../apps/server/src/testing/schedule.ts'
import { runBareProduct } from '../testing/bare-product.ts'
import { expectPaidOnce, openPayer, type Code, type Payer } from '../testing/payer.ts'

const isSoak = process.env.SOAK !== undefined
const SEED = Number(process.env.SOAK_SEED ?? 1)
const RANDOM_KILLS = isSoak ? 200 : 4
const NAMED_KILLS = isSoak ? Number.POSITIVE_INFINITY : 3
/** The sweeper comes every five seconds. */
const MOST_UNTIL_HIT_MS = 20_000

type Drive = 'start' | 'news' | 'return' | 'sweep' | 'replace'
type Point = readonly [
  drive: Drive,
  line: 'database' | 'counterparty' | 'client',
  when: 'before' | 'after',
  what: string,
  of?: string,
]

/** Each says what the payment is doing, and where on which line everything stops. */
const POINTS: readonly Point[] = [
  ['start', 'database', 'before', 'payments.guessedInvoiceToPay'],
  ['start', 'database', 'before', 'payments.insertFirst'],
  ['start', 'database', 'after', 'payments.insertFirst'],
  ['start', 'counterparty', 'before', 'create'],
  ['start', 'counterparty', 'after', 'create'],
  ['start', 'database', 'before', 'payments.begin'],
  ['start', 'database', 'after', 'payments.begin'],
  ['start', 'client', 'after', 'answer'],
  ['news', 'database', 'before', 'payments.insertEvent'],
  ['news', 'database', 'after', 'payments.insertEvent'],
  ['news', 'database', 'before', 'payments.look'],
  ['news', 'counterparty', 'before', 'read'],
  ['news', 'counterparty', 'after', 'read'],
  ['news', 'database', 'before', 'payments.lock'],
  ['news', 'database', 'before', 'payments.endEvents'],
  ['news', 'database', 'before', 'payments.move'],
  ['news', 'database', 'before', 'ledger.insertPostings'],
  ['news', 'database', 'after', 'ledger.insertPostings'],
  ['news', 'database', 'before', 'invoices.move'],
  ['news', 'database', 'before', 'mail.insert'],
  ['news', 'database', 'before', 'commit', 'ledger.insertPostings'],
  ['news', 'database', 'after', 'commit', 'ledger.insertPostings'],
  ['return', 'database', 'after', 'payments.takeOfDebt'],
  ['sweep', 'database', 'after', 'payments.claimForSweep'],
  ['replace', 'counterparty', 'before', 'cancel'],
  ['replace', 'counterparty', 'after', 'cancel'],
  ['replace', 'database', 'before', 'commit', 'payments.move'],
  ['replace', 'database', 'after', 'commit', 'payments.move'],
  ['replace', 'database', 'before', 'payments.insert'],
  ['replace', 'database', 'before', 'commit', 'payments.insert'],
  ['replace', 'database', 'after', 'commit', 'payments.insert'],
]

const CODES: readonly Code[] = ['DIRECT_BANK', 'SWISH']
const other = (code: Code): Code => (code === 'SWISH' ? 'DIRECT_BANK' : 'SWISH')

const product = await runBareProduct()
const random = seeded(SEED)

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Arms the point; what it answers ends when the server is dead. */
function arm([, line, when, what, of]: Point): Promise<void> {
  return new Promise((resolve, reject) => {
    const hit = (): void => void product.kill9().then(resolve, reject)
    if (line === 'database') product.databaseLine.arm({ when, what, ...(of ? { of } : {}) }, hit)
    if (line === 'counterparty') product.counterparties.arm({ when, act: what as 'create' }, hit)
  })
}

/** Brings a payment to the point, in whatever way leads there. */
async function drive(point: Point, code: Code, payer: Payer): Promise<void> {
  const [way, line] = point
  if (line === 'client') {
    await payer.click(code)
    return product.kill9()
  }
  if (way !== 'start') expect(await payer.click(code)).toBe('started')
  if (way === 'return' || way === 'sweep') {
    const target = code === 'SWISH' ? 'mobile' : 'bank'
    await product.control('POST', 'faults', { target, fault: 'drop-callback', times: 2 })
    await payer.approve()
    await product.control('DELETE', 'faults')
  }
  const killed = arm(point)
  if (way === 'start') void payer.click(code)
  if (way === 'news') await payer.approve()
  if (way === 'return') void payer.look()
  if (way === 'sweep') await payer.waitLong()
  if (way === 'replace') void payer.click(other(code))
  const isHit = await Promise.race([killed.then(() => true), sleep(MOST_UNTIL_HIT_MS, false)])
  expect(isHit, `${point.join(' ')} was never come to`).toBe(true)
}

const cases = shuffled(POINTS.flatMap((point) => CODES.map((code) => ({ point, code })))).slice(
  0,
  NAMED_KILLS,
)

test(`T-KILL, idem.crash: killed at ${cases.length} named points, seed ${SEED}`, {
  timeout: cases.length * 60_000,
}, async () => {
  for (let from = 0; from < cases.length; from += 6) {
    const payers: Payer[] = []
    for (const { point, code } of cases.slice(from, from + 6)) {
      const payer = openPayer(product, await product.buildInvoice())
      payers.push(payer)
      await drive(point, code, payer)
      await product.start()
    }
    await expectPaidOnce(product, payers)
  }
})

test(`T-KILL: killed at ${RANDOM_KILLS} random moments, seed ${SEED}`, {
  timeout: RANDOM_KILLS * 30_000,
}, async () => {
  const payers: Payer[] = []
  const killing = new AbortController()
  /** Pays one invoice after the other, whatever becomes of the server meanwhile. */
  const keepPaying = async (): Promise<void> => {
    while (!killing.signal.aborted) {
      const payer = openPayer(product, await product.buildInvoice())
      payers.push(payer)
      const code = CODES[Math.floor(random() * 2)] ?? 'SWISH'
      for (let i = 0; i < 3 && (await payer.click(code)) !== 'started'; i++) await sleep(random() * 300)
      if (random() < 0.8) await payer.approve()
      if (random() < 0.5) await payer.look()
    }
  }
  const paying = Promise.all([keepPaying(), keepPaying()])
  for (let kill = 0; kill < RANDOM_KILLS; kill++) {
    await sleep(random() * 600)
    await product.kill9()
    await product.start()
  }
  killing.abort()
  await paying
  await expectPaidOnce(product, payers)
  expect(payers.length).toBeGreaterThan(RANDOM_KILLS / 4)
})
