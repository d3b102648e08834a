/** A gateway that does not answer is left alone for a while, so that payers hear so at once. */
import { openCircuitBreaker } from '../../platform/counterparties/circuit-breaker.ts'
import { GatewayUnavailable, type Gateway, type RefundOrder, type RefundReference } from './gateway.ts'

/** The same gateway behind a circuit breaker. */
export function withCircuitBreaker(gateway: Gateway, now: () => number): Gateway {
  const guarded = openCircuitBreaker({
    name: gateway.code,
    now,
    isSilence: (error) => error instanceof GatewayUnavailable,
    notAsked: () => new GatewayUnavailable('not asked: it has not answered lately'),
  })
  const { refunds } = gateway
  return {
    ...gateway,
    seen: guarded.seen,
    ...(refunds && {
      refunds: {
        create: (order: RefundOrder) => guarded(() => refunds.create(order)),
        read: (refund: RefundReference) => guarded(() => refunds.read(refund)),
      },
    }),
    createPayment: (order) => guarded(() => gateway.createPayment(order)),
    readPayment: (reference) => guarded(() => gateway.readPayment(reference)),
    cancelPayment: (reference) => guarded(() => gateway.cancelPayment(reference)),
  }
}
