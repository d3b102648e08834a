/** What was settled with the bank or the gateway is said to be so in the operator's portal, once, by somebody who works with money. */
import { beforeAll, expect, test } from 'vitest'
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { openTask } from '../../tasks/tasks.ts'
import { buildInstance } from '../../testing/build.ts'
import { signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let other: { id: string }
let serial = 0
const people = new Map<string, SignedIn>()
beforeAll(async () => {
  server = await startTestServer()
  other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  for (const [name, role] of [
    ['manager', 'manager'],
    ['finance', 'finance'],
    ['support', 'support'],
    ['auditor', 'auditor'],
  ] as const) {
    const at = { instanceId: server.instanceId, creditorId: null, role, email: `${name}@example.com` }
    people.set(name, await signInStaff(server.product.context, at))
  }
})

const DETAILS = { reason: 'another amount', amountMinor: 500, currency: 'SEK', valueOn: '2026-11-20' }
async function open(
  kind: TaskKind,
  details: object = DETAILS,
  instanceId = server.instanceId,
): Promise<string> {
  serial += 1
  const about = `x:${serial}`
  await openTask(server.test.db, { instanceId, kind, about, details })
  const { rows } = await server.test.owner.query('select id from task where about = $1', [about])
  return rows[0].id
}
const settle = (id: string, who = 'finance', body: object = { reason: 'Banken har svarat.' }) =>
  server.call('POST', `/api/admin/tasks/${id}/settle`, {
    body,
    headers: { ...(people.get(who) as SignedIn) },
  })
const read = async (id: string) =>
  (
    await server.call('GET', `/api/admin/tasks/${id}`, {
      headers: { ...(people.get('auditor') as SignedIn) },
    })
  ).json

test('it ends with who and why, and said again it changes nothing', async () => {
  const id = await open('refund_contradiction')
  expect(await read(id)).toMatchObject({ state: 'OPEN', details: DETAILS })
  const answers = await Promise.all([settle(id), settle(id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.json).toMatchObject({ id, state: 'DONE', details: DETAILS })
  const { rows } = await server.test.owner.query(
    `select kind, reason, after from audit_event where about = $1 and kind = 'task_done'`,
    [`task:${id}`],
  )
  expect(rows).toEqual([{ kind: 'task_done', reason: 'Banken har svarat.', after: { act: 'settled' } }])
  expect(await settle(id, 'manager'), 'another is told that it is done').toMatchObject({
    status: 400,
    json: { code: 'task_done' },
  })
})

test('only whoever works with money may say it, and with a reason', async () => {
  const id = await open('bank_day_doubtful')
  for (const who of ['support', 'auditor']) expect((await settle(id, who)).status, who).toBe(403)
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(1001) }, { reason: 'x', more: 1 }])
    expect((await settle(id, 'finance', body)).status, JSON.stringify(body).slice(0, 40)).toBe(400)
  expect(await read(id)).toMatchObject({ state: 'OPEN' })
})

test('a kind that another thing ends, and money that has to be placed, are not ended so', async () => {
  for (const id of [
    await open('refund'),
    await open('proposal', {}),
    await open('bank_line', { amountMinor: 100 }),
  ]) {
    expect((await settle(id)).json).toMatchObject({ code: 'invalid_request' })
    expect(await read(id)).toMatchObject({ state: 'OPEN' })
  }
  expect((await settle(await open('bank_line', { amountMinor: -100, currency: 'SEK' }))).status).toBe(200)
})

test('a doubtful day of a bank line is ended so, though its line has long been placed', async () => {
  const about = 'bank-line:0198f000-0000-7000-8000-000000000001'
  const details = { doubt: 'in_the_future', toldOn: '2027-01-01' }
  await openTask(server.test.db, { instanceId: server.instanceId, kind: 'bank_day_doubtful', about, details })
  const { rows } = await server.test.owner.query('select id from task where about = $1', [about])
  expect((await settle(rows[0].id)).json).toMatchObject({ state: 'DONE', details })
  expect(await read(await open('refund')), 'of other kinds nothing is told').toMatchObject({ details: null })
})

test("another provider's task does not exist", async () => {
  expect((await settle(await open('refund_contradiction', DETAILS, other.id))).status).toBe(404)
})
