/** Money for an instalment whose plan has ended pays the debt that took over what it owed, whichever way it comes. */
import { expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { placeSuspense, readSuspenseRows } from '../bank-files/bank-files.ts'
import { reversePayment, performDailyRun } from '../collection/collection.ts'
import {
  build,
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
import { TODAY, type BuiltInvoice } from '../testing/build.ts'

useBankFiles()

const DUE = addMonths(TODAY, 1)
const ENDED = addDays(DUE, 31)

async function nights(...days: readonly CalendarDate[]): Promise<void> {
  for (const day of days) {
    server.clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
}

/** An invoice of 900.00 in a plan of three months without fees to start; its first bill is 329.00. */
async function billed(): Promise<{ mother: BuiltInvoice; instalment: BuiltInvoice }> {
  server.clock.moveTo(TODAY)
  const mother = await build(90_000)
  const path = `/api/public/invoices/${mother.reference}/${mother.zip}/part-payment/start`
  expect((await server.call('PUT', path, { body: { type: 'PLAN_3' } })).status).toBe(200)
  await nights(addDays(DUE, -14))
  const bill = await one<{ id: string; reference: string; number: string; zip: string }>(
    `select i.id, i.payment_reference as reference, i.invoice_number as number, i.zip
     from part_payment_member m join part_payment_instalment n on n.part_payment_id = m.part_payment_id
     join invoice i on i.id = n.invoice_id where m.invoice_id = $1`,
    mother.id,
  )
  return { mother, instalment: { ...mother, ...bill } }
}

/** The instalment is missed and the plan ends. 300.00 of it and two monthly fees of 29.00 are owed on the invoice again. */
async function endPlan({ mother }: { mother: BuiltInvoice }): Promise<void> {
  await nights(addDays(DUE, 1), addDays(DUE, 2), addDays(DUE, 17), ENDED)
  expect(await stateOf(mother)).toEqual({ status: 'ACTIVATED', owed: OWED })
}
const OWED = 90_000 + 2 * 2900

const claimOf = (invoice: BuiltInvoice) =>
  one<{ id: string; status: string; owed: number }>(
    'select c.id, c.status, c.balance_minor::int as owed from claim c join invoice i on i.claim_id = c.id where i.id = $1',
    invoice.id,
  )

/** The nights on which the schedule of a Swedish person goes on, until the invoice is in a claim. */
async function handOver(invoice: BuiltInvoice): Promise<{ id: string; status: string; owed: number }> {
  for (let n = 11; n < 50 && !(await claimOf(invoice)); n++) await nights(addDays(ENDED, n))
  const claim = await claimOf(invoice)
  expect(claim).toMatchObject({ status: 'OPEN' })
  return claim
}

test('a bank file with the reference of the instalment', async () => {
  const plan = await billed()
  await endPlan(plan)
  const { mother, instalment } = plan
  const file = fileOf([{ reference: instalment.reference, amountMinor: 32_900 }])
  expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
  expect(outcomesOf(await takeFiles(file))).toEqual(['unchanged'])
  expect(await stateOf(mother)).toEqual({ status: 'ACTIVATED', owed: OWED - 32_900 })
  expect(await stateOf(instalment)).toEqual({ status: 'STOPPED', owed: 0 })
  expect(await creditOf(mother)).toBe(0)
})

test('a bank file, when the invoice has moved into a claim since', async () => {
  const plan = await billed()
  await endPlan(plan)
  const { mother, instalment } = plan
  const { owed } = await handOver(mother)
  await takeFiles(
    fileOf([{ reference: instalment.reference, amountMinor: 32_900 }], { bankgiro: '9990-0110' }),
  )
  expect(await claimOf(mother)).toMatchObject({ status: 'OPEN', owed: owed - 32_900 })
  expect(await creditOf(mother)).toBe(0)
})

test('taken back by the bank: it is owed on the invoice again', async () => {
  const plan = await billed()
  await endPlan(plan)
  const { mother, instalment } = plan
  await takeFiles(fileOf([{ reference: instalment.reference, amountMinor: 32_900 }]))
  const line = await one<{ id: string }>('select id from bank_line where invoice_id = $1', mother.id)
  const payment = { instanceId: server.instanceId, paymentId: line.id }
  expect(await reversePayment(context(), payment, ENDED)).toBe(true)
  expect(await stateOf(mother)).toMatchObject({ owed: OWED })
  expect(await stateOf(instalment)).toEqual({ status: 'STOPPED', owed: 0 })
})

test('out of suspense, by the number of the instalment, once', async () => {
  const plan = await billed()
  await endPlan(plan)
  const { mother, instalment } = plan
  await takeFiles(fileOf([{ reference: '7009', amountMinor: 32_900 }]))
  const row = (await readSuspenseRows(server.test.db)).find((r) => r.payment_references[0] === '7009')
  const to = { kind: 'invoice' as const, name: instalment.number }
  const on = { kind: 'invoice', number: mother.number, owedBackMinor: 0 }
  for (let n = 0; n < 2; n++)
    expect(
      await placeSuspense(context(), {
        instanceId: server.instanceId,
        by: 'person:anna',
        lineId: row?.id ?? '',
        to,
      }),
    ).toMatchObject({ on })
  expect(await stateOf(mother)).toEqual({ status: 'ACTIVATED', owed: OWED - 32_900 })
})

/** A payment of the first bill whose order was given up here while its gateway could not be reached, and the plan has ended. */
async function givenUp(gateway: 'DIRECT_BANK' | 'SWISH') {
  const plan = await billed()
  const { instalment } = plan
  const path = `/api/public/invoices/${instalment.reference}/${instalment.zip}/payment-requests`
  const paymentDate = addDays(DUE, -14)
  const body = {
    amount: '329.00',
    paymentDate,
    redirectUri: `${server.origin}/`,
    serviceProviderCode: gateway,
  }
  expect((await server.call('POST', path, { body })).status).toBe(201)
  await server.test.owner.query(`update payment set status = 'FAILED' where invoice_id = $1`, [instalment.id])
  await endPlan(plan)
  return plan
}

/** The payer has signed all the same, and the gateway tells that the money has come. */
async function arrive(instalment: BuiltInvoice): Promise<void> {
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === instalment.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  for (let n = 0; n < 2; n++) await server.product.sweepAll()
}

test('a bank file first, and then the gateway of a payment that was given up: it is the same money', async () => {
  const { mother, instalment } = await givenUp('DIRECT_BANK')
  const file = fileOf([{ reference: instalment.reference, amountMinor: 32_900 }])
  expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
  await arrive(instalment)
  const arrived = () =>
    one<{ day: string | null; lines: number }>(
      `select arrived_on::text as day, (select count(*)::int from bank_line l where l.payment_id = p.id) as lines
       from payment p where invoice_id = $1`,
      instalment.id,
    )
  await expect.poll(arrived).toEqual({ day: expect.any(String), lines: 1 })
  expect(await stateOf(mother)).toEqual({ status: 'ACTIVATED', owed: OWED - 32_900 })
  expect(await creditOf(mother)).toBe(0)
})

test.each(['DIRECT_BANK', 'SWISH'] as const)(
  '%s: paid late, after the order was given up',
  async (gateway) => {
    const { mother, instalment } = await givenUp(gateway)
    await arrive(instalment)
    await expect.poll(() => stateOf(mother)).toEqual({ status: 'ACTIVATED', owed: OWED - 32_900 })
    expect(await creditOf(mother)).toBe(0)
    // The bank's file tells of the same money: it is known.
    if (gateway === 'DIRECT_BANK') {
      const file = fileOf([{ reference: instalment.reference, amountMinor: 32_900 }])
      expect(outcomesOf(await takeFiles(file))).toEqual(['known'])
      expect(await stateOf(mother)).toMatchObject({ owed: OWED - 32_900 })
    }
  },
)
