import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildInstance } from '../src/testing/build.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { testDatabase } from '../src/testing/test-database.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../src/imports/fixtures/${name}`, import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'kvitt-import-'))
let databaseUrl = ''

beforeAll(async () => {
  const built = await testDatabase()
  await buildInstance(built)
  databaseUrl = urlOf(built)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runImport = (args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> =>
  runHere('import-cli', args, { DATABASE_URL: databaseUrl, ...settings })

test('--json prints one line an invoice, and the status tells that one was refused', async () => {
  const broken = join(folder, 'broken.xml')
  writeFileSync(broken, readFileSync(fixture('no-invoice.xml'), 'utf8').slice(0, 700))
  const files = [fixture('se-invoice.xml'), broken, join(folder, 'absent.xml'), folder]
  const { status, stdout } = await runImport(['--json', ...files])
  expect(status).toBe(2)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>)
  expect(lines.map((line) => Object.keys(line).join())).toEqual(
    lines.map(() => 'file,outcome,invoiceNumber,paymentReference,zip,reason'),
  )
  const outcomes = new Map(lines.map((line) => [line['file'], line]))
  expect(outcomes.get(files[0] ?? '')).toMatchObject({
    outcome: 'created',
    invoiceNumber: '2026-70012',
    zip: '11122',
  })
  expect(outcomes.get(broken)?.['reason']).toMatch(/broken\.xml, .*not well-formed/)
  expect(outcomes.get(files[2] ?? '')?.['reason']).toMatch(/There is no such file/)
  expect(outcomes.get(folder)?.['reason']).toMatch(/This is a folder/)
})

test('a person reads what became of each file and a summary', async () => {
  await runImport([fixture('se-invoice.xml')])
  const { status, stdout } = await runImport([fixture('se-invoice.xml'), fixture('fi-invoice.xml')])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^unchanged {2}2026-70012 {2}reference 7001 2/m)
  expect(stdout).toMatch(/^created {4}V-2026-11 {2}reference 2026 1112 01 {2}zip 33100/m)
  expect(stdout).toMatch(/^1 created, 1 unchanged, 0 refused$/m)
})

test.each([
  ['no file', [], {}, /^No file was named\. Usage: /],
  ['an unknown option', ['--all', 'a.xml'], {}, /^--all is not an option\. Usage: /],
  [
    'a creditor without identifier',
    ['--creditor', 'energy', 'a.xml'],
    {},
    /^"energy" is no id of a creditor, which looks like /,
  ],
  [
    'a database elsewhere',
    ['a.xml'],
    { DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
    /^The database cannot be reached/,
  ],
  [
    'a data folder that is not there',
    ['a.xml'],
    { DATABASE_URL: '', DATA_DIR: join(folder, 'nowhere') },
    /^There is nothing in .*nowhere/,
  ],
])('%s is answered with one sentence and status 2', async (_, args, settings, sentence) => {
  const { status, stdout, stderr } = await runImport(args, settings)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('--help says how it is used, and needs no database', async () => {
  const { status, stdout, stderr } = await runImport(['--help'], { DATABASE_URL: 'postgresql://nowhere:1/x' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Usage: npm run import -- \[--provider ALIAS\] \[--json\]/)
})
