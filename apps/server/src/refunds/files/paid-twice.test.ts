/** Said to be not executed, sent once more, and then debited all the same: it has left twice, and somebody owes it back. */
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { newId } from '../../platform/identity.ts'
import { balanceOf, one, rows, server, violated } from '../../testing/files/bank-files.ts'
import {
  approve,
  ask,
  bankOf,
  caseOf,
  idOf,
  OF_ADA,
  OF_BO,
  openRefundOffice,
  overpaid,
  send,
  sentBack,
  tell,
  type File,
} from '../../testing/files/refund-office.ts'
import { told } from '../../testing/staff.ts'

openRefundOffice()

const key = () => newId(server.clock.now())
async function notExecuted(file: File): Promise<void> {
  const said = await ask('finance', `POST /payouts/${file.id}/not-executed`, {})
  expect(told(await approve('approver', idOf(said)))).toEqual([200, undefined])
}
const orderOf = (file: File, about: string): string =>
  file.orders.find((order) => order.about.endsWith(about))?.id ?? ''
const statusOf = async (order: string) =>
  (await one<{ status: string }>('select status from payout where id = $1', order)).status
const suspended = async (minor: number): Promise<string> =>
  (
    await one<{ id: string }>(
      `select id from bank_line where status = 'SUSPENSE' and amount_minor = $1 order by id desc limit 1`,
      minor,
    )
  ).id
/** In one file that is said to be not executed, paid by a second one, and debited with the first after that. */
async function twice(
  surplus: number,
): Promise<{ line: string; order: string; task: string; about: string; debtor: string }> {
  const { task, about, invoice } = await overpaid(surplus, OF_ADA)
  const first = await send(task)
  await notExecuted(first)
  await bankOf(await send(task)).debit()
  const order = orderOf(first, about)
  await tell({ amountMinor: surplus, isDebit: true, endToEndId: endToEndId(order) })
  return { line: await suspended(surplus), order, task, about, debtor: invoice.debtorId }
}
const say = (line: string, body: object = {}, who: 'finance' | 'manager' = 'finance') =>
  ask(who, `POST /suspense/${line}/paid-twice`, body, key())
const proposalOf = ({ json, text, status }: Awaited<ReturnType<typeof say>>): string => {
  expect(status, text).toBe(200)
  return (json as { proposal: string }).proposal
}
/** One says so, and another agrees. */
async function said(line: string, body: object = {}): Promise<void> {
  expect(told(await approve('approver', proposalOf(await say(line, body))))).toEqual([200, undefined])
}
const owedBack = () => balanceOf('clearing', 'PAID_TWICE')
const caseOfLine = async (line: string) =>
  (await ask('finance', `GET /suspense/${line}`)).json as Record<string, unknown>
const paidRow = (about: string) =>
  one<{ id: string }>(`select id from payout where about = $1 and status = 'PAID'`, `refund:${about}`)
const isAsked = async (order: string): Promise<boolean> =>
  (
    await rows(
      `select from task where kind = 'paid_twice' and about = $1 and done_at is null`,
      `payout:${order}`,
    )
  ).length === 1

test('a debit whose row was sent once more: two people say that it left twice, and it leaves suspense with a name', async () => {
  const before = await owedBack()
  const { line, order } = await twice(1_010)
  expect(await caseOfLine(line)).toMatchObject({ status: 'SUSPENSE', isTwice: true, proposal: null })
  const seen = await ask('finance', `POST /suspense/${line}/preview-paid-twice`, {})
  expect(seen.json, seen.text).toEqual({
    postings: [
      { account: 'paid_twice', number: null, name: null, amount: 10.1 },
      { account: 'suspense', number: null, name: null, amount: -10.1 },
    ],
    after: [],
  })
  const proposal = proposalOf(await say(line))
  expect(await caseOfLine(line)).toMatchObject({ status: 'SUSPENSE', proposal })
  expect(await statusOf(order)).toBe('NOT_EXECUTED')
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  expect(await caseOfLine(line)).toMatchObject({ status: 'SETTLED', isTwice: false, proposal: null })
  expect(await statusOf(order)).toBe('PAID_TWICE')
  expect((await owedBack()) - before).toBe(1_010)
  expect(await isAsked(order)).toBe(true)
  expect(await violated()).toEqual([])
})

test('whoever proposed it does not approve it, and nobody without the right says so', async () => {
  const { line } = await twice(1_020)
  for (const who of ['support', 'auditor', 'approver'] as const)
    expect(told(await ask(who, `POST /suspense/${line}/paid-twice`, {}, key()))).toEqual([403, 'not_allowed'])
  const proposal = proposalOf(await say(line, {}, 'manager'))
  expect(told(await approve('manager', proposal))).toEqual([400, 'another_person_needed'])
  expect(await caseOfLine(line)).toMatchObject({ status: 'SUSPENSE' })
})

/** Money that comes in, and lies in suspense. */
async function comes(minor: number, entry: object = {}): Promise<string> {
  await tell({ amountMinor: minor, message: `tillbaka ${minor}`, ...entry })
  return suspended(minor)
}
const back = (line: string, payout: string) =>
  ask('finance', `POST /suspense/${line}/paid-back`, { payout }, key())
async function paidBack(line: string, payout: string): Promise<void> {
  expect(told(await approve('approver', proposalOf(await back(line, payout))))).toEqual([200, undefined])
}

test('it comes back in parts, by two people and never more than it was, and then nobody asks for it any more', async () => {
  const before = await owedBack()
  const { line, order } = await twice(1_110)
  expect(told(await back(await comes(1_101), order))).toEqual([400, 'more_than_paid_twice', 'payout'])
  await said(line)
  const claim = { payout: order, name: 'Ada & Bo Ek', amount: 11.1 }
  const part = await comes(1_000)
  expect(await caseOfLine(part)).toMatchObject({
    claims: expect.arrayContaining([expect.objectContaining(claim)]),
  })
  expect(told(await ask('finance', `POST /suspense/${part}/preview-entry`, { kind: 'PAID_BACK' }))).toEqual([
    400,
    'invalid_request',
    'payout',
  ])
  await paidBack(part, order)
  expect(await caseOfLine(part)).toMatchObject({ status: 'SETTLED', entry: { kind: 'PAID_BACK' } })
  expect([(await owedBack()) - before, await isAsked(order)]).toEqual([110, true])
  const file = await one<{ id: string }>('select file_id as id from payout where id = $1', order)
  expect((await ask('finance', `GET /payouts/${file.id}`)).json).toMatchObject({
    states: { paidTwice: 1, notExecuted: 0 },
    payouts: [{ status: 'PAID_TWICE', owedBack: 1.1, isOpen: false }],
  })
  expect(told(await back(await comes(111), order))).toEqual([400, 'more_than_paid_twice', 'payout'])
  // The bank of whoever got it may send it by the name of the row.
  const rest = await comes(110, { endToEndId: endToEndId(order) })
  expect(told(await ask('finance', `POST /suspense/${rest}/bank-cost`, { kind: 'INTEREST' }, key()))).toEqual(
    [400, 'entry_not_open'],
  )
  await paidBack(rest, order)
  expect([(await owedBack()) - before, await isAsked(order)]).toEqual([0, false])
  expect(await violated()).toEqual([])
})

test('the proof of client funds has it by the name of whoever got it', async () => {
  const { line, order } = await twice(1_210)
  const proofOf = async () => {
    const { json } = await ask('finance', `GET /client-funds?day=${server.clock.today('Europe/Stockholm')}`)
    const { proofs } = json as {
      proofs: { difference: number | null; terms: { term: string; amount: number }[] }[]
    }
    const [proof] = proofs
    const of = (term: string) => proof?.terms.find((one) => one.term === term)?.amount ?? 0
    return { difference: proof?.difference ?? null, twice: of('paid_twice'), suspense: of('suspense') }
  }
  const before = await proofOf()
  await said(line)
  const after = await proofOf()
  expect(Math.round(100 * (after.twice - before.twice))).toBe(1_210)
  expect(Math.round(100 * (after.suspense - before.suspense))).toBe(1_210)
  expect(after.difference).toBe(before.difference)
  const file = await one<{ id: string }>('select file_id as id from payout where id = $1', order)
  const items = await ask(
    'finance',
    `GET /client-funds/items?day=${server.clock.today('Europe/Stockholm')}&currency=SEK&term=paid_twice`,
  )
  expect(items.json, items.text).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ kind: 'payout', id: file.id, name: 'Ada & Bo Ek', amount: 12.1 }),
    ]),
    rest: 0,
  })
})

test('what was paid twice is not drawn as fees: the operator owes it to client funds until it is back', async () => {
  const { line } = await twice(1_310)
  await tell({ amountMinor: 77, isDebit: true })
  const drawn = await suspended(77)
  const drawable = async () =>
    (
      await one<{ minor: number }>(
        `select -sum(balance_minor)::int as minor from ledger_account where kind = 'clearing' and gateway in ('OPERATOR_FEES', 'PAID_TWICE')`,
      )
    ).minor
  await said(line)
  expect((await caseOfLine(drawn))['drawable']).toBe(Math.max(0, (await drawable()) / 100))
})

/** Ada's and Bo's are in a file that is not executed, and Ada's is paid by another; the bank debits the first one as a whole. */
async function batch(ofAda: number, ofBo: number) {
  const [ada, bo] = [await overpaid(ofAda, OF_ADA), await overpaid(ofBo, OF_BO)]
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  await bankOf(await send(ada.task)).debit()
  await tell({ amountMinor: ofAda + ofBo, isDebit: true })
  return { ada, bo, file, line: await suspended(ofAda + ofBo) }
}

test('one row of a file went another way: the others of the same debit have left with it', async () => {
  const [before, way] = [await owedBack(), await balanceOf('clearing', 'BANK_RETURN')]
  const { ada, bo, file, line } = await batch(1_410, 1_420)
  expect(await caseOfLine(line)).toMatchObject({
    isTwice: false,
    files: [{ id: file.id, isWhole: true, count: 2, twice: 1 }],
  })
  expect(told(await ask('finance', `POST /suspense/${line}/file`, { file: file.id }, key()))).toEqual([
    400,
    'rows_paid_twice',
    'file',
  ])
  expect(told(await say(line))).toEqual([400, 'entry_not_open'])
  expect(
    (await ask('finance', `POST /suspense/${line}/preview-paid-twice`, { file: file.id })).json,
  ).toMatchObject({
    postings: expect.arrayContaining([
      { account: 'paid_twice', number: null, name: null, amount: 14.1 },
      { account: 'suspense', number: null, name: null, amount: -28.3 },
    ]),
  })
  await said(line, { file: file.id })
  expect([await statusOf(orderOf(file, ada.about)), await statusOf(orderOf(file, bo.about))]).toEqual([
    'PAID_TWICE',
    'PAID',
  ])
  expect(await caseOf(bo.task)).toMatchObject({ status: 'ENDED' })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
  expect([(await owedBack()) - before, await balanceOf('clearing', 'BANK_RETURN')]).toEqual([1_410, way])
  expect(await violated()).toEqual([])
})

test('a debit without a name of the one row that went another way', async () => {
  const before = await owedBack()
  const [ada, bo] = [await overpaid(1_510, OF_ADA), await overpaid(1_520, OF_BO)]
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  await bankOf(await send(ada.task)).debit()
  await tell({ amountMinor: 1_510, isDebit: true })
  const line = await suspended(1_510)
  expect(await caseOfLine(line)).toMatchObject({ files: [{ id: file.id, isWhole: false, twice: 1 }] })
  expect(
    told(await ask('finance', `POST /suspense/${line}/paid-twice`, { file: newId(0) }, key())).slice(0, 2),
  ).toEqual([400, 'file_sum_differs'])
  await said(line, { file: file.id })
  expect((await owedBack()) - before).toBe(1_510)
  // Bo's is owed as before, and its debit is not the first one's.
  expect(await caseOf(bo.task)).toMatchObject({ status: 'OWED' })
  expect(await violated()).toEqual([])
})

test('what is owed still was not paid twice, and money sent back from suspense may be', async () => {
  const [ada, bo] = [await overpaid(1_610, OF_ADA), await overpaid(1_620, OF_BO)]
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  await tell({ amountMinor: 3_230, isDebit: true })
  const line = await suspended(3_230)
  expect(told(await say(line, { file: file.id }))).toEqual([400, 'nothing_paid_twice'])
  expect((await ask('finance', `POST /suspense/${line}/file`, { file: file.id }, key())).status).toBe(200)
  const nobody = await sentBack(1_630, OF_BO)
  const first = await send(nobody.task)
  await notExecuted(first)
  await bankOf(await send(nobody.task)).debit()
  await tell({ amountMinor: 1_630, isDebit: true, endToEndId: endToEndId(first.orders[0]?.id ?? '') })
  await said(await suspended(1_630))
  expect(await statusOf(first.orders[0]?.id ?? '')).toBe('PAID_TWICE')
  expect(await violated()).toEqual([])
})

test('the bank takes its debit back while it is proposed: nothing is booked for it', async () => {
  const before = await owedBack()
  const { line, order } = await twice(1_810)
  const proposal = proposalOf(await say(line))
  await tell({ amountMinor: 1_810, endToEndId: endToEndId(order) })
  expect((await approve('approver', proposal)).status).toBe(400)
  expect(await caseOfLine(line)).toMatchObject({ status: 'SETTLED', entry: null })
  expect([await owedBack(), await statusOf(order)]).toEqual([before, 'NOT_EXECUTED'])
  expect(await violated()).toEqual([])
})

test('the bank refuses no more what was paid twice, and a second debit of it is another fault', async () => {
  const { line, order } = await twice(1_910)
  await said(line)
  await tell({ amountMinor: 1_910, isDebit: true, endToEndId: endToEndId(order) })
  const again = await suspended(1_910)
  expect(await caseOfLine(again)).toMatchObject({ isTwice: false })
  expect(told(await say(again))).toEqual([400, 'paid_twice_already'])
  // Of the two debits the bank takes one back.
  await tell({ amountMinor: 1_910, endToEndId: endToEndId(order) })
  expect(await caseOfLine(again)).toMatchObject({ status: 'SETTLED' })
  expect(await statusOf(order)).toBe('PAID_TWICE')
  expect(await violated()).toEqual([])
})

test('two people propose it at once, and two approve it at once: it is booked once', async () => {
  const before = await owedBack()
  const { line } = await twice(2_010)
  const both = await Promise.all([say(line), say(line, {}, 'manager')])
  expect(both.toSorted((a, b) => a.status - b.status).map(told)).toEqual([
    [200, undefined],
    [400, 'proposal_open'],
  ])
  const proposal = proposalOf(both.find(({ status }) => status === 200) ?? both[0])
  const decided = await Promise.all([approve('approver', proposal), approve('approver', proposal)])
  expect(decided.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await owedBack()) - before).toBe(2_010)
  expect(await violated()).toEqual([])
})

/** Said to be not executed, and its refund sent once more in a second file that nobody has told of; the first is debited then. */
async function underWay(surplus: number) {
  const { task, about } = await overpaid(surplus, OF_ADA)
  const first = await send(task)
  await notExecuted(first)
  const second = await send(task)
  const order = orderOf(first, about)
  await tell({ amountMinor: surplus, isDebit: true, endToEndId: endToEndId(order) })
  return { task, about, order, second, line: await suspended(surplus) }
}
const WAITS = [400, 'other_payment_under_way']

test('the other payment is under way still: nobody says that it was paid twice, and the first has paid when it is refused', async () => {
  const before = await owedBack()
  const { task, order, second, line } = await underWay(2_110)
  expect(await caseOfLine(line)).toMatchObject({ isTwice: true, isUnderWay: true })
  expect(told(await say(line))).toEqual(WAITS)
  expect(told(await ask('finance', `POST /suspense/${line}/preview-paid-twice`, {}))).toEqual(WAITS)
  await bankOf(second, 'all').answer()
  expect([await statusOf(order), await owedBack()]).toEqual(['PAID', before])
  expect(await caseOf(task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('the bank tells that the other payment has left: then it was paid twice', async () => {
  const { order, second, line } = await underWay(2_120)
  await bankOf(second).answer()
  expect(told(await say(line))).toEqual(WAITS)
  await bankOf(second).debit()
  expect(await caseOfLine(line)).toMatchObject({ isTwice: true, isUnderWay: false })
  await said(line)
  expect(await statusOf(order)).toBe('PAID_TWICE')
  expect(await violated()).toEqual([])
})

test('ordered by hand it may be said to be not ordered still: it is paid twice when it has left', async () => {
  const { task, about } = await overpaid(2_130, OF_ADA)
  const first = await send(task)
  await notExecuted(first)
  expect((await ask('finance', `POST /refunds/${task}/record`, undefined, key())).status).toBe(200)
  const order = orderOf(first, about)
  await tell({ amountMinor: 2_130, isDebit: true, endToEndId: endToEndId(order) })
  const line = await suspended(2_130)
  expect(await caseOfLine(line)).toMatchObject({ isUnderWay: true })
  expect(told(await say(line))).toEqual(WAITS)
  expect((await ask('finance', `POST /refunds/${task}/confirm`, undefined, key())).status).toBe(200)
  await said(line)
  expect(await statusOf(order)).toBe('PAID_TWICE')
  expect((await ask('finance', `POST /refunds/${task}/not-ordered`, undefined, key())).status).toBe(400)
  expect(await violated()).toEqual([])
})

test('a debit of the whole file waits too while one of its rows is under way another way', async () => {
  const [ada, bo] = [await overpaid(2_140, OF_ADA), await overpaid(2_150, OF_BO)]
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  const second = await send(ada.task)
  await tell({ amountMinor: 4_290, isDebit: true })
  const line = await suspended(4_290)
  const ofFile = { id: file.id, twice: 1 }
  expect(await caseOfLine(line)).toMatchObject({ files: [{ ...ofFile, isUnderWay: true }] })
  expect(told(await say(line, { file: file.id }))).toEqual(WAITS)
  expect(told(await ask('finance', `POST /suspense/${line}/file`, { file: file.id }, key()))).toEqual([
    ...WAITS,
    'file',
  ])
  await bankOf(second).debit()
  expect(await caseOfLine(line)).toMatchObject({ files: [{ ...ofFile, isUnderWay: false }] })
  await said(line, { file: file.id })
  expect(await violated()).toEqual([])
})

test('of rows alike the screen offers what the server takes: the one that is owed, and then the one that went another way', async () => {
  const [ada, bo] = [await overpaid(2_160, OF_ADA), await overpaid(2_160, OF_BO)]
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  const [ofAda, ofBo] = [orderOf(file, ada.about), orderOf(file, bo.about)]
  const [gone, owed] = ofAda > ofBo ? [ada, ofBo] : [bo, ofAda]
  await bankOf(await send(gone.task)).debit()
  await tell({ amountMinor: 2_160, isDebit: true }, { amountMinor: 2_160, isDebit: true })
  const lines = await rows<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and amount_minor = 2160 order by id`,
  )
  const [one = '', other = ''] = lines.map(({ id }) => id)
  expect(await caseOfLine(one)).toMatchObject({ files: [{ id: file.id, twice: 0 }] })
  expect((await ask('finance', `POST /suspense/${one}/file`, { file: file.id }, key())).status).toBe(200)
  expect(await statusOf(owed)).toBe('PAID')
  expect(await caseOfLine(other)).toMatchObject({ files: [{ id: file.id, twice: 1, isUnderWay: false }] })
  await said(other, { file: file.id })
  expect(await statusOf(orderOf(file, gone.about))).toBe('PAID_TWICE')
  expect(await violated()).toEqual([])
})

test('the other payment comes back: it is what was paid once too often, and nobody is owed it again', async () => {
  const before = await owedBack()
  const { task, about } = await overpaid(2_170, OF_ADA)
  const first = await send(task)
  await notExecuted(first)
  const second = await send(task)
  await bankOf(second).debit()
  const [order, other] = [orderOf(first, about), orderOf(second, about)]
  await tell({ amountMinor: 2_170, isDebit: true, endToEndId: endToEndId(order) })
  await said(await suspended(2_170))
  await tell({ amountMinor: 2_170, endToEndId: endToEndId(other) })
  expect([await statusOf(other), (await caseOf(task))['status']]).toEqual(['PAID', 'ENDED'])
  const line = await suspended(2_170)
  expect(await caseOfLine(line)).toMatchObject({
    claims: expect.arrayContaining([expect.objectContaining({ payout: order, amount: 21.7 })]),
  })
  expect(told(await ask('finance', `POST /suspense/${line}/bank-cost`, { kind: 'INTEREST' }, key()))).toEqual(
    [400, 'entry_not_open'],
  )
  await paidBack(line, order)
  expect([await owedBack(), await isAsked(order), await statusOf(order)]).toEqual([
    before,
    false,
    'PAID_TWICE',
  ])
  expect([await statusOf(other), (await caseOf(task))['status']]).toEqual(['PAID', 'ENDED'])
  expect(await violated()).toEqual([])
})

test('what comes back of another payment is not back of this one, and after all is back the other may come back too', async () => {
  const [one, two] = [await twice(2_180), await twice(2_190)]
  await said(one.line)
  await said(two.line)
  const stranger = await comes(2_180, { endToEndId: endToEndId(one.order) })
  expect(told(await back(stranger, two.order))).toEqual([400, 'entry_not_open'])
  await paidBack(stranger, one.order)
  const { id: other } = await paidRow(one.about)
  await tell({ amountMinor: 2_180, endToEndId: endToEndId(other) })
  // Both are back: it is owed as before, and goes once more.
  expect(await caseOf(one.task)).toMatchObject({ status: 'OWED' })
  expect(await statusOf(other)).toBe('RETURNED')
  expect(await violated()).toEqual([])
})

test('whoever approves it sees what was paid twice and what left with it, each as a sum', async () => {
  const { file, line } = await batch(2_410, 2_420)
  const proposal = proposalOf(await say(line, { file: file.id }))
  expect((await ask('approver', `GET /proposals/${proposal}`)).json).toMatchObject({
    before: { amount: '48.30', paidTwice: '24.10', leftWith: '24.20' },
    after: { status: 'PAID_TWICE', paidTwice: '24.10', leftWith: '24.20' },
  })
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
})

test('whoever approves what came back sees whose claim it ends, and the proposal keeps no name', async () => {
  const { line, order } = await twice(2_430)
  await said(line)
  const file = await one<{ id: string }>('select file_id as id from payout where id = $1', order)
  const proposal = proposalOf(await back(await comes(2_430), order))
  const shown = await ask('approver', `GET /proposals/${proposal}`)
  expect(shown.json).toMatchObject({ after: { payoutId: order, payoutFile: file.id } })
  expect(shown.text).not.toContain('Bo Ek')
  expect((await ask('approver', `GET /proposals/${proposal}/receivers`)).json).toMatchObject({
    rows: [{ id: order, name: 'Ada & Bo Ek' }],
  })
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
})

test('a debtor who was paid twice is not forgotten before all of it is back', async () => {
  const { line, order, debtor } = await twice(2_440)
  const kept = async () =>
    (
      await one<{ until: string | null }>(
        'select person_kept_until($1, $2)::text as until',
        server.instanceId,
        debtor,
      )
    ).until
  expect(await kept()).not.toBeNull()
  await said(line)
  expect(await kept()).toBeNull()
  await paidBack(await comes(2_440), order)
  expect(await kept()).not.toBeNull()
})

test('two lines that come back at once, of as much as is owed: one of them is it', async () => {
  const { line, order } = await twice(2_210)
  await said(line)
  const lines = [await comes(2_210), await comes(2_210)]
  const proposals = []
  for (const id of new Set(lines)) proposals.push(proposalOf(await back(id, order)))
  expect(proposals).toHaveLength(2)
  const both = await Promise.all(proposals.map((id) => approve('approver', id)))
  expect(both.toSorted((a, b) => a.status - b.status).map(told)).toEqual([
    [200, undefined],
    [400, 'more_than_paid_twice', 'payout'],
  ])
  expect(await isAsked(order)).toBe(false)
  expect(await violated()).toEqual([])
})

test('the view sees what nobody asks for, and what one person alone has said', async () => {
  const { line, order } = await twice(2_310)
  await said(line)
  const wrong = async (change: string, ...values: unknown[]) => {
    await rows(change, ...values)
    return (await rows<{ violation: string }>('select violation from inv_i53_paid_twice_is_owed_back')).map(
      ({ violation }) => violation,
    )
  }
  const about = `payout:${order}`
  const end = (at: string) => `update task set done_at = ${at} where kind = 'paid_twice' and about = $1`
  expect(await wrong(end('now()'), about)).toEqual(['nobody is asked'])
  expect(await wrong(end('null'), about)).toEqual([])
})

test('the debit is told of once more by another file: it is no second debit', async () => {
  const before = await owedBack()
  const { task, about } = await overpaid(2_410, OF_ADA)
  const first = await send(task)
  await notExecuted(first)
  await bankOf(await send(task)).debit()
  const order = orderOf(first, about)
  const entry = { amountMinor: 2_410, isDebit: true, endToEndId: endToEndId(order), bankId: 'TOLD-AGAIN' }
  await tell(entry)
  const proposal = proposalOf(await say(await suspended(2_410)))
  await tell(entry)
  expect((await approve('approver', proposal)).status).toBe(200)
  await tell(entry)
  expect((await owedBack()) - before).toBe(2_410)
  expect(
    await rows(`select from bank_line where amount_minor = 2410 and status in ('SUSPENSE', 'WAITING')`),
  ).toEqual([])
  expect(await violated()).toEqual([])
})
