import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { castBgMax } from './demo/cast-bgmax.ts'
import { buildInstance, buildInvoice, testClock, TODAY, type BuiltInvoice } from './testing/build.ts'
import { testDatabase } from './testing/test-database.ts'

const CLI = fileURLToPath(new URL('import-payments-cli.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kvitt-payments-'))
let databaseUrl = ''
let invoice: BuiltInvoice

beforeAll(async () => {
  const built = await testDatabase()
  const { id } = await buildInstance(built)
  invoice = await buildInvoice(built, id, testClock(), { totalMinor: 119_700 })
  const { host, port, user, database } = built.ownerAddress
  databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { DATABASE_URL: databaseUrl }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

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
