/** A statement in pages tells of its days when all of them are here, in any order and also twice; two equal entries are two. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { chooseOwnAccount } from '../../creditors/creditors.ts'
import { buildInvoice, TODAY } from '../../testing/build.ts'
import { rows, server, stateOf, takeFiles, useBankFiles } from '../../testing/files/bank-files.ts'
import { camt, type CamtEntry } from '../../testing/files/bank-formats.ts'

useBankFiles()

const IBAN = 'FI0599990000000111'
/** A day of its own for each test. */
let day = addDays(TODAY, -200)

beforeAll(async () => {
  await chooseOwnAccount({ db: server.test.db, clock: server.clock }, server.instanceId, {
    by: 'person:anna',
    form: 'iban',
    number: IBAN,
    currency: 'EUR',
    receiver: 'Nordklar AB',
    bank: undefined,
    bic: undefined,
  })
})

const balance = (code: string, minor: number, on: CalendarDate): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amountText(minor)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`

type Page = {
  readonly page: number
  readonly isLast?: boolean
  readonly entries?: readonly Partial<CamtEntry>[]
  readonly opening?: number
  readonly closing?: number
  /** What stands besides, so that two files of one page are two files. */
  readonly again?: boolean
  readonly isOfMessage?: boolean
}

const entryOf = (wishes: Partial<CamtEntry>): CamtEntry => ({
  amountMinor: 1_000,
  currency: 'EUR',
  day,
  ...wishes,
})

function pageOf({ page, isLast = false, entries = [], opening, closing, again, isOfMessage }: Page): string {
  const place = `<PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd>`
  const head = [
    isOfMessage ? '' : `<StmtPgntn>${place}</StmtPgntn>`,
    `<FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>`,
    again ? '<!-- again -->' : '',
    opening === undefined ? '' : balance('OPBD', opening, day),
    closing === undefined ? '' : balance('CLBD', closing, day),
  ].join('')
  const all = entries.map(entryOf)
  const text = camt({ account: { iban: IBAN }, serial: 77, head, entries: all })
  return isOfMessage ? text.replace('</GrpHdr>', `<MsgPgntn>${place}</MsgPgntn></GrpHdr>`) : text
}

const take = async (...pages: readonly Page[]): Promise<string[]> =>
  (await takeFiles(...pages.map(pageOf))).map(({ outcome, reason }) =>
    outcome === 'refused' ? `${reason}` : outcome,
  )

const told = async (): Promise<string[]> =>
  (
    await rows<{ days: string }>(
      `select first_day || ' ' || last_day as days from account_told where instance_id = $1 and kind = 'STATEMENT' and first_day = $2`,
      server.instanceId,
      day,
    )
  ).map(({ days }) => days)

const balances = () =>
  rows<{ opening: number; closing: number }>(
    `select opening_minor::int as opening, closing_minor::int as closing from bank_statement where instance_id = $1 and closing_on = $2`,
    server.instanceId,
    day,
  )

const linesOfDay = async (): Promise<number> =>
  (
    await rows<{ n: number }>(
      `select count(*)::int as n from bank_line where instance_id = $1 and bank_date = $2`,
      server.instanceId,
      day,
    )
  )[0]?.n ?? 0

/** Three pages, 1,000 each with two on the second. */
const first: Page = { page: 1, opening: 5_000, entries: [{ bankId: 'A' }] }
const second: Page = { page: 2, entries: [{ bankId: 'B' }, { bankId: 'C' }] }
const third: Page = { page: 3, isLast: true, closing: 9_000, entries: [{ bankId: 'D' }] }
const named = (page: Page): Page => ({
  ...page,
  entries: (page.entries ?? []).map((entry) => ({ ...entry, bankId: `${entry.bankId}${day}` })),
})

describe.each([
  ['in order', [first, second, third]],
  ['the last one first', [third, second, first]],
  ['the middle one last', [first, third, second]],
] as const)('%s', (_, pages) => {
  test.each([[false], [true]])('each page of the message: %s', async (isOfMessage) => {
    day = addDays(day, 1)
    const all = pages.map((page) => ({ ...named(page), isOfMessage }))
    for (const [index, page] of all.entries()) {
      expect(await told()).toEqual([])
      await take(page)
      // The same page again, in another file, adds nothing.
      expect(await take({ ...page, again: true })).toEqual(['unchanged'])
      expect(await linesOfDay()).toBe(
        all.slice(0, index + 1).reduce((sum, { entries = [] }) => sum + entries.length, 0),
      )
    }
    expect(await told()).toEqual([`${day} ${day}`])
    expect(await balances()).toEqual([{ opening: 5_000, closing: 9_000 }])
    for (const page of all) expect(await take(page)).toEqual(['unchanged'])
    expect([await told(), await balances()]).toHaveLength(2)
  })
})

test.each<[string, readonly Page[]]>([
  ['a page is missing', [first, third]],
  ['the last page is missing', [first, second]],
  ['the first page is missing', [second, third]],
  ['no page is the last', [first, second, { ...third, isLast: false }]],
  ['it does not add up', [first, second, { ...third, closing: 9_001 }]],
  [
    'it does not say with what it began',
    [{ ...first, opening: undefined } as unknown as Page, second, third],
  ],
  ['two are the last', [first, { ...second, isLast: true }, third]],
])('nothing is told of when %s, and its money is taken all the same', async (_, pages) => {
  day = addDays(day, 1)
  const all = pages.map(named)
  await take(...all)
  expect(await told()).toEqual([])
  expect(await balances()).toEqual([])
  expect(await linesOfDay()).toBe(all.reduce((sum, { entries = [] }) => sum + entries.length, 0))
})

test.each<[string, readonly Page[]]>([
  [
    'each page says the balances of the statement',
    [first, second, third].map((page) => ({ ...page, opening: 5_000, closing: 9_000 })),
  ],
  [
    'each page says its own',
    [
      { ...first, closing: 6_000 },
      { ...second, opening: 6_000, closing: 8_000 },
      { ...third, opening: 8_000 },
    ],
  ],
])('it is whole when %s', async (_, pages) => {
  day = addDays(day, 1)
  expect((await take(...pages.map(named))).filter((outcome) => outcome.includes('whole'))).toEqual([])
  expect(await told()).toEqual([`${day} ${day}`])
  expect(await balances()).toEqual([{ opening: 5_000, closing: 9_000 }])
})

test('a page that is sent again, put right, takes the place of what it was', async () => {
  day = addDays(day, 1)
  await take(...[first, second, { ...third, closing: 9_500 }].map(named))
  expect(await told()).toEqual([])
  await take({
    ...named(third),
    entries: [...(named(third).entries ?? []), { bankId: `E${day}`, amountMinor: 500 }],
    closing: 9_500,
  })
  expect(await told()).toEqual([`${day} ${day}`])
})

test('equal entries without an id on two pages are two payments, and known again in the whole statement and each page', async () => {
  day = addDays(day, 1)
  const invoices = [0, 1].map(() =>
    buildInvoice(server.test, server.instanceId, server.clock, {
      currency: 'EUR',
      totalMinor: 1_000,
      hasAccount: false,
    }),
  )
  const [one, other] = await Promise.all(invoices)
  const equal = { payer: 'Alva Provlund', message: 'hyra' }
  const pages: Page[] = [
    { page: 1, opening: 0, entries: [equal, { reference: one?.reference ?? '' }] },
    { page: 2, isLast: true, closing: 4_000, entries: [equal, { reference: other?.reference ?? '' }] },
  ]
  await take(...pages)
  expect(await linesOfDay()).toBe(4)
  for (const invoice of [one, other])
    expect(await stateOf(invoice as { id: string })).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await take(...pages.map((page) => ({ ...page, again: true })))).toEqual(['unchanged', 'unchanged'])
  const whole = camt({
    account: { iban: IBAN },
    entries: pages.flatMap(({ entries = [] }) => entries.map(entryOf)),
    head: balance('OPBD', 0, day) + balance('CLBD', 4_000, day),
  })
  expect((await takeFiles(whole)).map(({ outcome }) => outcome)).toEqual(['unchanged'])
  expect(await linesOfDay()).toBe(4)
})

test('a notification told of one of two equal entries before: one of the pages brings the other', async () => {
  day = addDays(day, 1)
  const equal = { payer: 'Bo Testberg', message: 'hyra' }
  await takeFiles(camt({ account: { iban: IBAN }, message: '054', entries: [entryOf(equal)] }))
  await take(
    { page: 1, opening: 0, entries: [equal] },
    { page: 2, isLast: true, closing: 2_000, entries: [equal] },
  )
  expect(await linesOfDay()).toBe(2)
})
