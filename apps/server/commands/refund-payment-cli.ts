/** `npm run refund-payment -- --payment ID [--amount A | --whole] [--again]`: sends money back to whoever paid. */
import { setTimeout as pause } from 'node:timers/promises'
import { amountText } from '@kvitt/domain/money.ts'
import { readId, readOptions } from './command-options.ts'
import { DecisionRefused } from '../src/collection/collection.ts'
import { openCredentials } from '../src/credentials/credentials.ts'
import { openGateways, openJournal } from '../src/payments/payments.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import {
  followRefund,
  isDoubted,
  orderRefund,
  RefundRefused,
  type RefundRow,
  type RefundWish,
} from '../src/refunds/refunds.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run refund-payment -- --payment ID [--amount A | --whole] [--again]'
const HELP = `${USAGE}

Sends money of a Swish payment back to the phone that it came from, and books it when Swish has sent it. Asked once more
it sends nothing twice: it tells what became of the same refund.

  --payment ID   the payment, such as 0198e1c0-5a1b-7c3d-8e4f-0123456789ab (table payment, column id)
  --amount A     how much, such as 100.00; without it, all that is owed back of what the payment paid
  --whole        takes the whole payment back first: what it paid is owed again
  --again        the same amount once more, although it has been sent back before
  --help         this text

Exit status: 0 when the money has gone back or is on its way, else 2.
`

const OPTIONS = {
  payment: { type: 'string' },
  amount: { type: 'string' },
  whole: { type: 'boolean' },
  again: { type: 'boolean' },
} as const
const WAIT_MS = 20_000
const ASK_EVERY_MS = 1_000

type Asked = Omit<RefundWish, 'instanceId' | 'by'>

function readArguments(args: readonly string[]): Asked {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { payment, amount, whole: isWhole = false, again: isAgain = false } = values
  if (payment === undefined) throw new StartupError(`No payment was named. ${USAGE}`)
  const paymentId = readId(payment, 'payment', USAGE)
  if (isWhole && amount !== undefined)
    throw new StartupError(`--whole is all of the payment: leave --amount out. ${USAGE}`)
  return { paymentId, amount, isWhole, isAgain }
}

function describe(refund: RefundRow, isInDoubt: boolean): string {
  const { id, amount_minor: minor, currency, status, failure } = refund
  const amount = `${amountText(minor)} ${currency}`
  if (status === 'PAID') return `sent back  ${amount}  refund ${id}`
  if (status === 'FAILED') return `failed     ${amount}  refund ${id}: ${failure}. It is still owed back.`
  if (isInDoubt)
    return `in doubt   ${amount}  refund ${id}: Swish tells of another sum. Nothing is booked; see the task refund_contradiction.`
  const where = status === 'SENT' ? 'Swish has it' : 'Swish has not answered'
  return `under way  ${amount}  refund ${id}: ${where}. The product goes on asking; this command tells again.`
}

async function work(context: CommandContext, asked: Asked): Promise<number> {
  const { id: instanceId } = await findProvider(context)
  const { db, config, clock, log } = context
  const credentials = await openCredentials(db, config.settingsKeyFile, log)
  const parts = {
    ...context,
    gateways: openGateways(config, clock, credentials),
    journal: openJournal(config, context),
  }
  let refund
  try {
    refund = await orderRefund(parts, { ...asked, instanceId, by: context.by })
  } catch (error) {
    if (!(error instanceof RefundRefused || error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
  const until = context.clock.now() + WAIT_MS
  const isOpen = ({ status }: RefundRow): boolean => status === 'CREATED' || status === 'SENT'
  if (isOpen(refund)) refund = await followRefund(parts, refund)
  while (isOpen(refund) && context.clock.now() < until && !(await isDoubted(context.db, refund))) {
    await pause(ASK_EVERY_MS)
    refund = await followRefund(parts, refund)
  }
  const isInDoubt = isOpen(refund) && (await isDoubted(context.db, refund))
  process.stdout.write(`${describe(refund, isInDoubt)}\n`)
  return refund.status === 'FAILED' || isInDoubt ? 2 : 0
}

await runCommand({ help: HELP, readArguments, work })
