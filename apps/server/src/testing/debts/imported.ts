/** Creditors' files, for tests: what comes of importing them, in an instance that has nothing else. */
import { readFileSync } from 'node:fs'
import pino from 'pino'
import { beforeAll } from 'vitest'
import {
  importInvoices,
  type ImportInput,
  type ImportOptions,
  type ImportResult,
} from '../../imports/imports.ts'
import { buildInstance, testClock } from '../build.ts'
import { testDatabase, type TestDatabase } from '../test-database.ts'

export const fixture = (name: string): string =>
  readFileSync(new URL(`../../imports/fixtures/${name}`, import.meta.url), 'utf8')
/** An invoice over 842,00 and a credit note about it over 142,00. */
export const SE = fixture('se-invoice.xml')
export const NOTE = fixture('se-credit-note.xml')
export const OCR = /<cbc:PaymentID>(\d+)</.exec(SE)?.[1] ?? ''

export let built: TestDatabase
export let instance: { id: string; timeZone: string }
let others = 0

/** For the top of a test file. */
export function useImports(): void {
  beforeAll(async () => {
    built = await testDatabase()
  })
}

/** A world without invoices. */
export async function begin(): Promise<void> {
  others += 1
  const { id } = await buildInstance(built, { alias: `import-${others}`, isDefault: false })
  instance = { id, timeZone: 'Europe/Stockholm' }
}

export function input(name: string, text: string | Buffer): ImportInput {
  return {
    name,
    async *open() {
      yield Buffer.from(text)
    },
  }
}

export async function importAll(
  files: Record<string, string | Buffer>,
  options: ImportOptions = { as: 'distributed' },
): Promise<Record<string, ImportResult>> {
  const context = { db: built.db, clock: testClock(), log: pino({ level: 'silent' }) }
  const inputs = Object.entries(files).map(([name, text]) => input(name, text))
  const results: Record<string, ImportResult> = {}
  for await (const result of importInvoices(context, instance, inputs, options)) results[result.file] = result
  return results
}

export async function importOne(text: string | Buffer, options?: ImportOptions): Promise<ImportResult> {
  const result = (await importAll({ 'file.xml': text }, options))['file.xml']
  if (!result) throw new Error('no answer')
  return result
}

/** `$1` is the instance. */
export async function rows(sql: string, ...values: unknown[]): Promise<Record<string, never>[]> {
  return (await built.owner.query(sql, [instance.id, ...values])).rows
}

export async function invoice(number: string): Promise<Record<string, unknown>> {
  const [row] = await rows('select * from invoice where instance_id = $1 and invoice_number = $2', number)
  return row ?? {}
}

export async function count(table: string): Promise<number> {
  return Number((await rows(`select count(*) from ${table} where instance_id = $1`))[0]?.['count'])
}
