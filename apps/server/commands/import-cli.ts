/** `npm run import -- [--json] [--creditor ID] FILE...`: invoices from files into the product's database. */
import { groupInFours } from '@kvitt/domain/references.ts'
import { readId, readOptions } from './command-options.ts'
import { importFile } from '../src/imports/import-files.ts'
import { importInvoices, type ImportResult } from '../src/imports/imports.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { noteImport, runImport, type ImportPlace } from './run-import.ts'

const USAGE = 'Usage: npm run import -- [--provider ALIAS] [--json] [--creditor ID] FILE...'
const HELP = `${USAGE}

Imports invoices and credit notes (UBL XML) into the running product, or into the data folder or DATABASE_URL that
is set. The same file again changes nothing.

  --json          one line of JSON for each invoice: {file, outcome, invoiceNumber, paymentReference, zip, reason}
  --creditor ID   takes only invoices of this creditor
  --help          this text

Exit status: 0 when nothing was refused, else 2.
`

type Wishes = {
  readonly isJson: boolean
  readonly creditorId: string | undefined
  readonly files: readonly string[]
}

const OPTIONS = { json: { type: 'boolean' }, creditor: { type: 'string' } } as const

/** Throws StartupError with a sentence about the first mistake. */
function readArguments(args: readonly string[]): Wishes {
  const { values, files } = readOptions(args, { options: OPTIONS, usage: USAGE, takesFiles: true })
  const { json: isJson = false, creditor } = values
  const creditorId = creditor === undefined ? undefined : readId(creditor, 'creditor', USAGE)
  if (files.length === 0) throw new StartupError(`No file was named. ${USAGE}`)
  return { isJson, creditorId, files }
}

function describeResult(result: ImportResult): string {
  const outcome = result.outcome.padEnd(9)
  if (result.outcome === 'refused') return `${outcome}  ${result.reason}`
  const reference = groupInFours(result.paymentReference ?? '')
  return `${outcome}  ${result.invoiceNumber}  reference ${reference}  zip ${result.zip}  (${result.file})`
}

function printResult(result: ImportResult, isJson: boolean): void {
  const { warnings, ...line } = result
  process.stdout.write(`${isJson ? JSON.stringify(line) : describeResult(result)}\n`)
  for (const warning of warnings) process.stderr.write(`note       ${result.file}: ${warning}\n`)
}

/** Imports the files and prints what became of each. Answers how many were refused. */
async function importInto({ context, instance }: ImportPlace, wishes: Wishes): Promise<number> {
  const counts = { created: 0, unchanged: 0, refused: 0 }
  const options = { as: 'distributed', creditorId: wishes.creditorId } as const
  for await (const result of importInvoices(context, instance, wishes.files.map(importFile), options)) {
    counts[result.outcome] += 1
    printResult(result, wishes.isJson)
  }
  const { id: instanceId } = instance
  await noteImport(context, { instanceId, kind: 'invoices_imported', files: wishes.files.length, counts })
  if (!wishes.isJson) {
    const { created, unchanged, refused } = counts
    process.stdout.write(`${created} created, ${unchanged} unchanged, ${refused} refused\n`)
  }
  return counts.refused
}

await runImport({ help: HELP, readArguments, importInto })
