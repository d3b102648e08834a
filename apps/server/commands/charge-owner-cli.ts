/** `npm run charge-owner -- [--provider ALIAS] [--creditor N --from DAY --fees OWNER --interest OWNER --source TEXT]` */
import type { ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import { readOptions } from './command-options.ts'
import {
  CreditorUnknown,
  enterChargeOwner,
  OwnerRefused,
  readChargeOwners,
  type ChargeOwnerRow,
  type WantedOwner,
} from '../src/creditors/creditors.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run charge-owner -- [--provider ALIAS] [--creditor N --from DAY --fees OWNER --interest OWNER --source TEXT]'
const HELP = `${USAGE}

Who owns what debtors are charged beside their invoices. Where nothing is agreed the operator owns the fees, and the creditor the
interest. Without a creditor: lists what is agreed with each. With one: enters what is agreed from a day on. What has been charged
by then keeps its owner.

  --creditor N       the creditor by its number, name or id
  --from DAY         today or a later day, such as 2027-01-31
  --fees OWNER       creditor or operator: reminder, collection, plan and court fees
  --interest OWNER   creditor or operator
  --source TEXT      where that is written, such as "Agreement of 2026-11-01, section 4"
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  creditor: { type: 'string' },
  from: { type: 'string' },
  fees: { type: 'string' },
  interest: { type: 'string' },
  source: { type: 'string' },
} as const

const OWNER_OF: Readonly<Record<string, ChargeOwner>> = { creditor: 'CREDITOR', operator: 'OPERATOR' }

type Wishes = Omit<WantedOwner, 'by'> | undefined

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { creditor, from, fees, interest, source } = values
  if (Object.keys(values).every((name) => name === 'provider' || name === 'by')) return undefined
  if (!creditor || !from || !fees || !interest || !source)
    throw new StartupError(`Name all of --creditor, --from, --fees, --interest and --source. ${USAGE}`)
  const ownerOf = (name: string, word: string): ChargeOwner => {
    const owner = Object.hasOwn(OWNER_OF, word.toLowerCase()) ? OWNER_OF[word.toLowerCase()] : undefined
    if (owner) return owner
    throw new StartupError(`--${name} takes creditor or operator, not ${word}.`)
  }
  return { creditor, from, fees: ownerOf('fees', fees), interest: ownerOf('interest', interest), source }
}

const WORD = { CREDITOR: 'creditor', OPERATOR: 'operator' } as const

function describe({
  name,
  identification_number: number,
  from_day: from,
  fees,
  interest,
  source,
}: ChargeOwnerRow): string {
  const agreed = from === null ? 'nothing agreed' : `from ${from}, ${source}`
  return [name, number ?? '', `fees ${WORD[fees]}`, `interest ${WORD[interest]}`, agreed]
    .filter((part) => part !== '')
    .join('  ')
}

async function work(context: CommandContext, wanted: Wishes): Promise<number> {
  const provider = await findProvider(context)
  try {
    const rows = wanted
      ? await enterChargeOwner(context, provider, { ...wanted, by: context.by })
      : await reading(context.db, (tx) => readChargeOwners(tx, provider.id))
    process.stdout.write(rows.map((row) => `${describe(row)}\n`).join(''))
    return 0
  } catch (error) {
    if (!(error instanceof OwnerRefused || error instanceof CreditorUnknown)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
