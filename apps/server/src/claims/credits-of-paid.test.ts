/** What is credited and had been paid is owed back, with what was charged for it (M-05). */
import { describe, expect, test } from 'vitest'
import {
  anotherDebtor,
  credit,
  DUE,
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

describe('a credit of what is paid', () => {
  test('is owed back, and the invoice stays closed', async () => {
    const number = await invoice('1')
    await pay(84_200, 0)
    expect(await credit(number, '200.00')).toBe('created')
    expect(await credit(number, '200.00')).toBe('unchanged')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(20_000)
    expect((await eventsOf()).slice(-2)).toEqual(['CREDIT_INVOICE -200 -200', 'REFUND 200 0'])
    expect(await credit(number, '642.01')).toMatch(/more than invoice/)
    expect(await credit(number, '642.00')).toBe('created')
    expect(await owedBack(number)).toBe(84_200)
    expect(await credit(number, '0.01')).toMatch(/more than invoice/)
  })

  test('with the fee and the interest that were paid', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    await server.product.sendMail()
    const { costs, interest } = await owed(number)
    await pay(84_200 + costs + interest, 8)
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owedBack(number)).toBe(84_200 + costs + interest)
    // The debtor sees what each part of it is owed back for.
    const interestText = (interest / 100).toString()
    expect((await eventsOf()).slice(-5)).toEqual([
      'REFUND 842 0',
      `REVERSAL -${interestText} -${interestText}`,
      `REFUND ${interestText} 0`,
      'REVERSAL -60 -60',
      'REFUND 60 0',
    ])
  })

  test('less what was written off as too little to ask for', async () => {
    const number = await invoice('1')
    await pay(84_200 - 2_000, 0)
    expect(await owed(number)).toEqual(NOTHING)
    expect(await credit(number, '15.00')).toBe('created')
    expect(await owedBack(number)).toBe(0)
    expect(await credit(number, '827.00')).toBe('created')
    expect(await owedBack(number)).toBe(84_200 - 2_000)
  })

  test('with what was written off of a fee whose letter never went', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    const { costs, interest } = await owed(number)
    const paid = 84_200 + costs + interest - 900
    await pay(paid, 7)
    expect(await owed(number)).toEqual(NOTHING)
    // 900 of the fee was never paid.
    await server.product.sendMail()
    expect(await owedBack(number)).toBe(costs + interest - 900)
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owedBack(number)).toBe(paid)
  })

  test('and the payment is taken back: what was written off of it is not owed', async () => {
    const number = await invoice('1')
    const payment = await pay(84_200 - 2_000, 0)
    await credit(number, '842.00')
    await takeBack(payment, 1)
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(0)
  })

  test('on a claim', async () => {
    const number = await invoice('1')
    await handOver()
    const claim = await owedOnClaim(number)
    const all = claim.principal + claim.costs + claim.interest
    await pay(all, 23)
    expect(await owedOnClaim(number)).toEqual(NOTHING)
    expect(await credit(number, '842.00')).toBe('created')
    expect(await owedOnClaim(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(all)
  })

  test('takes the interest invoice with it when nothing was owed, paid or not', async () => {
    for (const isBillPaid of [false, true]) {
      anotherDebtor()
      const number = await invoice('1')
      await nights(1, 2, 7)
      await server.product.sendMail()
      const { costs, interest } = await owed(number)
      await pay(84_200 + costs + interest, 467)
      await nights(468)
      const bill = async () =>
        (
          await sql(
            `select b.status, b.balance_minor::int as balance, b.total_minor::int as total from invoice b
             join invoice i on i.debtor_id = b.debtor_id
             where b.type = 'INTEREST_INVOICE' and i.invoice_number = $1`,
            [number],
          )
        )[0]
      const { total } = await bill()
      // 842,00 at 10 % for 460 days.
      expect(total).toBe(10_612)
      if (isBillPaid) await pay(total, 470)
      expect(await credit(number, '841.00')).toBe('created')
      expect((await bill()).status).toBe(isBillPaid ? 'CLOSED' : 'ACTIVATED')
      expect(await credit(number, '1.00')).toBe('created')
      expect(await bill()).toEqual({ status: 'CLOSED', balance: 0, total })
      expect(await owedBack(number)).toBe(84_200 + costs + interest + (isBillPaid ? total : 0))
    }
  })
})

test('of a payment that is taken back the credit is worth less, and the rest of it is still owed back', async () => {
  const number = await invoice('1')
  const [one, two] = [await pay(50_000, 0), await pay(34_200, 0)]
  await credit(number, '742.00')
  expect(await owedBack(number)).toBe(74_200)
  await takeBack(two, 0)
  expect(await owed(number)).toEqual(NOTHING)
  expect(await owedBack(number)).toBe(40_000)
  const asked = async () =>
    (
      await sql(
        `select (k.details ->> 'amountMinor')::int as minor from task k
         where k.kind in ('refund', 'creditor_refund') and k.done_at is null and k.about like '%' || $1 || '%'`,
        [`K-${number}-742.00`],
      )
    ).map(({ minor }) => minor)
  expect(await asked()).toEqual([40_000])
  // The other one as well: then 100.00 is owed, and nothing back.
  await takeBack(one, 0)
  expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 10_000 })
  expect(await owedBack(number)).toBe(0)
  expect(await asked()).toEqual([])
})

test('what is credited of a late payment bears no interest on its days, also when the payment is taken back', async () => {
  const number = await invoice('1')
  const payment = await pay(84_200, 5)
  expect(await credit(number, '442.00')).toBe('created')
  await takeBack(payment, 5)
  expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 40_000 })
  for (let day = 6; day < 40; day++) await nights(day)
  const [posted] = await sql(
    `select coalesce(c.interest_minor, i.interest_minor)::int as interest,
       coalesce(c.interest_posted_to, i.interest_posted_to) - $2::date as days
     from invoice i left join claim c on c.id = i.claim_id where i.invoice_number = $1`,
    [number, DUE],
  )
  expect(posted.interest).toBeGreaterThan(0)
  expect(posted.interest).toBe(Math.round((40_000 * posted.days) / 3650))
})
