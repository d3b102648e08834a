/** What a creditor was paid itself is never owed back out of the money that we hold, wherever it was paid. */
import { expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { TODAY } from '../testing/build.ts'
import {
  act,
  books,
  build,
  direct,
  lastBilled,
  night,
  one,
  payAtBank,
  server,
  sql,
  startPlan,
  useDirectPayments,
} from '../testing/debts/paid-direct.ts'
import { transfer } from '../testing/debts/transfer.ts'

useDirectPayments()

test('an instalment: when the whole invoice is credited, the creditor owes back what it has', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await direct(first.balance, first.id)
  expect(await books()).toEqual({ ours: [0, 0], theirs: [first.balance, 0] })
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, first.balance] })
})

test('one instalment, and the bank brought the other: each owes back what it has', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await direct(first.balance, first.id)
  const second = await lastBilled(plan, 2)
  await payAtBank(second, second.balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, second.balance], theirs: [0, first.balance] })
})

test('a part of the invoice before its plan', async () => {
  await build()
  await direct(50_000)
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await payAtBank(first, first.balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, first.balance], theirs: [0, 50_000] })
})

test('a part, and a fee and interest with it: what we hold goes back once', async () => {
  await build(84_200)
  for (const after of [1, 2, 7]) await night(addDays(TODAY, 14 + after))
  await server.product.sendMail()
  server.clock.moveTo(addDays(TODAY, 22))
  await transfer(server, one, 10_000)
  const [{ balance }] = (await sql('select balance_minor::int as balance from invoice where id = $1', [
    one.id,
  ])) as [{ balance: number }]
  expect(balance).toBeGreaterThan(80_000)
  await direct(balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 10_000], theirs: [0, balance] })
})

test('an invoice that joined a claim since', async () => {
  await build(84_200)
  await direct(20_000)
  for (const after of NIGHTS_TO_CLAIM) {
    await night(addDays(TODAY, 14 + after))
    await server.product.sendMail()
  }
  expect(await sql('select claim_id is not null as joined from invoice where id = $1', [one.id])).toEqual([
    { joined: true },
  ])
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, 20_000] })
})
