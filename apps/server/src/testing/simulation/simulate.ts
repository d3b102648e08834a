/**
 * A seeded story: invoices, plans, payers, a bank that fails, staff, clock jumps and processes that die, against the
 * product's own use cases and a real database. After every few acts the books are held against the truth that the
 * simulation knows.
 */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import {
  denyTaxReduction,
  pauseInvoice,
  rejectDispute,
  reversePayment,
  upholdDispute,
} from '../../collection/collection.ts'
import { performDueRuns, performDailyRun } from '../../collection/daily-run.ts'
import { resumeInvoice } from '../../collection/decisions/pause.ts'
import { disputeInvoice } from '../../disputes/disputes.ts'
import { readPayments, recordPaymentResult, startPayment, sweepPayments } from '../../payments/payments.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { publicViewer } from '../../sign-in/viewer.ts'
import { buildInvoice, type BuiltInvoice } from '../build.ts'
import type { Order } from './fake-bank.ts'
import { findBills, startPlan, withdraw } from './plans.ts'
import { post } from './post.ts'
import { Violation } from './watch.ts'
import { attempt, keyOf, pick, today, type World } from './world.ts'

async function sendInvoice(world: World): Promise<void> {
  const { chance } = world
  const invoice = await buildInvoice(world.test, world.instance.id, world.clock, {
    totalMinor: chance.oneOf([100, 2_600, 39_900, 84_200, 899_000, 13_133_000]) ?? 100,
    dueDate: addDays(today(world), chance.between(5, 30)),
    debtorKind: chance.happens(0.3) ? 'COMPANY' : 'PERSON',
    zip: String(chance.between(10_000, 98_000)),
  })
  world.invoices.push(invoice)
}

async function pay(world: World, invoice: BuiltInvoice): Promise<void> {
  const { rows } = await world.test.owner.query<{ balance: number; due: string }>(
    'select balance_minor::int as balance, expire_date::text as due from invoice where id = $1',
    [invoice.id],
  )
  const { balance = 0, due = today(world) } = rows[0] ?? {}
  const paymentDate = world.chance.happens(0.3) && due > today(world) ? due : today(world)
  const request = {
    paymentDate,
    amount: amountText(balance),
    redirectUri: 'http://localhost:8080/',
    idempotencyKey: undefined,
    payerAddress: '127.0.0.1',
    origin: 'http://localhost:8080',
  }
  const viewer = publicViewer(world.instance, invoice.reference, invoice.zip)
  const times = world.chance.happens(0.2) ? 3 : 1
  await Promise.all(
    Array.from({ length: times }, () =>
      attempt('pay', async () => {
        const started = await startPayment(world.context, viewer, { invoice: invoice.number }, request)
        if (!(started instanceof Replayed)) world.handedOut.add(started.id)
      }),
    ),
  )
}

/** The bank's news come through several doors at once. */
async function hear(world: World, order: Order): Promise<void> {
  const payments = await Promise.all(
    [...world.invoices, ...world.bills].map((i) =>
      readPayments(world.context.db, world.instance.id, { invoiceId: i.id }),
    ),
  )
  const payment = payments.flat().find((p) => p.id === order.order.paymentId)
  if (!payment) return
  const doors = ['callback', 'return', 'sweep'] as const
  await Promise.all(
    doors
      .slice(0, world.chance.between(1, 3))
      .map((door) => attempt('hear', () => recordPaymentResult(world.context, payment, door))),
  )
}

async function atTheBank(world: World): Promise<void> {
  const { bank, chance } = world
  const open = bank.orders.filter((o) => world.handedOut.has(o.order.paymentId))
  const order = chance.oneOf(open.filter((o) => o.status === 'IN_PROGRESS' || o.status === 'AUTHORIZED'))
  if (!order) return
  bank.sign(order, chance.happens(0.8))
  if (chance.happens(0.6)) await hear(world, order)
  if (chance.happens(0.5)) bank.settle(today(world))
  if (chance.happens(0.6)) await hear(world, order)
}

const sweep = (world: World): Promise<boolean> =>
  attempt('sweep', () => sweepPayments(world.context, { all: true, today: today(world) }))

/** Time passes, and every night is run: sometimes twice at once, sometimes broken off and begun again. */
async function letTimePass(world: World): Promise<void> {
  const { chance, clock, context, instance, watch } = world
  const before = await watch.beforeNights()
  clock.moveTo(addDays(today(world), chance.oneOf([1, 1, 2, 3, 8, 15]) ?? 1))
  const runs = chance.happens(0.3) ? 2 : 1
  for (let tries = 0; tries < 5; tries++) {
    const done = await Promise.all(
      Array.from({ length: runs }, () =>
        attempt('night', async () => {
          await performDueRuns(context, instance)
          return true
        }),
      ),
    )
    if (done.every(Boolean)) break
    if (tries === 3) world.trouble.crashShare = 0
  }
  await findBills(world)
  await watch.afterNights(before)
  // What one run had locked when it died, the other has left for the next night.
  if (runs > 1 || !chance.happens(0.3)) return
  const count = await watch.countEntries()
  await attempt('night again', () =>
    performDailyRun({ ...context, waitsForLetters: true }, instance, today(world)),
  )
  await watch.expectNoNewEntries(count)
}

async function dispute(world: World, any: BuiltInvoice): Promise<void> {
  const hasFees = "status = 'ACTIVATED' and costs_minor > 0 and claim_id is null"
  // A letter that waits would be dropped with its fee: the post goes first.
  const sent = `${hasFees} and exists (
    select from collection_step s join mail_outbox m on m.step_id = s.id and m.status = 'SENT'
    where s.invoice_id = invoice.id and s.type = 'REMINDER')`
  const prefersFees = world.chance.happens(0.6)
  if (prefersFees && (await pick(world, hasFees))) await post(world)
  const invoice = (prefersFees && (await pick(world, sent))) || any
  const viewer = publicViewer(world.instance, invoice.reference, invoice.zip)
  const objection = { debtorEmail: 'alva@example.com', reason: 'Fel.' }
  await attempt('dispute', () => disputeInvoice(world.context, viewer, invoice.number, objection))
}

async function decide(world: World): Promise<void> {
  const { chance, context, watch } = world
  const disputed = "status = 'DISPUTED'"
  const invoice = (await pick(world, `${disputed} and costs_minor > 0`)) ?? (await pick(world, disputed))
  if (!invoice) return
  const [key, on] = [keyOf(world, invoice), today(world)]
  if (chance.happens(0.5)) {
    const done = await attempt('reject', () => rejectDispute(context, key, { on, answer: 'Nej.' }))
    if (done) await watch.afterRejection(invoice.id, addDays(on, 10))
    return
  }
  // A credit of all takes the charges along by another way.
  const creditMinor = chance.happens(0.25) ? ('all' as const) : 50
  const upheld = { on, decision: 'Ja', creditMinor }
  if (await attempt('uphold', () => upholdDispute(context, key, upheld))) await watch.afterUpheld(invoice.id)
}

async function reverse(world: World): Promise<void> {
  const settled = world.bank.orders.filter((o) => o.status === 'COMPLETED')
  const order = world.chance.oneOf(settled)
  if (!order) return
  const key = { instanceId: world.instance.id, paymentId: order.order.paymentId }
  const results = await Promise.all(
    [1, 2].map(() => attempt('reverse', () => reversePayment(world.context, key, today(world)))),
  )
  if (results.filter(Boolean).length > 1) throw new Violation('a payment was taken back twice')
}

/** One thing that happens, by its weight. */
async function act(world: World): Promise<void> {
  const { chance, context } = world
  const invoice = chance.oneOf([...world.invoices, ...world.bills])
  const turn = chance.next()
  if (!invoice || (turn < 0.1 && world.invoices.length < 30)) return sendInvoice(world)
  if (turn < 0.27) return pay(world, invoice)
  if (turn < 0.43) return atTheBank(world)
  if (turn < 0.47) return startPlan(world)
  if (turn < 0.49) return withdraw(world)
  if (turn < 0.7) return letTimePass(world)
  if (turn < 0.77) return dispute(world, invoice)
  if (turn < 0.84) return decide(world)
  if (turn < 0.91) return post(world)
  const key = keyOf(world, invoice)
  const on = today(world)
  if (turn < 0.93)
    await attempt('pause', () => pauseInvoice(context, key, { on, reason: 'respite', resumeDate: null }))
  else if (turn < 0.95) await attempt('resume', () => resumeInvoice(context, key, on))
  else if (turn < 0.98) await reverse(world)
  else if (turn < 0.99)
    await attempt('deny', () => denyTaxReduction(context, key, { on, decision: on, amountMinor: 10_000 }))
  else await sweep(world)
}

/** Everything is well again: what the bank knows, the product has to know too. */
async function calmDown(world: World): Promise<void> {
  world.bank.setTrouble(0)
  world.trouble.crashShare = 0
  await sweep(world)
  await sweep(world)
  await world.watch.everything()
}

/** Plays `acts` things. Throws Violation at the first thing that is wrong. */
export async function simulate(world: World, acts: number): Promise<void> {
  await sendInvoice(world)
  for (let n = 1; n <= acts; n++) {
    world.bank.setTrouble(world.chance.happens(0.3) ? 0.3 : 0)
    world.trouble.crashShare = world.chance.happens(0.3) ? 0.1 : 0
    await act(world)
    if (n % 5 === 0) await world.watch.books()
    if (n % 25 === 0) await calmDown(world)
  }
  await calmDown(world)
}

export const FIRST_DAY = date('2026-02-02')
