/** Money that the bank moves for a payment that was given up (decision 006). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { importBankFiles } from '../bank-files/bank-files.ts'
import { performDailyRun } from '../collection/collection.ts'
import { castBgMax, type CastPayment } from '../demo/cast-bgmax.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let instance: Instance
let serial = 500

beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
  const found = await openInstances(server.test.db, server.clock).ofHost('localhost')
  if (!found) throw new Error('there is no instance')
  instance = found
})
beforeEach(() => server.control('DELETE', '/control/faults'))

const context = () => ({
  db: server.test.db,
  clock: server.clock,
  config: server.product.context.config,
  log: openLog('silent'),
})
const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'bank', fault: name, times })
const sweep = () => server.product.sweepAll()

async function rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await server.test.owner.query(sql, values)).rows as Row[]
}

async function start(invoice: BuiltInvoice) {
  return server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      paymentDate: TODAY,
      amount: '842.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: 'DIRECT_BANK',
    },
  })
}

type Order = { id: string; reference: string }
async function orderOf(invoice: BuiltInvoice): Promise<string> {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.find((o) => o.reference === invoice.reference)?.id ?? ''
}

/** A payment whose answer was lost: FAILED here, an order at the bank. */
async function givenUp(): Promise<BuiltInvoice> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await fault('error-after-success')
  expect((await start(invoice)).status).toBe(400)
  return invoice
}
/** A payment that waits for its payer. */
async function begun(): Promise<BuiltInvoice> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  expect((await start(invoice)).status).toBe(201)
  return invoice
}
async function receivedOf(invoice: BuiltInvoice): Promise<number[]> {
  const { json } = await server.call('GET', path(invoice, '/payment-requests'))
  return (json as { receivedAmount: number }[]).map(({ receivedAmount }) => receivedAmount)
}
const approve = async (invoice: BuiltInvoice) =>
  server.control('POST', `/control/orders/${await orderOf(invoice)}/approve`)
const execute = () => server.control('POST', '/control/settle', {})

const take = (invoice: BuiltInvoice, amountMinor = 84_200): Promise<string[]> =>
  takeAll([{ reference: invoice.reference, amountMinor }])

async function takeAll(payments: CastPayment[]): Promise<string[]> {
  serial += 1
  const text = castBgMax({
    bankgiro: '9990-0227',
    day: server.clock.today(instance.timeZone),
    serial,
    payments,
  })
  const file = {
    name: `late-${serial}`,
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const outcomes: string[] = []
  for await (const { outcome } of importBankFiles(context(), instance, [file])) outcomes.push(outcome)
  return outcomes
}

async function callBack(invoice: BuiltInvoice, eventId: string): Promise<void> {
  const [row] = await rows<{ callback_secret: string }>(
    'select callback_secret from payment where invoice_id = $1 order by created_at limit 1',
    invoice.id,
  )
  const answer = await server.call('POST', `/api/callbacks/direct-bank/${row?.callback_secret}`, {
    body: { eventId, paymentId: await orderOf(invoice), transactionStatus: 'ACSC' },
  })
  expect(answer.status).toBe(200)
}

async function endOf(invoice: BuiltInvoice) {
  const [end] = await rows(
    `select i.status, i.balance_minor::int as owed,
       (select array_agg(p.status || case when p.arrived_on is null then '' else ' arrived' end || case when p.is_outcome_unknown
         then ' unsure' else '' end order by p.created_at) from payment p where p.invoice_id = i.id) as payments,
       (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind = 'PAYMENT') as booked,
       (select coalesce(-sum(a.balance_minor), 0)::int from ledger_account a where a.kind = 'credit'
         and a.debtor_id = i.debtor_id) as credit,
       (select count(*)::int from task t join payment p on t.about like 'payment:' || p.id || '%'
         where p.invoice_id = i.id and t.done_at is null) as tasks
     from invoice i where i.id = $1`,
    invoice.id,
  )
  return end
}

const PAID = { status: 'CLOSED', owed: 0, payments: ['FAILED arrived'], booked: 1, credit: 0, tasks: 0 }

async function chargesOf(invoice: BuiltInvoice): Promise<number> {
  const nights = Array.from({ length: 20 }, (_, n) => addDays(date(TODAY), 14 + n))
  for (const night of nights) await performDailyRun(context(), instance, night)
  return (
    await rows(
      `select from ledger_transaction where invoice_id = $1 and kind in ('REMINDER', 'INTEREST')`,
      invoice.id,
    )
  ).length
}

test('it is booked once, the payment stays failed, and debtor and sandbox are told', async () => {
  const invoice = await givenUp()
  await approve(invoice)
  await execute()
  await sweep()
  await expect.poll(() => endOf(invoice)).toEqual(PAID)
  await Promise.all([
    callBack(invoice, 'again'),
    callBack(invoice, 'again'),
    callBack(invoice, 'more'),
    sweep(),
    sweep(),
  ])
  expect(await endOf(invoice)).toEqual(PAID)
  expect((await server.call('GET', path(invoice, '/payment-requests'))).json).toMatchObject([
    { status: 'FAILED', receivedAmount: 842, outcomeUnknown: false },
  ])
  const receipt = await server.call('PUT', path(invoice, '/payment-receipt'))
  expect(receipt.headers.get('content-type')).toBe('application/pdf')
  expect(await server.control('GET', '/control/ledger')).toMatchObject({
    isRight: true,
    lost: [],
    doubled: [],
    wrong: [],
  })
  expect(
    await rows(
      `select 1 from payment_move m join payment p on p.id = m.payment_id
      where p.invoice_id = $1 and m.to_status = 'ARRIVED'`,
      invoice.id,
    ),
  ).toHaveLength(1)
  expect(
    await rows(
      `select kind from mail_outbox where cause = (select 'payment:' || id from payment where invoice_id = $1)`,
      invoice.id,
    ),
  ).toHaveLength(1)
})

test('signed and not executed: nothing is started beside it and nobody is reminded, until the bank says no', async () => {
  const invoice = await givenUp()
  await approve(invoice)
  await sweep()
  await expect.poll(() => endOf(invoice)).toMatchObject({ payments: ['FAILED unsure'], booked: 0, tasks: 0 })
  expect((await start(invoice)).json).toMatchObject({ code: 'payment_in_progress' })
  expect(await chargesOf(invoice)).toBe(0)
  await fault('drop-callback')
  await execute()
  await sweep()
  expect(await endOf(invoice)).toEqual(PAID)
})

test('money.over: a second payment was made meanwhile: what comes after it is owed back', async () => {
  const invoice = await givenUp()
  const lost = await orderOf(invoice)
  expect((await start(invoice)).status).toBe(201)
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  const second = orders.find((o) => o.reference === invoice.reference && o.id !== lost)
  await server.control('POST', `/control/orders/${second?.id}/approve`)
  await execute()
  await sweep()
  await expect.poll(() => endOf(invoice)).toMatchObject({ status: 'CLOSED', booked: 1 })
  await server.control('POST', `/control/orders/${lost}/approve`)
  await execute()
  await sweep()
  await expect
    .poll(() => endOf(invoice))
    .toEqual({ ...PAID, payments: ['FAILED arrived', 'COMPLETED'], booked: 2, credit: 84_200, tasks: 1 })
})

test.each(['the gateway first', 'the file first', 'both at once'])(
  'the bank statement of the same money, %s: booked once',
  async (order) => {
    const invoice = await givenUp()
    await fault('drop-callback', 10)
    await approve(invoice)
    await execute()
    if (order === 'the gateway first') {
      await callBack(invoice, 'first')
      await sweep()
      expect(await take(invoice)).toEqual(['known'])
    } else if (order === 'the file first') {
      expect(await take(invoice)).toEqual(['booked'])
      await callBack(invoice, 'second')
      await sweep()
    } else {
      await Promise.all([callBack(invoice, 'one'), take(invoice), callBack(invoice, 'two'), sweep()])
      await sweep()
    }
    // A callback is looked into after it was acknowledged.
    await expect.poll(() => endOf(invoice)).toEqual(PAID)
    expect(await take(invoice)).toEqual(['booked'])
    expect(await endOf(invoice)).toMatchObject({ booked: 2, credit: 84_200 })
    expect(await server.control('GET', '/control/ledger')).toMatchObject({ isRight: true })
  },
)

test('an ordinary payment whose money a file brings first is booked once', async () => {
  const invoice = await begun()
  await fault('drop-callback', 10)
  await approve(invoice)
  await execute()
  expect(await take(invoice)).toEqual(['booked'])
  await sweep()
  expect(await endOf(invoice)).toEqual({ ...PAID, payments: ['COMPLETED'] })
})

test.each([
  ['given up', givenUp, 'FAILED arrived'],
  ['ordinary', begun, 'COMPLETED'],
])('a payment that was %s, linked to its line, which the bank takes back', async (_, make, payment) => {
  const invoice = await make()
  await fault('drop-callback', 10)
  await approve(invoice)
  await execute()
  expect(await take(invoice)).toEqual(['booked'])
  await callBack(invoice, 'told')
  await sweep()
  expect(await endOf(invoice)).toMatchObject({ ...PAID, payments: [payment] })
  expect(await receivedOf(invoice)).toEqual([842])
  const other = await buildInvoice(server.test, server.instanceId, server.clock)
  const back = await takeAll([
    { reference: other.reference, amountMinor: 90_000 },
    { reference: invoice.reference, amountMinor: 84_200, kind: 'deduction' },
  ])
  expect(back).toEqual(['booked', 'reversed'])
  expect(await endOf(invoice)).toMatchObject({ status: 'ACTIVATED', owed: 84_200, payments: [payment] })
  expect(await receivedOf(invoice)).toEqual([0])
})

test('another sum than was ordered: a person is asked, and until they are done nobody is reminded', async () => {
  const invoice = await givenUp()
  await fault('wrong-amount', 50)
  await approve(invoice)
  await execute()
  await sweep()
  const held = {
    status: 'ACTIVATED',
    owed: 84_200,
    payments: ['FAILED unsure'],
    booked: 0,
    credit: 0,
    tasks: 1,
  }
  await expect.poll(() => endOf(invoice)).toEqual(held)
  expect(await chargesOf(invoice)).toBe(0)
  await sweep()
  expect(await endOf(invoice)).toEqual(held)
  await rows(`update task set done_at = now(), done_by = 'person:anna' where kind = 'payment_contradiction'`)
  await sweep()
  expect(await endOf(invoice)).toEqual({ ...held, payments: ['FAILED'], tasks: 0 })
})

test('money for an invoice that has been archived is owed back', async () => {
  const invoice = await givenUp()
  expect(await take(invoice)).toEqual(['booked'])
  await rows(`update invoice set status = 'ARCHIVED' where id = $1`, invoice.id)
  await rows(`update bank_line set bank_date = bank_date - 60 where invoice_id = $1`, invoice.id)
  await approve(invoice)
  await execute()
  await sweep()
  await expect
    .poll(() => endOf(invoice))
    .toMatchObject({ status: 'ARCHIVED', owed: 0, credit: 84_200, tasks: 1 })
})
