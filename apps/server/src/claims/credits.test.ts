/** A credit note takes what was charged for the principal that it takes away (M-05). */
import { describe, expect, test } from 'vitest'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import {
  apply,
  credit,
  door,
  eventsOf,
  handOver,
  invoice,
  nights,
  NOTHING,
  owed,
  owedBack,
  owedOnClaim,
  pay,
  server,
  sql,
  takeBack,
  useCreditNotes,
} from '../testing/debts/credit-notes.ts'

useCreditNotes()

describe('a credit of a whole invoice that was reminded', () => {
  test('takes the fee and the interest with it, once', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    expect(await owed(number)).toMatchObject({ principal: 84_200, costs: 6_000, interest: 161 })
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await eventsOf()).toEqual([
      'INVOICE 842 842',
      'INTEREST 1.61 843.61',
      'REMINDER 60 903.61',
      'CREDIT_INVOICE -842 61.61',
      'REVERSAL -1.61 60',
      'REVERSAL -60 0',
    ])
    expect(await credit(number, '842.00')).toBe('unchanged')
    // The reminder waits to be sent: nobody sends it, and it gives nothing back a second time.
    await server.product.sendMail()
    expect(
      await sql(
        `select m.status as letter, s.status as step from mail_outbox m join collection_step s on s.id = m.step_id
         join invoice i on i.id = s.invoice_id where i.invoice_number = $1 and s.type = 'REMINDER'`,
        [number],
      ),
    ).toEqual([{ letter: 'DROPPED', step: 'SKIPPED' }])
    await nights(8, 20, 22)
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(0)
  })

  test('in parts, with the last of them', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    await credit(number, '600.00')
    expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 24_200, costs: 6_000 })
    await Promise.all([credit(number, '242.00'), credit(number, '242.00')])
    expect(await owed(number)).toEqual(NOTHING)
  })

  test('and what was paid of the fee is owed back', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    await pay(10_000, 7)
    expect(await owed(number)).toMatchObject({ principal: 84_200 - 10_000 + 6_161, costs: 0, interest: 0 })
    await credit(number, '842.00')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(10_000)
  })

  test('as far as it was owed when it was reminded: what was paid before has no part in it', async () => {
    const number = await invoice('1')
    await pay(40_000, 0)
    await nights(1, 2, 7)
    await credit(number, '442.00')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(0)
  })

  test('not when a part was owed and paid late', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    const { interest } = await owed(number)
    await pay(40_000, 7)
    await credit(number, '442.00')
    // 400.00 paid the fee and the interest first: so much principal is still owed.
    expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 6_000 + interest, costs: 0 })
    expect(await owedBack(number)).toBe(0)
  })

  test('also when it is disputed, and then there is nothing left to decide', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    await server.product.sendMail()
    const path = `${door()}/dispute`
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    await credit(number, '842.00')
    expect(await owed(number)).toEqual(NOTHING)
    const disputes = await sql(
      `select d.status from dispute d join invoice i on i.id = d.invoice_id where i.invoice_number = $1`,
      [number],
    )
    expect(disputes).toEqual([{ status: 'UPHELD' }])
  })
})

describe('a credit of an invoice in a claim', () => {
  test("takes that invoice's fee and interest, and with the last invoice the claim's own", async () => {
    const [one, two] = [await invoice('1'), await invoice('2')]
    await handOver()
    const before = await owedOnClaim(one)
    expect(before).toMatchObject({ status: 'OPEN', principal: 168_400, costs: 2 * 6_000 + 18_000 })
    await credit(one, '842.00')
    const half = await owedOnClaim(one)
    expect(half).toMatchObject({ status: 'OPEN', principal: 84_200, costs: 6_000 + 18_000 })
    expect(half.interest * 2).toBe(before.interest)
    expect(await owed(one)).toMatchObject({ status: 'ACTIVATED', principal: 0 })
    await credit(two, '842.00')
    expect(await owedOnClaim(one)).toEqual(NOTHING)
    expect([(await owed(one)).status, (await owed(two)).status]).toEqual(['CLOSED', 'CLOSED'])
    expect(await owedBack(one)).toBe(0)
  })

  test('takes its part of the interest and the court fee that came afterwards', async () => {
    const [one, two] = [await invoice('1'), await invoice('2')]
    await handOver()
    for (let day = 23; day < 50; day++) await nights(day)
    await apply(one, 50)
    const before = await owedOnClaim(one)
    expect(before.costs).toBe(2 * 6_000 + 18_000 + 68_000)
    await credit(one, '842.00')
    expect(await owedOnClaim(one)).toMatchObject({ principal: 84_200, costs: 6_000 + 18_000 + 68_000 })
    // Half of it, rounded: an öre that cannot be shared goes back.
    expect((await owedOnClaim(one)).interest).toBe(Math.floor(before.interest / 2))
    await credit(two, '842.00')
    expect(await owedOnClaim(one)).toEqual(NOTHING)
  })

  test('none of the interest while some of it stands, also what was paid before and taken back', async () => {
    const [one, two] = [await invoice('1'), await invoice('2')]
    const payment = await pay(40_000, 0)
    await handOver()
    expect((await owedOnClaim(one)).principal).toBe(168_400 - 40_000)
    const paid = await sql(
      `select i.invoice_number as number from ledger_transaction t join invoice i on i.id = t.invoice_id
       where t.cause = 'payment:' || $1`,
      [payment],
    )
    const [credited, other] = paid[0].number === one ? [one, two] : [two, one]
    await takeBack(payment, 23)
    for (let day = 24; day < 60; day++) await nights(day)
    await apply(one, 60)
    const before = await owedOnClaim(one)
    expect(before).toMatchObject({ principal: 168_400 })
    await credit(credited, '442.00')
    expect(await owedOnClaim(one)).toEqual({ ...before, principal: 168_400 - 44_200 })
    await credit(credited, '400.00')
    await credit(other, '842.00')
    expect(await owedOnClaim(one)).toEqual(NOTHING)
    expect(await owedBack(one)).toBe(0)
  })

  test('in two notes, of which the first takes the charges already', async () => {
    const number = await invoice('1')
    await pay(40_000, 0)
    await handOver()
    expect(await owedOnClaim(number)).toMatchObject({ principal: 44_200, costs: 6_000 + 18_000 })
    expect(await credit(number, '442.00')).toBe('created')
    expect(await credit(number, '400.00')).toBe('created')
    expect(await owedOnClaim(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(40_000)
  })

  test('and what was paid on the claim is owed back', async () => {
    const number = await invoice('1')
    await handOver()
    await pay(30_000, NIGHTS_TO_CLAIM.at(-1) ?? 0)
    await credit(number, '842.00')
    expect(await owedOnClaim(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(30_000)
  })
})
