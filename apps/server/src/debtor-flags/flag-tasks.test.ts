/** What is to be done about a claim rests with its debtor's debts, and comes back with its whole time (M-34). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { deadlineOf, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { TODAY } from '../testing/build.ts'
import { openOffice, signInStaff, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice
let claim: Awaited<ReturnType<typeof buildClaim>>

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler'])
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  claim = await buildClaim(server.test, server.instanceId, server.clock)
})

type Task = { id: string; state: string; deadline: string; subject: { id: string } }
const found = async (state: string): Promise<Task[]> => {
  const { json } = await ask('handler', 'POST /tasks/search?limit=100', { state })
  return (json as Task[]).filter(({ subject }) => subject.id === claim.id)
}

test.each<TaskKind>(['court_to_file', 'schedule_ended'])(
  '%s is not in the list while the debts rest, and comes back with its whole time',
  async (kind) => {
    const [debtor] = (
      await server.test.owner.query('select debtor_id, creditor_id from claim where id = $1', [claim.id])
    ).rows
    const about = `claim:${claim.id}`
    await openTask(server.test.db, {
      instanceId: server.instanceId,
      kind,
      about,
      details: {},
      madeOn: TODAY,
    })
    const [shown] = await found('OPEN')
    expect(shown?.deadline).toBe(deadlineOf(kind, TODAY, 'SE'))
    const set = await ask('support', `POST /debtors/${debtor?.debtor_id}/flags`, {
      kind: 'DECEASED',
      from: TODAY,
      source: 'Dödsbo, brev 12 nov',
    })
    expect(set.status, set.text).toBe(200)
    expect(await found('OPEN')).toEqual([])
    expect(await found('RESTING')).toMatchObject([{ id: shown?.id, state: 'RESTING' }])
    // Its creditor is not asked either.
    const clerk = await signInStaff(server.product.context, {
      instanceId: server.instanceId,
      creditorId: debtor?.creditor_id,
      role: 'clerk',
    })
    const asked = await server.call('POST', '/api/client/tasks/search', {
      headers: clerk,
      body: { state: 'OPEN', kind: 'schedule_ended' },
    })
    expect(asked.status, asked.text).toBe(200)
    expect(asked.json).toEqual([])
    const later = addDays(TODAY, 40)
    server.clock.moveTo(later)
    const flag = (set.json as { flags: { id: string }[] }).flags[0]?.id
    const over = await ask('handler', `POST /debtor-flags/${flag}/end`, { reason: 'Fel person' })
    expect(over.status, over.text).toBe(200)
    expect(await found('RESTING')).toEqual([])
    expect(await found('OPEN')).toMatchObject([{ id: shown?.id, deadline: deadlineOf(kind, later, 'SE') }])
  },
)
