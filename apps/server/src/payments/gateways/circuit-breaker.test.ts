import { expect, test } from 'vitest'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { GatewayRefused, GatewayUnavailable, type Gateway, type GatewayPayment } from './gateway.ts'

const REFERENCE = { instanceId: 'i', gatewayPaymentId: 'x', payeeAccount: '1' }

const PAID: GatewayPayment = {
  status: 'COMPLETED',
  amountMinor: 100,
  currency: 'SEK',
  payeeAccount: undefined,
  paymentId: undefined,
  reported: 'PAID',
}

/** A gateway that does next what `answers` says, and a clock that stands still until it is moved. */
function build(answers: ('answer' | 'silence' | 'refusal')[]) {
  let asked = 0
  let nowMs = 1_000_000
  const act = async (): Promise<GatewayPayment> => {
    asked += 1
    const next = answers.shift()
    if (next === 'silence') throw new GatewayUnavailable('no answer')
    if (next === 'refusal') throw new GatewayRefused('no')
    return PAID
  }
  const gateway: Gateway = {
    code: 'TEST',
    method: 'DIRECT_PAYMENT_MOBILE',
    isInstant: true,
    takes: () => true,
    payeeOf: () => 'theirs',
    createPayment: async () => ({ gatewayPaymentId: (await act()).reported, externalLink: null }),
    readPayment: act,
    cancelPayment: async () => ((await act()) ? 'cancelled' : 'too-late'),
  }
  const guarded = withCircuitBreaker(gateway, () => nowMs)
  const read = () => guarded.readPayment(REFERENCE).catch((error: Error) => error.message)
  return { guarded, read, asked: () => asked, wait: (ms: number) => (nowMs += ms) }
}

const NOT_ASKED = 'not asked: it has not answered lately'

test('T-NET-PSP: five silences open it, and it is tried again after fifteen seconds', async () => {
  const { read, asked, wait } = build(Array.from({ length: 6 }, () => 'silence' as const))
  for (let i = 0; i < 5; i++) expect(await read()).toBe('no answer')
  expect([await read(), asked()]).toEqual([NOT_ASKED, 5])
  wait(14_999)
  expect([await read(), asked()]).toEqual([NOT_ASKED, 5])
  wait(1)
  expect([await read(), asked()]).toEqual(['no answer', 6])
  expect(await read()).toBe(NOT_ASKED)
  wait(15_000)
  expect(await read()).toEqual(PAID)
  expect([await read(), asked()]).toEqual([PAID, 8])
})

test('only one call at a time finds out whether it is back', async () => {
  const { read, asked, wait } = build(Array.from({ length: 5 }, () => 'silence' as const))
  for (let i = 0; i < 5; i++) await read()
  wait(15_000)
  const both = await Promise.all([read(), read()])
  expect(both).toEqual([PAID, NOT_ASKED])
  expect(asked()).toBe(6)
})

test('answers and refusals keep it closed, however the silences are spread', async () => {
  const { read, asked } = build(Array.from({ length: 12 }, (_, i) => (i % 4 === 3 ? 'refusal' : 'silence')))
  for (let i = 0; i < 13; i++) await read()
  expect(asked()).toBe(13)
})

test('creating and cancelling count, too', async () => {
  const { guarded, read } = build(Array.from({ length: 5 }, () => 'silence' as const))
  for (let i = 0; i < 5; i++) await guarded.cancelPayment(REFERENCE).catch(() => {})
  expect(await read()).toBe(NOT_ASKED)
})

test('what was silent half an hour ago, and nobody has asked since, is not said to be so now', async () => {
  const { guarded, read, wait } = build(Array.from({ length: 5 }, () => 'silence' as const))
  for (let i = 0; i < 5; i++) await read()
  wait(29 * 60_000)
  expect(guarded.seen?.()).toBe('silent')
  wait(60_000)
  expect(guarded.seen?.()).toBe('unknown')
  await read()
  expect(guarded.seen?.()).toBe('answers')
})
