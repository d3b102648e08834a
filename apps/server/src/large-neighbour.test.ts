/** One provider has nearly all rows: what the others read is found by their own key, not by looking through its rows. */
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { Database, Statement, Transaction } from './platform/database/database.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { signIn } from './testing/sign-in.ts'
import { signInStaff } from './testing/staff.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'

const ROWS = 6_000
/** Filled for the neighbour: nobody else's statement may read one of them whole. */
const LARGE = ['debtor', 'payment_reference', 'invoice', 'ledger_account', 'ledger_transaction', 'posting']

type Asked = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }
const asked = new Map<string, Asked>()
let server: TestServer
let own: BuiltInvoice
let neighbour: BuiltInvoice

/** The same database, which remembers what was read from it. */
function remembering(db: Database): Database {
  const remember = ({ name, text }: Statement, values: readonly unknown[] = []): void => {
    if (!/\b(insert into|update|delete from|lock table)\b/i.test(text))
      asked.set(name, { name, text, values })
  }
  return {
    ...db,
    rows: (statement, values) => {
      remember(statement, values)
      return db.rows(statement, values)
    },
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          rows: (statement: Statement, values: readonly unknown[]) => {
            remember(statement, values)
            return tx.rows(statement, values)
          },
        } as Transaction),
      ),
  }
}

beforeAll(async () => {
  server = await startTestServer()
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  const { id } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  neighbour = await buildInvoice(server.test, id, server.clock)
  const { context } = server.product
  Object.assign(context, { db: remembering(context.db) })
})

/** What a debtor, a creditor's clerk and an operator's handler read every day. */
async function visit(): Promise<void> {
  const { context } = server.product
  const pair = `/api/public/invoices/${own.reference}/${own.zip}`
  const read = async (method: string, path: string, headers = {}, body?: object): Promise<void> => {
    const answer = await server.call(method, path, { headers, ...(body ? { body } : {}) })
    expect([path, answer.status < 300 ? 'ok' : answer.text]).toEqual([path, 'ok'])
  }
  for (const rest of ['', '/payment-methods', '/documents', '/events/ledger']) await read('GET', pair + rest)
  const debtor = await signIn(context, server.instanceId, [own.debtorId])
  const open = { 'statuses.main': 'ACTIVATED[OR]PAUSED[OR]DISPUTED' }
  await read('POST', '/api/debtor/invoices/ledger', debtor, open)
  await read('POST', '/api/debtor/invoices/ledger?limit=10&page=2&orderBy=dates.expireDate', debtor, open)
  const { instanceId } = server
  const clerk = await signInStaff(context, { instanceId, creditorId: own.creditorId, role: 'clerk' })
  const handler = await signInStaff(context, { instanceId, creditorId: null, role: 'handler' })
  for (const [door, headers] of [
    ['client', clerk],
    ['admin', handler],
  ] as const) {
    await read('POST', `/api/${door}/invoices/search?limit=10`, headers, { filters: open })
    await read('POST', `/api/${door}/invoices/search?limit=10`, headers, { query: own.number })
    await read('POST', `/api/${door}/debtors/search?limit=10`, headers, {})
    await read('POST', `/api/${door}/tasks/search?limit=10`, headers, {})
    await read('GET', `/api/${door}/invoices/${own.id}`, headers)
    await read('GET', `/api/${door}/debtors/${own.debtorId}`, headers)
  }
}

/** Copies of the neighbour's rows, without the checks of what they belong to. Taken back at the end. */
async function fillNeighbour(owner: pg.PoolClient): Promise<void> {
  const id = (n: string, of: string): string =>
    `('00000000-0000-7000-8${of}-' || lpad(${n}::text, 12, '0'))::uuid`
  const copy = async (table: string, changed: string): Promise<void> => {
    const { rows } = await owner.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
      [table],
    )
    const columns = rows[0]?.columns ?? ''
    await owner.query(
      `insert into ${table} (${columns}) select ${columns.replace(/[^, ]+/g, 'r.$&')}
       from (select to_jsonb(t) as t from ${table} t where instance_id = $1 limit 1) t cross join generate_series(1, ${ROWS}) n
       cross join lateral jsonb_populate_record(null::${table}, t.t || jsonb_build_object(${changed})) r`,
      [neighbour.instanceId],
    )
  }
  await owner.query(`set local session_replication_role = 'replica'`)
  await copy('debtor', `'id', ${id('n', '001')}, 'identity', 'x' || n`)
  await copy('payment_reference', `'reference', (10000000 + n)::text`)
  await copy(
    'invoice',
    `'id', ${id('n', '002')}, 'debtor_id', ${id('n', '001')}, 'invoice_number', (900000 + n)::text, 'payment_reference', (10000000 + n)::text`,
  )
  await copy(
    'ledger_account',
    `'id', ${id('n', '003')}, 'kind', 'principal', 'invoice_id', ${id('n', '002')}, 'creditor_id', null, 'debtor_id', null, 'gateway', null`,
  )
  await copy(
    'ledger_transaction',
    `'id', ${id('n', '004')}, 'cause', 'x' || n, 'invoice_id', ${id('n', '002')}`,
  )
  await copy('posting', `'transaction_id', ${id('n', '004')}, 'account_id', ${id('n', '003')}`)
  await owner.query(`analyze ${LARGE.join(', ')}`)
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

type Explained = { 'QUERY PLAN': { Plan: Plan }[] }

/** Where a plan reads a large table otherwise than by the instance. */
function astray(plan: Plan): string[] {
  const { 'Node Type': how, 'Relation Name': table = '', 'Index Name': index, 'Index Cond': cond } = plan
  const isWhole = how.includes('Seq Scan') && LARGE.includes(table)
  const isOfAll =
    index !== undefined && LARGE.some((name) => index.startsWith(name)) && !/instance_id/.test(cond ?? '')
  return [
    ...(isWhole || isOfAll ? [`${how} of ${index ?? table}`] : []),
    ...(plan.Plans ?? []).flatMap(astray),
  ]
}

test('T-BIGTENANT: beside a provider with nearly all rows, what others read begins with their own key', async () => {
  await visit()
  const owner = await server.test.owner.connect()
  try {
    await owner.query('begin')
    await fillNeighbour(owner)
    const wrong = async ({ name, text, values }: Asked, isForAll = false): Promise<string[]> => {
      const { rows } = isForAll
        ? await owner.query<Explained>(`explain (generic_plan, format json) ${text}`)
        : await owner.query<Explained>(`explain (format json) ${text}`, [...values])
      return rows
        .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => astray(plan)))
        .map((at) => `${name}: ${at}`)
    }
    const found: string[] = []
    for (const read of asked.values()) found.push(...(await wrong(read)))
    expect(found).toEqual([])
    // The program's statements are prepared: the database may plan one once for whoever asks, without knowing for whom.
    for (const read of asked.values()) found.push(...(await wrong(read, true)))
    expect(found).toEqual([])
    // What begins otherwise would be seen.
    const whole = { name: 'whole', text: 'select id from invoice where total_minor = $1', values: [1] }
    expect(await wrong(whole)).toEqual(['whole: Seq Scan of invoice'])
    expect(await wrong(whole, true)).toEqual(['whole: Seq Scan of invoice'])
    expect(asked.size).toBeGreaterThan(25)
  } finally {
    await owner.query('rollback')
    owner.release()
  }
}, 60_000)
