/** A refund that could go by Swish and in a file: one of them takes it, in either order and at once. */
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/identity.ts'
import { buildInstanceAccount } from '../../testing/build-claim.ts'
import { buildInvoice, TODAY } from '../../testing/build.ts'
import { camt } from '../../testing/files/bank-formats.ts'
import { formWith } from '../../testing/files/sample-files.ts'
import { openOffice, type AskOffice } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
  await buildInstanceAccount(server.test, server.instanceId)
  await server.test.owner.query(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  ask = await openOffice(server, ['finance', 'approver'])
})
const one = async <Row>(text: string, ...values: unknown[]): Promise<Row> =>
  (await server.test.owner.query(text, values)).rows[0] as Row

/** Of 842.00 a transfer pays 100.00 while Swish is asked for all: 100.00 of that may go back either way. */
async function paidBothWays(): Promise<{ task: string; payment: string; about: string }> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  const bankId = newId(server.clock.now())
  const body = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
  const started = await server.call('POST', `${path}/payment-requests`, { body })
  expect(started.status, started.text).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  const entry = { currency: 'SEK', day: TODAY, bankId, payerIban: 'SE4550000000058398257466' }
  const text = camt({
    account: { other: '99900227' },
    message: '054',
    entries: [{ ...entry, amountMinor: 10_000, reference: invoice.reference }],
  })
  const handed = await ask('finance', 'PUT /payment-batches', formWith(Buffer.from(text), 'camt.xml'))
  expect(handed.json, handed.text).toMatchObject({ counts: { booked: 1 } })
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  const { id: payment } = started.json as { id: string }
  const status = async () => {
    await server.product.sweepAll()
    return (await one<{ status: string }>('select status from payment where id = $1', payment)).status
  }
  await expect.poll(status, { timeout: 10_000 }).toBe('COMPLETED')
  // As where the bank told of Swish's money with the account that it came from.
  await server.test.owner.query(
    `update bank_line set payment_id = $1 where payer_account is not null and invoice_id = $2`,
    [payment, invoice.id],
  )
  const task = await one<{ id: string; about: string }>(
    `select k.id, k.about from task k join ledger_transaction t on t.cause = 'refund:' || k.about
     where k.kind = 'refund' and t.invoice_id = $1 and k.done_at is null`,
    invoice.id,
  )
  return { task: task.id, about: task.about, payment }
}

test.each(['file first', 'Swish first', 'at once'])('%s: the other finds nothing left', async (order) => {
  const { task, about, payment } = await paidBothWays()
  expect((await ask('finance', `GET /refunds/${task}`)).json).toMatchObject({
    status: 'OWED',
    left: 100,
    ways: [{ gateway: 'SWISH' }],
    account: { number: 'SE4550000000058398257466' },
  })
  const proposed = await ask('finance', 'POST /refunds/files', { currency: 'SEK', refunds: [task] })
  expect(proposed.status, proposed.text).toBe(202)
  const { id } = proposed.json as { id: string }
  const acts = {
    file: () => ask('approver', `POST /proposals/${id}/approve`),
    swish: () => ask('finance', `POST /refunds/${task}/send`, { payment }),
  }
  const done =
    order === 'at once'
      ? await Promise.all([acts.file(), acts.swish()])
      : order === 'file first'
        ? [await acts.file(), await acts.swish()]
        : [await acts.swish(), await acts.file()]
  expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
  const sent = await one<{ files: number; swish: number }>(
    `select (select count(*)::int from payout where task_id = $1) as files,
       (select count(*)::int from refund where about = $2 and status <> 'FAILED') as swish`,
    task,
    about,
  )
  expect(sent.files + sent.swish).toBe(1)
  await server.test.owner.query('update bank_line set payment_id = null where payment_id = $1', [payment])
})
