/** What was only done by command, from the portals: by role, once, with its deed. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { performRecordedStep } from '../collection/collection.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, signInStaff, told, type AskOffice, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
let claim: BuiltClaim
let invoice: BuiltInvoice
let manager: SignedIn
let clerk: SignedIn
let viewer: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['handler', 'manager', 'finance', 'support', 'approver', 'auditor'])
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const night = (day = TODAY) => {
  server.clock.moveTo(day)
  return performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

beforeEach(async () => {
  server.clock.moveTo(TODAY)
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 40,
    invoices: [{ totalMinor: 100_000 }],
  })
  const [beside] = claim.invoices
  if (!beside) throw new Error('the claim has no invoice')
  invoice = await buildInvoice(server.test, server.instanceId, server.clock, { beside, totalMinor: 60_000 })
  const at = { instanceId: server.instanceId, creditorId: beside.creditorId }
  const signIn = (role: 'manager' | 'clerk' | 'viewer') =>
    signInStaff(server.product.context, { ...at, role })
  ;[manager, clerk, viewer] = await Promise.all([signIn('manager'), signIn('clerk'), signIn('viewer')])
})

const theirs = (who: SignedIn, call: string, body?: object) => {
  const [method = '', path = ''] = call.split(' ')
  return server.call(method, `/api/client${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...who },
  })
}
const broken = () => brokenInvariants(server.test.owner, server.instanceId)

describe('a standing instruction', () => {
  const wanted = { from: TODAY, to: addDays(TODAY, 300), largestClaim: '20000.00', currency: 'SEK' }
  const give = (who: SignedIn, over: object = {}) =>
    theirs(who, 'PUT /settings/court-instruction', { ...wanted, ...over })
  const standing = () =>
    sql(
      `select largest_claim_minor::int as minor from court_instruction where creditor_id = $1 and ended_at is null`,
      claim.invoices[0]?.creditorId,
    )

  test('is given by a manager alone, once, in the place of the one before', async () => {
    for (const who of [viewer, clerk]) expect(told(await give(who))).toEqual([403, 'not_allowed'])
    const given = await give(manager)
    expect(given.json, given.text).toEqual({
      instructions: [
        {
          validFrom: TODAY,
          validTo: wanted.to,
          person: 'Prov manager',
          largestClaim: 20_000,
          currency: 'SEK',
        },
      ],
    })
    const both = await Promise.all([
      give(manager, { largestClaim: '500.00' }),
      give(manager, { largestClaim: '500.00' }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await standing()).toEqual([{ minor: 50_000 }])
    const deeds = await sql(
      `select count(*)::int as n from audit_event where kind = 'court_instruction_changed' and about = 'creditor:' || $1::text
         and actor ~ '^person:[0-9a-f-]{36}:'`,
      claim.invoices[0]?.creditorId,
    )
    expect(deeds, 'the same again leaves no deed').toEqual([{ n: 2 }])
    expect((await theirs(manager, 'POST /settings/court-instruction/end', { currency: 'SEK' })).json).toEqual(
      { instructions: [] },
    )
    expect(await standing()).toEqual([])
  })

  test('refuses what could never hold, with the field', async () => {
    expect(told(await give(manager, { to: addDays(TODAY, -1) }))).toEqual([400, 'day_out_of_reach', 'to'])
    expect(told(await give(manager, { from: addDays(TODAY, 9), to: addDays(TODAY, 8) }))).toEqual([
      400,
      'day_out_of_reach',
      'to',
    ])
    expect(told(await give(manager, { from: '2026-02-30' }))).toEqual([400, 'invalid_request', 'from'])
    expect(told(await give(manager, { largestClaim: '0' }))[1]).toMatch(/amount_malformed|invalid_request/)
  })

  test('makes the task when the schedule ends, as the one of the command does', async () => {
    await give(manager)
    await sql(
      `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
    )
    await night()
    expect(
      await sql(`select kind from task where about = 'claim:' || $1::text and done_at is null`, claim.id),
    ).toEqual([{ kind: 'court_to_file' }])
  })

  test('is entered by a manager of the operator, of its own creditors', async () => {
    const creditor = claim.invoices[0]?.creditorId ?? ''
    const body = { ...wanted, person: 'Bo Ek', source: 'Brev 20 november' }
    for (const who of ['handler', 'finance', 'support', 'approver', 'auditor'] as const)
      expect(told(await ask(who, `POST /clients/${creditor}/court-instruction`, body)), who).toEqual([
        403,
        'not_allowed',
      ])
    const kept = await ask('manager', `POST /clients/${creditor}/court-instruction`, body)
    expect(kept.json, kept.text).toMatchObject({ instructions: [{ person: 'Bo Ek', largestClaim: 20_000 }] })
    expect((await ask('support', `GET /clients/${creditor}`)).json).toMatchObject({
      courtInstructions: [{ person: 'Bo Ek' }],
    })
    const foreign = await buildInstance(server.test, { alias: `annan${Date.now()}`, isDefault: false })
    const other = await buildInvoice(server.test, foreign.id, server.clock)
    expect(told(await ask('manager', `POST /clients/${other.creditorId}/court-instruction`, body))).toEqual([
      404,
      'not_found',
    ])
    const ended = await ask('manager', `POST /clients/${creditor}/court-instruction/end`, {
      currency: 'SEK',
      source: 'Telefon',
    })
    expect(ended.json).toEqual({ instructions: [] })
  })
})

test('a case is ended in the creditor’s place by a manager, and the debtor is told once', async () => {
  const stop = (who: 'handler' | 'finance' | 'support' | 'auditor' | 'manager') =>
    ask(who, `POST /collection-batches/${claim.id}/stop`, { reason: 'LIMITATION', note: 'Äldre än tio år' })
  for (const who of ['handler', 'finance', 'support', 'auditor'] as const)
    expect(told(await stop(who)), who).toEqual([403, 'not_allowed'])
  const stopped = await stop('manager')
  expect(stopped.json, stopped.text).toMatchObject({ status: 'STOPPED', stopReason: 'LIMITATION' })
  expect((await stop('manager')).status).toBe(200)
  expect(
    await sql(`select count(*)::int as n from mail_outbox where cause = $1`, `stopped:${claim.id}`),
  ).toEqual([{ n: 1 }])
  const [deed] = await sql(
    `select actor, reason from audit_event where kind = 'debt_stopped' and about = 'claim:' || $1::text`,
    claim.id,
  )
  expect(deed).toEqual({
    actor: expect.stringMatching(/^person:[0-9a-f-]{36}:/),
    reason: 'LIMITATION: Äldre än tio år',
  })
  // What an invoice asks for by itself is its creditor's, without a mandate.
  expect(told(await ask('manager', `POST /invoices/${invoice.id}/stop`, { reason: 'OTHER' }))[1]).toMatch(
    /not_allowed|mandate_missing/,
  )
  expect(await broken()).toEqual({})
})

describe('a denied tax reduction', () => {
  const body = { amount: '150.00', decision: 'SKV 12' }
  const deny = (over: object = {}) =>
    ask('handler', `POST /invoices/${invoice.id}/deny-tax-reduction`, { ...body, ...over })

  test('is owed too, once for each decision, with thirty days', async () => {
    for (const who of ['finance', 'support', 'approver', 'auditor'] as const)
      expect(told(await ask(who, `POST /invoices/${invoice.id}/deny-tax-reduction`, body)), who).toEqual([
        403,
        'not_allowed',
      ])
    expect(told(await theirs(viewer, `POST /invoices/${invoice.id}/deny-tax-reduction`, body))).toEqual([
      403,
      'not_allowed',
    ])
    const entered = await deny()
    expect(entered.json, entered.text).toMatchObject({
      balances: { total: 750 },
      dates: { expireDate: addDays(TODAY, 30) },
    })
    const again = await theirs(clerk, `POST /invoices/${invoice.id}/deny-tax-reduction`, body)
    expect(again.json, 'told by the creditor too').toMatchObject({ balances: { total: 750 } })
    expect(told(await deny({ amount: '151.00' }))).toEqual([400, 'denial_entered'])
    expect(told(await deny({ amount: '600.01', decision: 'SKV 13' }))).toEqual([
      400,
      'amount_too_large',
      'amount',
    ])
    expect(await broken()).toEqual({})
  })

  test('of an invoice in a claim is the claim’s', async () => {
    const [member] = claim.invoices
    expect(told(await ask('handler', `POST /invoices/${member?.id}/deny-tax-reduction`, body))).toEqual([
      400,
      'in_claim',
    ])
  })
})

test('what was charged by schedule and nobody filed is taken back, said before with its amount', async () => {
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  await night()
  const key = { instanceId: server.instanceId, claimId: claim.id }
  const costs = async () =>
    (await sql('select costs_minor::int as minor from claim where id = $1', claim.id))[0].minor
  const before = await costs()
  const path = `/collection-batches/${claim.id}`
  const undo = (who: 'handler' | 'finance' | 'support') => ask(who, `POST ${path}/record-not-applied`, {})
  expect(told(await undo('handler')), 'nothing such').toEqual([400, 'act_not_open'])
  await server.product.context.db.transaction((tx) =>
    performRecordedStep(server.product.context, tx, key, {
      type: 'BAILIFF_PAYMENT_INJUCTION',
      happenedOn: TODAY,
      day: TODAY,
    }),
  )
  const charged = (await costs()) - before
  expect(charged).toBe(68_000)
  expect((await ask('support', `GET ${path}/court`)).json).toMatchObject({
    unfiled: { on: TODAY, amount: 680 },
  })
  for (const who of ['finance', 'support'] as const)
    expect(told(await undo(who)), who).toEqual([403, 'not_allowed'])
  expect((await undo('handler')).status).toBe(200)
  expect(await costs()).toBe(before)
  expect(told(await undo('handler'))).toEqual([400, 'act_not_open'])
  expect((await ask('support', `GET ${path}/court`)).json).toMatchObject({ unfiled: null })
  expect(await broken()).toEqual({})
})
