/** `npm run payment-account -- [--provider ALIAS] [--of N] [--iban N | --bankgiro N ...]`: what a provider is paid to,
 * the numbers by which each account is reached, who has it, and how its files come. */
import { ACCOUNT_FILES, type AccountFiles, type DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import {
  HolderRefused,
  readCreditorAccounts,
  tellHolder,
  type CreditorAccountRow,
} from '../src/bank-files/bank-files.ts'
import {
  AccountRefused,
  addAddress,
  chooseFiles,
  chooseOwnAccount,
  confirmTold,
  readAddressesOf,
  readAccountFiles,
  readOwnAccounts,
  type AccountFilesNow,
  type OwnAccountRow,
  type WantedAccount,
  type WantedAddress,
} from '../src/creditors/creditors.ts'
import { readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import type { Instance } from '../src/instances/instances.ts'
import type { Connection } from '../src/platform/database/database.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run payment-account -- [--provider ALIAS] [(--iban N | --bankgiro N | --plusgiro N) --currency C --receiver NAME [--bank NAME] [--bic BIC] | --of N [--iban N | --bankgiro N | --plusgiro N | --account N --country C | --swish N | --holder instance|creditor | --files none|daily-statement|when-there-is-money | --told-to DAY]]'
const HELP = `${USAGE}

Without a number: lists the accounts that a provider itself is paid to, and those of its creditors with who has them. Each shows
how its files come, up to when it is told, and which days the daily run waits for. With a number: enters it, or what has changed of it,
and shows it for its currency from now on. Money that comes to the others is still taken in. A bank may write an account by any
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
  --files F          with --of: how the bank's files of it come, from today on. none: nights do not wait for them.
                     daily-statement: a statement (camt.053) each bank day. when-there-is-money: no file on a day without.
                     A night charges nothing to debts that are paid to an account which is not told of up to the day before
  --told-to DAY      with --of: all money that came to it up to and with that day (2026-03-31) is here
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

type Wishes = {
  readonly account?: Omit<WantedAccount, 'by'>
  readonly of?: string
  readonly address?: WantedAddress
  readonly holder?: Holder
  readonly files?: AccountFiles
  readonly toldTo?: CalendarDate
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
  files: { type: 'string' },
  'told-to': { type: 'string' },
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
  const [alone] = ALONE.filter((name) => values[name] !== undefined)
  if (alone) throw new StartupError(`--${alone} goes with --of. ${USAGE}`)
  if (!form || others.length > 0 || !currency || !receiver)
    throw new StartupError(`Give one number, with --currency and --receiver. ${USAGE}`)
  return { account: { form, number: values[form] ?? '', currency, receiver, bank, bic } }
}

const COMMON: readonly string[] = ['provider', 'by']
/** With --of, each of these alone. */
const ALONE = ['holder', 'files', 'told-to'] as const
const SAID: Readonly<Record<(typeof ALONE)[number], string>> = {
  holder: '--holder instance or --holder creditor',
  files: '--files none, daily-statement or when-there-is-money',
  'told-to': '--told-to and a day such as 2026-03-31',
}
const HOLDER_OF: Readonly<Record<string, Holder>> = { instance: 'INSTANCE', creditor: 'CREDITOR' }

type Values = Readonly<Record<string, string | boolean | undefined>>

/** What is said of the account that --of names; undefined when it is asked for its numbers. */
function readSaid(values: Values): Pick<Wishes, 'holder' | 'files' | 'toldTo'> | undefined {
  const said = ALONE.filter((name) => values[name] !== undefined)
  const [name] = said
  if (!name) return undefined
  const isPlain = Object.keys(values).every((one) => ['of', name, ...COMMON].includes(one))
  const text = String(values[name]).toLowerCase()
  const files = ACCOUNT_FILES.find((one) => one === text.replaceAll('-', '_'))
  const toldTo = parseDate(text)
  if (isPlain && name === 'holder' && HOLDER_OF[text]) return { holder: HOLDER_OF[text] }
  if (isPlain && name === 'files' && files) return { files }
  if (isPlain && name === 'told-to' && toldTo) return { toldTo }
  throw new StartupError(`With --of give ${SAID[name]}, and nothing else. ${USAGE}`)
}

/** `--of N`: its numbers are listed, or one is added. */
function readOf(values: Values, of: string): Wishes {
  const said = readSaid(values)
  if (said) return { of, ...said }
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

const FILES: Readonly<Record<AccountFiles, string>> = {
  none: 'files none',
  daily_statement: 'files daily-statement',
  when_there_is_money: 'files when-there-is-money',
}
type FilesById = ReadonlyMap<string, AccountFilesNow>

const spanOf = ({ first, last }: DaySpan): string => (first === last ? first : `${first} to ${last}`)

/** Nothing where nobody has said how its files come. */
function filesOf(files: FilesById, id: string): string[] {
  const row = files.get(id)
  if (!row?.files) return []
  if (row.files_since === null) return [FILES[row.files]]
  return [
    `${FILES[row.files]} since ${row.files_since}`,
    row.toldTo === null ? 'nothing told yet' : `told up to ${row.toldTo}`,
    ...row.awaited.map((span) => `the daily run waits for ${spanOf(span)}`),
    ...row.missing.map((span) => `missing, and waited for no more: ${spanOf(span)}`),
  ]
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

async function listAccounts(db: Connection, instance: Instance, today: CalendarDate): Promise<string[]> {
  const accounts = await readOwnAccounts(db, instance.id)
  const rows = await readAccountFiles(db, instance.id, today)
  const files: FilesById = new Map(rows.map((row) => [row.id, row]))
  const withFiles = (line: string, id: string): string => [line, ...filesOf(files, id)].join('  ')
  const lines = accounts.map((row) => withFiles(describe(row), row.id))
  if (accounts.length === 0)
    lines.push('none: claims, and invoices without an account that can be paid to, cannot be paid')
  const ofCreditors = await readCreditorAccounts(db, instance.id)
  if (ofCreditors.length > 0)
    lines.push(
      'Accounts of its creditors, and who has them',
      ...ofCreditors.map((row) => withFiles(describeCreditors(row), row.id)),
    )
  return [`Accounts of ${instance.row.name}`, ...lines]
}

async function tell(context: CommandContext, instance: Instance, wishes: Wishes): Promise<string[]> {
  const { account, of, address, holder, files, toldTo } = wishes
  const { by, db, clock } = context
  const at = { instanceId: instance.id, today: clock.today(instance.timeZone), of: of ?? '', by }
  if (account) await chooseOwnAccount(context, instance.id, { ...account, by })
  if (of !== undefined && holder) await tellHolder(context, instance, { of, holder, by })
  if (files) await chooseFiles(context, { ...at, files })
  if (toldTo) await confirmTold(context, { ...at, to: toldTo })
  if (of === undefined || holder || files || toldTo)
    return reading(db, (tx) => listAccounts(tx, instance, at.today))
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
