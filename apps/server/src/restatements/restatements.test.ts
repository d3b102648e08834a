/** What money takes the ground from that a file tells of late: one test for each thing that may have happened since its day. */
import { describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { decideDebt, performDailyRun, reversePayment } from '../collection/collection.ts'
import {
  fileOf,
  creditOf,
  one,
  outcomesOf,
  rows,
  server,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { recordApplication } from '../court/court.ts'
import { enterAgreement, makeSettlements } from '../settlements/settlements.ts'

useBankFiles()

const DUE = date('2026-03-10')
const after = (days: number): CalendarDate => addDays(DUE, days)

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  return buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    totalMinor: 100_000,
    ...wishes,
  })
}

async function nights(...days: number[]): Promise<void> {
  for (const day of days.map(after)) {
    server.clock.moveTo(day)
    await performDailyRun(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      day,
    )
  }
}

type Told = { readonly day: number; readonly readOn: number }

/** The bank's file of `day` is read on `readOn`. */
async function tell(
  { reference }: Pick<BuiltInvoice, 'reference'>,
  amountMinor: number,
  { day, readOn }: Told,
  outcome = 'booked',
): Promise<void> {
  server.clock.moveTo(after(readOn))
  const file = fileOf([{ reference, amountMinor }], { day: after(day) })
  expect(outcomesOf(await takeFiles(file))).toEqual([outcome])
}

const newestOf = async ({ reference }: BuiltInvoice): Promise<string> =>
  (
    await one<{ id: string }>(
      'select id from bank_line where $1 = any(payment_references) order by id desc limit 1',
      reference,
    )
  ).id

async function takeBack(paymentId: string, on: number): Promise<void> {
  server.clock.moveTo(after(on))
  const payment = { instanceId: server.instanceId, paymentId }
  expect(await reversePayment(server.product.context, payment, after(on))).toBe(true)
}

const owed = ({ id }: { readonly id: string }) =>
  one<object>(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest
     from invoice where id = $1`,
    id,
  )
const PAID = { status: 'CLOSED', principal: 0, costs: 0, interest: 0 }

/** What was taken back, with the charge that each entry names. */
const taken = ({ id }: { readonly id: string }) =>
  rows<{ charge: string; minor: number }>(
    `select c.kind as charge, sum(p.amount_minor)::int as minor from ledger_transaction r
     join ledger_transaction c on c.id = r.restates_id
     join posting p on p.transaction_id = r.id and p.amount_minor > 0
     where $1 in (r.invoice_id, r.claim_id) group by c.kind order by c.kind`,
    id,
  )
const letters = (debtId: string) =>
  rows<{ kind: string; status: string }>(
    `select m.kind, m.status from mail_outbox m where $1 in (m.invoice_id, m.claim_id)
       and m.kind in ('reminder', 'demand', 'collection_notice') order by m.created_at`,
    debtId,
  )
const byHand = (debt: { readonly reference: string }) =>
  rows<{ reason: string }>(
    `select k.details ->> 'reason' as reason from task k join bank_line l on k.about = 'payment:' || l.id
     where k.kind = 'restate_by_hand' and $1 = any(l.payment_references)`,
    debt.reference,
  )
const bill = ({ debtorId }: BuiltInvoice) =>
  one<{ id: string; reference: string; status: string; total: number; balance: number }>(
    `select id, payment_reference as reference, status, total_minor::int as total, balance_minor::int as balance
     from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1`,
    debtorId,
  )
const planOf = ({ id }: BuiltInvoice) =>
  one<object>(
    `select p.status, p.amount_minor::int as amount, (select count(*)::int from part_payment_instalment n
       where n.part_payment_id = p.id) as instalments
     from part_payment p join part_payment_member m on m.part_payment_id = p.id where m.invoice_id = $1`,
    id,
  )
const instalments = ({ debtorId }: BuiltInvoice) =>
  rows<{ reference: string; balance: number }>(
    `select payment_reference as reference, balance_minor::int as balance from invoice
     where type = 'PART_INVOICE' and debtor_id = $1 and balance_minor > 0 order by expire_date`,
    debtorId,
  )
const claimOf = ({ id }: BuiltInvoice) =>
  one<{ id: string; status: string; principal: number; costs: number; interest: number }>(
    `select c.id, c.status, c.principal_minor::int as principal, c.costs_minor::int as costs, c.interest_minor::int as interest
     from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    id,
  )

// 1 000.00 for the seven days until the reminder, at 10 % a year: 1.92.
describe('the money was there before the reminder', () => {
  test('(a) its letter has not been sent: it is dropped, and costs nothing', async () => {
    const invoice = await build()
    await nights(1, 2, 7)
    await tell(invoice, 100_000, { day: 0, readOn: 8 })
    expect(await owed(invoice)).toEqual(PAID)
    expect(await creditOf(invoice)).toBe(0)
    await server.product.sendMail()
    expect(await letters(invoice.id)).toEqual([{ kind: 'reminder', status: 'DROPPED' }])
    await nights(9, 20, 22)
    expect(await bill(invoice)).toBeUndefined()
  })

  test('(b) its letter has been sent: the fee is taken back, with a line of its own and no second letter', async () => {
    const invoice = await build()
    await nights(1, 2, 7)
    await server.product.sendMail()
    await tell(invoice, 100_000, { day: 0, readOn: 8 })
    expect(await owed(invoice)).toEqual(PAID)
    expect(await taken(invoice)).toEqual([
      { charge: 'INTEREST', minor: 192 },
      { charge: 'REMINDER', minor: 6_000 },
    ])
    await server.product.sendMail()
    expect(await letters(invoice.id)).toEqual([{ kind: 'reminder', status: 'SENT' }])
    const events = await server.call('GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}/events`)
    expect(events.json).toContainEqual(
      expect.objectContaining({ type: 'REVERSAL', subType: 'CAME_EARLIER', amount: -60, date: after(8) }),
    )
  })

  test('(h) it was paid with the fee and closed: the fee is owed back with all of the second payment', async () => {
    const invoice = await build()
    await nights(1, 2, 7)
    await server.product.sendMail()
    await tell(invoice, 106_192, { day: 8, readOn: 8 })
    await tell(invoice, 100_000, { day: 0, readOn: 9 })
    expect(await owed(invoice)).toEqual(PAID)
    // 1 061.92 and 1 000.00 came, and 1 000.00 was owed.
    expect(await creditOf(invoice)).toBe(106_192)
  })

  test('(h) a small rest of it was written off: that is not owed back', async () => {
    const invoice = await build()
    await nights(1, 2, 7)
    await server.product.sendMail()
    await tell(invoice, 104_000, { day: 8, readOn: 8 })
    expect(await owed(invoice)).toEqual(PAID)
    await tell(invoice, 100_000, { day: 0, readOn: 9 })
    expect(await creditOf(invoice)).toBe(104_000)
  })
})

describe('(j) a part of the money was there before the reminder', () => {
  test('the fee stands, and interest is counted on what was left', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2, 7)
    await server.product.sendMail()
    await tell(invoice, 40_000_000, { day: 3, readOn: 10 })
    // 500 000.00 for three days, 100 000.00 for four.
    expect(await owed(invoice)).toEqual({
      status: 'ACTIVATED',
      principal: 10_000_000,
      costs: 6_000,
      interest: 52_055,
    })
    expect(await taken(invoice)).toEqual([{ charge: 'INTEREST', minor: 95_890 - 52_055 }])
  })

  test('what is left is too little for a fee', async () => {
    const invoice = await build()
    await nights(1, 2, 7)
    await tell(invoice, 95_000, { day: 3, readOn: 10 })
    expect(await owed(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 5_000, costs: 0 })
  })
})

describe('(i) it was settled with the creditor since', () => {
  const settle = async (day: number) => {
    server.clock.moveTo(after(day))
    await makeSettlements(server.product.context, { id: server.instanceId }, after(day))
  }

  test('the next settlement takes back what no longer was owed, and no payment twice', async () => {
    const invoice = await build()
    await enterAgreement(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      {
        creditor: invoice.creditorId,
        from: DUE,
        currency: 'SEK',
        invoiceCommissionBp: 1_000,
        claimCommissionBp: 0,
        paymentPriceMinor: 0,
        casePriceMinor: 0,
        vatBp: 2_500,
        period: 'WEEK',
        smallestPayoutMinor: 5_000,
        source: 'Agreement, section 6',
        by: 'person:Eva Berg',
      },
    )
    await nights(1, 2, 7)
    await server.product.sendMail()
    await tell(invoice, 106_192, { day: 8, readOn: 8 })
    await settle(13)
    await tell(invoice, 100_000, { day: 0, readOn: 14 })
    await settle(20)
    const made = await rows<object>(
      `select number, status, collected_minor::int as collected, fees_minor::int as fees, vat_minor::int as vat,
         corrections_minor::int as corrections, paid_out_minor::int as out from settlement
       where creditor_id = $1 order by number`,
      invoice.creditorId,
    )
    // Of 1 000.00, 10 % and 25 % VAT on it are the provider's: 875.00. 861.68 was settled; the rest is too little to be paid out.
    expect(made).toEqual([
      {
        number: 1,
        status: 'TO_APPROVE',
        collected: 106_192,
        fees: 16_019,
        vat: 4_005,
        corrections: 0,
        out: 86_168,
      },
      { number: 2, status: 'CARRIED', collected: 0, fees: -6_019, vat: -1_505, corrections: 7_524, out: 0 },
    ])
    const carried = await rows<object>(
      `select l.kind, l.amount_minor::int as minor from settlement_line l join settlement s on s.instance_id = l.instance_id
         and s.id = l.settlement_id where s.creditor_id = $1 and l.kind like 'CARRIED%'`,
      invoice.creditorId,
    )
    expect(carried).toEqual([{ kind: 'CARRIED_OUT', minor: 87_500 - 86_168 }])
  })
})

describe('days of other money', () => {
  test('it had paid charges alone, and pays what was bought now that they are paid by earlier money', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2, 7)
    // The reminder asked for 60.00 and 958.90.
    await tell(invoice, 100_000, { day: 12, readOn: 12 })
    await tell(invoice, 101_890, { day: 8, readOn: 13 })
    await tell(invoice, 49_900_000, { day: 14, readOn: 14 })
    expect(await owed(invoice)).toEqual(PAID)
    await nights(15)
    // (499 000.00 x 7 + 1 000.00 x 5) x 0.10/365
    expect(await bill(invoice)).toMatchObject({ total: 95_836 })
  })

  test('it had paid charges alone and was taken back: what it would have paid of what was bought looked paid too', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2, 7)
    await server.product.sendMail()
    // Of the fee and 958.90 in interest.
    await tell(invoice, 100_000, { day: 8, readOn: 8 })
    await takeBack(await newestOf(invoice), 12)
    // The reminder's interest is 739.73 now: 500 000.00 for three days, 300 000.00 for four. So 200.27 of that payment were principal.
    await tell(invoice, 20_000_000, { day: 3, readOn: 14 })
    expect(await owed(invoice)).toMatchObject({ principal: 30_000_000, costs: 6_000, interest: 73_973 })
    await nights(20, 22)
    // 300 000.00 for fifteen days, less 200.27 for the four on which that looked paid: 1 232.65.
    expect(await claimOf(invoice)).toMatchObject({ interest: 73_973 + 123_265 })
  })

  test('a second payment took the place of one that was taken back: no day is counted on which either looked paid', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await tell(invoice, 50_000_000, { day: 3, readOn: 3 })
    const first = await newestOf(invoice)
    await tell(invoice, 50_000_001, { day: 6, readOn: 6 })
    await takeBack(first, 10)
    expect(await owed(invoice)).toEqual(PAID)
    await tell(invoice, 1_000, { day: 7, readOn: 12 })
    await nights(13)
    // 500 000.00 for the three days before the first.
    expect(await bill(invoice)).toMatchObject({ total: 41_096 })
  })

  test('they are counted again when the two postings that did not know of it fall', async () => {
    const invoice = await build({ totalMinor: 50_000_000, debtorKind: 'COMPANY' })
    // Compensation for late payment on the second day, a reminder on the seventh.
    await nights(1, 2, 7)
    await tell(invoice, 40_000_000, { day: 1, readOn: 8 })
    await tell(invoice, 10_000_000, { day: 0, readOn: 9 })
    expect(await owed(invoice)).toEqual(PAID)
    await nights(10)
    // 400 000.00 for a day.
    expect(await bill(invoice)).toMatchObject({ total: 10_959 })
  })
})

describe('an invoice for interest', () => {
  async function billed(): Promise<BuiltInvoice> {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2)
    await tell(invoice, 50_000_000, { day: 3, readOn: 3 })
    await nights(4)
    // 500 000.00 for three days.
    expect(await bill(invoice)).toMatchObject({ total: 41_096, balance: 41_096 })
    return invoice
  }

  test('(c) unpaid: it is credited', async () => {
    const invoice = await billed()
    await tell(invoice, 50_000_000, { day: 0, readOn: 5 })
    expect(await bill(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
    expect(await creditOf(invoice)).toBe(50_000_000)
  })

  test('(c) of which a part has its ground: it is credited the rest', async () => {
    const invoice = await billed()
    await tell(invoice, 10_000_000, { day: 0, readOn: 5 })
    // 400 000.00 for three days.
    expect(await bill(invoice)).toMatchObject({ status: 'ACTIVATED', balance: 32_877 })
  })

  test('(c) of which less stays than would have been billed: all of it is credited', async () => {
    const invoice = await billed()
    await tell(invoice, 40_000_000, { day: 0, readOn: 5 })
    // 100 000.00 for three days: 82.19.
    expect(await bill(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
  })

  test('(d) paid: it is credited, and what was paid is owed back, with a task', async () => {
    const invoice = await billed()
    const { reference, id } = await bill(invoice)
    await tell({ reference }, 41_096, { day: 6, readOn: 6 })
    await tell(invoice, 50_000_000, { day: 0, readOn: 7 })
    expect(await bill(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
    expect(await creditOf(invoice)).toBe(50_000_000 + 41_096)
    expect(
      await rows(
        `select (details ->> 'amountMinor')::int as minor from task where kind = 'refund' and about like $1`,
        `no-ground:${id}%`,
      ),
    ).toEqual([{ minor: 41_096 }])
  })
})

describe('(e) a plan was started since', () => {
  test('it pays what the plan has not billed, and leaves less to bill at the end', async () => {
    const invoice = await build({ totalMinor: 90_000 })
    await nights(1, 2, 7)
    await server.product.sendMail()
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
    const started = await server.call('PUT', path, { body: { type: 'PLAN_3', agreementAccepted: true } })
    expect(started.status).toBe(200)
    const before = await planOf(invoice)
    await tell(invoice, 40_000, { day: 3, readOn: 9 })
    // 900.00 for three days and 500.00 for four: 1.29 instead of 1.73.
    expect(await owed(invoice)).toEqual({
      status: 'ACTIVATED',
      principal: 50_000,
      costs: 6_000,
      interest: 129,
    })
    expect(await planOf(invoice)).toEqual(before)
    for (let day = 10; day < 130; day += 10) {
      await nights(day)
      for (const { reference, balance } of await instalments(invoice))
        await tell({ reference }, balance, { day, readOn: day })
    }
    const billed = await one<{ minor: number; count: number }>(
      `select sum(n.principal_minor)::int as minor, count(*)::int as count from part_payment_instalment n
       join part_payment_member m on m.part_payment_id = n.part_payment_id where m.invoice_id = $1 and n.invoice_id is not null`,
      invoice.id,
    )
    expect(billed.minor).toBe(56_129)
    expect(billed.count).toBeLessThan(3)
    expect(await owed(invoice)).toEqual(PAID)
  })

  test('all that it owes: a person places it', async () => {
    const invoice = await build({ totalMinor: 90_000 })
    await nights(1, 2, 7)
    await server.product.sendMail()
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
    await server.call('PUT', path, { body: { type: 'PLAN_3', agreementAccepted: true } })
    await tell(invoice, 90_000, { day: 0, readOn: 9 }, 'suspense')
    expect(await owed(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 90_000 })
  })
})

describe('(g) an application to a court was recorded since', () => {
  test('a person puts it right: nothing is taken back by itself', async () => {
    const invoice = await build()
    await nights(...NIGHTS_TO_CLAIM)
    await server.product.sendMail()
    const { id } = await claimOf(invoice)
    const day = 22 + 40
    await nights(day)
    await recordApplication(
      server.product.context,
      { instanceId: server.instanceId, claimId: id },
      {
        application: { on: after(day), authority: 'Kronofogden', caseNumber: '01-77-26' },
        today: after(day),
        by: { actor: 'berit', reason: 'asked by phone' },
      },
    )
    const before = await claimOf(invoice)
    await tell(invoice, 100_000, { day: 5, readOn: day + 2 })
    expect(await byHand(invoice)).toEqual([{ reason: 'court' }])
    expect(await claimOf(invoice)).toEqual({ ...before, principal: 0 })
  })
})

describe('(f) a claim was opened since', () => {
  async function inClaim(...wishes: InvoiceWishes[]): Promise<BuiltInvoice[]> {
    const built: BuiltInvoice[] = []
    for (const wish of wishes) built.push(await build({ ...wish, ...(built[0] ? { beside: built[0] } : {}) }))
    await nights(...NIGHTS_TO_CLAIM)
    await server.product.sendMail()
    return built
  }

  test('over nothing that was owed that day: demand and fee fall, and the claim is closed', async () => {
    const [invoice] = (await inClaim({})) as [BuiltInvoice]
    expect(await claimOf(invoice)).toMatchObject({ principal: 100_000, costs: 18_000 })
    await tell(invoice, 100_000, { day: 5, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await owed(invoice)).toEqual(PAID)
    expect(await creditOf(invoice)).toBe(0)
    expect(await byHand(invoice)).toEqual([])
  })

  test('what it bore until the money came is billed as that of any late payment', async () => {
    const [invoice] = (await inClaim({ totalMinor: 50_000_000 })) as [BuiltInvoice]
    await tell(invoice, 50_000_000, { day: 5, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    await nights(25)
    // 500 000.00 for five days.
    expect(await bill(invoice)).toMatchObject({ total: 68_493 })
  })

  test('what it bore is billed with that of money that had come before it, which a posting had counted', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2, 3)
    await tell(invoice, 10_000_000, { day: 3, readOn: 3 })
    await nights(...NIGHTS_TO_CLAIM.filter((day) => day > 3))
    await server.product.sendMail()
    await tell(invoice, 40_000_000, { day: 5, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    await nights(25)
    // 500 000.00 for three days, and 400 000.00 for two more: 410.96 and 219.18.
    expect(await bill(invoice)).toMatchObject({ total: 63_014 })
  })

  test('no day is billed up to which all interest of the invoice had been waived before', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await nights(1, 2, 7)
    await server.product.sendMail()
    server.clock.moveTo(after(10))
    await decideDebt(server.product.context, {
      instanceId: server.instanceId,
      debt: { kind: 'invoice', name: invoice.id },
      decision: { act: 'waive', bucket: 'interest', amount: null },
      reason: 'Goodwill',
      by: 'person:Eva Berg',
    })
    await nights(20, 22)
    await server.product.sendMail()
    await tell(invoice, 50_000_000, { day: 5, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    await nights(25)
    expect(await bill(invoice)).toBeUndefined()
  })

  test('over another invoice too: the demand stands, and a person takes the invoice out of it', async () => {
    const [invoice] = (await inClaim({}, { totalMinor: 200_000 })) as [BuiltInvoice]
    await tell(invoice, 100_000, { day: 5, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'OPEN', principal: 200_000 })
    expect(await byHand(invoice)).toEqual([{ reason: 'claim' }])
  })

  test('over another invoice too, on the day of the money: a person takes the invoice out of it', async () => {
    const [invoice] = (await inClaim({}, { totalMinor: 200_000 })) as [BuiltInvoice]
    await tell(invoice, 100_000, { day: 22, readOn: 24 })
    expect(await byHand(invoice)).toEqual([{ reason: 'claim' }])
  })

  test('over another invoice too, and since paid by later money: a person says what that money was for', async () => {
    const [invoice] = (await inClaim({}, { totalMinor: 200_000 })) as [BuiltInvoice]
    const { principal, costs, interest } = await claimOf(invoice)
    await tell(invoice, principal + costs + interest, { day: 23, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED' })
    await tell(invoice, 100_000, { day: 22, readOn: 25 })
    expect(await byHand(invoice)).toEqual([{ reason: 'claim' }])
  })

  test('on the day of the money: that has paid nothing of the interest that the hand-over posted', async () => {
    const [invoice] = (await inClaim({ totalMinor: 50_000_000 })) as [BuiltInvoice]
    await tell(invoice, 49_000_000, { day: 22, readOn: 24 })
    // It has paid the interest of seven days, 958.90; that of fifteen days, 2 054.80, and the demand come after it.
    expect(await claimOf(invoice)).toMatchObject({
      status: 'OPEN',
      principal: 50_000_000 - 49_000_000 + 95_890,
      costs: 18_000,
      interest: 205_480,
    })
    expect(await byHand(invoice)).toEqual([])
  })

  test('on the day of the money, which was all: demand and fee fall', async () => {
    const [invoice] = (await inClaim({})) as [BuiltInvoice]
    const { principal, costs, interest } = await claimOf(invoice)
    await tell(invoice, principal + costs + interest - 12_000, { day: 22, readOn: 24 })
    expect(await claimOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await byHand(invoice)).toEqual([])
  })

  test('the money came after it, and before the second demand of nothing: only interest is counted anew', async () => {
    const [invoice] = (await inClaim({ totalMinor: 50_000_000 })) as [BuiltInvoice]
    const before = await claimOf(invoice)
    await tell(invoice, 50_000_000, { day: 23, readOn: 24 })
    const now = await claimOf(invoice)
    expect(now.principal).toBe(before.costs + before.interest)
  })
})
