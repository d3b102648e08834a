/** What a file of refunds binds, whom it names, and what a person may say of its rows. */
import { expect, test } from 'vitest'
import { newId } from '../../platform/identity.ts'
import { rows, server, violated } from '../../testing/files/bank-files.ts'
import {
  approve,
  ask,
  bankOf,
  caseOf,
  fileOfProposal,
  idOf,
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

test('nobody says of a row that it has left before the bank has answered, nor beside a debit that may be it', async () => {
  const ada = await overpaid(2_110, OF_ADA)
  const file = await send(ada.task)
  const confirm = () => ask('finance', `POST /refunds/${ada.task}/confirm`)
  expect(told(await confirm())).toEqual([400, 'refund_under_way'])
  const bank = bankOf(file)
  expect((await bank.answer()).json).toMatchObject({ accepted: 1 })
  await tell({ amountMinor: 2_110, isDebit: true, message: 'No name' })
  expect(told(await confirm())).toEqual([400, 'debit_in_suspense'])
  await bank.debit()
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await violated()).toEqual([])
})

test.each(['name', 'account'])('another %s after the proposal is another file', async (what) => {
  const ada = await overpaid(2_120, OF_ADA)
  const proposal = idOf(await propose([ada.task]))
  const seen = (await ask('approver', `GET /proposals/${proposal}/receivers`)).json
  expect(seen).toEqual({
    rows: [{ id: ada.task, name: 'Ada & Bo Ek', account: { scheme: 'IBAN', number: OF_ADA } }],
  })
  const id = ada.about.slice('payment:'.length)
  if (what === 'name') await rows(`update bank_line set payer = 'Someone Else' where id = $1`, id)
  // The end of it is the same.
  else await rows(`update bank_line set payer_account = 'SE0050000000058398257466' where id = $1`, id)
  expect(told(await approve('approver', proposal))).toEqual([409, 'changed_meanwhile'])
  expect(told(await ask('support', `GET /proposals/${proposal}/receivers`))).toEqual([403, 'not_allowed'])
  await rows(`update bank_line set payer = 'Ada & Bo Ek', payer_account = $2 where id = $1`, id, OF_ADA)
})

test('each of what was nobody’s counts against the limit of one person by itself', async () => {
  const { task } = await sentBack(500_100, OF_BO)
  const signedIn = (ago: string) =>
    rows(
      `update staff_session s set signed_in_at = now() - $1::interval from membership m join person p on p.id = m.person_id
       where m.id = s.membership_id and p.email = 'finance@example.com'`,
      ago,
    )
  await signedIn('11 minutes')
  expect(told(await propose([task]))).toEqual([403, 'sign_in_again'])
  await signedIn('1 minute')
  expect(told(await propose([task]))).toEqual([202, undefined])
})

test('what a bank has refused is in the next file only when it is named', async () => {
  const [ada, bo] = [await overpaid(2_130, OF_ADA), await overpaid(2_140, OF_BO)]
  await bankOf(await send(ada.task), 'all').answer()
  const listed = (await ask('finance', 'GET /refunds/gathered?currency=SEK')).json as {
    rows: { id: string; hasFailed: boolean }[]
  }
  expect(listed.rows.find(({ id }) => id === ada.task)).toMatchObject({ hasFailed: true })
  expect(listed.rows.find(({ id }) => id === bo.task)).toMatchObject({ hasFailed: false })
  const proposal = idOf(await ask('finance', 'POST /refunds/files', { currency: 'SEK' }))
  const ids = JSON.stringify((await ask('approver', `GET /proposals/${proposal}`)).json)
  expect(ids).toContain(bo.task)
  expect(ids).not.toContain(ada.task)
  expect(told(await propose([ada.task]))).toEqual([202, undefined])
})

test('a file is executed on a day of the banks, within thirty days', async () => {
  const ada = await overpaid(2_150, OF_ADA)
  for (const executionDate of ['2026-11-21', '2026-12-24', '2026-12-21'])
    expect(told(await propose([ada.task], { executionDate }))).toEqual([
      400,
      'invalid_request',
      'executionDate',
    ])
  const proposal = idOf(await propose([ada.task], { executionDate: '2026-12-18' }))
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  expect((await fileOfProposal(proposal)).content).toContain('<ReqdExctnDt><Dt>2026-12-18</Dt></ReqdExctnDt>')
})

test('a name that no bank reads becomes one that it does', async () => {
  const ada = await overpaid(2_160, OF_ADA)
  await rows(
    `update bank_line set payer = $2 where id = $1`,
    ada.about.slice('payment:'.length),
    '\u{1F600}\u200B',
  )
  expect((await send(ada.task)).content).toContain('<Cdtr><Nm>NOTPROVIDED</Nm></Cdtr>')
})

test('proposed twice under one key it is one proposal', async () => {
  const ada = await overpaid(2_170, OF_ADA)
  const key = newId(server.clock.now())
  const body = { currency: 'SEK', refunds: [ada.task] }
  const both = [
    await ask('finance', 'POST /refunds/files', body, key),
    await ask('finance', 'POST /refunds/files', body, key),
  ]
  expect(both.map(idOf)).toEqual([idOf(both[0] ?? never()), idOf(both[0] ?? never())])
  expect(told(await ask('finance', 'POST /refunds/files', { currency: 'EUR' }, key))).toEqual([
    400,
    'idempotency_key_reused',
  ])
})
const never = (): never => {
  throw new Error('nothing was answered')
}

test('what has an account comes before any number of older rows that have none', async () => {
  const nobody = await overpaid(2_180)
  const ada = await overpaid(2_190, OF_ADA)
  const listed = (await ask('finance', 'GET /refunds/gathered?currency=SEK')).json as {
    rows: { id: string }[]
  }
  const ids = listed.rows.map(({ id }) => id)
  expect(ids.indexOf(ada.task)).toBeGreaterThan(-1)
  expect(ids.indexOf(ada.task)).toBeLessThan(ids.indexOf(nobody.task))
})

test('whoever pays nothing out reads the end of an account, and no file', async () => {
  const ada = await overpaid(2_200, OF_ADA)
  const seen = async (who: 'auditor' | 'finance') => (await ask(who, `GET /refunds/${ada.task}`)).json
  expect(await seen('finance')).toMatchObject({ account: { number: OF_ADA } })
  expect(await seen('auditor')).toMatchObject({ account: { number: '…7466' } })
  const file = await send(ada.task)
  expect(await seen('auditor')).toMatchObject({ files: [{ number: '…7466' }] })
  const rowsFor = async (who: 'auditor' | 'finance') => (await ask(who, `GET /payouts/${file.id}`)).json
  expect(await rowsFor('auditor')).toMatchObject({ payouts: [{ number: '…7466' }] })
  expect(await rowsFor('finance')).toMatchObject({ payouts: [{ number: OF_ADA }] })
})
