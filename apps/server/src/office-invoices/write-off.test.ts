/** What an operator's people write off: those of finance up to the limit, above it by two, and nobody else anything. */
import { beforeAll, expect, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { buildInvoice } from '../testing/build.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'approver'])
})

const build = (totalMinor: number, beside?: BuiltClaim) =>
  buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor, ...(beside?.invoices[0] ? { beside: beside.invoices[0] } : {}) }],
  })
const writeOff = ({ id }: { id: string }, body: object, who: OperatorRole = 'finance', key?: string) =>
  ask(who, `POST /collection-batches/${id}/write-off`, { reason: 'Litet', ...body }, key)
const owed = async ({ id }: { id: string }) =>
  (await server.test.owner.query('select balance_minor::int as minor from claim where id = $1', [id])).rows[0]
    .minor
const decide = (id: string, deed: 'approve' | 'refuse', who: OperatorRole) =>
  ask(who, `POST /proposals/${id}/${deed}`, { reason: 'Sett' })
const broken = () => brokenInvariants(server.test.owner, server.instanceId)

test('an invoice outside a claim is the creditor’s to give up: the agreement gives no mandate', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  for (const who of ['finance', 'manager'] as const)
    expect(
      told(await ask(who, `POST /invoices/${invoice.id}/write-off`, { amount: '1.00', reason: 'Litet' })),
      who,
    ).toEqual([403, 'mandate_missing'])
  expect(told(await ask('handler', `POST /invoices/${invoice.id}/write-off`, { reason: 'Litet' }))).toEqual([
    403,
    'not_allowed',
  ])
  expect(
    (
      await server.test.owner.query('select balance_minor::int as minor from invoice where id = $1', [
        invoice.id,
      ])
    ).rows,
  ).toEqual([{ minor: 84_200 }])
})

test('by role, and up to the limit for the debtor and the day, over several debts', async () => {
  const one = await build(300_000)
  const two = await build(300_000, one)
  const before = await owed(two)
  for (const who of ['handler', 'support', 'approver'] as const)
    expect(told(await writeOff(one, {}, who)), who).toEqual([403, 'not_allowed'])
  expect((await writeOff(one, { amount: '3000.00' }, 'finance', 'k')).status).toBe(200)
  expect((await writeOff(one, { amount: '3000.00' }, 'finance', 'k')).status, 'the same again').toBe(200)
  expect((await writeOff(two, { amount: '2000.00' })).status, 'to the limit').toBe(200)
  const above = await writeOff(two, { amount: '0.01' }, 'manager')
  expect(above.status, 'another person, the same debtor and day').toBe(202)
  expect(above.json).toMatchObject({ kind: 'write_off', status: 'OPEN', before: { debt: two.number } })
  expect(await owed(two)).toBe(before - 200_000)
  const stranger = await build(300_000)
  expect((await writeOff(stranger, {})).status, 'another debtor').toBe(200)
  expect(await broken()).toEqual({})
})

test('admin.by_hand: two at once who each stay below the limit do not both go through', async () => {
  const one = await build(300_000)
  const two = await build(300_000, one)
  const before = (await owed(one)) + (await owed(two))
  const body = { amount: '3000.00' }
  const both = await Promise.all([writeOff(one, body), writeOff(two, body, 'manager')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 202])
  expect((await owed(one)) + (await owed(two))).toBe(before - 300_000)
  expect(await broken()).toEqual({})
})

test('approved by another it is written off, refused or changed since it is not', async () => {
  const claim = await build(600_000)
  const propose = async () => (await writeOff(claim, {})).json as { id: string }
  const first = await propose()
  expect(told(await writeOff(claim, {}, 'manager'))).toEqual([400, 'proposal_open'])
  expect((await decide(first.id, 'refuse', 'approver')).status).toBe(200)
  const second = await propose()
  const part = await ask('handler', `POST /collection-batches/${claim.id}/pause`, {
    until: '2026-12-01',
    reason: 'x',
  })
  expect(part.status).toBe(200)
  expect((await decide(second.id, 'approve', 'finance')).status).toBe(403)
  expect(
    (await writeOff(await build(10_000, claim), { amount: '1.00' })).status,
    'the proposal has used nothing up',
  ).toBe(200)
  expect((await decide(second.id, 'approve', 'manager')).json).toMatchObject({ status: 'APPROVED' })
  expect(await owed(claim)).toBe(0)
  expect(await broken()).toEqual({})
})

test('what its creditor has given up since is not written off; the creditor’s manager has no limit', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor: 900_000 }],
  })
  const of = (who: OperatorRole, body: object) =>
    ask(who, `POST /collection-batches/${claim.id}/write-off`, body)
  expect((await of('finance', { reason: 'Litet', amount: '50.00' })).status).toBe(200)
  const proposed = await of('finance', { reason: 'Utsiktslöst' })
  expect(proposed.status).toBe(202)
  const before = await owed(claim)
  expect(before).toBeGreaterThan(900_000)
  const creditor = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: claim.invoices[0]?.creditorId ?? '',
    role: 'manager',
  })
  const theirs = await server.call('POST', `/api/client/collection-batches/${claim.id}/write-off`, {
    body: { reason: 'Utsiktslöst', amount: '6000.00' },
    headers: { ...creditor },
  })
  expect(theirs.status, theirs.text).toBe(200)
  expect(await owed(claim)).toBe(before - 600_000)
  expect(told(await decide((proposed.json as { id: string }).id, 'approve', 'manager'))).toEqual([
    409,
    'changed_meanwhile',
  ])
  expect(await broken()).toEqual({})
})
