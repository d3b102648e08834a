/** `npm run read-journal [-- --days N]`: what a restored database has lost of payments is asked for and made again. */
import { amountText } from '@kvitt/domain/money.ts'
import { readOptions } from './command-options.ts'
import { openCredentials } from '../src/credentials/credentials.ts'
import { openGateways, openJournal, type Outcome } from '../src/payments/payments.ts'
import { readOrMakeSecret } from '../src/platform/database/secrets.queries.ts'
import { KEPT_DAYS } from '../src/platform/store/line-journal.ts'
import { StoreUnavailable } from '../src/platform/store/store.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { readJournal, type Hearing, type Summary } from '../src/refunds/refunds.ts'
import { runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run read-journal [-- --days N]'
const HELP = `${USAGE}

After the database was put back to an earlier moment (a restore, a failover that lost something): reads the journal of payments,
asks each gateway about what the database does not have, and makes it again. Of all providers. Run again, it changes nothing.

  --days N   how far back, 1 to ${KEPT_DAYS}; without it, ${KEPT_DAYS}
  --help     this text

What no task can tell of stands below, a line each.

Exit status: 0, or 2 when a gateway did not answer or a line failed: then run it again later.
`

const OPTIONS = { days: { type: 'string' } } as const

function readArguments(args: readonly string[]): { readonly days: number } {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { days = String(KEPT_DAYS) } = values
  if (!/^\d{1,2}$/.test(days) || Number(days) < 1 || Number(days) > KEPT_DAYS)
    throw new StartupError(`--days is "${days}"; it must be a whole number from 1 to ${KEPT_DAYS}. ${USAGE}`)
  return { days: Number(days) }
}

const SAID: Readonly<Record<Outcome, string>> = {
  known: 'in the database already',
  named: 'in the database, and named by its gateway again',
  remade: 'made again',
  never_made: 'never made at the gateway',
  asked: 'for a person: see the tasks payment_lost',
  unreachable: 'not known: the gateway did not answer. Run this again',
  no_provider: 'of a provider that this database does not have',
  failed: 'failed: the log says why. Run this again',
}

/** By itself: what is in no task. */
const hearOf =
  (left: string[]): Hearing =>
  (line, outcome) => {
    if (outcome !== 'no_provider' && outcome !== 'failed') return
    const { kind, id, instance, amountMinor: minor, currency } = line
    const of = kind === 'payment' ? `reference ${line.reference}` : `of payment ${line.payment}`
    const amount = `${amountText(minor)} ${currency}`
    left.push(`${kind} ${id} ${of}, ${amount}, provider ${instance}: ${SAID[outcome]}`)
  }

function describe({ payments, refunds, unreadable }: Summary): string {
  const linesOf = (of: Readonly<Record<Outcome, number>>, name: string): string[] =>
    (Object.keys(SAID) as Outcome[])
      .filter((outcome) => of[outcome] > 0)
      .map((outcome) => `${String(of[outcome]).padStart(7)} ${name} ${SAID[outcome]}`)
  const lines = [...linesOf(payments, 'payments'), ...linesOf(refunds, 'refunds')]
  if (unreadable > 0) lines.push(`${String(unreadable).padStart(7)} lines that cannot be read`)
  return lines.length > 0 ? lines.join('\n') : 'The journal of these days is empty.'
}

async function work(context: CommandContext, { days }: { readonly days: number }): Promise<number> {
  const { db, config, clock, log } = context
  const credentials = await openCredentials(db, config.settingsKeyFile, log)
  const parts = {
    ...context,
    version: 'read-journal',
    gateways: openGateways(config, clock, credentials),
    identityProvider: undefined,
    journal: openJournal(config, context),
    starterKey: await readOrMakeSecret(db, 'order-starters'),
    fileKey: await readOrMakeSecret(db, 'file-links'),
    guessKey: await readOrMakeSecret(db, 'guesses'),
  }
  try {
    const left: string[] = []
    const summary = await readJournal(parts, { by: context.by, days, hear: hearOf(left) })
    process.stdout.write(`${[describe(summary), ...left].join('\n')}\n`)
    const { payments, refunds } = summary
    const again = payments.unreachable + refunds.unreachable + payments.failed + refunds.failed
    return again > 0 ? 2 : 0
  } catch (error) {
    if (error instanceof StoreUnavailable) throw new StartupError(error.message)
    throw error
  }
}

await runCommand({ help: HELP, readArguments, work })
