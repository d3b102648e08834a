/** Four eyes: who may decide what, once, by another person than who proposed it; shown with a creditor's account for payouts. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { isTaskOpen } from '../tasks/tasks.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let creditorId: string
const people = new Map<string, SignedIn>()
const who = (name: string): SignedIn => people.get(name) as SignedIn

beforeAll(async () => {
  server = await startTestServer()
  const { context } = server.product
  const sign = async (name: string, role: OperatorRole, email = `${name}@example.com`) =>
    people.set(
      name,
      await signInStaff(context, { instanceId: server.instanceId, creditorId: null, role, email }),
    )
  await sign('finance', 'finance')
  await sign('manager', 'manager')
  await sign('approver', 'approver')
  await sign('support', 'support')
  await sign('auditor', 'auditor')
  const foreign = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  people.set(
    'foreigner',
    await signInStaff(context, { instanceId: foreign.id, creditorId: null, role: 'manager' }),
  )
})

beforeEach(async () => {
  creditorId = (await buildInvoice(server.test, server.instanceId, server.clock)).creditorId
})

type Proposal = {
  id: string
  version: number
  status: string
  before: object
  after: object
  reason: string | null
}

const ask = (
  name: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  key?: string,
): Promise<Answer> =>
  server.call(method, `/api/admin${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...who(name), ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const told = ({ status, json }: Answer) => {
  const { code, errors } = json as { code?: string; errors?: { field: string }[] }
  return [status, code, ...(errors?.map(({ field }) => field) ?? [])]
}
const ACCOUNT = { currency: 'SEK', scheme: 'BANKGIRO', number: '5555-5551', receiverName: 'Demo AB' }
const account = (wish: object = {}) => ({ paymentAccounts: [{ ...ACCOUNT, use: 'PAYOUT', ...wish }] })
const proposeBy = async (name: string, wish: object = {}): Promise<Proposal> => {
  const answer = await ask(name, 'PUT', `/clients/${creditorId}`, account(wish))
  expect(answer.status, answer.text).toBe(202)
  return answer.json
}
const approve = (name: string, { id }: { id: string }, body?: object, key?: string) =>
  ask(name, 'POST', `/proposals/${id}/approve`, body, key)
const refuse = (name: string, { id }: { id: string }, reason = 'Fel nummer.') =>
  ask(name, 'POST', `/proposals/${id}/refuse`, { reason })
const isAsked = ({ id }: { id: string }) =>
  isTaskOpen(server.test.db, { instanceId: server.instanceId, kind: 'proposal', about: `proposal:${id}` })
const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]
const accounts = async () => {
  const answer = await ask('auditor', 'POST', '/payout-accounts/search', {
    filters: { 'creditor.id': creditorId },
  })
  return answer.json as { number: string; isUsable: boolean; usableFrom: string; approvedAt: string }[]
}

test('admin.iban: what is proposed changes nothing, another approves it, and then nobody has to decide it any more', async () => {
  const proposal = await proposeBy('finance')
  expect(proposal).toMatchObject({
    status: 'OPEN',
    before: {},
    after: { currency: 'SEK', scheme: 'BANKGIRO', number: '55555551', bic: null, receiverName: 'Demo AB' },
  })
  expect([await accounts(), await isAsked(proposal)]).toEqual([[], true])
  const approved = await approve('approver', proposal)
  expect(approved.json).toMatchObject({
    status: 'APPROVED',
    decidedBy: { name: 'Prov approver' },
    reason: null,
  })
  expect(await isAsked(proposal)).toBe(false)
  const [held] = await accounts()
  expect(held).toMatchObject({ number: '55555551', isUsable: false })
  expect(Date.parse(held?.usableFrom ?? '') - Date.parse(held?.approvedAt ?? '')).toBe(24 * 3_600_000)
  const deeds = await rows(
    `select kind from audit_event where about = $1 order by seq`,
    `payout-account:${creditorId}:SEK`,
  )
  expect(deeds).toEqual([{ kind: 'proposal_made' }, { kind: 'proposal_approved' }])
})

test('admin.iban: an account can be used a day after it was approved, and not before', async () => {
  await approve('manager', await proposeBy('finance'))
  const shift = (days: number) => server.test.owner.query('update clock_shift set days = days + $1', [days])
  expect((await accounts())[0]?.isUsable).toBe(false)
  await shift(1)
  expect((await accounts())[0]?.isUsable).toBe(true)
  await shift(-1)
})

test('admin.iban: the same person is the same person, whichever membership they work as', async () => {
  const proposal = await proposeBy('manager')
  expect(told(await approve('manager', proposal))).toEqual([400, 'another_person_needed'])
  const as = { instanceId: server.instanceId, creditorId: null, role: 'approver' as const }
  people.set('other hat', await signInStaff(server.product.context, { ...as, email: 'manager@example.com' }))
  expect(told(await approve('other hat', proposal))).toEqual([400, 'another_person_needed'])
  // Nor in the database, whatever the code says.
  const [row] = await rows<{ person: string }>(
    'select proposed_by as person from proposal where id = $1',
    proposal.id,
  )
  await expect(
    server.test.owner.query(
      `update proposal set status = 'APPROVED', decided_by = $2, decided_at = now() where id = $1`,
      [proposal.id, row?.person],
    ),
  ).rejects.toThrow('proposal_has_four_eyes')
  expect((await approve('approver', proposal)).status).toBe(200)
})

test('who may not decide: a role without the right, one that this kind does not name, and another provider’s people', async () => {
  const proposal = await proposeBy('manager')
  for (const name of ['support', 'auditor', 'finance'])
    expect(told(await approve(name, proposal)), name).toEqual([403, 'not_allowed'])
  expect(told(await refuse('finance', proposal))).toEqual([403, 'not_allowed'])
  const foreign = await server.call('POST', `/api/admin/proposals/${proposal.id}/approve`, {
    headers: { ...who('foreigner') },
  })
  expect(told(foreign)).toEqual([401, 'not_signed_in'])
  expect(told(await approve('manager', { id: '00000000-0000-4000-8000-000000000000' }))).toEqual([
    404,
    'not_found',
  ])
})

test('an approver sees proposals, and nothing else', async () => {
  const proposal = await proposeBy('finance')
  const list = await ask('approver', 'POST', '/proposals/search', { filters: { status: 'OPEN' } })
  expect((list.json as Proposal[]).map(({ id }) => id)).toContain(proposal.id)
  expect((await ask('approver', 'GET', `/proposals/${proposal.id}`)).json).toMatchObject({ id: proposal.id })
  expect(told(await ask('approver', 'POST', '/payout-accounts/search', {}))).toEqual([403, 'not_allowed'])
  expect(told(await ask('approver', 'POST', '/settlements/search', {}))).toEqual([403, 'not_allowed'])
})

test('a refusal says why, changes nothing, and is the last word', async () => {
  const proposal = await proposeBy('finance')
  expect(told(await refuse('approver', proposal, ' '))).toEqual([400, 'why_required', 'reason'])
  const refused = await refuse('approver', proposal)
  expect(refused.json).toMatchObject({ status: 'REFUSED', reason: 'Fel nummer.' })
  expect([await accounts(), await isAsked(proposal)]).toEqual([[], false])
  expect(told(await approve('manager', proposal))).toEqual([400, 'proposal_decided'])
  await expect(
    server.test.owner.query(`update proposal set reason = 'x' where id = $1`, [proposal.id]),
  ).rejects.toThrow('decided once')
})

test('whoever proposed it takes it back, and can propose it again', async () => {
  const proposal = await proposeBy('finance')
  expect(told(await ask('finance', 'PUT', `/clients/${creditorId}`, account()))).toEqual([
    400,
    'proposal_open',
  ])
  expect((await refuse('finance', proposal)).json).toMatchObject({ status: 'WITHDRAWN' })
  expect((await proposeBy('finance')).status).toBe('OPEN')
})

test('of two who decide at once one decides, and a key again answers the same', async () => {
  const proposal = await proposeBy('finance')
  const answers = await Promise.all([
    approve('manager', proposal),
    approve('approver', proposal),
    refuse('approver', proposal),
    approve('manager', proposal),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(told(answer)).toEqual([400, 'proposal_decided'])
  const isApproved = answers[2]?.status !== 200
  expect(await accounts()).toHaveLength(isApproved ? 1 : 0)
  const next = await proposeBy('finance', { number: '991-2346' })
  const twice = [
    await approve('manager', next, undefined, 'k'),
    await approve('manager', next, undefined, 'k'),
  ]
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(twice[1]?.json).toEqual(twice[0]?.json)
})

test('a proposal about what has changed since is stale: another is approved, and this one is refused', async () => {
  const proposal = await proposeBy('finance')
  await server.test.owner.query(
    `insert into payout_account (instance_id, id, creditor_id, currency, scheme, number, receiver_name, proposal_id, approved_at, usable_from)
     select instance_id, gen_random_uuid(), creditor_id, 'SEK', 'BANKGIRO', '9912346', 'Demo AB', id, now(), now() from proposal where id = $1`,
    [proposal.id],
  )
  expect(told(await approve('manager', proposal))).toEqual([409, 'changed_meanwhile'])
  expect((await ask('manager', 'GET', `/proposals/${proposal.id}`)).json).toMatchObject({ status: 'OPEN' })
  expect(told(await approve('manager', proposal, { version: 1 }))).toEqual([409, 'changed_meanwhile'])
  expect((await refuse('manager', proposal)).status).toBe(200)
})

test('a creditor’s manager proposes its own account, and whoever approves says how they made sure', async () => {
  const of = { instanceId: server.instanceId, creditorId }
  const manager = await signInStaff(server.product.context, { ...of, role: 'manager' })
  const clerk = await signInStaff(server.product.context, { ...of, role: 'clerk' })
  const propose = (headers: SignedIn, body: object = ACCOUNT) =>
    server.call('POST', '/api/client/settings/payout-account', { body, headers: { ...headers } })
  expect(told(await propose(clerk))).toEqual([403, 'not_allowed'])
  expect(told(await propose(manager, { ...ACCOUNT, number: '5555-5552' }))).toEqual([
    400,
    'invalid_request',
    'number',
  ])
  const made = await propose(manager)
  expect(made.status, made.text).toBe(202)
  const { id } = made.json as { id: string }
  expect(told(await approve('manager', { id }))).toEqual([400, 'why_required', 'reason'])
  const answer = await approve('manager', { id }, { reason: 'Ringde numret från avtalet.' })
  expect(answer.json).toMatchObject({
    status: 'APPROVED',
    isOfCreditor: true,
    reason: 'Ringde numret från avtalet.',
  })
  const own = await server.call('POST', '/api/client/payout-accounts/search', {
    body: {},
    headers: { ...clerk },
  })
  expect((own.json as { number: string }[]).map(({ number }) => number)).toEqual(['55555551'])
})

test('an account is proposed and approved by somebody who has just shown who they are', async () => {
  const proposal = await proposeBy('finance')
  const old = (name: string) =>
    server.test.owner.query(
      `update staff_session s set signed_in_at = now() - interval '11 minutes' from membership m join person p on p.id = m.person_id
       where m.id = s.membership_id and p.email = $1`,
      [`${name}@example.com`],
    )
  await old('approver')
  await old('finance')
  expect(told(await approve('approver', proposal))).toEqual([403, 'sign_in_again'])
  expect(told(await ask('finance', 'PUT', `/clients/${creditorId}`, account()))).toEqual([
    403,
    'sign_in_again',
  ])
  expect((await refuse('approver', proposal)).status).toBe(200)
})
