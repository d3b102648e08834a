/** What is kept through everything that may become of it: money that is moved, what is archived, withdrawn or was never made. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getDashboard } from '@kvitt/domain/dashboard/dashboard.contract.ts'
import { moveGatewayPayment, movePayment, placeSuspense } from '../bank-files/bank-files.ts'
import { reversePayment } from '../collection/collection.ts'
import { recordDecision } from '../court/court.ts'
import { foldFigures } from './dashboard.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { TODAY, type BuiltInvoice } from '../testing/build.ts'
import { recordApplied } from '../testing/debts/applied.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import {
  build,
  context,
  fileOf,
  OF_INSTANCE,
  outcomesOf,
  server,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { brokenInvariants } from '../testing/test-database.ts'

type Dashboard = AnswerOf<typeof getDashboard>

useBankFiles()

let ask: AskOffice
beforeAll(async () => {
  ask = await openOffice(server, ['finance'])
})

const sql = async <Row = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows
const agrees = async (): Promise<void> =>
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})

const MOVED_ON = addDays(TODAY, 4)
/** The figures of a creditor, or of all, on one day or from it on for a month. */
async function read(creditor: string | undefined, from: CalendarDate, to = from): Promise<Dashboard> {
  const of = creditor === undefined ? '' : `&creditor=${creditor}`
  const answer = await ask('finance', `GET /dashboard?from=${from}&to=${to}${of}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
/** What came in and was taken back of `invoices`' creditors on the day of payment and from then on. */
async function moneyOf(creditor: string) {
  const [first, all] = [await read(creditor, TODAY), await read(creditor, TODAY, addDays(TODAY, 30))]
  return { first: first.received, all: all.received, back: all.takenBack }
}
const sek = (amount: number, count = 1) => [{ currency: 'SEK', count, amount }]
const CAME = { first: sek(842), all: sek(842), back: [] }
const NOTHING = { first: [], all: [], back: [] }

describe('money that staff move from one debt to another', () => {
  async function payByFile(): Promise<{ wrong: BuiltInvoice; lineId: string }> {
    server.clock.moveTo(TODAY)
    const wrong = await build(84_200)
    const file = fileOf([{ reference: wrong.reference, amountMinor: 84_200 }], { bankgiro: OF_INSTANCE })
    expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
    const [line] = await sql<{ id: string }>('select id from bank_line where invoice_id = $1', wrong.id)
    server.clock.moveTo(MOVED_ON)
    return { wrong, lineId: line?.id ?? '' }
  }
  const moveLine = (lineId: string, to: BuiltInvoice | undefined) =>
    movePayment(context(), {
      lineId,
      to: to && { kind: 'invoice', name: to.id },
      instanceId: server.instanceId,
      by: 'kim',
      reason: 'the payer named the wrong invoice',
    })

  test('of a bank’s line: neither in nor taken back, and it is the other creditor’s from the day on which it came', async () => {
    const before = await read(undefined, TODAY, addDays(TODAY, 30))
    const { wrong, lineId } = await payByFile()
    const right = await build(84_200)
    expect(right.creditorId).not.toBe(wrong.creditorId)
    await moveLine(lineId, right)
    expect([await moneyOf(wrong.creditorId), await moneyOf(right.creditorId)]).toEqual([NOTHING, CAME])
    server.clock.moveTo(addDays(MOVED_ON, 3))
    await moveLine(lineId, wrong)
    expect([await moneyOf(wrong.creditorId), await moneyOf(right.creditorId)]).toEqual([CAME, NOTHING])
    const after = await read(undefined, TODAY, addDays(TODAY, 30))
    const had = before.received[0] ?? { count: 0, amount: 0 }
    expect([after.received, after.takenBack]).toEqual([
      sek(had.amount + 842, had.count + 1),
      before.takenBack,
    ])
    await agrees()
  })

  test('while it waits to be placed it is no debt’s; placed, it counts on the day on which it came', async () => {
    const { wrong, lineId } = await payByFile()
    await moveLine(lineId, undefined)
    expect(await moneyOf(wrong.creditorId)).toEqual(NOTHING)
    server.clock.moveTo(addDays(MOVED_ON, 2))
    const right = await build(84_200)
    const to = { kind: 'invoice', name: right.id } as const
    await placeSuspense(context(), { instanceId: server.instanceId, by: 'person:anna', lineId, to })
    expect([await moneyOf(wrong.creditorId), await moneyOf(right.creditorId)]).toEqual([NOTHING, CAME])
    await agrees()
  })

  test('of one transfer that paid two debts, all is moved', async () => {
    server.clock.moveTo(TODAY)
    const first = await build(84_200)
    await build(10_000, { beside: first })
    const right = await build(200_000)
    await takeFiles(fileOf([{ reference: first.reference, amountMinor: 94_200 }], { bankgiro: OF_INSTANCE }))
    const two = { first: sek(942, 2), all: sek(942, 2), back: [] }
    expect(await moneyOf(first.creditorId)).toEqual(two)
    server.clock.moveTo(MOVED_ON)
    const [line] = await sql<{ id: string }>('select id from bank_line where amount_minor = 94200')
    await moveLine(line?.id ?? '', right)
    const one = { first: sek(942), all: sek(942), back: [] }
    expect([await moneyOf(first.creditorId), await moneyOf(right.creditorId)]).toEqual([NOTHING, one])
    await agrees()
  })

  test('of a gateway: the same, there and back; what is taken back then is taken back once', async () => {
    server.clock.moveTo(TODAY)
    const wrong = await build(84_200)
    const right = await build(84_200, { beside: wrong })
    const path = `/api/public/invoices/${wrong.reference}/${wrong.zip}/payment-requests?invoiceNumber=${wrong.number}`
    const body = { amount: '842.00', redirectUri: `${server.origin}/`, serviceProviderCode: 'DIRECT_BANK' }
    const started = await server.call('POST', path, { body: { ...body, paymentDate: TODAY } })
    expect(started.status, started.text).toBe(201)
    await signAndSettle(server, wrong.reference)
    const { id: paymentId } = started.json as { id: string }
    const move = (to: BuiltInvoice) =>
      moveGatewayPayment(server.product.context, {
        instanceId: server.instanceId,
        paymentId,
        to: { kind: 'invoice', name: to.id },
        by: 'person:kim',
        reason: 'the payer meant the other one',
      })
    server.clock.moveTo(MOVED_ON)
    for (const to of [right, wrong, right]) {
      await move(to)
      expect(await moneyOf(wrong.creditorId)).toEqual(CAME)
    }
    await agrees()
    const { instanceId } = server
    expect(await reversePayment(server.product.context, { instanceId, paymentId }, MOVED_ON)).toBe(true)
    expect(await moneyOf(wrong.creditorId)).toEqual({ ...CAME, back: sek(842) })
    expect((await read(wrong.creditorId, MOVED_ON)).takenBack).toEqual(sek(842))
    await agrees()
  })
})

test('an invoice that is archived was sent all the same', async () => {
  server.clock.moveTo(TODAY)
  const old = await build(84_200)
  await takeFiles(fileOf([{ reference: old.reference, amountMinor: 84_200 }], { bankgiro: OF_INSTANCE }))
  const sent = async () => (await read(old.creditorId, TODAY)).stages.sent
  expect(await sent()).toBe(1)
  await sql(`update invoice set status = 'ARCHIVED' where id = $1`, old.id)
  expect(await sent()).toBe(1)
  await agrees()
})

test('a claim is owed until it is paid; one that lies at no authority is not filed', async () => {
  server.clock.moveTo(TODAY)
  const { id, reference, number, invoices } = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 20,
  })
  const [invoice] = invoices
  const creditor = invoice?.creditorId ?? ''
  const now = () => read(creditor, addDays(TODAY, -90), TODAY)
  const [owed] = await sql<{ minor: number }>(
    'select balance_minor::int as minor from claim where id = $1',
    id,
  )
  // 842.00 with the reminder fee, the collection fee and interest.
  expect(owed?.minor).toBeGreaterThan(84_200)
  const balance = (owed?.minor ?? 0) / 100
  expect((await now()).openClaims).toEqual([{ currency: 'SEK', count: 1, balance }])
  expect((await now()).ageing).toEqual([])

  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  await recordApplied(server.product.context, { instanceId: server.instanceId, claimId: id, on: TODAY })
  expect((await now()).stages).toMatchObject({ claimed: 1, filed: 1 })
  const [application] = await sql<{ case: string }>(
    'select case_number as "case" from court_application where claim_id = $1',
    id,
  )
  await recordDecision(
    server.product.context,
    { instanceId: server.instanceId, claimId: id },
    {
      decided: { kind: 'WITHDRAWN', on: TODAY, caseNumber: application?.case ?? '' },
      today: TODAY,
      by: { actor: 'berit', reason: 'nobody had filed it' },
    },
  )
  expect((await now()).stages).toMatchObject({ claimed: 1, filed: 0 })
  await recordApplied(server.product.context, { instanceId: server.instanceId, claimId: id, on: TODAY })
  expect((await now()).stages).toMatchObject({ claimed: 1, filed: 1 })

  const [left] = await sql<{ minor: number }>(
    'select balance_minor::int as minor from claim where id = $1',
    id,
  )
  const pay = fileOf([{ reference, amountMinor: left?.minor ?? 0 }], { bankgiro: OF_INSTANCE })
  expect(outcomesOf(await takeFiles(pay)), number).toEqual(['booked'])
  expect((await now()).openClaims).toEqual([])
  await agrees()
})

test('a dispute is open until it is decided, and was opened for ever', async () => {
  server.clock.moveTo(TODAY)
  const disputed = await build(84_200)
  const { taskId } = await buildDispute(server.test, server.clock, disputed)
  const now = async () => {
    const { openDisputes, disputed: opened } = await read(disputed.creditorId, TODAY)
    return { openDisputes, opened }
  }
  expect(taskId).not.toBe('')
  expect(await now()).toEqual({ openDisputes: 1, opened: 1 })
  await server.test.owner.query(
    `with d as (update dispute set status = 'REJECTED', decided_on = opened_on, decision = 'x', decided_by = 'berit'
       where invoice_id = $1) update invoice set status = 'ACTIVATED' where id = $1`,
    [disputed.id],
  )
  expect(await now()).toEqual({ openDisputes: 0, opened: 1 })
})

test('what has piled up is folded in steps', async () => {
  await sql('select fold_figures()')
  for (let n = 0; n < 7; n += 1) await build(10_000)
  const [{ moves } = { moves: 0 }] = await sql<{ moves: number }>(
    'select count(*)::int as moves from figure_move',
  )
  expect(moves).toBeGreaterThanOrEqual(7)
  const before = await read(undefined, TODAY)
  expect(await sql('select fold_figures(3)::int as n')).toEqual([{ n: 3 }])
  expect(await sql('select count(*)::int as n from figure_move')).toEqual([{ n: moves - 3 }])
  expect(await read(undefined, TODAY)).toEqual(before)
  await foldFigures(server.product.context)
  expect(await sql('select from figure_move')).toEqual([])
  expect(await read(undefined, TODAY)).toEqual(before)
  await agrees()
})

test('written anew while somebody is about to pay: who pays goes on, and the figures are right', async () => {
  const paid = await build(84_200)
  const { owner, address } = server.test
  const { Client } = (await import('pg')).default
  const payer = new Client(address)
  await payer.connect()
  try {
    // The order of a payment: the debt first, then the entries.
    await payer.query('begin')
    await payer.query('update invoice set status = status where id = $1', [paid.id])
    const rebuilt = owner.query('select rebuild_figures() as rows')
    await new Promise((resolve) => setTimeout(resolve, 400))
    await payer.query('lock table posting in row exclusive mode')
    await payer.query('lock table ledger_transaction in row exclusive mode')
    await payer.query('commit')
    expect(Number((await rebuilt).rows[0].rows)).toBeGreaterThan(0)
  } finally {
    await payer.end()
  }
  await agrees()
})
