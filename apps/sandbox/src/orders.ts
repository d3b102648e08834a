import { orderOf } from './bank/orders.ts'
import type { Order as BankOrder } from './bank/orders.ts'
import type { Bank } from './bank/bank.ts'
import { eidEntry } from './eid/eid-orders.ts'
import type { EidEntry } from './eid/eid-orders.ts'
import type { Eid } from './eid/eid.ts'
import { mobileStateOf, type MobileOrder, type MobileState } from './mobile/mobile-order.ts'
import type { Phone } from './mobile/phone.ts'

/** A Swish request as the control calls show it. */
interface MobileEntry {
  id: string
  kind: 'mobile'
  /** What the merchant wrote to the payer: the payment reference. */
  reference: string
  amount: string
  currency: string
  text: string
  status: MobileState
  createdAt: string
  /** The Swish number that is paid. */
  payee: string
  payerAlias: string | null
  token: string | null
  /** The bank's reference once paid; refunds name it. */
  paymentReference: string | null
  errorCode: string | null
}

export type Order = BankOrder | MobileEntry | EidEntry

export interface OrderParts {
  bank: Bank
  phone: Phone
  eid: Eid
  signUrl(token: string): string
}

/** Everything that was ordered, newest first. */
export function listAllOrders({ bank, phone, eid, signUrl }: OrderParts, today: string): Order[] {
  const orders: Order[] = [
    ...bank.payments().map((payment) => orderOf(payment, today, signUrl)),
    ...phone.orders().map(mobileEntry),
    ...eid.orders().map((order) => eidEntry(eid, order)),
  ]
  return orders.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
}

/** One order of whatever kind. */
export function findOrder(
  { bank, phone, eid, signUrl }: OrderParts,
  id: string,
  today: string,
): Order | undefined {
  const payment = bank.find(id)
  if (payment) return orderOf(payment, today, signUrl)
  const mobile = phone.find(id)
  if (mobile) return mobileEntry(mobile)
  const order = eid.find(id)
  return order && eidEntry(eid, order)
}

function mobileEntry(order: MobileOrder): MobileEntry {
  return {
    id: order.id,
    kind: 'mobile',
    reference: order.message,
    amount: order.amount,
    currency: order.currency,
    text: `Swish to ${order.payeeAlias}`,
    status: mobileStateOf(order),
    createdAt: new Date(order.createdAtMs).toISOString(),
    payee: order.payeeAlias,
    payerAlias: order.payerAlias ?? null,
    token: order.token ?? null,
    paymentReference: order.paymentReference ?? null,
    errorCode: order.errorCode ?? null,
  }
}
