/** A debit that may be what was said to be not executed, or not ordered: nobody says so, and nothing leaves again, until a person has said what it is. */
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { one, rows, violated } from '../../testing/files/bank-files.ts'
import { formWith } from '../../testing/files/sample-files.ts'
import {
  approve,
  ask,
  caseOf,
  idOf,
  OF_ADA,
  OF_BO,
  openRefundOffice,
  overpaid,
  propose,
  send,
  sentBack,
  tell,
  type File,
} from '../../testing/files/refund-office.ts'
import { told } from '../../testing/staff.ts'

openRefundOffice()

const IN_SUSPENSE = [400, 'debit_in_suspense']
const say = (file: File, payouts?: string[]) =>
  ask('finance', `POST /payouts/${file.id}/not-executed`, payouts === undefined ? {} : { payouts })
async function notExecuted(file: File): Promise<void> {
  expect(told(await approve('approver', idOf(await say(file))))).toEqual([200, undefined])
}
const orderOf = (file: File, about: string): string =>
  file.orders.find((order) => order.about === `refund:${about}`)?.id ?? ''
/** A person says that a debit was the bank's own fee: it lies in suspense no more. */
async function explain(minor: number): Promise<void> {
  const { id } = await one<{ id: string }>(
    `select id from bank_line where kind = 'OUTGOING' and status = 'SUSPENSE' and amount_minor = $1`,
    minor,
  )
  const said = await ask('finance', `POST /suspense/${id}/bank-cost`, { kind: 'FEE' }, id)
  expect(said.status, said.text).toBe(200)
}

test('the bank has booked a part of the file as one sum: neither a part nor all of it is said to be not executed', async () => {
  const ada = await overpaid(4_010, OF_ADA)
  const bo = await overpaid(4_020, OF_BO)
  const cia = await overpaid(4_030, OF_BO)
  const file = await send(ada.task, bo.task, cia.task)
  await tell({ amountMinor: 8_030, isDebit: true })
  expect(told(await say(file))).toEqual(IN_SUSPENSE)
  expect(told(await say(file, [orderOf(file, ada.about)]))).toEqual(IN_SUSPENSE)
  expect(told(await ask('finance', `POST /payouts/${file.id}/preview-not-executed`, {}))).toEqual(IN_SUSPENSE)
  await explain(8_030)
})

test('a debit that names a row with another sum may be it', async () => {
  const ada = await overpaid(4_110, OF_ADA)
  const bo = await overpaid(4_120, OF_BO)
  const file = await send(ada.task, bo.task)
  await tell({ amountMinor: 4_135, isDebit: true, endToEndId: endToEndId(orderOf(file, ada.about)) })
  expect(told(await say(file))).toEqual(IN_SUSPENSE)
  expect(told(await say(file, [orderOf(file, ada.about)]))).toEqual(IN_SUSPENSE)
})

test.each(['WAITING', 'doubtful'])('a debit that is %s and names a row may be it', async (what) => {
  const ada = await overpaid(what === 'WAITING' ? 4_210 : 4_220, OF_ADA)
  const file = await send(ada.task)
  const named = orderOf(file, ada.about)
  await tell({ amountMinor: 4_299, isDebit: true, endToEndId: endToEndId(named) })
  // The sums by day stay: it is as if it had not been booked yet.
  const make = async (status: string, isDoubtful: boolean) => {
    await rows('alter table bank_line disable trigger user')
    await rows(
      'update bank_line set status = $2, is_doubtful = $3 where named_payment_id = $1',
      named,
      status,
      isDoubtful,
    )
    await rows('alter table bank_line enable trigger user')
  }
  await make(what === 'WAITING' ? 'WAITING' : 'SUSPENSE', what === 'doubtful')
  expect(told(await say(file))).toEqual(IN_SUSPENSE)
  await make('SUSPENSE', false)
})

test('debited as one after two had agreed: neither goes again, by no way, until somebody says what it was', async () => {
  const ada = await overpaid(5_010, OF_ADA)
  const bo = await overpaid(5_020, OF_BO)
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  // Proposed before the bank told of it: whoever approves is stopped too.
  const early = idOf(await propose([ada.task]))
  await tell({ amountMinor: 10_030, isDebit: true })
  expect(told(await approve('approver', early))).toEqual(IN_SUSPENSE)
  expect(told(await propose([bo.task]))).toEqual(IN_SUSPENSE)
  expect(told(await ask('finance', `POST /refunds/${bo.task}/record`))).toEqual(IN_SUSPENSE)
  expect(await caseOf(bo.task)).toMatchObject({ status: 'OWED' })
  const { id } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and kind = 'OUTGOING' and amount_minor = 10030`,
  )
  expect((await ask('finance', `POST /suspense/${id}/file`, { file: file.id }, file.id)).status).toBe(200)
  expect(await caseOf(bo.task)).toMatchObject({ status: 'ENDED' })
})

test('a debit of something else, explained, stands in nobody’s way', async () => {
  const ada = await overpaid(5_110, OF_ADA)
  const bo = await overpaid(5_120, OF_BO)
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  await tell({ amountMinor: 5_115, isDebit: true })
  expect(told(await propose([ada.task]))).toEqual(IN_SUSPENSE)
  // More than the whole file, and less than the row, are neither of it.
  await explain(5_115)
  await tell({ amountMinor: 10_231, isDebit: true }, { amountMinor: 5_109, isDebit: true })
  expect((await propose([ada.task])).status).toBe(202)
  await explain(10_231)
  await explain(5_109)
})

test.each(['refund', 'send-back'])(
  'a %s said to be not ordered goes only when it is named, and says so',
  async (what) => {
    const found =
      what === 'refund'
        ? await overpaid(6_010, OF_ADA)
        : await sentBack(6_110, OF_BO).then(({ line, task }) => ({ task, about: `bank-line:${line}` }))
    const { task } = found
    const minor = what === 'refund' ? 6_010 : 6_110
    expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
    expect((await ask('finance', `POST /refunds/${task}/not-ordered`)).status).toBe(200)
    const about = what === 'refund' ? `refund:${found.about}` : found.about
    expect(
      await one(
        'select said_not_ordered_on is not null as "isKept", said_not_ordered_by as by from money_out where about = $1',
        about,
      ),
    ).toMatchObject({ isKept: true, by: expect.stringMatching(/^person:/) })
    const gathered = (await ask('finance', 'GET /refunds/gathered?currency=SEK')).json as {
      rows: { id: string; hasFailed: boolean }[]
    }
    expect(gathered.rows.find(({ id }) => id === task)).toMatchObject({ hasFailed: true })
    const all = (await ask('finance', 'POST /refunds/files', { currency: 'SEK' })).json as {
      before?: { refunds: { id: string }[] }
    }
    expect((all.before?.refunds ?? []).map(({ id }) => id)).not.toContain(task)
    const proposal = idOf(await propose([task]))
    expect((await ask('approver', `GET /proposals/${proposal}`)).json).toMatchObject({
      before: { refunds: [{ id: task, wasTried: true }] },
    })
    // It had left after all.
    await tell({ amountMinor: minor, isDebit: true })
    expect(told(await approve('approver', proposal))).toEqual(IN_SUSPENSE)
    expect(told(await propose([task]))).toEqual(IN_SUSPENSE)
    // Said to be ordered, that debit is it.
    expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
    expect(await caseOf(task)).toMatchObject({ status: 'ENDED' })
  },
)

test('what was ordered by hand is not un-ordered while a debit that may be it lies in suspense', async () => {
  const ada = await overpaid(6_210, OF_ADA)
  const bo = await overpaid(6_220, OF_BO)
  for (const { task } of [ada, bo])
    expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
  await tell({ amountMinor: 12_430, isDebit: true })
  expect(told(await ask('finance', `POST /refunds/${ada.task}/not-ordered`))).toEqual(IN_SUSPENSE)
  await explain(12_430)
  expect((await ask('finance', `POST /refunds/${ada.task}/not-ordered`)).status).toBe(200)
})

const answer = (file: File, code: string, written: string) =>
  ask(
    'finance',
    'PUT /payouts/answers',
    formWith(
      Buffer.from(`<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>A</MsgId><CreDtTm>${written}</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${file.id.replaceAll('-', '')}</OrgnlMsgId>
<GrpSts>${code}</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`),
      'pain002.xml',
    ),
  )

test('an answer that only says well formed, or was written before two agreed, takes nothing up; one that executes does', async () => {
  const ada = await overpaid(7_010, OF_ADA)
  const file = await send(ada.task)
  await notExecuted(file)
  for (const code of ['ACTC', 'ACCP'])
    expect((await answer(file, code, '2099-01-01T10:00:00')).json).toMatchObject({ accepted: 0, refused: 0 })
  expect((await answer(file, 'ACSP', '2020-01-01T10:00:00')).json).toMatchObject({ accepted: 0, late: 0 })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'NOT_EXECUTED' }] })
  expect((await answer(file, 'ACSP', '2099-01-01T10:00:00')).json).toMatchObject({ accepted: 1 })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'UNDER_WAY', files: [{ status: 'ACCEPTED' }] })
  expect(await violated()).toEqual([])
})

test('a debit without a name that may be the one row or the other is neither: a person cannot say the file alone', async () => {
  const ada = await overpaid(8_010, OF_ADA)
  const bo = await overpaid(8_010, OF_BO)
  const file = await send(ada.task, bo.task)
  const proposal = idOf(await say(file, [orderOf(file, ada.about)]))
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  await tell({ amountMinor: 8_010, isDebit: true })
  const { id } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and kind = 'OUTGOING' and amount_minor = 8010`,
  )
  expect(told(await ask('finance', `POST /suspense/${id}/file`, { file: file.id }, id)).slice(0, 2)).toEqual([
    400,
    'file_sum_differs',
  ])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'NOT_EXECUTED' }] })
  expect(await caseOf(bo.task)).toMatchObject({ status: 'UNDER_WAY', files: [{ status: 'SENT' }] })
})

test('the bank refuses what was not executed and has a debit that names it: it contradicts itself', async () => {
  const ada = await overpaid(8_110, OF_ADA)
  const file = await send(ada.task)
  await notExecuted(file)
  await tell({ amountMinor: 8_125, isDebit: true, endToEndId: endToEndId(orderOf(file, ada.about)) })
  expect(told(await answer(file, 'RJCT', '2099-01-01T10:00:00')).slice(0, 2)).toEqual([
    400,
    'payout_contradicted',
  ])
  expect(await caseOf(ada.task)).toMatchObject({ files: [{ status: 'NOT_EXECUTED' }] })
})
