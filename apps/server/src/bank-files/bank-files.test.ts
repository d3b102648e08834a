import { describe, expect, test } from 'vitest'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun, stopInvoice } from '../collection/collection.ts'
import type { CastPayment } from '../demo/cast-bgmax.ts'
import {
  balanceOf,
  build as buildOver,
  context,
  creditOf,
  fileOf as file,
  instance,
  OF_INSTANCE,
  one,
  outcomesOf as outcomes,
  server,
  stateOf,
  takeFiles as take,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { TODAY, type InvoiceWishes } from '../testing/build.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { importBankFiles } from './bank-files.ts'

useBankFiles()

const pay = (reference: string, amountMinor: number): CastPayment => ({ reference, amountMinor })
const back = (reference: string, amountMinor: number): CastPayment => ({
  reference,
  amountMinor,
  kind: 'deduction',
})
const build = (wishes: InvoiceWishes = {}) => buildOver(119_700, wishes)
const clearing = (gateway: string) => balanceOf('clearing', gateway)
const taskOf = (reference: string) =>
  one<{ reason: string; amountMinor: number } | undefined>(
    `select details ->> 'reason' as reason, (details ->> 'amountMinor')::int as "amountMinor" from task
     where kind = 'bank_line' and details -> 'references' ? $1`,
    reference,
  )

describe('a payment', () => {
  test('in full closes the invoice, stands in its events and gives a receipt', async () => {
    const invoice = await build()
    expect(await take(file([pay(invoice.reference, 119_700)]))).toEqual([
      {
        file: 'file-1',
        line: 1,
        outcome: 'booked',
        amountMinor: 119_700,
        currency: 'SEK',
        paymentReference: invoice.reference,
        number: invoice.number,
        reason: null,
      },
    ])
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
    expect((await server.call('GET', `${path}/events`)).json).toContainEqual(
      expect.objectContaining({ type: 'PAYMENT', amount: -1197, balance: 0 }),
    )
    expect((await server.call('PUT', `${path}/payment-receipt`)).status).toBe(200)
  })

  test('in part leaves the rest, and the options to pay it (M-17)', async () => {
    const invoice = await build()
    await take(file([pay(invoice.reference, 50_000)]))
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 69_700 })
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-methods`
    expect((await server.call('GET', path)).json).not.toEqual([])
  })

  test('money.over: of too much is the debtor’s credit, and so is one for what is paid (M-19)', async () => {
    const invoice = await build()
    await take(file([pay(invoice.reference, 120_000), pay(invoice.reference, 500)]))
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    expect(await creditOf(invoice)).toBe(800)
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
    const events = (await server.call('GET', `${path}/events/financial`)).json as {
      type: string
      amounts: { total: number }
      balances: { total: number }
    }[]
    expect(events.slice(1).map((e) => [e.type, e.amounts.total, e.balances.total])).toEqual([
      ['PAYMENT', -1200, -3],
      ['REFUND', 3, 0],
      ['PAYMENT', -5, -5],
      ['REFUND', 5, 0],
    ])
    const mails = await server.test.owner.query(
      `select kind, text_body as text from mail_outbox where invoice_id = $1 order by id`,
      [invoice.id],
    )
    expect(mails.rows.map(({ kind }) => kind)).toEqual([
      'payment_received_too_much',
      'payment_received_too_much',
    ])
    expect(mails.rows[0].text).toContain('3,00\u00a0SEK')
    // However many ask for the receipt, it is the same file.
    const receipts = await Promise.all(
      [1, 2, 3].map(async () => (await server.call('PUT', `${path}/payment-receipt`)).text),
    )
    expect(receipts[0]).toContain('%PDF')
    expect(new Set(receipts).size).toBe(1)
  })

  test('money.over: three times all that is owed, at once: one pays, two are owed back, and a person is asked', async () => {
    const invoice = await build()
    await Promise.all([1, 2, 3].map(() => take(file([pay(invoice.reference, 119_700)]))))
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    expect(await creditOf(invoice)).toBe(2 * 119_700)
    const { rows } = await server.test.owner.query(
      `select sum((k.details ->> 'amountMinor')::int)::int as minor from task k
       join ledger_transaction t on t.instance_id = k.instance_id and t.cause = k.about
       where k.kind = 'refund' and t.invoice_id = $1 and k.done_at is null`,
      [invoice.id],
    )
    expect(rows).toEqual([{ minor: 2 * 119_700 }])
  })

  test('for a stopped invoice is booked on it (M-18)', async () => {
    const invoice = await build()
    await stopInvoice(
      context(),
      { instanceId: server.instanceId, invoiceId: invoice.id },
      { on: TODAY, reason: 'withdrawn' },
    )
    await take(file([pay(invoice.reference, 119_700)]))
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  })

  test('is found by the reference that the creditor printed (D-22)', async () => {
    const invoice = await build()
    await server.test.owner.query('update invoice set original_reference = $2 where id = $1', [
      invoice.id,
      '4711-A',
    ])
    await take(file([pay('4711-A', 119_700)]))
    expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  })

  test('for a claim, or for an invoice in it, pays the claim', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { invoices: [{}, {}] })
    const owed = () =>
      one<{ status: string; owed: number }>(
        'select status, balance_minor::int as owed from claim where id = $1',
        claim.id,
      )
    const before = (await owed()).owed
    await take(file([pay(claim.reference, 1000)], { bankgiro: OF_INSTANCE }))
    const member = claim.invoices[0]?.reference ?? ''
    await take(file([pay(member, before - 1000)]))
    expect(await owed()).toEqual({ status: 'CLOSED', owed: 0 })
  })

  test('for what is in a plan pays the instalment; before there is one, a person looks', async () => {
    const mother = await build({ totalMinor: 600_000 })
    const path = `/api/public/invoices/${mother.reference}/${mother.zip}/part-payment/start`
    await server.call('PUT', path, { body: { type: 'PLAN_6', agreementAccepted: true } })
    expect(outcomes(await take(file([pay(mother.reference, 100)])))).toEqual(['suspense'])
    expect(await taskOf(mother.reference)).toMatchObject({ reason: 'in_a_plan' })
    const { day } = await one<{ day: CalendarDate }>(
      `select min(send_date)::text as day from part_payment_instalment n
       join part_payment_member m using (instance_id, part_payment_id) where m.invoice_id = $1`,
      mother.id,
    )
    server.clock.moveTo(day)
    await performDailyRun(context(), instance, day)
    const instalment = await one<{ id: string; owed: number }>(
      `select i.id, i.balance_minor::int as owed from invoice i join part_payment_instalment n on n.invoice_id = i.id
       join part_payment_member m on m.part_payment_id = n.part_payment_id where m.invoice_id = $1`,
      mother.id,
    )
    await take(file([pay(mother.reference, instalment.owed)]))
    expect(await stateOf(instalment)).toEqual({ status: 'CLOSED', owed: 0 })
    server.clock.moveTo(TODAY)
  })
})

describe('money.suspense: in suspense, with a task, waits', () => {
  test('what names nothing that we know, and nothing at all', async () => {
    expect(await take(file([pay('999999999', 700), pay('', 300)]))).toMatchObject([
      { outcome: 'suspense', reason: 'unknown_reference' },
      { outcome: 'suspense', reason: 'no_reference' },
    ])
    expect(await taskOf('999999999')).toEqual({ reason: 'unknown_reference', amountMinor: 700 })
  })
  test('money.currency: money in another currency', async () => {
    const invoice = await build()
    await take(file([pay(invoice.reference, 119_700)], { currency: 'EUR' }))
    expect(await taskOf(invoice.reference)).toMatchObject({ reason: 'other_currency' })
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 119_700 })
  })
})

describe('twice', () => {
  test('the same file is unchanged, and so is its deposit in another file', async () => {
    const invoice = await build()
    const text = file([pay(invoice.reference, 50_000)])
    expect(outcomes(await take(text, text))).toEqual(['booked', 'unchanged'])
    expect(outcomes(await take(`${text}\r\n`))).toEqual(['unchanged'])
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 69_700 })
  })
  test('two imports of one file at once book it once', async () => {
    const invoice = await build()
    const text = file(Array.from({ length: 10 }, () => pay(invoice.reference, 1000)))
    const both = await Promise.all([take(text), take(text)])
    expect(outcomes(both.flat()).filter((outcome) => outcome === 'booked')).toHaveLength(10)
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 109_700 })
  })
  test('an import that was cut off goes on where it stopped, line by line', async () => {
    const invoice = await build()
    const text = file([
      pay(invoice.reference, 1000),
      pay(invoice.reference, 2000),
      pay(invoice.reference, 4000),
    ])
    const input = {
      name: 'cut',
      async *open() {
        yield Buffer.from(text)
      },
    }
    for await (const result of importBankFiles(context(), instance, [input])) {
      expect(result).toMatchObject({ outcome: 'booked', line: 1 })
      break
    }
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 118_700 })
    expect(outcomes(await take(text))).toEqual(['booked', 'booked', 'unchanged'])
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 112_700 })
  })
  test('a deposit with another sum is refused', async () => {
    const first = await build()
    const named = { serial: 4711 }
    await take(file([pay(first.reference, 1000)], named))
    const other = file([pay(first.reference, 2000)], named)
    expect((await take(other))[0]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/another sum/),
    })
  })
})

describe('nothing is kept of', () => {
  const text = (): string => file([pay('1230', 1000)])
  test.each([
    ['half a file', () => text().slice(0, 3 * 82), /no end/],
    [
      'an account of somebody else',
      () => file([pay('1230', 1000)], { bankgiro: '5555-5551' }),
      /not an account/,
    ],
    ['a document type in XML', () => '<!DOCTYPE a [<!ENTITY b "c">]><Document/>', /DOCTYPE/],
    ['another document', () => '<Invoice xmlns="urn:x"/>', /not a statement/],
    ['a picture', () => '\u0089PNG\r\n', /no file of payments/],
    ['an empty file', () => '', /empty/],
  ])('%s', async (_, make, reason) => {
    const before = await one('select count(*) from bank_file')
    expect(await take(make())).toEqual([
      expect.objectContaining({ outcome: 'refused', reason: expect.stringMatching(reason) }),
    ])
    expect(await one('select count(*) from bank_file')).toEqual(before)
  })
})

describe('a deduction', () => {
  test('takes the payment back: the invoice is owed again (M-25)', async () => {
    const invoice = await build()
    await take(file([pay(invoice.reference, 119_700)]))
    const before = await clearing('BANK_FILE')
    expect(outcomes(await take(file([back(invoice.reference, 119_700), pay('999999998', 119_701)])))).toEqual(
      ['reversed', 'suspense'],
    )
    expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 119_700 })
    expect(await clearing('BANK_FILE')).toBe(before + 1)
    expect(outcomes(await take(file([pay('999999997', 119_701), back(invoice.reference, 119_700)])))).toEqual(
      ['suspense', 'suspense'],
    )
    expect(await taskOf(invoice.reference)).toEqual({ reason: 'nothing_to_take_back', amountMinor: -119_700 })
  })
})
