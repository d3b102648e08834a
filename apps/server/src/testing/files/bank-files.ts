/** Money that comes to a bank account, for tests: a day's file of a creditor's bank, and what is owed afterwards. */
import { beforeAll } from 'vitest'
import { importBankFiles, type BankFileResult } from '../../bank-files/bank-files.ts'
import { castBgMax, type CastDeposit, type CastPayment } from '../../demo/cast-bgmax.ts'
import { openInstances, type Instance } from '../../instances/instances.ts'
import { openLog } from '../../platform/log.ts'
import {
  buildInvoice,
  buildPlanSettings,
  buildSharedAccount,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../build.ts'
import { buildInstanceAccount } from '../build-claim.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'

/** The bankgiro of every creditor that the tests build, and of the instance. */
const OF_CREDITOR = '9990-0227'
export const OF_INSTANCE = '9990-0110'

export let server: TestServer
export let instance: Instance
let serial = 0

/** For the top of a test file: server and instance are there before its first test, and part payments are offered. */
export function useBankFiles(): void {
  beforeAll(async () => {
    server = await startTestServer()
    await buildSharedAccount(server.test, server.instanceId)
    await buildInstanceAccount(server.test, server.instanceId)
    await buildPlanSettings(server.test, server.instanceId)
    const found = await openInstances(server.test.db, server.clock).ofHost('localhost')
    if (!found) throw new Error('there is no instance')
    instance = found
  })
}

export const context = () => ({
  db: server.test.db,
  clock: server.clock,
  config: server.product.context.config,
  log: openLog('silent'),
})

export const build = (totalMinor: number, wishes: InvoiceWishes = {}): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, { totalMinor, ...wishes })

/** Today's deposit in a file of its own. */
export function fileOf(payments: readonly CastPayment[], wishes: Partial<CastDeposit> = {}): string {
  serial += 1
  const day = server.clock.today(instance.timeZone)
  return castBgMax({ bankgiro: OF_CREDITOR, day, payments, serial, ...wishes })
}

export async function takeFiles(...texts: readonly string[]): Promise<BankFileResult[]> {
  const inputs = texts.map((text, index) => ({
    name: `file-${index + 1}`,
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }))
  const results: BankFileResult[] = []
  for await (const result of importBankFiles(context(), instance, inputs)) results.push(result)
  return results
}

export const outcomesOf = (results: readonly BankFileResult[]) => results.map(({ outcome }) => outcome)

export async function rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await server.test.owner.query(sql, values)).rows as Row[]
}

export async function one<Row>(sql: string, ...values: unknown[]): Promise<Row> {
  return (await rows<Row>(sql, ...values))[0] as Row
}

export const stateOf = ({ id }: { readonly id: string }) =>
  one<{ status: string; owed: number }>(
    'select status, balance_minor::int as owed from invoice where id = $1',
    id,
  )

/** What is owed back to the debtor, in öre. */
export const creditOf = async ({ debtorId }: BuiltInvoice): Promise<number> =>
  (
    await one<{ minor: number }>(
      `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
      debtorId,
    )
  ).minor

/** What stands on all accounts of a kind, in öre. */
export const balanceOf = async (kind: string, gateway: string | null = null): Promise<number> =>
  (
    await one<{ minor: number }>(
      `select coalesce(sum(balance_minor), 0)::int as minor from ledger_account
       where kind = $1 and gateway is not distinct from $2`,
      kind,
      gateway,
    )
  ).minor

/** The rules of the books that do not hold: the names of their views that have rows. */
export async function violated(): Promise<string[]> {
  const views = await rows<{ name: string }>(
    `select viewname as name from pg_views where viewname like 'inv\\_%'`,
  )
  const wrong = []
  for (const { name } of views) if ((await rows(`select from ${name}`)).length > 0) wrong.push(name)
  return wrong
}
