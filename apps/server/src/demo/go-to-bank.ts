/** The payer's part in the cast's stories, played at the sandbox bank through its control calls. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { recordPaymentResult, readPayments, startPayment } from '../payments/payments.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import type { CastFile } from './cast-ubl.ts'

/** Both fields name the same debt: to the books, and to the payer. */
type Debt = {
  readonly debt: Parameters<typeof readPayments>[2]
  readonly wanted: Parameters<typeof startPayment>[2]
}

export type Visit = Debt & {
  readonly reference: string
  readonly zip: string
  readonly paymentDate: CalendarDate
  readonly amount: string
  /** The same key for the same visit, so that a second one changes nothing. */
  readonly key: string
  /** `hold`: signed, and kept by the bank until somebody lets it go. */
  readonly act: 'approve' | 'hold' | 'decline'
}

/** The visit of an invoice that ends at the bank: paid, signed and held, or declined. */
export function visitOf(
  { invoice, debtor, dueDate }: Pick<CastFile, 'invoice' | 'debtor' | 'dueDate'>,
  { invoiceId, paidOn, amount }: { invoiceId: string; paidOn: CalendarDate; amount: string },
): Visit {
  const isDueDate = invoice.end === 'signed' && invoice.key === 'se-paydue'
  return {
    debt: { invoiceId },
    wanted: { invoice: invoice.invoiceNumber },
    reference: invoice.paymentReference,
    zip: debtor.zip,
    paymentDate: isDueDate ? dueDate : paidOn,
    amount,
    key: invoice.key,
    act: invoice.end === 'declined' ? 'decline' : invoice.end === 'signed' ? 'hold' : 'approve',
  }
}

/** Starts a payment, does the payer's part at the bank, and takes in what the bank says. */
export async function goToBank(context: Context, instance: Instance, visit: Visit): Promise<void> {
  const control = `http://127.0.0.1:${context.config.sandboxPort}/control`
  const before = await readPayments(context.db, instance.id, visit.debt)
  if (before.some((p) => p.status !== 'IN_PROGRESS')) return
  await startPayment(context, publicViewer(instance, visit.reference, visit.zip), visit.wanted, {
    paymentDate: visit.paymentDate,
    amount: visit.amount,
    redirectUri: `http://localhost:${context.config.port}/`,
    idempotencyKey: `cast-${visit.key}`,
    payerAddress: '127.0.0.1',
    origin: `http://localhost:${context.config.port}`,
  })
  const orders = (await (await fetch(`${control}/orders`)).json()) as { id: string; reference: string }[]
  const order = orders.find((o) => o.reference === visit.reference)
  if (!order) throw new Error(`the sandbox bank has no order for ${visit.key}`)
  if (visit.act === 'decline') await post(`${control}/orders/${order.id}/decline`, {})
  else {
    // The bank lives today, the story in the past: what it executed then it says it executed then.
    const date = context.clock.today(instance.timeZone)
    await post(`${control}/orders/${order.id}/approve`, { hold: visit.act === 'hold', date })
  }
  if (visit.act !== 'hold') await post(`${control}/settle`, {})
  for (const payment of await readPayments(context.db, instance.id, visit.debt)) {
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
