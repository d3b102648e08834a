/** `npm run reminder-fee -- [--provider ALIAS] [--creditor N (--agreed-on DAY --source TEXT | --not-agreed) --by NAME]` */
import { readOptions } from './command-options.ts'
import {
  agreeReminderFee,
  AgreementRefused,
  CreditorUnknown,
  readFeeAgreements,
  type FeeAgreement,
  type FeeAgreementRow,
} from '../src/creditors/creditors.ts'
import { openInstances } from '../src/instances/instances.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run reminder-fee -- [--provider ALIAS] [--creditor N (--agreed-on DAY --source TEXT | --not-agreed) --by NAME]'
const HELP = `${USAGE}

A reminder fee is owed only where it was agreed when the debt arose. Without a creditor: lists the creditors and since
when theirs is agreed. With one: enters it. Invoices that were made before that day are reminded of without a fee.

  --creditor N       the creditor by its number, name or id
  --agreed-on DAY    since when it is agreed, such as 2024-01-31
  --source TEXT      where that is written, such as "General terms 2024, section 7"
  --not-agreed       it is not agreed
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  creditor: { type: 'string' },
  'agreed-on': { type: 'string' },
  source: { type: 'string' },
  'not-agreed': { type: 'boolean' },
} as const

function readArguments(args: readonly string[]): FeeAgreement | undefined {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { creditor, 'agreed-on': on, source, 'not-agreed': isNot, by } = values
  if (Object.keys(values).every((name) => name === 'provider')) return undefined
  if (creditor === undefined || by === undefined)
    throw new StartupError(`Name the creditor, and who enters it. ${USAGE}`)
  if (isNot && on === undefined && source === undefined) return { creditor, agreed: null, by }
  if (isNot || on === undefined || source === undefined)
    throw new StartupError(`Say since when it is agreed and where that is written, or --not-agreed. ${USAGE}`)
  return { creditor, agreed: { on, source }, by }
}

function describe(
  { name, identification_number: number, agreed_on: on, source, id }: FeeAgreementRow,
  provider: string,
): string {
  const agreed = on === null ? 'not agreed' : `agreed since ${on}, ${source}`
  return [name, number ?? '', agreed, `creditor ${id}`, `of ${provider}`]
    .filter((part) => part !== '')
    .join('  ')
}

/** Without a provider the creditors of all of them are listed; entered is at the one that was named, or the default one. */
async function list({ db, clock, provider }: CommandContext): Promise<string[]> {
  return reading(db, async (tx) => {
    const all = await openInstances(tx, clock).all()
    const wanted = all.filter(({ row }) => provider === undefined || row.url_alias === provider)
    const lines = []
    for (const { id, row } of wanted)
      lines.push(...(await readFeeAgreements(tx, id)).map((agreement) => describe(agreement, row.name)))
    return lines
  })
}

async function enter(context: CommandContext, agreement: FeeAgreement): Promise<string[]> {
  const { id: instanceId, timeZone, row } = await findProvider(context)
  return [describe(await agreeReminderFee(context, { instanceId, timeZone }, agreement), row.name)]
}

async function work(context: CommandContext, agreement: FeeAgreement | undefined): Promise<number> {
  try {
    const lines = await (agreement ? enter(context, agreement) : list(context))
    process.stdout.write(lines.map((line) => `${line}\n`).join(''))
    return 0
  } catch (error) {
    if (!(error instanceof AgreementRefused || error instanceof CreditorUnknown)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
