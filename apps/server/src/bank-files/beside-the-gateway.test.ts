/** A bank's file that tells of a debt which somebody pays, or the night charges, at the same time. */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import {
  balanceOf,
  build as buildOver,
  context,
  creditOf,
  fileOf,
  instance,
  one,
  outcomesOf,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { TODAY, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'

useBankFiles()

const pay = (reference: string, amountMinor: number) => ({ reference, amountMinor })
const build = (wishes: InvoiceWishes = {}) => buildOver(119_700, wishes)
const clearing = (gateway: string) => balanceOf('clearing', gateway)

describe('a payment', () => {
  const doorOf = ({ reference, zip }: BuiltInvoice): string =>
    `/api/public/invoices/${reference}/${zip}/payment-requests`
  async function start(invoice: BuiltInvoice, paymentDate: string): Promise<void> {
    const body = {
      paymentDate,
      amount: '1197.00',
      redirectUri: `${server.origin}/#/sv/confirmation`,
      serviceProviderCode: 'DIRECT_BANK',
    }
    expect((await server.call('POST', doorOf(invoice), { body })).status).toBe(201)
  }
  async function orderOf(invoice: BuiltInvoice): Promise<string | undefined> {
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    return orders.find(({ reference }) => reference === invoice.reference)?.id
  }
  async function visit(invoice: BuiltInvoice, hold: boolean): Promise<void> {
    await start(invoice, TODAY)
    await server.control('POST', `/control/orders/${await orderOf(invoice)}/approve`, { hold })
    if (!hold) await server.control('POST', '/control/settle', {})
    await server.product.sweepAll()
  }
  test('whose money the file brings: it is known, once; a second transfer is too much', async () => {
    const invoice = await build()
    await visit(invoice, false)
    const told = await clearing('DIRECT_BANK')
    expect(
      outcomesOf(await takeFiles(fileOf([pay(invoice.reference, 119_700), pay(invoice.reference, 119_700)]))),
    ).toEqual(['known', 'booked'])
    expect(await clearing('DIRECT_BANK')).toBe(told - 119_700)
    expect(await creditOf(invoice)).toBe(119_700)
  })
  test('that is only signed, the file tells of first; what another line brings is too much', async () => {
    const invoice = await build()
    await visit(invoice, true)
    expect(await stateOf(invoice)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    expect(outcomesOf(await takeFiles(fileOf([pay(invoice.reference, 119_700)])))).toEqual(['booked'])
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    await server.control('POST', '/control/settle', { includeHeld: true })
    await server.product.sweepAll()
    expect(await creditOf(invoice)).toBe(0)
    expect(outcomesOf(await takeFiles(fileOf([pay(invoice.reference, 119_700)])))).toEqual(['booked'])
    expect(await creditOf(invoice)).toBe(119_700)
  })
  test.each([
    ['unsigned', TODAY, 'IN_PROGRESS'],
    ['signed for the due date', addDays(TODAY, 20), 'AUTHORIZED'],
  ])('that is %s has no link any more, and is cancelled at the bank', async (_, paymentDate, status) => {
    const invoice = await build({ dueDate: addDays(TODAY, 20) })
    const path = doorOf(invoice)
    await start(invoice, paymentDate)
    if (status === 'AUTHORIZED') {
      await server.control('POST', `/control/orders/${await orderOf(invoice)}/approve`)
    }
    await server.call('PUT', `${path}/status`)
    await takeFiles(fileOf([pay(invoice.reference, 119_700)]))
    expect((await server.call('GET', path)).json).toMatchObject([{ status, externalLink: null }])
    await server.product.sweepAll()
    expect((await server.call('GET', path)).json).toMatchObject([{ status: 'FAILED' }])
    expect(await orderOf(invoice)).toBeUndefined()
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    expect(await creditOf(invoice)).toBe(0)
  })
})

test('a night and a file at once: the fee is on the invoice or it is paid before', async () => {
  const invoices = await Promise.all(
    Array.from({ length: 8 }, () => buildOver(100_000, { dueDate: addDays(TODAY, -8) })),
  )
  const text = fileOf(invoices.map(({ reference }) => pay(reference, 100_000)))
  await Promise.all([performDailyRun(context(), instance, TODAY), takeFiles(text)])
  const { minor } = await one<{ minor: number }>(
    `select sum(p.amount_minor)::int as minor from bank_line l
     join ledger_transaction t on t.cause = 'payment:' || l.id
     join posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
     where l.invoice_id = any($1) and a.kind = 'clearing'`,
    invoices.map(({ id }) => id),
  )
  expect(minor).toBe(800_000)
})
