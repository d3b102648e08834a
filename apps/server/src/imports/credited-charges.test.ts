/** A credit note takes what was charged for the principal that it takes away (I5). */
import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { reversePayment, runNight } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { newReferenceDigits } from '../platform/identity.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/transfer.ts'
import { importInvoices } from './imports.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const INVOICE = fixture('se-invoice.xml')
  .replace('2026-11-02', '2026-02-02')
  .replace('2026-12-02', '2026-03-04')
const NOTE = fixture('se-credit-note.xml').replace('2026-11-10', '2026-03-11')
const REFERENCE = /<cbc:PaymentID>(\d+)</.exec(INVOICE)?.[1] ?? ''
const SENT = date('2026-02-02')
const DUE = date('2026-03-04')

let server: TestServer
let serial = 0
let reference = ''
let name = ''

beforeAll(async () => {
  server = await startTestServer()
})

// Each test has a debtor of its own.
beforeEach(() => {
  serial += 1
  reference = makeReference('SE', newReferenceDigits())
  name = `Alva Provlund ${'abcdefghijklmnopqrstuvwxyz'[serial]}`
})

async function importText(text: string): Promise<string> {
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  const file = {
    name: 'file.xml',
    async *open() {
      yield Buffer.from(text.replaceAll('Alva Provlund', name).replace(REFERENCE, reference))
    },
  }
  for await (const { outcome, reason } of importInvoices(context, instance, [file], { as: 'distributed' })) {
    return reason ?? outcome
  }
  throw new Error('no answer')
}

/** An invoice over 842,00. */
async function invoice(number: string): Promise<string> {
  server.clock.moveTo(SENT)
  const own = `${serial}-${number}`
  expect(await importText(INVOICE.replace('2026-70012', own))).toBe('created')
  return own
}

const credit = (number: string, amount: string): Promise<string> =>
  importText(
    NOTE.replaceAll('142.00', amount)
      .replace('2026-70012', number)
      .replace('K-2026-0031', `K-${number}-${amount}`),
  )

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await runNight(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

async function nights(...after: number[]): Promise<void> {
  for (const days of after) await night(addDays(DUE, days))
}

/** Until what is overdue is in a claim, every letter sent on its day. */
async function handOver(): Promise<void> {
  for (const after of NIGHTS_TO_CLAIM) {
    await nights(after)
    await server.product.sendMail()
  }
}

const sql = async (text: string, values: unknown[]) => (await server.test.owner.query(text, values)).rows

const OWED = `status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest`
const owed = async (number: string) =>
  (await sql(`select ${OWED} from invoice where invoice_number = $1`, [number]))[0]
const owedOnClaim = async (number: string) =>
  (
    await sql(
      `select ${OWED} from claim where id = (select claim_id from invoice where invoice_number = $1)`,
      [number],
    )
  )[0]
const owedBack = async (number: string): Promise<number> =>
  (
    await sql(
      `select coalesce(-sum(l.balance_minor), 0)::int as minor from ledger_account l
       join invoice i on i.debtor_id = l.debtor_id where l.kind = 'credit' and i.invoice_number = $1`,
      [number],
    )
  )[0].minor
const eventsOf = async (): Promise<string[]> => {
  const { json } = await server.call('GET', `/api/public/invoices/${reference}/11122/events`)
  return (json as { type: string; amount: number; balance: number }[])
    .filter(({ amount }) => amount !== null)
    .map(({ type, amount, balance }) => `${type} ${amount} ${balance}`)
}
const NOTHING = { status: 'CLOSED', principal: 0, costs: 0, interest: 0 }

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
    await transfer(server, { reference }, 10_000)
    expect(await owed(number)).toMatchObject({ principal: 84_200 - 10_000 + 6_161, costs: 0, interest: 0 })
    await credit(number, '842.00')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(10_000)
  })

  test('as far as it was owed when it was reminded: what was paid before has no part in it', async () => {
    const number = await invoice('1')
    await transfer(server, { reference }, 40_000)
    await nights(1, 2, 7)
    await credit(number, '442.00')
    expect(await owed(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(0)
  })

  test('not when a part was owed and paid late', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    const { interest } = await owed(number)
    await transfer(server, { reference }, 40_000)
    await credit(number, '442.00')
    // 400.00 paid the fee and the interest first: so much principal is still owed.
    expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 6_000 + interest, costs: 0 })
    expect(await owedBack(number)).toBe(0)
  })

  test('also when it is disputed, and then there is nothing left to decide', async () => {
    const number = await invoice('1')
    await nights(1, 2, 7)
    await server.product.sendMail()
    const path = `/api/public/invoices/${reference}/11122/dispute`
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
    server.clock.moveTo(addDays(DUE, 0))
    await transfer(server, { reference }, 40_000)
    const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`, [])
    await handOver()
    expect((await owedOnClaim(one)).principal).toBe(168_400 - 40_000)
    const paid = await sql(
      `select i.invoice_number as number from ledger_transaction t join invoice i on i.id = t.invoice_id
       where t.cause = 'payment:' || $1`,
      [line.id],
    )
    const [credited, other] = paid[0].number === one ? [one, two] : [two, one]
    const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
    const payment = { instanceId: server.instanceId, paymentId: line.id }
    expect(await reversePayment(context, payment, addDays(DUE, 23))).toBe(true)
    for (let day = 24; day < 60; day++) await nights(day)
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
    server.clock.moveTo(DUE)
    await transfer(server, { reference }, 40_000)
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
    await transfer(server, { reference }, 30_000)
    await credit(number, '842.00')
    expect(await owedOnClaim(number)).toEqual(NOTHING)
    expect(await owedBack(number)).toBe(30_000)
  })
})

describe('a credit of what is paid', () => {
  /** As money comes: a day after the letter. */
  const pay = async (minor: number, after: number) => {
    server.clock.moveTo(addDays(DUE, after))
    await transfer(server, { reference }, minor)
  }

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
    await pay(84_200 - 2_000, 0)
    const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`, [])
    await credit(number, '842.00')
    const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
    const payment = { instanceId: server.instanceId, paymentId: line.id }
    expect(await reversePayment(context, payment, addDays(DUE, 1))).toBe(true)
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
      serial += 1
      reference = makeReference('SE', newReferenceDigits())
      name = `Alva Provlund ${'abcdefghijklmnopqrstuvwxyz'[serial]}`
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
  server.clock.moveTo(DUE)
  const lines: string[] = []
  for (const minor of [50_000, 34_200]) {
    await transfer(server, { reference }, minor)
    const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`, [])
    lines.push(line.id)
  }
  await credit(number, '742.00')
  expect(await owedBack(number)).toBe(74_200)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  const back = (paymentId = '') => reversePayment(context, { instanceId: server.instanceId, paymentId }, DUE)
  expect(await back(lines[1])).toBe(true)
  expect(await owed(number)).toEqual(NOTHING)
  expect(await owedBack(number)).toBe(40_000)
  const asked = async () =>
    (
      await sql(
        `select (k.details ->> 'amountMinor')::int as minor from operator_task k
         where k.kind = 'refund' and k.done_at is null and k.about like '%' || $1 || '%'`,
        [`K-${number}-742.00`],
      )
    ).map(({ minor }) => minor)
  expect(await asked()).toEqual([40_000])
  // The other one as well: then 100.00 is owed, and nothing back.
  expect(await back(lines[0])).toBe(true)
  expect(await owed(number)).toMatchObject({ status: 'ACTIVATED', principal: 10_000 })
  expect(await owedBack(number)).toBe(0)
  expect(await asked()).toEqual([])
})

test('what is credited of a late payment bears no interest on its days, also when the payment is taken back', async () => {
  const number = await invoice('1')
  server.clock.moveTo(addDays(DUE, 5))
  await transfer(server, { reference }, 84_200)
  const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`, [])
  expect(await credit(number, '442.00')).toBe('created')
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  const payment = { instanceId: server.instanceId, paymentId: line.id }
  expect(await reversePayment(context, payment, addDays(DUE, 5))).toBe(true)
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
