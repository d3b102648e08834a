/** What staff decide about one invoice: once, twice, and all at once. */
import { describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import type { BuiltInvoice } from '../../testing/build.ts'
import {
  build,
  context,
  creditOf,
  dispute,
  DUE,
  keyOf,
  nights,
  path,
  pay,
  plannedOf,
  rowOf,
  server,
  START,
  useInvoices,
} from '../../testing/debts/one-invoice.ts'
import { denyTaxReduction, pauseInvoice, rejectDispute, upholdDispute } from '../collection.ts'

useInvoices()

/** A disputed invoice that had been reminded: 60,00 in fees and some interest. */
async function disputedAfterReminder(): Promise<BuiltInvoice> {
  const invoice = await build({ totalMinor: 1_000_000 })
  await nights(addDays(DUE, 1), addDays(DUE, 8))
  expect(await rowOf(invoice)).toMatchObject({ costs: 6000 })
  expect((await rowOf(invoice)).interest).toBeGreaterThan(0)
  // A reminder that was never sent costs nothing.
  await server.product.sendMail()
  expect((await dispute(invoice)).status).toBe(201)
  return invoice
}

describe('a dispute that is rejected', () => {
  test('goes on fourteen days later at the earliest, with the answer on record', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 30)
    const answers = await Promise.all(
      [1, 2, 3].map(() => rejectDispute(context(), keyOf(invoice), { on, answer: ' Mätaren är läst. ' })),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await rowOf(invoice)).status).toBe('ACTIVATED')
    expect(await plannedOf(invoice)).toEqual([`COLLECTION_NOTIFICATION ${addDays(on, 14)}`])
    const { rows } = await server.test.owner.query(
      'select status, decision, decided_on::text as on from dispute where invoice_id = $1',
      [invoice.id],
    )
    expect(rows).toEqual([{ status: 'REJECTED', decision: 'Mätaren är läst.', on }])
  })

  test('before it was due, the schedule begins as usual', async () => {
    const invoice = await build()
    await dispute(invoice)
    await rejectDispute(context(), keyOf(invoice), { on: START, answer: 'Nej.' })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(DUE, 1)}`])
    // It may be disputed again: a new objection is a new case.
    expect((await dispute(invoice)).status).toBe(201)
  })

  test('needs an answer, and a dispute', async () => {
    const invoice = await build()
    expect(await rejectDispute(context(), keyOf(invoice), { on: START, answer: 'Nej.' })).toBe(false)
    expect(() => rejectDispute(context(), keyOf(invoice), { on: START, answer: ' - ' })).toThrow(/empty/)
  })
})

describe('a dispute that is upheld', () => {
  test('wholly: nothing is owed, and the fees are gone', async () => {
    const invoice = await disputedAfterReminder()
    const upheld = { on: addDays(DUE, 9), decision: 'Fel mätare', creditMinor: 'all' } as const
    const answers = await Promise.all([1, 2].map(() => upholdDispute(context(), keyOf(invoice), upheld)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await rowOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await creditOf(invoice)).toBe(0)
    expect(await plannedOf(invoice)).toEqual([])
    // It is over, and not paid.
    expect((await server.call('GET', path(invoice, ''))).json).toMatchObject({ isCredited: true })
  })

  test('in part: the rest has a new due date, without fees and interest', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 9)
    await upholdDispute(context(), keyOf(invoice), { on, decision: 'Halva', creditMinor: 400_000 })
    expect(await rowOf(invoice)).toEqual({
      status: 'ACTIVATED',
      principal: 600_000,
      costs: 0,
      interest: 0,
      // Fourteen days after the answer.
      due: addDays(on, 14),
    })
    const [planned = ''] = await plannedOf(invoice)
    expect(date(planned.split(' ')[1] ?? '') > addDays(on, 14)).toBe(true)
  })

  test('in part, long before the due date: that stays', async () => {
    const invoice = await build({ totalMinor: 500_000 })
    await dispute(invoice)
    await upholdDispute(context(), keyOf(invoice), { on: START, decision: 'x', creditMinor: 200_000 })
    expect(addDays(START, 14) < DUE).toBe(true)
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 300_000, due: DUE })
  })

  test('in part, and then paid', async () => {
    const invoice = await build({ totalMinor: 500_000 })
    await dispute(invoice)
    await upholdDispute(context(), keyOf(invoice), { on: START, decision: 'x', creditMinor: 200_000 })
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 300_000 })
    await pay(invoice)
    expect(await rowOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0 })
    expect(await creditOf(invoice)).toBe(0)
    expect((await server.call('GET', path(invoice, ''))).json).toMatchObject({ isCredited: false })
  })

  test.each([0, 1_000_001])('not with a credit of %i', async (creditMinor) => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await dispute(invoice)
    const upheld = { on: START, decision: 'x', creditMinor }
    await expect(upholdDispute(context(), keyOf(invoice), upheld)).rejects.toThrow(/credited/)
    expect((await rowOf(invoice)).status).toBe('DISPUTED')
  })

  test('rejected and upheld at once: one of them', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 9)
    const answers = await Promise.all([
      rejectDispute(context(), keyOf(invoice), { on, answer: 'Nej.' }),
      upholdDispute(context(), keyOf(invoice), { on, decision: 'Ja', creditMinor: 'all' }),
      rejectDispute(context(), keyOf(invoice), { on, answer: 'Nej.' }),
    ])
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})

describe('a tax reduction that is denied', () => {
  const denial = { on: addDays(DUE, 40), decision: 'SKV 2026-17', amountMinor: 900_000 }

  test('opens a paid invoice again, with thirty days to pay and no interest for the past', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    await pay(invoice)
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    const answers = await Promise.all(
      [1, 2, 3].map(() => denyTaxReduction(context(), keyOf(invoice), denial)),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    const due = addDays(denial.on, 30)
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 900_000, due })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(due, 1)}`])
    const events = await server.call('GET', path(invoice, '/events'))
    expect(events.json).toContainEqual(
      expect.objectContaining({
        topic: 'LEDGER',
        type: 'DENIED_TAX_REDUCTION_NOTIFICATION',
        amount: 9000,
        balance: 9000,
      }),
    )
  })

  test('comes as often as the authority decides', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    await denyTaxReduction(context(), keyOf(invoice), { ...denial, amountMinor: 100 })
    const again = { ...denial, decision: 'SKV 2026-18', amountMinor: 200, on: addDays(denial.on, 5) }
    expect(await denyTaxReduction(context(), keyOf(invoice), again)).toBe(true)
    expect(await rowOf(invoice)).toMatchObject({ principal: 900_300, due: addDays(denial.on, 35) })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(denial.on, 36)}`])
  })

  test('is never more than the invoice, with all that was denied before', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    await denyTaxReduction(context(), keyOf(invoice), { ...denial, amountMinor: 600_000 })
    const more = { ...denial, decision: 'SKV 2026-18', amountMinor: 300_001 }
    await expect(denyTaxReduction(context(), keyOf(invoice), more)).rejects.toThrow(/no more than 3000\.00/)
    expect(await denyTaxReduction(context(), keyOf(invoice), { ...more, amountMinor: 300_000 })).toBe(true)
    expect(await rowOf(invoice)).toMatchObject({ principal: 1_800_000 })
  })

  test('counts once, however its number is written', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    expect(await denyTaxReduction(context(), keyOf(invoice), { ...denial, decision: 'SKV 2026-18' })).toBe(
      true,
    )
    for (const decision of ['skv 2026-18', 'SKV2026 18', ' SKV 2026\u201318'])
      expect(await denyTaxReduction(context(), keyOf(invoice), { ...denial, decision }), decision).toBe(false)
  })

  test('keeps a pause and a dispute as they are', async () => {
    const [paused, disputed] = [await build({ totalMinor: 900_000 }), await build({ totalMinor: 900_000 })]
    await pauseInvoice(context(), keyOf(paused), { on: START, reason: 'respite', resumeDate: null })
    await dispute(disputed)
    for (const invoice of [paused, disputed]) {
      await denyTaxReduction(context(), keyOf(invoice), { ...denial, on: START })
      expect(await plannedOf(invoice)).toEqual([])
    }
    expect([(await rowOf(paused)).status, (await rowOf(disputed)).status]).toEqual(['PAUSED', 'DISPUTED'])
    expect((await rowOf(paused)).principal).toBe(1_800_000)
  })

  test('is refused when there is nothing to add to', async () => {
    const draft = await build({ status: 'CREATED' })
    await expect(denyTaxReduction(context(), keyOf(draft), denial)).rejects.toThrow(/created/)
    const nothing = denyTaxReduction(context(), keyOf(draft), { ...denial, amountMinor: 0 })
    await expect(nothing).rejects.toThrow(/more/)
  })
})
