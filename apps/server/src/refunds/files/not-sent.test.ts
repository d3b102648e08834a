/** What was ordered and never left: two people say so, its money is where it was, and what the bank tells later counts for more. */
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { newId } from '../../platform/identity.ts'
import { balanceOf, one, rows, server, violated } from '../../testing/files/bank-files.ts'
import {
  approve,
  ask,
  bankOf,
  caseOf,
  gathered,
  idOf,
  isOpen,
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
import { formWith } from '../../testing/files/sample-files.ts'
import { told } from '../../testing/staff.ts'

openRefundOffice()

const lineOf = (about: string) =>
  one<{ id: string; name: string; minor: number; status: string }>(
    `select id, replace(deposit_key, 'camt:', '') as name, amount_minor::int as minor, status from bank_line
     where id = substring($1 from '[0-9a-f-]{36}')::uuid`,
    about,
  )
/** The payer's bank takes it back; answers the line that tells of that. */
async function takeBack(about: string): Promise<string> {
  const { name, minor } = await lineOf(about)
  await tell({ amountMinor: minor, isReversal: true, bankId: name })
  const { id } = await one<{ id: string }>(
    `select id from bank_line where kind = 'DEDUCTION' and amount_minor = $1 order by id desc limit 1`,
    minor,
  )
  return id
}
const statusOf = async (line: string) =>
  (await one<{ status: string }>('select status from bank_line where id = $1', line)).status
const key = () => newId(server.clock.now())
const say = (file: string, payouts?: string[]) =>
  ask('finance', `POST /payouts/${file}/not-executed`, payouts === undefined ? {} : { payouts })
/** One person says that the file was not executed, and another agrees. */
async function notExecuted(file: Pick<File, 'id'>, payouts?: string[]): Promise<void> {
  const proposal = idOf(await say(file.id, payouts))
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
}
const rowsOf = async (file: Pick<File, 'id'>) =>
  (
    await rows<{ status: string }>('select status from payout where file_id = $1 order by about', file.id)
  ).map(({ status }) => status)
const debit = (file: File, minor: number) =>
  tell({ amountMinor: minor, isDebit: true, endToEndId: endToEndId(file.orders[0]?.id ?? '') })
const suspended = async (minor: number) =>
  (
    await rows(
      `select id from bank_line where kind = 'OUTGOING' and status = 'SUSPENSE' and amount_minor = $1`,
      minor,
    )
  ).length

test('in a file, and the payer’s bank takes it back: two people say that it was not executed, and the deduction ends both', async () => {
  const [way, bank] = [await balanceOf('clearing', 'BANK_RETURN'), await balanceOf('clearing', 'BANK_FILE')]
  const { line, task } = await sentBack(71_000, OF_BO)
  const file = await send(task)
  const deduction = await takeBack(`bank-line:${line}`)
  expect(await statusOf(deduction)).toBe('SUSPENSE')
  expect((await ask('finance', `GET /suspense/${deduction}`)).json).toMatchObject({
    goesBack: task,
    isTakeable: false,
  })
  expect(told(await ask('finance', `POST /suspense/${deduction}/take-back`, undefined, key()))).toEqual([
    400,
    'refund_under_way',
  ])
  const order = file.orders[0]?.id ?? ''
  const seen = await ask('finance', `POST /payouts/${file.id}/preview-not-executed`, { payouts: [order] })
  expect(seen.json, seen.text).toMatchObject({
    postings: expect.arrayContaining([
      { account: 'on_its_way', number: null, name: null, amount: 710 },
      { account: 'suspense', number: null, name: null, amount: -710 },
    ]),
  })
  expect(await rowsOf(file)).toEqual(['SENT'])
  const proposal = idOf(await say(file.id, [order]))
  expect(told(await say(file.id, [order]))).toEqual([400, 'proposal_open'])
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await approve('manager', proposal))).toEqual([200, undefined])
  expect(await rowsOf(file)).toEqual(['NOT_EXECUTED'])
  expect([await statusOf(deduction), await statusOf(line)]).toEqual(['REVERSED', 'REVERSED'])
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(false)
  expect(await isOpen('payout_to_confirm', `payout-file:${file.id}`)).toBe(false)
  expect([await balanceOf('clearing', 'BANK_RETURN'), await balanceOf('clearing', 'BANK_FILE')]).toEqual([
    way,
    bank,
  ])
  expect(await violated()).toEqual([])
})

test('a refund in a file whose payment the bank takes back: not executed, it is undone, and the debt is owed again', async () => {
  const credit = await balanceOf('credit')
  const ada = await overpaid(2_310, OF_ADA)
  const file = await send(ada.task)
  const deduction = await takeBack(ada.about)
  expect(await statusOf(deduction)).toBe('SUSPENSE')
  await notExecuted(file)
  expect(await statusOf(deduction)).toBe('REVERSED')
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'NOT_EXECUTED' }] })
  expect(await balanceOf('credit')).toBe(credit)
  expect(await one('select balance_minor::int as owed from invoice where id = $1', ada.invoice.id)).toEqual({
    owed: 10_000,
  })
  expect(await violated()).toEqual([])
})

test.each(['refund', 'send-back'])(
  'a %s marked by hand was not ordered: the deduction ends both',
  async (what) => {
    const found =
      what === 'refund'
        ? await overpaid(2_320, OF_ADA)
        : await sentBack(72_000, OF_BO).then(({ line, task }) => ({ task, about: `bank-line:${line}` }))
    const { task, about } = found
    expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
    const deduction = await takeBack(about)
    expect(await statusOf(deduction)).toBe('SUSPENSE')
    expect(await caseOf(task)).toMatchObject({ status: 'UNDER_WAY', isByHand: true, waits: 'BY_HAND' })
    const seen = await ask('finance', `POST /refunds/${task}/preview-not-ordered`)
    expect(seen.status, seen.text).toBe(200)
    expect(await caseOf(task)).toMatchObject({ status: 'UNDER_WAY', isByHand: true })
    const said = await ask('finance', `POST /refunds/${task}/not-ordered`)
    expect(told(said)).toEqual([200, undefined])
    expect(said.json).toMatchObject({ proposal: null })
    expect(await statusOf(deduction)).toBe('REVERSED')
    expect(await caseOf(task)).toMatchObject({ status: 'ENDED', isByHand: false })
    expect(await violated()).toEqual([])
  },
)

test('marked by hand by mistake, with nothing taken back: it may go in a file, and what the bank had told is found again', async () => {
  const ada = await overpaid(2_330, OF_ADA)
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  expect(await gathered()).not.toContain(ada.task)
  expect(told(await ask('finance', `POST /refunds/${ada.task}/not-ordered`))).toEqual([200, undefined])
  expect(told(await ask('finance', `POST /refunds/${ada.task}/not-ordered`))).toEqual([
    400,
    'refund_not_owed',
  ])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', left: 23.3, waits: null })
  expect(await gathered()).toContain(ada.task)
  // It had been ordered after all.
  await tell({ amountMinor: 2_330, isDebit: true })
  expect(await suspended(2_330)).toBe(1)
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  expect(await suspended(2_330)).toBe(0)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('above the limit another agrees that it was not ordered', async () => {
  const { task } = await sentBack(600_000, OF_BO)
  expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
  expect(await caseOf(task)).toMatchObject({ notOrderedNeedsAnother: true })
  const said = (await ask('finance', `POST /refunds/${task}/not-ordered`)).json as { proposal: string }
  expect(await caseOf(task)).toMatchObject({ status: 'UNDER_WAY', proposal: said.proposal })
  expect(told(await approve('approver', said.proposal))).toEqual([200, undefined])
  expect(await caseOf(task)).toMatchObject({ status: 'OWED', isByHand: false })
  expect(await gathered()).toContain(task)
  expect(await violated()).toEqual([])
})

test('a file that never reached the bank gives its rows back, and they go in another', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const ada = await overpaid(2_410, OF_ADA)
  const nobody = await sentBack(2_420, OF_BO)
  const file = await send(ada.task, nobody.task)
  await notExecuted(file)
  expect(await rowsOf(file)).toEqual(['NOT_EXECUTED', 'NOT_EXECUTED'])
  expect(told(await say(file.id))).toEqual([400, 'payout_not_open'])
  const again = await gathered()
  expect([ada.task, nobody.task].filter((task) => again.includes(task))).toHaveLength(2)
  expect(await violated()).toEqual([])
  const second = await send(ada.task, nobody.task)
  const bank = bankOf(second)
  await bank.answer()
  await bank.debit()
  expect(await rowsOf(second)).toEqual(['PAID', 'PAID'])
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  expect(await violated()).toEqual([])
})

test.each(['refusal', 'acceptance', 'debit', 'acceptance and debit', 'acceptance and refusal'])(
  'the bank tells late of what was not executed, by its %s: the books say what it says',
  async (what) => {
    const way = await balanceOf('clearing', 'BANK_RETURN')
    const sums: Readonly<Record<string, number>> = { refusal: 2_510, acceptance: 2_520, debit: 2_530 }
    const minor = sums[what] ?? (what.endsWith('debit') ? 2_540 : 2_550)
    const ada = await overpaid(minor, OF_ADA)
    const file = await send(ada.task)
    await notExecuted(file)
    expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED' })
    if (what.startsWith('acceptance')) {
      expect((await bankOf(file).answer()).json).toMatchObject({ accepted: 1, refused: 0, late: 0 })
      expect(await caseOf(ada.task)).toMatchObject({ status: 'UNDER_WAY', files: [{ status: 'ACCEPTED' }] })
      expect(await isOpen('payout_to_confirm', `payout-file:${file.id}`)).toBe(true)
      expect(await violated()).toEqual([])
    }
    if (what.endsWith('refusal')) {
      expect((await bankOf(file, 'all').answer()).json).toMatchObject({ refused: 1 })
      expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'REFUSED' }] })
    }
    if (what.endsWith('debit')) {
      await debit(file, minor)
      expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
      expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
      expect(await violated()).toEqual([])
      // And days later it comes back.
      await tell({ amountMinor: minor, endToEndId: endToEndId(file.orders[0]?.id ?? '') })
      expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'RETURNED' }] })
    }
    expect(await violated()).toEqual([])
  },
)

test('what was nobody’s and was not executed is debited late: it has left', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const { line, task } = await sentBack(2_610, OF_BO)
  const file = await send(task)
  await notExecuted(file)
  await debit(file, 2_610)
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(false)
  expect(await rowsOf(file)).toEqual(['PAID'])
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  expect(await violated()).toEqual([])
})

test.each(['debit first', 'refusal first'])(
  'sent once more, and the bank debits the first file too: a person looks, until the second is refused, %s',
  async (order) => {
    const minor = order === 'debit first' ? 2_710 : 2_720
    const ada = await overpaid(minor, OF_ADA)
    const first = await send(ada.task)
    await notExecuted(first)
    const second = await send(ada.task)
    expect((await bankOf(first).answer()).json).toMatchObject({ accepted: 0, refused: 0, late: 1 })
    expect(await violated()).toEqual([])
    if (order === 'debit first') {
      await debit(first, minor)
      expect(await suspended(minor)).toBe(1)
      expect(await violated()).toEqual([])
      await bankOf(second, 'all').answer()
    } else {
      await bankOf(second, 'all').answer()
      await debit(first, minor)
    }
    expect(await suspended(minor)).toBe(0)
    expect([await rowsOf(first), await rowsOf(second)]).toEqual([['PAID'], ['REFUSED']])
    expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
    expect(await violated()).toEqual([])
  },
)

test('a debit that may be one of them lies in suspense: nobody says that they were not executed', async () => {
  const ada = await overpaid(2_810, OF_ADA)
  const bo = await overpaid(2_820, OF_BO)
  const file = await send(ada.task, bo.task)
  await tell({ amountMinor: 5_630, isDebit: true })
  expect(told(await say(file.id))).toEqual([400, 'debit_in_suspense'])
  const { id } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and kind = 'OUTGOING' and amount_minor = 5630`,
  )
  expect((await ask('finance', `POST /suspense/${id}/file`, { file: file.id }, key())).status).toBe(200)
  expect(told(await say(file.id))).toEqual([400, 'payout_not_open'])
  expect(await violated()).toEqual([])
})

test('a whole file that was not executed is debited late as one sum: a person says which it is', async () => {
  const ada = await overpaid(2_910, OF_ADA)
  const bo = await overpaid(2_920, OF_BO)
  const file = await send(ada.task, bo.task)
  await notExecuted(file)
  await tell({ amountMinor: 5_830, isDebit: true })
  const { id } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and kind = 'OUTGOING' and amount_minor = 5830`,
  )
  expect((await ask('finance', `GET /suspense/${id}`)).json).toMatchObject({
    files: [{ id: file.id, isWhole: true, count: 2 }],
  })
  const settled = await ask('finance', `POST /suspense/${id}/file`, { file: file.id }, key())
  expect(settled.status, settled.text).toBe(200)
  expect(await rowsOf(file)).toEqual(['PAID', 'PAID'])
  expect(await violated()).toEqual([])
})

test('the bank refuses the refund after it has taken the payment back: a person has that undone', async () => {
  const credit = await balanceOf('credit')
  const ada = await overpaid(3_010, OF_ADA)
  const file = await send(ada.task)
  const deduction = await takeBack(ada.about)
  await bankOf(file, 'all').answer()
  expect((await ask('finance', `GET /suspense/${deduction}`)).json).toMatchObject({
    isTakeable: true,
    goesBack: null,
  })
  const seen = await ask('finance', `POST /suspense/${deduction}/preview-take-back`)
  expect(seen.json, seen.text).toMatchObject({
    after: [{ type: 'invoices', owed: 100 }],
    postings: expect.arrayContaining([expect.objectContaining({ account: 'suspense', amount: -130.1 })]),
  })
  expect(told(await ask('support', `POST /suspense/${deduction}/take-back`, undefined, key()))).toEqual([
    403,
    'not_allowed',
  ])
  const taken = await ask('finance', `POST /suspense/${deduction}/take-back`, undefined, key())
  expect(taken.json, taken.text).toMatchObject({ status: 'REVERSED' })
  // By hand: it counts for what one person does for the debtor on a day.
  expect(
    await one(
      'select kind, amount_minor::int as minor from manual_posting where about = $1',
      `bank-line:${ada.about.slice('payment:'.length)}`,
    ),
  ).toEqual({ kind: 'REVERSAL', minor: 13_010 })
  expect(await balanceOf('credit')).toBe(credit)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('what the bank has taken back goes no way: not by hand, not in a file, and the page says why', async () => {
  const ada = await overpaid(3_110, OF_ADA)
  const file = await send(ada.task)
  await takeBack(ada.about)
  await bankOf(file, 'all').answer()
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', waits: 'TAKEN_BACK', ways: [] })
  expect(told(await ask('finance', `POST /refunds/${ada.task}/record`))).toEqual([400, 'refund_taken_back'])
  expect(told(await propose([ada.task]))).toEqual([400, 'refund_not_owed'])
  const bo = await overpaid(3_120)
  expect(await caseOf(bo.task)).toMatchObject({ waits: 'ACCOUNT_UNKNOWN' })
  const cia = await overpaid(3_130, OF_BO)
  await propose([cia.task])
  expect(await caseOf(cia.task)).toMatchObject({ waits: 'PROPOSED' })
  expect(await violated()).toEqual([])
})

test('what was ordered by hand and said to be not ordered counts for the day: nobody comes past the limit so', async () => {
  const ada = await overpaid(300_000, OF_ADA)
  expect(await caseOf(ada.task)).toMatchObject({ needsAnother: false })
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  expect(await caseOf(ada.task)).toMatchObject({ notOrderedNeedsAnother: false })
  expect((await ask('finance', `POST /refunds/${ada.task}/not-ordered`)).status).toBe(200)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', needsAnother: true })
  const said = (await ask('finance', `POST /refunds/${ada.task}/record`)).json as { proposal: string }
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', proposal: said.proposal, waits: 'PROPOSED' })
  expect(await violated()).toEqual([])
})

test('each round is said once: the bank accepts what was not executed, executes it no more than before, and two people say so again', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const ada = await overpaid(2_560, OF_ADA)
  const file = await send(ada.task)
  for (const round of [1, 2, 3]) {
    const written = `2099-01-0${round}T10:00:00`
    if (round > 1) {
      const seen = await ask('finance', `POST /payouts/${file.id}/preview-not-executed`, {})
      expect(seen.status, seen.text).toBe(200)
    }
    await notExecuted(file)
    expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'NOT_EXECUTED' }] })
    expect(told(await say(file.id))).toEqual([400, 'payout_not_open'])
    expect(await violated()).toEqual([])
    const body = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>A${round}</MsgId><CreDtTm>${written}</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${file.id.replaceAll('-', '')}</OrgnlMsgId>
<GrpSts>ACSP</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
    const answered = await ask('finance', 'PUT /payouts/answers', formWith(Buffer.from(body), 'pain002.xml'))
    expect(answered.json, answered.text).toMatchObject({ accepted: 1, late: 0 })
    expect(await caseOf(ada.task)).toMatchObject({ status: 'UNDER_WAY', files: [{ status: 'ACCEPTED' }] })
    expect(await violated()).toEqual([])
  }
  expect(
    await one(
      'select o.round::int, (select count(*)::int from payout_round r where r.payout_id = o.id) as said from payout o where o.file_id = $1',
      file.id,
    ),
  ).toEqual({ round: 4, said: 3 })
  // Each of these, planted, is seen.
  const order = file.orders[0]?.id ?? ''
  const planted = [
    `update payout set round = round + 1 where id = '${order}'`,
    `update payout set not_executed_by = (select proposal_id from payout_round where payout_id = '${order}' and round = 1) where id = '${order}'`,
    `update payout_round set proposal_id = (select proposal_id from payout_round where payout_id = '${order}' and round = 1)
       where payout_id = '${order}' and round = 3`,
    `delete from payout_round where payout_id = '${order}' and round = 2`,
    `update proposal set before = jsonb_set(before, '{payouts}', '[]') where id = (select proposal_id from payout_round where payout_id = '${order}' and round = 2)`,
  ]
  const owner = await server.test.owner.connect()
  try {
    for (const fault of planted) {
      await owner.query('begin')
      await owner.query(`set local session_replication_role = replica`)
      await owner.query(fault)
      const seen = await owner.query('select from inv_i52_not_executed_by_two where payout_id = $1', [order])
      await owner.query('rollback')
      expect([fault, seen.rowCount === 0]).toEqual([fault, false])
    }
  } finally {
    owner.release()
  }
  await debit(file, 2_560)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  expect(await violated()).toEqual([])
})

test('what a file would give back is shown, and neither a proposal nor a deed is written for it', async () => {
  const ada = await overpaid(2_570, OF_ADA)
  const file = await send(ada.task)
  await rows(
    `create function no_proposal() returns trigger language plpgsql as $$ begin raise exception 'a preview writes'; end $$`,
  )
  await rows(
    'create trigger no_proposal before insert on proposal for each row execute function no_proposal()',
  )
  try {
    const seen = await ask('finance', `POST /payouts/${file.id}/preview-not-executed`, {})
    expect(seen.status, seen.text).toBe(200)
  } finally {
    await rows('drop trigger no_proposal on proposal')
  }
  expect(await rowsOf(file)).toEqual(['SENT'])
})

test('the bank’s late word waits for whoever uses the credit for another debt', async () => {
  const ada = await overpaid(2_580, OF_ADA)
  const file = await send(ada.task)
  await notExecuted(file)
  const other = await server.test.owner.connect()
  try {
    await other.query('begin')
    await other.query('select from invoice where id = $1 for no key update', [ada.invoice.id])
    let isAnswered = false
    const answer = bankOf(file)
      .answer()
      .then((done) => {
        isAnswered = true
        return done
      })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(isAnswered).toBe(false)
    await other.query('commit')
    expect((await answer).json).toMatchObject({ accepted: 1 })
  } finally {
    other.release()
  }
  expect(await violated()).toEqual([])
})

test('what was ordered on an earlier day and is said to be not ordered today counts for today', async () => {
  const ada = await overpaid(300_000, OF_ADA)
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  await rows('update money_out set ordered_on = ordered_on - 3 where about = $1', `refund:${ada.about}`)
  expect((await ask('finance', `POST /refunds/${ada.task}/not-ordered`)).status).toBe(200)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', needsAnother: true })
  expect(await violated()).toEqual([])
})

test('one like it has come since: what is taken back is the line that was found when the deduction came', async () => {
  const ada = await overpaid(3_510, OF_ADA)
  const { reference } = ada.invoice
  const file = await send(ada.task)
  // It names no entry of the bank's: it is found by its reference and amount, of which the newest counts.
  await tell({ amountMinor: 13_510, isReversal: true, reference })
  const { id: deduction } = await one<{ id: string }>(
    `select id from bank_line where kind = 'DEDUCTION' and amount_minor = 13510`,
  )
  expect(await statusOf(deduction)).toBe('SUSPENSE')
  await bankOf(file, 'all').answer()
  await tell({ amountMinor: 13_510, reference, payerIban: OF_BO, payer: 'Bo Ek' })
  const { id: first } = await lineOf(ada.about)
  const { id: second } = await one<{ id: string }>(
    `select id from bank_line where kind = 'PAYMENT' and amount_minor = 13510 and id <> $1`,
    first,
  )
  const was = await statusOf(second)
  const taken = await ask('finance', `POST /suspense/${deduction}/take-back`, undefined, key())
  expect(taken.json, taken.text).toMatchObject({ status: 'REVERSED' })
  expect([await statusOf(first), await statusOf(second)]).toEqual(['REVERSED', was])
  expect(was).toBe('BOOKED')
  expect(await one('select reverses_id as id from bank_line where id = $1', deduction)).toEqual({ id: first })
  expect(await violated()).toEqual([])
})
