/** Money that was booked on the wrong debt: taken off it and placed anew, however often and whatever comes after. */
import { describe, expect, test } from 'vitest'
import {
  balanceOf,
  build,
  context,
  creditOf,
  fileOf,
  OF_INSTANCE,
  one,
  outcomesOf,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import { recordPaymentResult } from '../../payments/payments.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { movePayment, placeSuspense } from '../bank-files.ts'

useBankFiles()

/** 842,00 are owed on each; the money of the first line is the first one's. */
async function pay(minor = 84_200) {
  const [wrong, right] = [await build(84_200), await build(84_200)]
  const file = fileOf([{ reference: wrong.reference, amountMinor: minor }], { bankgiro: OF_INSTANCE })
  expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
  const { id } = await one<{ id: string }>('select id from bank_line where invoice_id = $1', wrong.id)
  return { wrong, right, lineId: id }
}
const move = (lineId: string, to: BuiltInvoice | undefined) =>
  movePayment(context(), {
    lineId,
    to: to && { kind: 'invoice', name: to.id },
    instanceId: server.instanceId,
    by: 'kim',
    reason: 'the payer named the wrong invoice',
  })
const OWED = { status: 'ACTIVATED', owed: 84_200 }
const PAID = { status: 'CLOSED', owed: 0 }

test('it pays the other debt, and the first is owed again; the same again changes nothing', async () => {
  const { wrong, right, lineId } = await pay()
  await Promise.all([move(lineId, right), move(lineId, right)])
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  const kept = await rows(
    'select number, from_invoice_id, to_invoice_id, moved_by, reason from moved_payment where line_id = $1',
    lineId,
  )
  const reason = 'the payer named the wrong invoice'
  expect(kept).toEqual([
    { number: 1, from_invoice_id: wrong.id, to_invoice_id: right.id, moved_by: 'kim', reason },
  ])
  const { rows: deeds } = await server.test.owner.query(
    `select actor from audit_event where kind = 'payment_moved' and about like $1`,
    [`bank-line:${lineId}%`],
  )
  expect(deeds).toEqual([{ actor: 'kim' }])
})

test('there and back again, and what was too much goes along', async () => {
  const { wrong, right, lineId } = await pay(90_000)
  expect([await creditOf(wrong), await creditOf(right)]).toEqual([5_800, 0])
  await move(lineId, right)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  expect([await creditOf(wrong), await creditOf(right)]).toEqual([0, 5_800])
  await move(lineId, wrong)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
  expect([await creditOf(wrong), await creditOf(right)]).toEqual([5_800, 0])
})

test('left in suspense a person places it; the bank may take it back from wherever it is', async () => {
  const { wrong, right, lineId } = await pay()
  const before = await balanceOf('suspense')
  await move(lineId, undefined)
  await move(lineId, undefined)
  expect([await stateOf(wrong), (await balanceOf('suspense')) - before]).toEqual([OWED, -84_200])
  await placeSuspense(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId,
    to: { kind: 'invoice', name: right.id },
  })
  await placeSuspense(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId,
    to: { kind: 'invoice', name: right.id },
  })
  expect([await stateOf(right), (await balanceOf('suspense')) - before]).toEqual([PAID, 0])
  const other = await build(100_000)
  const payments = [
    { reference: other.reference, amountMinor: 100_000 },
    { reference: wrong.reference, amountMinor: 84_200, kind: 'deduction' as const },
  ]
  expect(outcomesOf(await takeFiles(fileOf(payments, { bankgiro: OF_INSTANCE })))).toEqual([
    'booked',
    'reversed',
  ])
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, OWED])
})

test('of a transfer that paid several, all is moved', async () => {
  const first = await build(84_200)
  const second = await build(10_000, { beside: first })
  const right = await build(200_000)
  const payment = { reference: first.reference, amountMinor: 94_200 }
  await takeFiles(fileOf([payment], { bankgiro: OF_INSTANCE }))
  expect([await stateOf(first), await stateOf(second)]).toEqual([PAID, PAID])
  const { id } = await one<{ id: string }>('select id from bank_line where amount_minor = 94200')
  await move(id, right)
  expect([await stateOf(first), await stateOf(second)]).toEqual([OWED, { status: 'ACTIVATED', owed: 10_000 }])
  expect(await stateOf(right)).toEqual({ status: 'ACTIVATED', owed: 105_800 })
})

test('where nothing can be owed or taken back, nothing has changed', async () => {
  const { wrong, right, lineId } = await pay()
  const paid = await pay()
  await expect(move(lineId, paid.wrong)).rejects.toThrow(/Nothing is owed on/)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
  await placeSuspense(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId,
    to: { kind: 'invoice', name: wrong.id },
  })
  await expect(move('0198e1c0-5a1b-7c3d-8e4f-0123456789ab', right)).rejects.toThrow(/No line of a bank/)
})

describe('money that was ordered in the portal, and that the bank tells of before the gateway', () => {
  /** The line is booked on the debt that was paid; the gateway has not told yet. */
  async function order() {
    const wrong = await build(84_200)
    const beside = { totalMinor: 84_200, beside: wrong }
    const right = await buildInvoice(server.test, server.instanceId, server.clock, beside)
    await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 50 })
    const paymentId = await start(wrong)
    expect(
      outcomesOf(await takeFiles(fileOf([{ reference: wrong.reference, amountMinor: 84_200 }]))),
    ).toEqual(['booked'])
    const { id } = await one<{ id: string }>('select id from bank_line where invoice_id = $1', wrong.id)
    return { wrong, right, lineId: id, paymentId }
  }
  async function start(invoice: BuiltInvoice): Promise<string> {
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests?invoiceNumber=${invoice.number}`
    const redirectUri = `${server.origin}/`
    const body = { amount: '842.00', redirectUri, serviceProviderCode: 'DIRECT_BANK', paymentDate: TODAY }
    const { status, text, json } = await server.call('POST', path, { body })
    expect(status, text).toBe(201)
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    const made = orders.find(({ reference }) => reference === invoice.reference)
    await server.control('POST', `/control/orders/${made?.id}/approve`)
    await server.control('POST', '/control/settle', {})
    return (json as { id: string }).id
  }
  const tell = (id: string) =>
    recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'sweep')
  const lineOf = (id: string) => one('select status, payment_id from bank_line where id = $1', id)

  test('moved before the gateway tells: it is the payment’s money, where it is', async () => {
    const { wrong, right, lineId, paymentId } = await order()
    await move(lineId, right)
    await tell(paymentId)
    expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
    expect(await lineOf(lineId)).toEqual({ status: 'BOOKED', payment_id: paymentId })
    expect([await creditOf(wrong), await creditOf(right), await violated()]).toEqual([0, 0, []])
  })

  test('moved before the payer orders it in the portal: other money', async () => {
    const [wrong, right] = [await build(84_200), await build(84_200)]
    await takeFiles(fileOf([{ reference: wrong.reference, amountMinor: 84_200 }]))
    const { id: lineId } = await one<{ id: string }>(
      'select id from bank_line where invoice_id = $1',
      wrong.id,
    )
    await move(lineId, right)
    await tell(await start(wrong))
    expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, PAID])
    expect(await lineOf(lineId)).toEqual({ status: 'BOOKED', payment_id: null })
    expect(await violated()).toEqual([])
  })

  test('moved after the gateway told: from debt to debt, and never into suspense', async () => {
    const { wrong, right, lineId, paymentId } = await order()
    await tell(paymentId)
    expect(await lineOf(lineId)).toEqual({ status: 'BOOKED', payment_id: paymentId })
    await expect(move(lineId, undefined)).rejects.toThrow(/say where it belongs/)
    expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
    await Promise.all([move(lineId, right), move(lineId, right)])
    expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
    await move(lineId, wrong)
    expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
    expect(await lineOf(lineId)).toEqual({ status: 'BOOKED', payment_id: paymentId })
    await tell(paymentId)
    expect([await creditOf(wrong), await creditOf(right), await violated()]).toEqual([0, 0, []])
  })
})

test('the debtor is told of each debt that it had paid, and what the bank takes back in other words', async () => {
  const { wrong, right, lineId } = await pay()
  await move(lineId, undefined)
  expect(await toldOf(wrong)).toEqual(['payment_received', 'payment_moved'])
  expect(await undoneOf(wrong)).toEqual(['MOVED'])
  await move(lineId, right)
  expect(await toldOf(right)).toEqual(['payment_received'])
  const back = { reference: wrong.reference, amountMinor: 84_200, kind: 'deduction' as const }
  const other = { reference: (await build(100_000)).reference, amountMinor: 100_000 }
  await takeFiles(fileOf([other, back], { bankgiro: OF_INSTANCE }))
  expect(await toldOf(right)).toEqual(['payment_received', 'payment_gone_back'])
  expect([await undoneOf(wrong), await undoneOf(right)]).toEqual([['MOVED'], ['RETURNED']])
})

const toldOf = async ({ id }: BuiltInvoice) =>
  (
    await rows<{ kind: string }>(
      'select kind from mail_outbox where invoice_id = $1 order by created_at, id',
      id,
    )
  ).map(({ kind }) => kind)
async function undoneOf({ reference, zip, number }: BuiltInvoice) {
  const path = `/api/public/invoices/${reference}/${zip}/events?invoiceNumber=${number}`
  const events = (await server.call('GET', path)).json as { subType: string | null }[]
  return events.flatMap(({ subType }) => subType ?? [])
}
