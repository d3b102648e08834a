/** `npm run record-refund -- [--about A [--creditor | --left]]`: what is owed back goes by the bank, or the creditor has sent it. */
import { amountText } from '@kvitt/domain/money.ts'
import { readOptions } from './command-options.ts'
import { StartupError } from './platform/startup-error.ts'
import { readOwedRows, recordRefund, RefundRefused, type RecordWish } from './refunds/refunds.ts'
import { runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run record-refund -- [--about A [--creditor | --left]]'
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

function readArguments(args: readonly string[]): RecordWish | undefined {
  if (args.length === 0) return undefined
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { about, creditor: isCreditor = false, left: hasLeft = false } = values
  if (about === undefined) throw new StartupError(`Say what it is about. ${USAGE}`)
  if (isCreditor && hasLeft) throw new StartupError(`--left is of money that the provider sends. ${USAGE}`)
  return { about, holder: isCreditor ? 'CREDITOR' : 'INSTANCE', hasLeft }
}

async function work(context: CommandContext, wish: RecordWish | undefined): Promise<number> {
  try {
    if (wish) await recordRefund(context, wish)
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error
    throw new StartupError(error.message)
  }
  const rows = await readOwedRows(context.db)
  const lines = rows.map(({ amount_minor: minor, currency, holder, about, instance_name: of }) =>
    [`${amountText(minor)} ${currency}`.padStart(16), `${holder.toLowerCase()} sends`, of, about].join('  '),
  )
  const done = wish ? [`recorded  ${wish.about}`] : []
  process.stdout.write(`${[...done, ...lines, `${rows.length} owed back`].join('\n')}\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
