/**
 * Callback, poll, return, sweep and double click on one payment, in two programs over one database, in orders that a
 * seed decides at every call to the database and to the gateway. A part in every run of the tests; `npm run soak`
 * plays ten thousand. One batch, with seed 2786 in it: `SOAK=1 SOAK_SEED=2751 SOAK_BATCHES=1 npx vitest run FILE`.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Product } from '../start.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { Schedule, seeded } from '../testing/schedule.ts'
import { startTestServer, startTwin, type TestServer } from '../testing/start-test-server.ts'

const isSoak = process.env.SOAK !== undefined
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1)
const BATCHES = isSoak ? Number(process.env.SOAK_BATCHES ?? 40) : 1
const ROUNDS = isSoak ? 250 : 30

const DOORS = { DIRECT_BANK: 'direct-bank', SWISH: 'swish' } as const
type Code = keyof typeof DOORS

let server: TestServer
let products: Product[]
let orders: string[] = []
const schedule = new Schedule()

async function startTwo(): Promise<void> {
  server = await startTestServer()
  products = [server.product, await startTwin(server)]
  for (const { context } of products) {
    const gateways = context.gateways.map((g) => schedule.gateway(g, (id) => orders.push(id)))
    const journal = schedule.journal(context.journal)
    Object.assign(context, { db: schedule.database(context.db), gateways, journal })
  }
}

const codeOf = (json: string): string => (JSON.parse(json) as { code: string }).code

/** A round's world: one invoice, and whatever a seed decides. */
function openRound(invoice: BuiltInvoice, random: () => number) {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  /** Asks one of the two programs, as a request through HTTP without the socket. */
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, more: object = {}) => {
    const { app } = pick(products)
    const answer = await app.inject({ method, url, headers: { host: 'localhost' }, ...more })
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(500)
    return answer
  }
  const path = (rest: string): string => `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
  return { pick, ask, path }
}

async function playRound(seed: number): Promise<void> {
  const random = seeded(seed)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const { pick, ask, path } = openRound(invoice, random)
  const { owner } = server.test
  orders = []
  const first: Code = pick(['DIRECT_BANK', 'SWISH'])
  const second: Code = random() < 0.8 ? first : pick(['DIRECT_BANK', 'SWISH'])
  const word = random() < 0.8 ? 'approve' : 'decline'
  const isSameKey = random() < 0.5
  const now = { isDecided: false, clicksLeft: 2 }
  /** Hangs back until the payer has decided, or for so many steps. */
  const hangBack = async (steps: number): Promise<void> => {
    for (let i = 0; i < steps && !now.isDecided; i++) await schedule.point()
  }

  const click = (code: Code, key: string) => async () => {
    const answer = await ask('POST', path('/payment-requests'), {
      headers: { host: 'localhost', 'idempotency-key': `${seed}-${key}` },
      payload: {
        paymentDate: '2026-11-20',
        amount: '842.00',
        serviceProviderCode: code,
        redirectUri: 'http://localhost/',
      },
    })
    now.clicksLeft -= 1
    if (answer.statusCode !== 201) {
      expect(['payment_in_progress', 'payment_replaced', 'nothing_to_pay', 'provider_unavailable']).toContain(
        codeOf(answer.body),
      )
    }
  }
  /** Signs or declines an order as soon as it exists, whether or not its link has come home. */
  const payer = async () => {
    while (orders.length === 0) await schedule.point()
    for (let isDone = false; !isDone; ) {
      await schedule.point()
      const id = pick(orders)
      isDone = await server.control('POST', `/control/orders/${id}/${word}`, {}).then(
        () => true,
        () => false,
      )
      // Taken back: another one is on its way, unless nobody orders any more.
      if (!isDone && now.clicksLeft === 0) return
    }
    now.isDecided = true
  }
  const bank = async () => {
    await hangBack(20)
    await server.control('POST', '/control/settle', {})
  }
  const callback = (name: string, steps: number) => async () => {
    await hangBack(steps)
    const { rows } = await owner.query(
      'select gateway, callback_secret, callback_identifier from payment where invoice_id = $1',
      [invoice.id],
    )
    for (const row of rows as { gateway: Code; callback_secret: string; callback_identifier: string }[]) {
      const answer = await ask('POST', `/api/callbacks/${DOORS[row.gateway]}/${row.callback_secret}`, {
        headers: { host: 'localhost', callbackidentifier: row.callback_identifier },
        payload: { eventId: `${seed}-${name}`, status: 'PAID' },
      })
      expect(answer.statusCode).toBe(200)
    }
  }
  const look = async () => {
    await schedule.point()
    await owner.query('update payment set checked_at = null where invoice_id = $1', [invoice.id])
    expect((await ask('PUT', path('/payment-requests/status'))).statusCode).toBe(200)
  }
  await schedule.run(random, [
    click(first, 'a'),
    click(second, second === first && isSameKey ? 'a' : 'b'),
    payer,
    bank,
    callback('early', 0),
    callback('one', 40),
    callback('two', 40),
    callback('two', 40),
    look,
    look,
    () => pick(products).sweepAll(),
  ])
  await server.control('POST', '/control/settle', {})
  await server.product.sweepAll()
  await expectOneEnd(invoice, seed)
}

type Order = { id: string; reference: string; status: string }

/** What the counterparty executed is what is booked, once, and the invoice says so. */
async function expectOneEnd(invoice: BuiltInvoice, seed: number): Promise<void> {
  const { rows } = await server.test.owner.query(
    `select i.status,
       (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind = 'PAYMENT') as booked,
       (select array_agg(p.status::text order by p.status) from payment p where p.invoice_id = i.id) as payments,
       (select count(*)::int from payment p where p.invoice_id = i.id) as made,
       -- The counterparties execute on the real day here, and the product's day is another.
       (select count(*)::int from payment p join task t on t.about like 'payment:' || p.id || '%'
         where p.invoice_id = i.id and t.kind <> 'bank_day_doubtful') as tasks,
       (select count(*)::int from gateway_event e join payment p on p.id = e.payment_id
         where p.invoice_id = i.id and e.applied_at is null) as waiting
     from invoice i where i.id = $1`,
    [invoice.id],
  )
  const known: Order[] = await server.control('GET', '/control/orders?all=true')
  const placed = known.filter((o) => o.reference === invoice.reference)
  const executed = placed.filter((o) => o.status === 'executed').length
  const [end] = rows as { made: number; payments: string[] }[]
  expect(end, `seed ${seed}, orders ${placed.map((o) => o.status).join()}`).toMatchObject({
    status: executed === 0 ? 'ACTIVATED' : 'CLOSED',
    booked: executed,
    tasks: 0,
    waiting: 0,
  })
  expect(executed, `seed ${seed}: paid at most once`).toBeLessThanOrEqual(1)
  expect(end?.payments.filter((status) => status === 'COMPLETED').length, `seed ${seed}`).toBe(executed)
  expect(placed.length, `seed ${seed}: one order for each payment`).toBe(end?.made)
}

describe.each(Array.from({ length: BATCHES }, (_, n) => FIRST_SEED + n * ROUNDS))(
  'two programs, seeds from %i',
  (from) => {
    beforeAll(startTwo)

    test(`race.triple, T-RACE: ${ROUNDS} orders of things: one posting each`, {
      timeout: ROUNDS * 3_000,
    }, async () => {
      for (let seed = from; seed < from + ROUNDS; seed++) {
        if ((seed - from) % 50 === 0) {
          // Its own news would come whenever they like: ours come when the schedule says.
          for (const target of ['bank', 'mobile']) {
            await server.control('POST', '/control/faults', { target, fault: 'drop-callback', times: 1_000 })
          }
        }
        await playRound(seed)
      }
      expect(schedule.steps).toBeGreaterThan(ROUNDS * 20)
    })
  },
)
