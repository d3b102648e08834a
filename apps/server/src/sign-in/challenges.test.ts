import { pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'
import type { Product } from '../start.ts'
import {
  addressOf,
  build,
  codes,
  count,
  guess,
  host,
  noReference,
  products,
  rowsOf,
  testBase,
  THROTTLED,
  time,
  useGuesses,
  useInstance,
  WRONG,
  zipOf,
  cookieOf,
  type Told,
} from '../testing/guesses.ts'

useGuesses()

const HERE = '203.0.113.5'

async function ask(paymentReference: unknown, address = HERE, product = 0): Promise<Told & ChallengeAnswer> {
  const answer = await (products[product] as Product).app.inject({
    method: 'POST',
    url: '/api/public/challenges',
    remoteAddress: address,
    headers: { host, 'content-type': 'application/json' },
    payload: JSON.stringify({ paymentReference }),
  })
  return {
    ...answer.json<ChallengeAnswer>(),
    status: answer.statusCode,
    code: '',
    body: answer.body,
    headers: {},
  }
}

/** As whoever reads the contract would. */
function solve({ challenge, nonce, target, iterations, tries }: ChallengeAnswer): string {
  for (let number = 0; number < tries; number++) {
    const made = pbkdf2Sync(Buffer.from(nonce, 'base64'), String(number), iterations, 16, 'sha256')
    if (made.toString('base64') === target) return `${challenge}.${number}`
  }
  throw new Error('no number solves it')
}

const solutionFor = async (reference: string, address = HERE): Promise<string> =>
  solve(await ask(reference, address))

const paramsOf = (told: Told): Record<string, string> =>
  (JSON.parse(told.body) as { params: Record<string, string> }).params

/** One failure uses up the network's budget. */
const useUpNetwork = async (): Promise<void> => {
  await useInstance({ networkPerHour: 1, zipPerHour: null, instancePerTenMinutes: null })
  expect((await guess(noReference(), zipOf(1))).code).toBe(WRONG)
}

describe('a solved challenge takes the place of a wait', () => {
  test.each([
    ['network', { networkPerHour: 1, zipPerHour: null, instancePerTenMinutes: null }],
    ['zip', { networkPerHour: null, zipPerHour: 1, instancePerTenMinutes: null }],
    ['instance', { networkPerHour: null, zipPerHour: null, instancePerTenMinutes: 1 }],
  ])('where the budget of a %s is used up', async (_, limits) => {
    await useInstance(limits)
    for (const tail of ['', '/client']) {
      const invoice = await build({ zip: '11122' })
      await guess(noReference(), '11122')
      const refused = await guess(invoice.reference, '11122', { tail })
      expect([refused.code, paramsOf(refused).challenge]).toEqual([THROTTLED, 'offered'])
      const solution = await solutionFor(invoice.reference)
      const told = await guess(invoice.reference, '11122', { solution, tail, product: 1 })
      expect(told.code).toBe('ok')
      // The device is known from here on.
      const cookie = cookieOf(told)
      expect((await guess(invoice.reference, '11122', { cookie, tail: '/events' })).code).toBe('ok')
    }
  })

  test('for both budgets of IPv6', async () => {
    await useInstance({ networkPerHour: 1, zipPerHour: null, instancePerTenMinutes: null })
    const [invoice, address] = [await build(), '2001:db8:9:1::1']
    for (const line of ['1', '2']) await guess(noReference(), zipOf(1), { address: `2001:db8:9:${line}::1` })
    expect((await guess(invoice.reference, invoice.zip, { address: '2001:db8:9:3::1' })).code).toBe(THROTTLED)
    const solution = await solutionFor(invoice.reference, address)
    expect((await guess(invoice.reference, invoice.zip, { address, solution })).code).toBe('ok')
  })

  test('it lifts nothing of the reference’s own budget, and none is offered there', async () => {
    await useUpNetwork()
    const invoice = await build()
    for (let n = 0; n < 5; n++) {
      const solution = await solutionFor(invoice.reference)
      expect((await guess(invoice.reference, zipOf(n), { solution })).code).toBe(WRONG)
    }
    const solution = await solutionFor(invoice.reference)
    const refused = await guess(invoice.reference, invoice.zip, { solution })
    expect([refused.code, paramsOf(refused).challenge]).toEqual([THROTTLED, undefined])
    expect(refused.headers['retry-after']).toBe('86400')
    expect(await rowsOf('reference-day')).toEqual(expect.arrayContaining([{ fails: 5, passes: 0 }]))
  })

  test('the offer is the same for a reference that exists and one that does not', async () => {
    await useUpNetwork()
    const invoice = await build()
    const told = [await guess(invoice.reference, invoice.zip), await guess(noReference(), invoice.zip)]
    expect(told[0]).toEqual(told[1])
    const [one, other] = [await ask(invoice.reference), await ask(noReference())]
    expect(Object.keys(one)).toEqual(Object.keys(other))
    expect(one.challenge).toHaveLength(other.challenge.length)
  })

  test('what it let through is counted: the night shift sees it', async () => {
    await useUpNetwork()
    const solution = await solutionFor(noReference())
    await guess(noReference(), zipOf(2), { solution })
    const reference = noReference()
    expect((await guess(reference, zipOf(2), { solution: await solutionFor(reference) })).code).toBe(WRONG)
    expect(await rowsOf('network')).toEqual([{ fails: 2, passes: 0 }])
  })
})

describe('a solution is worth something once, and for what it was made', () => {
  test('fifty at once with one solution: one is lifted', async () => {
    await useUpNetwork()
    const reference = noReference()
    const solution = await solutionFor(reference)
    const told = await Promise.all(
      Array.from({ length: 50 }, (_, n) => guess(reference, zipOf(n), { solution, product: n % 2 })),
    )
    expect([count(told, WRONG), count(told, THROTTLED)]).toEqual([1, 49])
  })

  test('given back guesses bring no spent solution back', async () => {
    await useUpNetwork()
    const invoice = await build()
    const solution = await solutionFor(invoice.reference)
    expect((await guess(invoice.reference, zipOf(1), { solution })).code).toBe(WRONG)
    await (products[0] as Product).app.inject({
      method: 'DELETE',
      url: '/api/demo/guesses',
      remoteAddress: '127.0.0.1',
    })
    await guess(noReference(), zipOf(1))
    expect((await guess(invoice.reference, invoice.zip, { solution })).code).toBe(THROTTLED)
  })

  test('it lives two minutes', async () => {
    await useUpNetwork()
    const invoice = await build()
    const [first, second] = [await solutionFor(invoice.reference), await ask(invoice.reference)]
    expect(Date.parse(second.expiresAt)).toBe(time.nowMs + 120_000)
    time.nowMs += 119_999
    expect((await guess(invoice.reference, zipOf(1), { solution: first })).code).toBe(WRONG)
    time.nowMs += 1
    expect((await guess(invoice.reference, invoice.zip, { solution: solve(second) })).code).toBe(THROTTLED)
  })

  test('another reference, network or instance, a forged or broken one: as if there were none', async () => {
    await useUpNetwork()
    const invoice = await build()
    const elsewhere = await ask(invoice.reference)
    const foreign = solve(elsewhere)
    await useUpNetwork()
    const here = await build()
    const good = await ask(here.reference)
    const parts = solve(good).split('.')
    const changed = (place: number, text: string): string =>
      parts.map((p, n) => (n === place ? text : p)).join('.')
    const bad: readonly string[] = [
      foreign,
      await solutionFor(noReference()),
      await solutionFor(here.reference, '198.51.100.7'),
      changed(0, 'zzzzzzzz'),
      changed(1, 'A'.repeat(22)),
      changed(2, 'A'.repeat(22)),
      changed(3, 'A'.repeat(22)),
      changed(4, String((Number(parts[4]) + 1) % good.tries)),
      changed(4, '-1'),
      changed(4, '1e3'),
      changed(4, '9999'),
      parts.slice(0, 4).join('.'),
      'x'.repeat(8000),
      `${solve(good)}${' '.repeat(4000)}x`,
      '%00\u00ff',
    ]
    for (const solution of bad) {
      const told = await guess(here.reference, here.zip, { solution })
      expect([told.code, paramsOf(told).challenge], solution.slice(0, 80)).toEqual([THROTTLED, 'offered'])
    }
    expect((await guess(here.reference, here.zip, { solution: solve(good) })).code).toBe('ok')
  })

  test('made in one process it is taken in another, and spellings are one reference', async () => {
    await useUpNetwork()
    const invoice = await build()
    const spelled = Array.from(invoice.reference, (digit) =>
      String.fromCodePoint(0xff10 + Number(digit)),
    ).join(' ')
    const solution = solve(await ask(spelled, HERE, 1))
    expect((await guess(invoice.reference, invoice.zip, { solution })).code).toBe('ok')
  })

  test('a call for a challenge that makes no sense', async () => {
    await useInstance({})
    const told = await Promise.all([
      ask(undefined),
      ask(7),
      ask(['1']),
      ask('1'.repeat(201)),
      ask('1'.repeat(900_000)),
    ])
    expect(told.map((one) => one.status)).toEqual([400, 400, 400, 400, 400])
    // What nobody can have gets one like any other.
    expect((await ask('abc')).status).toBe(200)
    expect(codes([await guess('abc', zipOf(1), { solution: await solutionFor('abc') })])).toEqual([WRONG])
  })

  test('nothing is kept of a challenge until it is spent, and then nothing that names anybody', async () => {
    await useUpNetwork()
    await ask(noReference())
    expect(await rowsOf('challenge')).toEqual([])
    const invoice = await build()
    await guess(invoice.reference, invoice.zip, { solution: await solutionFor(invoice.reference) })
    const { rows } = await testBase.owner.query<{ text: string }>(
      "select b::text as text from guess_budget b where scope in ('challenge', 'pass')",
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { text } of rows) {
      expect(text).not.toContain(invoice.reference)
      expect(text).not.toContain(Buffer.from(invoice.reference).toString('hex'))
    }
  })
})

test('bf.dos: who is known is neither asked to solve anything nor to wait, whatever is used up', async () => {
  await useInstance({ networkPerHour: 30, zipPerHour: null, instancePerTenMinutes: 10 })
  const invoice = await build()
  const cookie = cookieOf(await guess(invoice.reference, invoice.zip))
  for (let n = 0; n < 12; n++) await guess(noReference(), zipOf(n), { address: addressOf(n) })
  expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
  expect((await guess(invoice.reference, invoice.zip, { cookie })).code).toBe('ok')
})

test('how many instances are closed to strangers stands in the metrics', async () => {
  const read = async (): Promise<number> => {
    const { app } = products[0] as Product
    const { body } = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    return Number(/^kvitt_guess_breakers_open (\d+)$/m.exec(body)?.[1])
  }
  await useInstance({ networkPerHour: null, zipPerHour: null, instancePerTenMinutes: 3 })
  await testBase.owner.query('delete from guess_budget')
  const before = await read()
  for (let n = 0; n < 3; n++) await guess(noReference(), zipOf(n))
  expect([before, await read()]).toEqual([0, 1])
  time.nowMs += 600_000
  expect(await read()).toBe(0)
})
