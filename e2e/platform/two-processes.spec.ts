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

test('the list of processes, which everybody may read, does not show the password of the database', () => {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  expect(lines.filter((line) => line.includes('apps/server/dist/main.js')).length).toBeGreaterThan(2)
  expect(lines.filter((line) => line.includes(PASSWORD))).toEqual([])
})
