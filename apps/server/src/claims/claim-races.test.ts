/** A claim from a file to its payment, and what happens to it when several things happen at once. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { performDailyRun, stopClaim } from '../collection/collection.ts'
import { importInvoices } from '../imports/imports.ts'
import { agreeReminderFees, buildInvoice, TODAY } from '../testing/build.ts'
import { buildClaim, buildInstanceAccount, NIGHTS_TO_CLAIM, type BuiltClaim } from '../testing/build-claim.ts'
import { recordApplied } from '../testing/debts/applied.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let instance: { id: string; timeZone: string }

beforeAll(async () => {
  server = await startTestServer()
  instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  await buildInstanceAccount(server.test, server.instanceId)
})

type Pair = { readonly reference: string; readonly zip: string }

const call = (of: Pair, part = '', method = 'GET', body?: unknown) =>
  server.call(method, `/api/public/collection-batches/${of.reference}/${of.zip}${part}`, { body })

const today = () => server.clock.today('Europe/Stockholm')
const night = () => performDailyRun(server.product.context, instance, today())

async function start(of: Pair) {
  const { balanceTotal } = (await call(of)).json as { balanceTotal: number }
  return call(of, '/payment-requests', 'POST', {
    paymentDate: today(),
    amount: balanceTotal.toFixed(2),
    redirectUri: `${server.origin}/`,
  })
}

async function sign(of: Pair): Promise<void> {
  const orders = (await server.control('GET', '/control/orders')) as {
    id: string
    reference: string
    status: string
  }[]
  const order = orders.find((o) => o.reference === of.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`, { hold: true })
}

/** The bank has days of its own: by this one everything is due. */
async function settle(): Promise<void> {
  await server.control('POST', '/control/settle', { date: '2027-01-31', includeHeld: true })
  await server.product.sweepAll()
}

async function bookingsOf(claim: BuiltClaim): Promise<string[]> {
  const { rows } = await server.test.owner.query<{ kind: string }>(
    `select kind from ledger_transaction where claim_id = $1 and kind <> 'TRANSFER_TO_CLAIM' order by kind`,
    [claim.id],
  )
  return rows.map((r) => r.kind)
}

const apply = ({ instanceId, id: claimId }: BuiltClaim) =>
  recordApplied(server.product.context, { instanceId, claimId, on: TODAY })

const DEEDS = {
  settle: async () => {
    await settle()
  },
  night,
  dispute: (claim: BuiltClaim) =>
    call(claim, '/dispute', 'POST', { debtorEmail: 'alva@example.com', reason: 'Fel mätare' }),
  stop: (claim: BuiltClaim) =>
    stopClaim(
      server.product.context,
      { instanceId: claim.instanceId, claimId: claim.id },
      {
        on: TODAY,
        reason: 'withdrawn',
      },
    ),
} as const
type Deed = keyof typeof DEEDS
const pairs = (Object.keys(DEEDS) as Deed[]).flatMap((first) =>
  (Object.keys(DEEDS) as Deed[]).map((second) => [first, second] as const),
)

describe('at once, with a payment that is signed', () => {
  test.each(pairs)('%s and %s', async (first, second) => {
    // The question what comes next is due tonight.
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 40 })
    expect((await start(claim)).status).toBe(201)
    await sign(claim)
    await server.product.sweepAll()
    await Promise.allSettled([DEEDS[first](claim), DEEDS[second](claim)])
    // Whatever came first, the money comes, once.
    await settle()
    await settle()
    await expect
      .poll(async () => (await call(claim)).json)
      .toMatchObject({ balanceTotal: 0, status: 'CLOSED' })
    expect((await bookingsOf(claim)).filter((kind) => kind === 'PAYMENT')).toEqual(['PAYMENT'])
    const { rows } = await server.test.owner.query(
      `select status from invoice where claim_id = $1 union all
       select status from dispute where claim_id = $1 and status = 'OPEN'`,
      [claim.id],
    )
    expect(rows).toEqual([{ status: 'CLOSED' }])
  })
})

test('a payment that starts while an application adds its cost is for the one sum or the other', async () => {
  for (let round = 0; round < 2; round++) {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 40 })
    // Its demand left on its day.
    await server.test.owner.query(`update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x'`)
    const [started] = await Promise.all([start(claim), apply(claim)])
    expect(started.status === 201 || (started.json as { code: string }).code === 'amount_changed').toBe(true)
    await night()
    const { balanceTotal } = (await call(claim)).json as { balanceTotal: number }
    if (started.status === 201) {
      await sign(claim)
      await settle()
      const paid = (started.json as { amount: number }).amount
      await expect
        .poll(async () => ((await call(claim)).json as { balanceTotal: number }).balanceTotal)
        .toBeCloseTo(balanceTotal - paid, 2)
    }
    expect((await bookingsOf(claim)).filter((kind) => kind === 'COURT_FEE')).toEqual(['COURT_FEE'])
  }
})

test('an invoice that is paid while it is handed over is paid once, on the invoice or on its claim', async () => {
  for (let round = 0; round < 3; round++) {
    const dueDate = addDays(TODAY, -22)
    server.clock.moveTo(addDays(dueDate, -30))
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate })
    for (const after of NIGHTS_TO_CLAIM.filter((n) => n < 22)) {
      server.clock.moveTo(addDays(dueDate, after))
      await night()
    }
    server.clock.moveTo(TODAY)
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
    const { balances } = (await server.call('GET', path)).json as { balances: { total: number } }
    const body = {
      paymentDate: TODAY,
      amount: balances.total.toFixed(2),
      redirectUri: `${server.origin}/`,
    }
    expect((await server.call('POST', `${path}/payment-requests`, { body })).status).toBe(201)
    await Promise.all([sign(invoice).then(settle), night()])
    await settle()
    const left = async () =>
      (
        await server.test.owner.query<{ kind: string; balance: number }>(
          `select 'invoice' as kind, balance_minor::int as balance from invoice where id = $1 and claim_id is null
           union all select 'claim', balance_minor::int from claim where debtor_id = $2`,
          [invoice.id, invoice.debtorId],
        )
      ).rows
    // On the claim the day's interest and the demand are left to pay, or the demand had not been sent yet.
    await expect
      .poll(async () => {
        const [one, ...others] = await left()
        if (!one || others.length > 0) return 'not one debt'
        return one.kind === 'invoice' ? one.balance === 0 : one.balance < 18_000 + 1_000
      })
      .toBe(true)
    const { rows } = await server.test.owner.query(
      `select count(*)::int as payments from ledger_transaction t join payment p on p.id = t.payment_id
       where p.invoice_id = $1 and t.kind = 'PAYMENT'`,
      [invoice.id],
    )
    expect(rows).toEqual([{ payments: 1 }])
  }
})

test('from a creditor’s file to the last krona: imported, overdue, reminded, handed over, demanded, paid', async () => {
  const xml = readFileSync(new URL('../imports/fixtures/se-invoice.xml', import.meta.url))
  async function* inputs() {
    yield {
      name: 'se-invoice.xml',
      async *open() {
        yield xml
      },
    }
  }
  let pair: Pair = { reference: '', zip: '' }
  for await (const result of importInvoices(server.product.context, instance, inputs(), {
    as: 'distributed',
  })) {
    expect(result.outcome).toBe('created')
    pair = { reference: result.paymentReference ?? '', zip: result.zip ?? '' }
  }
  await agreeReminderFees(server.test, server.instanceId)
  for (const after of NIGHTS_TO_CLAIM) {
    server.clock.moveTo(addDays(date('2026-12-02'), after))
    await night()
  }
  const invoice = await server.call('GET', `/api/public/invoices/${pair.reference}/${pair.zip}`)
  const found = invoice.json as unknown as {
    collection_batch_payment_reference: string
    collection_batch_zip: string
  }
  const claim = { reference: found.collection_batch_payment_reference, zip: found.collection_batch_zip }
  // 842.00, the reminder's 60.00, the demand's 180.00, and 22 days of interest, 5.075, in two postings.
  expect((await call(claim)).json).toMatchObject({ status: 'OPEN', balanceTotal: 1087.08 })
  expect((await start(claim)).status).toBe(201)
  await sign(claim)
  await settle()
  await expect.poll(async () => (await call(claim)).json).toMatchObject({ status: 'CLOSED', balanceTotal: 0 })
  const receipt = await server.call(
    'PUT',
    `/api/public/invoices/${pair.reference}/${pair.zip}/payment-receipt`,
  )
  expect(receipt.text.startsWith('%PDF')).toBe(true)
})
