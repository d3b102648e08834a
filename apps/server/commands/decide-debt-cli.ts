/** `npm run decide-debt -- (--invoice N | --claim N) DECISION --reason TEXT`: see HELP. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { WAIVABLE } from '@kvitt/domain/ledger/let-off.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { decideDebt, DecisionRefused, type DebtDecision } from '../src/collection/collection.ts'
import { readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run decide-debt -- (--invoice N | --claim N) (--pause [--until DAY] | --resume | --stop | --waive costs|interest [--amount A] | --write-off [--amount A] | --deny-tax-reduction A --decision REF) --reason TEXT'
const HELP = `${USAGE}

Decides about one invoice or claim, once: the same command again tells the same and changes nothing.

  --invoice N    the invoice, by number, reference or id
  --claim N      the claim, by number, reference or id
  --pause        a respite: nothing is sent and no fee is charged; interest runs on, and what was planned is held
  --until DAY    it goes on by itself on that day, such as 2026-12-31; without it when somebody resumes it
  --resume       it goes on: what was held comes later by the length of the pause, in three bank days at the earliest
  --stop         the case ends without payment: withdrawn, too old, insolvent. What is left stays in the books
  --waive WHAT   costs or interest: all that is open, the interest also up to today; the debtor is told
  --write-off    all that is left is given up, and the case ends; the debtor owes it no more and is told
  --amount A     waives or writes off so much: fees first, then interest, and what was bought last
  --deny-tax-reduction A
                 the tax authority has denied so much of the reduction: the debtor owes it too, with thirty days to pay
  --decision REF what the authority calls its decision; the same one counts once
  --reason TEXT  why, for the audit log
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  invoice: { type: 'string' },
  claim: { type: 'string' },
  pause: { type: 'boolean' },
  until: { type: 'string' },
  resume: { type: 'boolean' },
  stop: { type: 'boolean' },
  waive: { type: 'string' },
  'write-off': { type: 'boolean' },
  amount: { type: 'string' },
  'deny-tax-reduction': { type: 'string' },
  decision: { type: 'string' },
  reason: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

type Asked = {
  readonly debt: { readonly kind: 'invoice' | 'claim'; readonly name: string }
  readonly decision: DebtDecision
  readonly reason: string
}

function readArguments(args: readonly string[]): Asked {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { invoice, claim, reason } = values
  const decisions = decisionsIn(values)
  const [decision, ...others] = decisions
  if ((invoice === undefined) === (claim === undefined))
    throw new StartupError(`Name one invoice or one claim. ${USAGE}`)
  if (!decision || others.length > 0) throw new StartupError(`Name one decision. ${USAGE}`)
  if (reason === undefined) throw new StartupError(`Say why. ${USAGE}`)
  const debt =
    invoice === undefined
      ? { kind: 'claim' as const, name: (claim ?? '').trim() }
      : { kind: 'invoice' as const, name: invoice.trim() }
  return { debt, decision, reason }
}

function decisionsIn({ pause, until, resume, stop, decision, ...values }: Values): DebtDecision[] {
  const denied = values['deny-tax-reduction']
  if (until !== undefined && !pause) throw new StartupError(`--until belongs to --pause. ${USAGE}`)
  if ((denied === undefined) !== (decision === undefined))
    throw new StartupError(`--deny-tax-reduction and --decision belong together. ${USAGE}`)
  const day = until === undefined ? null : parseDate(until)
  if (day === undefined) throw new StartupError(`"${until}" is no day, which looks like 2026-12-31. ${USAGE}`)
  return [
    ...(pause ? [{ act: 'pause', until: day } as const] : []),
    ...(resume ? [{ act: 'resume' } as const] : []),
    ...(stop ? [{ act: 'stop' } as const] : []),
    ...letOffIn(values),
    ...(denied === undefined || decision === undefined
      ? []
      : [{ act: 'deny-tax-reduction', amount: denied, decision: decision.trim() } as const]),
  ]
}

function letOffIn({ waive, ...values }: Pick<Values, 'waive' | 'write-off' | 'amount'>): DebtDecision[] {
  const amount = values.amount ?? null
  const isWrittenOff = values['write-off'] === true
  if (amount !== null && waive === undefined && !isWrittenOff)
    throw new StartupError(`--amount belongs to --waive or --write-off. ${USAGE}`)
  const bucket = WAIVABLE.find((one) => one === waive)
  if (waive !== undefined && bucket === undefined)
    throw new StartupError(`"${waive}" is nothing that can be waived: costs or interest. ${USAGE}`)
  return [
    ...(bucket === undefined ? [] : [{ act: 'waive', bucket, amount } as const]),
    ...(isWrittenOff ? [{ act: 'write-off', amount } as const] : []),
  ]
}

const DONE: Readonly<Record<DebtDecision['act'], string>> = {
  pause: 'paused',
  resume: 'resumed',
  stop: 'stopped',
  waive: 'waived',
  'write-off': 'written off',
  'deny-tax-reduction': 'tax reduction denied',
}

async function work(context: CommandContext, asked: Asked): Promise<number> {
  try {
    const { id: instanceId } = await findProvider(context)
    const { number, isNew, off } = await decideDebt(context, { ...asked, instanceId, by: context.by })
    const done = DONE[asked.decision.act]
    const sum = off ? `  ${amountText(off.minor)} ${off.currency}` : ''
    process.stdout.write(`${isNew ? done : `${done} before`}  ${number}${sum}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
