import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { creditInvoice, lockInvoiceAndClaim } from '../claims/claims.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildPlanSettings } from '../testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { endAnyPlanForCredit, lockRunningPlan } from './part-payments.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  await buildPlanSettings(server.test, server.instanceId)
})

/** Its demand has been sent: one that had not would be dropped by a plan, with its fee. */
async function build(): Promise<BuiltClaim> {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, {})
  await server.product.sendMail()
  return claim
}

const call = (method: string, claim: BuiltClaim, path: string, body?: unknown): Promise<Answer> =>
  server.call(method, `/api/public/collection-batches/${claim.reference}/${claim.zip}${path}`, { body })

const start = (claim: BuiltClaim, body: unknown) => call('POST', claim, '/part-payment/start', body)

type Row = Record<string, string | number | boolean | null>
const sql = async (text: string, values: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query<Row>(text, values)).rows

const stateOf = async ({ id }: BuiltClaim): Promise<Row | undefined> =>
  (
    await sql(
      `select status, balance_minor::int as balance, costs_minor::int as costs, is_part_payment as plan,
         part_payment_variant as variant, expire_date::text as due from claim where id = $1`,
      [id],
    )
  )[0]

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

const today = (): CalendarDate => server.clock.today('Europe/Stockholm')

test('a claim is offered the plans that its balance allows, and they are payment methods', async () => {
  const claim = await build()
  const { plans, account, offerVersion }: OptionsAnswer = (await call('GET', claim, '/part-payment/options'))
    .json
  expect(plans.map(({ code }) => code)).toContain('PLAN_3')
  expect(account).toMatchObject({ code: 'ACCOUNT', hasExisting: false })
  const methods: { code: string }[] = (await call('GET', claim, '/payment-methods')).json
  expect(methods.map(({ code }) => code)).toContain('PART_PAYMENT_PLAN')
  const terms = await fetch(`${server.origin}/api/storage/${plans[0]?.documents.terms}`)
  expect([terms.status, terms.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const stale = await start(claim, { type: 'PLAN_3', offerVersion: `${offerVersion.slice(1)}x` })
  expect(stale.json).toMatchObject({ code: 'plan_changed' })
})

describe('a claim in a plan', () => {
  test('is billed and paid month by month, and closed with its invoices', async () => {
    const claim = await build()
    const before = await stateOf(claim)
    const body = {
      id: claim.id,
      paymentReference: claim.reference,
      type: 'PLAN_3',
      debtorLevel: 'SYSTEM_DEBTOR',
      annuity: 3,
    }
    const answers = await Promise.all([1, 2, 3].map(() => start(claim, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const plan: PlanAnswer = answers[0]?.json as never
    expect(new Set(answers.map(({ json }) => (json as PlanAnswer).id)).size).toBe(1)
    expect(await stateOf(claim)).toMatchObject({
      plan: true,
      variant: 'PART_PAYMENT',
      balance: before?.balance ?? null,
    })
    const paying = await call('POST', claim, '/payment-requests', {
      paymentDate: today(),
      amount: Number(before?.balance) / 100,
      redirectUri: `${server.origin}/`,
    })
    expect(paying.json).toMatchObject({ code: 'nothing_to_pay' })

    const began = today()
    for (const month of [1, 2, 3]) {
      await night(addDays(addMonths(began, month), -14))
      const [billed] = await sql(
        `select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as balance, i.type
         from part_payment_instalment n join invoice i on i.id = n.invoice_id
         where n.part_payment_id = $1 and n.number = $2`,
        [plan.id, month],
      )
      expect(billed).toMatchObject({ type: 'PART_INVOICE', zip: claim.zip })
      expect(await stateOf(claim)).toMatchObject({ status: 'OPEN' })
      const door = `/api/public/invoices/${billed?.reference}/${billed?.zip}/payment-requests`
      const payment = await server.call('POST', door, {
        body: {
          paymentDate: today(),
          amount: Number(billed?.balance) / 100,
          redirectUri: `${server.origin}/`,
        },
      })
      expect([payment.status, payment.text]).toEqual([201, payment.text])
      await signAndSettle(server, String(billed?.reference))
    }
    expect(await stateOf(claim)).toMatchObject({ status: 'CLOSED', balance: 0, plan: false })
    const members = await sql('select distinct status from invoice where claim_id = $1', [claim.id])
    expect(members).toEqual([{ status: 'CLOSED' }])
    expect((await call('GET', claim, '/part-payment')).json).toMatchObject({ status: 'COMPLETED' })
  })

  test('that is missed is due again, and its own schedule goes on', async () => {
    const claim = await build()
    const before = await stateOf(claim)
    const began = today()
    expect((await start(claim, { type: 'PLAN_3' })).status).toBe(200)
    const due = addMonths(began, 1)
    await night(addDays(due, -14))
    await night(addDays(due, 2))
    await night(addDays(due, 31))
    // The administration fees of the two instalments that were billed stay.
    expect(await stateOf(claim)).toMatchObject({
      status: 'OPEN',
      plan: false,
      balance: Number(before?.balance) + 5_800,
      due: addDays(due, 41),
    })
    const planned = await sql(
      `select type, planned_date::text as day from collection_step
       where claim_id = $1 and status = 'PLANNED' and type <> 'PART_INVOICE'`,
      [claim.id],
    )
    // As long after the new last day as it would have come after the demand's own.
    expect(planned).toEqual([{ type: 'SCHEDULE_END', day: addDays(due, 41 + 14) }])
  })

  test('is ended by a credit of more than it has still to bill: nobody is owed money that nobody paid', async () => {
    const claim = await build()
    const [member] = claim.invoices
    const began = today()
    expect((await start(claim, { type: 'PLAN_3' })).status).toBe(200)
    await night(addDays(addMonths(began, 1), -14))
    const on = today()
    const key = { instanceId: server.instanceId, invoiceId: String(member?.id) }
    const { db } = server.test
    await db.transaction(async (tx) => {
      await lockRunningPlan(tx, key)
      const held = await lockInvoiceAndClaim(tx, key)
      const context = { db, clock: server.clock }
      return creditInvoice(context, tx, held, {
        number: `K-${member?.number}`,
        creditMinor: held.invoice.total_minor,
        issuedOn: on,
        on,
        endPlan: (seen, creditMinor) => endAnyPlanForCredit(context, tx, seen, { creditMinor, on }),
      })
    })
    expect(await stateOf(claim)).toMatchObject({ status: 'CLOSED', plan: false, balance: 0 })
    const back = await sql(
      `select coalesce(sum(p.amount_minor), 0)::int as minor from ledger_transaction t
       join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
       join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'credit'
       where t.claim_id = $1`,
      [claim.id],
    )
    expect(back).toEqual([{ minor: 0 }])
    const asked = await sql(
      `select i.balance_minor::int as minor from invoice i
       join part_payment_instalment n on n.invoice_id = i.id
       join part_payment_member m on m.part_payment_id = n.part_payment_id
       where m.claim_id = $1 and i.balance_minor <> 0`,
      [claim.id],
    )
    expect(asked).toEqual([])
  })

  test('can be withdrawn from', async () => {
    const claim = await build()
    const before = await stateOf(claim)
    expect((await start(claim, { type: 'PLAN_6', agreementAccepted: true })).status).toBe(200)
    expect((await call('POST', claim, '/part-payment/withdraw')).json).toMatchObject({ status: 'WITHDRAWN' })
    expect(await stateOf(claim)).toMatchObject({ plan: false, balance: before?.balance ?? null })
  })
})

test.each([
  ['another claim', { type: 'PLAN_3', id: '0197a3a0-0000-7000-8000-000000000000' }, 'plan_not_available'],
  ['another reference', { type: 'PLAN_3', paymentReference: '1234567897' }, 'plan_not_available'],
  ['a number of an invoice', { type: 'PLAN_3', invoiceNumber: '1' }, 'unknown_field'],
  ['an unknown plan', { type: 'PLAN_99' }, 'plan_not_available'],
])('a start that names %s is refused', async (_name, body, code) => {
  const answer = await start(await build(), body)
  expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code })])
})

test('a disputed claim gets no plan, and its own calls say so', async () => {
  const claim = await build()
  await call('POST', claim, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' })
  expect((await call('GET', claim, '/part-payment/options')).json).toMatchObject({ plans: [], account: null })
  expect((await start(claim, { type: 'PLAN_3' })).json).toMatchObject({
    code: 'plan_not_available',
    detail: 'This part payment cannot be chosen for the claim. Choose another way to pay.',
  })
  expect(
    (await call('POST', claim, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' })).json,
  ).toMatchObject({ detail: 'The claim cannot be disputed. It is already disputed, paid or closed.' })
  for (const path of ['/part-payment/repay', '/part-payment/withdraw']) {
    expect((await call('POST', claim, path)).json).toMatchObject({ code: 'plan_not_available' })
  }
})
