/** A database of its own for the benchmarks: durable, as in production, and filled by the set. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { computePalette } from '@kvitt/domain/instances/palette.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'

export type BenchDatabase = {
  readonly host: string
  readonly port: number
  readonly ownerUser: string
  readonly database: string
  /** For DATABASE_URL. */
  readonly url: string
  readonly owner: pg.Pool
  stop(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('../apps/server/migrations', import.meta.url))

export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-bench-'))
  chmodSync(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const address = { host: postgres.host, port: postgres.port, user: postgres.ownerUser, database: 'postgres' }
  await migrate(address, MIGRATIONS)
  const owner = new pg.Pool({ ...address, max: 4 })
  owner.on('error', () => {})
  return {
    host: postgres.host,
    port: postgres.port,
    ownerUser: postgres.ownerUser,
    database: 'postgres',
    url: `postgresql://${postgres.ownerUser}@localhost:${postgres.port}/postgres?host=${encodeURIComponent(postgres.host)}`,
    owner,
    async stop() {
      await owner.end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The instance that answers on this machine. A pair opens all of its debtor's there: the longest lists. */
export async function fillInstance(owner: pg.Pool): Promise<string> {
  const palette = JSON.stringify(computePalette({ primary: '#0b5c6b', button: '#0b5c6b' }))
  const { rows } = await owner.query<{ id: string }>(
    `insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain, is_default,
       mode, phone, email, primary_colour, secondary_colour, button_colour, palette, public_session_reach)
     values (gen_random_uuid(), 'Bench AB', 'SE', 'sv', 'Europe/Stockholm', '559999-0016', 'bench', 'portal.test', true,
       'test', '031-390 06 10', 'bench@portal.example', '#0b5c6b', '#f2b84b', '#0b5c6b', $1, 'instance')
     returning id`,
    [palette],
  )
  return rows[0]?.id ?? ''
}

/**
 * `count` open invoices of 20 creditors and debtors with `perDebtor` invoices each, each with its account and posting. The
 * reference of invoice n is 100000000000 + n, the zip 10000 + n mod 9000. What the triggers would check and sum row by
 * row is written as they would leave it, and checked once at the end.
 */
export async function fillInvoices(
  owner: pg.Pool,
  instanceId: string,
  count: number,
  perDebtor = 10,
): Promise<void> {
  const client = await owner.connect()
  // Identifiers grow with n, as those that the product makes grow with time.
  const id = (kind: string, n: string): string =>
    `('${kind}0000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
  const run = (text: string): Promise<unknown> =>
    client.query(
      text
        .replaceAll(':instance', `'${instanceId}'::uuid`)
        .replaceAll(':n', `generate_series(1, ${count}) n`),
    )
  try {
    await run(`set session_replication_role = 'replica'`)
    await run(`insert into creditor (instance_id, id, identity, name, country, reminder_fee_agreed_on, reminder_fee_source)
      select :instance, ${id('c', 'n')}, 'c' || n, 'Creditor ' || n, 'SE', '2000-01-01', 'General terms' from generate_series(0, 19) n`)
    await run(`insert into debtor (instance_id, id, identity, kind, name, country, zip)
      select :instance, ${id('d', 'n')}, 'd' || n, 'PERSON', 'Debtor Number ' || n, 'SE', (10000 + n % 9000)::text
      from generate_series(0, ${Math.ceil(count / perDebtor)}) n`)
    await run(`insert into payment_reference (instance_id, reference, debtor_id, creditor_id)
      select :instance, (100000000000 + n)::text, ${id('d', `n / ${perDebtor}`)}, ${id('c', 'n % 20')} from :n`)
    await run(`insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference,
        zip, issue_date, sent_date, expire_date, currency, total_minor, principal_minor)
      select :instance, ${id('1', 'n')}, ${id('c', 'n % 20')}, ${id('d', `n / ${perDebtor}`)}, 'INVOICE', 'ACTIVATED', n::text,
        (100000000000 + n)::text, (10000 + n % 9000)::text, current_date - 20, current_date - 20, current_date + 10, 'SEK',
        10000 + n % 90000, 10000 + n % 90000 from :n`)
    await run(`insert into ledger_account (instance_id, id, kind, currency, invoice_id, balance_minor)
      select :instance, ${id('a', 'n')}, 'principal', 'SEK', ${id('1', 'n')}, 10000 + n % 90000 from :n`)
    await run(`insert into ledger_account (instance_id, id, kind, currency, creditor_id, balance_minor)
      select :instance, ${id('b', 'n % 20')}, 'claims_on_debtors', 'SEK', ${id('c', 'n % 20')}, -sum(10000 + n % 90000)
      from :n group by n % 20`)
    await run(`insert into ledger_transaction (instance_id, id, kind, booked_on, cause, invoice_id)
      select :instance, ${id('2', 'n')}, 'INVOICE', current_date - 20, 'invoice:' || ${id('1', 'n')}, ${id('1', 'n')} from :n`)
    await run(`insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
      select :instance, ${id('2', 'n')}, l.line, case l.line when 0 then ${id('a', 'n')} else ${id('b', 'n % 20')} end, 'SEK',
        l.sign * (10000 + n % 90000) from :n cross join (values (0, 1), (1, -1)) l (line, sign)`)
    await run(`insert into list_length (instance_id, debtor_id, activated, paused, disputed, pending_authorization, closed, stopped)
      select instance_id, debtor_id, count(*), 0, 0, 0, 0, 0 from invoice group by instance_id, debtor_id`)
    for (const view of ['inv_i2_balances_equal_postings', 'inv_i20_list_lengths_are_true']) {
      const wrong = await client.query(`select from ${view} limit 1`)
      if (wrong.rows.length > 0) throw new Error(`the invoices of the benchmark break ${view}`)
    }
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await owner.query('vacuum analyze')
  // What is measured next does not write what was filled in.
  await owner.query('checkpoint')
}
