/** `npm run reminder-fee -- [--provider ALIAS] [--creditor N (--agreed-on DAY --source TEXT | --not-agreed) --by NAME]` */
import { readOptions } from './command-options.ts'
import {
  agreeReminderFee,
  AgreementRefused,
  readFeeAgreements,
  type FeeAgreement,
  type FeeAgreementRow,
} from './creditors/creditors.ts'
import { openInstances } from './instances/instances.ts'
import { StartupError } from './platform/startup-error.ts'
import { runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run reminder-fee -- [--provider ALIAS] [--creditor N (--agreed-on DAY --source TEXT | --not-agreed) --by NAME]'
const HELP = `${USAGE}

A reminder fee is owed only where it was agreed when the debt arose. Without a creditor: lists a provider's creditors and since
when theirs is agreed. With one: enters it. Invoices that were made before that day are reminded of without a fee.

  --provider ALIAS   the provider, by the first part of its address; without it, the default one
  --creditor N       the creditor by its number, name or id
  --agreed-on DAY    since when it is agreed, such as 2024-01-31
  --source TEXT      where that is written, such as "General terms 2024, section 7"
  --not-agreed       it is not agreed
  --by NAME          who enters it
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  provider: { type: 'string' },
  creditor: { type: 'string' },
  'agreed-on': { type: 'string' },
  source: { type: 'string' },
  'not-agreed': { type: 'boolean' },
  by: { type: 'string' },
} as const

type Wishes = { readonly provider: string | undefined; readonly agreement: FeeAgreement | undefined }

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { provider, creditor, 'agreed-on': on, source, 'not-agreed': isNot, by } = values
  if (Object.keys(values).every((name) => name === 'provider')) return { provider, agreement: undefined }
  if (creditor === undefined || by === undefined)
    throw new StartupError(`Name the creditor, and who enters it. ${USAGE}`)
  if (isNot && on === undefined && source === undefined)
    return { provider, agreement: { creditor, agreed: null, by } }
  if (isNot || on === undefined || source === undefined)
    throw new StartupError(`Say since when it is agreed and where that is written, or --not-agreed. ${USAGE}`)
  return { provider, agreement: { creditor, agreed: { on, source }, by } }
}

function describe({
  name,
  identification_number: number,
  agreed_on: on,
  source,
  id,
}: FeeAgreementRow): string {
  const agreed = on === null ? 'not agreed' : `agreed since ${on}, ${source}`
  return [name, number ?? '', agreed, `creditor ${id}`].filter((part) => part !== '').join('  ')
}

async function work(context: CommandContext, { provider, agreement }: Wishes): Promise<number> {
  const all = await openInstances(context.db, context.clock).all()
  const found = all.find(({ isDefault, row }) =>
    provider === undefined ? isDefault : row.url_alias === provider.toLowerCase(),
  )
  if (!found)
    throw new StartupError(
      `There is no such provider. There are ${all.map(({ row }) => row.url_alias).join(', ')}.`,
    )
  try {
    const rows = agreement
      ? [await agreeReminderFee(context, { instanceId: found.id, timeZone: found.timeZone }, agreement)]
      : await readFeeAgreements(context.db, found.id)
    process.stdout.write(`${rows.map(describe).join('\n')}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof AgreementRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
