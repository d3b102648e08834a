/** `npm run reverse-payment -- --payment ID --reason TEXT`. */
import { amountText } from '@kvitt/domain/money.ts'
import { reverseByHand } from '../src/bank-files/bank-files.ts'
import { DecisionRefused } from '../src/collection/collection.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run reverse-payment -- --payment ID --reason TEXT'
const HELP = `${USAGE}

Takes a payment back whose gateway had said that it is paid, and whose money did not come: what it had paid is owed again, the days
on which it looked paid cost nothing, and the debtor is told. Money of a bank's file is taken back by the bank's own deduction, or
moved (npm run move-payment). The same command again changes nothing.

  --payment ID   the payment through the portal (table payment, column id)
  --reason TEXT  why, for the audit log
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = { payment: { type: 'string' }, reason: { type: 'string' } } as const

type Asked = { readonly paymentId: string; readonly reason: string }

function readArguments(args: readonly string[]): Asked {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { payment, reason = '' } = values
  if (payment === undefined) throw new StartupError(`No payment was named. ${USAGE}`)
  if (reason.trim() === '' || reason.length > 500) throw new StartupError(`Say why, in --reason. ${USAGE}`)
  return { paymentId: readId(payment, 'payment', USAGE), reason: reason.trim() }
}

async function work(context: CommandContext, asked: Asked): Promise<number> {
  const { id: instanceId } = await findProvider(context)
  try {
    const {
      isNew,
      amount_minor: minor,
      currency,
    } = await reverseByHand(context, {
      ...asked,
      instanceId,
      by: context.by,
    })
    const done = isNew ? 'reversed' : 'reversed before'
    process.stdout.write(`${done}  ${amountText(minor)} ${currency}  payment ${asked.paymentId}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
