/** An older program while a newer one's migration comes: it goes on, with the connections and statements that it has. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations } from './platform/database/migrate.ts'
import { buildInvoice, TODAY } from './testing/build.ts'
import { MIGRATIONS } from './testing/global-setup.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-under-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let server: TestServer
beforeAll(async () => void (server = await startTestServer()))

/**
 * Columns are added to every table: a statement that answered whole rows of one would answer others from then on. One table in a file, so
 * that nobody waits for more than one lock. Functions of the database make whole rows of `list_length`: whoever adds a column there
 * replaces them in the same file.
 */
const TABLES = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  and not relispartition and relname not in ('migration', 'list_length') order by relname`

const widened = (table: string): string => `-- compatible: yes
alter table ${table} add column later_text text, add column later_number integer not null default 1;
`

/** A debtor reads, lists, pays and sees that it is paid; answers each call that was not answered well. */
async function visit(): Promise<string[]> {
  const { test: base, instanceId, clock, product } = server
  const invoice = await buildInvoice(base, instanceId, clock)
  const headers = await signIn(product.context, instanceId, [invoice.debtorId])
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  const failed: string[] = []
  const ask = async (method: string, url: string, body?: object, signed = false): Promise<string> => {
    const answer = await server.call(method, url, {
      ...(body ? { body } : {}),
      ...(signed ? { headers } : {}),
    })
    if (answer.status >= 300) failed.push(`${method} ${url}: ${answer.status} ${answer.text}`)
    return answer.text
  }
  for (const rest of ['', '/payment-methods', '/documents', '/events/ledger']) await ask('GET', path + rest)
  await ask('POST', '/api/debtor/invoices/ledger', { 'statuses.main': 'ACTIVATED[OR]PAUSED' }, true)
  const start = { paymentDate: TODAY, amount: '842.00', serviceProviderCode: 'DIRECT_BANK' }
  await ask('POST', `${path}/payment-requests`, { ...start, redirectUri: `${server.origin}/` })
  if (failed.length > 0) return failed
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const mine = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${mine?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  for (let n = 0; n < 50; n++) {
    if ((await ask('PUT', `${path}/payment-requests/status`)).includes('COMPLETED')) break
  }
  if (!(await ask('GET', path)).includes('"CLOSED"')) failed.push(`${invoice.reference} is not closed`)
  await product.sweepAll()
  await product.sendMail()
  return failed
}

test('T-OLDER: migrations that add columns to every table come while an older program serves: each call before, meanwhile and after is answered', async () => {
  expect(await visit()).toEqual([])
  const last = readMigrations(MIGRATIONS).at(-1)?.number ?? 0
  cpSync(MIGRATIONS, folder, { recursive: true })
  const { rows: tables } = await server.test.owner.query<{ name: string }>(TABLES)
  for (const [index, { name }] of tables.entries()) {
    writeFileSync(join(folder, `${String(last + 1 + index).padStart(4, '0')}_widened.sql`), widened(name))
  }
  const over = new AbortController()
  const meanwhile = Array.from({ length: 3 }, async () => {
    const failed = []
    do failed.push(...(await visit()))
    while (!over.signal.aborted)
    return failed
  })
  const applied = await migrate(server.test.ownerAddress, folder).finally(() => over.abort())
  expect(applied).toBe(tables.length)
  expect((await Promise.all(meanwhile)).flat()).toEqual([])
  for (let n = 0; n < 3; n++) expect(await visit()).toEqual([])
}, 120_000)
