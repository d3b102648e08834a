/** Whatever has happened: when all of a debtor's invoices have been credited, nothing is owed, and all that was paid is owed back. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { DecisionRefused, rejectDispute, reversePayment, upholdDispute } from '../collection/collection.ts'
import { endAnyPlanForCredit, lockRunningPlan } from '../part-payments/part-payments.ts'
import { buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import { build, context, DUE, night, pay, server, sql, useOverdue } from '../testing/debts/paid-late.ts'
import { Chance } from '../testing/simulation/chance.ts'
import { creditInvoice, lockInvoiceAndClaim } from './claims.ts'

useOverdue()
beforeAll(async () => {
  await buildPlanSettings(server.test, server.instanceId)
})

const SEEDS = process.env.SOAK === undefined ? 6 : 200
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1)
const ACTS = 14

type Paid = { readonly id: string; readonly minor: number; isBack: boolean }

class Story {
  private day = addDays(DUE, 0)
  private readonly chance: Chance
  private readonly invoices: readonly BuiltInvoice[]
  readonly paid: Paid[] = []
  readonly told: string[] = []

  constructor(chance: Chance, invoices: readonly BuiltInvoice[]) {
    this.chance = chance
    this.invoices = invoices
  }

  private tell(what: string) {
    this.told.push(`${this.day} ${what}`)
  }

  private one(): BuiltInvoice {
    const invoice = this.chance.oneOf(this.invoices)
    if (!invoice) throw new Error('no invoice')
    return invoice
  }

  readonly acts: readonly (() => Promise<void>)[] = [
    () => this.nights(),
    () => this.nights(),
    () => this.nights(),
    () => this.pays(),
    () => this.pays(),
    () => this.isTakenBack(),
    () => this.creditsPart(),
    () => this.isDisputed(),
    () => this.isDecided(),
    () => this.plans(),
    () => this.paysInstalment(),
    () => this.paysInstalment(),
    async () => {
      this.tell('mail')
      await server.product.sendMail()
    },
  ]

  async nights(): Promise<void> {
    const count = this.chance.between(1, 12)
    for (let n = 0; n < count; n++) {
      this.day = addDays(this.day, 1)
      await night(this.day)
    }
    this.tell(`after ${count} nights`)
  }

  async pays(): Promise<void> {
    const invoice = this.one()
    const [{ minor: balance }] = await sql(
      `select coalesce(nullif(i.balance_minor, 0), c.balance_minor, 0)::int as minor from invoice i
       left join claim c on c.id = i.claim_id where i.id = $1`,
      [invoice.id],
    )
    const minor = this.chance.happens(0.3) ? Math.max(1, balance) : this.chance.between(1, 100_000)
    server.clock.moveTo(this.day)
    const id = await pay(invoice, minor, this.day)
    this.paid.push({ id, minor, isBack: false })
    this.tell(`${invoice.number} paid ${minor}`)
  }

  async plans(): Promise<void> {
    const invoice = this.one()
    const [method = '', path = ''] =
      this.chance.oneOf([
        ['PUT', 'start'],
        ['PUT', 'start'],
        ['PUT', 'start'],
        ['POST', 'repay'],
        ['POST', 'withdraw'],
      ]) ?? []
    server.clock.moveTo(this.day)
    const door = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/${path}`
    const body = path === 'start' ? { type: 'PLAN_3', agreementAccepted: true } : undefined
    const { status } = await server.call(method, `${door}?invoiceNumber=${invoice.number}`, { body })
    this.tell(`${invoice.number} plan ${path} ${status}`)
  }

  async paysInstalment(): Promise<void> {
    const bills = await sql(
      `select payment_reference as reference, balance_minor::int as balance from invoice
       where debtor_id = $1 and type = 'PART_INVOICE' and balance_minor > 0 and claim_id is null
       order by expire_date, invoice_number`,
      [this.invoices[0]?.debtorId],
    )
    const bill = this.chance.oneOf(bills)
    if (!bill) return
    const minor = this.chance.happens(0.7) ? bill.balance : this.chance.between(1, 50_000)
    server.clock.moveTo(this.day)
    const id = await pay({ ...this.one(), reference: bill.reference }, minor, this.day)
    this.paid.push({ id, minor, isBack: false })
    this.tell(`instalment paid ${minor} of ${bill.balance}`)
  }

  async isTakenBack(): Promise<void> {
    const payment = this.chance.oneOf(this.paid.filter(({ isBack }) => !isBack))
    if (!payment) return
    const key = { instanceId: server.instanceId, paymentId: payment.id }
    payment.isBack = await reversePayment(context(), key, this.day)
    this.tell(`taken back ${payment.minor} ${payment.isBack}`)
  }

  private async left({ id }: BuiltInvoice): Promise<number> {
    const [{ minor }] = await sql(
      `select (i.total_minor - coalesce((select sum(p.amount_minor) filter (where p.amount_minor > 0)
         from ledger_transaction t join posting p on p.transaction_id = t.id
         where t.invoice_id = i.id and t.kind = 'CREDIT_INVOICE'), 0))::int as minor
       from invoice i where i.id = $1`,
      [id],
    )
    return minor
  }

  private async credit(invoice: BuiltInvoice, creditMinor: number): Promise<void> {
    const on = this.day
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    const number = `K-${invoice.number}-${this.told.length}`
    this.tell(`${invoice.number} credited ${creditMinor}`)
    await server.test.db.transaction(async (tx) => {
      await lockRunningPlan(tx, key)
      await creditInvoice(context(), tx, await lockInvoiceAndClaim(tx, key), {
        number,
        creditMinor,
        issuedOn: on,
        on,
        endPlan: (locked, minor) => endAnyPlanForCredit(context(), tx, locked, { creditMinor: minor, on }),
      })
    })
  }

  async creditsPart(): Promise<void> {
    const invoice = this.one()
    const left = await this.left(invoice)
    if (left > 1) await this.credit(invoice, this.chance.between(1, left - 1))
  }

  isDisputed(): Promise<void> {
    return this.disputes(this.one())
  }

  private async disputes(invoice: BuiltInvoice): Promise<void> {
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute?invoiceNumber=${invoice.number}`
    const { status } = await server.call('POST', path, { body })
    this.tell(`${invoice.number} disputed ${status}`)
  }

  async isDecided(): Promise<void> {
    const invoice = this.one()
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    const left = await this.left(invoice)
    const isRight = this.chance.happens(0.5) && left > 1
    const done = isRight
      ? await upholdDispute(context(), key, {
          on: this.day,
          decision: 'x',
          creditMinor: this.chance.between(1, left - 1),
        })
      : await rejectDispute(context(), key, { on: this.day, answer: 'Nej.' })
    this.tell(`${invoice.number} decided ${isRight} ${done}`)
  }

  /** Answers false when it cannot be disputed. */
  private async isUpheld(invoice: BuiltInvoice): Promise<boolean> {
    await this.disputes(invoice)
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    const done = await upholdDispute(context(), key, { on: this.day, decision: 'x', creditMinor: 'all' })
    this.tell(`${invoice.number} was wrong ${done}`)
    return done
  }

  async play(): Promise<void> {
    for (let n = 0; n < ACTS; n++) {
      try {
        await this.chance.oneOf(this.acts)?.()
      } catch (error) {
        // What comes for an invoice in a plan waits for a person.
        const isWaiting = String(error).includes('suspense: in_a_plan')
        if (!(error instanceof DecisionRefused) && !(error instanceof Refusal) && !isWaiting) throw error
        this.tell(String(error))
      }
    }
    for (const invoice of this.invoices) {
      const left = await this.left(invoice)
      if (left > 0 && !(this.chance.happens(0.5) && (await this.isUpheld(invoice))))
        await this.credit(invoice, left)
    }
  }
}

/** What the debtor is told of each: closed without having been paid. */
async function expectCredited(invoices: readonly BuiltInvoice[], debtorId: string): Promise<void> {
  const claims = await sql('select payment_reference, zip from claim where debtor_id = $1', [debtorId])
  const paths = [
    ...invoices.map((i) => `invoices/${i.reference}/${i.zip}?invoiceNumber=${i.number}`),
    ...claims.map((claim) => `collection-batches/${claim.payment_reference}/${claim.zip}`),
  ]
  for (const path of paths) {
    const { json } = await server.call('GET', `/api/public/${path}`)
    const { isCredited, status, statuses } = json as {
      isCredited: boolean
      status?: string
      statuses?: { main: string }
    }
    expect([path, isCredited]).toEqual([path, (status ?? statuses?.main) === 'CLOSED'])
  }
}

test.each(Array.from({ length: SEEDS }, (_, n) => FIRST_SEED + n))('seed %i', async (seed) => {
  const chance = new Chance(seed)
  const first = await build({ totalMinor: chance.between(20_000, 400_000) })
  const invoices = chance.happens(0.5)
    ? [first, await build({ totalMinor: chance.between(20_000, 400_000), beside: first })]
    : [first]
  const story = new Story(chance, invoices)
  await story.play()
  await expectCredited(invoices, first.debtorId)
  const [books] = await sql(
    `select (select sum(balance_minor) from invoice where debtor_id = $1)::int as invoices,
       (select coalesce(sum(balance_minor), 0) from claim where debtor_id = $1)::int as claims,
       (select coalesce(-sum(balance_minor), 0) from ledger_account where kind = 'credit' and debtor_id = $1)::int as back`,
    [first.debtorId],
  )
  const paid = story.paid.filter(({ isBack }) => !isBack).reduce((sum, { minor }) => sum + minor, 0)
  // What a plan that was paid off has cost stays paid.
  const [{ fees }] = await sql(
    `select coalesce(sum(p.amount_minor), 0)::int as fees
     from ledger_transaction t join posting p on p.transaction_id = t.id
     join ledger_account a on a.id = p.account_id and a.kind = 'claims_on_debtors'
     join invoice i on i.id = t.invoice_id and i.debtor_id = $1
     where t.kind in ('START_FEE', 'ADMIN_FEE') or t.cause like 'fees-back:%'`,
    [first.debtorId],
  )
  expect(books, story.told.join('\n')).toEqual({ invoices: 0, claims: 0, back: paid + fees })
})
