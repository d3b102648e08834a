/** `npm run record-refund -- [--provider ALIAS] [--about A [--creditor | --left]]`: what is owed back goes by the bank, or the creditor has sent it. */
import { amountText } from '@kvitt/domain/money.ts'
import { readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { readOwedRows, recordRefund, RefundRefused, type RecordWish } from '../src/refunds/refunds.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run record-refund -- [--provider ALIAS] [--about A [--creditor | --left]]'
const HELP = `${USAGE}

Without options: lists what debtors are owed back. With them, one of these is recorded as sent through the bank, once: the task is
done, and it can go no other way. The statement's own line of the money that left settles it, whichever comes first.

  --about A      what it is about, as the list names it; or bank-line:ID of money that was sent back
  --creditor     the creditor has sent it from its own account
  --left         it has left the bank, where no statement (camt) tells of that
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  about: { type: 'string' },
  creditor: { type: 'boolean' },
  left: { type: 'boolean' },
} as const

type Asked = Omit<RecordWish, 'instanceId' | 'by'>

function readArguments(args: readonly string[]): Asked | undefined {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { about, creditor: isCreditor = false, left: hasLeft = false } = values
  if (about === undefined && !isCreditor && !hasLeft) return undefined
  if (about === undefined) throw new StartupError(`Say what it is about. ${USAGE}`)
  if (isCreditor && hasLeft) throw new StartupError(`--left is of money that the provider sends. ${USAGE}`)
  return { about, holder: isCreditor ? 'CREDITOR' : 'INSTANCE', hasLeft }
}

/** Without a provider all of them are listed; recorded is at the one that was named, or the default one. */
async function work(context: CommandContext, wish: Asked | undefined): Promise<number> {
  const instanceId = wish || context.provider !== undefined ? (await findProvider(context)).id : null
  try {
    if (wish && instanceId) await recordRefund(context, { ...wish, instanceId, by: context.by })
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    throw new StartupError(error.message)
  }
  const rows = await reading(context.db, (tx) => readOwedRows(tx, instanceId))
  const lines = rows.map(({ amount_minor: minor, currency, holder, about, instance_name: of }) =>
    [`${amountText(minor)} ${currency}`.padStart(16), `${holder.toLowerCase()} sends`, of, about].join('  '),
  )
  const done = wish ? [`recorded  ${wish.about}`] : []
  process.stdout.write(`${[...done, ...lines, `${rows.length} owed back`].join('\n')}\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
