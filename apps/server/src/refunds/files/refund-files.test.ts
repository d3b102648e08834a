/** What goes back by transfer, from a payment that brought too much to the bank's word: by two people, once, to the öre. */
import { existsSync, readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { recordRefund } from '../refunds.ts'
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
import { camt } from '../../testing/files/bank-formats.ts'
import {
  approve,
  ask,
  bankOf,
  caseOf,
  DAY,
  fileOfProposal,
  idOf,
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

test('what is owed back goes to the account that it came from, and what came from none that is known is in no file', async () => {
  const ada = await overpaid(1_234, OF_ADA)
  const nobody = await overpaid(500)
  const giro = await build(10_000)
  await takeFiles(fileOf([{ reference: giro.reference, amountMinor: 10_700 }]))
  const gathered = (await ask('finance', 'GET /refunds/gathered?currency=SEK')).json as { rows: object[] }
  expect(gathered.rows).toEqual([
    {
      id: ada.task,
      kind: 'refund',
      amount: 12.34,
      number: expect.any(String),
      name: 'Ada & Bo Ek',
      account: { scheme: 'IBAN', number: OF_ADA },
      hasFailed: false,
    },
    expect.objectContaining({ id: nobody.task, amount: 5, account: null }),
    expect.objectContaining({ amount: 7, account: null }),
  ])
  expect(await caseOf(nobody.task)).toMatchObject({ account: null, files: [] })
  expect(told(await propose([nobody.task]))).toEqual([400, 'refund_account_unknown', 'refunds'])
  const before = { credit: await balanceOf('credit'), way: await balanceOf('clearing', 'BANK_RETURN') }
  const proposal = idOf(await ask('finance', 'POST /refunds/files', { currency: 'SEK' }))
  const shown = (await ask('approver', `GET /proposals/${proposal}`)).json
  expect(shown).toMatchObject({
    kind: 'refund_file',
    before: { amount: '12.34', count: 1, refunds: [{ id: ada.task, amount: '12.34', account: '…7466' }] },
  })
  expect(JSON.stringify(shown)).not.toContain('Bo Ek')
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  const file = await fileOfProposal(proposal)
  expect(file.content).toContain('<InstdAmt Ccy="SEK">12.34</InstdAmt>')
  expect(file.content).toContain(
    '<Nm>Ada &amp; Bo Ek</Nm></Cdtr><CdtrAcct><Id><IBAN>SE4550000000058398257466</IBAN></Id></CdtrAcct>',
  )
  expect([await balanceOf('credit'), await balanceOf('clearing', 'BANK_RETURN')]).toEqual([
    before.credit + 1_234,
    before.way - 1_234,
  ])
  expect(await caseOf(ada.task)).toMatchObject({
    status: 'UNDER_WAY',
    files: [{ status: 'SENT', amount: 12.34, number: OF_ADA }],
  })
  // It is nobody's to send another way, nor in another file.
  expect(told(await propose([ada.task]))).toEqual([400, 'refund_not_owed'])
  expect(told(await ask('finance', `POST /refunds/${ada.task}/record`))).toEqual([400, 'refund_under_way'])
  const bank = bankOf(file)
  expect((await bank.answer()).json).toMatchObject({ accepted: 1, refused: 0, duplicate: false })
  expect((await bank.answer()).json).toMatchObject({ duplicate: true })
  await bank.debit()
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(before.way)
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED', files: [{ status: 'PAID' }] })
  expect(await isOpen('payout_to_confirm', `payout-file:${file.id}`)).toBe(false)
  const listed = (await ask('finance', 'POST /payouts/search', { kind: 'REFUND' })).json
  expect(listed).toMatchObject([{ kind: 'REFUND', count: 1, states: { paid: 1 } }])
  expect((await ask('auditor', `GET /payouts/${file.id}`)).json).toMatchObject({
    payouts: [
      {
        settlement: null,
        creditor: null,
        refund: { id: ada.task, kind: 'refund' },
        receiverName: 'Ada & Bo Ek',
      },
    ],
  })
  expect(await violated()).toEqual([])
})

test('what the bank refuses is owed again with its words, leaves once more, and comes back days later', async () => {
  const [ada, bo] = [await overpaid(300, OF_ADA), await overpaid(400, OF_BO)]
  const first = await send(ada.task, bo.task)
  const refused = first.orders.find(({ about }) => about === `refund:${ada.about}`)
  const bank = bankOf(first, [endToEndId(refused?.id ?? '')])
  expect((await bank.answer()).json).toMatchObject({ accepted: 1, refused: 1 })
  await bank.debit()
  expect(await caseOf(ada.task)).toMatchObject({
    status: 'OWED',
    left: 3,
    files: [{ status: 'REFUSED', reason: 'AC04 The account is closed' }],
  })
  expect([await isOpen('refund', ada.about), await isOpen('refund', bo.about)]).toEqual([true, false])
  expect(await violated()).toEqual([])
  const second = await send(ada.task)
  await bankOf(second).debit()
  expect(await caseOf(ada.task)).toMatchObject({
    status: 'ENDED',
    files: [{ status: 'PAID' }, { status: 'REFUSED' }],
  })
  // A refusal of what has been paid is a contradiction, and changes nothing.
  expect(told(await bankOf(second, 'all').answer())).toEqual([400, 'payout_contradicted', 'file'])
  await tell({ amountMinor: 300, endToEndId: endToEndId(second.orders[0]?.id ?? '') })
  expect(await caseOf(ada.task)).toMatchObject({
    status: 'OWED',
    left: 3,
    files: [{ status: 'RETURNED' }, { status: 'REFUSED' }],
  })
  expect(await violated()).toEqual([])
  // A person may send it another way then.
  expect((await ask('finance', `POST /refunds/${ada.task}/record`)).status).toBe(200)
  await tell({ amountMinor: 300, isDebit: true })
  expect(await caseOf(ada.task)).toMatchObject({ status: 'ENDED' })
  expect(await violated()).toEqual([])
})

test('what was sent back from suspense leaves in a file too; refused it waits as before, returned it waits again', async () => {
  const { line, task } = await sentBack(55_500, OF_BO)
  const way = await balanceOf('clearing', 'BANK_RETURN')
  const first = await send(task)
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way)
  // As much that names nothing is not it.
  await tell({ amountMinor: 55_500, isDebit: true })
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(true)
  expect((await bankOf(first, 'all').answer()).json).toMatchObject({ refused: 1 })
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(true)
  expect(await violated()).toEqual([])
  const second = await send(task)
  await bankOf(second).debit()
  expect([
    await isOpen('send_back', `bank-line:${line}`),
    await balanceOf('clearing', 'BANK_RETURN'),
  ]).toEqual([false, way + 55_500])
  await tell({ amountMinor: 55_500, endToEndId: endToEndId(second.orders[0]?.id ?? '') })
  expect([
    await isOpen('send_back', `bank-line:${line}`),
    await balanceOf('clearing', 'BANK_RETURN'),
  ]).toEqual([true, way])
  const third = await send(task)
  await bankOf(third).debit()
  expect(await isOpen('send_back', `bank-line:${line}`)).toBe(false)
  expect(await violated()).toEqual([])
})

test('the statement may tell that it came back before it tells that it left', async () => {
  const ada = await overpaid(310, OF_ADA)
  const file = await send(ada.task)
  const name = endToEndId(file.orders[0]?.id ?? '')
  await tell({ amountMinor: 310, endToEndId: name })
  await bankOf(file).debit()
  expect(await caseOf(ada.task)).toMatchObject({ status: 'OWED', files: [{ status: 'RETURNED' }] })
  expect(await violated()).toEqual([])
})

test('two files never have the same row: of two approvals, in turn and at once, one holds', async () => {
  const [ada, bo] = [await overpaid(111, OF_ADA), await overpaid(222, OF_BO)]
  const proposals = [idOf(await propose([ada.task])), idOf(await propose([ada.task, bo.task]))]
  const both = await Promise.all(proposals.map((id) => approve('approver', id)))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const orders = await rows<{ n: number }>(
    `select count(*)::int as n from payout where task_id = $1`,
    ada.task,
  )
  expect(orders).toEqual([{ n: 1 }])
  expect(await violated()).toEqual([])
})

test.each(['file first', 'by hand first', 'at once'])(
  'a file and a person who orders the same at the bank, %s: one of them',
  async (order) => {
    const ada = await overpaid(130, OF_ADA)
    const proposal = idOf(await propose([ada.task]))
    const way = await balanceOf('clearing', 'BANK_RETURN')
    const acts = {
      file: () => approve('approver', proposal),
      hand: () => ask('finance', `POST /refunds/${ada.task}/record`, undefined, newId(server.clock.now())),
    }
    const done =
      order === 'at once'
        ? await Promise.all([acts.file(), acts.hand()])
        : order === 'file first'
          ? [await acts.file(), await acts.hand()]
          : [await acts.hand(), await acts.file()]
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(way - 130)
    expect(await violated()).toEqual([])
  },
)

test('what is taken back meanwhile is in no file', async () => {
  const ada = await overpaid(140, OF_ADA)
  const proposal = idOf(await propose([ada.task]))
  await recordRefund(
    { db: server.test.db, clock: server.clock },
    {
      instanceId: server.instanceId,
      by: 'person:anna',
      about: ada.about,
      holder: 'INSTANCE',
      hasLeft: true,
    },
  )
  expect(told(await approve('approver', proposal))).toEqual([409, 'changed_meanwhile'])
})

test('above the limit whoever proposes has just signed in; who may not pay proposes nothing; what is no refund of ours is refused', async () => {
  const large = await overpaid(600_000, OF_ADA)
  expect(told(await ask('support', 'POST /refunds/files', { currency: 'SEK' }))).toEqual([403, 'not_allowed'])
  expect(told(await ask('auditor', 'GET /refunds/gathered?currency=SEK'))).toEqual([403, 'not_allowed'])
  expect(told(await propose([newId(server.clock.now())]))).toEqual([400, 'refund_not_owed'])
  expect(told(await propose([large.task], { currency: 'EUR' }))).toEqual([400, 'refund_not_owed'])
  expect(told(await propose([large.task], { executionDate: '2020-01-01' }))).toEqual([
    400,
    'invalid_request',
    'executionDate',
  ])
  expect((await propose(["x' or 1=1"])).status).toBe(400)
  expect(told(await ask('finance', 'POST /refunds/files', { currency: '<b>' }))).toEqual([
    400,
    'invalid_request',
    'currency',
  ])
  expect(told(await ask('finance', 'POST /refunds/files', { currency: 'DKK' }))).toEqual([
    400,
    'nothing_to_send_back',
  ])
  const signedIn = (ago: string) =>
    rows(
      `update staff_session s set signed_in_at = now() - $1::interval from membership m join person p on p.id = m.person_id
       where m.id = s.membership_id and p.email = 'finance@example.com'`,
      ago,
    )
  await signedIn('11 minutes')
  expect(told(await propose([large.task]))).toEqual([403, 'sign_in_again'])
  await signedIn('1 minute')
  expect(told(await propose([large.task]))).toEqual([202, undefined])
})

test('a later file of another format says where the money came from, which the first did not', async () => {
  const invoice = await build(10_000)
  await takeFiles(fileOf([{ reference: invoice.reference, amountMinor: 10_900 }]))
  const { id } = await one<{ id: string }>(
    `select k.id from task k join ledger_transaction t on t.cause = 'refund:' || k.about where k.kind = 'refund' and t.invoice_id = $1`,
    invoice.id,
  )
  expect(await caseOf(id)).toMatchObject({ left: 9, account: null })
  const day = server.clock.today('Europe/Stockholm')
  const told = { currency: 'SEK', day, bankId: 'again', reference: invoice.reference, payerIban: OF_BO }
  await takeFiles(
    camt({
      account: { other: '99900227' },
      serial: 9_001,
      message: '054',
      entries: [{ ...told, amountMinor: 10_900 }],
    }),
  )
  expect(await caseOf(id)).toMatchObject({ left: 9, account: { scheme: 'IBAN', number: OF_BO } })
  expect(await violated()).toEqual([])
})

// The sample is the European Payments Council's narrower form of it: euro, from IBAN to IBAN.
const XSD = new URL('../../../../../../shared/samples/iso20022/pain.001.001.09.xsd', import.meta.url)
test('a file of refunds is valid as pain.001.001.09', async ({ skip }) => {
  skip(!existsSync(XSD), 'there is no folder ../shared/samples/iso20022')
  const { instanceId, test: database } = server
  await database.owner.query(
    `with made as (
       insert into payment_account (instance_id, id, scheme, account_number, iban, currency, receiver_name, bank_name, is_usable, number_key, holder)
       values ($1, $2, 'IBAN', 'FI2112345600000785', 'FI2112345600000785', 'EUR', 'Nordklar Oy', 'Demobanken', true, 'IBANFI2112345600000785', 'INSTANCE')
       returning id)
     insert into account_address (instance_id, account_id, address) select $1, id, 'FI IBAN FI2112345600000785' from made`,
    [instanceId, newId(server.clock.now())],
  )
  const entry = { currency: 'EUR', day: DAY as never, bankId: 'EUR-1', amountMinor: 4_321, payerIban: OF_ADA }
  await takeFiles(
    camt({
      account: { iban: 'FI2112345600000785' },
      serial: 9_002,
      message: '054',
      entries: [{ ...entry, payer: 'Ada &lt;b&gt; Ek' }],
    }),
  )
  const { id: line } = await one<{ id: string }>(
    `select id from bank_line where currency = 'EUR' and status = 'SUSPENSE'`,
  )
  expect((await ask('finance', `POST /suspense/${line}/send-back`)).status).toBe(200)
  const proposal = idOf(await ask('finance', 'POST /refunds/files', { currency: 'EUR' }))
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  const schema = XmlDocument.fromString(readFileSync(XSD, 'utf8'))
  const validator = XsdValidator.fromDoc(schema)
  const document = XmlDocument.fromString((await fileOfProposal(proposal)).content)
  expect(() => validator.validate(document)).not.toThrow()
  for (const part of [document, validator, schema]) part.dispose()
  expect(await violated()).toEqual([])
})
