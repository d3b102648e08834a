/** What was taken from a creditor's client funds and is more than was held for it: another's money until somebody advances it. */
import { beforeAll, expect, test } from 'vitest'
import { bookOperatorsPart } from '@kvitt/domain/ledger/payout.ts'
import { money } from '@kvitt/domain/money.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let one: BuiltInvoice
let second: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['finance'])
  const { test: db, instanceId, clock } = server
  one = await buildInvoice(db, instanceId, clock, { totalMinor: 40_000 })
  second = await buildInvoice(db, instanceId, clock, { totalMinor: 10_000, beside: one })
  await transfer(server, one, 40_000)
})

const take = (minor: number, cause: string) =>
  server.test.db.transaction((tx) =>
    postBookings(
      tx,
      server.instanceId,
      [
        {
          id: newId(server.clock.now()),
          kind: 'REFUND',
          bookedOn: TODAY,
          cause,
          invoiceId: null,
          paymentId: null,
          lines: bookOperatorsPart(one.creditorId, money(minor, 'SEK')),
        },
      ],
      server.clock,
    ),
  )
const wanted = async () =>
  (
    await server.test.owner.query(
      `select details ->> 'amountMinor' as minor, done_at is not null as done from task where kind = 'advance_wanted'`,
    )
  ).rows
const violations = async () =>
  (await server.test.owner.query('select held_minor::int as minor from inv_i37_below_zero_is_asked_about'))
    .rows

test('below nothing makes one task; once as much is held again nobody has to advance it', async () => {
  await take(40_000, 'test:all')
  expect(await wanted()).toEqual([])
  await take(2_500, 'test:more')
  await take(500, 'test:and-more')
  expect(await wanted()).toEqual([{ minor: '2500', done: false }])
  expect(await violations()).toEqual([])
  const tasks = (await ask('finance', 'POST /tasks/search', { kind: 'advance_wanted' })).json
  expect(tasks).toMatchObject([{ amount: 25, currency: 'SEK', creditor: { id: one.creditorId } }])
  const funds = (await ask('finance', `GET /client-funds?day=${TODAY}`)).json
  expect(funds).toMatchObject({
    belowZero: [{ creditor: { id: one.creditorId }, currency: 'SEK', amount: -30 }],
  })
  await transfer(server, second, 3_000)
  expect(await wanted()).toEqual([{ minor: '2500', done: true }])
  expect((await ask('finance', `GET /client-funds?day=${TODAY}`)).json).toMatchObject({ belowZero: [] })
  await take(1, 'test:again')
  expect(await wanted()).toEqual([{ minor: '1', done: false }])
})

test('a creditor below nothing of whom nobody is asked breaks the rule', async () => {
  const end = (state: string) =>
    server.test.owner.query(`update task set done_at = ${state} where kind = 'advance_wanted'`)
  await end('now()')
  expect(await violations()).toEqual([{ minor: -1 }])
  await end('null')
  expect(await violations()).toEqual([])
})
