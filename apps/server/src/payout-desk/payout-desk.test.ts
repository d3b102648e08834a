/** Money out to creditors, from a counted settlement to the bank's word: by two people, once, and to the öre. Sums are worked by hand. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { openLog } from '../platform/log.ts'
import { enterAgreement, makeSettlements } from '../settlements/settlements.ts'
import { isTaskOpen } from '../tasks/tasks.ts'
import { buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { formWith } from '../testing/files/sample-files.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

const MONDAY = date('2026-11-02')
let server: TestServer
let week = 0
let one: BuiltInvoice
let settlement: string
const people = new Map<string, SignedIn>()

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  await server.test.owner.query(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  const at = { instanceId: server.instanceId, creditorId: null }
  for (const role of ['finance', 'manager', 'approver'] as const)
    people.set(role, await signInStaff(server.product.context, { ...at, role }))
})

/** 400.00 came, 12.5 % of it is 50.00, with 2.00 for the payment 52.00, and 13.00 VAT: 335.00 is paid out, 65.00 is the operator's. */
beforeEach(async () => {
  const { test: db, instanceId, clock } = server
  const monday = addDays(MONDAY, 7 * week)
  week += 1
  clock.moveTo(monday)
  one = await buildInvoice(db, instanceId, clock, { totalMinor: 40_000 })
  const instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
  await enterAgreement({ db: db.db, clock }, instance, {
    creditor: one.creditorId,
    from: monday,
    invoiceCommissionBp: 1_250,
    claimCommissionBp: 0,
    currency: 'SEK',
    paymentPriceMinor: 200,
    casePriceMinor: 0,
    vatBp: 2_500,
    period: 'WEEK',
    smallestPayoutMinor: 0,
    source: 'Agreement, section 6',
    by: 'person:Eva Berg',
  })
  await transfer(server, one, 40_000)
  clock.moveTo(addDays(monday, 7))
  await makeSettlements({ db: db.db, clock, log: openLog('silent') }, instance, addDays(monday, 7))
  settlement = (
    await read<{ id: string }>('select id from settlement where creditor_id = $1', one.creditorId)
  ).id
})

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]
const read = async <Row>(text: string, ...values: unknown[]): Promise<Row> =>
  (await rows<Row>(text, ...values))[0] as Row
const ask = (name: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> =>
  server.call(method, `/api/admin${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(people.get(name) as SignedIn) },
  })
const told = ({ status, json }: Answer) => [status, (json as { code?: string }).code]
const approve = (name: string, id: string) => ask(name, 'POST', `/proposals/${id}/approve`)
const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return (answer.json as { id: string }).id
}
const statusOf = async (id = settlement) =>
  (await read<{ status: string }>('select status from settlement where id = $1', id)).status
const balance = async (kind: string, gateway: string | null = null) =>
  (
    await read<{ minor: number }>(
      `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = $1
         and gateway is not distinct from $2 and ($1 <> 'held_for_creditor' or creditor_id = $3)`,
      kind,
      gateway,
      one.creditorId,
    )
  ).minor
const isOpen = (kind: 'settlement_to_approve' | 'payout_to_confirm' | 'payout_refused', about: string) =>
  isTaskOpen(server.test.db, { instanceId: server.instanceId, kind, about })

/** An account that two people have approved, a day ago unless it is said to wait. */
async function giveAccount(isWaiting = false): Promise<void> {
  const account = {
    currency: 'SEK',
    scheme: 'IBAN',
    number: 'SE4550000000058398257466',
    receiverName: 'Mottagare & Söner AB',
  }
  const body = { paymentAccounts: [{ ...account, use: 'PAYOUT' }] }
  const id = idOf(await ask('finance', 'PUT', `/clients/${one.creditorId}`, body))
  const hold = (state: string) =>
    server.test.owner.query(`alter table payout_account ${state} trigger payout_account_append_only`)
  expect((await approve('manager', id)).status).toBe(200)
  if (isWaiting) return
  await hold('disable')
  await server.test.owner.query(`update payout_account set usable_from = usable_from - interval '25 hours'`)
  await hold('enable')
}
async function approveSettlement(): Promise<void> {
  const id = idOf(await ask('finance', 'POST', `/settlements/${settlement}/propose`))
  expect(told(await approve('approver', id))).toEqual([200, undefined])
}
const proposeFile = (wish: object = {}) =>
  ask('finance', 'POST', '/payouts', { currency: 'SEK', settlements: [settlement], ...wish })
type Payout = { id: string; messageId: string; payout: string }
async function send(): Promise<Payout> {
  await giveAccount()
  await approveSettlement()
  return sendFile()
}
async function sendFile(): Promise<Payout> {
  const proposal = idOf(await proposeFile())
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  return read<Payout>(
    `select f.id, f.message_id as "messageId", o.id as payout from payout_file f join payout o on o.file_id = f.id where f.proposal_id = $1`,
    proposal,
  )
}
const pain002 = (
  { messageId, payout }: Payout,
  { group = '', order = '', of = payout }: { group?: string; order?: string; of?: string },
) => `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>A${Math.random()}</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId>
${group && `<GrpSts>${group}</GrpSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>`}</OrgnlGrpInfAndSts>
${order && `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>${endToEndId(of)}</OrgnlEndToEndId><TxSts>${order}</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Kontot är avslutat</AddtlInf></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts>`}
</CstmrPmtStsRpt></Document>`
const answer = (text: string) =>
  ask('finance', 'PUT', '/payouts/answers', formWith(Buffer.from(text), 'pain002.xml'))
let serial = 0
const debit = ({ payout }: Payout, amount = '335.00') => {
  serial += 1
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>D${serial}</MsgId>
<CreDtTm>2026-11-20T18:00:00</CreDtTm></GrpHdr><Ntfctn><Id>D${serial}</Id><Acct><Id><Othr><Id>99900110</Id></Othr></Id></Acct>
<Ntry><Amt Ccy="SEK">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>D${serial}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId(payout)}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`
}
const tellDebit = (text: string) =>
  ask('finance', 'PUT', '/payment-batches', formWith(Buffer.from(text), 'camt.xml'))

test('a settlement is approved by another, and nobody has to approve it any more', async () => {
  const about = `settlement:${settlement}`
  expect([await statusOf(), await isOpen('settlement_to_approve', about)]).toEqual(['TO_APPROVE', true])
  // The list of tasks says which settlement it is, and whose.
  const tasks = (await ask('finance', 'POST', '/tasks/search', { kind: 'settlement_to_approve' })).json
  expect(tasks).toContainEqual(
    expect.objectContaining({
      subject: { type: 'settlements', id: settlement, number: expect.stringMatching(/^\d+$/) },
      creditor: expect.objectContaining({ id: one.creditorId }),
    }),
  )
  expect(told(await ask('finance', 'POST', `/settlements/${settlement}/propose`))).toEqual([
    400,
    'payout_account_missing',
  ])
  await giveAccount(true)
  const id = idOf(await ask('finance', 'POST', `/settlements/${settlement}/propose`))
  expect(told(await approve('finance', id))).toEqual([400, 'another_person_needed'])
  const shown = (await ask('approver', 'GET', `/proposals/${id}`)).json
  expect(shown).toMatchObject({
    before: { amount: '335.00', currency: 'SEK', status: 'TO_APPROVE' },
    after: { amount: '335.00', status: 'APPROVED', account: 'SE4550000000058398257466' },
  })
  expect((await approve('approver', id)).status).toBe(200)
  expect([await statusOf(), await isOpen('settlement_to_approve', about)]).toEqual(['APPROVED', false])
  // Everybody concerned is told of the account, and when it holds.
  expect(
    await read<{ n: number; body: string }>(
      `select count(*)::int as n, min(text_body) as body from mail_outbox where kind = 'staff_payout_account'`,
    ),
  ).toMatchObject({ n: expect.any(Number), body: expect.stringContaining('7466') })
  // A new account waits a day: nothing is sent to it before, and what is approved waits with it.
  expect(told(await proposeFile())).toEqual([400, 'payout_account_waits'])
  expect(told(await ask('finance', 'POST', '/payouts', { currency: 'EUR' }))).toEqual([
    400,
    'nothing_to_pay_out',
  ])
})

test('it leaves in a file, is accepted and debited: nothing is held any more, and nobody waits for the bank any more', async () => {
  const before = {
    fees: await balance('clearing', 'OPERATOR_FEES'),
    way: await balance('clearing', 'BANK_PAYOUT'),
  }
  expect(await balance('held_for_creditor')).toBe(40_000)
  const sent = await send()
  const about = `payout-file:${sent.id}`
  expect([await statusOf(), await isOpen('payout_to_confirm', about)]).toEqual(['SENT', true])
  expect(await balance('held_for_creditor')).toBe(0)
  expect((await balance('clearing', 'BANK_PAYOUT')) - before.way).toBe(33_500)
  expect((await balance('clearing', 'OPERATOR_FEES')) - before.fees).toBe(6_500)
  expect((await answer(pain002(sent, { group: 'ACCP' }))).json).toMatchObject({
    accepted: 1,
    refused: 0,
    duplicate: false,
  })
  const bank = await balance('clearing', 'BANK_FILE')
  const line = debit(sent)
  expect((await tellDebit(line)).json).toMatchObject({ booked: -335, suspense: 0 })
  expect([await statusOf(), await isOpen('payout_to_confirm', about)]).toEqual(['PAID', false])
  expect((await balance('clearing', 'BANK_PAYOUT')) - before.way).toBe(0)
  expect((await balance('clearing', 'BANK_FILE')) - bank).toBe(33_500)
  expect((await tellDebit(line)).json).toMatchObject({ duplicate: true })
  const file = await ask('finance', 'GET', `/payouts/${sent.id}`)
  expect(file.json).toMatchObject({
    amount: 335,
    states: { paid: 1, sent: 0 },
    payouts: [{ status: 'PAID', amount: 335 }],
  })
  // What the bank has paid it refuses no more.
  expect(told(await answer(pain002(sent, { order: 'RJCT' })))).toEqual([400, 'payout_contradicted'])
  expect(await statusOf()).toBe('PAID')
})

test('what the bank refuses comes back, is proposed again, and nobody has to any more', async () => {
  const sent = await send()
  const text = pain002(sent, { group: 'PART', order: 'RJCT' })
  expect((await answer(text)).json).toMatchObject({ accepted: 0, refused: 1, duplicate: false })
  const about = `settlement:${settlement}`
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['REFUSED', true])
  expect(await balance('held_for_creditor')).toBe(33_500)
  expect((await answer(text)).json).toMatchObject({ refused: 0, duplicate: true })
  const { json } = await ask('finance', 'GET', `/payouts/${sent.id}`)
  expect(json).toMatchObject({ payouts: [{ status: 'REFUSED', reason: 'AC04 Kontot är avslutat' }] })
  await approveSettlement()
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['APPROVED', false])
  const again = await sendFile()
  expect(again.payout).not.toBe(sent.payout)
  // The operator's part has left with the first.
  expect(await balance('held_for_creditor')).toBe(0)
  // A debit of the one that was refused is nobody's.
  expect((await tellDebit(debit(sent))).json).toMatchObject({ booked: 0, suspense: -335 })
  await tellDebit(debit(again))
  expect(await statusOf()).toBe('PAID')
})

/** The bank that the payout went to has sent it back. */
const sentBack = (sent: Payout, amount?: string) =>
  debit(sent, amount)
    .replace('DBIT', 'CRDT')
    .replace('</Refs>', '</Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>')

test('a payout that comes back days later is held again, once, and leaves anew to where it arrives', async () => {
  const [way, bank] = [await balance('clearing', 'BANK_PAYOUT'), await balance('clearing', 'BANK_FILE')]
  const sent = await send()
  await tellDebit(debit(sent))
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
  const about = `settlement:${settlement}`
  const back = sentBack(sent)
  expect((await tellDebit(back)).json).toMatchObject({ suspense: 0 })
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['REFUSED', true])
  expect(await balance('held_for_creditor')).toBe(33_500)
  expect(await balance('clearing', 'BANK_PAYOUT')).toBe(way)
  expect(await balance('clearing', 'BANK_FILE')).toBe(bank)
  const { json } = await ask('finance', 'GET', `/payouts/${sent.id}`)
  expect(json).toMatchObject({ states: { paid: 0, returned: 1 }, payouts: [{ status: 'RETURNED' }] })
  // In a statement after the notification it is the same; another line with as much is a person's to place.
  expect((await tellDebit(back.replace('<MsgId>D', '<MsgId>S'))).json).toMatchObject({ suspense: 0 })
  expect((await tellDebit(sentBack(sent))).json).toMatchObject({ suspense: 335 })
  expect(await balance('held_for_creditor')).toBe(33_500)
  await approveSettlement()
  const again = await sendFile()
  await tellDebit(debit(again))
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['PAID', false])
  expect(await balance('held_for_creditor')).toBe(0)
})

test('told to have come back before it is told to have left, it ends as the other way round', async () => {
  const bank = await balance('clearing', 'BANK_FILE')
  const sent = await send()
  expect((await tellDebit(sentBack(sent))).json).toMatchObject({ suspense: 335 })
  expect(await statusOf()).toBe('SENT')
  const line = await read<{ id: string }>(
    `select id from bank_line where kind = 'PAYMENT' and named_payment_id = $1`,
    sent.payout,
  )
  const suspense = {
    instanceId: server.instanceId,
    kind: 'bank_line',
    about: `bank-line:${line.id}`,
  } as const
  expect(await isTaskOpen(server.test.db, suspense)).toBe(true)
  await tellDebit(debit(sent))
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['REFUSED', 33_500])
  expect(await balance('clearing', 'BANK_FILE')).toBe(bank)
  expect(await isTaskOpen(server.test.db, suspense)).toBe(false)
})

test('what arrives on the creditor’s own account is no payout that came back, whichever is told first', async () => {
  const sent = await send()
  await server.test.owner.query(
    `with made as (insert into payment_account (instance_id, creditor_id, id, scheme, account_number, receiver_name, is_usable, number_key, holder)
       values ($1, $2, gen_random_uuid(), 'BANKGIRO', '9990-0128', 'Mottagare', true, 'BANKGIRO99900128', 'CREDITOR') returning id)
     insert into account_address (instance_id, account_id, address) select $1, id, 'SE BANKGIRO 99900128' from made`,
    [server.instanceId, one.creditorId],
  )
  const arrival = debit(sent).replace('DBIT', 'CRDT').replace('99900110', '99900128')
  expect((await tellDebit(arrival)).json).toMatchObject({ suspense: 335 })
  await tellDebit(debit(sent))
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
})

test('a debit that the bank has made twice and takes back once: the payout has left', async () => {
  const bank = await balance('clearing', 'BANK_FILE')
  const sent = await send()
  await tellDebit(debit(sent))
  expect((await tellDebit(debit(sent))).json).toMatchObject({ suspense: -335 })
  expect((await tellDebit(sentBack(sent))).json).toMatchObject({ suspense: 0 })
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
  expect((await balance('clearing', 'BANK_FILE')) - bank).toBe(33_500)
  expect(
    await rows(
      `select about from task where kind = 'bank_line' and done_at is null and about in
         (select 'bank-line:' || id from bank_line where named_payment_id = $1)`,
      sent.payout,
    ),
  ).toEqual([])
})

test('less than what was paid out is no payout that came back: a person places it', async () => {
  const sent = await send()
  await tellDebit(debit(sent))
  expect((await tellDebit(sentBack(sent, '330.00'))).json).toMatchObject({ suspense: 330 })
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
})

test('a debit that names no payout is none, though it is as much', async () => {
  const sent = await send()
  const unnamed = debit(sent).replace(/<Refs>.*<\/Refs>/, '<RmtInf><Ustrd>Till Alva</Ustrd></RmtInf>')
  expect((await tellDebit(unnamed)).json).toMatchObject({ booked: 0, suspense: -335 })
  expect(await statusOf()).toBe('SENT')
  await tellDebit(debit(sent))
  expect(await statusOf()).toBe('PAID')
})

test.each(['RJCT', 'CANC'])('a batch that is %s in a file that was well formed comes back', async (batch) => {
  const sent = await send()
  const text = pain002(sent, { group: 'ACTC' }).replace(
    '</OrgnlGrpInfAndSts>',
    `</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>${sent.messageId}</OrgnlPmtInfId><PmtInfSts>${batch}</PmtInfSts></OrgnlPmtInfAndSts>`,
  )
  expect((await answer(text)).json).toMatchObject({ accepted: 0, refused: 1 })
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['REFUSED', 33_500])
})

test('an answer that is none of ours changes nothing, and says so', async () => {
  const sent = await send()
  const stranger = { ...sent, messageId: 'f'.repeat(32) }
  expect(told(await answer(pain002(stranger, { group: 'RJCT' })))).toEqual([400, 'payout_file_unknown'])
  const other = '00000000-0000-4000-8000-000000000000'
  expect(told(await answer(pain002(sent, { order: 'RJCT', of: other })))).toEqual([
    400,
    'payout_file_unknown',
  ])
  for (const text of ['', '<html/>', '<!DOCTYPE x><Document/>', debit(sent), pain002(sent, {}).slice(0, 200)])
    expect(told(await answer(text)), text.slice(0, 40)).toEqual([400, 'payout_answer_unreadable'])
  expect(await statusOf()).toBe('SENT')
})

test('of many who approve, refuse and send at once, it is approved once and leaves once', async () => {
  await giveAccount()
  const proposal = idOf(await ask('finance', 'POST', `/settlements/${settlement}/propose`))
  const first = await Promise.all([
    approve('manager', proposal),
    approve('approver', proposal),
    ask('manager', 'POST', `/proposals/${proposal}/refuse`, { reason: 'Nej' }),
  ])
  expect(first.filter(({ status }) => status === 200)).toHaveLength(1)
  if ((await statusOf()) === 'TO_APPROVE') await approveSettlement()
  const files = [idOf(await proposeFile()), idOf(await proposeFile())]
  const sent = await Promise.all(files.flatMap((id) => [approve('manager', id), approve('approver', id)]))
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const one of sent.filter(({ status }) => status !== 200)) expect([400, 409]).toContain(one.status)
  expect(await rows('select id from payout where settlement_id = $1', settlement)).toHaveLength(1)
  expect(await balance('held_for_creditor')).toBe(0)
})

test('what is held for one creditor never pays another: a payout that would take too much does not leave', async () => {
  await giveAccount()
  await approveSettlement()
  const proposal = idOf(await proposeFile())
  // Since it was counted, money has gone back: less is held than would leave.
  await server.test.owner.query(
    `with t as (insert into ledger_transaction (instance_id, id, kind, booked_on, cause) values ($1, gen_random_uuid(), 'REFUND', '2026-11-20', 'test:' || $2) returning id),
     a as (select id, kind from ledger_account where instance_id = $1 and currency = 'SEK'
       and (kind = 'held_for_creditor' and creditor_id = $2::uuid or kind = 'clearing' and gateway = 'BANK_FILE'))
     insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
     select $1, t.id, row_number() over (), a.id, 'SEK', case a.kind when 'clearing' then -1 else 1 end from t, a`,
    [server.instanceId, one.creditorId],
  )
  expect(told(await approve('approver', proposal))).toEqual([400, 'held_too_little'])
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['APPROVED', 39_999])
  expect(await rows('select id from payout where settlement_id = $1', settlement)).toEqual([])
})

test('the file says to the öre who gets what, and a later look at it finds the same bytes', async () => {
  const sent = await send()
  const get = () =>
    server.call('GET', `/api/admin/payouts/${sent.id}`, {
      headers: { ...(people.get('finance') as SignedIn), accept: 'application/xml' },
    })
  const { text } = await get()
  expect(text).toContain('<InstdAmt Ccy="SEK">335.00</InstdAmt>')
  expect(text).toContain('<CtrlSum>335.00</CtrlSum>')
  expect(text).toContain(`<EndToEndId>${endToEndId(sent.payout)}</EndToEndId>`)
  expect(text).toContain('<Nm>Mottagare &amp; Söner AB</Nm>')
  expect(text).toContain('<Id>99900110</Id><SchmeNm><Prtry>BGNR</Prtry>')
  expect((await get()).text).toBe(text)
})

test('the sandbox bank reads the file: what it executes is paid, what it refuses comes back', async () => {
  const first = { id: settlement, creditorId: one.creditorId }
  await giveAccount()
  await approveSettlement()
  const proposal = idOf(await proposeFile())
  expect((await approve('approver', proposal)).status).toBe(200)
  const { id } = await read<{ id: string }>('select id from payout_file where proposal_id = $1', proposal)
  const { text } = await server.call('GET', `/api/admin/payouts/${id}`, {
    headers: { ...(people.get('finance') as SignedIn), accept: 'application/xml' },
  })
  type Told = { pain002: string; camt054: string | null }
  const refused: Told = await server.control('POST', '/control/payouts', { content: text, refuse: 'all' })
  expect(refused.camt054).toBeNull()
  const paid: Told = await server.control('POST', '/control/payouts', { content: text })
  expect((await answer(paid.pain002)).json).toMatchObject({ accepted: 1, refused: 0 })
  expect((await tellDebit(paid.camt054 ?? '')).json).toMatchObject({ booked: -335, suspense: 0 })
  expect(await statusOf(first.id)).toBe('PAID')
  // The bank contradicts itself: what its statement shows stands.
  expect(told(await answer(refused.pain002))).toEqual([400, 'payout_contradicted'])
  expect(await statusOf(first.id)).toBe('PAID')
})

const sayNotExecuted = async (sent: Payout) => {
  const proposal = idOf(await ask('finance', 'POST', `/payouts/${sent.id}/not-executed`))
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
}

test('a file that never reached the bank: two people say so, it is held again, and leaves in another', async () => {
  const way = await balance('clearing', 'BANK_PAYOUT')
  const sent = await send()
  const seen = await ask('finance', 'POST', `/payouts/${sent.id}/preview-not-executed`)
  expect(seen.json, seen.text).toMatchObject({
    postings: [
      { account: 'held', amount: -335 },
      { account: 'on_its_way', amount: 335 },
    ],
  })
  expect(await statusOf()).toBe('SENT')
  await sayNotExecuted(sent)
  const about = `settlement:${settlement}`
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['REFUSED', true])
  expect(await isOpen('payout_to_confirm', `payout-file:${sent.id}`)).toBe(false)
  expect(await balance('held_for_creditor')).toBe(33_500)
  expect(await balance('clearing', 'BANK_PAYOUT')).toBe(way)
  expect((await ask('finance', 'GET', `/payouts/${sent.id}`)).json).toMatchObject({
    states: { sent: 0, notExecuted: 1 },
    payouts: [{ status: 'NOT_EXECUTED', isOpen: false }],
  })
  await approveSettlement()
  const again = await sendFile()
  // The bank has the first one all the same, and the second too.
  expect((await answer(pain002(sent, { group: 'ACSP' }))).json).toMatchObject({ accepted: 0, late: 1 })
  expect((await tellDebit(debit(sent))).json).toMatchObject({ booked: 0, suspense: -335 })
  // The second is stopped: the first one has paid.
  expect((await answer(pain002(again, { order: 'RJCT' }))).json).toMatchObject({ refused: 1 })
  expect([await statusOf(), await isOpen('payout_refused', about)]).toEqual(['PAID', false])
  expect(await balance('held_for_creditor')).toBe(0)
  expect(await balance('clearing', 'BANK_PAYOUT')).toBe(way)
})

test('paid by a second file, and the first debited all the same: two people say that the creditor got it twice', async () => {
  const sent = await send()
  await sayNotExecuted(sent)
  await approveSettlement()
  const again = await sendFile()
  expect((await tellDebit(debit(again))).json).toMatchObject({ booked: -335, suspense: 0 })
  expect((await tellDebit(debit(sent))).json).toMatchObject({ booked: 0, suspense: -335 })
  const { id } = await read<{ id: string }>(
    `select id from bank_line where named_payment_id = $1 and status = 'SUSPENSE'`,
    sent.payout,
  )
  const owed = await balance('clearing', 'PAID_TWICE')
  const said = await server.call('POST', `/api/admin/suspense/${id}/paid-twice`, {
    body: {},
    headers: { ...(people.get('finance') as SignedIn), 'idempotency-key': id },
  })
  expect(said.status, said.text).toBe(200)
  const { proposal } = said.json as { proposal: string }
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
  // What is owed back is nobody's held money: other creditors' and this one's stay as they were.
  expect((await balance('clearing', 'PAID_TWICE')) - owed).toBe(-33_500)
  expect((await ask('finance', 'GET', `/payouts/${sent.id}`)).json).toMatchObject({
    states: { paidTwice: 1 },
    payouts: [{ status: 'PAID_TWICE', owedBack: 335, isOpen: false }],
  })
  const tasks = (await ask('finance', 'POST', '/tasks/search', { kind: 'paid_twice' })).json
  expect(tasks).toEqual([
    expect.objectContaining({
      subject: expect.objectContaining({ type: 'payouts', id: sent.id }),
      amount: 335,
    }),
  ])
  // The bank refuses no more what it has debited.
  expect(told(await answer(pain002(sent, { order: 'RJCT' })))).toEqual([400, 'payout_contradicted'])
})

test.each([
  'debited',
  'accepted and refused',
  'refused',
  'approved anew and debited',
  'debited and sent back',
])('what was not executed is %s after all: the books say what the bank says', async (what) => {
  const way = await balance('clearing', 'BANK_PAYOUT')
  const sent = await send()
  await sayNotExecuted(sent)
  if (what.startsWith('approved')) await approveSettlement()
  if (what.startsWith('accepted')) {
    expect((await answer(pain002(sent, { group: 'ACSP' }))).json).toMatchObject({ accepted: 1, late: 0 })
    expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['SENT', 0])
  }
  if (what.endsWith('refused')) {
    expect((await answer(pain002(sent, { order: 'RJCT' }))).json).toMatchObject({ refused: 1 })
    expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['REFUSED', 33_500])
  } else {
    expect((await tellDebit(debit(sent))).json).toMatchObject({ booked: -335, suspense: 0 })
    expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['PAID', 0])
  }
  if (what.endsWith('back')) {
    await tellDebit(sentBack(sent))
    expect([await statusOf(), await balance('held_for_creditor')]).toEqual(['REFUSED', 33_500])
  }
  expect(await balance('clearing', 'BANK_PAYOUT')).toBe(way)
})
