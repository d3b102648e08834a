/** `npm run agreement -- [--provider ALIAS] [--creditor N --from DAY --source TEXT --period week|month ...]` */
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { readOptions } from './command-options.ts'
import { CreditorUnknown } from '../src/creditors/creditors.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import {
  AgreementNotEntered,
  enterAgreement,
  readAllAgreements,
  type ListedAgreement,
  type WantedAgreement,
} from '../src/settlements/settlements.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run agreement -- [--provider ALIAS] [--creditor N --from DAY --source TEXT --period week|month --currency C --vat PERCENT [--invoice-commission PERCENT] [--claim-commission PERCENT] [--payment-price AMOUNT] [--case-price AMOUNT] [--smallest-payout AMOUNT]]'
const HELP = `${USAGE}

What the operator takes for its work for a creditor, and how often it settles. Without a creditor: lists what is agreed with each.
With one: enters what is agreed from a day on. What has been settled by then stays. Where nothing is agreed nothing is taken, and
each month is settled.

  --creditor N             the creditor by its number, name or id
  --from DAY               today or a later day, such as 2027-01-31
  --source TEXT            where that is written, such as "Agreement of 2026-11-01, section 6"
  --period P               week or month: how often it is settled
  --currency C             of the prices and the smallest payout, such as SEK
  --vat PERCENT            on all that is taken, such as 25
  --invoice-commission P   per cent of what comes for invoices, such as 2.5; without it, 0
  --claim-commission P     per cent of what comes for claims; without it, 0
  --payment-price AMOUNT   for each payment, such as 1.50; without it, 0
  --case-price AMOUNT      for each claim that is opened; without it, 0
  --smallest-payout AMOUNT what is less waits for the next settlement; without it, 0
  --help                   this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  creditor: { type: 'string' },
  from: { type: 'string' },
  source: { type: 'string' },
  period: { type: 'string' },
  currency: { type: 'string' },
  vat: { type: 'string' },
  'invoice-commission': { type: 'string' },
  'claim-commission': { type: 'string' },
  'payment-price': { type: 'string' },
  'case-price': { type: 'string' },
  'smallest-payout': { type: 'string' },
} as const

type Wishes = Omit<WantedAgreement, 'by'> | undefined

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { creditor, from, source, period, currency, vat } = values
  if (Object.keys(values).every((name) => name === 'provider' || name === 'by')) return undefined
  if (!creditor || !from || !source || !period || !currency || !vat)
    throw new StartupError(
      `Name all of --creditor, --from, --source, --period, --currency and --vat. ${USAGE}`,
    )
  if (!/^(week|month)$/i.test(period)) throw new StartupError(`--period takes week or month, not ${period}.`)
  // A per cent has two decimals, as an amount has.
  const hundredths = (name: keyof typeof OPTIONS): number => {
    const text = values[name] ?? '0'
    const parsed = parseAmount(text, 'SEK')
    if (!parsed) throw new StartupError(`--${name} takes a number such as 2.50, not ${text}.`)
    return parsed.minor
  }
  return {
    creditor,
    from,
    source,
    period: period.toLowerCase() === 'week' ? 'WEEK' : 'MONTH',
    currency: currency.toUpperCase(),
    vatBp: hundredths('vat'),
    invoiceCommissionBp: hundredths('invoice-commission'),
    claimCommissionBp: hundredths('claim-commission'),
    paymentPriceMinor: hundredths('payment-price'),
    casePriceMinor: hundredths('case-price'),
    smallestPayoutMinor: hundredths('smallest-payout'),
  }
}

function describe(row: ListedAgreement): string {
  const who = [row.name, row.number ?? ''].filter((part) => part !== '').join('  ')
  if (row.from === null) return `${who}  nothing agreed: nothing is taken, each month is settled`
  const part = amountText
  const commission = `${part(row.invoiceCommissionBp)} % of invoices, ${part(row.claimCommissionBp)} % of claims`
  const prices = `payment ${part(row.paymentPriceMinor)}, case ${part(row.casePriceMinor)} ${row.currency}`
  const payout = `each ${row.period.toLowerCase()}, at least ${part(row.smallestPayoutMinor)} ${row.currency}`
  return `${who}  ${commission}; ${prices}; VAT ${part(row.vatBp)} %; ${payout}; from ${row.from}, ${row.source}`
}

async function work(context: CommandContext, wanted: Wishes): Promise<number> {
  const provider = await findProvider(context)
  try {
    if (wanted) await enterAgreement(context, provider, { ...wanted, by: context.by })
    const rows = await reading(context.db, (tx) => readAllAgreements(tx, provider.id))
    process.stdout.write(rows.map((row) => `${describe(row)}\n`).join(''))
    return 0
  } catch (error) {
    if (!(error instanceof AgreementNotEntered || error instanceof CreditorUnknown)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
