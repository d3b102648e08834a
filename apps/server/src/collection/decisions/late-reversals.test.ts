/** A late payment that is taken back leaves the days before it, and none on which it looked paid. */
import { describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  bill,
  bills,
  build,
  context,
  daysOf,
  DUE,
  night,
  nights,
  owed,
  pay,
  posted,
  server,
  useOverdue,
} from '../../testing/debts/paid-late.ts'
import { reversePayment } from '../collection.ts'

useOverdue()

describe('a late payment that is taken back', () => {
  const back = async (paymentId: string, on: CalendarDate) => {
    server.clock.moveTo(on)
    return reversePayment(context(), { instanceId: server.instanceId, paymentId }, on)
  }
  const partly = async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    return { invoice, paymentId: await pay(invoice, 40_000_000, addDays(DUE, 3)) }
  }

  test('costs nothing for the days on which it looked paid', async () => {
    const { invoice, paymentId } = await partly()
    await nights(4, 5)
    expect(await back(paymentId, addDays(DUE, 5))).toBe(true)
    expect(await back(paymentId, addDays(DUE, 5))).toBe(false)
    await nights(5, 6, 7)
    // 500 000 for three days, 100 000 for two, and 500 000 for two more.
    expect(await posted(invoice)).toBe(Math.round((50_000_000 * 5 + 10_000_000 * 2) / 3650))
    expect(await bills(invoice)).toEqual([])
  })

  test('the same after the posting had counted the days before it', async () => {
    const { invoice, paymentId } = await partly()
    await nights(4, 5, 6, 7)
    const reminded = Math.round((10_000_000 * 7 + 40_000_000 * 3) / 3650)
    expect(await posted(invoice)).toBe(reminded)
    await back(paymentId, addDays(DUE, 9))
    const now = await owed(invoice)
    expect(now).toMatchObject({ status: 'ACTIVATED', principal: 50_000_000, interest: reminded })
    await pay(invoice, now.principal + now.interest + 6_000, addDays(DUE, 10))
    await nights(10, 11)
    // 100 000 for three days after the reminder, and 400 000 for the last of them.
    expect(await bills(invoice)).toEqual([
      bill(Math.round((10_000_000 * 3 + 40_000_000) / 3650), { lines: 2 }),
    ])
  })

  test('that had closed the invoice: what was billed stands, and the rest is owed from then on', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 50_000_000, addDays(DUE, 3))
    await nights(4)
    await back(paymentId, addDays(DUE, 6))
    expect(await bills(invoice)).toEqual([bill(41_096)])
    const day = addDays(DUE, 8)
    await pay(invoice, 50_000_000, day)
    await night(addDays(day, 1))
    // Two days more.
    expect(await bills(invoice)).toEqual([bill(41_096), bill(27_397)])
  })

  test('before the night that would have billed it', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 50_000_000, addDays(DUE, 3))
    await back(paymentId, addDays(DUE, 3))
    await nights(4, 5, 6)
    expect(await bills(invoice)).toEqual([])
    await pay(invoice, 50_000_000, addDays(DUE, 6))
    await nights(7)
    expect(await bills(invoice)).toEqual([bill(82_192)])
  })

  test('brings back what had been too little to bill', async () => {
    const invoice = await build({ totalMinor: 9_000_000 })
    await nights(1, 2)
    const paymentId = await pay(invoice, 9_000_000, addDays(DUE, 3))
    await nights(4)
    expect(await daysOf(invoice)).toEqual(['SMALL'])
    await back(paymentId, addDays(DUE, 4))
    await pay(invoice, 9_000_000, addDays(DUE, 6))
    await nights(7)
    // Three days, and two more.
    expect(await bills(invoice)).toEqual([bill(12_329, { lines: 2 })])
  })
})
