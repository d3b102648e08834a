/** What every payment and every line of a bank looks up, among a million that are equal. */
import { findTakenBack } from '../apps/server/src/bank-files/find-debt.queries.ts'
import type { LineRow } from '../apps/server/src/bank-files/bank-files.queries.ts'
import { findAccountRows, type AccountRow } from '../apps/server/src/ledger/ledger.queries.ts'
import type { PaymentRow } from '../apps/server/src/payments/payments.queries.ts'
import { findToldByBank } from '../apps/server/src/payments/told-by-bank/told-by-bank.queries.ts'
import { openDatabase, statement, type Transaction } from '../apps/server/src/platform/database/database.ts'
import { fillInstance, openBenchDatabase } from './bench-database.ts'
import type { Result } from './run.ts'

const EQUAL = 1_000_000
const ASKED = 2_000
const WANTED_P95_MS = 2
const ACCOUNT = 'b0000000-0000-7000-8000-000000000001'

const id = (kind: string, n: string): string =>
  `('${kind}000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

/** Lines of one account, day and sum that nothing is linked to, each with a reference, and an account for each of as many debtors. */
async function fillEqual(
  owner: Awaited<ReturnType<typeof openBenchDatabase>>['owner'],
  instanceId: string,
): Promise<void> {
  const client = await owner.connect()
  const run = (sql: string): Promise<unknown> =>
    client.query(
      sql.replaceAll(':i', `'${instanceId}'::uuid`).replaceAll(':n', `generate_series(1, ${EQUAL}) n`),
    )
  try {
    // What they belong to is not there, and nobody asks for it.
    await run(`set session_replication_role = 'replica'`)
    await run(`insert into bank_file (instance_id, id, name, format, content_hash)
      values (:i, '${ACCOUNT}', 'camt', 'camt', '\\x01')`)
    await run(`insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line, kind,
        amount_minor, currency, bank_date, payment_references, status)
      select :i, ${id('e0', 'n')}, '${ACCOUNT}', n, '1', '${ACCOUNT}', 'camt:' || n, 1, 'PAYMENT', 9900, 'SEK', current_date - 2,
        array[(100000000000 + n)::text], 'SUSPENSE' from :n`)
    await run(`insert into bank_line_key
      select instance_id, id, payment_references[1], account_id::text, kind, status, amount_minor, currency, bank_date from bank_line`)
    await run(`insert into ledger_account (instance_id, id, kind, currency, creditor_id, debtor_id)
      select :i, gen_random_uuid(), case n % 2 when 0 then 'credit' else 'credit_at_creditor' end, 'SEK',
        case n % 2 when 1 then '${ACCOUNT}'::uuid end, ${id('d0', 'n')} from :n`)
    await run(`insert into ledger_account (instance_id, id, kind, currency, creditor_id, gateway)
      values (:i, gen_random_uuid(), 'held_for_creditor', 'SEK', '${ACCOUNT}', null),
        (:i, gen_random_uuid(), 'suspense', 'SEK', null, null), (:i, gen_random_uuid(), 'clearing', 'SEK', null, 'BANK_FILE')`)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
}

const oneLine = statement('bench.line', 'select status from bank_line where instance_id = $1 and id = $2')

type Ask = (tx: Transaction, n: number) => Promise<unknown>

function asksOf(instanceId: string, today: string): Readonly<Record<string, Ask>> {
  const uuid = (kind: string, n: number): string =>
    `${kind}000000-0000-7000-8000-${String(n).padStart(12, '0')}`
  const line = {
    instance_id: instanceId,
    account_id: ACCOUNT,
    account_key: '1',
    amount_minor: 9900,
    currency: 'SEK',
  }
  const payment = { instance_id: instanceId, invoice_id: uuid('11', 1), amount_minor: 9900, currency: 'SEK' }
  const owned = {
    id: '',
    currency: 'SEK',
    invoice_id: null,
    claim_id: null,
    creditor_id: null,
    debtor_id: null,
    gateway: null,
  }
  // Of the debt it reads the id alone, whose account tells whether a transfer named it.
  const debt = { invoice: { id: uuid('11', 1) } } as Parameters<typeof findToldByBank>[2]['debt']
  return {
    floor: (tx, n) => tx.rows(oneLine, [instanceId, uuid('e0', n)]),
    'look up the line of a payment': (tx, n) =>
      findToldByBank(
        tx,
        {
          ...payment,
          id: uuid('99', n),
          claim_id: null,
          payment_reference: String(100_000_000_000 + n),
          execution_date: today,
        } as PaymentRow,
        { debt, accounts: [ACCOUNT], today },
      ),
    'look up the line that a deduction takes back': (tx, n) =>
      findTakenBack(tx, {
        ...line,
        payment_references: [String(100_000_000_000 + n)],
        bank_date: today,
        deposit_key: 'camt:other',
        named_payment_id: null,
      } as unknown as LineRow),
    'look up the accounts of a booking': (tx, n) =>
      findAccountRows(tx, instanceId, [
        { ...owned, kind: 'credit', debtor_id: uuid('d0', n) },
        { ...owned, kind: 'credit_at_creditor', creditor_id: ACCOUNT, debtor_id: uuid('d0', n + 1) },
        { ...owned, kind: 'held_for_creditor', creditor_id: ACCOUNT },
        { ...owned, kind: 'clearing', gateway: 'BANK_FILE' },
        { ...owned, kind: 'suspense' },
      ] satisfies AccountRow[]),
  }
}

/** The 95th percentile of one call after the other, each about another of the million. */
async function p95(tx: Transaction, ask: Ask): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < ASKED; n++) {
    const since = performance.now()
    await ask(tx, 1 + ((n * 7919) % (EQUAL - 2)))
    times.push(performance.now() - since)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ASKED * 0.95)] ?? 0
}

export async function* benchLookUps(): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillEqual(database.owner, instanceId)
    const { rows } = await database.owner.query<{ today: string }>('select current_date::text as today')
    const { host, port, database: name } = database
    const db = openDatabase({ host, port, database: name, user: 'kvitt_app' }, 1)
    try {
      const { floor: one, ...asks } = asksOf(instanceId, rows[0]?.today ?? '')
      for (const [what, ask] of Object.entries(asks)) {
        const [floor, value] = await db.transaction(async (tx) => [
          await p95(tx, one as Ask),
          await p95(tx, ask),
        ])
        yield {
          name: `${what}, p95`,
          value: value ?? 0,
          unit: 'ms',
          floor: floor ?? 0,
          ratio: (value ?? 0) / (floor ?? 1),
        }
        yield {
          name: `${what}, p95 of what it may be`,
          value: value ?? 0,
          unit: 'ms',
          floor: WANTED_P95_MS,
          ratio: (value ?? 0) / WANTED_P95_MS,
        }
      }
    } finally {
      await db.close()
    }
  } finally {
    await database.stop()
  }
}
