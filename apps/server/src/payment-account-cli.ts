/** `npm run payment-account -- [--provider ALIAS] [--of N] [--iban N | --bankgiro N ...]`: what a provider is paid to, and
 * the numbers by which each account is reached. */
import {
  AccountRefused,
  addAddress,
  chooseOwnAccount,
  readAddressesOf,
  readOwnAccounts,
  type OwnAccountRow,
  type WantedAccount,
  type WantedAddress,
} from './creditors/creditors.ts'
import { readOptions } from './command-options.ts'
import { openInstances, type Instance } from './instances/instances.ts'
import { StartupError } from './platform/startup-error.ts'
import { runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run payment-account -- [--provider ALIAS] [(--iban N | --bankgiro N | --plusgiro N) --currency C --receiver NAME [--bank NAME] [--bic BIC] | --of N [--iban N | --bankgiro N | --plusgiro N | --account N --country C | --swish N]]'
const HELP = `${USAGE}

Without a number: lists the accounts that a provider itself is paid to. With one: enters it, or what has changed of it, and
shows it for its currency from now on. Money that comes to the others is still taken in. A bank may write an account by any
of its numbers: enter all of them (--of), or its files are refused and money is not recognised. Computed, and never to be
entered: a Norwegian IBAN and its 11 digits, a Danish IBAN and its registration number with account.

  --provider ALIAS   the provider, by the first part of its address; without it, the default one
  --iban N           an account by its IBAN
  --bankgiro N       a Swedish bankgiro (SEK)
  --plusgiro N       a Swedish plusgiro (SEK)
  --currency C       the currency that it takes: SEK, NOK, DKK, EUR
  --receiver NAME    whose account it is, as payers shall read it
  --bank NAME        its bank
  --bic BIC          its bank's BIC
  --of N             an account by any of its numbers, the provider's own or a creditor's: lists all its numbers, or adds
                     the one that is given besides. A number that another account of the same owner has makes the two one
  --account N        with --of: a national account number (clearing number and account, registration number and account)
  --country C        the country of --account: SE, NO, DK, FI
  --swish N          with --of: the Swish number whose money comes to the account
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

type Wishes = {
  readonly provider: string | undefined
  readonly account?: WantedAccount
  readonly of?: string
  readonly address?: WantedAddress
}

const FORMS = ['iban', 'bankgiro', 'plusgiro'] as const
const KINDS = [...FORMS, 'account', 'swish'] as const
const OPTIONS = {
  iban: { type: 'string' },
  bankgiro: { type: 'string' },
  plusgiro: { type: 'string' },
  of: { type: 'string' },
  account: { type: 'string' },
  country: { type: 'string' },
  swish: { type: 'string' },
  provider: { type: 'string' },
  currency: { type: 'string' },
  receiver: { type: 'string' },
  bank: { type: 'string' },
  bic: { type: 'string' },
} as const

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { provider, currency, receiver, bank, bic } = values
  if (values.of !== undefined) return { provider, ...readOf(values, values.of) }
  const [form, ...others] = FORMS.filter((one) => values[one] !== undefined)
  if (!form && Object.keys(values).every((name) => name === 'provider')) return { provider }
  if (!form || others.length > 0 || !currency || !receiver)
    throw new StartupError(`Give one number, with --currency and --receiver. ${USAGE}`)
  return { provider, account: { form, number: values[form] ?? '', currency, receiver, bank, bic } }
}

/** `--of N`: its numbers are listed, or one is added. */
function readOf(
  values: Readonly<Record<string, string | boolean | undefined>>,
  of: string,
): Pick<Wishes, 'of' | 'address'> {
  const [kind, ...others] = KINDS.filter((one) => values[one] !== undefined)
  const known: readonly string[] = ['of', 'provider', 'country', ...KINDS]
  const country = String(values['country'] ?? 'SE').toUpperCase()
  const isPlain = (kind === 'account') === (values['country'] !== undefined)
  const isKnown = Object.keys(values).every((name) => known.includes(name))
  if (!isKnown || !isPlain || others.length > 0 || !['SE', 'NO', 'DK', 'FI'].includes(country))
    throw new StartupError(`With --of give one number, and --country with --account. ${USAGE}`)
  if (!kind) return { of }
  const number = String(values[kind])
  return { of, address: { kind: kind.toUpperCase() as WantedAddress['kind'], number, country } }
}

async function findProvider({ db, clock }: CommandContext, alias: string | undefined): Promise<Instance> {
  const all = await openInstances(db, clock).all()
  const found = all.find(({ isDefault, row }) =>
    alias === undefined ? isDefault : row.url_alias === alias.toLowerCase(),
  )
  if (found) return found
  const known = all.map(({ row }) => row.url_alias).join(', ')
  throw new StartupError(
    all.length === 0
      ? 'There is no provider yet. Start Kvitt once with "npm start".'
      : `There is no ${alias === undefined ? 'default provider' : `provider ${alias}`}. There are ${known}.`,
  )
}

function describe({
  scheme,
  account_number,
  iban,
  bic,
  receiver_name,
  bank_name,
  currency,
}: OwnAccountRow): string {
  const number = scheme === 'IBAN' ? `IBAN ${iban}` : `${scheme.toLowerCase()} ${account_number}`
  const parts = [currency ?? 'any', number, receiver_name, bank_name ?? '', bic === null ? '' : `BIC ${bic}`]
  return parts.filter((part) => part !== '').join('  ')
}

async function work(context: CommandContext, { provider, account, of, address }: Wishes): Promise<number> {
  const { id, row } = await findProvider(context, provider)
  try {
    if (account) await chooseOwnAccount(context, id, account)
    if (of !== undefined && address) await addAddress(context, id, { of, wanted: address })
    if (of !== undefined) {
      const numbers = await readAddressesOf(context.db, id, of)
      process.stdout.write(`Numbers of one account of ${row.name}\n${numbers.join('\n')}\n`)
      return 0
    }
  } catch (error) {
    if (!(error instanceof AccountRefused)) throw error
    throw new StartupError(error.message)
  }
  const accounts = await readOwnAccounts(context.db, id)
  const lines = accounts.map(describe)
  if (accounts.length === 0)
    lines.push('none: claims, and invoices without an account that can be paid to, cannot be paid')
  process.stdout.write(`Accounts of ${row.name}\n${lines.join('\n')}\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
