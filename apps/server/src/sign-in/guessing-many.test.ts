import { describe, expect, test } from 'vitest'
import { DEMO_GUESS_SETTINGS, type GuessSettings } from '../instances/guess-limits.ts'
import { seeded } from '../testing/schedule.ts'
import {
  HOUR,
  time,
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
  rowsOf,
  cookieOf,
  type Told,
  useGuesses,
} from '../testing/guesses.ts'

useGuesses()

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

  test('of IPv6 a line has thirty an hour, and what may be one customer twice as many', async () => {
    await useInstance({ instancePerTenMinutes: null })
    const invoice = await build()
    const from = (line: number, n: number): string => `2001:db8:7:${line.toString(16)}::${n.toString(16)}`
    const told: Told[] = []
    for (let n = 0; n < 31; n++) told.push(await guess(noReference(), zipOf(n), { address: from(1, n) }))
    expect(codes(told)).toEqual([...Array(30).fill(WRONG), THROTTLED])
    for (let n = 0; n < 30; n++) {
      expect((await guess(noReference(), zipOf(n), { address: from(n + 2, 1) })).code).toBe(WRONG)
    }
    expect((await guess(invoice.reference, invoice.zip, { address: from(0xffff, 1) })).code).toBe(THROTTLED)
    expect((await guess(invoice.reference, invoice.zip, { address: '2001:db8:8::1' })).code).toBe('ok')
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
    const invoices = await Promise.all(Array.from({ length: 90 }, () => build()))
    await fail(10, 0)
    for (const { reference, zip } of invoices) expect((await guess(reference, zip)).code).toBe('ok')
    expect(await rowsOf('instance')).toEqual([{ fails: 10, passes: 90 }])
    expect(codes(await fail(12, 10)).every((code) => code === WRONG)).toBe(true)
    expect(codes(await fail(3, 30))).toEqual([WRONG, THROTTLED, THROTTLED])
  })

  test('one right pair outweighs no guesses, however often and at how many calls it is shown', async () => {
    await useInstance({ instancePerTenMinutes: 20 })
    const mine = await build()
    await fail(10, 0)
    const tails = ['', '/events', '/client']
    const shown = Array.from({ length: 60 }, (_, n) => ({ product: n % 2, tail: tails[n % 3] ?? '' }))
    const told = await Promise.all(shown.map((sent) => guess(mine.reference, mine.zip, sent)))
    expect(count(told, 'ok')).toBe(60)
    expect(await rowsOf('instance')).toEqual([{ fails: 10, passes: 1 }])
    expect(codes(await fail(12, 10))).toEqual([...Array(10).fill(WRONG), THROTTLED, THROTTLED])
    // In the next window it counts again.
    time.nowMs += HOUR / 6
    await fail(10, 40)
    await guess(mine.reference, mine.zip)
    expect(await rowsOf('instance')).toEqual([{ fails: 10, passes: 1 }])
  })
})
