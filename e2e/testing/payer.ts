/** Somebody who pays one invoice and does not give up, and what must be true in the end. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { BuiltInvoice } from '../../apps/server/src/testing/build.ts'
import type { BareProduct } from './bare-product.ts'

export type Code = 'DIRECT_BANK' | 'SWISH'

export type Payer = {
  readonly invoice: BuiltInvoice
  /** The payments that the server has acknowledged. */
  readonly acknowledged: readonly string[]
  /** Presses "Pay". Without an answer the next press repeats the same request; refused, it is a new one. */
  click(code: Code): Promise<'started' | 'refused' | 'no answer'>
  /** Signs what a link was given for, and lets the bank execute it. */
  approve(): Promise<void>
  /** Comes back to the portal. */
  look(): Promise<void>
  /** Lets more time pass for this payment than anything waits for. */
  waitLong(): Promise<void>
  /** Presses, waits and signs until the invoice is paid as far as the payer can tell. */
  finish(): Promise<void>
}

export function openPayer(product: BareProduct, invoice: BuiltInvoice): Payer {
  const acknowledged: string[] = []
  let code: Code = 'DIRECT_BANK'
  let key = randomUUID()
  const path = `public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`

  async function click(wanted: Code): Promise<'started' | 'refused' | 'no answer'> {
    if (wanted !== code) key = randomUUID()
    code = wanted
    const body = {
      paymentDate: product.today,
      amount: '842.00',
      serviceProviderCode: code,
      redirectUri: `${product.address}/`,
    }
    const answer = await product.call('POST', path, body, { 'idempotency-key': key })
    if (!answer) return 'no answer'
    expect(answer.status, JSON.stringify(answer.json)).toBeLessThan(500)
    if (answer.status === 201) {
      acknowledged.push((answer.json as { id: string }).id)
      return 'started'
    }
    key = randomUUID()
    return 'refused'
  }
  async function approve(): Promise<void> {
    const given = await product.rows<{ id: string }>(
      `select gateway_payment_id as id from payment where id = any($1) and gateway_payment_id is not null`,
      [acknowledged],
    )
    const ids = given.map(({ id }) => id)
    for (const order of await product.orders()) {
      if (order.status === 'waiting' && ids.includes(order.id)) {
        // Expired or taken back meanwhile.
        await product.control('POST', `orders/${order.id}/approve`, {}).catch(() => {})
      }
    }
    await product.control('POST', 'settle', {})
  }
  async function waitLong(): Promise<void> {
    await product.rows(
      `update payment set created_at = created_at - interval '2 minutes', checked_at = null
       where invoice_id = $1 and status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED')`,
      [invoice.id],
    )
    await product.rows(
      `update gateway_event set next_at = now()
       where applied_at is null and payment_id in (select id from payment where invoice_id = $1)`,
      [invoice.id],
    )
  }
  return {
    invoice,
    acknowledged,
    click,
    approve,
    waitLong,
    look: async () => void (await product.call('PUT', `${path}/status`)),
    async finish() {
      for (let i = 0; i < 4 && !(await isBeyondThePayer(product, invoice)); i++) {
        await waitLong()
        await click(code)
        await approve()
      }
      await waitLong()
    },
  }
}

/** Signed, or paid. */
async function isBeyondThePayer(product: BareProduct, invoice: BuiltInvoice): Promise<boolean> {
  const signed = (await product.orders()).some(
    (order) => order.reference === invoice.reference && ['signed', 'executed'].includes(order.status),
  )
  return signed
}

type End = { id: string; status: string; booked: number; completed: number; open: number; tasks: number }

/** Lets every payer and the sweeper finish; then each invoice is paid, booked and ordered once. */
export async function expectPaidOnce(product: BareProduct, payers: readonly Payer[]): Promise<void> {
  for (const payer of payers) await payer.finish()
  const ids = payers.map(({ invoice }) => invoice.id)
  const ends = () =>
    product.rows<End>(
      `select i.id, i.status::text,
         (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind = 'PAYMENT') as booked,
         (select count(*)::int from payment p where p.invoice_id = i.id and p.status = 'COMPLETED') as completed,
         (select count(*)::int from payment p where p.invoice_id = i.id and p.status not in ('COMPLETED', 'FAILED')) as open,
         (select count(*)::int from task t join payment p on t.about like 'payment:' || p.id || '%'
           where p.invoice_id = i.id) as tasks
       from invoice i where i.id = any($1)`,
      [ids],
    )
  const done = { status: 'CLOSED', booked: 1, completed: 1, open: 0, tasks: 0 }
  const unfinished = async () =>
    (await ends()).filter((end) =>
      Object.entries(done).some(([name, value]) => end[name as keyof End] !== value),
    )
  await expect.poll(unfinished, { timeout: 40_000, interval: 500 }).toEqual([])

  const executed = (await product.orders())
    .filter((order) => order.status === 'executed')
    .map((order) => order.reference)
  for (const { invoice } of payers) {
    expect(executed.filter((reference) => reference === invoice.reference)).toHaveLength(1)
  }
  const acknowledged = payers.flatMap((payer) => payer.acknowledged)
  const kept = await product.rows<{ id: string }>('select id from payment where id = any($1)', [acknowledged])
  expect(new Set(kept.map(({ id }) => id)), 'acknowledged payments').toEqual(new Set(acknowledged))
  const twice = [...product.counterparties.creates()].filter(([, times]) => times > 1)
  expect(twice, 'ordered twice').toEqual([])
}
