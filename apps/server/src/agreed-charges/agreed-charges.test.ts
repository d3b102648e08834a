/** What debtors are charged beside the invoice is agreed by two people, and holds from then on. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { agreeReminderFee, enterChargeOwner } from '../creditors/creditors.ts'
import { buildInstance, buildInvoice, TODAY } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let creditorId: string
let ask: AskOffice
beforeAll(async () => {
  server = await startTestServer()
  creditorId = (await buildInvoice(server.test, server.instanceId, server.clock)).creditorId
  await server.test.owner.query(
    'update creditor set reminder_fee_agreed_on = null, reminder_fee_source = null where id = $1',
    [creditorId],
  )
  ask = await openOffice(server, ['manager', 'approver', 'finance', 'auditor'])
})

const FEE = { agreedOn: '2024-01-31', source: 'Allmänna villkor 2024, punkt 7' }
const OWNER = { from: addDays(TODAY, 1), fees: 'CREDITOR', interest: 'OPERATOR', source: 'Avtal, punkt 4' }
const proposeFee = (wish: object = {}, who: OperatorRole = 'manager') =>
  ask(who, `POST /clients/${creditorId}/reminder-fee`, { ...FEE, ...wish })
const proposeOwner = (wish: object = {}, who: OperatorRole = 'manager') =>
  ask(who, `POST /clients/${creditorId}/charge-owners`, { ...OWNER, ...wish })
const decide = (answer: Answer, who: OperatorRole, how: 'approve' | 'refuse', body?: object) =>
  ask(who, `POST /proposals/${(answer.json as { id: string }).id}/${how}`, body)
const detail = async () =>
  (await ask('auditor', `GET /clients/${creditorId}`)).json as {
    reminderFee: object | null
    chargeOwners: object[]
    openProposals: object[]
    feeNeedsAgreement: boolean
  }

test('where nothing is agreed that is said', async () => {
  expect(await detail()).toMatchObject({ reminderFee: null, chargeOwners: [] })
})

test('bad input changes nothing and names the field', async () => {
  for (const [wish, field] of [
    [{ agreedOn: addDays(TODAY, 1) }, 'agreedOn'],
    [{ agreedOn: '2024-02-30' }, 'agreedOn'],
    // A slip of the pen.
    [{ agreedOn: '0204-01-31' }, 'agreedOn'],
    // Nothing is agreed as it is.
    [{ agreedOn: null }, 'agreedOn'],
    [{ source: ' ' }, 'source'],
    [{ source: null }, 'source'],
    [{ source: 'x'.repeat(201) }, 'source'],
  ] as const)
    expect(told(await proposeFee(wish)), JSON.stringify(wish)).toEqual([400, 'invalid_request', field])
  for (const [wish, field] of [
    [{ from: addDays(TODAY, -1) }, 'from'],
    [{ from: '2027-02-30' }, 'from'],
    [{ from: addDays(TODAY, 732) }, 'from'],
    [{ fees: 'DEBTOR' }, 'fees'],
    [{ interest: null }, 'interest'],
    [{ source: ' ' }, 'source'],
  ] as const)
    expect(told(await proposeOwner(wish)), JSON.stringify(wish)).toEqual([400, 'invalid_request', field])
  expect(told(await proposeFee({}, 'finance'))).toEqual([403, 'not_allowed'])
  expect(told(await proposeOwner({}, 'auditor'))).toEqual([403, 'not_allowed'])
  expect(await detail()).toMatchObject({ reminderFee: null, chargeOwners: [] })
})

test("another provider's creditor does not exist", async () => {
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const { creditorId: theirs } = await buildInvoice(server.test, id, server.clock)
  for (const path of ['reminder-fee', 'charge-owners']) {
    const body = path === 'reminder-fee' ? FEE : OWNER
    expect(told(await ask('manager', `POST /clients/${theirs}/${path}`, body))).toEqual([404, 'not_found'])
  }
})

test('a reminder fee holds once another has approved it, and ends the same way', async () => {
  const proposed = await proposeFee()
  expect(proposed.json, proposed.text).toMatchObject({
    kind: 'reminder_fee',
    before: { agreedOn: null, source: null },
    after: FEE,
  })
  expect(told(await proposeFee())).toEqual([400, 'proposal_open'])
  expect(told(await decide(proposed, 'manager', 'approve'))).toEqual([400, 'another_person_needed'])
  expect(told(await decide(proposed, 'finance', 'approve'))).toEqual([403, 'not_allowed'])
  expect((await detail()).reminderFee).toBeNull()
  expect((await decide(proposed, 'approver', 'approve')).status).toBe(200)
  expect((await detail()).reminderFee).toEqual(FEE)
  expect(told(await proposeFee())).toEqual([400, 'invalid_request', 'agreedOn'])

  const ending = await proposeFee({ agreedOn: null })
  expect(ending.json).toMatchObject({ before: FEE, after: { agreedOn: null, source: null } })
  expect((await decide(ending, 'approver', 'approve')).status).toBe(200)
  expect((await detail()).reminderFee).toBeNull()
})

test('what was changed by somebody else meanwhile is not approved', async () => {
  const proposed = await proposeFee()
  const agreed = { on: '2023-05-01', source: 'Brev' }
  const at = { instanceId: server.instanceId, timeZone: 'Europe/Stockholm' }
  await agreeReminderFee(server.product.context, at, { creditor: creditorId, agreed, by: 'Prov' })
  expect(told(await decide(proposed, 'approver', 'approve'))).toEqual([409, 'changed_meanwhile'])
  expect((await detail()).reminderFee).toEqual({ agreedOn: '2023-05-01', source: 'Brev' })
  expect((await decide(proposed, 'approver', 'refuse', { reason: 'Gammalt' })).status).toBe(200)
})

test('who owns what is charged holds from its day, once another has approved it', async () => {
  const proposed = await proposeOwner()
  expect(proposed.json, proposed.text).toMatchObject({
    kind: 'charge_owner',
    before: { at: OWNER.from },
    after: OWNER,
  })
  const [waiting] = (await detail()).openProposals
  expect(waiting).toEqual({ id: (proposed.json as { id: string }).id, kind: 'charge_owner' })
  expect((await decide(proposed, 'approver', 'approve')).status).toBe(200)
  expect((await detail()).chargeOwners).toMatchObject([{ ...OWNER, enteredBy: 'Prov manager' }])
  expect((await detail()).openProposals).toEqual([])
  expect(told(await proposeOwner()), 'the same again').toEqual([400, 'invalid_request', 'from'])
})

test('what a command entered about an earlier day meanwhile is not overruled unseen, what it entered about a later one is', async () => {
  const enter = (days: number) =>
    enterChargeOwner(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      {
        creditor: creditorId,
        from: addDays(TODAY, days),
        fees: 'OPERATOR',
        interest: 'CREDITOR',
        source: 'Brev',
        by: 'Prov',
      },
    )
  await enter(200)
  const proposed = await proposeOwner({ from: addDays(TODAY, 20) })
  expect(proposed.json).toMatchObject({ before: { ...OWNER, at: addDays(TODAY, 20) } })
  await enter(10)
  expect(told(await decide(proposed, 'approver', 'approve'))).toEqual([409, 'changed_meanwhile'])
  expect((await decide(proposed, 'approver', 'refuse', { reason: 'Gammalt' })).status).toBe(200)
  // Of one day only what was said of it last.
  await enter(10)
  expect((await detail()).chargeOwners).toHaveLength(3)
})

test('where the law of the country sets the fee there is nothing to agree', async () => {
  const { creditorId: norwegian } = await buildInvoice(server.test, server.instanceId, server.clock)
  await server.test.owner.query(`update creditor set country = 'NO' where id = $1`, [norwegian])
  const answer = await ask('manager', `POST /clients/${norwegian}/reminder-fee`, FEE)
  expect(told(answer)).toEqual([400, 'invalid_request', 'agreedOn'])
  expect((await ask('auditor', `GET /clients/${norwegian}`)).json).toMatchObject({
    feeNeedsAgreement: false,
  })
  expect((await detail()).feeNeedsAgreement).toBe(true)
})

test('an owner whose day has passed while the proposal waited is not entered', async () => {
  const proposed = await proposeOwner({ from: addDays(TODAY, 2), source: 'Brev' })
  server.clock.moveTo(addDays(TODAY, 3))
  expect(told(await decide(proposed, 'approver', 'approve'))).toEqual([400, 'invalid_request', 'from'])
  expect((await detail()).chargeOwners).toHaveLength(3)
})
