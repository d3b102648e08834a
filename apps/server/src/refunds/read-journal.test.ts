/** The database goes back to before payments that were executed: the journal and the gateways bring them back (decision 050). */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalLine } from '@kvitt/domain/payments/journal-line.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { upholdDispute } from '../collection/collection.ts'
import { forgetOldCallbacks } from '../payments/payments.ts'
import { startProduct, type Product } from '../start.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants, openOwner } from '../testing/test-database.ts'
import { followRefund, orderRefund, readJournal } from './refunds.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => rmSync(journalFolder(), { recursive: true, force: true }))

type Way = 'DIRECT_BANK' | 'SWISH'
type Order = { id: string; reference: string; status: string }
type Restored = { readonly product: Product; readonly owner: pg.Pool }

const build = (): Promise<BuiltInvoice> => buildInvoice(server.test, server.instanceId, server.clock)

async function start(invoice: BuiltInvoice, way: Way): Promise<string> {
  const answer = await server.call(
    'POST',
    `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
    {
      body: {
        amount: '842.00',
        test: false,
        serviceProviderCode: way,
        redirectUri: `${server.origin}/`,
        ...(way === 'DIRECT_BANK' ? { paymentDate: '2026-11-20' } : {}),
      },
    },
  )
  expect(answer.status).toBe(201)
  return (answer.json as { id: string }).id
}

/** The payers sign, and the money moves. */
async function execute(invoices: readonly BuiltInvoice[]): Promise<void> {
  const references = new Set(invoices.map(({ reference }) => reference))
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  for (const { id, reference, status } of orders)
    if (references.has(reference) && status === 'waiting')
      await server.control('POST', `/control/orders/${id}/approve`)
  await server.control('POST', '/control/settle', {})
}

let serial = 0
/** The database as it is now, and nobody is connected to it. What comes after is only in the other one. */
async function copyOf(): Promise<() => Promise<Restored>> {
  const { host, port, user, database: from } = server.test.ownerAddress
  const database = `${from}_back${(serial += 1)}`
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  await admin.query(`alter database ${from} with allow_connections false`)
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [from],
  )
  for (let tries = 0; ; tries++) {
    const isCopied = await admin.query(`create database ${database} template ${from}`).then(
      () => true,
      (error: unknown) => {
        if (tries > 50) throw error
        return false
      },
    )
    if (isCopied) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await admin.query(`alter database ${from} with allow_connections true`)
  const owner = openOwner({ ...server.test.ownerAddress, database })
  closeAfterwards(async () => {
    await owner.end()
    await admin.query(`drop database if exists ${database} with (force)`)
    await admin.end()
  })
  return async () => {
    const product = await startProduct({
      config: server.product.context.config,
      database: { ...server.test.address, database },
      version: 'restored',
      isDemo: false,
      clock: server.clock,
      checkAnswers: true,
      measuresKeptMs: 0,
      sweepMs: 0,
    })
    closeAfterwards(() => product.stop())
    return { product, owner }
  }
}

const read = ({ product }: Restored) => readJournal(product.context, { by: 'test', days: 3 })
const statesIn = async ({ owner }: Restored): Promise<Record<string, number>> => {
  const { rows } = await owner.query<{ state: string; n: number }>(
    `select status || coalesce(' ' || failure, '') || case when arrived_on is null then '' else ' arrived' end as state, count(*)::int as n
     from payment group by 1`,
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const tasksIn = async ({ owner }: Restored): Promise<{ about: string; why: string }[]> =>
  (
    await owner.query(
      `select about, details ->> 'why' as why from task where kind = 'payment_lost' and done_at is null order by about`,
    )
  ).rows
const nothing = {
  known: 0,
  named: 0,
  remade: 0,
  never_made: 0,
  asked: 0,
  unreachable: 0,
  no_provider: 0,
  failed: 0,
}

test('a hundred executed payments that the database has lost are in the books again, once', {
  timeout: 300_000,
}, async () => {
  const invoices: BuiltInvoice[] = []
  for (let n = 0; n < 100; n++) invoices.push(await build())
  const restore = await copyOf()
  for (const [n, invoice] of invoices.entries()) await start(invoice, n % 2 ? 'SWISH' : 'DIRECT_BANK')
  await execute(invoices)
  await server.product.sweepAll()
  const restored = await restore()
  expect(await statesIn(restored)).toEqual({})

  const first = await read(restored)
  expect(first).toEqual({ payments: { ...nothing, remade: 100 }, refunds: nothing, unreadable: 0 })
  expect(await statesIn(restored)).toEqual({ COMPLETED: 100 })
  expect(await brokenInvariants(restored.owner)).toEqual({})
  const owed = `select count(*)::int as n from invoice where status = 'CLOSED' and balance_minor = 0`
  expect((await restored.owner.query(owed)).rows).toEqual([{ n: 100 }])
  const booked = `select count(*)::int as n, sum(p.amount_minor)::int as minor from ledger_transaction t
    join payment p on p.id = t.payment_id where t.kind = 'PAYMENT'`
  const books = { n: 100, minor: 8_420_000 }
  expect((await restored.owner.query(booked)).rows).toEqual([books])

  // Again, and by two at once: nothing is made twice.
  const again = { payments: { ...nothing, known: 100 }, refunds: nothing, unreadable: 0 }
  expect(await Promise.all([read(restored), read(restored)])).toEqual([again, again])
  expect((await restored.owner.query(booked)).rows).toEqual([books])
  expect(await brokenInvariants(restored.owner)).toEqual({})
  const deeds = await restored.owner.query(
    `select actor, after -> 'payments' -> 'remade' as remade from audit_event where kind = 'journal_read' order by seq`,
  )
  expect(deeds.rows).toEqual([100, 0, 0].map((remade) => ({ actor: 'test', remade })))
})

function journalFolder(): string {
  const place = server.product.context.config.stores.journal
  return 'folder' in place ? place.folder : ''
}

/** Takes lines out of the journal, as if the store had been away when they were to be written. */
function forget(kind: string, id: string): void {
  const folder = journalFolder()
  for (const day of readdirSync(folder))
    for (const name of readdirSync(join(folder, day))) {
      const path = join(folder, day, name)
      const line = JSON.parse(readFileSync(path, 'utf8')) as { kind: string; id: string }
      if (line.kind === kind && line.id === id) rmSync(path)
    }
}

test('what was not executed, what has another in its place, what nobody can tell', {
  timeout: 120_000,
}, async () => {
  const [open, replaced, unnamed, called] = [await build(), await build(), await build(), await build()]
  const restore = await copyOf()
  const late = await build()
  const ids = {
    open: await start(open, 'DIRECT_BANK'),
    replaced: await start(replaced, 'SWISH'),
    unnamed: await start(unnamed, 'DIRECT_BANK'),
    called: await start(called, 'DIRECT_BANK'),
    late: await start(late, 'SWISH'),
  }
  await execute([replaced, unnamed, called, late])
  const secretOf = async (id: string): Promise<{ secret: string; name: string }> =>
    (
      await server.test.owner.query(
        'select callback_secret as secret, gateway_payment_id as name from payment where id = $1',
        [id],
      )
    ).rows[0]
  const [unnamedIs, calledIs] = [await secretOf(ids.unnamed), await secretOf(ids.called)]
  forget('made', ids.unnamed)
  forget('made', ids.called)
  const restored = await restore()
  const { app } = restored.product
  // The bank calls before anybody has read the journal: it hears that nobody is there, and what it says is kept.
  const news = { paymentId: calledIs.name, transactionStatus: 'ACSC' }
  const call = (secret: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/callbacks/direct-bank/${secret}`, payload })
  for (let times = 0; times < 3; times++) expect((await call(calledIs.secret, news)).statusCode).toBe(404)
  const kept = await restored.owner.query('select count(*)::int as n from unknown_callback')
  expect(kept.rows).toEqual([{ n: 1 }])
  // A payer has begun anew meanwhile.
  const url = `/api/public/invoices/${replaced.reference}/${replaced.zip}/payment-requests`
  const body = {
    amount: '842.00',
    paymentDate: '2026-11-20',
    test: false,
    serviceProviderCode: 'DIRECT_BANK',
  }
  const headers = { host: new URL(server.origin).host }
  const payload = { ...body, redirectUri: `${server.origin}/` }
  const begun = await app.inject({ method: 'POST', url, payload, headers })
  expect(begun.statusCode, begun.body).toBe(201)
  forget('payment', begun.json<{ id: string }>().id)

  expect(await read(restored)).toMatchObject({ payments: { ...nothing, remade: 3, asked: 2 } })
  const stateOf = async (id: string): Promise<string[]> =>
    (
      await restored.owner.query(
        `select p.status, p.failure, p.arrived_on is not null as arrived, coalesce(i.status, '') as invoice
         from payment p left join invoice i on i.id = p.invoice_id where p.id = $1`,
        [id],
      )
    ).rows.map(Object.values)[0] as string[]
  expect(await stateOf(ids.open)).toEqual(['IN_PROGRESS', null, false, 'ACTIVATED'])
  expect(await stateOf(ids.replaced)).toEqual(['FAILED', 'lost', true, 'CLOSED'])
  expect(await stateOf(ids.called)).toEqual(['FAILED', 'lost', true, 'CLOSED'])
  expect(await stateOf(ids.unnamed)).toEqual(['FAILED', 'lost', false, 'ACTIVATED'])
  const unsaid = [
    { about: `payment:${ids.late}`, why: 'no_debt' },
    { about: `payment:${ids.unnamed}`, why: 'no_name' },
  ]
  expect(await tasksIn(restored)).toEqual(unsaid.toSorted((one, other) => (one.about < other.about ? -1 : 1)))
  expect(await brokenInvariants(restored.owner)).toEqual({})
  const before = await statesIn(restored)
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, known: 4, asked: 1 } })
  expect(await statesIn(restored)).toEqual(before)

  // The payment that was made again has its address again: the bank's news finds it, and its task ends.
  const told = await call(unnamedIs.secret, { paymentId: unnamedIs.name, transactionStatus: 'ACSC' })
  expect(told.statusCode).toBe(200)
  await restored.product.sweepAll()
  expect(await stateOf(ids.unnamed)).toEqual(['FAILED', 'lost', true, 'CLOSED'])
  expect(await tasksIn(restored), 'nobody has to wait for the bank any more').toEqual([unsaid[0]])
  expect(await brokenInvariants(restored.owner)).toEqual({})
  await server.product.sweepAll()
})

test('the database goes back to between the question and the answer: the journal has the name', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const id = await start(invoice, 'DIRECT_BANK')
  const restore = await copyOf()
  await execute([invoice])
  await server.product.sweepAll()
  const restored = await restore()
  // As it was before the answer came, long ago.
  await restored.owner.query(
    `update payment set status = 'FAILED', failure = 'abandoned', gateway_payment_id = null, external_link = null where id = $1`,
    [id],
  )
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, named: 1 } })
  expect(await statesIn(restored)).toMatchObject({ 'FAILED abandoned arrived': 1 })
  expect(await brokenInvariants(restored.owner)).toEqual({})
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, known: 1 } })
})

test('a gateway that does not answer: nothing is said of its payments, and the next run brings them', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const restore = await copyOf()
  await start(invoice, 'SWISH')
  await execute([invoice])
  await server.product.sweepAll()
  const restored = await restore()
  const before = await statesIn(restored)
  await server.control('POST', '/control/faults', { target: 'mobile', fault: 'error500', times: 1 })
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, unreachable: 1 } })
  expect(await statesIn(restored)).toEqual(before)
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, remade: 1 } })
  expect(await brokenInvariants(restored.owner)).toEqual({})
})

test('money that went back before the database did: a refund is never sent twice', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const restore = await copyOf()
  const paymentId = await start(invoice, 'SWISH')
  await execute([invoice])
  await server.product.sweepAll()
  const { context } = server.product
  const wish = { instanceId: server.instanceId, by: 'test', paymentId, amount: undefined, isAgain: false }
  const refund = await orderRefund(context, { ...wish, isWhole: true })
  await followRefund(context, refund)
  await server.product.sweepAll()
  const restored = await restore()
  // What was decided about the money is lost with the database: a person is told that it has gone.
  expect(await read(restored)).toMatchObject({
    payments: { ...nothing, remade: 1 },
    refunds: { ...nothing, asked: 1 },
  })
  expect(await tasksIn(restored)).toEqual([{ about: `refund:${refund.id}`, why: 'not_owed' }])
  expect(await brokenInvariants(restored.owner)).toEqual({})
})

function linesOf(kind: string): JournalLine[] {
  const folder = journalFolder()
  return readdirSync(folder)
    .flatMap((day) => readdirSync(join(folder, day)).map((name) => join(folder, day, name)))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as JournalLine)
    .filter((line) => line.kind === kind)
}
function addLine(line: object): void {
  const [day = ''] = readdirSync(journalFolder())
  writeFileSync(join(journalFolder(), day, `z-${(serial += 1)}.jsonl`), `${JSON.stringify(line)}\n`)
}

test('a provider that is lost too, and a line that fails, keep no other line from its money', {
  timeout: 120_000,
}, async () => {
  const [paid, odd] = [await build(), await build()]
  const restore = await copyOf()
  await start(paid, 'SWISH')
  await execute([paid])
  await server.product.sweepAll()
  const [line] = linesOf('payment')
  const stranger = { instance: randomUUID(), id: randomUUID(), callbackSecret: 's'.repeat(30) }
  const early = { createdAt: '2026-11-01T00:00:00.000Z', gateway: 'DIRECT_BANK', gatewayId: null }
  addLine({ ...line, ...stranger, ...early })
  // No database takes such a text.
  const broken = { id: randomUUID(), invoice: odd.id, callbackSecret: 'b'.repeat(30), option: 'due-date' }
  addLine({ ...line, ...broken, ...early, reference: 'none\u0000' })
  addLine({
    kind: 'refund',
    ...stranger,
    payment: stranger.id,
    about: 'x',
    amountMinor: 100,
    currency: 'SEK',
  })
  const restored = await restore()
  const heard: string[] = []
  for (const outcome of ['remade', 'known'] as const)
    expect(
      await readJournal(restored.product.context, {
        by: 'test',
        days: 3,
        hear: (of, became) => heard.push(`${of.kind} ${of.id} ${became}`),
      }),
    ).toMatchObject({
      payments: { ...nothing, [outcome]: 1, no_provider: 1, failed: 1 },
      refunds: { ...nothing, no_provider: 1 },
    })
  expect(heard).toContain(`payment ${stranger.id} no_provider`)
  expect(heard).toContain(`payment ${broken.id} failed`)
  expect(await tasksIn(restored)).toEqual([])
  expect(await brokenInvariants(restored.owner)).toEqual({})
})

test('a name that its gateway does not know stays with the payment: the second run changes nothing', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const restore = await copyOf()
  const id = await start(invoice, 'DIRECT_BANK')
  const [made] = linesOf('made')
  forget('made', id)
  addLine({ ...made, gatewayId: 'nobody-knows-this' })
  const restored = await restore()
  const row = async (): Promise<unknown[]> =>
    (
      await restored.owner.query(
        'select status, failure, gateway_payment_id as name from payment where id = $1',
        [id],
      )
    ).rows
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, asked: 1 } })
  expect(await row()).toEqual([{ status: 'FAILED', failure: 'lost', name: 'nobody-knows-this' }])
  expect(await read(restored)).toMatchObject({ payments: { ...nothing, known: 1 } })
  expect(await row()).toEqual([{ status: 'FAILED', failure: 'lost', name: 'nobody-knows-this' }])
  expect(await tasksIn(restored)).toEqual([{ about: `payment:${id}`, why: 'not_at_gateway' }])
})

test('a refund is looked at right after its payment; of one that nobody could ask about nothing is said', {
  timeout: 120_000,
}, async () => {
  const [first, second] = [await build(), await build()]
  const restore = await copyOf()
  const paymentId = await start(first, 'SWISH')
  const later = await start(second, 'SWISH')
  await execute([first, second])
  await server.product.sweepAll()
  const { context } = server.product
  const wish = { instanceId: server.instanceId, by: 'test', paymentId, amount: undefined, isAgain: false }
  const refund = await orderRefund(context, { ...wish, isWhole: true })
  await followRefund(context, refund)
  await server.product.sweepAll()
  const restored = await restore()
  await server.control('POST', '/control/faults', { target: 'mobile', fault: 'error500', times: 1 })
  const heard: string[] = []
  const hear = ({ kind, id }: { kind: string; id: string }, became: string): void =>
    void heard.push(`${kind} ${id} ${became}`)
  await readJournal(restored.product.context, { by: 'test', days: 3, hear })
  expect(heard).toEqual([
    `payment ${paymentId} unreachable`,
    `refund ${refund.id} unreachable`,
    `payment ${later} remade`,
  ])
  expect(await tasksIn(restored)).toEqual([])
  expect(await read(restored)).toMatchObject({ payments: { remade: 1, known: 1 }, refunds: { asked: 1 } })
})

test('what was paid too much and has gone back is in the books as gone back', {
  timeout: 120_000,
}, async () => {
  const invoice = await build()
  const paymentId = await start(invoice, 'SWISH')
  const part = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`
  const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  expect((await server.call('POST', part, { body })).status).toBe(201)
  const { context } = server.product
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor: 10_000 }
  expect(await upholdDispute(context, key, upheld)).toBe(true)
  const restore = await copyOf()
  await execute([invoice])
  await server.product.sweepAll()
  const wish = { instanceId: server.instanceId, by: 'test', paymentId, amount: undefined }
  const refund = await orderRefund(context, { ...wish, isWhole: false, isAgain: false })
  await followRefund(context, refund)
  await server.product.sweepAll()
  const restored = await restore()
  // An earlier run, to which its payment was not here yet, has asked a person.
  const task = { instanceId: server.instanceId, kind: 'payment_lost', about: `refund:${refund.id}` } as const
  await openTask(restored.product.context.db, { ...task, details: { why: 'no_payment' } })
  expect(await read(restored)).toMatchObject({ payments: { known: 1 }, refunds: { ...nothing, remade: 1 } })
  expect(await tasksIn(restored)).toEqual([])
  expect(await read(restored)).toMatchObject({ payments: { known: 1 }, refunds: { ...nothing, known: 1 } })
  // Swish may not be done with it yet.
  const refundsNow = async (): Promise<unknown[]> => {
    await restored.product.sweepAll()
    const sql = 'select id, status, amount_minor::int as minor from refund where payment_id = $1'
    return (await restored.owner.query(sql, [paymentId])).rows
  }
  const paid = [{ id: refund.id, status: 'PAID', minor: 10_000 }]
  await expect.poll(refundsNow, { timeout: 20_000, interval: 500 }).toEqual(paid)
  const open = `select kind from task where done_at is null and kind <> 'bank_day_doubtful' and about like '%' || $1 || '%'`
  expect((await restored.owner.query(open, [paymentId])).rows).toEqual([])
  expect(await brokenInvariants(restored.owner)).toEqual({})
})

test('cb.unknown: made-up addresses fill no disk, are told the same, and are forgotten', async () => {
  const { owner } = server.test
  const count = async (): Promise<number> =>
    (await owner.query('select count(*)::int as n from unknown_callback')).rows[0].n
  const call = async (secret: string): Promise<number> =>
    (
      await server.call('POST', `/api/callbacks/direct-bank/${secret}`, {
        body: { transactionStatus: 'ACSC' },
      })
    ).status
  const made = (n: number): string => `made-up-address-${String(n).padStart(8, '0')}`
  expect(await call('short')).toBe(404)
  const before = await count()
  expect([await call(made(1)), await call(made(1)), await call(made(2))]).toEqual([404, 404, 404])
  expect(await count()).toBe(before + 2)
  await owner.query(
    `insert into unknown_callback (gateway, secret_hash, event_id, body, received_at)
     select 'SWISH', sha256(n::text::bytea), 'x', '{}', now() - interval '41 days' from generate_series(1, 10000) n`,
  )
  const full = await count()
  // Of too many the oldest go, and not more than a call brings: the newest is kept, and the same again takes nothing.
  for (let again = 0; again < 3; again++) expect(await call(made(3))).toBe(404)
  expect(await count()).toBeLessThan(full)
  const kept = await owner.query(
    `select count(*)::int as n from unknown_callback where secret_hash = sha256($1::bytea)`,
    [made(3)],
  )
  expect(kept.rows).toEqual([{ n: 1 }])
  for (let n = 4; n < 10; n++) expect(await call(made(n))).toBe(404)
  expect(await count()).toBe(10_000)
  await forgetOldCallbacks(server.product.context)
  expect(await count()).toBe(7)
})
