/** The sandbox bank pays out what has been signed, and the product hears of it. */
import { expect, vi } from 'vitest'
import type { TestServer } from '../start-test-server.ts'

/** Signs the newest order of a reference and settles it; returns when no payment of it is under way any more. */
export async function signAndSettle(server: TestServer, reference: string): Promise<void> {
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find((one) => one.reference === reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`, {})
  await server.control('POST', '/control/settle', {})
  // The bank's own call may hold the payment just now; the sweeper then leaves it to that call.
  await vi.waitFor(
    async () => {
      await server.product.sweepAll()
      const { rows } = await server.test.owner.query(
        `select p.status from payment p left join invoice i on i.id = p.invoice_id left join claim c on c.id = p.claim_id
         where coalesce(i.payment_reference, c.payment_reference) = $1 and p.status not in ('COMPLETED', 'FAILED')`,
        [reference],
      )
      expect(rows).toEqual([])
    },
    { timeout: 10_000, interval: 50 },
  )
}
