import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Contract } from '@kvitt/domain/contract.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { BINDINGS } from '../api.ts'
import { readConfig } from '../config.ts'
import { DEMO_GUESS_SETTINGS, type GuessSettings } from '../instances/guess-limits.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { newReferenceDigits } from '../platform/identity.ts'
import { readOrMakeSecret } from '../platform/secrets.queries.ts'
import { pathOf } from '../platform/serve.ts'
import { startProduct, type Product } from '../start.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { forgetExpiredGuesses, letIn, type Attempt } from './sign-in.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** All budgets but the reference's, so that a test sees one defence at a time. */
const BY_REFERENCE: GuessSettings = { zipPerHour: null, ...DEMO_GUESS_SETTINGS }

let testBase: TestDatabase
let products: readonly Product[]
let nowMs = Date.now()
const clock = { now: () => nowMs, today: testClock().today }
const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-guesses-'))
let instances = 0

/** A product of its own over the same database: another process, as far as the budgets can tell. */
function startOne(isDemo: boolean): Promise<Product> {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '18801' })
  const parts = { config, database: testBase.address, version: 'test', clock, gateways: [], sweepMs: 0 }
  return startProduct({ ...parts, isDemo, checkAnswers: true })
}

beforeAll(async () => {
  testBase = await testDatabase()
  products = await Promise.all([startOne(true), startOne(false)])
})
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})

let host: string
let instanceId: string
/** A fresh instance for each test: its budgets are its own. */
async function useInstance(guessLimits: GuessSettings): Promise<void> {
  const built = await buildInstance(testBase, { alias: `i${++instances}`, isDefault: false, guessLimits })
  ;({ host, id: instanceId } = built)
  // Every product reads its instances again.
  nowMs += 6_000
}
beforeEach(() => useInstance(BY_REFERENCE))

const build = (wishes: Parameters<typeof buildInvoice>[3] = {}): Promise<BuiltInvoice> =>
  buildInvoice(testBase, instanceId, clock, wishes)

type Sent = { address?: string; cookie?: string; language?: string; product?: number; tail?: string }
type Told = { status: number; code: string; body: string; headers: Record<string, unknown> }

async function send(url: string, sent: Sent = {}, method: Contract['method'] = 'GET'): Promise<Told> {
  const answer = await (products[sent.product ?? 0] as Product).app.inject({
    method,
    url,
    remoteAddress: sent.address ?? '203.0.113.5',
    headers: {
      host,
      ...(sent.cookie ? { cookie: sent.cookie } : {}),
      ...(sent.language ? { 'accept-language': sent.language } : {}),
    },
  })
  const isProblem = String(answer.headers['content-type']).includes('problem')
  const problem = isProblem ? answer.json<{ code: string; traceId: string }>() : undefined
  const { date: _, ...headers } = answer.headers
  return {
    status: answer.statusCode,
    code: problem?.code ?? 'ok',
    body: problem ? answer.body.replaceAll(problem.traceId, 'TRACE') : answer.body,
    headers,
  }
}

const guess = (reference: string, zip: string, sent: Sent = {}): Promise<Told> =>
  send(`/api/public/invoices/${reference}/${zip}${sent.tail ?? ''}`, sent)

const codes = (told: readonly Told[]): string[] => told.map((t) => t.code)
const count = (told: readonly Told[], code: string): number => told.filter((t) => t.code === code).length
const WRONG = 'login_error::invalid_data'
const THROTTLED = 'login_throttled'
const zipOf = (n: number): string => String(20_000 + n)
const noReference = (): string => makeReference('SE', newReferenceDigits())
const addressOf = (n: number): string => `10.${(n >> 8) & 255}.${n & 255}.9`

async function useUp(reference: string): Promise<void> {
  for (let n = 0; n < 5; n++) expect((await guess(reference, zipOf(n))).code).toBe(WRONG)
}

async function rowsOf(scope: string): Promise<{ fails: number; passes: number }[]> {
  const sql = 'select fails, passes from guess_budget where instance_id = $1 and scope = $2'
  return (await testBase.owner.query(sql, [instanceId, scope])).rows
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('bf.vertical: one reference, all zips', () => {
  test('five guesses are answered, from however many addresses and processes', async () => {
    const invoice = await build()
    const told: Told[] = []
    for (let n = 0; n < 600; n += 50) {
      const batch = Array.from({ length: 50 }, (_, i) => n + i)
      told.push(
        ...(await Promise.all(
          batch.map((i) =>
            guess(invoice.reference, zipOf(i), { address: addressOf(i % 50), product: i % 2 }),
          ),
        )),
      )
    }
    expect(count(told, WRONG)).toBe(5)
    expect(count(told, THROTTLED)).toBe(595)
    expect(await rowsOf('reference-day')).toEqual([{ fails: 5, passes: 0 }])
  })

  test('the right zip as sixth guess is refused, as fifth it is not', async () => {
    const [late, early] = [await build(), await build()]
    await useUp(late.reference)
    expect((await guess(late.reference, late.zip)).code).toBe(THROTTLED)
    for (let n = 0; n < 4; n++) await guess(early.reference, zipOf(n))
    expect((await guess(early.reference, early.zip)).code).toBe('ok')
    // A right guess gives nothing back: whoever knows the pair could reset the count for a stranger.
    expect((await guess(early.reference, zipOf(9))).code).toBe(WRONG)
    expect((await guess(early.reference, zipOf(10))).code).toBe(THROTTLED)
  })

  test('fifty at once through two pools: at most five wrong answers, and the right one in its turn', async () => {
    const random = seeded(7)
    for (let round = 0; round < 8; round++) {
      const invoice = await build()
      const right = Math.floor(random() * 50)
      const told = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          guess(invoice.reference, n === right ? invoice.zip : zipOf(n), {
            product: n % 2,
            // Half of them where the read itself takes the guess, half where the guard does.
            tail: n % 4 < 2 ? '' : '/events',
          }),
        ),
      )
      expect(count(told, WRONG)).toBe(5)
      expect(count(told, 'ok')).toBeLessThanOrEqual(1)
      expect(count(told, THROTTLED)).toBe(45 - count(told, 'ok'))
    }
  })

  test('many references at once: the right are let in, each wrong one is counted, nobody waits for another', async () => {
    await useInstance({ zipPerHour: 1000, networkPerHour: 1000, instancePerTenMinutes: 10_000 })
    const invoices = await Promise.all(Array.from({ length: 40 }, () => build()))
    const random = seeded(11)
    let wrong = 0
    for (let round = 0; round < 3; round++) {
      const wishes = invoices.flatMap((invoice) => [
        { reference: invoice.reference, zip: invoice.zip, expected: 'ok' },
        { reference: noReference(), zip: zipOf(Math.floor(random() * 4)), expected: WRONG },
      ])
      wrong += invoices.length
      const told = await Promise.all(
        wishes.map(({ reference, zip }, n) => guess(reference, zip, { product: n % 3 === 0 ? 1 : 0 })),
      )
      expect(codes(told)).toEqual(wishes.map((wish) => wish.expected))
      for (const [n, one] of told.entries()) {
        if (one.code === 'ok')
          expect(JSON.parse(one.body)).toMatchObject({ paymentReference: wishes[n]?.reference })
      }
    }
    const fails = async (scope: string): Promise<number> =>
      (await rowsOf(scope)).reduce((sum, row) => sum + row.fails, 0)
    expect([await fails('instance'), await fails('zip'), await fails('network')]).toEqual([
      wrong,
      wrong,
      wrong,
    ])
    expect((await rowsOf('reference-day')).map((row) => row.fails)).toEqual(Array(wrong).fill(1))
  })

  test.each(['', '/client'])('a right guess (%s) waits for the wrong ones under way', async (tail) => {
    const invoice = await build()
    const instance = (await openInstances(testBase.db, clock).ofHost(host)) as Instance
    const key = await readOrMakeSecret(testBase.db, 'guesses')
    const attempt: Attempt = {
      instance,
      reference: invoice.reference,
      zip: '',
      address: '203.0.113.5',
      cookie: undefined,
      isTakenByRead: false,
    }
    let settled = false
    let right: Promise<Told> | undefined
    await testBase.db.transaction(async (tx) => {
      const guarded = { db: tx, clock, key, isSecure: false }
      for (let n = 0; n < 5; n++) {
        await expect(letIn(guarded, { ...attempt, zip: zipOf(n) })).rejects.toThrow(new Refusal(WRONG))
      }
      right = guess(invoice.reference, invoice.zip, { product: 1, tail }).finally(() => {
        settled = true
      })
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(settled).toBe(false)
    })
    expect((await right)?.code).toBe(THROTTLED)
  })

  test('twenty in thirty days, and what is refused is not counted', async () => {
    const invoice = await build()
    for (let day = 0; day < 4; day++) {
      await useUp(invoice.reference)
      for (let n = 0; n < 3; n++) expect((await guess(invoice.reference, zipOf(n))).code).toBe(THROTTLED)
      nowMs += DAY
    }
    expect(await rowsOf('reference-month')).toEqual([{ fails: 20, passes: 0 }])
    const refused = await guess(invoice.reference, invoice.zip, { language: 'en' })
    expect(refused.code).toBe(THROTTLED)
    expect(Number(refused.headers['retry-after'])).toBe((26 * DAY) / 1000)
    nowMs += 26 * DAY
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })
})

describe('bf.horizontal: one zip, many references', () => {
  /** 400 references that an attacker tries with one zip; a twentieth of them belongs to invoices with that zip. */
  async function spray(guessLimits: GuessSettings): Promise<Told[]> {
    await useInstance(guessLimits)
    const random = seeded(11)
    const targets: string[] = []
    for (let n = 0; n < 400; n++) {
      targets.push(random() < 0.05 ? (await build({ zip: '11122' })).reference : noReference())
    }
    const told: Told[] = []
    for (const [n, reference] of targets.entries()) {
      told.push(await guess(reference, '11122', { address: addressOf(n), product: n % 2 }))
    }
    return told
  }

  test('the zip is closed for the hour after fifty failures', async () => {
    const told = await spray({})
    expect(count(told, WRONG)).toBe(50)
    expect(count(told, 'ok')).toBeLessThanOrEqual(5)
    expect(told.slice(-300).every((t) => t.code === THROTTLED)).toBe(true)
    nowMs += HOUR
    expect((await guess(noReference(), '11122')).code).toBe(WRONG)
  })

  test('without the defence many more get in', async () => {
    const told = await spray({
      referencePerDay: null,
      referencePerMonth: null,
      zipPerHour: null,
      ...DEMO_GUESS_SETTINGS,
    })
    expect(count(told, 'ok')).toBeGreaterThan(15)
    expect(count(told, THROTTLED)).toBe(0)
  })

  test('a network has thirty failures an hour, whatever the last part of its addresses', async () => {
    await useInstance({ instancePerTenMinutes: null })
    const invoice = await build()
    const from = (n: number): string => `198.51.100.${n}`
    const told: Told[] = []
    for (let n = 0; n < 40; n++) told.push(await guess(noReference(), zipOf(n), { address: from(n) }))
    expect(codes(told)).toEqual([...Array(30).fill(WRONG), ...Array(10).fill(THROTTLED)])
    expect((await guess(invoice.reference, invoice.zip, { address: from(99) })).code).toBe(THROTTLED)
    expect((await guess(invoice.reference, invoice.zip, { address: '198.51.101.99' })).code).toBe('ok')
    nowMs += HOUR
    expect((await guess(invoice.reference, invoice.zip, { address: from(99) })).code).toBe('ok')
  })

  const fail = async (times: number, beginning: number): Promise<Told[]> => {
    const told: Told[] = []
    for (let n = beginning; n < beginning + times; n++) {
      told.push(await guess(noReference(), zipOf(n), { address: addressOf(n) }))
    }
    return told
  }

  test('a whole instance closes for devices that it does not know', async () => {
    await useInstance({ instancePerTenMinutes: 20 })
    const [mine, other] = [await build(), await build()]
    const first = await guess(mine.reference, mine.zip)
    expect(codes(await fail(25, 0))).toEqual([...Array(20).fill(WRONG), ...Array(5).fill(THROTTLED)])
    expect((await guess(other.reference, other.zip)).code).toBe(THROTTLED)
    expect((await guess(mine.reference, mine.zip, { cookie: cookieOf(first) })).code).toBe('ok')
    nowMs += HOUR / 6
    expect((await guess(other.reference, other.zip)).code).toBe('ok')
  })

  test('an instance where most guesses are right stays open', async () => {
    await useInstance({ instancePerTenMinutes: 20 })
    const invoice = await build()
    await fail(10, 0)
    for (let n = 0; n < 90; n++) expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
    expect(await rowsOf('instance')).toEqual([{ fails: 10, passes: 90 }])
    expect(codes(await fail(12, 10)).every((code) => code === WRONG)).toBe(true)
    expect(codes(await fail(3, 30))).toEqual([WRONG, THROTTLED, THROTTLED])
  })
})

describe('bf.hop: one budget for every public call', () => {
  const calls = BINDINGS.filter(({ contract }) => contract.doors.includes('public')).map((b) => b.contract)
  /** Without a body: the pair comes before what the call asks for. */
  function knock(contract: Contract, reference: string, zip: string): Promise<Told> {
    const url = pathOf(contract, 'public').replace(':paymentReference', reference).replace(':zip', zip)
    return send(url, {}, contract.method)
  }

  test('there are calls to hop between', () => {
    expect(calls.length).toBeGreaterThan(10)
  })

  test('hopping from call to call gains nothing', async () => {
    const invoice = await build()
    const told: Told[] = []
    for (const [n, contract] of calls.entries()) told.push(await knock(contract, invoice.reference, zipOf(n)))
    expect(codes(told)).toEqual([...Array(5).fill(WRONG), ...Array(calls.length - 5).fill(THROTTLED)])
  })

  test.each(calls.map((contract) => ({ name: contract.name, contract })))(
    '$name counts, locks, and refuses the right pair of a locked reference',
    async ({ contract }) => {
      const invoice = await build()
      const told: Told[] = []
      for (let n = 0; n < 6; n++) told.push(await knock(contract, invoice.reference, zipOf(n)))
      expect(codes(told)).toEqual([...Array(5).fill(WRONG), THROTTLED])
      expect((await knock(contract, invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    },
  )

  /** Every path that the application serves, from the tree that it prints: four characters a level. */
  function servedPaths(): string[] {
    const above: string[] = []
    const printed = products[0]?.app.printRoutes({ commonPrefix: false, includeHooks: false }) ?? ''
    return printed.split('\n').flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S*)( \(.+\))?$/.exec(line) ?? []
      above.length = indent.length / 4
      above.push(part)
      return methods ? [above.join('')] : []
    })
  }

  test('no path with a pair in it is served by anything else', () => {
    const bound = new Set(calls.map((contract) => pathOf(contract, 'public')))
    const served = new Set(servedPaths().filter((path) => /\/public\/[a-z-]+\/:/.test(path)))
    expect(served).toEqual(bound)
  })
})

describe('bf.alias: two hundred spellings are one reference and one zip', () => {
  test('they share one counter', async () => {
    await useInstance(DEMO_GUESS_SETTINGS)
    const invoice = await build()
    const random = seeded(3)
    const marks = [' ', '\u00a0', '\u200b', '\u00ad', '\u2009', '\t']
    const spell = (digits: string, more: readonly string[]): string =>
      Array.from(digits, (digit) => {
        const shown = random() < 0.5 ? digit : String.fromCodePoint(0xff10 + Number(digit))
        const all = [...marks, ...more]
        return random() < 0.3 ? `${shown}${all[Math.floor(random() * all.length)]}` : shown
      }).join('')
    const spellings = new Set<string>()
    while (spellings.size < 200) {
      const [reference, zip] = [spell(invoice.reference, []), spell('98765', ['-', '.', '/', '\u2013'])]
      spellings.add(`${encodeURIComponent(reference)}\n${encodeURIComponent(zip)}`)
    }
    const told: Told[] = []
    for (const spelling of spellings) {
      const [reference = '', zip = ''] = spelling.split('\n')
      told.push(await guess(reference, zip))
    }
    expect(count(told, WRONG)).toBe(5)
    expect(count(told, THROTTLED)).toBe(195)
    for (const scope of ['reference-day', 'reference-month', 'zip']) {
      expect(await rowsOf(scope)).toEqual([{ fails: 5, passes: 0 }])
    }
    expect((await guess(spell(invoice.reference, []), invoice.zip)).code).toBe(THROTTLED)
  })

  test('what cannot be a reference or a zip locks nobody out', async () => {
    await useInstance(DEMO_GUESS_SETTINGS)
    const invoice = await build()
    for (let n = 0; n < 8; n++) {
      expect((await guess('abc', invoice.zip)).code).toBe(WRONG)
      expect((await guess(invoice.reference, '%00')).code).toBe(WRONG)
    }
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })
})

function cookieOf(told: Told): string {
  return String(told.headers['set-cookie']).split(';', 1)[0] ?? ''
}

describe('bf.dos: locking a reference does not lock out its debtor', () => {
  test('a known device gets in, a new one after a day', async () => {
    const invoice = await build()
    const cookie = cookieOf(await guess(invoice.reference, invoice.zip))
    await useUp(invoice.reference)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    const known = await guess(invoice.reference, invoice.zip, { cookie, product: 1 })
    expect([known.code, known.headers['set-cookie']]).toEqual(['ok', undefined])
    expect((await guess(invoice.reference, invoice.zip, { cookie, tail: '/events' })).code).toBe('ok')
    nowMs += DAY - 1000
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    nowMs += 1000
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })

  test('being known for one pair helps with no other', async () => {
    const [mine, theirs] = [await build(), await build()]
    const cookie = cookieOf(await guess(mine.reference, mine.zip))
    await useUp(theirs.reference)
    expect((await guess(theirs.reference, theirs.zip, { cookie })).code).toBe(THROTTLED)
    const told: Told[] = []
    for (let n = 0; n < 6; n++) told.push(await guess(mine.reference, zipOf(n), { cookie }))
    expect(codes(told)).toEqual([...Array(5).fill(WRONG), THROTTLED])
  })

  test('every public call that succeeds makes the device known', async () => {
    const invoice = await build()
    const cookie = cookieOf(await guess(invoice.reference, invoice.zip, { tail: '/events' }))
    await useUp(invoice.reference)
    expect((await guess(invoice.reference, invoice.zip, { cookie })).code).toBe('ok')
  })
})

describe('oracle.equal: all failures look the same', () => {
  test('unknown, wrong, hidden and negative', async () => {
    const open = await build()
    const hidden = [await build({ status: 'CREATED' }), await build({ status: 'PENDING' })]
    const negative = await build({ type: 'CREDIT_INVOICE', totalMinor: -25_000 })
    for (const tail of ['', '/client']) {
      const told = [
        await guess(noReference(), open.zip, { tail }),
        await guess(open.reference, '99999', { tail }),
        await guess('abc', open.zip, { tail }),
        await guess(open.reference, open.zip, { tail: `${tail}?invoiceNumber=none` }),
        ...(await Promise.all([...hidden, negative].map((i) => guess(i.reference, i.zip, { tail })))),
      ]
      expect(told[0]).toMatchObject({ status: 400, code: WRONG })
      for (const one of told) expect(one).toEqual(told[0])
      expect(told[0]?.headers).not.toHaveProperty('set-cookie')
    }
  })

  test('a used-up reference that exists and one that does not', async () => {
    const invoice = await build()
    const none = noReference()
    await useUp(invoice.reference)
    await useUp(none)
    for (const tail of ['', '/client']) {
      const told = [
        await guess(invoice.reference, invoice.zip, { tail }),
        await guess(invoice.reference, zipOf(1), { tail }),
        await guess(none, invoice.zip, { tail }),
      ]
      expect(told[0]).toMatchObject({ status: 400, code: THROTTLED })
      for (const one of told) expect(one).toEqual(told[0])
    }
  })

  test('a right pair whose invoice is not shown is not counted', async () => {
    const hidden = await build({ status: 'PENDING' })
    for (let n = 0; n < 8; n++) expect((await guess(hidden.reference, hidden.zip)).code).toBe(WRONG)
    expect(await rowsOf('reference-day')).toEqual([{ fails: 0, passes: 0 }])
  })

  test('the table tells no reference, zip or address', async () => {
    await useInstance({})
    const invoice = await build()
    await guess(invoice.reference, '98765', { address: '203.0.113.5' })
    const sql = 'select b::text as text from guess_budget b where instance_id = $1'
    const { rows } = await testBase.owner.query(sql, [instanceId])
    expect(rows).toHaveLength(5)
    for (const clear of [invoice.reference, '98765', '203.0.113']) {
      for (const row of rows) {
        expect(row.text).not.toContain(clear)
        expect(row.text).not.toContain(Buffer.from(clear).toString('hex'))
      }
    }
  })
})

describe('the refusal', () => {
  test.each([
    ['en', 'Try again in 24 hours.'],
    ['sv', 'Försök igen om 24 timmar.'],
    ['nb', 'Prøv igjen om 24 timer.'],
    ['da', 'Prøv igen om 24 timer.'],
    ['fi', 'Yritä uudelleen 24 tunnin kuluttua.'],
  ])('says in %s how long to wait', async (language, ending) => {
    const invoice = await build()
    await useUp(invoice.reference)
    const told = await guess(invoice.reference, invoice.zip, { language })
    expect((JSON.parse(told.body) as { message: string }).message.endsWith(ending)).toBe(true)
    expect(told.headers['retry-after']).toBe('86400')
  })

  test.each([
    [90 * 60, 'in 90 minutes.'],
    [60, 'in 1 minute.'],
    [1, 'in 1 minute.'],
  ])('%i seconds before the end it says %s', async (seconds, ending) => {
    const invoice = await build()
    await useUp(invoice.reference)
    nowMs += DAY - seconds * 1000
    const told = await guess(invoice.reference, invoice.zip, { language: 'en' })
    expect((JSON.parse(told.body) as { message: string }).message).toContain(ending)
    expect(told.headers['retry-after']).toBe(String(seconds))
  })
})

describe('giving guesses back', () => {
  const clear = (product: number, remoteAddress: string) =>
    (products[product] as Product).app.inject({ method: 'DELETE', url: '/api/demo/guesses', remoteAddress })

  test('the demo does it on this machine', async () => {
    const invoice = await build()
    await useUp(invoice.reference)
    expect((await clear(0, '203.0.113.5')).statusCode).toBe(404)
    expect((await clear(1, '127.0.0.1')).statusCode).toBe(404)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    expect((await clear(0, '127.0.0.1')).statusCode).toBe(204)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe('ok')
  })

  test('windows that have ended are removed, the others stay', async () => {
    await useInstance({})
    await guess(noReference(), zipOf(1))
    const left = async (): Promise<string[]> => {
      await forgetExpiredGuesses(testBase.db, new Date(nowMs).toISOString())
      const sql = 'select scope from guess_budget where instance_id = $1 order by scope'
      return (await testBase.owner.query(sql, [instanceId])).rows.map((row: { scope: string }) => row.scope)
    }
    expect(await left()).toHaveLength(5)
    nowMs += 2 * HOUR
    expect(await left()).toEqual(['reference-day', 'reference-month'])
    nowMs += DAY
    expect(await left()).toEqual(['reference-month'])
    nowMs += 30 * DAY
    expect(await left()).toEqual([])
  })
})
