/** `npm run place-payment -- [--provider ALIAS] [--line ID (--invoice N | --claim N | --same-as ID | --send-back)]`: money in suspense finds its place. */
import { amountText } from '@kvitt/domain/money.ts'
import {
  PlacementRefused,
  placeSuspense,
  readSuspenseRows,
  type Placement,
  type Settled,
  type SuspenseRow,
} from '../src/bank-files/bank-files.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run place-payment -- [--provider ALIAS] [--line ID (--invoice N | --claim N | --same-as ID | --send-back)]'
const HELP = `${USAGE}

Without options: lists the money that came to the bank and found no debt, oldest first. With them one payment is placed,
once: the same command again tells the same and changes nothing.

  --line ID      the payment, as the list names it
  --invoice N    books it on the invoice with this number, reference or id; on the claim that the invoice is in
  --claim N      books it on the claim with this number, reference or id
  --same-as ID   it is the money that another line of a bank's file told of: it stands in the books for both
  --send-back    takes it out of suspense, and asks a person to return it through the bank
  --reason TEXT  why, for the audit log
  --help         this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  line: { type: 'string' },
  invoice: { type: 'string' },
  claim: { type: 'string' },
  'same-as': { type: 'string' },
  'send-back': { type: 'boolean' },
  reason: { type: 'string' },
} as const

type Asked = Pick<Placement, 'lineId' | 'to' | 'reason'>

function readArguments(args: readonly string[]): Asked | undefined {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { line, invoice, claim, reason, 'same-as': same, 'send-back': isBack } = values
  if ([line, invoice, claim, reason, same, isBack].every((value) => value === undefined)) return undefined
  if (line === undefined) throw new StartupError(`No payment was named. ${USAGE}`)
  const lineId = readId(line, 'payment in suspense', USAGE)
  const places: Placement['to'][] = [
    ...(invoice === undefined ? [] : [{ kind: 'invoice' as const, name: invoice }]),
    ...(claim === undefined ? [] : [{ kind: 'claim' as const, name: claim }]),
    ...(same === undefined ? [] : [{ sameAs: readId(same, 'line', USAGE) }]),
    ...(isBack ? ['back' as const] : []),
  ]
  const [to, ...others] = places
  if (!to || others.length > 0)
    throw new StartupError(`Name one place: an invoice, a claim, another line, or back. ${USAGE}`)
  return { lineId, to, reason }
}

function describeWaiting(row: SuspenseRow): string {
  const sign = row.kind === 'PAYMENT' ? '' : '-'
  // What a payer wrote is shown in a terminal.
  const said = [row.payer, row.message]
    .map((text) => (text ?? '').replaceAll(/\p{C}+/gu, ' ').trim())
    .filter((text) => text !== '')
    .join(', ')
  const references = row.payment_references.join(' ')
  return [
    `${sign}${amountText(row.amount_minor)} ${row.currency}`.padStart(16),
    row.bank_date,
    `line ${row.id}`,
    `to ${row.account_key} of ${row.instance_name}`,
    row.reason ?? '',
    ...(references === '' ? [] : [`reference ${references}`]),
    ...(said === '' ? [] : [said]),
  ].join('  ')
}

function describeSettled({ line, on, sameAs }: Settled): string {
  const amount = `${amountText(line.amount_minor)} ${line.currency}`
  if (sameAs !== undefined) return `repeated   ${amount}  line ${line.id}: the same money as line ${sameAs}.`
  if (!on) return `goes back  ${amount}  line ${line.id}: return it through the bank to whoever paid.`
  const rest =
    on.owedBackMinor > 0
      ? `, ${amountText(on.owedBackMinor)} ${line.currency} of it too much and owed back`
      : ''
  return `placed     ${amount}  on ${on.kind} ${on.number}${rest}`
}

/** Without a provider all of them are listed; placed is at the one that was named, or the default one. */
async function work(context: CommandContext, asked: Asked | undefined): Promise<number> {
  if (!asked) {
    const instanceId = context.provider === undefined ? null : (await findProvider(context)).id
    const rows = await reading(context.db, (tx) => readSuspenseRows(tx, instanceId))
    const lines = rows.map(describeWaiting)
    process.stdout.write(`${[...lines, `${rows.length} in suspense`].join('\n')}\n`)
    return 0
  }
  const { id: instanceId } = await findProvider(context)
  try {
    const settled = await placeSuspense(context, { ...asked, instanceId, by: context.by })
    process.stdout.write(`${describeSettled(settled)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PlacementRefused)) throw error
    throw new StartupError(`${error.message} (${error.code})`)
  }
}

await runCommand({ help: HELP, readArguments, work })
