/** What a person orders at the bank by hand: no file has it too, and only it is found by its sum. */
import { expect, test } from 'vitest'
import { recordRefund } from '../refunds.ts'
import { one, rows, server, violated } from '../../testing/files/bank-files.ts'
import {
  ask,
  caseOf,
  gathered,
  isOpen,
  OF_ADA,
  OF_BO,
  overpaid,
  propose,
  send,
  sentBack,
  tell,
  openRefundOffice,
} from '../../testing/files/refund-office.ts'
import { told } from '../../testing/staff.ts'

openRefundOffice()

const statusOf = async (minor: number): Promise<string[]> =>
  (
    await rows<{ status: string }>(
      `select status from bank_line where kind = 'OUTGOING' and amount_minor = $1 order by id`,
      minor,
    )
  ).map(({ status }) => status)

test('what is sent back and waits for a file is no debit of the same sum, in either order', async () => {
  await tell({ amountMinor: 40_000, isDebit: true, message: 'Avgifter' })
  const { line, task } = await sentBack(40_000, OF_BO)
  expect(await statusOf(40_000)).toEqual(['SUSPENSE'])
  await tell({ amountMinor: 40_000, isDebit: true, message: 'Avgifter' })
  expect(await statusOf(40_000)).toEqual(['SUSPENSE', 'SUSPENSE'])
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(true)
  expect(await gathered()).toContain(task)
  expect(await violated()).toEqual([])
})

test('ordered by hand it is in no file, and the next debit of its sum is it', async () => {
  const { line, task } = await sentBack(41_000, OF_BO)
  expect(told(await ask('finance', `POST /refunds/${task}/record`))).toEqual([200, undefined])
  expect(await caseOf(task)).toMatchObject({ status: 'UNDER_WAY' })
  expect(told(await ask('finance', `POST /refunds/${task}/record`))).toEqual([400, 'refund_under_way'])
  expect(await gathered()).not.toContain(task)
  expect(told(await propose([task]))).toEqual([400, 'refund_not_owed'])
  await tell({ amountMinor: 41_000, isDebit: true })
  expect(await statusOf(41_000)).toEqual(['SETTLED'])
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(false)
  expect(await violated()).toEqual([])
})

test('the debit may have been told of before; one from before the money came is another', async () => {
  await tell({ amountMinor: 42_000, isDebit: true, day: '2026-11-19' as never })
  const first = await sentBack(42_000, OF_BO)
  expect((await ask('finance', `POST /refunds/${first.task}/record`)).status).toBe(200)
  expect(await statusOf(42_000)).toEqual(['SUSPENSE'])
  const second = await sentBack(42_100, OF_BO)
  await tell({ amountMinor: 42_100, isDebit: true })
  // Said to have left, with the debit in suspense: that is it, and nothing is booked twice.
  expect((await ask('finance', `POST /refunds/${second.task}/confirm`)).status).toBe(200)
  expect(await statusOf(42_100)).toEqual(['SETTLED'])
  expect(await isOpen('send_back', `bank-line:${second.line}`)).toBe(false)
  expect(await violated()).toEqual([])
})

test.each(['command', 'office'])(
  'the %s orders by hand what a proposed file would have: the file is not made',
  async (who) => {
    const { line, task } = await sentBack(who === 'office' ? 43_000 : 43_100, OF_ADA)
    const proposal = (await propose([task])).json as { id: string }
    const about = `bank-line:${line}`
    if (who === 'office') expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
    else
      await recordRefund(
        { db: server.test.db, clock: server.clock },
        { instanceId: server.instanceId, by: 'person:anna', about, holder: 'INSTANCE', hasLeft: false },
      )
    expect(told(await ask('approver', `POST /proposals/${proposal.id}/approve`))).toEqual([
      409,
      'changed_meanwhile',
    ])
    expect(await one('select count(*)::int as n from payout where about = $1', about)).toEqual({ n: 0 })
    expect(await violated()).toEqual([])
  },
)

test('a refund that is ordered by hand is found by its sum', async () => {
  const ada = await overpaid(4_400, OF_ADA)
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  await tell({ amountMinor: 4_400, isDebit: true })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('what is in a file is ordered by hand by nobody', async () => {
  const { line, task } = await sentBack(44_500, OF_BO)
  await send(task)
  expect(told(await ask('finance', `POST /refunds/${task}/record`))).toEqual([400, 'refund_under_way'])
  const wish = { instanceId: server.instanceId, by: 'person:anna', about: `bank-line:${line}` } as const
  const parts = { db: server.test.db, clock: server.clock }
  await expect(recordRefund(parts, { ...wish, holder: 'INSTANCE', hasLeft: false })).rejects.toThrow(
    /in a file/,
  )
  await expect(recordRefund(parts, { ...wish, holder: 'INSTANCE', hasLeft: true })).rejects.toThrow(
    /no answer/,
  )
  expect(await violated()).toEqual([])
})
