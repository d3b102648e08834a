/** `npm run move-payment -- (--line ID [--invoice N | --claim N] | --payment ID (--invoice N | --claim N)) --reason TEXT`. */
import { amountText } from '@kvitt/domain/money.ts'
import {
  moveGatewayPayment,
  movePayment,
  PlacementRefused,
  type GatewayMove,
  type Move,
} from '../src/bank-files/bank-files.ts'
import { DecisionRefused } from '../src/collection/collection.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run move-payment -- (--line ID [--invoice N | --claim N] | --payment ID (--invoice N | --claim N)) --reason TEXT'
const HELP = `${USAGE}

Takes money off the debt that it was booked on: what it had paid is owed again, and the days on which it looked paid cost
nothing. It pays the other debt. Money of a bank's file may also lie in suspense for npm run place-payment; money that came through
the portal goes to another debt of the same creditor, or back (npm run refund-payment). The same command again changes nothing.

  --line ID      the line of the bank's file (table bank_line, column id)
  --payment ID   the payment through the portal (table payment, column id)
  --invoice N    the invoice that it belongs to, by number, reference or id; the claim that this is in
  --claim N      the claim that it belongs to, by number, reference or id
  --reason TEXT  why; it is kept
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  payment: { type: 'string' },
  line: { type: 'string' },
  invoice: { type: 'string' },
  claim: { type: 'string' },
  reason: { type: 'string' },
} as const

type Asked = Omit<Move, 'instanceId' | 'by'> | Omit<GatewayMove, 'instanceId' | 'by'>

function readArguments(args: readonly string[]): Asked {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { line, payment, invoice, claim, reason = '' } = values
  if (line === undefined && payment === undefined) throw new StartupError(`No payment was named. ${USAGE}`)
  if (line !== undefined && payment !== undefined)
    throw new StartupError(`Name one: a line of a bank's file or a payment. ${USAGE}`)
  if (reason.trim() === '' || reason.length > 500) throw new StartupError(`Say why, in --reason. ${USAGE}`)
  if (invoice !== undefined && claim !== undefined)
    throw new StartupError(`Name one place: an invoice or a claim. ${USAGE}`)
  const to =
    invoice === undefined
      ? claim === undefined
        ? undefined
        : { kind: 'claim' as const, name: claim }
      : { kind: 'invoice' as const, name: invoice }
  if (line !== undefined)
    return { lineId: readId(line, 'line of a bank file', USAGE), to, reason: reason.trim() }
  if (!to) throw new StartupError(`Say where the payment belongs: --invoice or --claim. ${USAGE}`)
  return { paymentId: readId(payment ?? '', 'payment', USAGE), to, reason: reason.trim() }
}

async function move(context: CommandContext, wanted: Move | GatewayMove) {
  if ('paymentId' in wanted) {
    const moved = await moveGatewayPayment(context, wanted)
    return { what: `payment ${wanted.paymentId}`, money: moved, on: moved.on }
  }
  const { line, on } = await movePayment(context, wanted)
  return { what: `line ${line.id}`, money: line, on }
}

async function work(context: CommandContext, asked: Asked): Promise<number> {
  const { id: instanceId } = await findProvider(context)
  try {
    const who = { instanceId, by: context.by }
    const { what, money, on } = await move(context, { ...asked, ...who })
    const amount = `${amountText(money.amount_minor)} ${money.currency}`
    const back =
      on && on.owedBackMinor > 0
        ? `, ${amountText(on.owedBackMinor)} ${money.currency} of it too much and owed back`
        : ''
    const where = on ? `on ${on.kind} ${on.number}${back}` : 'in suspense'
    process.stdout.write(`moved  ${amount}  ${what}  ${where}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PlacementRefused || error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
