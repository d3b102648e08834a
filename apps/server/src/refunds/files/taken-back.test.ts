/** Money that the payer's bank takes back, and what goes back to the payer: never both, however they meet. */
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { newId } from '../../platform/identity.ts'
import {
  balanceOf,
  build,
  fileOf,
  one,
  rows,
  server,
  takeFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import {
  ask,
  bankOf,
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
import { signInStaff, told } from '../../testing/staff.ts'

openRefundOffice()

type Line = { id: string; name: string; minor: number; status: string }
const lineOf = (about: string): Promise<Line> =>
  one<Line>(
    `select id, replace(deposit_key, 'camt:', '') as name, amount_minor::int as minor, status from bank_line where id = $1`,
    about.slice(about.indexOf(':') + 1),
  )
/** The payer's bank takes it back, by the name of its entry. */
async function takeBack(about: string): Promise<void> {
  const { name, minor } = await lineOf(about)
  await tell({ amountMinor: minor, isReversal: true, bankId: name })
}
const named = async (order: string | undefined): Promise<string[]> =>
  (
    await rows<{ status: string }>(
      `select kind || ' ' || status as status from bank_line where named_payment_id = $1 order by id`,
      order,
    )
  ).map(({ status }) => status)

test.each(['refused', 'returned'])(
  'a refund that was %s goes no more when the bank takes the payment back',
  async (how) => {
    const ada = await overpaid(how === 'refused' ? 1_310 : 1_320, OF_ADA)
    const credit = await balanceOf('credit')
    const file = await send(ada.task)
    if (how === 'refused') await bankOf(file, 'all').answer()
    else {
      await bankOf(file).debit()
      const { minor } = await one<{ minor: number }>(
        'select amount_minor::int as minor from payout where file_id = $1',
        file.id,
      )
      await tell({ amountMinor: minor, endToEndId: endToEndId(file.orders[0]?.id ?? '') })
    }
    expect(await gathered()).toContain(ada.task)
    await takeBack(ada.about)
    expect(await lineOf(ada.about)).toMatchObject({ status: 'REVERSED' })
    expect(await isOpen('refund', ada.about)).toBe(false)
    expect(await gathered()).not.toContain(ada.task)
    expect(await balanceOf('credit')).toBe(credit + (how === 'refused' ? 1_310 : 1_320))
    expect(await one('select balance_minor::int as owed from invoice where id = $1', ada.invoice.id)).toEqual(
      {
        owed: 10_000,
      },
    )
    expect(await violated()).toEqual([])
  },
)

test('taken back while it is under way, and refused then: a person looks, and no file has it', async () => {
  const ada = await overpaid(1_330, OF_ADA)
  const file = await send(ada.task)
  await takeBack(ada.about)
  expect(await lineOf(ada.about)).toMatchObject({ status: 'BOOKED' })
  await bankOf(file, 'all').answer()
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED' })
  expect(await gathered()).not.toContain(ada.task)
  expect(told(await propose([ada.task]))).toEqual([400, 'refund_not_owed'])
  // That it is settled with the bank does not bring the money back.
  const { id } = await one<{ id: string }>(
    `select t.id from task t join bank_line b on b.instance_id = t.instance_id and b.id::text = t.details ->> 'takesBack'
     where t.kind = 'bank_line' and substring($1 from '[0-9a-f-]{36}$')::uuid in (b.id, b.payment_id)`,
    ada.about,
  )
  const settled = await ask('finance', `POST /tasks/${id}/settle`, { reason: 'Banken har fått svar.' })
  expect(settled.status, settled.text).toBe(200)
  expect(await gathered()).not.toContain(ada.task)
  expect(told(await propose([ada.task]))).toEqual([400, 'refund_not_owed'])
  expect(await violated()).toEqual([])
})

test('what was nobody’s and waits to go back is the payer’s again: nothing is sent', async () => {
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const bank = await balanceOf('clearing', 'BANK_FILE')
  const { line, task } = await sentBack(61_000, OF_BO)
  await takeBack(`bank-line:${line}`)
  expect(await lineOf(line)).toMatchObject({ status: 'REVERSED' })
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(false)
  expect([await balanceOf('clearing', 'BANK_RETURN'), await balanceOf('clearing', 'BANK_FILE')]).toEqual([
    way,
    bank,
  ])
  expect(await gathered()).not.toContain(task)
  expect(await violated()).toEqual([])
})

test.each(['in a file', 'by hand'])(
  'what was nobody’s and is ordered %s is blocked when the payer’s bank takes it back',
  async (how) => {
    const { line, task } = await sentBack(how === 'by hand' ? 62_000 : 62_100, OF_BO)
    const file = how === 'by hand' ? undefined : await send(task)
    if (!file) expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
    await takeBack(`bank-line:${line}`)
    expect(await lineOf(line)).toMatchObject({ status: 'SENT_BACK' })
    if (file) await bankOf(file, 'all').answer()
    expect(await gathered()).not.toContain(task)
    expect(told(await propose([task]))).toEqual([400, 'refund_not_owed'])
    const { n } = await one<{ n: number }>(
      `select count(*)::int as n from task where kind = 'bank_line' and done_at is null and details ->> 'takesBack' = $1`,
      line,
    )
    expect(n).toBe(1)
    expect(await violated()).toEqual([])
  },
)

test('a second debit that names a row is entered as nothing else, and taken for no other refund: the correction ends it', async () => {
  const [ada, bo] = [await overpaid(1_340, OF_ADA), await overpaid(1_340, OF_BO)]
  const file = await send(ada.task)
  const order = file.orders[0]?.id
  const name = endToEndId(order ?? '')
  await tell({ amountMinor: 1_340, isDebit: true, endToEndId: name })
  await tell({ amountMinor: 1_340, isDebit: true, endToEndId: name })
  expect(await named(order)).toEqual(['OUTGOING SETTLED', 'OUTGOING SUSPENSE'])
  const { id } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and named_payment_id = $1`,
    order,
  )
  for (const [way, body] of [
    ['bank-cost', { kind: 'FEE' }],
    ['fees-drawn', undefined],
  ] as const)
    expect(
      told(await ask('finance', `POST /suspense/${id}/${way}`, body, newId(server.clock.now()))),
    ).toEqual([400, 'entry_not_open'])
  expect((await ask('finance', `POST /refunds/${bo.task}/record`)).status).toBe(200)
  expect(await named(order)).toEqual(['OUTGOING SETTLED', 'OUTGOING SUSPENSE'])
  await tell({ amountMinor: 1_340, endToEndId: name })
  expect(await named(order)).toEqual(['OUTGOING SETTLED', 'OUTGOING SETTLED', 'PAYMENT SETTLED'])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await violated()).toEqual([])
  // What comes now is the money itself.
  await tell({ amountMinor: 1_340, endToEndId: name })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'RETURNED' }] })
  expect(await violated()).toEqual([])
})

test('a correction of a second debit that was used for something else is no return: a person looks', async () => {
  const ada = await overpaid(1_350, OF_ADA)
  const file = await send(ada.task)
  const order = file.orders[0]?.id
  const name = endToEndId(order ?? '')
  await tell({ amountMinor: 1_350, isDebit: true, endToEndId: name })
  await tell({ amountMinor: 1_350, isDebit: true, endToEndId: name })
  // As it could be before named debits were kept out of other uses.
  await rows(
    `update bank_line set status = 'SETTLED' where status = 'SUSPENSE' and named_payment_id = $1`,
    order,
  )
  await tell({ amountMinor: 1_350, endToEndId: name })
  expect(await named(order)).toEqual(['OUTGOING SETTLED', 'OUTGOING SETTLED', 'PAYMENT SUSPENSE'])
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  await rows(
    `update bank_line set status = 'SUSPENSE' where named_payment_id = $1 and kind = 'OUTGOING'
     and id not in (select line_id from money_out where line_id is not null)`,
    order,
  )
})

test('only what names its payment has an account: a decision on a debt that one account paid a part of has none', async () => {
  const invoice = await build(10_000, { hasAccount: false })
  await tell({ amountMinor: 4_000, reference: invoice.reference, payerIban: OF_ADA })
  await takeFiles(fileOf([{ reference: invoice.reference, amountMinor: 6_000 }]))
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId, role: 'clerk' } as const
  const headers = {
    ...(await signInStaff(server.product.context, at)),
    'Idempotency-Key': newId(server.clock.now()),
  }
  const body = { amount: 50, reason: 'Fel antal' }
  const credited = await server.call('POST', `/api/client/invoices/${invoice.id}/credit`, { headers, body })
  expect(credited.status, credited.text).toBeLessThan(300)
  const { id } = await one<{ id: string }>(
    `select k.id from task k join ledger_transaction t on t.cause = 'refund:' || k.about
     where k.kind = 'refund' and t.invoice_id = $1 and k.done_at is null`,
    invoice.id,
  )
  expect(told(await propose([id]))).toEqual([400, 'refund_account_unknown', 'refunds'])
  expect(await caseOf(id)).toMatchObject({ account: null })
})

test.each([
  ['our own account', 'SE6412000000012170145230'],
  ['an account abroad', 'FI2112345600000785'],
])('what came from %s goes to none in a file', async (_, iban) => {
  await rows(
    `insert into account_address (instance_id, account_id, address) select instance_id, id, 'SE IBAN SE6412000000012170145230' from payment_account
     where creditor_id is null order by id limit 1 on conflict do nothing`,
  )
  const { task } = await overpaid(1_360, iban)
  expect(told(await propose([task]))).toEqual([400, 'refund_account_unknown', 'refunds'])
})

/** Two payments that are nobody's, the same in all but the bank's own id, to be sent back; the second is ordered by hand. */
async function twoAlike(amountMinor: number, reference: string) {
  const lines: string[] = []
  for (let n = 0; n < 2; n++) {
    await tell({ amountMinor, reference, payer: 'Okand Betalare', payerIban: OF_BO })
    const { id } = await one<{ id: string }>(
      `select id from bank_line where status = 'SUSPENSE' and kind = 'PAYMENT' and amount_minor = $1`,
      amountMinor,
    )
    expect((await ask('finance', `POST /suspense/${id}/send-back`)).status).toBe(200)
    lines.push(id)
  }
  const { id: task } = await one<{ id: string }>(
    `select id from task where kind = 'send_back' and about = $1`,
    `bank-line:${lines[1]}`,
  )
  expect((await ask('finance', `POST /refunds/${task}/record`)).status).toBe(200)
  const [first = '', second = ''] = lines
  return { first, second }
}

test('of two alike, one ordered by hand, two deductions that name neither take back one each', async () => {
  const { first, second } = await twoAlike(74_000, '7400074')
  await tell({ amountMinor: 74_000, reference: '7400074', isReversal: true })
  await tell({ amountMinor: 74_000, reference: '7400074', isReversal: true })
  const states = await rows<{ status: string; takes: string | null; reverses: string | null }>(
    `select l.status, t.details ->> 'takesBack' as takes, l.reverses_id as reverses from bank_line l
     left join task t on t.instance_id = l.instance_id and t.about = 'bank-line:' || l.id and t.done_at is null
     where l.kind = 'DEDUCTION' and l.amount_minor = 74000 order by l.id`,
  )
  expect(states).toEqual([
    { status: 'SUSPENSE', takes: second, reverses: null },
    { status: 'REVERSED', takes: null, reverses: first },
  ])
  expect(await violated()).toEqual([])
})

test('a deduction that comes before its payment takes that back when a person says so, and it is known and counted which', async () => {
  const invoice = await build(10_000, { hasAccount: false })
  await tell({ amountMinor: 10_000, reference: invoice.reference, isReversal: true })
  const { id } = await one<{ id: string }>(
    `select l.id from bank_line l join task t on t.instance_id = l.instance_id and t.about = 'bank-line:' || l.id and t.done_at is null
     where l.kind = 'DEDUCTION' and l.status = 'SUSPENSE' and t.details ->> 'reason' = 'nothing_to_take_back'`,
  )
  await tell({ amountMinor: 10_000, reference: invoice.reference })
  const { line } = await one<{ line: string }>(
    `select id as line from bank_line where kind = 'PAYMENT' and status = 'BOOKED' and $1 = any(payment_references)`,
    invoice.reference,
  )
  expect(told(await ask('finance', `POST /suspense/${id}/take-back`))).toEqual([200, undefined])
  expect(await one('select status, reverses_id as reverses from bank_line where id = $1', id)).toEqual({
    status: 'REVERSED',
    reverses: line,
  })
  expect(
    await rows(
      `select after ->> 'takesBack' as line from audit_event where kind = 'money_entered' and about = $1`,
      `bank-line:${id}`,
    ),
  ).toEqual([{ line }])
  expect(await violated()).toEqual([])
})
