/** What is looked up for each payment and each line of a bank is found by an index, however many lines and accounts are equal. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccountRows, type AccountRow } from '../ledger/ledger.queries.ts'
import { findToldByBank } from '../payments/told-by-bank/told-by-bank.queries.ts'
import type { PaymentRow } from '../payments/payments.queries.ts'
import type { Statement, Transaction } from '../platform/database/database.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { LineRow } from './bank-files.queries.ts'
import { findKnownPayment, findTakenBack } from './find-debt.queries.ts'
import { findSameDeposit, findSameLine, findSumOfDeposit } from './told-again.queries.ts'

const EQUAL = 20_000
/** Pages of 8 kB. All lines, or all accounts, are some hundreds. */
const MOST_PAGES = 120
/** What the deposit with many lines comes to. */
const LARGE = (EQUAL / 4) * 9900
const DAY = '2026-11-20'
const ACCOUNT = 'b0000000-0000-7000-8000-000000000001'
const DEBTOR = 'd0000000-0000-7000-8000-000000000777'

let database: TestDatabase
let owner: pg.PoolClient
let instanceId: string

/** Beside the books: taken back at the end, so that nothing has to be booked for it. */
beforeAll(async () => {
  database = await testDatabase()
  owner = await database.owner.connect()
  await owner.query('begin')
  const { rows } = await owner.query<{ id: string }>(
    `insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain, is_default,
       mode, phone, email, primary_colour, secondary_colour, button_colour, palette)
     values (gen_random_uuid(), 'Equal AB', 'SE', 'sv', 'Europe/Stockholm', '559999-0016', 'equal', 'equal.test', false,
       'test', '1', 'a@portal.example', '#000000', '#000000', '#000000', '{}') returning id`,
  )
  instanceId = rows[0]?.id ?? ''
  const fill = (sql: string): Promise<unknown> => owner.query(sql.replaceAll(':i', `'${instanceId}'::uuid`))
  // Without the checks of what they belong to, which is not there; the keys of lines are made by hand then.
  await owner.query(`set local session_replication_role = 'replica'`)
  await fill(`insert into bank_file (instance_id, id, name, format, content_hash)
    select :i, gen_random_uuid(), f, f, f::bytea from unnest(array['camt', 'bgmax']) f`)
  await fill(`insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line,
      deposit_minor, kind, amount_minor, currency, bank_date, payment_references, status)
    select :i, gen_random_uuid(), f.id, n, '1', '${ACCOUNT}', f.format || n, 1, case f.format when 'bgmax' then 9900 end, 'PAYMENT',
      9900, 'SEK', '${DAY}', array[case when n % 2 = 0 then '0555' else (1000000 + n)::text end], 'SUSPENSE'
    from bank_file f cross join generate_series(1, ${EQUAL / 2}) n where f.instance_id = :i`)
  // Sums without a reference, and a deposit with many lines.
  await fill(`insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line,
      deposit_minor, kind, amount_minor, currency, bank_date, payment_references, status)
    select :i, gen_random_uuid(), f.id, ${EQUAL} + n, '1', '${ACCOUNT}', f.format || case f.format when 'camt' then n::text else '' end,
      case f.format when 'camt' then 2 else n end, case f.format when 'bgmax' then ${LARGE} end, 'PAYMENT', 9900, 'SEK', '${DAY}',
      '{}', 'SUSPENSE' from bank_file f cross join generate_series(1, ${EQUAL / 4}) n where f.instance_id = :i`)
  await fill(`insert into bank_line_key select distinct l.instance_id, l.id, bare_reference(r), l.account_id::text, l.kind, l.status,
      l.amount_minor, l.currency, l.bank_date, f.format from bank_line l cross join unnest(l.payment_references) r
    join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id where l.instance_id = :i`)
  await fill(`insert into ledger_account (instance_id, id, kind, currency, creditor_id, debtor_id)
    select :i, gen_random_uuid(), case when c is null then 'credit' else 'credit_at_creditor' end, 'SEK', c,
      ('d0000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid
    from generate_series(1, ${EQUAL / 2}) n cross join unnest(array[null, '${ACCOUNT}']::uuid[]) c`)
  await fill(`insert into ledger_account (instance_id, id, kind, currency, creditor_id, gateway)
    values (:i, gen_random_uuid(), 'held_for_creditor', 'SEK', '${ACCOUNT}', null),
      (:i, gen_random_uuid(), 'suspense', 'SEK', null, null), (:i, gen_random_uuid(), 'clearing', 'SEK', null, 'SWISH')`)
  await owner.query('analyze bank_line, bank_line_key, ledger_account')
}, 120_000)
afterAll(async () => {
  await owner.query('rollback')
  owner.release()
})

type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }

/** How many pages the statements of `act` read. */
async function pagesOf(act: (tx: Transaction) => Promise<unknown>): Promise<number> {
  let pages = 0
  const rows = async (sql: Statement, values: readonly unknown[] = []) => {
    const plain = { text: `explain (analyze, buffers, format json) ${sql.text}`, values: [...values] }
    const [answer] = (await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(plain)).rows
    const plan = answer?.['QUERY PLAN'][0].Plan
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    return (await owner.query({ text: sql.text, values: [...values] })).rows
  }
  const tx = { rows, send: () => {}, isTransaction: true } as unknown as Transaction
  await act(tx)
  return pages
}

const PAYMENT = {
  id: '99000000-0000-7000-8000-000000000001',
  invoice_id: '11000000-0000-7000-8000-000000000001',
  claim_id: null,
  amount_minor: 9900,
  currency: 'SEK',
  execution_date: DAY,
} as const

const paymentWith = (reference: string): PaymentRow =>
  ({ ...PAYMENT, instance_id: instanceId, payment_reference: reference }) as unknown as PaymentRow
const lineWith = (references: readonly string[], wishes: Partial<LineRow> = {}): LineRow =>
  ({
    instance_id: instanceId,
    account_id: ACCOUNT,
    account_key: '1',
    amount_minor: 9900,
    currency: 'SEK',
    kind: 'PAYMENT',
    bank_date: DAY,
    payment_references: references,
    deposit_key: 'camt:other',
    named_payment_id: null,
    payer: null,
    format: 'camt',
    ...wishes,
  }) as LineRow
const accountOf = (kind: string, wishes: Partial<AccountRow>): AccountRow => ({
  id: '',
  kind,
  currency: 'SEK',
  invoice_id: null,
  claim_id: null,
  creditor_id: null,
  debtor_id: null,
  gateway: null,
  ...wishes,
})

test.each([
  ['one of many', '1000777', true],
  ['one of ten thousand that are equal in everything', '555', true],
  ['none', '777', false],
])('the line that is a payment’s money: %s', async (_, reference, isThere) => {
  const debt = { invoice: { id: PAYMENT.invoice_id } } as unknown as Parameters<
    typeof findToldByBank
  >[2]['debt']
  let found: unknown
  const pages = await pagesOf(async (tx) => {
    found = await findToldByBank(tx, paymentWith(reference), { debt, accounts: [ACCOUNT], today: DAY })
  })
  expect(found !== undefined).toBe(isThere)
  expect(pages).toBeLessThan(MOST_PAGES)
})

test.each([
  ['one of many', ['1000777'], {}, true],
  ['one of ten thousand, in another notation', ['00555'], {}, true],
  ['by the entry that it reverses', ['1'], { deposit_key: 'camt778:reversal' }, true],
  ['none', ['777'], {}, false],
] as const)('the line that a deduction takes back: %s', async (_, references, wishes, isThere) => {
  let found: unknown
  const pages = await pagesOf(async (tx) => {
    found = await findTakenBack(tx, lineWith(references, { kind: 'DEDUCTION', ...wishes }))
  })
  expect(found !== undefined).toBe(isThere)
  expect(pages).toBeLessThan(MOST_PAGES)
})

test.each([
  ['one of many', '1000777', 'camt', true],
  ['one of thousands that are equal in everything', '00555', 'camt', true],
  ['one of thousands, the other way round', '555', 'bgmax', true],
  ['none', '777', 'camt', false],
])('the line of another format that tells of the same: %s', async (_, reference, format, isThere) => {
  let found: unknown
  const pages = await pagesOf(async (tx) => {
    found = await findSameLine(tx, lineWith([reference], { format }))
    await findKnownPayment(tx, lineWith([reference]), { references: [reference], namedId: undefined })
  })
  expect(found !== undefined).toBe(isThere)
  expect(pages).toBeLessThan(MOST_PAGES)
})

test.each([
  ['by one of thousands that are equal in everything', { deposit_minor: 9900 }, true],
  ['by nobody', { deposit_minor: LARGE }, false],
])('the sum that told of a deposit before: %s', async (_, wishes, isThere) => {
  let found: unknown
  const pages = await pagesOf(async (tx) => {
    found = await findSumOfDeposit(tx, lineWith(['1'], { format: 'bgmax', deposit_key: 'bgmax', ...wishes }))
  })
  expect(found !== undefined).toBe(isThere)
  expect(pages).toBeLessThan(MOST_PAGES)
})

test.each([
  ['one of ten thousand that are equal in everything', 9900, true],
  ['none', 9901, false],
])('the deposit whose sum a line is: %s', async (_, minor, isThere) => {
  let found: unknown
  const pages = await pagesOf(async (tx) => {
    found = await findSameDeposit(tx, lineWith([], { amount_minor: minor }))
  })
  expect(found !== undefined).toBe(isThere)
  expect(pages).toBeLessThan(MOST_PAGES)
})

test('the accounts of a booking, among those of all debtors', async () => {
  const wanted = [
    accountOf('credit', { debtor_id: DEBTOR }),
    accountOf('credit_at_creditor', { creditor_id: ACCOUNT, debtor_id: DEBTOR }),
    accountOf('held_for_creditor', { creditor_id: ACCOUNT }),
    accountOf('clearing', { gateway: 'SWISH' }),
    accountOf('suspense', {}),
    accountOf('suspense', { currency: 'EUR' }),
  ]
  let kinds: string[] = []
  const pages = await pagesOf(async (tx) => {
    kinds = (await findAccountRows(tx, instanceId, wanted)).map(({ kind }) => kind)
  })
  expect(kinds.toSorted()).toEqual([
    'clearing',
    'credit',
    'credit_at_creditor',
    'held_for_creditor',
    'suspense',
  ])
  expect(pages).toBeLessThan(MOST_PAGES)
})
