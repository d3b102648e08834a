import type { Eid, EidOrder } from './eid.ts'

/** An order of identification as the control calls show it, in the shape of all orders. */
export interface EidEntry {
  id: string
  kind: 'eid'
  reference: string
  amount: null
  currency: null
  text: string
  status: 'waiting' | 'identified' | 'failed'
  createdAt: string
  hintCode: string | null
  /** Opens the app on the same device; what the link in the portal carries. */
  autoStartToken: string
  /** What the code on the screen begins with: `bankid.{qrStartToken}.` */
  qrStartToken: string
}

export function eidEntry(eid: Pick<Eid, 'stateOf'>, order: EidOrder): EidEntry {
  const state = eid.stateOf(order)
  return {
    id: order.orderRef,
    kind: 'eid',
    reference: order.orderRef,
    amount: null,
    currency: null,
    text: order.intent,
    status: statusOf(order, state.status),
    createdAt: new Date(order.createdAtMs).toISOString(),
    hintCode: state.status === 'complete' ? null : state.hintCode,
    autoStartToken: order.autoStartToken,
    qrStartToken: order.qrStartToken,
  }
}

function statusOf(order: EidOrder, status: 'pending' | 'failed' | 'complete'): EidEntry['status'] {
  if (status === 'failed') return 'failed'
  return order.approvedAtMs === undefined ? 'waiting' : 'identified'
}
