/** `npm run payment-account -- [--provider ALIAS] [--of N] [--iban N | --bankgiro N ...]`: what a provider is paid to,
 * the numbers by which each account is reached, and who has it. */
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import {
  HolderRefused,
  readCreditorAccounts,
  tellHolder,
  type CreditorAccountRow,
} from './bank-files/bank-files.ts'
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
import { StartupError } from './platform/startup-error.ts'
import type { Instance } from './instances/instances.ts'
import type { Connection } from './platform/database.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run payment-account -- [--provider ALIAS] [(--iban N | --bankgiro N | --plusgiro N) --currency C --receiver NAME [--bank NAME] [--bic BIC] | --of N [--iban N | --bankgiro N | --plusgiro N | --account N --country C | --swish N | --holder instance|creditor]]'
const HELP = `${USAGE}

Without a number: lists the accounts that a provider itself is paid to, and those of its creditors with who has them. With one:
enters it, or what has changed of it, and shows it for its currency from now on. Money that comes to the others is still taken in. A bank may write an account by any
of its numbers: enter all of them (--of), or its files are refused and money is not recognised. Computed, and never to be
entered: a Norwegian IBAN and its 11 digits, a Danish IBAN and its registration number with account.

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
  --holder H         with --of, a creditor's account: who has it. instance: client funds for that creditor. creditor: its own;
                     money on it has been paid to the creditor, and is never held, paid out or sent back by the provider
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

type Wishes = {
  readonly account?: Omit<WantedAccount, 'by'>
  readonly of?: string
  readonly address?: WantedAddress
  readonly holder?: Holder
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
  holder: { type: 'string' },
  currency: { type: 'string' },
  receiver: { type: 'string' },
  bank: { type: 'string' },
  bic: { type: 'string' },
} as const

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { currency, receiver, bank, bic } = values
  if (values.of !== undefined) return readOf(values, values.of)
  const [form, ...others] = FORMS.filter((one) => values[one] !== undefined)
  if (!form && Object.keys(values).every((name) => COMMON.includes(name))) return {}
  if (values.holder !== undefined) throw new StartupError(`--holder goes with --of. ${USAGE}`)
  if (!form || others.length > 0 || !currency || !receiver)
    throw new StartupError(`Give one number, with --currency and --receiver. ${USAGE}`)
  return { account: { form, number: values[form] ?? '', currency, receiver, bank, bic } }
}

const COMMON: readonly string[] = ['provider', 'by']
const HOLDER_OF: Readonly<Record<string, Holder>> = { instance: 'INSTANCE', creditor: 'CREDITOR' }

function readHolder(values: Readonly<Record<string, string | boolean | undefined>>): Holder {
  const holder = HOLDER_OF[String(values['holder']).toLowerCase()]
  const isPlain = Object.keys(values).every((name) => ['of', 'holder', ...COMMON].includes(name))
  if (holder && isPlain) return holder
  throw new StartupError(`With --of give --holder instance or --holder creditor, and nothing else. ${USAGE}`)
}

/** `--of N`: its numbers are listed, or one is added. */
function readOf(
  values: Readonly<Record<string, string | boolean | undefined>>,
  of: string,
): Pick<Wishes, 'of' | 'address' | 'holder'> {
  if (values['holder'] !== undefined) return { of, holder: readHolder(values) }
  const [kind, ...others] = KINDS.filter((one) => values[one] !== undefined)
  const known: readonly string[] = ['of', ...COMMON, 'country', ...KINDS]
  const country = String(values['country'] ?? 'SE').toUpperCase()
  const isPlain = (kind === 'account') === (values['country'] !== undefined)
  const isKnown = Object.keys(values).every((name) => known.includes(name))
  if (!isKnown || !isPlain || others.length > 0 || !['SE', 'NO', 'DK', 'FI'].includes(country))
    throw new StartupError(`With --of give one number, and --country with --account. ${USAGE}`)
  if (!kind) return { of }
  const number = String(values[kind])
  return { of, address: { kind: kind.toUpperCase() as WantedAddress['kind'], number, country } }
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

const WHO: Readonly<Record<Holder, string>> = { INSTANCE: 'instance', CREDITOR: 'creditor' }

function describeCreditors(row: CreditorAccountRow): string {
  const number =
    row.scheme === 'IBAN' ? `IBAN ${row.iban}` : `${row.scheme.toLowerCase()} ${row.account_number}`
  const who = row.holder === null ? 'not told' : WHO[row.holder]
  return [who, number, row.creditor_name, `account ${row.id}`].join('  ')
}

async function listAccounts(db: Connection, instance: Instance): Promise<string[]> {
  const accounts = await readOwnAccounts(db, instance.id)
  const lines = accounts.map(describe)
  if (accounts.length === 0)
    lines.push('none: claims, and invoices without an account that can be paid to, cannot be paid')
  const ofCreditors = await readCreditorAccounts(db, instance.id)
  if (ofCreditors.length > 0)
    lines.push('Accounts of its creditors, and who has them', ...ofCreditors.map(describeCreditors))
  return [`Accounts of ${instance.row.name}`, ...lines]
}

async function tell(
  context: CommandContext,
  instance: Instance,
  { account, of, address, holder }: Wishes,
): Promise<string[]> {
  const { by, db } = context
  if (account) await chooseOwnAccount(context, instance.id, { ...account, by })
  if (of !== undefined && holder) await tellHolder(context, instance, { of, holder, by })
  if (of === undefined || holder) return reading(db, (tx) => listAccounts(tx, instance))
  if (address) await addAddress(context, instance.id, { of, wanted: address, by })
  const numbers = await reading(db, (tx) => readAddressesOf(tx, instance.id, of))
  return [`Numbers of one account of ${instance.row.name}`, ...numbers]
}

async function work(context: CommandContext, wishes: Wishes): Promise<number> {
  const instance = await findProvider(context)
  try {
    process.stdout.write(`${(await tell(context, instance, wishes)).join('\n')}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof AccountRefused || error instanceof HolderRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
