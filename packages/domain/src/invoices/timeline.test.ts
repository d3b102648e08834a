import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import { type Movement, type Step, mergeEvents } from './timeline.ts'

const step = (id: string, type: string, performedDate: string | null, status = 'PERFORMED'): Step => ({
  id,
  type,
  performedDate,
  status,
})
const movement = (id: string, type: string, day: string, amountMinor = 100): Movement => ({
  id,
  type,
  date: day,
  amountMinor,
  balanceMinor: amountMinor,
})

/** Topic, type, day and amount of each event, in order. */
const rows = (steps: Step[], movements: Movement[]) =>
  mergeEvents(steps, movements).map((event) => [event.topic, event.type, event.date, event.amountMinor])

test('a step carries the amount of its movement, other movements stand alone', () => {
  const steps = [step('s1', 'INVOICE', '2026-10-01'), step('s2', 'REMINDER', '2026-11-10')]
  const movements = [
    movement('m1', 'INVOICE', '2026-10-01', 84_200),
    movement('m2', 'REMINDER', '2026-11-10', 6000),
    movement('m3', 'PAYMENT', '2026-11-12', -90_200),
  ]
  expect(rows(steps, movements)).toEqual([
    ['LEDGER', 'INVOICE', '2026-10-01', 84_200],
    ['LEDGER', 'REMINDER', '2026-11-10', 6000],
    ['FINANCIAL', 'PAYMENT', '2026-11-12', -90_200],
  ])
})

test('the steps of a claim carry fees that go by another name', () => {
  const steps = [
    step('s1', 'COLLECTION_CLAIM', '2026-10-01'),
    step('s2', 'BAILIFF_PAYMENT_INJUCTION', '2026-10-25'),
  ]
  const movements = [
    movement('m1', 'COLLECTION', '2026-10-01', 18_000),
    movement('m2', 'COURT_FEE', '2026-10-25', 68_000),
  ]
  expect(rows(steps, movements)).toEqual([
    ['LEDGER', 'COLLECTION_CLAIM', '2026-10-01', 18_000],
    ['LEDGER', 'BAILIFF_PAYMENT_INJUCTION', '2026-10-25', 68_000],
  ])
})

test('a claim begins with what was moved into it', () => {
  const steps = [step('s1', 'COLLECTION_CLAIM', '2026-10-01')]
  const movements = [
    movement('m1', 'COLLECTION', '2026-10-01', 18_000),
    movement('m2', 'TRANSFER_TO_CLAIM', '2026-10-01', 240_035),
  ]
  expect(rows(steps, movements)).toEqual([
    ['FINANCIAL', 'TRANSFER_TO_CLAIM', '2026-10-01', 240_035],
    ['LEDGER', 'COLLECTION_CLAIM', '2026-10-01', 18_000],
  ])
})

test('only what was performed is shown', () => {
  const steps = [
    step('s1', 'REMINDER', null, 'PLANNED'),
    step('s2', 'REMINDER', '2026-11-10', 'SKIPPED'),
    step('s3', 'REMINDER', '2026-11-10', 'CANCELLED'),
    step('s4', 'REMINDER', null),
  ]
  expect(rows(steps, [])).toEqual([])
})

test('the nearest movement of the type is taken, at most three days away, and each only once', () => {
  const steps = [step('s1', 'REMINDER', '2026-11-10'), step('s2', 'REMINDER', '2026-11-20')]
  const movements = [
    movement('m1', 'REMINDER', '2026-11-07', 1),
    movement('m2', 'REMINDER', '2026-11-11', 2),
    movement('m3', 'REMINDER', '2026-11-24', 3),
  ]
  expect(rows(steps, movements)).toEqual([
    ['FINANCIAL', 'REMINDER', '2026-11-07', 1],
    ['LEDGER', 'REMINDER', '2026-11-10', 2],
    ['LEDGER', 'REMINDER', '2026-11-20', null],
    ['FINANCIAL', 'REMINDER', '2026-11-24', 3],
  ])
})

test('an invoice that was imported long after it was sent is still one event', () => {
  const events = rows(
    [step('s1', 'INVOICE', '2026-08-01')],
    [movement('m1', 'INVOICE', '2026-11-20', 84_200)],
  )
  expect(events).toEqual([['LEDGER', 'INVOICE', '2026-08-01', 84_200]])
})

test('on one day steps that moved no money come first, by their id', () => {
  const events = mergeEvents(
    [step('b', 'EXPIRED', '2026-11-10'), step('a', 'WATCH', '2026-11-10')],
    [movement('0', 'PAYMENT', '2026-11-10')],
  )
  expect(events.map((event) => event.id)).toEqual(['a', 'b', '0'])
})

test('on one day each balance is the one after its row, whatever has a step', () => {
  const at = '2026-11-10'
  const events = mergeEvents(
    [step('s', 'REMINDER', at), step('a', 'EXPIRED_NOTIFICATION', at)],
    [
      { id: 'm1', type: 'INTEREST', date: at, amountMinor: 133, balanceMinor: 10_133 },
      { id: 'm2', type: 'REMINDER', date: at, amountMinor: 6000, balanceMinor: 16_133 },
      { id: 'm3', type: 'PAYMENT', date: at, amountMinor: -16_133, balanceMinor: 0 },
    ],
  )
  expect(events.map(({ type, balanceMinor }) => [type, balanceMinor])).toEqual([
    ['EXPIRED_NOTIFICATION', null],
    ['INTEREST', 10_133],
    ['REMINDER', 16_133],
    ['PAYMENT', 0],
  ])
})

test('no movement is lost or shown twice, and the list goes forwards', () => {
  const day = fc.nat(30).map((days): string => addDays(date('2026-11-01'), days))
  const type = fc.constantFrom('INVOICE', 'REMINDER', 'PAYMENT')
  const steps = fc.array(fc.record({ type, day }), { maxLength: 6 })
  fc.assert(
    fc.property(steps, steps, (planned, moved) => {
      const events = mergeEvents(
        planned.map((entry, index) => step(`s${index}`, entry.type, entry.day)),
        moved.map((entry, index) => movement(`m${index}`, entry.type, entry.day, index + 1)),
      )
      const amounts = events.map((event) => event.amountMinor).filter((amount) => amount !== null)
      expect(amounts.sort((a, b) => a - b)).toEqual(moved.map((_, index) => index + 1))
      expect(events.filter((event) => event.topic === 'LEDGER')).toHaveLength(planned.length)
      const days = events.map((event) => event.date)
      expect(days).toEqual([...days].sort())
    }),
  )
})
