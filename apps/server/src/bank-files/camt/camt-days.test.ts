/** Of which days a report tells. */
import { expect, test } from 'vitest'
import { date } from '@kvitt/domain/calendar.ts'
import { camt, type CamtEntry } from '../../testing/files/bank-formats.ts'
import { readCamt } from './camt.ts'

const on = (day: string): CamtEntry => ({
  amountMinor: 100,
  currency: 'SEK',
  day: date(day),
  bankId: `E${day}`,
})
const period = (from: string, to: string): string =>
  `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`
const balance = (code: string, day: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
const week = period('2026-03-16T00:00:00', '2026-03-20T23:59:59+01:00')
const FIRST = date('2026-03-16')
const LAST = date('2026-03-20')
const days = { first: FIRST, last: LAST }

async function told(head: string, entries: readonly CamtEntry[] = [], message: '053' | '054' = '053') {
  const account = { iban: 'SE4550000000058398257466' }
  const { reports } = await readCamt([Buffer.from(camt({ account, entries, head, message }))])
  return { days: reports?.[0]?.days, numbered: reports?.[0]?.numbered }
}

test.each<[string, string, object | undefined]>([
  ['its period', week, days],
  ['a period that ends at midnight', period('2026-03-16T00:00:00', '2026-03-21T00:00:00'), days],
  [
    'without a period, the day on which it closes',
    balance('OPBD', '2026-03-19', '5.00') + balance('CLBD', '2026-03-20', '5.00'),
    { first: LAST, last: LAST },
  ],
  [
    'of a period that goes on, the days up to its closing balance',
    period('2026-03-16T00:00:00', '2026-03-31T23:59:59') +
      balance('OPBD', '2026-03-16', '5.00') +
      balance('CLBD', '2026-03-20', '5.00'),
    days,
  ],
  [
    'a period that ends at noon without a closing balance, up to the day before',
    period('2026-03-16T00:00:00+01:00', '2026-03-21T12:00:00+01:00'),
    days,
  ],
  ['half an hour of a day, up to the day before', period('2026-03-16T00:00:00', '2026-03-21T00:30:00'), days],
  ['a morning: nothing', period('2026-03-16T00:00:00', '2026-03-16T12:00:00'), undefined],
  [
    'a day that the bank closes at noon',
    period('2026-03-16T00:00:00', '2026-03-20T12:00:00') +
      balance('OPBD', '2026-03-16', '5.00') +
      balance('CLBD', '2026-03-20', '5.00'),
    days,
  ],
  ['days written in UTC', period('2026-03-15T23:00:00Z', '2026-03-20T23:00:00Z'), days],
  ['nothing where it does not say', '', undefined],
  [
    'nothing of a period that ends before it begins',
    period('2026-03-20T00:00:00', '2026-03-16T00:00:00'),
    undefined,
  ],
  [
    'nothing as one page of several',
    `${week}<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>`,
    undefined,
  ],
  [
    'nothing as the last page of several',
    `${week}<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>`,
    undefined,
  ],
  ['all as the only page', `${week}<StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>`, days],
])('a statement tells of %s', async (_, head, expected) => {
  expect((await told(head)).days).toEqual(expected)
})

test('a statement has the number of its legal series, else the electronic one', async () => {
  const both = `<ElctrncSeqNb>7</ElctrncSeqNb><LglSeqNb>40</LglSeqNb>${week}`
  expect((await told(both)).numbered).toEqual({ ...days, series: 'camt.053:LglSeqNb:2026', number: 40 })
  expect((await told(`<ElctrncSeqNb>7</ElctrncSeqNb>${week}`)).numbered).toMatchObject({ number: 7 })
  expect((await told(week)).numbered).toBeUndefined()
})

test('a notification tells of no whole day; its number stands for the days of its entries', async () => {
  const head = `<ElctrncSeqNb>7</ElctrncSeqNb>${week}`
  expect(await told(head, [on('2026-03-18'), on('2026-03-17')], '054')).toEqual({
    days: undefined,
    numbered: {
      first: date('2026-03-17'),
      last: date('2026-03-18'),
      series: 'camt.054:ElctrncSeqNb:2026',
      number: 7,
    },
  })
  expect(await told(head, [], '054')).toEqual({ days: undefined, numbered: undefined })
})
