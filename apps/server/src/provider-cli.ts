/** `npm run provider -- [--provider ALIAS | --new ALIAS ...] [...]`: makes a provider, and changes how it presents itself. */
import { readFile } from 'node:fs/promises'
import { readOptions } from './command-options.ts'
import { openInstances, type InstanceRow } from './instances/instances.ts'
import {
  changeProvider,
  makeProvider,
  ProviderRefused,
  type NewProvider,
  type Picture,
  type ProviderWishes,
} from './instances/provider-settings.ts'
import { StartupError } from './platform/startup-error.ts'
import { reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run provider -- [--provider ALIAS | --new ALIAS --domain D --country C] [settings], see --help'
const HELP = `${USAGE}

Without settings: lists the providers, or one of them whole. With settings: changes what is named, all or none. It is seen
within five seconds.

  --new ALIAS                 makes one, found at ALIAS.DOMAIN; the first is the default one
  --domain D                  its domain, such as example.com
  --country C                 whose law and language it has: SE, NO, DK, FI
  --mode test|live            live when nothing is said

  --name N                    as it stands on letters
  --identification-number N   its company number
  --homepage URL              https only
  --phone N  --email A        where debtors reach it
  --primary C                 links, lines and the field of the amount, as #0b5c6b
  --secondary C               the ground that the picture beside the login lies on
  --button C                  buttons. What of the colours carries text is moved until it can be read
  --logo FILE  --favicon FILE  --background FILE  --login-background FILE
                              SVG, PNG, JPEG, WebP or AVIF, 1 MB at most; "none" takes it away
  --logins LIST               PAYMENT_REFERENCE,BANKID or one of them; "none" closes the portal
  --reach creditor|instance   what a letter opens besides its own invoice: the debts of its creditor at that zip, or
                              everything that the debtor has here
  --promote WAY=WORD          DIRECT_PAYMENT_BANK, DIRECT_PAYMENT_MOBILE or BANK_TRANSFER; NEW, RECOMMENDED or none
  --help                      this text

Exit status: 0, or 2 when nothing was done.
`

const text = { type: 'string' } as const
const OPTIONS = {
  new: text,
  domain: text,
  country: text,
  mode: text,
  name: text,
  'identification-number': text,
  homepage: text,
  phone: text,
  email: text,
  primary: text,
  secondary: text,
  button: text,
  logo: text,
  favicon: text,
  background: text,
  'login-background': text,
  logins: text,
  promote: text,
  reach: text,
} as const

type Said = { readonly [Name in keyof typeof OPTIONS | 'provider' | 'by']?: string }
type Wishes = { readonly place: NewProvider | undefined; readonly values: Said }

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { new: alias, domain, country, mode, provider } = values
  if (alias === undefined) {
    if (domain !== undefined || country !== undefined || mode !== undefined)
      throw new StartupError(`--domain, --country and --mode belong to --new. ${USAGE}`)
    return { place: undefined, values }
  }
  if (provider !== undefined) throw new StartupError(`Give --provider or --new. ${USAGE}`)
  if (domain === undefined || country === undefined)
    throw new StartupError(`--new needs --domain and --country. ${USAGE}`)
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throw new StartupError(`--mode is test or live. ${USAGE}`)
  return { place: { alias, domain, country, mode: mode ?? 'live' }, values }
}

async function readPicture(file: string | undefined): Promise<Uint8Array | null | undefined> {
  if (file === undefined) return undefined
  if (file === 'none') return null
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`${file} could not be read (${error.code ?? error.message}).`)
  })
}

const listOf = (list: string): string[] => (list === 'none' ? [] : list.split(',').map((one) => one.trim()))

function promotionOf(said: string): readonly [string, string | null] {
  const [method = '', word = ''] = said.split('=')
  return [method, word === 'none' ? null : word]
}

async function wishesOf(values: Said, by: string): Promise<ProviderWishes> {
  const { primary, secondary, button, logins, promote } = values
  const pictures: Record<Picture, Uint8Array | null | undefined> = {
    logo: await readPicture(values.logo),
    favicon: await readPicture(values.favicon),
    background: await readPicture(values.background),
    loginBackground: await readPicture(values['login-background']),
  }
  return {
    ...values,
    by,
    identificationNumber: values['identification-number'],
    colours: { primary, secondary, button },
    pictures,
    logins: logins === undefined ? undefined : listOf(logins),
    promotion: promote === undefined ? undefined : promotionOf(promote),
  }
}

function describe(row: InstanceRow): string {
  const { palette } = row
  const promoted = Object.entries(row.promotions).map(([method, word]) => `${method}=${word}`)
  const facts = [
    [
      'address',
      `${row.url_alias}.${row.url_domain}${row.is_default ? ' (default)' : ''}, ${row.country}, ${row.mode}`,
    ],
    ['number', row.identification_number],
    ['contact', [row.phone, row.email, row.homepage].filter((one) => one !== null).join('  ')],
    ['colours', `${row.primary_colour} ${row.secondary_colour} ${row.button_colour}`],
    [
      'as shown',
      `buttons ${palette.fill} with ${palette.onFill}, in the dark ${palette.fillDark} with ${palette.onFillDark}; links ${palette.inkLight}, in the dark ${palette.inkDark}`,
    ],
    [
      'pictures',
      [row.logo_name, row.favicon_name, row.background_name, row.login_background_name]
        .map((one) => one ?? 'none')
        .join('  '),
    ],
    ['logins', row.logins.join('  ') || 'none'],
    ['letter opens', row.public_session_reach],
    ['promoted', promoted.join('  ') || 'none'],
  ]
  return [row.name, ...facts.map(([name, fact]) => `  ${name?.padEnd(9)} ${fact}`)].join('\n')
}

async function listed({ db, clock }: CommandContext, alias: string | undefined): Promise<InstanceRow[]> {
  const all = (await reading(db, (tx) => openInstances(tx, clock).all())).map(({ row }) => row)
  const found = alias === undefined ? all : all.filter(({ url_alias: one }) => one === alias.toLowerCase())
  if (alias !== undefined && found.length === 0) throw new StartupError(`There is no provider ${alias}.`)
  return found
}

async function defaultAlias(context: CommandContext): Promise<string> {
  const found = (await listed(context, undefined)).find(({ is_default: isDefault }) => isDefault)
  if (!found) throw new StartupError('There is no provider yet: make one with --new.')
  return found.url_alias
}

async function work(context: CommandContext, { place, values }: Wishes): Promise<number> {
  const { provider, by: _by, ...settings } = values
  if (!place && Object.keys(settings).length === 0) {
    const rows = await listed(context, provider)
    process.stdout.write(
      `${rows.map(describe).join('\n') || 'There is no provider yet: make one with --new.'}\n`,
    )
    return 0
  }
  const wishes = await wishesOf(values, context.by)
  try {
    const row = place
      ? await makeProvider(context, place, wishes)
      : await changeProvider(context, (provider ?? (await defaultAlias(context))).toLowerCase(), wishes)
    process.stdout.write(`${describe(row)}\n`)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    throw new StartupError(error.message)
  }
  return 0
}

await runCommand({ help: HELP, readArguments, work })
