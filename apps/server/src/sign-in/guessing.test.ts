import { describe, expect, test } from 'vitest'
import { Refusal } from '@kvitt/domain/errors.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { readOrMakeSecret } from '../platform/database/secrets.queries.ts'
import { type Product } from '../start.ts'
import { seeded } from '../testing/schedule.ts'
import { signIn } from '../testing/sign-in.ts'
import {
  HOUR,
  DAY,
  testBase,
  products,
  time,
  clock,
  host,
  instanceId,
  useInstance,
  build,
  send,
  guess,
  codes,
  count,
  WRONG,
  THROTTLED,
  zipOf,
  noReference,
  addressOf,
  useUp,
  rowsOf,
  type Told,
  useGuesses,
} from '../testing/guesses.ts'
import { forgetExpiredGuesses, authenticatePair, type Attempt } from './sign-in.ts'

useGuesses()

describe('bf.vertical: one reference, all zips', () => {
  test('H4: five guesses are answered, from however many addresses and processes', async () => {
    const invoice = await build()
    const told: Told[] = []
    for (let n = 0; n < 600; n += 50) {
      const batch = Array.from({ length: 50 }, (_, i) => n + i)
      told.push(
        ...(await Promise.all(
          batch.map((i) =>
            guess(invoice.reference, zipOf(i), { address: addressOf(i % 50), product: i % 2 }),
          ),
        )),
      )
    }
    expect(count(told, WRONG)).toBe(5)
    expect(count(told, THROTTLED)).toBe(595)
    expect(await rowsOf('reference-day')).toEqual([{ fails: 5, passes: 0 }])
  })

  test('the right zip as sixth guess is refused, as fifth it is not', async () => {
    const [late, early] = [await build(), await build()]
    await useUp(late.reference)
    expect((await guess(late.reference, late.zip)).code).toBe(THROTTLED)
    for (let n = 0; n < 4; n++) await guess(early.reference, zipOf(n))
    expect((await guess(early.reference, early.zip)).code).toBe('ok')
    // A right guess gives nothing back: whoever knows the pair could reset the count for a stranger.
    expect((await guess(early.reference, zipOf(9))).code).toBe(WRONG)
    expect((await guess(early.reference, zipOf(10))).code).toBe(THROTTLED)
  })

  test('fifty at once through two pools: at most five wrong answers, and the right one in its turn', async () => {
    const random = seeded(7)
    for (let round = 0; round < 8; round++) {
      const invoice = await build()
      const right = Math.floor(random() * 50)
      const told = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          guess(invoice.reference, n === right ? invoice.zip : zipOf(n), {
            product: n % 2,
            // Half of them where the read itself takes the guess, half where the guard does.
            tail: n % 4 < 2 ? '' : '/events',
          }),
        ),
      )
      expect(count(told, WRONG)).toBe(5)
      expect(count(told, 'ok')).toBeLessThanOrEqual(1)
      expect(count(told, THROTTLED)).toBe(45 - count(told, 'ok'))
    }
  })

  test('many references at once: the right are let in, each wrong one is counted, nobody waits for another', async () => {
    await useInstance({ zipPerHour: 1000, networkPerHour: 1000, instancePerTenMinutes: 10_000 })
    const invoices = await Promise.all(Array.from({ length: 40 }, () => build()))
    const random = seeded(11)
    let wrong = 0
    for (let round = 0; round < 3; round++) {
      const wishes = invoices.flatMap((invoice) => [
        { reference: invoice.reference, zip: invoice.zip, expected: 'ok' },
        { reference: noReference(), zip: zipOf(Math.floor(random() * 4)), expected: WRONG },
      ])
      wrong += invoices.length
      const told = await Promise.all(
        wishes.map(({ reference, zip }, n) => guess(reference, zip, { product: n % 3 === 0 ? 1 : 0 })),
      )
      expect(codes(told)).toEqual(wishes.map((wish) => wish.expected))
      for (const [n, one] of told.entries()) {
        if (one.code === 'ok')
          expect(JSON.parse(one.body)).toMatchObject({ paymentReference: wishes[n]?.reference })
      }
    }
    const fails = async (scope: string): Promise<number> =>
      (await rowsOf(scope)).reduce((sum, row) => sum + row.fails, 0)
    expect([await fails('instance'), await fails('zip'), await fails('network')]).toEqual([
      wrong,
      wrong,
      wrong,
    ])
    expect((await rowsOf('reference-day')).map((row) => row.fails)).toEqual(Array(wrong).fill(1))
  })

  test.each(['', '/client'])('a right guess (%s) waits for the wrong ones under way', async (tail) => {
    const invoice = await build()
    const instance = (await openInstances(testBase.db, clock).ofHost(host)) as Instance
    const key = await readOrMakeSecret(testBase.db, 'guesses')
    const attempt: Attempt = {
      instance,
      reference: invoice.reference,
      zip: '',
      address: '203.0.113.5',
      cookie: undefined,
      isHttps: false,
      solution: undefined,
    }
    let settled = false
    let right: Promise<Told> | undefined
    await testBase.db.transaction(async (tx) => {
      const guarded = { db: tx, clock, key }
      for (let n = 0; n < 5; n++) {
        await expect(authenticatePair(guarded, { ...attempt, zip: zipOf(n) })).rejects.toThrow(
          new Refusal(WRONG),
        )
      }
      right = guess(invoice.reference, invoice.zip, { product: 1, tail }).finally(() => {
        settled = true
      })
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(settled).toBe(false)
    })
    expect((await right)?.code).toBe(THROTTLED)
  })

  /** The failures of 30 days, in four of them. What is refused is not counted. */
  async function useUpMonth(reference: string): Promise<void> {
    for (let day = 0; day < 4; day++) {
      await useUp(reference)
      for (let n = 0; n < 3; n++) expect((await guess(reference, zipOf(n))).code).toBe(THROTTLED)
      time.nowMs += DAY
    }
    expect(await rowsOf('reference-month')).toEqual([{ fails: 20, passes: 0 }])
  }

  test('after twenty in thirty days one a day, and no wait is longer than that', async () => {
    const invoice = await build()
    await useUpMonth(invoice.reference)
    for (let day = 0; day < 3; day++) {
      expect((await guess(invoice.reference, zipOf(1))).code).toBe(WRONG)
      const refused = await guess(invoice.reference, invoice.zip)
      expect([refused.code, refused.headers['retry-after']]).toEqual([THROTTLED, String(DAY / 1000)])
      time.nowMs += DAY - 1000
      expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
      time.nowMs += 1000
    }
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })

  test('who goes on gets no second twenty when the month is over, who stops for thirty days does', async () => {
    const invoice = await build()
    await useUpMonth(invoice.reference)
    for (let day = 0; day < 30; day++) {
      expect((await guess(invoice.reference, zipOf(1))).code).toBe(WRONG)
      expect((await guess(invoice.reference, zipOf(2))).code).toBe(THROTTLED)
      time.nowMs += DAY
    }
    time.nowMs += 30 * DAY
    await useUp(invoice.reference)
  })

  test('fifty at once on the one of the day: one is answered', async () => {
    for (const tail of ['', '/client']) {
      const invoice = await build()
      await useUpMonth(invoice.reference)
      const told = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          guess(invoice.reference, zipOf(n), { product: n % 2, address: addressOf(n), tail }),
        ),
      )
      expect([count(told, WRONG), count(told, THROTTLED)]).toEqual([1, 49])
      await testBase.owner.query('delete from guess_budget')
    }
  })

  test('the electronic ID gets in all the same', async () => {
    const invoice = await build()
    await useUp(invoice.reference)
    const headers = await signIn((products[0] as Product).context, instanceId, [invoice.debtorId])
    const url = `/api/debtor/invoices?paymentReference=${invoice.reference}`
    expect(await send(url, { headers })).toMatchObject({ status: 200 })
  })
})

describe('giving guesses back', () => {
  const clear = (product: number, remoteAddress: string) =>
    (products[product] as Product).app.inject({ method: 'DELETE', url: '/api/demo/guesses', remoteAddress })

  test('the demo does it on this machine', async () => {
    const invoice = await build()
    await useUp(invoice.reference)
    expect((await clear(0, '203.0.113.5')).statusCode).toBe(404)
    expect((await clear(1, '127.0.0.1')).statusCode).toBe(404)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    expect((await clear(0, '127.0.0.1')).statusCode).toBe(204)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })

  test('windows that have ended are removed, the others stay', async () => {
    await useInstance({})
    await guess(noReference(), zipOf(1))
    const left = async (): Promise<string[]> => {
      await forgetExpiredGuesses(testBase.db, new Date(time.nowMs).toISOString())
      const sql = 'select scope from guess_budget where instance_id = $1 order by scope'
      return (await testBase.owner.query(sql, [instanceId])).rows.map((row: { scope: string }) => row.scope)
    }
    expect(await left()).toHaveLength(5)
    time.nowMs += 2 * HOUR
    expect(await left()).toEqual(['reference-day', 'reference-month'])
    time.nowMs += DAY
    expect(await left()).toEqual(['reference-month'])
    time.nowMs += 30 * DAY
    expect(await left()).toEqual([])
  })
})
