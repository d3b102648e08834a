/** `npm run import-payments -- [--json] FILE...`: payments from files of banks into the product's database. */
import { amountText } from '@kvitt/domain/money.ts'
import {
  askAboutOverdueClearing,
  importBankFiles,
  type BankFileResult,
} from '../src/bank-files/bank-files.ts'
import { readOptions } from './command-options.ts'
import { importFile } from '../src/imports/import-files.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { noteImport, runImport, type ImportPlace } from './run-import.ts'

const USAGE = 'Usage: npm run import-payments -- [--provider ALIAS] [--json] FILE...'
const HELP = `${USAGE}

Books payments from files of banks (BgMax, OCR giro, camt.053, camt.054) in the running product, or in the data folder
or DATABASE_URL that is set. The same file again changes nothing.

  --json    one line of JSON for each payment: {file, line, outcome, amount, currency, paymentReference, number, reason}
  --help    this text

Outcomes: booked on the invoice or claim of that number; known from the gateway that it was started through; repeated,
what a file of another format told of; reversed, a
payment that the bank took back; suspense, to be placed by a person (npm run place-payment); unchanged and refused are about
a whole file.

Exit status: 0 when no file was refused, else 2.
`

type Wishes = { readonly isJson: boolean; readonly files: readonly string[] }

/** Throws StartupError with a sentence about the first mistake. */
function readArguments(args: readonly string[]): Wishes {
  const options = { json: { type: 'boolean' } } as const
  const { values, files } = readOptions(args, { options, usage: USAGE, takesFiles: true })
  if (files.length === 0) throw new StartupError(`No file was named. ${USAGE}`)
  return { isJson: values.json ?? false, files }
}

function describeResult({ outcome, file, line, number, reason, ...paid }: BankFileResult): string {
  const first = outcome.padEnd(9)
  if (line === null) return `${first}  ${reason ?? file}`
  const amount = `${amountText(paid.amountMinor ?? 0)} ${paid.currency}`
  const reference = paid.paymentReference === null ? '' : `  reference ${paid.paymentReference}`
  const about = number ?? reason
  return `${first}  ${amount}${reference}${about === null ? '' : `  ${about}`}  (${file}, payment ${line})`
}

/** As JSON the amount is a number with two decimals, written from its digits. */
function jsonOf({
  file,
  line,
  outcome,
  amountMinor,
  currency,
  paymentReference,
  number,
  reason,
}: BankFileResult): string {
  const amount = amountMinor === null ? 'null' : amountText(amountMinor)
  const [before, after] = [
    { file, line, outcome },
    { currency, paymentReference, number, reason },
  ].map((part) => JSON.stringify(part).slice(1, -1))
  return `{${before},"amount":${amount},${after}}`
}

/** Imports the files and prints what became of each line. Answers how many files were refused. */
async function importInto({ context, instance }: ImportPlace, { files, isJson }: Wishes): Promise<number> {
  const counts = {
    booked: 0,
    known: 0,
    repeated: 0,
    reversed: 0,
    settled: 0,
    suspense: 0,
    unchanged: 0,
    refused: 0,
  }
  for await (const result of importBankFiles(context, instance, files.map(importFile))) {
    counts[result.outcome] += 1
    process.stdout.write(`${isJson ? jsonOf(result) : describeResult(result)}\n`)
  }
  const { id: instanceId } = instance
  await context.db.transaction((tx) => askAboutOverdueClearing(tx, instanceId))
  await noteImport(context, { instanceId, kind: 'payments_imported', files: files.length, counts })
  if (!isJson) {
    const told = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
    process.stdout.write(`${told.join(', ')}\n`)
  }
  return counts.refused
}

await runImport({ help: HELP, readArguments, importInto })
