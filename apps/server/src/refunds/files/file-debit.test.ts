/** A file that the bank debits as one sum: a person says so, and each of its rows has left, once. */
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { newId } from '../../platform/identity.ts'
import { balanceOf, one, rows, server, violated } from '../../testing/files/bank-files.ts'
import {
  ask,
  bankOf,
  caseOf,
  isOpen,
  OF_ADA,
  OF_BO,
  overpaid,
  send,
  sentBack,
  tell,
  openRefundOffice,
} from '../../testing/files/refund-office.ts'
import { told } from '../../testing/staff.ts'

openRefundOffice()

async function debit(amountMinor: number, entry: object = {}): Promise<string> {
  await tell({ amountMinor, isDebit: true, ...entry })
  return (
    await one<{ id: string }>(
      `select id from bank_line where kind = 'OUTGOING' and amount_minor = $1 and status = 'SUSPENSE' order by id desc limit 1`,
      amountMinor,
    )
  ).id
}
const settle = (line: string, file: string, key?: string) =>
  ask('finance', `POST /suspense/${line}/file`, { file }, key ?? newId(server.clock.now()))

test('one debit of the whole file settles all of its rows in one act', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const ada = await overpaid(3_100, OF_ADA)
  const nobody = await sentBack(3_250, OF_BO)
  const file = await send(ada.task, nobody.task)
  const short = await debit(6_349)
  expect(told(await settle(short, file.id))).toEqual([400, 'file_sum_differs', 'file'])
  const line = await debit(6_350)
  const seen = (await ask('finance', `GET /suspense/${line}`)).json
  expect(seen).toMatchObject({ files: [{ id: file.id, count: 2 }] })
  expect(told(await settle(line, newId(server.clock.now())))).toEqual([400, 'file_sum_differs', 'file'])
  expect(told(await ask('support', `POST /suspense/${line}/file`, { file: file.id }))).toEqual([
    403,
    'not_allowed',
  ])
  const key = newId(server.clock.now())
  expect((await settle(line, file.id, key)).json).toMatchObject({ status: 'SETTLED' })
  expect((await settle(line, file.id, key)).status).toBe(200)
  expect(told(await settle(line, file.id))).toEqual([400, 'not_in_suspense'])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await isOpen('send_back', `bank-line:${nobody.line}`)).toBe(false)
  expect(await isOpen('payout_to_confirm', `payout-file:${file.id}`)).toBe(false)
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  expect(await violated()).toEqual([])
  // One of them comes back days later.
  const order = file.orders.find(({ about }) => about === `refund:${ada.about}`)
  await tell({ amountMinor: 3_100, endToEndId: endToEndId(order?.id ?? '') })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'RETURNED' }] })
  expect(await violated()).toEqual([])
})

test('rows that the bank debits one by one without a name are settled so; of equal ones once each has its debit', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const [ada, bo, cia] = [
    await overpaid(3_810, OF_ADA),
    await overpaid(3_820, OF_BO),
    await overpaid(3_820, OF_ADA),
  ]
  const file = await send(ada.task, bo.task, cia.task)
  const odd = await debit(3_815)
  expect(told(await settle(odd, file.id))).toEqual([400, 'file_sum_differs', 'file'])
  const line = await debit(3_810)
  const seen = (await ask('finance', `GET /suspense/${line}`)).json
  expect(seen).toMatchObject({ files: [{ id: file.id, isWhole: false, count: 1 }] })
  expect(told(await settle(line, file.id))).toEqual([200, undefined])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  // It may be the one or the other.
  const first = await debit(3_820)
  expect(told(await settle(first, file.id))).toEqual([400, 'file_sum_differs', 'file'])
  const second = await debit(3_820)
  expect(told(await settle(first, file.id))).toEqual([200, undefined])
  expect(told(await settle(second, file.id))).toEqual([200, undefined])
  expect(await caseOf(bo.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await caseOf(cia.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await isOpen('payout_to_confirm', `payout-file:${file.id}`)).toBe(false)
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  expect(await violated()).toEqual([])
})

test('what a person has said to have left is in the debit too, and is told once', async () => {
  const [ada, bo] = [await overpaid(3_300, OF_ADA), await overpaid(3_400, OF_BO)]
  const file = await send(ada.task, bo.task)
  await bankOf(file).answer()
  expect((await ask('finance', `POST /refunds/${ada.task}/confirm`)).status).toBe(200)
  const line = await debit(6_700)
  expect(told(await settle(line, file.id))).toEqual([200, undefined])
  expect(await caseOf(bo.task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('a row that a person has said to have left is told by its own debit after that', async () => {
  const ada = await overpaid(3_500, OF_ADA)
  const file = await send(ada.task)
  const bank = bankOf(file)
  await bank.answer()
  expect((await ask('finance', `POST /refunds/${ada.task}/confirm`)).status).toBe(200)
  await bank.debit()
  const states = await rows(`select status from bank_line where named_payment_id = $1`, file.orders[0]?.id)
  expect(states).toEqual([{ status: 'SETTLED' }])
  expect(await violated()).toEqual([])
})

test('a debit that names a row is that row’s, and one of two at once settles', async () => {
  const ada = await overpaid(3_600, OF_ADA)
  const file = await send(ada.task)
  const name = endToEndId(file.orders[0]?.id ?? '')
  await tell({ amountMinor: 3_600, isDebit: true, endToEndId: name })
  const again = await debit(3_600, { endToEndId: name })
  expect(told(await settle(again, file.id))).toEqual([400, 'entry_not_open'])
  const bo = await overpaid(3_700, OF_BO)
  const second = await send(bo.task)
  const lines = [await debit(3_700), await debit(3_700)]
  const both = await Promise.all(lines.map((line) => settle(line, second.id)))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(await violated()).toEqual([])
})
