/** Tasks of the operator's that end from the screen: by the form that ends their cause, and not otherwise. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { anchorAudit, noteEvent } from '../../audit/audit.ts'
import { openTask } from '../../tasks/tasks.ts'
import { buildInstance, buildInvoice } from '../../testing/build.ts'
import { act, build, fault, made, server, statusOf, useSwish } from '../../testing/debts/paid-by-swish.ts'
import { buildInstanceAccount } from '../../testing/build-claim.ts'
import { openOffice, told, type AskOffice } from '../../testing/staff.ts'
import { brokenInvariants } from '../../testing/test-database.ts'

useSwish()
let ask: AskOffice
beforeAll(async () => {
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'auditor'])
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
type Shown = {
  id: string
  kind: string
  subject: { type: string; id: string }
  details: object | null
  state: string
}
/** The task of a kind about something, as the portal has it. */
async function taskOf(kind: string, about: string): Promise<Shown> {
  const [row] = await sql('select id from task where kind = $1 and about = $2', kind, about)
  const answer = await ask('support', `GET /tasks/${row?.id}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
const broken = () => brokenInvariants(server.test.owner, server.instanceId)

/** A payment whose outcome Swish has not known for more than ten minutes. */
async function late() {
  const invoice = await build()
  const { id } = await made(invoice)
  await act(invoice, 'decline', { errorCode: 'DS24' })
  await expect
    .poll(async () => (await sql('select is_outcome_unknown as is from payment where id = $1', id))[0]?.is)
    .toBe(true)
  await sql(`update payment set created_at = now() - interval '11 minutes' where id = $1`, id)
  await server.product.sweepAll()
  await server.product.sweepAll()
  return { invoice, id, again: (who: OperatorRole = 'finance') => ask(who, `POST /payments/${id}/ask`) }
}

test('payment_late: the gateway is asked at once, and the task ends when it knows', async () => {
  const { invoice, id, again } = await late()
  const task = await taskOf('payment_late', `payment:${id}`)
  expect(task).toMatchObject({
    state: 'OPEN',
    subject: { type: 'payments', id },
    details: { gateway: 'SWISH', outcomeUnknown: true },
  })
  expect((await ask('support', `GET /payments/${id}`)).json, 'its page opens').toMatchObject({ id })
  for (const who of ['handler', 'support', 'auditor'] as const)
    expect(told(await again(who)), who).toEqual([403, 'not_allowed'])
  expect((await again()).json, 'Swish still does not know').toMatchObject({
    isLate: true,
    status: 'IN_PROGRESS',
  })
  expect(await taskOf('payment_late', `payment:${id}`)).toMatchObject({ state: 'OPEN' })
  await act(invoice, 'approve')
  const both = await Promise.all([again(), again('manager')])
  for (const answer of both) expect([200, 400], answer.text).toContain(answer.status)
  expect(await taskOf('payment_late', `payment:${id}`)).toMatchObject({ state: 'DONE' })
  expect(await statusOf(invoice)).toBe('CLOSED')
  expect(told(await again())).toEqual([400, 'act_not_open'])
  expect(await broken()).toEqual({})
})

test('account_holder_unset: whoever works with money says whose it is, with a deed; nothing else ends it', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { hasAccount: true })
  const [account] = await sql(
    'update payment_account set holder = null where instance_id = $1 and creditor_id = $2 returning id',
    server.instanceId,
    invoice.creditorId,
  )
  const about = `account:${account.id}`
  await openTask(server.test.db, {
    instanceId: server.instanceId,
    kind: 'account_holder_unset',
    about,
    details: {},
  })
  expect(await taskOf('account_holder_unset', about)).toMatchObject({
    subject: { type: 'bank-accounts', id: account.id },
  })
  const say = (holder: unknown, who: OperatorRole = 'finance', id = account.id) =>
    ask(who, `POST /bank-accounts/${id}/holder`, { holder })
  for (const who of ['handler', 'support', 'auditor'] as const)
    expect(told(await say('CREDITOR', who)), who).toEqual([403, 'not_allowed'])
  expect(told(await say('NOBODY'))[1]).toBe('invalid_request')
  const task = await taskOf('account_holder_unset', about)
  expect(told(await ask('finance', `POST /tasks/${task.id}/settle`, { reason: 'Klart' }))).toEqual([
    400,
    'invalid_request',
    'reason',
  ])
  expect((await say('CREDITOR')).json).toMatchObject({ id: account.id, holder: 'CREDITOR' })
  expect((await say('CREDITOR', 'manager')).status, 'the same again').toBe(200)
  expect(await taskOf('account_holder_unset', about)).toMatchObject({ state: 'DONE' })
  expect(
    await sql(
      `select actor, after from audit_event where kind = 'account_holder_told' and about = $1`,
      about,
    ),
  ).toEqual([{ actor: expect.stringMatching(/^person:[0-9a-f-]{36}:/), after: { holder: 'CREDITOR' } }])
  await buildInstanceAccount(server.test, server.instanceId)
  const [own] = await sql(
    `select id from payment_account where instance_id = $1 and creditor_id is null and is_usable`,
    server.instanceId,
  )
  expect(told(await say('CREDITOR', 'finance', own.id)), 'the provider’s own').toEqual([
    400,
    'invalid_request',
    'holder',
  ])
  const foreign = await buildInstance(server.test, { alias: 'langt', isDefault: false })
  const far = await buildInvoice(server.test, foreign.id, server.clock, { hasAccount: true })
  const [theirs] = await sql('select id from payment_account where creditor_id = $1', far.creditorId)
  expect(told(await say('CREDITOR', 'finance', theirs.id))).toEqual([404, 'not_found'])
  expect(await broken()).toEqual({})
})

test('audit_cut: compared again it ends once the log fits, and only then', async () => {
  const { context } = server.product
  const place = context.config.stores.anchors
  const folder = 'folder' in place ? place.folder : ''
  const event = { instanceId: server.instanceId, kind: 'signed_out', actor: 'link', about: 'x:1' } as const
  await noteEvent(context, event)
  const other = await buildInstance(server.test, { alias: 'annan', isDefault: false })
  await noteEvent(context, { ...event, instanceId: other.id })
  await anchorAudit(context)
  const theirs = { instanceId: other.id, kind: 'audit_cut', about: `chain:${other.id}:1` } as const
  await openTask(server.test.db, { ...theirs, details: {} })
  const [file = ''] = readdirSync(folder)
  const anchors = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { chain: string; hash: string }[]
  const forged = anchors.map((one) =>
    one.chain === server.instanceId ? { ...one, hash: 'f'.repeat(64) } : one,
  )
  const compare = (who: OperatorRole = 'manager') => ask(who, 'POST /audit/compare')
  expect((await compare()).json).toEqual({ intact: true, files: 1 })
  // The file itself, put aside: it stays as old as it is.
  renameSync(join(folder, file), `${folder}-kept`)
  writeFileSync(join(folder, file), JSON.stringify(forged))
  for (const who of ['finance', 'support', 'auditor'] as const)
    expect(told(await compare(who)), who).toEqual([403, 'not_allowed'])
  expect((await compare()).json).toEqual({ intact: false, files: 1 })
  const open = () =>
    sql(
      `select about from task where kind = 'audit_cut' and done_at is null order by instance_id <> $1`,
      server.instanceId,
    )
  const [task] = await open()
  expect(task?.about).toMatch(new RegExp(`^chain:${server.instanceId}:`))
  expect((await compare()).json, 'nobody has found anything out').toMatchObject({ intact: false })
  expect(await open()).toHaveLength(2)
  renameSync(folder, `${folder}-elsewhere`)
  expect((await compare()).json, 'a host without the folder knows nothing').toEqual({
    intact: false,
    files: null,
  })
  expect(await open()).toHaveLength(2)
  renameSync(`${folder}-elsewhere`, folder)
  const unsaid = { intact: false, files: null }
  rmSync(join(folder, file))
  expect((await compare()).json, 'an empty folder').toEqual(unsaid)
  writeFileSync(join(folder, file), '{')
  expect((await compare()).json, 'one that cannot be read').toEqual(unsaid)
  rmSync(join(folder, file))
  await anchorAudit(context)
  expect((await compare()).json, 'one written after the cut').toEqual(unsaid)
  expect(await open()).toHaveLength(2)
  rmSync(join(folder, file))
  renameSync(`${folder}-kept`, join(folder, file))
  expect((await compare()).json).toEqual({ intact: true, files: 1 })
  expect(await open(), 'another provider’s is not this one’s to end').toEqual([{ about: theirs.about }])
})

test('clearing_late: where the money is to come and from whom is told', async () => {
  const about = 'clearing:SWISH:0198f000-0000-7000-8000-000000000001'
  const details = {
    days: [{ day: '2026-11-10', minor: 84_200, currency: 'SEK', payments: 1 }],
    gateway: 'SWISH',
    account: 'SE BANKGIRO 99900110',
  }
  await openTask(server.test.db, { instanceId: server.instanceId, kind: 'clearing_late', about, details })
  const task = await taskOf('clearing_late', about)
  expect(task).toMatchObject({ details })
  expect(told(await ask('finance', `POST /tasks/${task.id}/settle`, { reason: 'Klart' }))).toEqual([
    400,
    'invalid_request',
    'reason',
  ])
})

test('payment_late: a gateway that does not answer says so, and the task stays', async () => {
  const { id, again } = await late()
  await fault('error500', 9)
  expect((await again()).json).toMatchObject({ isAnswered: false, isLate: true })
  expect(await taskOf('payment_late', `payment:${id}`)).toMatchObject({ state: 'OPEN' })
})
