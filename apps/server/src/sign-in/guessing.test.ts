import { describe, expect, test } from 'vitest'
import { Refusal } from '@kvitt/domain/errors.ts'
import { DEMO_GUESS_SETTINGS, type GuessSettings } from '../instances/guess-limits.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { readOrMakeSecret } from '../platform/secrets.queries.ts'
import { type Product } from '../start.ts'
import { seeded } from '../testing/schedule.ts'
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
  cookieOf,
  type Told,
  useGuesses,
} from '../testing/guesses.ts'
import { forgetExpiredGuesses, letIn, type Attempt } from './sign-in.ts'

useGuesses()

describe('bf.vertical: one reference, all zips', () => {
  test('five guesses are answered, from however many addresses and processes', async () => {
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
      isTakenByRead: false,
    }
    let settled = false
    let right: Promise<Told> | undefined
    await testBase.db.transaction(async (tx) => {
      const guarded = { db: tx, clock, key }
      for (let n = 0; n < 5; n++) {
        await expect(letIn(guarded, { ...attempt, zip: zipOf(n) })).rejects.toThrow(new Refusal(WRONG))
      }
      right = guess(invoice.reference, invoice.zip, { product: 1, tail }).finally(() => {
        settled = true
      })
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(settled).toBe(false)
    })
    expect((await right)?.code).toBe(THROTTLED)
  })

  test('twenty in thirty days, and what is refused is not counted', async () => {
    const invoice = await build()
    for (let day = 0; day < 4; day++) {
      await useUp(invoice.reference)
      for (let n = 0; n < 3; n++) expect((await guess(invoice.reference, zipOf(n))).code).toBe(THROTTLED)
      time.nowMs += DAY
    }
    expect(await rowsOf('reference-month')).toEqual([{ fails: 20, passes: 0 }])
    const refused = await guess(invoice.reference, invoice.zip, { language: 'en' })
    expect(refused.code).toBe(THROTTLED)
    expect(Number(refused.headers['retry-after'])).toBe((26 * DAY) / 1000)
    time.nowMs += 26 * DAY
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })
})

describe('bf.horizontal: one zip, many references', () => {
  /** 400 references that an attacker tries with one zip; a twentieth of them belongs to invoices with that zip. */
  async function spray(guessLimits: GuessSettings): Promise<Told[]> {
    await useInstance(guessLimits)
    const random = seeded(11)
    const targets: string[] = []
    for (let n = 0; n < 400; n++) {
      targets.push(random() < 0.05 ? (await build({ zip: '11122' })).reference : noReference())
    }
    const told: Told[] = []
    for (const [n, reference] of targets.entries()) {
      told.push(await guess(reference, '11122', { address: addressOf(n), product: n % 2 }))
    }
    return told
  }

  test('the zip is closed for the hour after fifty failures', async () => {
    const told = await spray({})
    expect(count(told, WRONG)).toBe(50)
    expect(count(told, 'ok')).toBeLessThanOrEqual(5)
    expect(told.slice(-300).every((t) => t.code === THROTTLED)).toBe(true)
    time.nowMs += HOUR
    expect((await guess(noReference(), '11122')).code).toBe(WRONG)
  })

  test('without the defence many more get in', async () => {
    const told = await spray({
      referencePerDay: null,
      referencePerMonth: null,
      zipPerHour: null,
      ...DEMO_GUESS_SETTINGS,
    })
    expect(count(told, 'ok')).toBeGreaterThan(15)
    expect(count(told, THROTTLED)).toBe(0)
  })

  test('a network has thirty failures an hour, whatever the last part of its addresses', async () => {
    await useInstance({ instancePerTenMinutes: null })
    const invoice = await build()
    const from = (n: number): string => `198.51.100.${n}`
    const told: Told[] = []
    for (let n = 0; n < 40; n++) told.push(await guess(noReference(), zipOf(n), { address: from(n) }))
    expect(codes(told)).toEqual([...Array(30).fill(WRONG), ...Array(10).fill(THROTTLED)])
    expect((await guess(invoice.reference, invoice.zip, { address: from(99) })).code).toBe(THROTTLED)
    expect((await guess(invoice.reference, invoice.zip, { address: '198.51.101.99' })).code).toBe('ok')
    time.nowMs += HOUR
    expect((await guess(invoice.reference, invoice.zip, { address: from(99) })).code).toBe('ok')
  })

  const fail = async (times: number, beginning: number): Promise<Told[]> => {
    const told: Told[] = []
    for (let n = beginning; n < beginning + times; n++) {
      told.push(await guess(noReference(), zipOf(n), { address: addressOf(n) }))
    }
    return told
  }

  test('a whole instance closes for devices that it does not know', async () => {
    await useInstance({ instancePerTenMinutes: 20 })
    const [mine, other] = [await build(), await build()]
    const first = await guess(mine.reference, mine.zip)
    expect(codes(await fail(25, 0))).toEqual([...Array(20).fill(WRONG), ...Array(5).fill(THROTTLED)])
    expect((await guess(other.reference, other.zip)).code).toBe(THROTTLED)
    expect((await guess(mine.reference, mine.zip, { cookie: cookieOf(first) })).code).toBe('ok')
    time.nowMs += HOUR / 6
    expect((await guess(other.reference, other.zip)).code).toBe('ok')
  })

  test('an instance where most guesses are right stays open', async () => {
    await useInstance({ instancePerTenMinutes: 20 })
    const invoice = await build()
    await fail(10, 0)
    for (let n = 0; n < 90; n++) expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
    expect(await rowsOf('instance')).toEqual([{ fails: 10, passes: 90 }])
    expect(codes(await fail(12, 10)).every((code) => code === WRONG)).toBe(true)
    expect(codes(await fail(3, 30))).toEqual([WRONG, THROTTLED, THROTTLED])
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
