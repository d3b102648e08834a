/**
 * A bank inside the simulation: it keeps what really happened to each order, fails when it is told to, and is the
 * truth that the books are held against.
 */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  GatewayUnavailable,
  type Gateway,
  type GatewayPayment,
  type PaymentOrder,
} from '../../payments/gateways/gateway.ts'
import type { Chance } from './chance.ts'

export type Order = {
  readonly id: string
  readonly order: PaymentOrder
  status: 'IN_PROGRESS' | 'AUTHORIZED' | 'COMPLETED' | 'FAILED'
}

export type FakeBank = {
  readonly gateway: Gateway
  readonly orders: readonly Order[]
  /** The share of calls that get no answer. */
  setTrouble(share: number): void
  sign(order: Order, isApproved: boolean): void
  /** Moves the money of what is signed and due. */
  settle(today: CalendarDate): void
}

export function openFakeBank(chance: Chance): FakeBank {
  const orders: Order[] = []
  let trouble = 0
  const maybeFail = (): void => {
    if (chance.happens(trouble)) throw new GatewayUnavailable('no answer')
  }
  const find = (id: string): Order | undefined => orders.find((o) => o.id === id)
  const gateway: Gateway = {
    code: 'DIRECT_BANK',
    method: 'DIRECT_PAYMENT_BANK',
    isInstant: false,
    takes: () => true,
    payeeOf: () => 'theirs',
    async createPayment(order) {
      maybeFail()
      const made: Order = { id: `sim-${orders.length + 1}`, order, status: 'IN_PROGRESS' }
      orders.push(made)
      // The order exists, and nobody learns of it.
      maybeFail()
      return { gatewayPaymentId: made.id, externalLink: 'https://bank.test/sign' }
    },
    async readPayment({ gatewayPaymentId }): Promise<GatewayPayment | undefined> {
      maybeFail()
      const found = find(gatewayPaymentId)
      return (
        found && {
          status: found.status,
          amountMinor: found.order.amountMinor,
          currency: found.order.currency,
          payeeAccount: found.order.payee.account,
          paymentId: found.order.paymentId,
          reported: found.status,
        }
      )
    },
    async cancelPayment({ gatewayPaymentId }) {
      maybeFail()
      const found = find(gatewayPaymentId)
      if (found?.status === 'AUTHORIZED' || found?.status === 'COMPLETED') return 'too-late'
      if (found) found.status = 'FAILED'
      return 'cancelled'
    },
  }
  return {
    gateway,
    orders,
    setTrouble(share) {
      trouble = share
    },
    sign(order, isApproved) {
      if (order.status === 'IN_PROGRESS') order.status = isApproved ? 'AUTHORIZED' : 'FAILED'
    },
    settle(today) {
      for (const order of orders) {
        if (order.status !== 'AUTHORIZED' || order.order.executionDate > today) continue
        order.status = chance.happens(0.9) ? 'COMPLETED' : 'FAILED'
      }
    },
  }
}
