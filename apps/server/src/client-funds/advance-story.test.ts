/** A payment that the bank takes back after the payout: the operator advances it, and gets it back with the next payout. Sums are worked out by hand. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { openLog } from '../platform/log.ts'
import { enterAgreement, makeSettlements } from '../settlements/settlements.ts'
import {
  build,
  instance,
  one,
  rows,
  server,
  takeFiles,
  useBankFiles,
  violated,
} from '../testing/files/bank-files.ts'
import { camt, type CamtEntry } from '../testing/files/bank-formats.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import type { BuiltInvoice } from '../testing/build.ts'

useBankFiles()
const MONDAY = date('2026-11-02')
const NEXT = addDays(MONDAY, 7)
const THIRD = addDays(MONDAY, 14)
let ask: AskOffice
let serial = 0

async function statement(
  day: CalendarDate,
  [opening, closing]: readonly [number, number],
  entries: readonly (Partial<CamtEntry> & { readonly amountMinor: number })[],
): Promise<void> {
  serial += 1
  const balance = (code: string, minor: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const text = camt({
    account: { other: '99900110' },
    serial,
    head: balance('OPBD', opening) + balance('CLBD', closing),
    entries: entries.map((entry) => ({ currency: 'SEK', day, bankId: `P${serial}`, ...entry })),
  })
  server.clock.moveTo(addDays(day, 1))
  await takeFiles(text)
}

const idOf = async (asked: ReturnType<AskOffice>): Promise<string> => {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return (answer.json as { id: string }).id
}
const decide = async (who: 'manager' | 'approver', proposal: string) =>
  idOf(ask(who, `POST /proposals/${proposal}/approve`))

async function termsOf(day: CalendarDate): Promise<object> {
  const { json } = await ask('finance', `GET /client-funds?day=${day}`)
  const [proof] = (json as { proofs: { verdict: string; terms: { term: string; amount: number }[] }[] })
    .proofs
  const terms = proof?.terms.flatMap(({ term, amount }) => (amount === 0 ? [] : [[term, amount]])) ?? []
  return { verdict: proof?.verdict, ...Object.fromEntries(terms) }
}

const isAsked = async (): Promise<boolean> =>
  (await rows(`select from task where kind = 'advance_wanted' and done_at is null`)).length === 1

let invoice: BuiltInvoice
/** Of another creditor. */
let others: BuiltInvoice
beforeAll(async () => {
  ask = await openOffice(server, ['finance', 'manager', 'approver'])
  await rows(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  server.clock.moveTo(MONDAY)
  invoice = await build(40_000, { hasAccount: false })
  others = await build(60_000, { hasAccount: false })
  const parts = { db: server.test.db, clock: server.clock }
  await enterAgreement(parts, instance, {
    creditor: invoice.creditorId,
    from: MONDAY,
    invoiceCommissionBp: 1_250,
    claimCommissionBp: 0,
    currency: 'SEK',
    paymentPriceMinor: 0,
    casePriceMinor: 0,
    vatBp: 0,
    period: 'WEEK',
    smallestPayoutMinor: 0,
    source: 'Agreement, section 6',
    by: 'person:Eva Berg',
  })
  const account = {
    currency: 'SEK',
    scheme: 'IBAN',
    number: 'SE4550000000058398257466',
    receiverName: 'Mottagare',
  }
  const paymentAccounts = [{ ...account, use: 'PAYOUT' }]
  await decide(
    'manager',
    await idOf(ask('finance', `PUT /clients/${invoice.creditorId}`, { paymentAccounts })),
  )
  await rows('alter table payout_account disable trigger payout_account_append_only')
  await rows(`update payout_account set usable_from = usable_from - interval '25 hours'`)
  await rows('alter table payout_account enable trigger payout_account_append_only')
})

/** Settles the week before `day` and pays it out. Answers the payout and its sum. */
async function payOut(day: CalendarDate): Promise<{ id: string; minor: number }> {
  server.clock.moveTo(day)
  await makeSettlements({ db: server.test.db, clock: server.clock, log: openLog('silent') }, instance, day)
  const settlement = (
    await one<{ id: string }>(
      'select id from settlement where creditor_id = $1 order by number desc limit 1',
      invoice.creditorId,
    )
  ).id
  await decide('approver', await idOf(ask('finance', `POST /settlements/${settlement}/propose`)))
  await decide('approver', await idOf(ask('finance', 'POST /payouts', { currency: 'SEK' })))
  return one('select id, amount_minor::int as minor from payout where settlement_id = $1', settlement)
}

const inSuspense = async (minor: number): Promise<string> =>
  (
    await one<{ id: string }>(
      `select id from bank_line where status = 'SUSPENSE' and amount_minor = $1`,
      minor,
    )
  ).id

test('advanced the same day, ours again with the next payout, and drawn', async () => {
  // 400.00 of one creditor and 600.00 of another came: of the one 12.5 % are 50.00, and 350.00 leave.
  await statement(
    MONDAY,
    [0, 100_000],
    [
      { amountMinor: 40_000, reference: invoice.reference, bankId: 'A' },
      { amountMinor: 60_000, reference: others.reference, bankId: 'B' },
    ],
  )
  const first = await payOut(NEXT)
  expect(first.minor).toBe(35_000)
  const gone = { amountMinor: 35_000, endToEndId: endToEndId(first.id), isDebit: true, bankId: 'C' }
  const back = { amountMinor: 40_000, reference: invoice.reference, bankId: 'A', isReversal: true }
  await statement(NEXT, [100_000, 25_000], [gone, back])
  expect(await isAsked()).toBe(true)
  // The operator's 400.00 cover what is missing of the other's.
  const [second, third] = [addDays(NEXT, 1), addDays(NEXT, 2)]
  await statement(second, [25_000, 65_000], [{ amountMinor: 40_000, message: 'Our own', bankId: 'D' }])
  const advance = `POST /suspense/${await inSuspense(40_000)}/advance`
  const asked = await ask('finance', advance, { creditor: invoice.creditorId }, 'advance-1')
  const { proposal } = asked.json as { proposal: string }
  expect(told(await ask('approver', `POST /proposals/${proposal}/approve`))).toEqual([200, undefined])
  expect(await isAsked()).toBe(false)
  await statement(third, [65_000, 65_000], [])
  expect(await termsOf(third)).toEqual({ verdict: 'AGREES', bank: 650, held: 200, advances: 400, fees: 50 })
  // It is paid again, and so is another of 1,000.00: with 400.00 carried in, 12.5 % of 1,000.00 are 125.00 and 875.00 leave.
  const more = await build(100_000, { hasAccount: false, beside: invoice })
  await statement(
    addDays(NEXT, 3),
    [65_000, 205_000],
    [
      { amountMinor: 40_000, reference: invoice.reference, bankId: 'E' },
      { amountMinor: 100_000, reference: more.reference, bankId: 'F' },
    ],
  )
  const last = await payOut(THIRD)
  expect(last.minor).toBe(87_500)
  // 50.00 and 125.00 of fees, and the advance.
  await statement(THIRD, [205_000, 205_000], [])
  expect(await termsOf(THIRD)).toEqual({ verdict: 'AGREES', bank: 2_050, held: 600, payouts: 875, fees: 575 })
  const fees = await ask('finance', `GET /client-funds/items?day=${THIRD}&currency=SEK&term=fees`)
  expect(
    (fees.json as { items: { kind: string; amount: number }[] }).items.map(({ kind, amount }) => [
      kind,
      amount,
    ]),
  ).toEqual([
    ['advance_back', 400],
    ['settlement', 125],
    ['settlement', 50],
  ])
  const drawnOn = addDays(THIRD, 1)
  await statement(
    drawnOn,
    [205_000, 60_000],
    [
      { amountMinor: 87_500, endToEndId: endToEndId(last.id), isDebit: true, bankId: 'G' },
      { amountMinor: 57_500, isDebit: true, bankId: 'H' },
    ],
  )
  expect(told(await ask('finance', `POST /suspense/${await inSuspense(57_500)}/fees-drawn`))).toEqual([
    200,
    undefined,
  ])
  await statement(addDays(drawnOn, 1), [60_000, 60_000], [])
  expect(await termsOf(addDays(drawnOn, 1))).toEqual({ verdict: 'AGREES', bank: 600, held: 600 })
  expect(await violated()).toEqual([])
})
