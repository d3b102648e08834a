/**
 * Two server processes behind one port: double clicks, the payer, the gateway's news twice and returns, all at once, on
 * one payment after the other. `npm run soak` plays five hundred rounds; every run of the tests some.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seeded } from '../../apps/server/src/testing/schedule.ts'
import { PASSWORD, runBareProduct } from '../testing/bare-product.ts'
import { expectPaidOnce, openPayer, type Code, type Payer } from '../testing/payer.ts'

const ROUNDS = process.env.SOAK === undefined ? 12 : 500
const AT_ONCE = 4
const SEED = Number(process.env.SOAK_SEED ?? 1)
const CODES: readonly Code[] = ['DIRECT_BANK', 'SWISH']

const product = await runBareProduct(2)

async function playRound(seed: number): Promise<Payer> {
  const random = seeded(seed)
  const payer = openPayer(product, await product.buildInvoice())
  const code = CODES[seed % CODES.length] ?? 'SWISH'
  const soon = async (act: () => Promise<unknown>): Promise<void> => {
    await sleep(random() * 40)
    await act()
  }
  const clicks = Array.from({ length: 2 + (seed % 3) }, () => soon(() => payer.click(code)))
  await Promise.all(clicks)
  expect(new Set(payer.acknowledged).size, `seed ${seed}: one payment`).toBe(1)
  await Promise.all([
    soon(payer.approve),
    soon(payer.look),
    soon(payer.waitLong),
    soon(payer.look),
    soon(() => payer.click(code)),
  ])
  return payer
}

test(`race.triple, T-RACE, H5: ${ROUNDS} rounds: one payment, one order, one posting each`, {
  timeout: ROUNDS * 5_000,
}, async () => {
  const payers: Payer[] = []
  for (let from = SEED; from < SEED + ROUNDS; from += AT_ONCE) {
    for (const target of ['bank', 'mobile']) {
      await product.control('POST', 'faults', { target, fault: 'duplicate-callback', times: 2 * AT_ONCE })
    }
    const seeds = Array.from({ length: AT_ONCE }, (_, n) => from + n)
    payers.push(...(await Promise.all(seeds.map(playRound))))
  }
  await expectPaidOnce(product, payers)
})

const KILLS = process.env.SOAK === undefined ? 1 : 50
/** From a new worker to its first answer. */
const START_MS = 2_000

/**
 * Presses again while nobody answers, as a browser does whose connection was cut. Answers how often it had to: until the first process
 * has heard that the worker is dead it hands connections to it, for half a second on a busy machine.
 */
async function press(payer: Payer, code: Code): Promise<number> {
  for (let again = 0; again < 100; again++) {
    if ((await payer.click(code)) !== 'no answer') return again
    await sleep(50)
  }
  throw new Error('nobody answers')
}

test(`H3: one of the two is killed in the middle, ${KILLS === 1 ? 'once' : `${KILLS} times`}: whoever pays gets through by the other, once`, {
  timeout: KILLS * 30_000,
}, async () => {
  const payers: Payer[] = []
  let cut = 0
  for (let n = 0; n < KILLS; n++) {
    // The one that died before has been started again, and answers.
    await expect.poll(() => product.workers().length, { timeout: 20_000 }).toBe(2)
    await sleep(START_MS)
    const random = seeded(SEED + n)
    const group = await Promise.all(
      Array.from({ length: 3 * AT_ONCE }, async () => openPayer(product, await product.buildInvoice())),
    )
    const kill = async (): Promise<void> => {
      await sleep(20 + random() * 130)
      const [one = 0, other = 0] = product.workers()
      expect(Math.min(one, other)).toBeGreaterThan(1)
      process.kill(random() < 0.5 ? one : other, 'SIGKILL')
    }
    const pay = async (payer: Payer, at: number): Promise<void> => {
      await sleep(random() * 200)
      cut += await press(payer, CODES[at % CODES.length] ?? 'SWISH')
    }
    await Promise.all([kill(), ...group.map(pay)])
    payers.push(...group)
  }
  await expectPaidOnce(product, payers)
  // Of one kill nobody may have been on the way at that very instant.
  if (KILLS > 1) expect(cut, 'somebody was cut off').toBeGreaterThan(0)
})

test('the list of processes, which everybody may read, does not show the password of the database', () => {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  expect(lines.filter((line) => line.includes('apps/server/dist/main.js')).length).toBeGreaterThan(2)
  expect(lines.filter((line) => line.includes(PASSWORD))).toEqual([])
})
