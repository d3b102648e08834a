/** People who read and pay while hosts are replaced; every answer is counted, and every acknowledgement is written down. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuiltInvoice } from '../../apps/server/src/testing/build.ts'
import { today } from '../testing/prepared-data.ts'
import type { Hosts } from './hosts.ts'

export type Load = {
  /** Ends it, and waits until what is under way has been answered. */
  stop(): Promise<void>
  /** Answers by what was asked and what came, such as `read 200`. */
  readonly answers: ReadonlyMap<string, number>
  /** The payments that were acknowledged, by the reference of their invoice. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** The references whose payer has signed. */
  readonly signed: ReadonlySet<string>
  readonly slowestMs: () => number
}

type Order = { readonly id: string; readonly reference: string; readonly status: string }

/** @param invoices one for each payment; whoever reads reads the first of them */
export function beginLoad(
  hosts: Hosts,
  invoices: readonly BuiltInvoice[],
  { readers, payers }: { readonly readers: number; readonly payers: number },
): Load {
  const answers = new Map<string, number>()
  const acknowledged = new Map<string, string>()
  const signed = new Set<string>()
  const waiting = [...invoices]
  let slowest = 0
  const over = new AbortController()
  const call = async (what: string, method: string, path: string, body?: object) => {
    const began = performance.now()
    const answer = await fetch(`${hosts.address}/api/${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    slowest = Math.max(slowest, performance.now() - began)
    const came = `${what} ${text === undefined ? 'no answer' : answer?.status}`
    answers.set(came, (answers.get(came) ?? 0) + 1)
    return answer?.ok && text !== undefined ? (JSON.parse(text) as { id?: string }) : undefined
  }
  const read = async (): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n++) {
      const one = invoices[n % invoices.length]
      await call('read', 'GET', `public/invoices/${one?.reference}/${one?.zip}`)
      await sleep(25)
    }
  }
  const pay = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const invoice = waiting.pop()
      if (!invoice) return
      const { reference, zip } = invoice
      const at = `public/invoices/${reference}/${zip}/payment-requests`
      const body = {
        paymentDate: today(),
        amount: '842.00',
        serviceProviderCode: 'DIRECT_BANK',
        redirectUri: `${hosts.address}/`,
      }
      const started = await call('payment', 'POST', at, body)
      if (started?.id) {
        acknowledged.set(reference, started.id)
        const orders = await hosts.control<Order[]>('GET', 'orders?all=true')
        const order = orders.find((one) => one.reference === reference && one.status === 'waiting')
        if (order) {
          await hosts.control('POST', `orders/${order.id}/approve`, {})
          signed.add(reference)
          await hosts.control('POST', 'settle', {})
        }
        await call('status', 'PUT', `${at}/status`)
      }
      await sleep(100)
    }
  }
  const people = [
    ...Array.from({ length: readers }, () => read()),
    ...Array.from({ length: payers }, () => pay()),
  ]
  return {
    async stop() {
      over.abort()
      await Promise.all(people)
    },
    answers,
    acknowledged,
    signed,
    slowestMs: () => slowest,
  }
}
