import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { castBgMax } from '../src/demo/cast-bgmax.ts'
import { buildInstance, buildInvoice, testClock, TODAY, type BuiltInvoice } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { testDatabase } from '../src/testing/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-payments-'))
let databaseUrl = ''
let invoice: BuiltInvoice

beforeAll(async () => {
  const built = await testDatabase()
  const { id } = await buildInstance(built)
  invoice = await buildInvoice(built, id, testClock(), { totalMinor: 119_700 })
  databaseUrl = urlOf(built)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<Ended> =>
  runHere('import-payments-cli', args, { DATABASE_URL: databaseUrl })

test('a file is booked, told line by line, and unchanged the second time', async () => {
  const file = join(folder, 'bgmax.txt')
  const payments = [{ reference: invoice.reference, amountMinor: 50_000 }]
  writeFileSync(file, castBgMax({ bankgiro: '9990-0227', day: TODAY, payments }))
  const first = await run('--json', file)
  expect(first).toEqual({
    status: 0,
    stderr: '',
    stdout:
      `{"file":${JSON.stringify(file)},"line":1,"outcome":"booked","amount":500.00,"currency":"SEK",` +
      `"paymentReference":"${invoice.reference}","number":"${invoice.number}","reason":null}\n`,
  })
  const second = await run(file, join(folder, 'absent.txt'))
  expect(second.status).toBe(2)
  expect(second.stdout).toMatch(/^unchanged {2}.*bgmax\.txt$/m)
  expect(second.stdout).toMatch(/^refused {4}.*absent\.txt: There is no such file\.$/m)
  expect(second.stdout).toMatch(/^0 booked, .*1 unchanged, 1 refused$/m)
})

test.each([
  ['no file', [], /^No file was named\. Usage: npm run import-payments/],
  ['an unknown option', ['--all', 'a.txt'], /^--all is not an option\. Usage: /],
])('%s is answered with one sentence and status 2', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})
