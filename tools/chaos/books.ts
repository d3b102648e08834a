/** What the books say of the payments that were acknowledged, read from the database that writes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Databases } from '../cluster/databases.ts'

export type Verdict = {
  readonly acknowledged: number
  /** Acknowledged, and no such payment is in the database. */
  readonly lost: number
  /** Invoices with two completed payments or two bookings of one, and orders that the bank carried out twice. */
  readonly doubled: number
  /** Signed, and not in the books when the patience was over. */
  readonly unbooked: number
  /** Views that hold anything. */
  readonly brokenInvariants: readonly string[]
}

const BOOK_MS = 90_000

const BOOKED = `select
    (select count(*)::int from unnest($1::uuid[]) a (id) where not exists (select from payment p where p.id = a.id)) as lost,
    (select count(*)::int from payment p where p.id = any($2::uuid[]) and not exists (select from ledger_transaction t
      where t.invoice_id = p.invoice_id and t.kind = 'PAYMENT')) as unbooked,
    (select count(*)::int from (select invoice_id from ledger_transaction where kind = 'PAYMENT' group by 1 having count(*) > 1) d)
      + (select count(*)::int from (select invoice_id from payment where status = 'COMPLETED' group by 1 having count(*) > 1) d)
      as doubled`

type Booked = { lost: number; unbooked: number; doubled: number }

export type Payer = {
  /** Those that have been signed. */
  readonly signed: ReadonlySet<string>
  stop(): Promise<void>
}

type Bank = { readonly databases: Databases; readonly sandbox: string }

/** Signs at the bank what was acknowledged, a moment later, all the time. */
export function startPayer({ databases, sandbox }: Bank, acknowledged: ReadonlyMap<string, number>): Payer {
  const signed = new Set<string>()
  const over = new AbortController()
  async function signNew(): Promise<void> {
    const wanted = [...acknowledged.keys()].filter((id) => !signed.has(id))
    if (wanted.length === 0) return
    const given = await databases.asSuperuser('kvitt', (client) =>
      client.query<{ id: string; order: string }>(
        `select id, gateway_payment_id as "order" from payment where id = any($1::uuid[]) and gateway_payment_id is not null`,
        [wanted],
      ),
    )
    for (const { id, order } of given.rows) {
      const { status } = await fetch(`${sandbox}/control/orders/${order}/approve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      if (status === 200) signed.add(id)
    }
  }
  const working = (async () => {
    while (!over.signal.aborted) {
      // Nobody writes just now, or the bank is busy: they sign a moment later.
      await signNew().catch(() => {})
      await sleep(1_000)
    }
    for (let tries = 0; tries < 20 && signed.size < acknowledged.size; tries++) {
      await signNew().catch(() => {})
      await sleep(500)
    }
  })()
  return {
    signed,
    async stop() {
      over.abort()
      await working
    },
  }
}

/** Orders of the bank that were carried out, twice for one invoice. */
async function countTwice(sandbox: string): Promise<number> {
  const orders = (await (await fetch(`${sandbox}/control/orders?all=true`)).json()) as {
    reference: string
    status: string
  }[]
  const executed = orders.filter(({ status }) => status === 'executed').map(({ reference }) => reference)
  return executed.length - new Set(executed).size
}

/** The views `inv_*` that hold anything. */
export async function readInvariants(databases: Databases): Promise<string[]> {
  return databases.asSuperuser('kvitt', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select viewname as name from pg_views where viewname like 'inv\\_%' order by 1`,
    )
    const broken: string[] = []
    for (const { name } of rows)
      if ((await client.query(`select from ${name} limit 1`)).rows.length > 0) broken.push(name)
    return broken
  })
}

/** Waits until all that was signed is in the books, then judges. */
export async function judge(
  bank: Bank,
  acknowledged: ReadonlyMap<string, number>,
  signed: ReadonlySet<string>,
): Promise<Verdict> {
  const { databases, sandbox } = bank
  const read = (): Promise<Booked> =>
    databases.asSuperuser('kvitt', async (client) => {
      const { rows } = await client.query<Booked>(BOOKED, [[...acknowledged.keys()], [...signed]])
      return rows[0] ?? { lost: -1, unbooked: -1, doubled: -1 }
    })
  let booked = await read()
  for (
    const until = performance.now() + BOOK_MS;
    booked.unbooked > 0 && performance.now() < until;
    await sleep(1_000)
  )
    booked = await read()
  return {
    acknowledged: acknowledged.size,
    lost: booked.lost,
    doubled: booked.doubled + (await countTwice(sandbox)),
    unbooked: booked.unbooked,
    brokenInvariants: await readInvariants(databases),
  }
}
