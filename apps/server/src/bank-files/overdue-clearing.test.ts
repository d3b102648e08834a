/** A gateway told of money, and the statement of the account does not show it. */
import { beforeAll, expect, test } from 'vitest'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { recordPaymentResult } from '../payments/payments.ts'
import { camt } from '../testing/files/bank-formats.ts'
import { one, rows, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { askAboutOverdueClearing } from './bank-files.ts'

useBankFiles()

const IBAN = 'SE4550000000058398257466'
let serial = 0

beforeAll(async () => {
  const context = { db: server.test.db, clock: server.clock }
  const giro = { form: 'bankgiro', number: '9990-0110', currency: 'SEK', receiver: 'Nordklar AB' } as const
  await chooseOwnAccount(context, server.instanceId, {
    ...giro,
    by: 'person:anna',
    bank: undefined,
    bic: undefined,
  })
  const wanted = { kind: 'IBAN' as const, number: IBAN, country: 'SE' }
  await addAddress(context, server.instanceId, { of: giro.number, wanted, by: 'person:anna' })
})

async function pay(): Promise<string> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { hasAccount: false })
  await server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: {
      amount: '842.00',
      paymentDate: TODAY,
      redirectUri: `${server.origin}/`,
      serviceProviderCode: 'DIRECT_BANK',
    },
  })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const { id } = await one<{ id: string }>('select id from payment where invoice_id = $1', invoice.id)
  await recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'sweep')
  return invoice.reference
}

/** The statement of a day, with what else came to the account. */
const statement = (day: CalendarDate, references: readonly string[] = []) =>
  camt({
    account: { iban: IBAN },
    serial: (serial += 1),
    entries: [
      ...references.map((reference) => ({
        amountMinor: 84_200,
        currency: 'SEK',
        day,
        bankId: `P${reference}`,
        reference,
      })),
      { amountMinor: 100, currency: 'SEK', day, bankId: `O${serial}`, message: 'Other' },
    ],
  })
const take = async (text: string) => {
  await takeFiles(text)
  await server.test.db.transaction((tx) => askAboutOverdueClearing(tx, server.instanceId))
}
const tasks = () =>
  rows(
    `select split_part(about, ':', 2) as gateway, details -> 'days' as days from task where kind = 'clearing_late' and done_at is null`,
  )

test('after three bank days of statements without it there is a task, until the money comes; what was paid before the first is none', async () => {
  await pay()
  const before = addDays(TODAY, -5)
  await rows('update payment set execution_date = $1, arrived_on = null', before)
  const reference = await pay()
  const third = addBankDays('SE', TODAY, 3)
  const late = addBankDays('SE', TODAY, 4)
  await take(statement(TODAY))
  await take(statement(third))
  expect(await tasks()).toEqual([])
  await take(statement(late))
  expect(await tasks()).toEqual([
    { gateway: 'DIRECT_BANK', days: [{ currency: 'SEK', day: TODAY, payments: 1, minor: 84_200 }] },
  ])
  await take(statement(late, [reference]))
  expect(await tasks()).toEqual([])
})
