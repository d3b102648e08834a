/**
 * No fee that a debtor is asked for bears VAT, so none is taken back by a credit note: what a fee comes to is the debtor's cost to the
 * öre, and is taken back by the opposite entry. Whoever adds a fee with VAT has to add the credit note first: this fails.
 */
import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { bookCharge, type Line } from '../ledger/booking.ts'
import { bookChargesBack, netLines } from '../ledger/correction.ts'
import { money, type Currency } from '../money.ts'
import { COUNTRY_PARAMS, feeOn, type DebtorKind } from './country-params.ts'

/** All that the data may say of a fee. A rate of VAT is none of it. */
const OF_A_FEE = ['needsAgreement', 'lessCharged', 'fellDueFrom', 'halfYearly', 'atMost', 'rows', 'again']
const OF_A_ROW = ['from', 'bands', 'source', 'assumed']
const OF_A_BAND = ['upToMinor', 'feeMinor', 'assumed']

const FEES = Object.entries(COUNTRY_PARAMS).flatMap(([country, { currency, fees }]) =>
  (['consumer', 'business'] as const).flatMap((kind: DebtorKind) =>
    Object.entries(fees[kind]).map(([step, fee]) => ({ country, currency, kind, step, fee })),
  ),
)
const others = (of: object, known: readonly string[]): string[] =>
  Object.keys(of).filter((key) => !known.includes(key))

test('the fees of all countries are amounts, and none names a tax', () => {
  expect(FEES.length).toBeGreaterThan(15)
  for (const { country, step, fee } of FEES) {
    const rows = fee?.rows ?? []
    const said = [
      ...others(fee ?? {}, OF_A_FEE),
      ...rows.flatMap((row) => [
        ...others(row, OF_A_ROW),
        ...row.bands.flatMap((band) => others(band, OF_A_BAND)),
      ]),
    ]
    expect(said, `${country} ${step}`).toEqual([])
  }
})

const PARTIES = { invoiceId: 'i', creditorId: 'c', debtorId: 'd' }
const said = (lines: readonly Line[]) =>
  lines.map(({ account, amount }) => [account.kind, amount.minor] as const)

const CHARGED = FEES.flatMap(({ country, currency, kind, step }) => {
  const asked = { country, debtorKind: kind, step, number: 1, principalMinor: 100_000, chargedMinor: 0 }
  const minor = feeOn({ ...asked, date: date('2026-03-01'), reminderFeeAgreed: true })?.amountMinor ?? 0
  return minor > 0 ? [{ country, currency: currency as Currency, kind, step, minor }] : []
})

test.each(CHARGED)('$country $kind $step: $minor is a cost and nothing else, and goes back whole', (fee) => {
  const [amount, none] = [money(fee.minor, fee.currency), money(0, fee.currency)]
  const charged = bookCharge(PARTIES, 'costs', amount)
  expect(said(charged)).toEqual([
    ['costs', fee.minor],
    ['claims_on_debtors', -fee.minor],
  ])
  const principal = money(100_000, fee.currency)
  const owed = { principal, costs: amount, interest: none }
  const back = bookChargesBack(PARTIES, { costs: amount, interest: none, writtenOff: none }, owed)
  expect(said(netLines(back.reversal))).toEqual([
    ['costs', -fee.minor],
    ['claims_on_debtors', fee.minor],
  ])
  expect([...back.writeOff, ...back.refund]).toEqual([])
})
