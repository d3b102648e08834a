/** One row of each resource that staff have, for whoever asks who may see whose. */
import { randomUUID } from 'node:crypto'
import { bookSuspense } from '@kvitt/domain/ledger/arrival.ts'
import { BANK_FILE } from '@kvitt/domain/ledger/holder.ts'
import { money } from '@kvitt/domain/money.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { keepSecret } from '../credentials/credentials.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from './build.ts'
import { buildClaim } from './build-claim.ts'
import { buildConversation } from './build-conversation.ts'
import { buildDispute } from './build-dispute.ts'
import { openTask } from '../tasks/tasks.ts'
import { holdKey, signInStaff } from './staff.ts'
import type { TestServer } from './start-test-server.ts'

/** The id of a row by the first part of the paths of its calls. */
export type Things = Readonly<Record<string, string>>

/** A row of each resource, all of one new creditor. */
export async function buildThings(
  server: TestServer,
  { instanceId, zip }: { readonly instanceId: string; readonly zip: string },
): Promise<{ readonly things: Things; readonly invoice: BuiltInvoice }> {
  const claim = await buildClaim(server.test, instanceId, server.clock, { invoices: [{ zip }] })
  const [beside] = claim.invoices
  if (!beside) throw new Error('the claim has no invoice')
  const built = await buildInvoice(server.test, instanceId, server.clock, { beside })
  const { creditorId } = built
  const key = await holdKey(server.product.context, { instanceId, creditorId, scopes: ['read'] })
  const disputed = await buildInvoice(server.test, instanceId, server.clock, { beside })
  const settlements = await buildSettlement(server, built)
  const others = { debtors: built.debtorId, payments: await buildFailed(server, built), settlements }
  const { id: disputes, taskId: tasks } = await buildDispute(server.test, server.clock, disputed)
  const { id: conversations } = await buildConversation(server.test, server.clock, built)
  const email = `prov-${zip}@example.com`
  await signInStaff(server.product.context, { instanceId, creditorId, role: 'viewer', email })
  const { rows } = await server.test.owner.query<{ id: string }>(
    'select m.id from membership m join person p on p.id = m.person_id where p.email = $1',
    [email],
  )
  const users = rows[0]?.id ?? ''
  const imports = await buildImport(server, built)
  const webhooks = await buildWebhook(server, built)
  const things = {
    invoices: built.id,
    'collection-batches': claim.id,
    'api-keys': key.id,
    tasks,
    disputes,
    conversations,
    users,
    imports,
    webhooks,
    clients: creditorId,
    'instance-providers': instanceId,
    jobs: await buildRun(server, instanceId),
    outbox: await buildMessage(server, built),
    plans: await buildPlan(server, built),
    ...(await buildBankFile(server, instanceId)),
    ...others,
  }
  return { things, invoice: built }
}

/** A period of the invoice's creditor that is being counted. */
async function buildSettlement(
  server: TestServer,
  { instanceId, creditorId }: BuiltInvoice,
): Promise<string> {
  const { rows } = await server.test.owner.query<{ id: string }>(
    `insert into settlement (instance_id, id, creditor_id, currency, number, period_from, period_to, status)
     values ($1, gen_random_uuid(), $2, 'SEK', 1, '2026-10-01', '2026-10-31', 'COUNTING') returning id`,
    [instanceId, creditorId],
  )
  return rows[0]?.id ?? ''
}

/** A message about the invoice that was sent. */
async function buildMessage(server: TestServer, { instanceId, id }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query<{ id: string }>(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, recipient, language, subject, text_body, invoice_id, status, sent_at)
     values ($1, gen_random_uuid(), 'EMAIL', 'payment_received', gen_random_uuid()::text, 'x@example.com', 'sv', 'Hej', 'Hej', $2, 'SENT', now())
     returning id`,
    [instanceId, id],
  )
  return rows[0]?.id ?? ''
}

/** What ran on a day. */
async function buildRun(server: TestServer, instanceId: string): Promise<string> {
  const { rows } = await server.test.owner.query<{ id: string }>(
    `insert into job_run (instance_id, id, work, day, status, started_at, ended_at, tries, listed_at)
     values ($1, gen_random_uuid(), 'SETTLEMENTS', '2026-11-01', 'DONE', now(), now(), 1, now()) returning id`,
    [instanceId],
  )
  return rows[0]?.id ?? ''
}

/** A plan that was paid long ago. */
async function buildPlan(
  server: TestServer,
  { instanceId, id, creditorId, debtorId }: BuiltInvoice,
): Promise<string> {
  const { owner } = server.test
  const settings = () =>
    owner.query<{ id: string }>('select id from part_payment_setting where instance_id = $1 limit 1', [
      instanceId,
    ])
  if ((await settings()).rows.length === 0) await buildPlanSettings(server.test, instanceId)
  const { rows } = await owner.query<{ id: string }>(
    `insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number, amount_minor,
       started_on, withdraw_until, ended_on, agreement, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, $3, $4, 'SEK', 'COMPLETED', '1', 100, '2026-01-01', '2026-01-15', '2026-04-01', '{}', 'x', 'x')
     returning id`,
    [instanceId, (await settings()).rows[0]?.id, creditorId, debtorId],
  )
  const plan = rows[0]?.id ?? ''
  await owner.query(
    `insert into part_payment_member (instance_id, invoice_id, part_payment_id, added_on, amount_minor)
     values ($1, $2, $3, '2026-01-01', 100)`,
    [instanceId, id, plan],
  )
  return plan
}

/** A payment that its gateway gave up. */
async function buildFailed(server: TestServer, { instanceId, id, reference }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', 100, 'SEK', '2026-11-20', 'x', 'x', 'BANKGIRO', $3, 'FAILED',
       'http://localhost/', gen_random_uuid(), 'x', 'x') returning id`,
    [instanceId, id, reference],
  )
  return rows[0].id
}

/** A bank's file with one payment that nobody could place. */
async function buildBankFile(server: TestServer, instanceId: string): Promise<Things> {
  const { rows } = await server.test.owner.query(
    `with f as (insert into bank_file (instance_id, id, name, format, content_hash)
       values ($1, gen_random_uuid(), 'x.txt', 'bgmax', decode(md5(random()::text), 'hex')) returning id)
     insert into bank_line (instance_id, id, file_id, number, account_key, deposit_key, deposit_line, kind, amount_minor, currency,
       bank_date, payment_references, status)
     select $1::uuid, gen_random_uuid(), id, 1, 'x', id::text, 1, 'PAYMENT', 100, 'SEK', '2026-11-20', '{}', 'SUSPENSE' from f
     returning id, file_id`,
    [instanceId],
  )
  const { id, file_id: fileId } = rows[0]
  const { db } = server.product.context
  const booking = {
    id: newId(server.clock.now()),
    kind: 'PAYMENT',
    bookedOn: TODAY,
    cause: `bank-line:${id}`,
  }
  const lines = bookSuspense(BANK_FILE, money(100, 'SEK'))
  await db.transaction(async (tx) => {
    await postBookings(
      tx,
      instanceId,
      [{ ...booking, lines, invoiceId: null, paymentId: null }],
      server.clock,
    )
    // As whatever lies in suspense has one.
    await openTask(tx, { instanceId, kind: 'bank_line', about: booking.cause, details: {} })
    const owed = { about: `refund:${booking.cause}`, details: { amountMinor: 100, currency: 'SEK' } }
    await openTask(tx, { instanceId, kind: 'refund', ...owed })
  })
  const refunds = await server.test.owner.query('select id from task where about = $1', [
    `refund:${booking.cause}`,
  ])
  return { 'payment-batches': fileId, suspense: id, refunds: refunds.rows[0].id }
}

/** A file that was read, and has nothing in it. */
async function buildImport(server: TestServer, { instanceId, creditorId }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into import (instance_id, id, creditor_id, file_name, file_hash, byte_count, format, status, made_by)
     values ($1, gen_random_uuid(), $2, 'x.csv', 'x', 1, 'CSV', 'READY', 'person:x') returning id`,
    [instanceId, creditorId],
  )
  return rows[0].id
}

/** A webhook with a delivery of the same id, so that both kinds of path find one; made anew where it was removed. */
export async function buildWebhook(
  server: TestServer,
  { instanceId, creditorId }: BuiltInvoice,
  id: string = randomUUID(),
): Promise<string> {
  const { db, config } = server.product.context
  await server.test.owner.query('delete from webhook_event where id = $1', [id])
  await server.test.owner.query('delete from webhook where id = $1', [id])
  const secretId = randomUUID()
  await db.transaction((tx) =>
    keepSecret(tx, config.settingsKeyFile, { instanceId, id: secretId, text: 'whsec_AAAA' }),
  )
  await server.test.owner.query(
    `with w as (insert into webhook (instance_id, id, creditor_id, address, events, secret_id, off_since, off_reason)
       values ($1, $2, $3, 'https://hooks.example.com/', '{invoice.closed}', $4, now(), 'BY_HAND')),
     e as (insert into webhook_event (instance_id, id, creditor_id, type, subject_id, cause, body)
       values ($1, $2, $3, 'webhook.test', $2, $2::text, '{}') on conflict do nothing)
     insert into webhook_delivery (instance_id, id, webhook_id, event_id) values ($1, $2, $2, $2)`,
    [instanceId, id, creditorId, secretId],
  )
  return id
}
