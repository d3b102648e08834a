/** A person takes a payment back that a gateway had told of, and whose money did not come. */
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import { transfer } from '../../testing/debts/transfer.ts'
import { signAndSettle } from '../../testing/debts/settle.ts'
import { castBgMax } from '../../demo/cast-bgmax.ts'
import { importBankFiles, reverseByHand } from '../bank-files.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const build = async (): Promise<BuiltInvoice> => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await sql(`update debtor set email = 'alva@example.com' where id = $1`, invoice.debtorId)
  return invoice
}

async function pay(invoice: BuiltInvoice): Promise<string> {
  const body = { amount: '842.00', paymentDate: TODAY, redirectUri: `${server.origin}/` }
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const started = await server.call('POST', path, { body })
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, invoice.reference)
  return (started.json as { id: string }).id
}

/** A bank's file with 842.00 for the reference on this bankgiro. */
async function takeFiles(reference: string, bankgiro: string): Promise<string[]> {
  const text = castBgMax({ bankgiro, day: TODAY, serial: 90, payments: [{ reference, amountMinor: 84_200 }] })
  const file = {
    name: 'told',
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const outcomes: string[] = []
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for await (const { outcome } of importBankFiles(server.product.context, instance, [file]))
    outcomes.push(outcome)
  return outcomes
}

const reverse = (paymentId: string) =>
  reverseByHand(server.product.context, {
    instanceId: server.instanceId,
    paymentId,
    by: 'person:kim',
    reason: 'The bank has no such payment',
  })
const stateOf = async ({ id }: BuiltInvoice) =>
  (await sql('select status, balance_minor::int as owed from invoice where id = $1', id))[0]

test('what it had paid is owed again, once, with a deed and a message', async () => {
  const invoice = await build()
  const paymentId = await pay(invoice)
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  const answers = await Promise.all([1, 2, 3].map(() => reverse(paymentId)))
  expect(answers.filter(({ isNew }) => isNew)).toEqual([
    { amount_minor: 84_200, currency: 'SEK', isNew: true },
  ])
  expect(await reverse(paymentId)).toMatchObject({ isNew: false })
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 84_200 })
  expect(
    await sql(
      'select kind, actor, reason, before, after from audit_event where about = $1 and is_deed',
      `payment:${paymentId}`,
    ),
  ).toMatchObject([
    {
      kind: 'payment_reversed',
      actor: 'person:kim',
      reason: 'The bank has no such payment',
      before: { status: 'CLOSED', balanceMinor: 0 },
      after: { status: 'ACTIVATED', balanceMinor: 84_200 },
    },
  ])
  const told = await sql(
    `select text_body from mail_outbox where kind = 'payment_reversed' and invoice_id = $1`,
    invoice.id,
  )
  expect(told).toMatchObject([{ text_body: expect.stringMatching(/842,00\sSEK .* inte kommit fram/s) }])
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
})

test('money that comes after all pays like any other', async () => {
  const invoice = await build()
  const paymentId = await pay(invoice)
  await reverse(paymentId)
  await transfer(server, invoice, 84_200)
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await sql('select payment_id from bank_line where invoice_id = $1', invoice.id)).toEqual([
    { payment_id: null },
  ])
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
})

test('not when the bank has told of its money, and not what was never paid', async () => {
  const invoice = await build()
  const paymentId = await pay(invoice)
  // As it comes to the account of the instance, which is what the payer was shown.
  const [account] = await sql(
    `select split_part(a.address, ' ', 3) as number from account_address a join payment p on p.id = $1
     where a.address = 'SE ' || p.payee_scheme || ' ' || replace(p.payee_account, '-', '')`,
    paymentId,
  )
  expect(await takeFiles(invoice.reference, String(account.number))).toEqual(['known'])
  await expect(reverse(paymentId)).rejects.toThrow(/The bank has told of its money/)
  await expect(reverse('019ab000-0000-7000-8000-000000000000')).rejects.toThrow(/no payment .* paid/)
})
