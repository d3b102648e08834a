/** A sum in a bank's file that is more than anybody here owes. */
import { beforeAll, expect, test } from 'vitest'
import { castBgMax } from '../demo/cast-bgmax.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { importBankFiles, placeSuspense, readSuspenseRows } from './bank-files.ts'

const LIMIT_MINOR = 1_000_000_000

let server: TestServer
let instance: Instance
let serial = 0

beforeAll(async () => {
  server = await startTestServer()
  const found = await openInstances(server.test.db, server.clock).ofHost('localhost')
  if (!found) throw new Error('there is no instance')
  instance = found
})

const context = () => ({
  db: server.test.db,
  clock: server.clock,
  config: server.product.context.config,
  log: openLog('silent'),
})

async function take({ reference }: BuiltInvoice, amountMinor: number): Promise<(string | null)[]> {
  serial += 1
  const payments = [{ reference, amountMinor }]
  const text = castBgMax({ bankgiro: '9990-0227', day: TODAY, serial, payments })
  const input = {
    name: `large-${serial}`,
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  for await (const { outcome, reason } of importBankFiles(context(), instance, [input]))
    return [outcome, reason]
  return []
}

const owedOn = async ({ id }: BuiltInvoice): Promise<string> =>
  (await server.test.owner.query('select balance_minor from invoice where id = $1', [id])).rows[0]
    ?.balance_minor

test('above the limit a person decides; up to it the money is booked', async () => {
  expect(server.product.context.config.largestTransferMinor).toBe(LIMIT_MINOR)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 84_200 })
  expect(await take(invoice, LIMIT_MINOR + 1)).toEqual(['suspense', 'implausible_amount'])
  expect(await owedOn(invoice)).toBe('84200')
  const [row] = await readSuspenseRows(server.test.db)
  expect(row).toMatchObject({ amount_minor: LIMIT_MINOR + 1, reason: 'implausible_amount' })
  const other = await buildInvoice(server.test, server.instanceId, server.clock)
  expect(await take(other, LIMIT_MINOR)).toEqual(['booked', null])
  // The person has asked the bank, and it is right.
  const to = { kind: 'invoice' as const, name: invoice.number }
  const { on } = await placeSuspense(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId: row?.id ?? '',
    to,
  })
  expect(on).toMatchObject({ number: invoice.number, owedBackMinor: LIMIT_MINOR + 1 - 84_200 })
})

test('what nobody can have is refused with its file', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const [outcome, reason] = await take(invoice, 100_000_000_000_001)
  expect([outcome, reason]).toEqual([
    'refused',
    expect.stringContaining('1000000000000.01 SEK on 99900227 is more than can be'),
  ])
  expect(await take(invoice, 84_200)).toEqual(['booked', null])
})
