/** What a provider still needs is counted from what is there, of this provider alone, and for its managers. */
import { beforeAll, expect, test } from 'vitest'
import type { OnboardingLine } from '@kvitt/domain/instances/onboarding.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let path: string
beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'support', 'finance', 'auditor'])
  path = `GET /instance-providers/${server.instanceId}/onboarding`
})

const rows = async (sql: string, ...values: unknown[]) => (await server.test.owner.query(sql, values)).rows
type Shown = { readonly isDone: boolean; readonly steps: readonly OnboardingLine[] }
const show = async (): Promise<Shown> => {
  const answer = await ask('manager', path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
const missing = async (step: string) => (await show()).steps.find((line) => line.step === step)?.missing

test('is for who may change the provider, and of another provider there is none', async () => {
  for (const role of ['support', 'finance', 'auditor'] as const)
    expect(told(await ask(role, path)), role).toEqual([403, 'not_allowed'])
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  expect(told(await ask('manager', `GET /instance-providers/${id}/onboarding`))).toEqual([404, 'not_found'])
})

test('what is entered is there at once, and what is taken away is missing again', async () => {
  const { version } = (await ask('manager', `GET /instance-providers/${server.instanceId}`)).json as {
    version: number
  }
  await rows(
    `update instance set postal_address = null, logo_name = null, favicon_name = null where id = $1`,
    server.instanceId,
  )
  expect([await missing('details'), await missing('look'), await missing('texts')]).toEqual([
    ['postal_address'],
    ['logo', 'favicon'],
    ['service_text'],
  ])
  const now = (await ask('manager', `GET /instance-providers/${server.instanceId}`)).json as {
    version: number
  }
  expect(now.version).not.toBe(version)
  const change = (wish: object, of: number) =>
    ask('manager', `PUT /instance-providers/${server.instanceId}`, { version: of, ...wish })
  // A text in another language than the provider's own is none for most of its debtors.
  const english = await change(
    { postalAddress: 'Provgatan 4, 411 05 Göteborg', serviceTexts: { en: 'We answer on weekdays.' } },
    now.version,
  )
  expect(english.status, english.text).toBe(200)
  expect([await missing('details'), await missing('texts')]).toEqual([[], ['service_text']])
  const swedish = await change(
    { serviceTexts: { sv: 'Vi svarar vardagar.' } },
    (english.json as { version: number }).version,
  )
  expect(await missing('texts')).toEqual([])
  await change({ serviceTexts: { sv: ' ' } }, (swedish.json as { version: number }).version)
  expect(await missing('texts')).toEqual(['service_text'])
})

test('a counterparty counts when what holds now was tried and known', async () => {
  expect(await missing('counterparties')).toEqual(['trial_swish', 'trial_bankid'])
  for (const kind of ['SWISH', 'BANKID']) {
    const tried = await ask('manager', `POST /instance-providers/${server.instanceId}/credentials/try`, {
      kind,
    })
    expect(tried.json).toMatchObject({ outcome: 'ACCEPTED' })
  }
  expect(await missing('counterparties')).toEqual([])
  // Another certificate is another question.
  await rows(
    `insert into credential (instance_id, kind, account, key_id, sealed, version) values ($1, 'BANKID', '', '0123abcd', '\\x00', gen_random_uuid())`,
    server.instanceId,
  )
  expect(await missing('counterparties')).toEqual(['trial_bankid'])
  await rows('delete from credential')
  await rows('update credential_trial set is_accepted = false')
  expect(await missing('counterparties')).toEqual(['trial_swish', 'trial_bankid'])
})

test('BankID need not be tried, nor be there, by who logs nobody in with it', async () => {
  const logins = (codes: string) =>
    rows('update instance set logins = $1::text[] where id = $2', codes, server.instanceId)
  await logins('{PAYMENT_REFERENCE}')
  expect(await missing('counterparties')).toEqual(['trial_swish'])
  await logins('{PAYMENT_REFERENCE,BANKID}')
  expect(await missing('counterparties')).toEqual(['trial_swish', 'trial_bankid'])
})

test('a second person counts when they have come and may agree', async () => {
  const role = (to: string) =>
    rows(
      `update membership set role = $1 where person_id in (select id from person where email = 'support@example.com')`,
      to,
    )
  await rows(`update membership set signed_in_at = now()`)
  expect(await missing('second_person')).toEqual(['approver'])
  await role('approver')
  expect(await missing('second_person')).toEqual([])
  await rows(
    `update membership set signed_in_at = null where person_id in (select id from person where email = 'support@example.com')`,
  )
  expect(await missing('second_person')).toEqual(['approver'])
  // Who has a password from elsewhere has not come here.
  await rows(`update person set password_hash = 'x' where email = 'support@example.com'`)
  expect(await missing('second_person')).toEqual(['approver'])
  await role('support')
  // The same person twice is one.
  const { instanceId } = server
  await signInStaff(server.product.context, {
    instanceId,
    creditorId: null,
    role: 'approver',
    email: 'manager@example.com',
  })
  expect(await missing('second_person')).toEqual(['approver'])
})

test('invoices count when they are sent, and paid, and money from the bank is booked', async () => {
  const steps = async () => [
    await missing('invoice_sent'),
    await missing('invoice_paid'),
    await missing('bank_file'),
  ]
  await rows('select 1')
  expect(await steps()).toEqual([['invoice_sent'], ['invoice_paid'], ['bank_file']])
  const { creditorId } = await buildInvoice(server.test, server.instanceId, server.clock)
  expect(await steps()).toEqual([[], ['invoice_paid'], ['bank_file']])
  expect(await missing('creditor')).not.toContain('creditor')
  expect(await missing('numbers')).toEqual(['vat'])
  // No VAT is a rate too.
  await rows(
    `insert into creditor_agreement (instance_id, creditor_id, from_day, invoice_commission_bp, claim_commission_bp, currency,
       payment_price_minor, case_price_minor, vat_bp, period, smallest_payout_minor, source, entered_by)
     values ($1, $2, '2026-01-01', 0, 0, 'SEK', 0, 0, 0, 'MONTH', 0, 'x', 'x')`,
    server.instanceId,
    creditorId,
  )
  expect(await missing('numbers')).toEqual([])
  expect(await missing('creditor')).toEqual([])
  // Another creditor's agreement is not this one's.
  const other = await buildInvoice(server.test, server.instanceId, server.clock)
  expect(other.creditorId).not.toBe(creditorId)
  await rows(
    `update creditor set reminder_fee_agreed_on = null, reminder_fee_source = null where id = $1`,
    creditorId,
  )
  expect(await missing('creditor')).toEqual(['reminder_fee'])
})

test('of another provider nothing counts', async () => {
  const other = await buildInstance(server.test, { alias: 'bergklar', isDefault: false })
  const before = await show()
  await buildInvoice(server.test, other.id, server.clock)
  await rows(
    `update instance set service_texts = '{"sv": "Vi svarar."}', postal_address = null where id = $1`,
    other.id,
  )
  expect(await show()).toEqual(before)
})
