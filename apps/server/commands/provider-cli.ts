/** `npm run provider -- [--provider ALIAS | --new ALIAS ...] [...]`: makes a provider, and changes how it presents itself. */
import { readFile } from 'node:fs/promises'
import { readOptions } from './command-options.ts'
import { openInstances, type InstanceRow } from '../src/instances/instances.ts'
import {
  changeProvider,
  cleanPicture,
  makeProvider,
  ProviderRefused,
  type CleanPicture,
  type NewProvider,
  type Picture,
  type ProviderWishes,
} from '../src/instances/provider-settings.ts'
import { endAllSessions, releaseGuesses } from '../src/sign-in/let-go.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

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
  --postal-address TEXT       the same on paper, on one line; "none"
  --primary C                 links, lines and the field of the amount, as #0b5c6b
  --secondary C               the ground that the picture beside the login lies on
  --button C                  buttons. What of the colours carries text is moved until it can be read
  --logo FILE  --favicon FILE  --background FILE  --login-background FILE
                              SVG, PNG, JPEG or WebP, 5 MB at most, written anew without what is hidden in it; "none"
                              takes it away
  --logins LIST               PAYMENT_REFERENCE,BANKID or one of them; "none" closes the portal
  --reach creditor|instance   what a letter opens besides its own invoice: the debts of its creditor at that zip, or
                              everything that the debtor has here
  --file-wait DAYS            bank days for which nights wait for the files of an account, 0 to 20; 3 when nothing is said
  --promote WAY=WORD          DIRECT_PAYMENT_BANK, DIRECT_PAYMENT_MOBILE or BANK_TRANSFER; NEW, RECOMMENDED or none
  --mail-from A               the address that its e-mail comes from; "none" for that of the settings
  --letter-channels LIST      how reminders and demands are tried: DIGITAL_MAILBOX,EMAIL,LETTER in any order, LETTER last
  --bill-channels LIST        the same for bills, with ELECTRONIC_INVOICE
  --news-channels LIST        EMAIL,SMS for everything else; "none"
  --needs-eid LIST            lists,documents,disputes,plans: what a letter alone does not open; "none"
  --guess-limit NAME=N        a limit of wrong guesses, such as zipPerHour=100; "off" or "default"
  --second-factor WORD        of its staff: required, optional, or default, which is required where it is live
  --analytics CODE            page views by Google Analytics, such as G-ABC12345; "none"
  --chat FILE                 the chat's HTML; "none". --chat-mode page|frame and --chat-hosts LIST say where it may load from
  --end-sessions              logs everybody out who is logged in with the electronic ID
  --release-guesses           lets in again who is locked out by wrong guesses
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
  'postal-address': text,
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
  'mail-from': text,
  'letter-channels': text,
  'bill-channels': text,
  'news-channels': text,
  'needs-eid': text,
  'guess-limit': text,
  analytics: text,
  chat: text,
  'chat-mode': text,
  'chat-hosts': text,
  'file-wait': text,
  'second-factor': text,
} as const
const ACTS = { 'end-sessions': { type: 'boolean' }, 'release-guesses': { type: 'boolean' } } as const

type Said = { readonly [Name in keyof typeof OPTIONS | 'provider' | 'by']?: string }
type Acts = { readonly endSessions: boolean; readonly releaseGuesses: boolean }
type Wishes = { readonly place: NewProvider | undefined; readonly values: Said; readonly acts: Acts }

function readArguments(args: readonly string[]): Wishes {
  const read = readOptions(args, { options: { ...OPTIONS, ...ACTS }, usage: USAGE })
  const {
    'end-sessions': endSessions = false,
    'release-guesses': releaseGuesses = false,
    ...values
  } = read.values
  const acts = { endSessions, releaseGuesses }
  const { new: alias, domain, country, mode, provider } = values
  if (alias === undefined) {
    if (domain !== undefined || country !== undefined || mode !== undefined)
      throw new StartupError(`--domain, --country and --mode belong to --new. ${USAGE}`)
    return { place: undefined, values, acts }
  }
  if (provider !== undefined) throw new StartupError(`Give --provider or --new. ${USAGE}`)
  if (domain === undefined || country === undefined)
    throw new StartupError(`--new needs --domain and --country. ${USAGE}`)
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throw new StartupError(`--mode is test or live. ${USAGE}`)
  return { place: { alias, domain, country, mode: mode ?? 'live' }, values, acts }
}

async function readBytes(file: string | undefined): Promise<Uint8Array | null | undefined> {
  if (file === undefined) return undefined
  if (file === 'none') return null
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`${file} could not be read (${error.code ?? error.message}).`)
  })
}

async function readPicture(
  picture: Picture,
  file: string | undefined,
): Promise<CleanPicture | null | undefined> {
  const bytes = await readBytes(file)
  return bytes && cleanPicture(picture, bytes)
}

async function readChat(file: string | undefined): Promise<string | null | undefined> {
  const bytes = await readBytes(file)
  return bytes ? Buffer.from(bytes).toString('utf8') : bytes
}

const listOf = (list: string): string[] => (list === 'none' ? [] : list.split(',').map((one) => one.trim()))

function promotionOf(said: string): readonly [string, string | null] {
  const [method = '', word = ''] = said.split('=')
  return [method, word === 'none' ? null : word]
}

const listIn = (list: string | undefined): string[] | undefined =>
  list === undefined ? undefined : listOf(list)

function pairOf(said: string): readonly [string, string] {
  const [name = '', value = ''] = said.split('=')
  return [name, value]
}

async function wishesOf(values: Said, by: string): Promise<ProviderWishes> {
  const { primary, secondary, button, logins, promote, 'guess-limit': limit } = values
  const pictures = {
    logo: await readPicture('logo', values.logo),
    favicon: await readPicture('favicon', values.favicon),
    background: await readPicture('background', values.background),
    loginBackground: await readPicture('loginBackground', values['login-background']),
  }
  return {
    ...values,
    by,
    identificationNumber: values['identification-number'],
    postalAddress: values['postal-address'] === 'none' ? null : values['postal-address'],
    fileWait: values['file-wait'],
    secondFactor: values['second-factor'],
    colours: { primary, secondary, button },
    pictures,
    logins: logins === undefined ? undefined : listOf(logins),
    promotion: promote === undefined ? undefined : promotionOf(promote),
    mailFrom: values['mail-from'],
    letterChannels: listIn(values['letter-channels']),
    billChannels: listIn(values['bill-channels']),
    newsChannels: listIn(values['news-channels']),
    needsEid: listIn(values['needs-eid']),
    guessLimit: limit === undefined ? undefined : pairOf(limit),
    chat: await readChat(values.chat),
    chatMode: values['chat-mode'],
    chatHosts: listIn(values['chat-hosts']),
  }
}

function secondFactorOf({ requires_second_factor: isRequired, mode }: InstanceRow): string {
  if (isRequired === null) return mode === 'live' ? 'required (default)' : 'optional (default)'
  return isRequired ? 'required' : 'optional'
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
    [
      'contact',
      [row.phone, row.email, row.homepage, row.postal_address].filter((one) => one !== null).join('  '),
    ],
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
    ['file wait', `${row.bank_file_wait_days} bank days`],
    ['second factor', secondFactorOf(row)],
    ['promoted', promoted.join('  ') || 'none'],
    ['mail from', row.mail_from ?? 'the settings'],
    ['letters', row.letter_channels.join('  ')],
    ['bills', row.bill_channels.join('  ')],
    ['news', row.news_channels.join('  ') || 'none'],
    ['needs eid', row.public_session_policy.join('  ') || 'nothing'],
    ['guesses', JSON.stringify(row.guess_limits)],
    ['analytics', row.analytics_code ?? 'none'],
    ['chat', row.helpdesk_chat_html === null ? 'none' : [row.chat_mode, ...row.chat_hosts].join('  ')],
  ]
  return [row.name, ...facts.map(([name, fact]) => `  ${name?.padEnd(9)} ${fact}`)].join('\n')
}

async function list(context: CommandContext): Promise<number> {
  const rows = context.provider
    ? [(await findProvider(context)).row]
    : (await reading(context.db, (tx) => openInstances(tx, context.clock).all())).map(({ row }) => row)
  const lines = rows.length === 0 ? ['There is no provider yet: make one with --new.'] : rows.map(describe)
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

async function act(
  context: CommandContext,
  { endSessions, releaseGuesses: isReleased }: Acts,
): Promise<void> {
  const deed = { instanceId: (await findProvider(context)).id, by: context.by }
  if (endSessions) process.stdout.write(`${await endAllSessions(context, deed)} sessions ended\n`)
  if (isReleased) process.stdout.write(`${await releaseGuesses(context, deed)} budgets of guesses released\n`)
}

async function work(context: CommandContext, { place, values, acts }: Wishes): Promise<number> {
  const { provider: _provider, by: _by, ...settings } = values
  const isActing = acts.endSessions || acts.releaseGuesses
  if (isActing && place) throw new StartupError(`A new provider has neither sessions nor guesses. ${USAGE}`)
  if (isActing) await act(context, acts)
  if (!place && Object.keys(settings).length === 0) return isActing ? 0 : list(context)
  try {
    const wishes = await wishesOf(values, context.by)
    const row = place
      ? await makeProvider(context, place, wishes)
      : await changeProvider(context, (await findProvider(context)).row.url_alias, wishes)
    process.stdout.write(`${describe(row)}\n`)
    if (place?.mode === 'live' && !context.config.publicUrl.startsWith('https://'))
      process.stderr.write(
        'It is live: the next start is refused until PUBLIC_URL is the https address under which the server is reached.\n',
      )
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    throw new StartupError(error.message)
  }
  return 0
}

await runCommand({ help: HELP, readArguments, work })
