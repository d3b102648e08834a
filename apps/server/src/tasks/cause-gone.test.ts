/** A task ends when its cause is gone, however that came about. No kind lacks its test. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TASK_KINDS, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import {
  rejectClaimDispute,
  rejectDispute,
  performDailyRun,
  stopClaim,
  stopInvoice,
  upholdClaimDispute,
  upholdDispute,
} from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { endsUnmet, endTask, isTaskOpen, openTask, quarantine } from './tasks.ts'

/** Where it is shown, as file and a part of the test's name. */
const SHOWN: Readonly<Record<TaskKind, readonly [file: string, name: string]>> = {
  dispute_to_answer: ['tasks/cause-gone.test.ts', 'of an invoice: '],
  question_asked: ['conversations/conversations.test.ts', 'the thread ends, and so does its task'],
  more_time_asked: ['conversations/requests.test.ts', 'declined: it goes on'],
  plan_proposed: ['conversations/plan-requests.test.ts', 'the proposal ends, and nobody has to answer it'],
  said_paid: ['conversations/requests.test.ts', 'found: entered as a direct payment'],
  schedule_ended: ['court/court.test.ts', 'the schedule ends with a question'],
  creditor_refund: ['bank-files/holders.test.ts', 'the creditor says that it has sent it'],
  import_with_errors: ['imports/office/office-imports.test.ts', 'ends when nothing is wrong any more'],
  webhook_off: ['webhooks/deliver.test.ts', 'switched on again, nobody has to mend it any more'],
  bank_line: ['bank-files/suspense.test.ts', 'nobody has to place it any more'],
  refund: ['refunds/refunds.test.ts', 'nobody has to send it any more'],
  send_back: ['bank-files/money-out.test.ts', 'a person says that it has left'],
  payment_contradiction: ['payments/faults.test.ts', 'until the gateway’s word fits'],
  refund_contradiction: ['refunds/refunds.test.ts', 'ends when it has ended'],
  payment_unsettled: ['payments/unsettled.test.ts', 'an order that the gateway does not know is released'],
  payment_late: ['tasks/cause-gone.test.ts', 'a payment that is late'],
  payment_lost: ['refunds/read-journal.test.ts', 'nobody has to wait for the bank any more'],
  refund_late: ['refunds/refunds.test.ts', 'ends when it has ended'],
  refund_failed: ['refunds/refunds.test.ts', 'ends when it has ended'],
  clearing_late: ['bank-files/overdue-clearing.test.ts', 'there is a task, until the money comes'],
  bank_file_missing: ['collection/waiting-debts.test.ts', 'of a file that is missing'],
  bank_file_gap: ['bank-files/camt/camt-entries.test.ts', 'and the file that comes ends it'],
  bank_file_refused: [
    'bank-files/folder/bank-folder.test.ts',
    'its task ends when a good one comes under its name',
  ],
  bank_day_doubtful: ['task-desk/task-desk.test.ts', 'what only a person can settle'],
  account_files_unset: ['collection/waiting-debts.test.ts', 'how its files come'],
  account_holder_unset: ['bank-files/holders.test.ts', 'account_holder_unset'],
  restate_by_hand: ['task-desk/task-desk.test.ts', 'what only a person can settle'],
  rate_unknown: ['collection/agreed-figures.test.ts', 'a task ends when the figure is known'],
  ceiling_unknown: ['part-payments/offers/unknown-ceilings.test.ts', 'once nothing is set there'],
  debtor_flagged: ['debtor-flags/debtor-flags.test.ts', 'nobody has to answer it any more'],
  data_request: ['data-protection/data-request.test.ts', 'nobody has to answer it any more'],
  court_to_file: ['court/court.test.ts', 'asked for, filed and recorded'],
  settlement_to_approve: [
    'payout-desk/payout-desk.test.ts',
    'approved by another, and nobody has to approve it any more',
  ],
  payout_to_confirm: ['payout-desk/payout-desk.test.ts', 'nobody waits for the bank any more'],
  payout_refused: ['payout-desk/payout-desk.test.ts', 'proposed again, and nobody has to any more'],
  paid_twice: ['refunds/files/paid-twice.test.ts', 'nobody asks for it any more'],
  advance_wanted: ['client-funds/advances.test.ts', 'once as much is held again nobody has to advance it'],
  proposal: ['proposal-desk/proposal-desk.test.ts', 'nobody has to decide it any more'],
  mail_undeliverable: ['task-desk/task-desk.test.ts', 'a message that nobody took'],
  work_stuck: ['tasks/cause-gone.test.ts', 'what a night does not meet any more'],
  audit_cut: ['audit/anchor.test.ts', 'one from before that fits ends the task'],
}

const source = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8')

describe('every kind', () => {
  test.each(Object.keys(TASK_KINDS) as TaskKind[])('%s has a test that it ends', (kind) => {
    const [file, name] = SHOWN[kind]
    expect(source(file).includes(name), `${file}: ${name}`).toBe(true)
  })
})

let server: TestServer
let serial = 0
beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(() => void (serial += 1))

const context = () => server.product.context
const isOpen = (kind: TaskKind, about: string) =>
  isTaskOpen(server.test.db, { instanceId: server.instanceId, kind, about })

const answer = { on: TODAY, answer: 'Fakturan stämmer.' }

describe('a dispute', () => {
  async function dispute(part: string): Promise<string> {
    const body = { debtorEmail: 'alva@example.com', reason: 'Trasig vid leverans.' }
    const made = await server.call('POST', `/api/public/invoices/${part}/dispute`, { body })
    expect(made.status).toBe(201)
    const about = `dispute:${(made.json as { id: string }).id}`
    expect(await isOpen('dispute_to_answer', about)).toBe(true)
    return about
  }
  const build = () => buildInvoice(server.test, server.instanceId, server.clock)

  test.each<[string, (invoice: Awaited<ReturnType<typeof build>>) => Promise<unknown>]>([
    [
      'rejected',
      ({ id }) => rejectDispute(context(), { instanceId: server.instanceId, invoiceId: id }, answer),
    ],
    [
      'upheld',
      ({ id }) =>
        upholdDispute(
          context(),
          { instanceId: server.instanceId, invoiceId: id },
          { on: TODAY, decision: 'Ni har rätt.', creditMinor: 'all' },
        ),
    ],
    [
      'upheld in part',
      ({ id }) =>
        upholdDispute(
          context(),
          { instanceId: server.instanceId, invoiceId: id },
          { on: TODAY, decision: 'Delvis.', creditMinor: 1_000 },
        ),
    ],
    [
      'stopped',
      ({ id }) =>
        stopInvoice(
          context(),
          { instanceId: server.instanceId, invoiceId: id },
          { on: TODAY, reason: 'Dödsbo' },
        ),
    ],
    ['paid', (invoice) => transfer(server, invoice, 84_200)],
  ])('of an invoice: %s, nobody has to answer it any more', async (_, end) => {
    const invoice = await build()
    const about = await dispute(`${invoice.reference}/${invoice.zip}`)
    await end(invoice)
    expect(await isOpen('dispute_to_answer', about)).toBe(false)
  })

  test.each<[string, (key: { instanceId: string; claimId: string }) => Promise<unknown>]>([
    ['rejected', (key) => rejectClaimDispute(context(), key, answer)],
    ['upheld', (key) => upholdClaimDispute(context(), key, { ...answer, creditMinor: 'all' })],
    ['stopped', (key) => stopClaim(context(), key, { on: TODAY, reason: 'Dödsbo' })],
  ])('of a claim: %s, nobody has to answer it any more', async (_, end) => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const body = { debtorEmail: 'alva@example.com', reason: 'Inte min skuld.' }
    const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/dispute`
    const made = await server.call('POST', path, { body })
    expect(made.status).toBe(201)
    const about = `dispute:${(made.json as { id: string }).id}`
    expect(await isOpen('dispute_to_answer', about)).toBe(true)
    await end({ instanceId: server.instanceId, claimId: claim.id })
    expect(await isOpen('dispute_to_answer', about)).toBe(false)
  })
})

describe('what a night does not meet any more', () => {
  const log = openLog('silent')
  const fail = (): Promise<never> => Promise.reject(new TypeError('poisoned'))
  const matter = (about: string) => ({ instanceId: server.instanceId, about })

  test('work that failed, and a ceiling that was unknown, are done; what it met again stays', async () => {
    const { db } = server.test
    const [gone, stays, rate] = [`step gone ${serial}`, `step stays ${serial}`, `DK consumer ${serial}`]
    for (const about of [gone, stays]) await quarantine({ db, log }, matter(about), fail)
    await openTask(db, { instanceId: server.instanceId, kind: 'ceiling_unknown', about: rate, details: {} })
    expect([await isOpen('work_stuck', gone), await isOpen('ceiling_unknown', rate)]).toEqual([true, true])
    await endsUnmet(db, server.instanceId, async () => {
      await quarantine({ db, log }, matter(stays), fail)
      return { isEnded: true }
    })
    expect([await isOpen('work_stuck', gone), await isOpen('work_stuck', stays)]).toEqual([false, true])
    expect(await isOpen('ceiling_unknown', rate)).toBe(false)
    await quarantine({ db, log }, matter(gone), fail)
    expect(await isOpen('work_stuck', gone)).toBe(true)
  })

  test('a night that did not come to its end ends nothing', async () => {
    const { db } = server.test
    const about = `step ${serial}`
    await quarantine({ db, log }, matter(about), fail)
    await expect(endsUnmet(db, server.instanceId, fail)).rejects.toThrow('poisoned')
    await endsUnmet(db, server.instanceId, async () => ({ isEnded: false }))
    expect(await isOpen('work_stuck', about)).toBe(true)
  })

  test('a night ends it, but for what the post and the bank’s lines meet', async () => {
    const { db } = server.test
    const [step, ...others] = [`step ${serial}`, `mail ${serial}`, `place bank line ${serial}`]
    for (const about of [step, ...others]) await quarantine({ db, log }, matter(about), fail)
    await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, TODAY)
    expect(await isOpen('work_stuck', step)).toBe(false)
    for (const about of others) expect(await isOpen('work_stuck', about), about).toBe(true)
  })
})

test('a payment that is late is a task until its gateway answers or it has ended', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const started = await server.call(
    'POST',
    `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
    {
      body: { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` },
    },
  )
  const { id } = started.json as { id: string }
  const about = `payment:${id}`
  await server.control('POST', '/control/faults', { target: 'mobile', fault: 'error500', times: 20 })
  await server.test.owner.query(
    `update payment set created_at = now() - interval '2 hours', checked_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
  await server.product.sweepAll()
  expect(await isOpen('payment_late', about)).toBe(true)
  await server.control('DELETE', '/control/faults')
  await expect
    .poll(async () => (await server.product.sweepAll(), isOpen('payment_late', about)), { timeout: 20_000 })
    .toBe(false)
})

describe('what is asked again', () => {
  const task = () => ({
    instanceId: server.instanceId,
    kind: 'bank_line' as const,
    about: `x:${serial}`,
    details: { n: 1 },
  })

  test('once while it is open; again when it ended by itself; never when a person has decided', async () => {
    const { db } = server.test
    expect([await openTask(db, task()), await openTask(db, task())]).toEqual([true, false])
    expect([await endTask(db, task()), await endTask(db, task())]).toEqual([true, false])
    expect(await openTask(db, task())).toBe(true)
    await server.test.owner.query(
      `update task set done_at = now(), done_by = 'person:anna' where about = $1`,
      [task().about],
    )
    expect(await openTask(db, task())).toBe(false)
    expect(await isOpen('bank_line', task().about)).toBe(false)
  })

  test('by many at once it is one task', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => openTask(server.test.db, task())))
    expect(made.filter(Boolean)).toHaveLength(1)
  })
})
