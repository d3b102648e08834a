/** M-27 and M-28: what a debtor is let off, and what becomes of it afterwards. */
import { describe, expect, test, vi } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildClaim } from '../../testing/build-claim.ts'
import type { BuiltInvoice } from '../../testing/build.ts'
import { wordsOf } from '../../testing/files/pdf-words.ts'
import {
  call,
  context,
  dispute,
  DUE,
  keyOf,
  night,
  owed,
  remind,
  REMINDED,
  server,
  sql,
  steps,
  useReminders,
} from '../../testing/debts/reminded.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import { recordApplied } from '../../testing/debts/applied.ts'
import { transfer } from '../../testing/debts/transfer.ts'
import {
  decideDebt,
  pauseInvoice,
  performDailyRun,
  reversePayment,
  upholdClaimDispute,
  upholdDispute,
  type DebtDecision,
} from '../collection.ts'

useReminders()

type Named = { readonly id: string }
const decide = (debt: Named, decision: DebtDecision, more: { reason?: string; kind?: 'claim' } = {}) =>
  decideDebt(context(), {
    instanceId: server.instanceId,
    debt: { kind: more.kind ?? 'invoice', name: debt.id },
    decision,
    reason: more.reason ?? 'Goodwill',
    by: 'person:Eva Berg',
  })
const waive = (bucket: 'costs' | 'interest', amount: string | null = null): DebtDecision => ({
  act: 'waive',
  bucket,
  amount,
})
const writeOff = (amount: string | null = null): DebtDecision => ({ act: 'write-off', amount })
const off = (minor: number) => ({ isNew: true, off: { minor, currency: 'SEK' } })
const again = { isNew: false }

const deeds = ({ id }: Named, kind = 'invoice') =>
  sql(
    `select kind, actor, reason, before, after from audit_event where about = $1 and is_deed order by seq`,
    [`${kind}:${id}`],
  )
const mails = ({ id }: Named) =>
  sql(
    `select kind, text_body from mail_outbox where coalesce(claim_id, invoice_id) = $1
       and (kind like '%waived' or kind = 'written_off') order by created_at, id`,
    [id],
  )
const credit = async ({ debtorId }: BuiltInvoice): Promise<number> =>
  (
    await sql(
      `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
      [debtorId],
    )
  )[0].minor
async function uphold(invoice: BuiltInvoice, creditMinor: number | 'all'): Promise<void> {
  const on = server.clock.today('Europe/Stockholm')
  expect(await upholdDispute(context(), keyOf(invoice), { on, decision: 'Ja.', creditMinor })).toBe(true)
}
async function expectRight(): Promise<void> {
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
}
async function reached(wishes: Parameters<typeof remind>[0] = {}): Promise<BuiltInvoice> {
  const invoice = await remind(wishes)
  await sql(`update debtor set email = 'alva@example.com' where id = $1`, [invoice.debtorId])
  return invoice
}

describe('fees that are waived', () => {
  test('are gone at once, on the timeline, by message and with a deed, once', async () => {
    const invoice = await reached()
    const answers = await Promise.all([1, 2, 3].map(() => decide(invoice, waive('costs'))))
    expect(answers.filter(({ isNew }) => isNew)).toMatchObject([off(6000)])
    expect(await decide(invoice, waive('costs'))).toMatchObject(again)
    expect(await owed(invoice)).toMatchObject({
      status: 'ACTIVATED',
      principal: 100_000,
      costs: 0,
      interest: 192,
    })
    const events = (await call(invoice, '/events')).json as { subType: string | null }[]
    expect(events.filter(({ subType }) => subType === 'WAIVED')).toMatchObject([
      { type: 'REVERSAL', amount: -60, balance: 1001.92, date: REMINDED },
    ])
    expect(await mails(invoice)).toMatchObject([
      {
        kind: 'costs_waived',
        text_body: expect.stringMatching(/60,00\sSEK .* efterskänkts.*är 1\s001,92\sSEK\./s),
      },
    ])
    expect(await deeds(invoice)).toMatchObject([
      {
        kind: 'costs_waived',
        actor: 'person:Eva Berg',
        reason: 'Goodwill',
        before: { status: 'ACTIVATED', balanceMinor: 106_192, costsMinor: 6000 },
        after: { status: 'ACTIVATED', balanceMinor: 100_192, costsMinor: 0 },
      },
    ])
    await expectRight()
  })

  test('in part, once for its reason, also when it is repeated after midnight', async () => {
    const invoice = await remind()
    expect(await decide(invoice, waive('costs', '25.00'))).toMatchObject(off(2500))
    expect(await decide(invoice, waive('costs', '25'))).toMatchObject(again)
    server.clock.moveTo(addDays(REMINDED, 1))
    expect(await decide(invoice, waive('costs', '25.00'))).toMatchObject(again)
    expect(await owed(invoice)).toMatchObject({ costs: 3500 })
    expect(await decide(invoice, waive('costs', '25.00'), { reason: 'More of it' })).toMatchObject(off(2500))
    expect(await owed(invoice)).toMatchObject({ costs: 1000 })
    await expect(decide(invoice, waive('costs', '10.01'))).rejects.toThrow(/no more than the 10\.00 SEK/)
    await expect(decide(invoice, waive('costs', '0'))).rejects.toThrow(/more than nothing/)
    expect(await decide(invoice, waive('costs'))).toMatchObject(off(1000))
    await expectRight()
  })

  test('go into the letter that waits, and not into one that has left', async () => {
    const [waiting, sent] = [await reached(), await reached()]
    const letter = async (invoice: BuiltInvoice) => {
      const documents = (await call(invoice, '/documents')).json as { topic: string; fileName: string }[]
      const found = documents.find(({ topic }) => topic === 'REMINDER')
      const answer = await fetch(`${server.origin}/api/storage/${found?.fileName}`)
      return wordsOf(Buffer.from(await answer.arrayBuffer()))
    }
    await sql(`update mail_outbox set next_at = now() + interval '1 day' where invoice_id = $1`, [waiting.id])
    await server.product.sendMail()
    for (const invoice of [waiting, sent]) await decide(invoice, waive('costs'))
    expect(await letter(waiting)).toMatch(/1\s?001,92/)
    expect(await letter(sent)).toMatch(/1\s?061,92/)
  })

  test('are not taken back again with a letter that nobody takes', async () => {
    const invoice = await remind()
    await decide(invoice, waive('costs'))
    await pauseInvoice(context(), keyOf(invoice), { on: REMINDED, reason: 'respite', resumeDate: null })
    await server.product.sendMail()
    expect(await owed(invoice)).toMatchObject({ principal: 100_000, costs: 0, interest: 0 })
    await expectRight()
  })

  test('are not owed back when all was paid before them and told of late', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await decide(invoice, waive('costs'))
    server.clock.moveTo(addDays(REMINDED, 1))
    await transfer(server, invoice, 100_000, DUE)
    expect(await owed(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await credit(invoice)).toBe(0)
    await expectRight()
  })

  test('are gone for a disputed invoice too, and not taken back again when that is upheld', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await dispute(invoice)
    await decide(invoice, waive('costs'))
    expect(await owed(invoice)).toMatchObject({ status: 'DISPUTED', costs: 0 })
    await uphold(invoice, 10_000)
    // 100.00 less, and the interest falls.
    expect(await owed(invoice)).toMatchObject({
      status: 'ACTIVATED',
      principal: 90_000,
      costs: 0,
      interest: 0,
    })
    expect(await credit(invoice)).toBe(0)
    await expectRight()
  })
})

describe('interest that is waived', () => {
  test('all of it, also what no posting has counted: the next begins with the day after', async () => {
    const invoice = await reached()
    await server.product.sendMail()
    server.clock.moveTo(addDays(REMINDED, 5))
    expect(await decide(invoice, waive('interest'))).toMatchObject(off(192))
    expect(await decide(invoice, waive('interest'))).toMatchObject(again)
    server.clock.moveTo(addDays(REMINDED, 6))
    expect(await decide(invoice, waive('interest'))).toMatchObject(again)
    expect(await owed(invoice)).toMatchObject({ interest: 0, interest_to: addDays(REMINDED, 5) })
    expect(await mails(invoice)).toMatchObject([
      { kind: 'all_interest_waived', text_body: expect.stringContaining(addDays(REMINDED, 5)) },
    ])
    // The days until the hand-over, and no others.
    for (let day = addDays(REMINDED, 6); day <= addDays(DUE, 22); day = addDays(day, 1)) await night(day)
    const [claim] = await sql(
      `select t.periods from ledger_transaction t where t.invoice_id = $1 and t.kind = 'INTEREST' order by id desc limit 1`,
      [invoice.id],
    )
    expect(claim?.periods?.[0]?.from).toBe(addDays(REMINDED, 6))
    await expectRight()
  })

  test('a part; what was waived stays so when the letter is dropped', async () => {
    const invoice = await remind()
    expect(await decide(invoice, waive('interest', '1.00'))).toMatchObject(off(100))
    await dispute(invoice)
    // Its fee goes; the interest was due without the letter.
    expect(await owed(invoice)).toMatchObject({ status: 'DISPUTED', costs: 0, interest: 92 })
    await expectRight()
  })

  test('a part, and money is told of late: what has no ground is first what was waived', async () => {
    const [early, inPart] = [await remind(), await remind()]
    await server.product.sendMail()
    for (const invoice of [early, inPart]) await decide(invoice, waive('interest', '1.00'))
    server.clock.moveTo(addDays(REMINDED, 1))
    // Three days on 1 000.00, and four on 400.00: 1.26 of 1.92. The 0.66 that fall had been waived, and 0.92 is owed as before.
    await transfer(server, inPart, 60_000, addDays(DUE, 3))
    expect(await owed(inPart)).toMatchObject({ principal: 40_000, costs: 6_000, interest: 92 })
    // The reminder would not have been sent, and 0.82 is too little to bill.
    await transfer(server, early, 100_000, addDays(DUE, 3))
    expect(await owed(early)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    for (const after of [2, 3]) await night(addDays(REMINDED, after))
    const billed = await sql(
      `select status, count(*)::int from late_days where debt_id = any($1) group by status order by status`,
      [[early.id, inPart.id]],
    )
    expect(billed.filter(({ status }) => status === 'BILLED')).toEqual([])
    // The next reminder counts from the day after the one that stays.
    expect(await owed(inPart)).toMatchObject({ interest_to: REMINDED })
    await expectRight()
  })

  const instance = () => ({ id: server.instanceId, timeZone: 'Europe/Stockholm' })

  test('all of it, and the run that opens its claim is caught up with: the claim counts from the day after', async () => {
    const invoice = await remind({ totalMinor: 1_000_000 }, 1918)
    await server.product.sendMail()
    const waivedOn = addDays(DUE, 40)
    server.clock.moveTo(waivedOn)
    expect(await decide(invoice, waive('interest'))).toMatchObject(off(1918))
    for (let day = addDays(REMINDED, 1); day <= waivedOn; day = addDays(day, 1))
      await performDailyRun(context(), instance(), day)
    const [claim] = await sql(
      `select c.id, c.opened_on < $2::date as "isEarlier" from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
      [invoice.id, waivedOn],
    )
    expect(claim).toMatchObject({ isEarlier: true })
    await server.product.sendMail()
    const appliedOn = addDays(waivedOn, 20)
    server.clock.moveTo(appliedOn)
    await recordApplied(context(), { instanceId: server.instanceId, claimId: claim.id, on: appliedOn })
    // 10 000.00 at 10 % for the twenty days since: 54.79.
    const [{ interest }] = await sql('select interest_minor::int as interest from claim where id = $1', [
      claim.id,
    ])
    expect(interest).toBe(5479)
    await expectRight()
  })

  test('is refused where there is none', async () => {
    const invoice = await remind()
    await decide(invoice, waive('interest'))
    await expect(decide(invoice, waive('interest', '1.00'))).rejects.toThrow(/no interest|no more than/)
  })
})

describe('what is written off', () => {
  test('all of it: the case is over, and the debtor is told', async () => {
    const invoice = await reached()
    await server.product.sendMail()
    const answers = await Promise.all([1, 2].map(() => decide(invoice, writeOff())))
    expect(answers.filter(({ isNew }) => isNew)).toMatchObject([off(106_192)])
    expect(await decide(invoice, writeOff())).toMatchObject(again)
    expect(await owed(invoice)).toMatchObject({ status: 'STOPPED', principal: 0, costs: 0, interest: 0 })
    expect((await steps(invoice.id)).filter((step) => step.includes('PLANNED'))).toEqual([])
    expect(await mails(invoice)).toMatchObject([
      {
        kind: 'written_off',
        text_body: expect.stringMatching(/1\s061,92\sSEK .* skrivits av.*Inget återstår/s),
      },
    ])
    await expect(decide(invoice, writeOff(), { reason: 'Another' })).rejects.toThrow(/Nothing is left/)
    expect(await deeds(invoice)).toMatchObject([
      {
        kind: 'debt_written_off',
        before: { balanceMinor: 106_192 },
        after: { status: 'STOPPED', balanceMinor: 0 },
      },
    ])
    await expectRight()
  })

  test('in part: fees first, then interest, and what was bought last', async () => {
    const invoice = await remind()
    expect(await decide(invoice, writeOff('500.00'))).toMatchObject(off(50_000))
    expect(await decide(invoice, writeOff('500.00'))).toMatchObject(again)
    server.clock.moveTo(addDays(REMINDED, 1))
    expect(await decide(invoice, writeOff('500.00'))).toMatchObject(again)
    expect(await owed(invoice)).toMatchObject({
      status: 'ACTIVATED',
      principal: 56_192,
      costs: 0,
      interest: 0,
    })
    await expectRight()
  })

  test('the letter that waits has not happened, and money that comes afterwards is owed back', async () => {
    const invoice = await remind()
    expect(await decide(invoice, writeOff())).toMatchObject(off(100_000))
    await transfer(server, invoice, 40_000)
    expect(await owed(invoice)).toMatchObject({ status: 'STOPPED', principal: 0, costs: 0 })
    expect(await credit(invoice)).toBe(40_000)
    await expectRight()
  })

  test('what a stopped case has left, in two parts', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await decide(invoice, { act: 'stop' })
    expect(await decide(invoice, writeOff('61.92'))).toMatchObject(off(6192))
    expect(await owed(invoice)).toMatchObject({ status: 'STOPPED', principal: 100_000, costs: 0 })
    expect(await decide(invoice, writeOff())).toMatchObject(off(100_000))
    await expect(decide(invoice, waive('costs'))).rejects.toThrow(/stopped/)
    await expectRight()
  })

  test('a payment of before that is taken back is owed again: that was not given up', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await transfer(server, invoice, 40_000)
    await decide(invoice, { act: 'stop' })
    expect(await decide(invoice, writeOff())).toMatchObject(off(66_192))
    const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`)
    const payment = { instanceId: server.instanceId, paymentId: line.id }
    expect(await reversePayment(context(), payment, REMINDED)).toBe(true)
    const { status, principal, costs, interest } = await owed(invoice)
    expect({ status, all: principal + costs + interest }).toEqual({ status: 'ACTIVATED', all: 40_000 })
    expect(await credit(invoice)).toBe(0)
    await expectRight()
  })

  test('what was signed for before is owed back when it comes', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    const url = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
    const body = { paymentDate: REMINDED, amount: '1061.92', redirectUri: `${server.origin}/` }
    expect((await server.call('POST', url, { body })).status).toBe(201)
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    const order = orders.find(({ reference }) => reference === invoice.reference)
    await server.control('POST', `/control/orders/${order?.id}/approve`, {})
    await vi.waitFor(async () => {
      await server.product.sweepAll()
      expect(await owed(invoice)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    })
    expect(await decide(invoice, waive('costs'))).toMatchObject(off(6000))
    expect(await decide(invoice, writeOff())).toMatchObject(off(100_192))
    await server.control('POST', '/control/settle', {})
    await vi.waitFor(async () => {
      await server.product.sweepAll()
      expect(await credit(invoice)).toBe(106_192)
    })
    expect(await owed(invoice)).toMatchObject({ principal: 0, costs: 0, interest: 0 })
    await expectRight()
  })

  test.each<[number, number | 'all', object]>([
    // A sum off the whole debt: 1 000.00 less the 100.00 that are credited, and less 500.00.
    [50_000, 10_000, { principal: 40_000, costs: 0, interest: 0 }],
    [50_000, 'all', { status: 'CLOSED', principal: 0, costs: 0, interest: 0 }],
  ])('%i of it, and then a dispute is upheld: %s is credited', async (minor, creditMinor, left) => {
    const invoice = await remind()
    await server.product.sendMail()
    await decide(invoice, writeOff((minor / 100).toFixed(2)))
    await dispute(invoice)
    await uphold(invoice, creditMinor)
    expect(await owed(invoice)).toMatchObject(left)
    expect(await credit(invoice)).toBe(0)
    await expectRight()
  })

  test('of a disputed invoice: the debtor was right', async () => {
    const invoice = await remind()
    await dispute(invoice)
    await decide(invoice, writeOff())
    const [row] = await sql('select status from dispute where invoice_id = $1', [invoice.id])
    expect(row.status).toBe('UPHELD')
    const open = await sql(
      `select from task where kind = 'dispute_to_answer' and done_at is null and details ->> 'invoiceId' = $1`,
      [invoice.id],
    )
    expect(open).toEqual([])
    await expectRight()
  })
})

describe('of a claim', () => {
  const ofClaim = async ({ id }: Named) =>
    (
      await sql(
        `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest from claim where id = $1`,
        [id],
      )
    )[0]

  test('fees of the claim and of its invoices, newest first; the invoice alone is refused', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 0 })
    const before = await ofClaim(claim)
    expect(await decide(claim, waive('costs', '200.00'), { kind: 'claim' })).toMatchObject(off(20_000))
    const causes = await sql(
      `select split_part(t.cause, ':', 3) as charge, c.kind from ledger_transaction t
       join ledger_transaction c on c.id = t.restates_id where t.claim_id = $1 and t.cause like 'waived:%' order by t.id`,
      [claim.id],
    )
    expect(causes.map(({ kind }) => kind)).toEqual(['COLLECTION', 'REMINDER'])
    expect(await ofClaim(claim)).toMatchObject({ ...before, costs: before.costs - 20_000 })
    const [member] = claim.invoices
    await expect(decide(member ?? claim, waive('costs'))).rejects.toThrow(/part of a claim/)
    await expectRight()
  })

  test('all that is left: the claim and its invoices are over', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock, { invoices: [{}, {}] })
    const { principal, costs, interest } = await ofClaim(claim)
    expect(await decide(claim, writeOff(), { kind: 'claim' })).toMatchObject({ isNew: true })
    expect(await ofClaim(claim)).toEqual({ status: 'STOPPED', principal: 0, costs: 0, interest: 0 })
    expect(await sql('select distinct status from invoice where claim_id = $1', [claim.id])).toEqual([
      { status: 'STOPPED' },
    ])
    expect(principal + costs + interest).toBeGreaterThan(0)
    expect(await decide(claim, writeOff(), { kind: 'claim' })).toMatchObject(again)
    await expectRight()
  })

  test('what was written off before the invoice joined it was never paid, and is not owed back', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    await decide(invoice, writeOff('60.00'))
    for (let day = addDays(REMINDED, 1); day <= addDays(DUE, 22); day = addDays(day, 1)) await night(day)
    await server.product.sendMail()
    const [claim] = await sql(
      `select c.id, c.payment_reference as reference, c.zip from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
      [invoice.id],
    )
    const url = `/api/public/collection-batches/${claim.reference}/${claim.zip}/dispute`
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    expect((await server.call('POST', url, { body })).status).toBe(201)
    const key = { instanceId: server.instanceId, claimId: claim.id }
    await upholdClaimDispute(context(), key, { on: addDays(DUE, 22), answer: 'Ja.', creditMinor: 'all' })
    expect(await ofClaim(claim)).toEqual({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await credit(invoice)).toBe(0)
    await expectRight()
  })

  test('what is in a plan is the plan’s, but for its instalments', async () => {
    const invoice = await remind()
    await server.product.sendMail()
    const offered = (await call(invoice, '/part-payment/options')).json as { offerVersion: string }
    const body = { type: 'PLAN_3', agreementAccepted: true, offerVersion: offered.offerVersion }
    const url = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
    expect((await server.call('PUT', url, { body })).status).toBe(200)
    for (const decision of [waive('costs'), writeOff(), writeOff('1.00')])
      await expect(decide(invoice, decision)).rejects.toThrow(/in a plan/)
    await expectRight()
  })
})
