/** How the cast pays: through the product, and at the sandbox bank by its control calls. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { readPayments, recordPaymentResult, startPayment } from '../payments/payments.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import type { CastFile } from './cast-ubl.ts'

/** `context` stands on the day of the payment. */
type Payer = { readonly context: Context; readonly instance: Instance }

/** The payer's part, played at the sandbox bank through its control calls. */
export async function goToBank(
  { context, instance }: Payer,
  { invoice, debtor, dueDate }: Pick<CastFile, 'invoice' | 'debtor' | 'dueDate'>,
  { invoiceId, paidOn, amount }: { invoiceId: string; paidOn: CalendarDate; amount: string },
): Promise<void> {
  const control = `http://127.0.0.1:${context.config.sandboxPort}/control`
  const before = await readPayments(context.db, instance.id, { invoiceId })
  if (before.some((p) => p.status !== 'IN_PROGRESS')) return
  const isDueDate = invoice.end === 'signed' && invoice.key === 'se-paydue'
  await startPayment(
    context,
    publicViewer(instance, invoice.paymentReference, debtor.zip),
    { invoice: invoice.invoiceNumber },
    {
      paymentDate: isDueDate ? dueDate : paidOn,
      amount,
      redirectUri: `http://localhost:${context.config.port}/`,
      idempotencyKey: `cast-${invoice.key}`,
      payerAddress: '127.0.0.1',
      host: `localhost:${context.config.port}`,
    },
  )
  const orders = (await (await fetch(`${control}/orders`)).json()) as { id: string; reference: string }[]
  const order = orders.find((o) => o.reference === invoice.paymentReference)
  if (!order) throw new Error(`the sandbox bank has no order for ${invoice.key}`)
  const act = invoice.end === 'declined' ? 'decline' : 'approve'
  await post(
    `${control}/orders/${order.id}/${act}`,
    act === 'approve' ? { hold: invoice.end === 'signed' } : {},
  )
  if (invoice.end !== 'signed') await post(`${control}/settle`, {})
  for (const payment of await readPayments(context.db, instance.id, { invoiceId })) {
    await recordPaymentResult(context, payment, 'return')
  }
}

async function post(address: string, body: object): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}: ${await response.text()}`)
}
