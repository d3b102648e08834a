import { spawn } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { importBankFiles } from '../src/bank-files/bank-files.ts'
import { castBgMax } from '../src/demo/cast-bgmax.ts'
import { openLog } from '../src/platform/log.ts'
import { buildInvoice, TODAY } from '../src/testing/build.ts'
import { programOf, runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

let server: TestServer
let env: Record<string, string> = {}
let serial = 0

beforeAll(async () => {
  server = await startTestServer()
  env = { DATABASE_URL: urlOf(server.test) }
})

const run = (...args: string[]): Promise<Ended> => runHere('place-payment-cli', args, env)

/** 1000.00 of which nobody knows whose it is. */
async function lose(): Promise<string> {
  serial += 1
  const payments = [{ reference: `99${serial}0`, amountMinor: 100_000 }]
  const text = castBgMax({ bankgiro: '9990-0227', day: TODAY, payments, serial })
  const input = {
    name: `file-${serial}`,
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const { config } = server.product.context
  const context = { db: server.test.db, clock: server.clock, config, log: openLog('silent') }
  const place = { id: server.instanceId, timeZone: 'Europe/Stockholm' as const }
  for await (const result of importBankFiles(context, place, [input])) expect(result.outcome).toBe('suspense')
  const { rows } = await server.test.owner.query('select id from bank_line order by id desc limit 1')
  return (rows[0] as { id: string }).id
}
const build = () => buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 100_000 })

test('lists what waits, places it, says so again, and refuses with a sentence and a code', async () => {
  const [invoice, lineId, other] = [await build(), await lose(), await lose()]
  const listed = await run()
  expect(listed).toMatchObject({ status: 0, stderr: '' })
  expect(listed.stdout).toMatch(
    new RegExp(
      ` 1000\\.00 SEK {2}${TODAY} {2}line ${lineId} {2}to 99900227 of nordklar AB {2}unknown_reference {2}`,
    ),
  )
  expect(listed.stdout).toMatch(/2 in suspense\n$/)
  const placed = { status: 0, stderr: '', stdout: `placed     1000.00 SEK  on invoice ${invoice.number}\n` }
  for (let again = 0; again < 2; again++)
    expect(await run('--line', lineId, `--invoice=${invoice.number}`)).toEqual(placed)
  expect(await run('--line', other, '--invoice', invoice.number)).toEqual({
    status: 2,
    stdout: '',
    stderr: `Nothing is owed on ${invoice.number}: send the money back, or place it elsewhere. (nothing_owed)\n`,
  })
  expect((await run('--line', other, '--send-back')).stdout).toMatch(/^goes back {2}1000\.00 SEK/)
  expect((await run()).stdout).toBe('0 in suspense\n')
})

test('killed in the middle it has done nothing; asked again it does it once', async () => {
  const [invoice, lineId] = [await build(), await lose()]
  const holder = await server.test.owner.connect()
  await holder.query('begin')
  await holder.query('select from invoice where id = $1 for update', [invoice.id])
  const [program, args] = programOf('place-payment-cli', ['--line', lineId, '--invoice', invoice.number])
  const child = spawn(program, args, { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const isInside = async () =>
    (await server.test.owner.query(`select from pg_locks where locktype = 'advisory' and objsubid = 1`))
      .rowCount
  await expect.poll(isInside, { timeout: 20_000, interval: 20 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  await holder.query('commit')
  holder.release()
  const statusOf = async () =>
    (await server.test.owner.query('select status from bank_line where id = $1', [lineId])).rows
  expect(await statusOf()).toEqual([{ status: 'SUSPENSE' }])
  expect((await run('--line', lineId, '--invoice', invoice.number)).stdout).toMatch(/^placed/)
  expect(await statusOf()).toEqual([{ status: 'BOOKED' }])
})

const LINE = ['--line', '01a200be-104f-7f5e-be14-31a3329deb27']
test.each([
  ['no payment', ['--send-back'], /^No payment was named\. Usage: npm run place-payment/],
  ['no place', LINE, /^Name one place: an invoice, a claim, another line, or back\. Usage: /],
  ['two places', [...LINE, '--invoice', '1', '--send-back'], /^Name one place: /],
  ['an empty place', [...LINE, '--claim'], /^--claim needs a value\. Usage: /],
  ['no id', ['--line', 'nonsense', '--send-back'], /^"nonsense" is no id of a payment in suspense, /],
  ['an unknown option', [...LINE, '--all'], /^--all is not an option\. Usage: /],
  ['an unknown payment', [...LINE, '--send-back'], /^No line of a bank's file .* \(no_such_line\)\n$/],
])('%s is answered with one sentence and status 2', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})
