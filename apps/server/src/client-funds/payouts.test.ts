/** A payout in the proof of client funds: on its way, gone, and come back. Sums are worked out by hand beside the days. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { writeMonthSie } from '../month-close/month-sie.ts'
import { openLog } from '../platform/log.ts'
import { enterAgreement, makeSettlements } from '../settlements/settlements.ts'
import { build, instance, one, rows, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { camt, type CamtEntry } from '../testing/files/bank-formats.ts'
import { openOffice, type AskOffice } from '../testing/staff.ts'

useBankFiles()
/** The period ends, and the file is made, on the last day of a month; the bank's line is entered in the next. */
const MONDAY = date('2026-11-23')
const NEXT = addDays(MONDAY, 7)
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

/** 400.00 came, 12.5 % of it is 50.00, with 2.00 for the payment 52.00, and 13.00 VAT: 335.00 is paid out, 65.00 is the operator's. */
beforeAll(async () => {
  ask = await openOffice(server, ['finance', 'manager', 'approver'])
  await rows(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  server.clock.moveTo(MONDAY)
  const invoice = await build(40_000, { hasAccount: false })
  const parts = { db: server.test.db, clock: server.clock }
  await enterAgreement(parts, instance, {
    creditor: invoice.creditorId,
    from: MONDAY,
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
  await statement(MONDAY, [0, 40_000], [{ amountMinor: 40_000, reference: invoice.reference }])
  server.clock.moveTo(NEXT)
  await makeSettlements({ ...parts, log: openLog('silent') }, instance, NEXT)
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
  const settlement = (await one<{ id: string }>('select id from settlement')).id
  await decide('approver', await idOf(ask('finance', `POST /settlements/${settlement}/propose`)))
  await decide('approver', await idOf(ask('finance', 'POST /payouts', { currency: 'SEK' })))
  const payout = (await one<{ id: string }>('select id from payout')).id
  const named = { amountMinor: 33_500, endToEndId: endToEndId(payout) }
  await statement(NEXT, [40_000, 6_500], [{ ...named, isDebit: true }])
  await statement(addDays(NEXT, 2), [6_500, 40_000], [named])
  await statement(addDays(NEXT, 3), [40_000, 40_000], [])
})

test('on its way, gone, and come back: each day agrees', async () => {
  expect(await termsOf(MONDAY)).toEqual({ verdict: 'AGREES', bank: 400, entered_later: 400 })
  // The file is made and the fees are ours; the bank paid the same day, which is entered on the next.
  expect(await termsOf(NEXT)).toEqual({
    verdict: 'AGREES',
    bank: 65,
    payouts: 335,
    fees: 65,
    entered_later: -335,
  })
  expect(await termsOf(addDays(NEXT, 2))).toEqual({
    verdict: 'AGREES',
    bank: 400,
    fees: 65,
    entered_later: 335,
  })
  expect(await termsOf(addDays(NEXT, 3))).toEqual({ verdict: 'AGREES', bank: 400, held: 335, fees: 65 })
})

test.each([
  ['payouts', NEXT, [{ kind: 'payout', amount: 335 }]],
  ['payouts', addDays(NEXT, 2), []],
  ['fees', NEXT, [{ kind: 'settlement', amount: 65 }]],
  ['held', addDays(NEXT, 3), [{ kind: 'creditor', amount: 335 }]],
])('%s of %s are these', async (term, day, items) => {
  const { json } = await ask('finance', `GET /client-funds/items?day=${day}&currency=SEK&term=${term}`)
  expect(json).toMatchObject({ items, rest: 0 })
})

async function voucherOf(month: string): Promise<Record<string, string>> {
  const bytes = await writeMonthSie(server.test.db, {
    instanceId: instance.id,
    name: 'Prov',
    version: '1',
    madeOn: '2027-01-01',
    month,
    currency: 'SEK',
  })
  const rows = [...bytes.toString('latin1').matchAll(/#TRANS (\d+) \{\} (\S+)/g)]
  return Object.fromEntries(rows.map(([, account = '', sum = '']) => [account, sum]))
}

test('each month as SIE: the account of client funds moves by what the bank was told to have moved, and nothing else', async () => {
  // What is ordered has not left the bank, and the fees lie there still.
  expect(await voucherOf('2026-11')).toEqual({ 1990: '400.00', 2892: '-335.00', 2893: '-65.00' })
  // It left and came back, and is the creditor's again: statements go from 0.00 to 400.00 over both months.
  expect(await voucherOf('2026-12')).toEqual({ 2890: '-335.00', 2892: '335.00' })
  const [statements] = await rows<{ moved: string }>(
    `select (array_agg(closing_minor order by closing_on desc))[1] - (array_agg(opening_minor order by closing_on))[1] as moved
     from bank_statement`,
  )
  expect(Number(statements?.moved)).toBe(40_000)
})
