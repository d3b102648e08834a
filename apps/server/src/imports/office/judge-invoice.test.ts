/** What the rows of an invoice, or its document, are judged to be, without a database. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS } from '@kvitt/domain/collection/country-params.ts'
import type { ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import { NO_EVIDENCE } from '@kvitt/domain/imports/read-cell.ts'
import { creditorIdentity } from '@kvitt/domain/people/party-identity.ts'
import { TODAY } from '../../testing/build.ts'
import type { AlreadySent } from '../import-run.ts'
import type { Cell, ImportRow } from './import-rows.queries.ts'
import { judgeInvoice, type Judging } from './judge-invoice.ts'

const DUE = addDays(TODAY, -20)
const SENT = addDays(TODAY, -50)
const VALUES: Readonly<Partial<Record<ImportColumn, Cell>>> = {
  invoice_number: 'A-1',
  invoice_date: SENT,
  due_date: DUE,
  currency: 'SEK',
  debtor_name: 'Alva Provlund',
  address: 'Provgatan 1',
  zip: '111 22',
  city: 'Stockholm',
  description: 'El',
  quantity: '1',
  unit_price: '100',
  vat_percent: '25',
}
type Wishes = Readonly<Partial<Record<ImportColumn, Cell>>>
const COLUMNS: readonly ImportColumn[] = [
  ...(Object.keys(VALUES) as ImportColumn[]), 'country', 'debtor_type', 'debtor_id', 'email', 'sent_date', 'type', 'credited_invoice', 'vat_reason',
] // biome-ignore format: a list
const EMPTY = { number: 2, edits: null, state: null, problems: null, total_minor: null, currency: null, invoice_id: null, version: 1 } // biome-ignore format: a row

const rowOf = (wishes: Wishes): ImportRow => {
  const values: Wishes = { ...VALUES, ...wishes }
  const cells = COLUMNS.map((column) => values[column] ?? '')
  return { ...EMPTY, invoice_number: 'A-1', cells, document: null }
}

type Said = Omit<Partial<Judging>, 'alreadySent'> & {
  readonly sent?: Partial<AlreadySent>
  readonly country?: string
}

function judgingOf({ sent, country = 'SE', ...wishes }: Said): Judging {
  const creditor = {
    name: 'Prov AB', country, email: null, phone: null, website: null, address: null, address2: null, zip: null, city: null,
    identification_number: '5599990024', logo_name: null,
  } // biome-ignore format: one creditor
  return {
    sheet: {
      columns: COLUMNS.map((name) => ({ ...NO_EVIDENCE, name })),
      mapping: Object.fromEntries(COLUMNS.map((column, index) => [column, index])),
      country,
      today: TODAY,
    },
    creditor: creditor,
    identity: creditorIdentity({ name: 'x', country: 'SE', identificationNumber: '5599990024' }),
    alreadySent: sent ? { sentDate: SENT, remindedOn: null, reminderFeeMinor: 0, ...sent } : null,
    reminderTerms: { country, agreed_on: '2000-01-01', is_live: false, figures: COUNTRY_PARAMS },
    ...wishes,
  }
}

async function judge(wishes: Wishes, said: Said = {}) {
  const [judged] = await judgeInvoice([rowOf(wishes)], judgingOf(said))
  const found = [...(judged?.problems.values() ?? [])].flat()
  return { sent: judged?.file?.terms.alreadySent, found }
}
const codes = ({ found }: Awaited<ReturnType<typeof judge>>) =>
  found.map(({ field, code }) => `${field}: ${code}`)

const reminded = (remindedOn: CalendarDate, reminderFeeMinor = 6000) => ({
  sent: { remindedOn, reminderFeeMinor },
})

test('a reminder that is said of a whole file is none of an invoice that was not late', async () => {
  const none = { sentDate: SENT, remindedOn: null, reminderFeeMinor: 0 }
  expect(await judge({ due_date: addDays(TODAY, 30) }, reminded(TODAY))).toEqual({ sent: none, found: [] })
  expect((await judge({}, reminded(DUE))).sent).toEqual(none)
  const late = addDays(DUE, 1)
  expect((await judge({}, reminded(late))).sent).toEqual({
    ...none,
    remindedOn: late,
    reminderFeeMinor: 6000,
  })
})

test('in Finland and Norway that is so until 14 days after the due date', async () => {
  const own = { FI: { currency: 'EUR', zip: '00100' }, NO: { currency: 'NOK', zip: '0150' } }
  for (const [country, wishes] of Object.entries(own)) {
    const early = await judge(wishes, { country, ...reminded(addDays(DUE, 13), 500) })
    expect([country, early.sent?.remindedOn, early.found]).toEqual([country, null, []])
    const late = await judge(wishes, { country, ...reminded(addDays(DUE, 14), 500) })
    expect([country, late.sent?.remindedOn, late.found]).toEqual([country, addDays(DUE, 14), []])
  }
})

test('what a reminder may not have cost is refused, in the currency of the invoice', async () => {
  const finnish = await judge(
    { currency: 'EUR', zip: '00100' },
    { country: 'FI', ...reminded(addDays(DUE, 14), 6000) },
  )
  expect(finnish.found).toEqual([
    { code: 'reminder_fee_too_large', field: null, mends: [], params: { amount: '5.00', currency: 'EUR' } },
  ])
  expect((await judge({}, reminded(TODAY, 6001))).found[0]?.params).toEqual({
    amount: '60.00',
    currency: 'SEK',
  })
  expect(codes(await judge({ currency: 'EUR' }, reminded(TODAY)))).toEqual(['null: reminder_fee_too_large'])
  const terms = { country: 'SE', agreed_on: addDays(SENT, 1), is_live: true, figures: COUNTRY_PARAMS }
  expect(
    (await judge({}, { reminderTerms: terms, ...reminded(TODAY, 1) })).found[0]?.params?.['amount'],
  ).toBe('0.00')
})

test('an invoice was sent between its date and its due date, whoever says so', async () => {
  for (const day of [addDays(SENT, -1), addDays(DUE, 1), addDays(TODAY, 1)]) {
    expect(codes(await judge({ sent_date: day }))).toEqual(['sent_date: sent_date_wrong'])
    expect(codes(await judge({}, { sent: { sentDate: day } }))).toEqual(['sent_date: sent_date_wrong'])
  }
  for (const day of [SENT, DUE]) expect((await judge({ sent_date: day })).sent?.sentDate).toBe(day)
  expect((await judge({ sent_date: SENT }, { sent: { sentDate: addDays(TODAY, 1) } })).found).toEqual([])
})

test('so was a document', async () => {
  const document = readFileSync(new URL('../fixtures/se-invoice.xml', import.meta.url))
  const row: ImportRow = { ...EMPTY, number: 1, invoice_number: 'x', cells: [], document }
  const asked = async (sentDate: string, today: CalendarDate) => {
    const judging = judgingOf({ sent: { sentDate } })
    const [judged] = await judgeInvoice([row], { ...judging, sheet: { ...judging.sheet, today } })
    return [...(judged?.problems.values() ?? [])].flat().map(({ field, code }) => `${field}: ${code}`)
  }
  const [issued, due] = [
    /IssueDate>([^<]+)/.exec(document.toString())?.[1] ?? '',
    /DueDate>([^<]+)/.exec(document.toString())?.[1] ?? '',
  ]
  const later = addDays(date(due), 60)
  expect(await asked(issued, later)).toEqual([])
  expect(await asked(addDays(date(issued), -1), later)).toEqual(['null: sent_date_wrong'])
  expect(await asked(addDays(date(due), 1), later)).toEqual(['null: sent_date_wrong'])
})

test.each<[Cell, readonly string[]]>([
  [0.1, ['10']],
  ['0,1', ['10']],
  ['0.1', ['10']],
  ['0,1 %', ['10']],
  [0.25, ['25']],
  [0.255, ['25.5']],
  [0.06, ['6']],
])('a rate of %s is a share, and is never taken for per cent', async (cell, mends) => {
  const { found } = await judge({ vat_percent: cell })
  expect(found).toEqual([{ code: 'vat_wrong', field: 'vat_percent', mends }])
})

test.each<Cell>([25, 10, 6, 1, '25,5', '12 %'])('a rate of %s is per cent', async (cell) => {
  expect((await judge({ vat_percent: cell, due_date: addDays(TODAY, 30) })).found).toEqual([])
})

test.each<[string, Wishes, string]>([
  ['a formula', { debtor_name: '=HYPERLINK("http://x","y")' }, 'debtor_name: formula'],
  ['a formula behind a sign', { description: '@SUM(A1)' }, 'description: formula'],
  ['a script', { debtor_name: '<script>alert(1)</script>Alva' }, 'debtor_name: markup'],
  ['markup in UTF-7', { debtor_name: '+ADw-script+AD4-' }, 'debtor_name: formula'],
  ['a currency', { currency: 'kr' }, 'currency: currency_wrong'],
  ['a number that does not exist', { debtor_id: '559999-0041' }, 'debtor_id: identification_wrong'],
  ['an address', { email: 'alva' }, 'email: email_wrong'],
  ['a share for a rate', { vat_percent: '0.25' }, 'vat_percent: vat_wrong'],
  ['no tax without a reason', { vat_percent: '0' }, 'vat_reason: vat_reason_missing'],
  ['nothing to pay', { unit_price: '0' }, 'unit_price: total_wrong'],
  [
    'a due date before its invoice',
    { invoice_date: TODAY, due_date: addDays(TODAY, -1) },
    'due_date: due_before_invoice',
  ],
  ['a day that is none', { due_date: '2026-02-30' }, 'due_date: day_unreadable'],
  ['a name that is too long', { debtor_name: 'x'.repeat(201) }, 'debtor_name: text_wrong'],
])('%s is wrong in its field', async (_name, wishes, expected) => {
  expect(codes(await judge({ due_date: addDays(TODAY, 30), ...wishes }))).toEqual([expected])
})
