/** `npm run move-payment -- --line ID [--invoice N | --claim N] --reason TEXT`: money that was booked on the wrong debt. */
import { amountText } from '@kvitt/domain/money.ts'
import { movePayment, PlacementRefused, type Move } from './bank-files/bank-files.ts'
import { DecisionRefused } from './collection/collection.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from './platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run move-payment -- --line ID [--invoice N | --claim N] --reason TEXT'
const HELP = `${USAGE}

Takes money of a bank's file off the debt that it was booked on: what it had paid is owed again, and the days on which it looked
paid cost nothing. It pays the other debt, or lies in suspense for npm run place-payment. The same command again changes nothing.

  --line ID      the line of the bank's file (table bank_line, column id)
  --invoice N    the invoice that it belongs to, by number, reference or id; the claim that this is in
  --claim N      the claim that it belongs to, by number, reference or id
  --reason TEXT  why; it is kept
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  line: { type: 'string' },
  invoice: { type: 'string' },
  claim: { type: 'string' },
  reason: { type: 'string' },
} as const

type Asked = Omit<Move, 'instanceId' | 'by'>

function readArguments(args: readonly string[]): Asked {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { line, invoice, claim, reason = '' } = values
  if (line === undefined) throw new StartupError(`No payment was named. ${USAGE}`)
  if (reason.trim() === '' || reason.length > 500) throw new StartupError(`Say why, in --reason. ${USAGE}`)
  if (invoice !== undefined && claim !== undefined)
    throw new StartupError(`Name one place: an invoice or a claim. ${USAGE}`)
  const to =
    invoice === undefined
      ? claim === undefined
        ? undefined
        : { kind: 'claim' as const, name: claim }
      : { kind: 'invoice' as const, name: invoice }
  return { lineId: readId(line, 'line of a bank file', USAGE), to, reason: reason.trim() }
}

async function work(context: CommandContext, asked: Asked): Promise<number> {
  const { id: instanceId } = await findProvider(context)
  try {
    const { line, on } = await movePayment(context, { ...asked, instanceId, by: context.by })
    const amount = `${amountText(line.amount_minor)} ${line.currency}`
    const where = on ? `on ${on.kind} ${on.number}` : 'in suspense'
    process.stdout.write(`moved  ${amount}  line ${line.id}  ${where}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PlacementRefused || error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
