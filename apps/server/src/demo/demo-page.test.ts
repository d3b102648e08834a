import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { TODAY } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { loadCast } from './load-cast.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const page = readFileSync(at('docs/demo.md'), 'utf8')
/** The cast as it was written down lies beside the project, where it lies at all. */
const WRITTEN = at('../shared/data/demo-data.json')

/** A row of a table of the page, or what the product would have there, by column. */
type Row = Readonly<Record<string, string>>

let server: TestServer
/** By number. */
let product: Map<string, Row>

beforeAll(async () => {
  server = await startTestServer({
    isDemo: true,
    fill: ({ context }) => loadCast(context, at('apps/server/demo')),
  })
  product = new Map((await readProduct()).map((row) => [row.Number ?? '', row]))
})

function amountOf(minor: number, currency: string): string {
  const [whole = '', cents = ''] = (Math.abs(minor) / 100).toFixed(2).split('.')
  return `${minor < 0 ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ' ')},${cents} ${currency}`
}

function dayOf(days: number): string {
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days > 0 ? 'tomorrow' : 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}

const bare = (text = ''): string => text.replaceAll(' ', '')

async function readProduct(): Promise<Row[]> {
  const { rows } = await server.test.owner.query(
    `select i.invoice_number as number, i.payment_reference as reference, i.zip, i.type, i.status, i.currency,
       i.total_minor::int as asked, i.balance_minor::int as owed, i.expire_date - $1::date as due,
       i.is_part_payment as "isPlanned", '' as holds
     from invoice i
     union all
     select c.claim_number, c.payment_reference, c.zip, '', c.status, c.currency, null, c.balance_minor::int,
       c.expire_date - $1::date, c.is_part_payment,
       (select string_agg(i.invoice_number, ', ' order by i.invoice_number) from invoice i
        where i.instance_id = c.instance_id and i.claim_id = c.id)
     from claim c`,
    [TODAY],
  )
  return rows.map((row) => ({
    Number: row.number,
    Reference: row.reference,
    Zip: row.zip,
    Type: row.type,
    State: row.status,
    Asked: row.asked === null ? '' : amountOf(row.asked, row.currency),
    Owed: amountOf(row.owed, row.currency),
    Due: dayOf(row.due),
    Holds: row.holds,
    'In a plan': String(row.isPlanned),
  }))
}

/** The tables of the page whose first heading is `first`, as rows. */
function rowsOf(first: string): Row[] {
  const tables = page.split(/\n\n+/).filter((part) => part.startsWith(`| ${first} |`))
  return tables.flatMap((table) => {
    const [head = [], , ...rows] = table.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((c) => c.trim()),
    )
    return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])))
  })
}

test('nobody is asked for a figure that the demo has, and its reminder fees are agreed', async () => {
  const { rows: tasks } = await server.test.owner.query(
    `select kind, about from task where kind in ('rate_unknown', 'ceiling_unknown', 'bank_day_doubtful') and done_at is null`,
  )
  expect(tasks).toEqual([])
  const { rows } = await server.test.owner.query(
    'select count(*)::int as all, count(reminder_fee_source)::int as agreed from creditor',
  )
  expect(rows[0].agreed).toBe(rows[0].all)
})

describe('docs/demo.md', () => {
  test('has each invoice and claim of the demo once, as the product makes it', () => {
    const rows = [
      ...rowsOf('Invoice').map(({ Invoice, ...row }) => ({ ...row, Number: Invoice ?? '' })),
      ...rowsOf('Claim').map(({ Claim, 'Pay by': due, ...row }) => ({
        ...row,
        Number: Claim ?? '',
        Due: due ?? '',
      })),
    ]
    expect(rows.map(({ Number }) => Number).sort()).toEqual([...product.keys()].sort())
    for (const row of rows as Row[]) {
      const made = product.get(row.Number ?? '') ?? {}
      const told = { ...row, Reference: bare(row.Reference), Zip: bare(row.Zip) }
      const shared = Object.keys(made).filter((name) => name in told)
      expect(shared).toEqual(expect.arrayContaining(['Reference', 'Zip', 'State', 'Owed', 'Due']))
      for (const name of shared)
        expect([row.Number, name, told[name as 'Zip']]).toEqual([row.Number, name, made[name]])
    }
  })

  test('says of each difference what the product makes, and why', () => {
    for (const difference of rowsOf('Number')) {
      const made = product.get(difference.Number ?? '') ?? {}
      expect([difference.Number, difference['In the demo']]).toEqual([
        difference.Number,
        made[difference.What ?? ''],
      ])
      expect(difference.Why).not.toBe('')
    }
  })

  test('lists every difference from the cast as it was written down, and no other', () => {
    if (!existsSync(WRITTEN)) {
      process.stdout.write('skipped: the cast as it was written down is not here\n')
      return
    }
    const told = rowsOf('Number').map((row) => [row.Number, row.What, row['In the cast']].join(' | '))
    expect(told.sort()).toEqual(differences(JSON.parse(readFileSync(WRITTEN, 'utf8'))).sort())
  })
})

type Written = {
  readonly debtors: readonly { key: string; zip: string }[]
  readonly invoices: readonly Record<string, string>[]
  readonly claims: readonly (Record<string, string> & {
    memberInvoices?: readonly Record<string, string>[]
  })[]
}

function differences({ debtors, invoices, claims }: Written): string[] {
  const zipOf = (key = ''): string => bare(debtors.find((debtor) => debtor.key === key)?.zip)
  const written = [
    ...invoices.map((row) => writtenInvoice(row, zipOf(row.debtor))),
    ...claims.flatMap(({ memberInvoices = [], ...row }) => [
      writtenClaim(row, zipOf(row.debtor)),
      ...memberInvoices.map((member) =>
        writtenInvoice({ currency: row.currency ?? '', ...member }, zipOf(row.debtor)),
      ),
    ]),
  ]
  return written.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]) =>
      value === undefined || value === product.get(row.Number ?? '')?.[name]
        ? []
        : [[row.Number, name, value].join(' | ')],
    ),
  )
}

type Known = Readonly<Record<string, string | undefined>>

/** What the cast does not say is undefined. */
function shared(row: Record<string, string>, zip: string) {
  return {
    Reference: row.paymentReference,
    Zip: zip,
    'In a plan': row.isPartPayment?.toString(),
  }
}

const minorOf = (decimal: string): number => Math.round(Number(decimal) * 100)
const offsetOf = (day = ''): string => dayOf(Number(day.replace(/^D/, '')))

function writtenInvoice(row: Record<string, string>, zip: string): Known {
  const { currency = '', invoiceNumber, 'totals.totalToPay': asked, 'balances.total': owed } = row
  return {
    ...shared(row, zip),
    Number: invoiceNumber,
    Type: row.type,
    State: row['statuses.main'],
    Asked: asked === undefined ? undefined : amountOf(minorOf(asked), currency),
    Owed: owed === undefined ? undefined : amountOf(minorOf(owed), currency),
    Due: offsetOf(row['dates.expireDate']),
  }
}

function writtenClaim(row: Record<string, string>, zip: string): Known {
  const { currency = '', collectionBatchNumber, balanceTotal = '' } = row
  return {
    ...shared(row, zip),
    Number: collectionBatchNumber,
    State: row.status,
    Owed: amountOf(minorOf(balanceTotal), currency),
    Due: offsetOf(row.expireDate),
  }
}

test('what the cast’s claim cost before the authority was recorded by somebody, and nobody is asked about a court', async () => {
  const { rows } = await server.test.owner.query(
    `select c.claim_number as claim, a.applied_on - $1::date as applied, a.status,
       (select array_agg(d.kind order by d.decided_on) from court_decision d where d.application_id = a.id) as decided
     from court_application a join claim c on c.id = a.claim_id`,
    [TODAY],
  )
  expect(rows).toEqual([
    { claim: '702665', applied: -144, status: 'NO_ASSETS', decided: ['ORDER', 'NO_ASSETS'] },
  ])
  const asked = await server.test.owner.query(
    `select kind from task where kind in ('schedule_ended', 'court_to_file') and done_at is null`,
  )
  expect(asked.rows).toEqual([])
})
