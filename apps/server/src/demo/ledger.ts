/** How the books stand, for the sandbox. Loopback only, and absent when the demo is off. */
import type { FastifyInstance } from 'fastify'
import { amountText } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { requireLoopback } from '../platform/http/loopback.ts'
import { readChecks, readOrders, readSums } from './ledger.queries.ts'

/**
 * `checks`: each invariant with the rows that break it. `sums`: what was posted on either side, by currency. `orders`:
 * each payment with how often it is booked. Amounts are decimals as text.
 */
export function serveDemoLedger(app: FastifyInstance, { db }: Context): void {
  app.get('/api/demo/ledger', async (request) => {
    requireLoopback(request)
    const [checks, sums, orders] = [await readChecks(db), await readSums(db), await readOrders(db)]
    return {
      checks,
      sums: sums.map(({ currency, debit_minor: debit, credit_minor: credit, postings }) => ({
        currency,
        debit: amountText(debit),
        credit: amountText(credit),
        postings,
      })),
      orders: orders.map(({ amount_minor: minor, with_a_person: withAPerson, ...order }) => ({
        ...order,
        amount: amountText(minor),
        withAPerson,
      })),
    }
  })
}
