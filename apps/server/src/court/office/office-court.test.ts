/** What is recorded of a claim before an authority from the operator's portal: by role, once, and in any order with what else happens to the claim. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { buildClaim, type BuiltClaim } from '../../testing/build-claim.ts'
import { buildInstance, TODAY } from '../../testing/build.ts'
import { openOffice, signInStaff, told, type AskOffice, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'
import { brokenInvariants } from '../../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
let claim: BuiltClaim
let creditor: SignedIn
let serial = 0

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
  serial += 1
  server.clock.moveTo(TODAY)
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 40,
    invoices: [{ totalMinor: 100_000 }],
  })
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  await night()
  const at = { instanceId: server.instanceId, creditorId: claim.invoices[0]?.creditorId ?? '' }
  creditor = await signInStaff(server.product.context, { ...at, role: 'manager' })
})

const path = (part: string) => `/collection-batches/${claim.id}/${part}`
const wants = (): Promise<Answer> =>
  server.call('POST', `/api/client${path('apply-to-court')}`, {
    body: { confirm: true },
    headers: { ...creditor },
  })
const theirs = (part: string) => server.call('GET', `/api/client${path(part)}`, { headers: { ...creditor } })
const filed = (over: object = {}, who: OperatorRole = 'handler', key?: string) =>
  ask(
    who,
    `POST ${path('record-application')}`,
    { date: TODAY, authority: 'Kronofogden', caseNumber: `01-${serial}-26`, ...over },
    key,
  )
const decided = (kind: string, over: object = {}, who: OperatorRole = 'handler', key?: string) =>
  ask(
    who,
    `POST ${path('record-decision')}`,
    { date: TODAY, kind, caseNumber: `01-${serial}-26`, ...over },
    key,
  )
const returned = (reason = 'Fel adress', who: OperatorRole = 'handler') =>
  ask(who, `POST ${path('return-instruction')}`, { reason })
const court = async () => (await ask('support', `GET ${path('court')}`)).json as Record<string, unknown>
const openTasks = async () =>
  (
    await sql(
      `select kind from task where about = 'claim:' || $1::text and done_at is null
         and kind in ('schedule_ended', 'court_to_file') order by kind`,
      claim.id,
    )
  ).map(({ kind }) => kind)
const costs = async () =>
  (await sql('select costs_minor::int as minor from claim where id = $1', claim.id))[0].minor
const standing = async () => (await sql('select status from claim where id = $1', claim.id))[0].status
const broken = () => brokenInvariants(server.test.owner, server.instanceId)

test('wanted, filed and recorded: the cost is said before it is charged, once, and the task ends', async () => {
  const before = await costs()
  // 300 for the application (lag 1990:746, förordning 1992:1094) and 380 for the representative (förordning 2000:862, 8 §).
  expect(await court()).toMatchObject({ cost: 680, applications: [], isWanted: false, returned: null })
  expect((await wants()).status).toBe(200)
  expect(await court()).toMatchObject({ isWanted: true })
  expect(await openTasks()).toEqual(['court_to_file'])
  for (const who of ['finance', 'support', 'approver', 'auditor'] as const) {
    expect(told(await filed({}, who)), who).toEqual([403, 'not_allowed'])
    expect(told(await decided('ORDER', {}, who)), who).toEqual([403, 'not_allowed'])
    expect(told(await returned('Nej', who)), who).toEqual([403, 'not_allowed'])
  }
  const both = await Promise.all([filed({}, 'handler', 'k'), filed({}, 'handler', 'k')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(
    (await filed({ caseNumber: ` 01 -${serial}-26` }, 'manager')).status,
    'typed otherwise, the same',
  ).toBe(200)
  expect(await costs()).toBe(before + 68_000)
  expect(await openTasks()).toEqual([])
  const recorded = {
    applications: [
      {
        date: TODAY,
        authority: 'Kronofogden',
        caseNumber: `01-${serial}-26`,
        status: 'FILED',
        decisions: [],
      },
    ],
    isWanted: false,
  }
  expect(await court()).toMatchObject(recorded)
  expect((await theirs('court')).json, 'its creditor sees it').toMatchObject(recorded)
  const [deed] = await sql(
    `select actor, reason from audit_event where kind = 'court_application_recorded' and about = 'claim:' || $1::text`,
    claim.id,
  )
  expect(deed).toEqual({
    actor: expect.stringMatching(/^person:[0-9a-f-]{36}:[0-9a-f-]{36}$/),
    reason: 'filed',
  })
  expect(await broken()).toEqual({})
})

test('given back: the creditor is asked again and sees why, and may want it once more', async () => {
  expect(told(await returned()), 'nobody has asked for it').toEqual([400, 'act_not_open'])
  await wants()
  expect(told(await returned(' '))).toEqual([400, 'why_required', 'reason'])
  expect((await returned('Adressen saknas')).status).toBe(200)
  expect(await openTasks()).toEqual(['schedule_ended'])
  expect((await theirs('court')).json).toMatchObject({
    isWanted: false,
    returned: { on: TODAY, reason: 'Adressen saknas' },
  })
  expect(told(await returned())).toEqual([400, 'act_not_open'])
  expect((await wants()).status).toBe(200)
  expect(await openTasks()).toEqual(['court_to_file'])
  expect(await court(), 'the old reason is over').toMatchObject({ isWanted: true, returned: null })
  expect((await filed()).status).toBe(200)
  expect([await openTasks(), await broken()]).toEqual([[], {}])
})

describe('refused, with the field that is wrong:', () => {
  test('an application', async () => {
    expect(told(await filed({ date: addDays(TODAY, 1) }))).toEqual([400, 'day_out_of_reach', 'date'])
    expect(told(await filed({ date: '2026-02-30' }))).toEqual([400, 'invalid_request', 'date'])
    expect(told(await filed({ date: addDays(TODAY, -39) })), 'within the time of the demand').toEqual([
      400,
      'court_not_yet',
      'date',
    ])
    expect(told(await filed({ authority: ' ' }))[1]).toBe('invalid_request')
    await filed()
    expect(told(await filed({ caseNumber: 'another' }))).toEqual([400, 'court_application_stands'])
    expect(told(await filed({ date: addDays(TODAY, -1) }))).toEqual([400, 'court_recorded_otherwise', 'date'])
  })

  test('a decision', async () => {
    expect(told(await decided('ORDER'))).toEqual([400, 'court_case_unknown', 'caseNumber'])
    await filed()
    expect(told(await decided('ORDER', { date: addDays(TODAY, 1) }))).toEqual([
      400,
      'day_out_of_reach',
      'date',
    ])
    expect(told(await decided('ORDER', { date: addDays(TODAY, -1) }))).toEqual([
      400,
      'court_decision_impossible',
      'date',
    ])
    expect(told(await decided('SOMETHING'))[1]).toBe('invalid_request')
    await decided('WITHDRAWN')
    expect(told(await decided('ORDER'))).toEqual([400, 'court_decision_impossible', 'date'])
  })

  test('a claim of another provider', async () => {
    const foreign = await buildInstance(server.test, { alias: `fjell${serial}`, isDefault: false })
    const other = await buildClaim(server.test, foreign.id, server.clock, { daysAgo: 40 })
    for (const part of ['record-application', 'record-decision', 'return-instruction'])
      expect(told(await ask('manager', `POST /collection-batches/${other.id}/${part}`, {}))).toEqual([
        404,
        'not_found',
      ])
  })
})

describe('beside what else happens to the claim:', () => {
  const onClaim = (act: string, body: object) => ask('handler', `POST ${path(act)}`, body)

  test('paused or disputed it is not filed; then it is', async () => {
    await wants()
    expect((await onClaim('pause', { until: addDays(TODAY, 10), reason: 'Dödsbo' })).status).toBe(200)
    expect(await openTasks(), 'nobody is asked while it rests').toEqual([])
    expect(told(await filed())).toEqual([400, 'court_rests'])
    expect((await onClaim('resume', {})).status).toBe(200)
    expect((await filed()).status).toBe(200)
    expect((await decided('OBJECTION')).status).toBe(200)
    expect(await standing()).toBe('DISPUTED')
    expect((await decided('OBJECTION')).status, 'the same again').toBe(200)
    expect((await decided('ORDER')).status).toBe(200)
    expect(await standing()).not.toBe('DISPUTED')
    expect(await court()).toMatchObject({
      applications: [{ status: 'ORDERED', decisions: [{ kind: 'OBJECTION' }, { kind: 'ORDER' }] }],
    })
    expect(await broken()).toEqual({})
  })

  test.each(['REJECTED', 'WITHDRAWN'])(
    '%s: its cost is taken back, and the creditor is asked again',
    async (kind) => {
      const before = await costs()
      await filed()
      await decided(kind)
      expect(await costs()).toBe(before)
      await night(addDays(TODAY, 1))
      expect(await openTasks()).toEqual(['schedule_ended'])
      expect(await broken()).toEqual({})
    },
  )

  test('a decision that is told in the wrong order changes nothing any more', async () => {
    await filed()
    expect((await decided('ORDER')).status).toBe(200)
    const objected = await decided('OBJECTION')
    expect(objected.status, objected.text).toBe(200)
    expect(await standing()).not.toBe('DISPUTED')
    expect((await decided('NO_ASSETS')).status).toBe(200)
    expect(await court()).toMatchObject({ applications: [{ status: 'NO_ASSETS' }] })
    expect(await broken()).toEqual({})
  })

  test('stopped by its creditor while it waits to be filed: nobody files it', async () => {
    await wants()
    const stopped = await server.call('POST', `/api/client${path('stop')}`, {
      body: { reason: 'WITHDRAWN' },
      headers: { ...creditor },
    })
    expect(stopped.status).toBe(200)
    expect(await openTasks()).toEqual([])
    expect(told(await filed())).toEqual([400, 'act_not_open'])
    expect(told(await returned())).toEqual([400, 'act_not_open'])
    expect(await broken()).toEqual({})
  })
})
