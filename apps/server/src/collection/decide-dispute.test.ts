import { expect, test } from 'vitest'
import {
  build,
  context,
  creditOf,
  dispute,
  pay,
  rowOf,
  server,
  START,
  useInvoices,
} from '../testing/one-invoice.ts'
import type { BuiltInvoice } from '../testing/build.ts'
import { decideDispute, readOpenDisputes, type DisputeAnswer } from './collection.ts'

useInvoices()

async function disputed(invoice: BuiltInvoice): Promise<string> {
  expect((await dispute(invoice)).status).toBe(201)
  const open = await readOpenDisputes(server.test.db)
  const own = open.find(({ about }) => about === `invoice ${invoice.number}`)
  expect(own).toMatchObject({ reason: 'Fel antal.', opened_on: START })
  return own?.id ?? ''
}

const decide = (disputeId: string, wish: Partial<DisputeAnswer>) =>
  decideDispute(context(), {
    disputeId,
    decision: 'REJECT',
    amount: undefined,
    answer: 'Mätaren är läst.',
    by: 'Eva Berg',
    ...wish,
  })

const keptOf = async (id: string) =>
  (
    await server.test.owner.query(
      `select status, decision, decided_by as by, (select count(*)::int from audit_event
         where kind = 'dispute_decided' and about = 'dispute:' || d.id) as traces from dispute d where id = $1`,
      [id],
    )
  ).rows[0]

test.each([
  ['REJECT', 'REJECTED', 84_200],
  ['UPHOLD', 'UPHELD', 0],
] as const)('%s: once, with a name and a trace', async (decision, status, left) => {
  const invoice = await build()
  const id = await disputed(invoice)
  const answers = await Promise.all([1, 2, 3].map(() => decide(id, { decision })))
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await keptOf(id)).toEqual({ status, decision: 'Mätaren är läst.', by: 'Eva Berg', traces: 1 })
  expect(await rowOf(invoice)).toMatchObject({ principal: left })
  const other = decision === 'REJECT' ? 'UPHOLD' : 'REJECT'
  await expect(decide(id, { decision: other })).rejects.toThrow(`ended already: it is ${status}`)
})

test('in part: the amount is credited, and what is left is paid', async () => {
  const invoice = await build()
  const id = await disputed(invoice)
  await decide(id, { decision: 'UPHOLD_PART', amount: '242.00' })
  expect(await keptOf(id)).toMatchObject({ status: 'UPHELD_PART', by: 'Eva Berg' })
  expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 60_000 })
  await pay(invoice)
  expect([(await rowOf(invoice)).status, await creditOf(invoice)]).toEqual(['CLOSED', 0])
})

test.each([
  [{ decision: 'UPHOLD_PART' }, /how much/],
  [{ decision: 'UPHOLD_PART', amount: '0.00' }, /how much/],
  [{ decision: 'UPHOLD_PART', amount: '842.00' }, /open principal of 842.00 SEK/],
  [{ decision: 'UPHOLD', amount: '1.00' }, /in part/],
  [{ by: ' ' }, /who decides/],
  [{ answer: '-' }, /empty/],
] as const)('%o is refused', async (wish, sentence) => {
  const invoice = await build()
  const id = await disputed(invoice)
  await expect(decide(id, wish)).rejects.toThrow(sentence)
  expect(await keptOf(id)).toMatchObject({ status: 'OPEN', by: null })
})
