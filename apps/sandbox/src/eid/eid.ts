import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { personOf } from './people.ts'
import type { Person } from './people.ts'

/** An order that nobody has taken up ends after this. */
const WAITING_MS = 180_000
/** How long a completed and a failed order can be collected. */
const COMPLETE_KEPT_MS = 180_000
const FAILED_KEPT_MS = 300_000
/** From the approval on: the app has the order, then asks for the code, then is done. */
const STARTED_MS = 500
const SIGNING_MS = 1_000

export const PENDING_HINTS = [
  'outstandingTransaction', 'noClient', 'started', 'userMrtd', 'userCallConfirm', 'userSign', 'processing',
] as const // biome-ignore format: a list of names
export const FAILURE_HINTS = [
  'expiredTransaction', 'certificateErr', 'userCancel', 'cancelled', 'startFailed', 'userDeclinedCall',
  'notSupportedByUserApp', 'transactionRiskBlocked',
] as const // biome-ignore format: a list of names

/** Everything about one order of identification. The secret of its code is as secret as the real one. */
export interface EidOrder {
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
  endUserIp: string
  /** What the app shows under "My intent". */
  intent: string
  createdAtMs: number
  expiresAtMs: number
  person?: Person
  approvedAtMs?: number
  /** Where the app is, when it is elsewhere than the browser. */
  appIp?: string
  /** Shown while the order waits, instead of what its time says. */
  hint?: string
  failedWith?: string
  endedAtMs?: number
  isCollected: boolean
}

export type EidState =
  | { status: 'pending' | 'failed'; hintCode: string }
  | { status: 'complete'; person: Person }

export interface Eid {
  start(order: Pick<EidOrder, 'endUserIp' | 'intent'>): EidOrder
  find(orderRef: string): EidOrder | undefined
  /** Newest first, those that nobody can ask about any more left out. */
  orders(): EidOrder[]
  stateOf(order: EidOrder): EidState
  /** What the client is told; an end is told once, and undefined means that it knows no such order. */
  collect(orderRef: string): { order: EidOrder; state: EidState } | undefined
  /** The client ends the order. False when there is nothing to end. */
  cancel(orderRef: string): boolean
  /** Somebody identifies with it, from `appIp` or where the browser is. False when it no longer waits. */
  approve(orderRef: string, personalNumber: string, appIp?: string): boolean
  /** The app or its holder ends it. False when it no longer waits. */
  decline(orderRef: string, hintCode: string): boolean
  /** Holds the order at a hint of what it waits for. False when it no longer waits. */
  show(orderRef: string, hintCode: string): boolean
}

export interface EidParts {
  faults: Pick<Faults, 'consume'>
  clock: Clock
  report(text: string): void
}

/** The provider's orders. Kept in memory: none of them outlives a few minutes. */
export function openEid({ faults, clock, report }: EidParts): Eid {
  const orders = new Map<string, EidOrder>()
  const change = (order: EidOrder, changes: Partial<EidOrder>) => {
    orders.set(order.orderRef, { ...order, ...changes })
  }
  const find = (orderRef: string) => {
    const order = orders.get(orderRef)
    return order && isKept(order, clock.now()) ? order : undefined
  }
  const stateOf = (order: EidOrder) => stateAt(order, clock.now())
  const waiting = (orderRef: string) => {
    const order = find(orderRef)
    return order && order.approvedAtMs === undefined && stateOf(order).status === 'pending'
      ? order
      : undefined
  }
  return {
    find,
    stateOf,
    orders: () => [...orders.values()].filter((order) => isKept(order, clock.now())).reverse(),
    start({ endUserIp, intent }) {
      const nowMs = clock.now()
      for (const [orderRef, order] of orders) if (!isKept(order, nowMs)) orders.delete(orderRef)
      const expiresAtMs = faults.consume('expire') ? nowMs : nowMs + WAITING_MS
      const order: EidOrder = {
        ...newNames(),
        endUserIp,
        intent,
        createdAtMs: nowMs,
        expiresAtMs,
        isCollected: false,
      }
      orders.set(order.orderRef, order)
      report(`Identification asked for: ${intent || 'no reason given'}`)
      return order
    },
    collect(orderRef) {
      const order = find(orderRef)
      if (!order || order.isCollected) return undefined
      const state = stateOf(order)
      if (state.status !== 'pending') change(order, { isCollected: true })
      return { order, state }
    },
    cancel(orderRef) {
      const order = find(orderRef)
      if (!order || order.isCollected || stateOf(order).status !== 'pending') return false
      orders.delete(orderRef)
      report('Identification taken back by the client')
      return true
    },
    approve(orderRef, personalNumber, appIp) {
      const order = waiting(orderRef)
      if (!order) return false
      const person = personOf(personalNumber)
      const nowMs = clock.now()
      const { hint: _, ...rest } = order
      orders.set(orderRef, {
        ...rest,
        person,
        approvedAtMs: nowMs,
        ...(appIp === undefined ? {} : { appIp }),
      })
      report(`Identified: ${person.name}`)
      return true
    },
    decline(orderRef, hintCode) {
      const order = waiting(orderRef)
      if (!order) return false
      change(order, { failedWith: hintCode, endedAtMs: clock.now() })
      report(`Identification ended: ${hintCode}`)
      return true
    },
    show(orderRef, hintCode) {
      const order = waiting(orderRef)
      if (!order) return false
      change(order, { hint: hintCode })
      return true
    },
  }
}

function newNames() {
  return {
    orderRef: randomUUID(),
    autoStartToken: randomUUID(),
    qrStartToken: randomUUID(),
    qrStartSecret: randomUUID(),
  }
}

function stateAt(order: EidOrder, nowMs: number): EidState {
  if (order.failedWith !== undefined) return { status: 'failed', hintCode: order.failedWith }
  if (order.person && order.approvedAtMs !== undefined) {
    const sinceMs = nowMs - order.approvedAtMs
    if (sinceMs >= SIGNING_MS) return { status: 'complete', person: order.person }
    return { status: 'pending', hintCode: sinceMs >= STARTED_MS ? 'userSign' : 'started' }
  }
  if (nowMs >= order.expiresAtMs) return { status: 'failed', hintCode: 'expiredTransaction' }
  return { status: 'pending', hintCode: order.hint ?? 'outstandingTransaction' }
}

function isKept(order: EidOrder, nowMs: number): boolean {
  const { status } = stateAt(order, nowMs)
  if (status === 'pending') return true
  const endedAtMs = order.endedAtMs ?? order.approvedAtMs ?? order.expiresAtMs
  return nowMs < endedAtMs + (status === 'complete' ? COMPLETE_KEPT_MS : FAILED_KEPT_MS)
}
