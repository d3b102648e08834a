/** An operator's people say how the files of an account come, and that a file which is missing is none. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { openTask } from '../../tasks/tasks.ts'
import { buildInstance, buildInvoice, TODAY } from '../../testing/build.ts'
import { openOffice, told, type AskOffice } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer()
  await buildInvoice(server.test, server.instanceId, server.clock, { hasAccount: true })
  ask = await openOffice(server, ['finance', 'support'])
})

type Account = { readonly id: string; readonly creditor: object | null; readonly files: string | null }
const accounts = async () =>
  ((await ask('support', 'GET /bank-accounts')).json as { accounts: Account[] }).accounts

test('how its files come is said once, and ends the task that asks', async () => {
  const [account] = await accounts()
  expect(account).toMatchObject({
    creditor: { name: 'Fjällström Demo Energi AB' },
    files: null,
    since: null,
    toldTo: null,
  })
  const id = account?.id ?? ''
  const about = `account:${id}`
  await server.product.context.db.transaction((tx) =>
    openTask(tx, { instanceId: server.instanceId, kind: 'account_files_unset', about, details: {} }),
  )
  const choose = (files: string, who: OperatorRole = 'finance') =>
    ask(who, `POST /bank-accounts/${id}/files`, { files })
  expect(told(await choose('daily_statement', 'support'))).toEqual([403, 'not_allowed'])
  expect(told(await choose('weekly'))).toEqual([400, 'invalid_request', 'files'])
  const chosen = await choose('daily_statement')
  expect(chosen.json, chosen.text).toMatchObject({
    files: 'daily_statement',
    since: TODAY,
    awaited: [],
    missing: [],
  })
  const task = await server.test.owner.query(
    'select done_at is not null as done from task where about = $1',
    [about],
  )
  expect(task.rows).toEqual([{ done: true }])
})

test('a day is told of when a person says so: not one to come, nor one before files were asked for', async () => {
  const [account] = await accounts()
  const say = (to: string, who: OperatorRole = 'finance') =>
    ask(who, `POST /bank-accounts/${account?.id}/told`, { to })
  server.clock.moveTo(addDays(TODAY, 10))
  const late = ((await accounts())[0] as unknown as { missing: { first: string }[] }).missing
  expect(late[0]?.first).toBe(TODAY)
  expect(told(await say(addDays(TODAY, 5), 'support'))).toEqual([403, 'not_allowed'])
  for (const day of ['x', '2026-02-30'])
    expect(told(await say(day)), day).toEqual([400, 'invalid_request', 'to'])
  for (const day of [addDays(TODAY, 11), addDays(TODAY, -1)])
    expect(told(await say(day)), day).toEqual([400, 'day_out_of_reach', 'to'])
  const said = await say(addDays(TODAY, 9))
  expect(said.json, said.text).toMatchObject({ toldTo: addDays(TODAY, 9), missing: [], awaited: [] })
})

test("another provider's account does not exist", async () => {
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  await buildInvoice(server.test, id, server.clock, { hasAccount: true })
  const theirs = await server.test.owner.query('select id from payment_account where instance_id = $1', [id])
  const path = `/bank-accounts/${theirs.rows[0].id}`
  expect(told(await ask('finance', `POST ${path}/files`, { files: 'none' }))).toEqual([404, 'not_found'])
  expect(told(await ask('finance', `POST ${path}/told`, { to: TODAY }))).toEqual([404, 'not_found'])
  expect((await accounts()).every(({ id: one }) => one !== theirs.rows[0].id)).toBe(true)
})
