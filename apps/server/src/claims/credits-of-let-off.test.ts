/** M-05: a credit note for what a person had let the debtor off, in part or wholly. Nobody is owed what nobody paid. */
import { describe, expect, test } from 'vitest'
import { decideDebt, type DebtDecision } from '../collection/collection.ts'
import {
  credit,
  invoice,
  nights,
  NOTHING,
  owed,
  owedBack,
  pay,
  server,
  useCreditNotes,
} from '../testing/debts/credit-notes.ts'

useCreditNotes()

const decide = (number: string, decision: DebtDecision) =>
  decideDebt(server.product.context, {
    instanceId: server.instanceId,
    debt: { kind: 'invoice', name: number },
    decision,
    reason: 'Goodwill',
    by: 'person:Eva Berg',
  })

/** An invoice over 842.00, reminded of a week after its due date: 60.00, and 1.61 in interest. */
async function reminded(number: string): Promise<string> {
  const own = await invoice(number)
  await nights(1, 2, 7)
  await server.product.sendMail()
  expect(await owed(own)).toMatchObject({ principal: 84_200, costs: 6_000, interest: 161 })
  return own
}

describe('all of an invoice is credited', () => {
  test.each<[string, number, DebtDecision[]]>([
    ['whose fees were waived', 0, [{ act: 'waive', bucket: 'costs', amount: null }]],
    [
      'of whose fee 40.00 had been paid and the rest was waived',
      4_000,
      [{ act: 'waive', bucket: 'costs', amount: null }],
    ],
    [
      'whose fee was waived in part, and its interest',
      0,
      [
        { act: 'waive', bucket: 'costs', amount: '25.00' },
        { act: 'waive', bucket: 'interest', amount: null },
      ],
    ],
    ['of which 300.00 was written off', 0, [{ act: 'write-off', amount: '300.00' }]],
    [
      'of which 200.00 had been paid and 300.00 was written off',
      20_000,
      [{ act: 'write-off', amount: '300.00' }],
    ],
    [
      'whose fees were waived and of which 300.00 was written off',
      0,
      [
        { act: 'waive', bucket: 'costs', amount: null },
        { act: 'write-off', amount: '300.00' },
      ],
    ],
  ])('%s', async (_, paidMinor, decisions) => {
    const number = await reminded('31')
    if (paidMinor > 0) await pay(paidMinor, 8)
    for (const decision of decisions) await decide(number, decision)
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owed(number)).toEqual(NOTHING)
    // What was paid, and no more.
    expect(await owedBack(number)).toBe(paidMinor)
  })

  test('a part of one is credited, of which 300.00 was written off: that much less is owed', async () => {
    const number = await reminded('32')
    await decide(number, { act: 'write-off', amount: '300.00' })
    // The fee and the interest, and 238.39 of what was bought.
    expect(await owed(number)).toMatchObject({ principal: 60_361, costs: 0, interest: 0 })
    expect(await credit(number, '100.00')).toBe('created')
    expect(await owed(number)).toMatchObject({ principal: 50_361, costs: 0, interest: 0 })
    expect(await owedBack(number)).toBe(0)
  })

  test('what was written off wholly owes nothing that could be credited', async () => {
    const number = await reminded('33')
    await decide(number, { act: 'write-off', amount: null })
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owed(number)).toEqual({ ...NOTHING, status: 'STOPPED' })
    expect(await owedBack(number)).toBe(0)
  })
})
