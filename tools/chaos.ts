// `npm run chaos`: faults for the reference cluster while people pay and read, and what the books say afterwards. Writes bench/chaos.json.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { fillInstance, fillInvoices } from '../bench/bench-database.ts'
import { giveAccounts } from '../bench/payments.ts'
import { judge, readInvariants, startPayer, type Verdict } from './chaos/books.ts'
import { FAULTS, untilWhole, type Fault } from './chaos/faults.ts'
import { startLoad, type Seen } from './chaos/load.ts'
import { forgetCluster, startCluster, type Cluster } from './cluster/cluster.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(process.cwd(), '.data/chaos') },
    port: { type: 'string', default: '19000' },
    payments: { type: 'string', default: '40' },
    reads: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    /** Only faults whose names fit this pattern. */
    only: { type: 'string', default: '' },
    invoices: { type: 'string', default: '60000' },
    out: { type: 'string', default: fileURLToPath(new URL('../bench/chaos.json', import.meta.url)) },
  },
})
const rates = {
  payments: Number(values.payments),
  reads: Number(values.reads),
  invoices: Number(values.invoices),
}
const rounds = Number(values.rounds)
/** What nobody may wait longer for when nothing was planned. */
const MOST_GAP_MS = 30_000

type Outcome = Seen &
  Verdict & {
    readonly fault: string
    readonly seconds: number
    readonly isGood: boolean
    readonly error?: string
  }

const KEEP_DAYS = `insert into ledger_account_day (instance_id, account_id, booked_on, kind, creditor_id, currency, amount_minor)
  select a.instance_id, a.id, t.booked_on, a.kind, a.creditor_id, a.currency, sum(o.amount_minor) from ledger_account a
  join posting o on o.instance_id = a.instance_id and o.account_id = a.id
  join ledger_transaction t on t.instance_id = o.instance_id and t.id = o.transaction_id
  where a.kind = 'claims_on_debtors' group by 1, 2, 3, 4, 5, 6`

/** Invoices of the benchmarks, with accounts that they may be paid to. */
async function fill({ databases, layout }: Cluster): Promise<void> {
  const leader = await databases.leader()
  if (!leader) throw new Error('no host of the database takes writes')
  const owner = new pg.Pool({
    host: '127.0.0.1',
    port: layout.ports.postgres(leader),
    user: 'postgres',
    password: layout.passwords.superuser,
    database: 'kvitt',
    max: 2,
  })
  try {
    await fillInvoices(owner, await fillInstance(owner), rates.invoices)
    await giveAccounts({ owner } as Parameters<typeof giveAccounts>[0])
    // The benchmarks fill in past the triggers, and do not read what these keep.
    await owner.query(KEEP_DAYS)
    await owner.query('select rebuild_figures()')
  } finally {
    await owner.end()
  }
}

function isGood({ isPlanned }: Fault, seen: Seen, verdict: Verdict): boolean {
  const isRight = verdict.lost + verdict.doubled + verdict.unbooked + verdict.brokenInvariants.length === 0
  return isRight && (isPlanned ? Object.keys(seen.failed).length === 0 : seen.writeGapMs <= MOST_GAP_MS)
}

let paid = 0

async function play(cluster: Cluster, fault: Fault): Promise<Outcome> {
  const load = startLoad({ address: cluster.address, paid, ...rates })
  const payer = startPayer(cluster, load.acknowledged)
  await sleep(5_000)
  const from = performance.now()
  let error: string | undefined
  try {
    await fault.play(cluster)
    await untilWhole(cluster)
    await sleep(3_000)
  } catch (thrown) {
    error = (thrown as Error).message
  }
  const seen = load.since(from)
  await load.stop()
  paid = load.tried()
  await payer.stop()
  const verdict = await judge(cluster, load.acknowledged, payer.signed)
  const seconds = Math.round((performance.now() - from) / 1000)
  return {
    fault: fault.name,
    seconds,
    isGood: error === undefined && isGood(fault, seen, verdict),
    ...seen,
    ...verdict,
    ...(error === undefined ? {} : { error }),
  }
}

/** Of what was built, and not of what is there when it ends. */
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

function write(outcomes: readonly Outcome[]): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`
  const report = {
    finishedAt: new Date().toISOString(),
    commit,
    machine,
    perSecond: { payments: rates.payments, reads: rates.reads },
    notCovered: ['a full disk', 'a clock that jumps', 'a slow disk', 'a restore to a moment in the past'],
    outcomes,
  }
  writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`)
}

function tell({
  fault,
  isGood: good,
  writeGapMs,
  readGapMs,
  acknowledged,
  lost,
  doubled,
  unbooked,
  failed,
  brokenInvariants: broken,
  error,
}: Outcome): void {
  console.log(
    `${good ? 'good' : 'BAD '} ${fault}: ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled, ${unbooked} unbooked; ` +
      `longest without a payment ${(writeGapMs / 1000).toFixed(1)} s, without a read ${(readGapMs / 1000).toFixed(1)} s; ` +
      `failed ${JSON.stringify(failed)}${broken.length === 0 ? '' : `; ${broken.join(', ')}`}${error === undefined ? '' : `; ${error}`}`,
  )
}

async function main(): Promise<number> {
  forgetCluster(values.data)
  const settings = {
    PAYMENT_STARTS_PER_MINUTE: '999999',
    PAYMENT_STARTS_PER_DAY: '999999',
    CONNECTIONS_PER_ADDRESS: '999999',
  }
  const log = (line: string): void => console.log(line)
  const cluster = await startCluster({
    folder: values.data,
    base: Number(values.port),
    isDemo: false,
    settings,
    log,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void cluster.stopAll().then(() => process.exit(1)))
  const outcomes: Outcome[] = []
  try {
    log(`Filling in ${rates.invoices} invoices`)
    await fill(cluster)
    await untilWhole(cluster)
    const broken = await readInvariants(cluster.databases)
    if (broken.length > 0) throw new Error(`${broken.join(', ')} is broken before anything has happened`)
    for (const fault of FAULTS.filter(({ name }) => new RegExp(values.only).test(name))) {
      for (let round = 0; round < rounds; round++) {
        outcomes.push(await play(cluster, fault))
        tell(outcomes.at(-1) as Outcome)
        write(outcomes)
      }
    }
  } finally {
    await cluster.stopAll()
  }
  const bad = outcomes.filter((one) => !one.isGood).length
  log(`${outcomes.length} faults, ${bad} of them bad`)
  return bad === 0 ? 0 : 1
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error((error as Error).message)
    process.exit(1)
  },
)
