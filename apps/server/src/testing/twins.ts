/** Two providers that hold the same: numbers, references, accounts. Whoever mixes them up touches the wrong one. */
import { Secret, TOTP } from 'otpauth'
import { importBankFiles } from '../bank-files/bank-files.ts'
import { castBgMax } from '../demo/cast-bgmax.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from './build.ts'
import { buildClaim } from './build-claim.ts'
import type { TestServer } from './start-test-server.ts'
import { beginFactor, confirmFactor } from '../second-factor/second-factor.ts'
import { readPersonByEmail } from '../staff-sign-in/oidc-items.queries.ts'
import { signInStaff } from './staff.ts'

export type Twin = {
  readonly instance: Instance
  readonly creditorId: string
  readonly claimId: string
  readonly disputeId: string
  readonly taskId: string
  /** A line of a bank's file that was booked, one in suspense, and what is owed back of one that brought too much. */
  readonly bookedLine: string
  readonly lostLine: string
  readonly owedAbout: string
  /** Payments of 842.00 through Swish; the money of one has not come. */
  readonly swishPayment: string
  readonly neverCame: string
  /** The address of somebody of its staff who has a second factor. */
  readonly inTwoSteps: string
}

export const CREDITOR_NUMBER = '559999-0032'
export const CLAIM_NUMBER = '700001'
/** Invoices by what becomes of them; each has the same number and reference at both. */
export const INVOICES = {
  disputed: { number: 'T-1', reference: '1000016' },
  paid: { number: 'T-2', reference: '2000024' },
  overpaid: { number: 'T-3', reference: '3000032' },
  open: { number: 'T-4', reference: '4000040' },
  alsoOpen: { number: 'T-5', reference: '5000058' },
  paidBySwish: { number: 'T-6', reference: '6000066' },
  neverCame: { number: 'T-7', reference: '7000074' },
} as const

/** Fills a provider. Everything is built by the product's own functions, but for the numbers that have to be the same. */
export async function buildTwin(server: TestServer, host: string): Promise<Twin> {
  const { test, clock } = server
  const instance = await openInstances(test.db, clock).ofHost(host)
  if (!instance) throw new Error(`there is no provider at ${host}`)
  const one = async (sql: string, ...values: unknown[]): Promise<string> =>
    (await test.owner.query<{ id: string }>(sql, values)).rows[0]?.id ?? ''
  const claim = await buildClaim(test, instance.id, clock, { daysAgo: 40 })
  await one(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where instance_id = $1`,
    instance.id,
  )
  await one('update claim set claim_number = $2 where id = $1', claim.id, CLAIM_NUMBER)
  const built: Partial<Record<keyof typeof INVOICES, BuiltInvoice>> = {}
  for (const [name, wishes] of Object.entries(INVOICES))
    built[name as keyof typeof INVOICES] = await buildInvoice(test, instance.id, clock, wishes)
  const creditorId = built.open?.creditorId ?? ''
  await one('update creditor set identification_number = $2 where id = $1', creditorId, CREDITOR_NUMBER)
  await takeFile(server, instance)
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
  await call(server, host, pathOf(built.disputed, '/dispute'), body)
  const about = 'payment:settle-me'
  await openTask(test.db, { instanceId: instance.id, kind: 'payment_contradiction', about, details: {} })
  return {
    instance,
    creditorId,
    claimId: claim.id,
    disputeId: await one('select id from dispute where instance_id = $1', instance.id),
    taskId: await one('select id from task where instance_id = $1 and about = $2', instance.id, about),
    bookedLine: await one('select id from bank_line where invoice_id = $1', built.paid?.id),
    lostLine: await one(
      `select id from bank_line where instance_id = $1 and status = 'SUSPENSE'`,
      instance.id,
    ),
    owedAbout: await one(
      `select about as id from task where instance_id = $1 and kind = 'refund' and done_at is null`,
      instance.id,
    ),
    swishPayment: await payBySwish(server, host, built.paidBySwish),
    neverCame: await payBySwish(server, host, built.neverCame),
    inTwoSteps: await setUpFactor(server, instance, creditorId),
  }
}

async function setUpFactor(
  { product: { context } }: TestServer,
  instance: Instance,
  creditorId: string,
): Promise<string> {
  const email = `${instance.row.url_alias}@example.com`
  await signInStaff(context, { instanceId: instance.id, creditorId, role: 'clerk', email })
  const person = await readPersonByEmail(context.db, email)
  if (!person) throw new Error('a person who was made is not there')
  const owner = { instance, person, requireStill: () => Promise.resolve() }
  const { secret } = await beginFactor(context, owner)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await confirmFactor(context, owner, { code, sessionId: null, onlyFirst: true })
  return email
}

async function takeFile({ test, clock, product }: TestServer, instance: Instance): Promise<void> {
  const payments = [
    { reference: INVOICES.paid.reference, amountMinor: 84_200 },
    { reference: INVOICES.overpaid.reference, amountMinor: 90_000 },
    { reference: '9900000007', amountMinor: 84_200 },
  ]
  const text = castBgMax({ bankgiro: '9990-0227', day: TODAY, payments })
  const input = {
    name: 'twin.txt',
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const { config, log } = product.context
  for await (const { outcome, reason } of importBankFiles({ db: test.db, clock, config, log }, instance, [
    input,
  ]))
    if (outcome === 'refused') throw new Error(reason ?? outcome)
}

const pathOf = (invoice: BuiltInvoice | undefined, part: string): string =>
  `/api/public/invoices/${invoice?.reference}/${invoice?.zip}${part}`

async function call(
  { product }: TestServer,
  host: string,
  url: string,
  payload: object,
): Promise<{ id: string }> {
  const answer = await product.app.inject({
    method: 'POST',
    url,
    headers: { host, 'content-type': 'application/json' },
    payload,
  })
  if (answer.statusCode >= 300) throw new Error(answer.body)
  return answer.json<{ id: string }>()
}

async function payBySwish(
  server: TestServer,
  host: string,
  invoice: BuiltInvoice | undefined,
): Promise<string> {
  const wish = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `http://${host}/` }
  const { id } = await call(server, host, pathOf(invoice, '/payment-requests'), wish)
  const orders: { id: string; reference: string; status: string }[] = await server.control(
    'GET',
    '/control/orders?all=true',
  )
  const order = orders.find((one) => one.reference === invoice?.reference && one.status === 'waiting')
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.product.sweepAll()
  return id
}
