import { describe, expect, test } from 'vitest'
import { type Contract } from '@kvitt/domain/contract.ts'
import { BINDINGS } from '../api.ts'
import { DEMO_GUESS_SETTINGS } from '../instances/guess-limits.ts'
import { pathOf } from '../platform/http/serve.ts'
import { type Product } from '../start.ts'
import { seeded } from '../testing/schedule.ts'
import { signIn } from '../testing/sign-in.ts'
import {
  DAY,
  testBase,
  products,
  time,
  instanceId,
  useInstance,
  build,
  send,
  guess,
  codes,
  count,
  WRONG,
  THROTTLED,
  zipOf,
  noReference,
  useUp,
  rowsOf,
  cookieOf,
  type Told,
  useGuesses,
} from '../testing/guesses.ts'

useGuesses()

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

describe('bf.dos: locking a reference does not lock out its debtor', () => {
  test('the electronic ID gets in', async () => {
    const invoice = await build()
    await useUp(invoice.reference)
    const headers = await signIn((products[0] as Product).context, instanceId, [invoice.debtorId])
    const url = `/api/debtor/invoices?paymentReference=${invoice.reference}`
    expect(await send(url, { headers })).toMatchObject({ status: 200 })
  })

  test('a known device gets in, a new one after a day', async () => {
    const invoice = await build()
    const cookie = cookieOf(await guess(invoice.reference, invoice.zip))
    await useUp(invoice.reference)
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    const known = await guess(invoice.reference, invoice.zip, { cookie, product: 1 })
    expect([known.code, known.headers['set-cookie']]).toEqual(['ok', undefined])
    expect((await guess(invoice.reference, invoice.zip, { cookie, tail: '/events' })).code).toBe('ok')
    time.nowMs += DAY - 1000
    expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
    time.nowMs += 1000
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
    expect((await guess(mine.reference, mine.zip, { cookie })).code).toBe('ok')
  })

  test('a device that comes back twice a year is never shut out', async () => {
    const invoice = await build()
    let cookie = cookieOf(await guess(invoice.reference, invoice.zip))
    for (let half = 0; half < 4; half++) {
      time.nowMs += 170 * DAY
      await useUp(invoice.reference)
      expect((await guess(invoice.reference, invoice.zip)).code).toBe(THROTTLED)
      const known = await guess(invoice.reference, invoice.zip, { cookie })
      expect(known.code).toBe('ok')
      cookie = cookieOf(known)
    }
  })

  test('every public call that succeeds makes the device known', async () => {
    const invoice = await build()
    const cookie = cookieOf(await guess(invoice.reference, invoice.zip, { tail: '/events' }))
    await useUp(invoice.reference)
    expect((await guess(invoice.reference, invoice.zip, { cookie })).code).toBe('ok')
  })
})

const CREDIT = { type: 'CREDIT_INVOICE', totalMinor: -25_000 }

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

  test.each([{ status: 'CREATED' }, { status: 'PENDING' }, { status: 'ARCHIVED' }, CREDIT])(
    'a right pair whose invoice is not shown costs what a wrong one does (%o)',
    async (wishes) => {
      const [hidden, shown] = [await build(wishes as Parameters<typeof build>[0]), await build()]
      for (const tail of ['', '/client']) {
        await testBase.owner.query('delete from guess_budget')
        for (let n = 0; n < 6; n++) {
          const told = [
            await guess(hidden.reference, hidden.zip, { tail }),
            await guess(shown.reference, zipOf(n), { tail }),
          ]
          expect(codes(told)).toEqual(n < 5 ? [WRONG, WRONG] : [THROTTLED, THROTTLED])
          expect(told[0]).toEqual(told[1])
        }
      }
    },
  )

  test('a right pair that asks for a number which it does not have is not counted', async () => {
    const open = await build()
    for (let n = 0; n < 8; n++) {
      const tail = '?invoiceNumber=none'
      expect((await guess(open.reference, open.zip, { tail })).code).toBe(WRONG)
    }
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
    time.nowMs += DAY - seconds * 1000
    const told = await guess(invoice.reference, invoice.zip, { language: 'en' })
    expect((JSON.parse(told.body) as { message: string }).message).toContain(ending)
    expect(told.headers['retry-after']).toBe(String(seconds))
  })
})
