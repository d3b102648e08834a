import { addDays } from '@kvitt/domain/calendar.ts'
import type { EventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { expect, test } from 'vitest'
import {
  build,
  creditOf,
  dispute,
  pay,
  rowOf,
  server,
  START,
  useInvoices,
} from '../../testing/debts/one-invoice.ts'
import type { BuiltInvoice } from '../../testing/build.ts'
import { decideDispute, readOpenDisputes, type DisputeAnswer } from '../collection.ts'

useInvoices()

async function disputed(invoice: BuiltInvoice): Promise<string> {
  expect((await dispute(invoice)).status).toBe(201)
  const open = await readOpenDisputes(server.test.db, server.instanceId)
  const own = open.find(({ about }) => about === `invoice ${invoice.number}`)
  expect(own).toMatchObject({ reason: 'Fel antal.', opened_on: START })
  return own?.id ?? ''
}

const decide = (disputeId: string, wish: Partial<DisputeAnswer>) =>
  decideDispute(server.product.context, {
    instanceId: server.instanceId,
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

const toldOf = async (disputeId: string) =>
  (
    await server.test.owner.query(
      `select kind, recipient, language, text_body as text from mail_outbox
       where cause = 'dispute:' || $1 and kind not in ('dispute_received', 'dispute_opened')`,
      [disputeId],
    )
  ).rows as { kind: string; recipient: string; language: string; text: string }[]

test.each([
  ['REJECT', undefined, 'dispute_rejected', ['Kravet står fast', `före ${addDays(START, 14)}`]],
  ['UPHOLD', undefined, 'dispute_upheld', ['du ska inte betala något']],
  [
    'UPHOLD_PART',
    '242.00',
    'dispute_upheld_in_part',
    ['242,00\u00a0SEK krediteras', `Kvar att betala är 600,00\u00a0SEK, senast ${addDays(START, 14)}`],
  ],
] as const)(
  '%s is told once to whoever disputed, with the answer and the next day',
  async (decision, amount, kind, words) => {
    const invoice = await build({ dueDate: addDays(START, 10) })
    const id = await disputed(invoice)
    await Promise.all([1, 2].map(() => decide(id, { decision, amount })))
    const told = await toldOf(id)
    expect(told).toMatchObject([{ kind, recipient: 'alva@example.com', language: 'sv' }])
    for (const said of ['Svaret: Mätaren är läst.', ...words]) expect(told[0]?.text).toContain(said)
    // Whoever typed an address need not be the debtor.
    expect(told[0]?.text).not.toContain('Alva')
    const type = kind === 'dispute_upheld_in_part' ? 'DISPUTE_UPHELD_PART' : kind.toUpperCase()
    const events = await eventsOf(invoice)
    expect(events.filter((event) => event.type.startsWith('DISPUTE'))).toMatchObject([
      { type, topic: 'LEDGER', date: START, amount: null, balance: null },
    ])
  },
)

async function eventsOf({ reference, zip }: BuiltInvoice): Promise<EventAnswer[]> {
  return (await server.call('GET', `/api/public/invoices/${reference}/${zip}/events`)).json
}

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
