/** What a person decides about a task is done once, with who and why, and all or nothing. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { TaskAct } from '@kvitt/domain/tasks/task-acts.ts'
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { decideTask } from './task-desk.ts'

let server: TestServer
let other: { id: string }
let serial = 0
beforeAll(async () => {
  server = await startTestServer()
  other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const taskOf = async (kind: TaskKind, about: string) =>
  (
    await sql(
      'select id, done_at is null as "isOpen", done_by as by from task where instance_id = $1 and kind = $2 and about = $3',
      [server.instanceId, kind, about],
    )
  )[0] as { id: string; isOpen: boolean; by: string | null }
const deedsOf = (taskId: string) =>
  sql(`select kind, actor, reason, before, after from audit_event where about = $1 order by seq`, [
    `task:${taskId}`,
  ])

const decide = (taskId: string, act: TaskAct, wishes: { reason?: string; amountMinor?: number } = {}) =>
  decideTask(server.product.context, {
    instanceId: server.instanceId,
    taskId,
    act,
    reason: 'Bekräftat av banken.',
    by: 'person:anna',
    ...wishes,
  })

async function open(kind: TaskKind, details: object = {}): Promise<string> {
  serial += 1
  const about = `x:${serial}`
  await openTask(server.test.db, { instanceId: server.instanceId, kind, about, details })
  return (await taskOf(kind, about)).id
}
const stateOf = async (id: string) =>
  (await sql('select done_by as by from task where id = $1 and done_at is not null', [id]))[0]

describe('any task', () => {
  test('done once, with who and why', async () => {
    const id = await open('refund_contradiction', { amountMinor: 500, currency: 'SEK' })
    const decided = await Promise.all([decide(id, 'settled'), decide(id, 'settled')])
    expect(decided.map((task) => task.done_by)).toEqual(['person:anna', 'person:anna'])
    await decide(id, 'settled', { reason: 'Igen.' })
    expect(await deedsOf(id)).toEqual([
      {
        kind: 'task_done',
        actor: 'person:anna',
        reason: 'Bekräftat av banken.',
        before: {
          kind: 'refund_contradiction',
          about: expect.any(String),
          details: { amountMinor: 500, currency: 'SEK' },
        },
        after: { act: 'settled' },
      },
    ])
  })

  test('without a reason, with an act of another kind, or of another provider, nothing happens', async () => {
    const id = await open('payment_contradiction')
    await expect(decide(id, 'settled', { reason: ' .' })).rejects.toThrow('Say why')
    await expect(decide(id, 'resend')).rejects.toThrow('does not take "resend". It takes settled.')
    const stranger = {
      instanceId: other.id,
      taskId: id,
      act: 'settled',
      reason: 'Klart.',
      by: 'person:anna',
    } as const
    await expect(decideTask(server.product.context, stranger)).rejects.toThrow('has no task')
    expect(await stateOf(id)).toBeUndefined()
    expect(await deedsOf(id)).toEqual([])
    await decide(id, 'settled')
    expect(await stateOf(id)).toEqual({ by: 'person:anna' })
  })

  test.each(['bank_day_doubtful', 'refund_contradiction', 'restate_by_hand'] as const)(
    'what only a person can settle: %s',
    async (kind) => {
      const id = await open(kind)
      await decide(id, 'settled')
      expect(await stateOf(id)).toEqual({ by: 'person:anna' })
    },
  )

  test('what ends by itself takes no act', async () => {
    for (const kind of ['payment_late', 'work_stuck', 'rate_unknown'] as const)
      await expect(decide(await open(kind), 'settled')).rejects.toThrow('Nothing is to be said about it')
  })

  test('money that waits to be placed is not settled; what the bank took back is', async () => {
    await expect(decide(await open('bank_line', { amountMinor: 100 }), 'settled')).rejects.toThrow(
      'npm run place-payment',
    )
    const id = await open('bank_line', { amountMinor: -100 })
    await decide(id, 'settled')
    expect(await stateOf(id)).toEqual({ by: 'person:anna' })
  })
})

describe('a dispute', () => {
  async function dispute() {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`
    const { id } = (await server.call('POST', path, { body })).json as { id: string }
    return { invoice, task: await taskOf('dispute_to_answer', `dispute:${id}`) }
  }
  const invoiceOf = (id: string) =>
    sql('select status, balance_minor::int as owed from invoice where id = $1', [id])

  test('is rejected with the answer, once', async () => {
    const { invoice, task } = await dispute()
    await Promise.all([decide(task.id, 'reject'), decide(task.id, 'reject')])
    expect(await invoiceOf(invoice.id)).toEqual([{ status: 'ACTIVATED', owed: 84_200 }])
    expect(await sql('select status, decision from dispute where invoice_id = $1', [invoice.id])).toEqual([
      { status: 'REJECTED', decision: 'Bekräftat av banken.' },
    ])
    expect(await deedsOf(task.id)).toHaveLength(1)
  })

  test('is upheld in part; an amount that does not fit leaves everything as it was', async () => {
    const { invoice, task } = await dispute()
    await expect(decide(task.id, 'uphold', { amountMinor: 84_201 })).rejects.toThrow('can be credited')
    expect((await sql('select done_at from task where id = $1', [task.id]))[0].done_at).toBeNull()
    expect(await deedsOf(task.id)).toEqual([])
    await decide(task.id, 'uphold', { amountMinor: 4_200 })
    expect(await invoiceOf(invoice.id)).toEqual([{ status: 'ACTIVATED', owed: 80_000 }])
    expect((await deedsOf(task.id))[0].after).toEqual({ act: 'uphold', amountMinor: 4_200 })
  })
})

describe('a message that nobody took', () => {
  async function dead(stepId: string | null): Promise<{ mail: string; task: string }> {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    serial += 1
    const [{ id: mail }] = await sql(
      `insert into mail_outbox (instance_id, id, channel, kind, cause, recipient, language, subject, text_body, invoice_id, status,
         tries, refusals, last_error)
       values ($1, gen_random_uuid(), 'SMS', 'payment_received', $2, null, 'sv', 'Hej', 'Hej', $3, 'DEAD', 3, '{"EMAIL 550"}', 'no address')
       returning id`,
      [server.instanceId, stepId ?? `payment:${serial}`, invoice.id],
    )
    const about = `mail:${mail}`
    const details = { kind: 'payment_received', cause: stepId ?? `payment:${serial}` }
    await openTask(server.test.db, {
      instanceId: server.instanceId,
      kind: 'mail_undeliverable',
      about,
      details,
    })
    return { mail, task: (await taskOf('mail_undeliverable', about)).id }
  }
  const mailOf = async (id: string) =>
    (await sql('select status, channel, next_channels, tries from mail_outbox where id = $1', [id]))[0]

  test('goes again from its first way on', async () => {
    const { mail, task } = await dead(null)
    await Promise.all([decide(task, 'resend'), decide(task, 'resend')])
    expect(await mailOf(mail)).toEqual({
      status: 'WAITING',
      channel: 'EMAIL',
      next_channels: ['SMS'],
      tries: 0,
    })
    expect(await stateOf(task)).toEqual({ by: 'person:anna' })
  })

  test('is given up for good', async () => {
    const { mail, task } = await dead(null)
    await decide(task, 'drop')
    expect(await mailOf(mail)).toMatchObject({ status: 'DROPPED' })
    await expect(decide(task, 'resend')).resolves.toMatchObject({ done_by: 'person:anna' })
    expect(await mailOf(mail)).toMatchObject({ status: 'DROPPED' })
  })

  test('a letter of the schedule is only mended: the night writes it again', async () => {
    const { mail, task } = await dead('step:x')
    for (const act of ['resend', 'drop'] as const)
      await expect(decide(task, act)).rejects.toThrow('say "mended"')
    await decide(task, 'mended')
    expect(await mailOf(mail)).toMatchObject({ status: 'DEAD' })
    await expect(decide((await dead(null)).task, 'mended')).rejects.toThrow('say "resend" or "drop"')
  })
})

test('a payment that closed the case meanwhile leaves nothing to decide', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const body = { debtorEmail: 'alva@example.com', reason: 'Trasig.' }
  const made = await server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`, {
    body,
  })
  const task = await taskOf('dispute_to_answer', `dispute:${(made.json as { id: string }).id}`)
  await transfer(server, invoice, 84_200)
  expect(await decide(task.id, 'uphold')).toMatchObject({ done_by: null })
  expect(await deedsOf(task.id)).toEqual([])
})
