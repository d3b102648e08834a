/** What a provider has decided about messages, sessions, guesses and extras: each wish checked, with a sentence for a mistake. */
import { POWERS, type Power } from '@kvitt/domain/contract.ts'
import { DEFAULT_LIMITS, type GuessSettings } from './guess-limits.ts'
import type { InstanceRow } from './instances.queries.ts'
import { ProviderRefused } from './provider-refused.ts'

/** As a person says it; what is not named stays as it is, and "none" or an empty list takes away. */
export type RuleWishes = {
  readonly mailFrom?: string | undefined
  readonly letterChannels?: readonly string[] | undefined
  readonly billChannels?: readonly string[] | undefined
  readonly newsChannels?: readonly string[] | undefined
  /** What needs an electronic ID. */
  readonly needsEid?: readonly string[] | undefined
  /** A limit and its number, "off" or "default". */
  readonly guessLimit?: readonly [string, string] | undefined
  readonly analytics?: string | undefined
  /** The chat's own HTML; null takes it away. */
  readonly chat?: string | null | undefined
  readonly chatMode?: string | undefined
  readonly chatHosts?: readonly string[] | undefined
  /** Of the staff: "required", "optional", or "default" for what its mode says. */
  readonly secondFactor?: string | undefined
}

type Rules = Pick<
  InstanceRow,
  | 'mail_from'
  | 'letter_channels'
  | 'bill_channels'
  | 'news_channels'
  | 'public_session_policy'
  | 'guess_limits'
  | 'analytics_code'
  | 'helpdesk_chat_html'
  | 'chat_mode'
  | 'chat_hosts'
  | 'requires_second_factor'
>

const LETTERS = ['DIGITAL_MAILBOX', 'EMAIL', 'LETTER']
const BILLS = ['ELECTRONIC_INVOICE', ...LETTERS]
const NEWS = ['EMAIL', 'SMS']
const LARGEST_CHAT = 20_000
/** Every limit of guesses that a provider may have of its own. */
export const GUESS_LIMITS: readonly (keyof GuessSettings)[] = [
  ...(Object.keys(DEFAULT_LIMITS) as (keyof GuessSettings)[]),
  'eidStartsPerTenMinutes',
  'questionsPerHour',
]
const LIMITS: readonly string[] = GUESS_LIMITS

/** The rules as they are to be. Throws ProviderRefused. */
export function rulesOf(row: InstanceRow, wishes: RuleWishes): Rules {
  const { mailFrom, letterChannels, billChannels, newsChannels, needsEid, guessLimit, analytics } = wishes
  return {
    mail_from: mailFrom === undefined ? row.mail_from : mailFromOf(mailFrom),
    letter_channels: letterChannels ? onPaper(letterChannels, LETTERS) : row.letter_channels,
    bill_channels: billChannels ? onPaper(billChannels, BILLS) : row.bill_channels,
    news_channels: newsChannels ? listed(newsChannels, NEWS) : row.news_channels,
    public_session_policy: needsEid
      ? (listed(
          needsEid.map((power) => power.toLowerCase()),
          POWERS,
        ) as Power[])
      : row.public_session_policy,
    guess_limits: guessLimit ? limitsWith(row.guess_limits, guessLimit) : row.guess_limits,
    analytics_code: analytics === undefined ? row.analytics_code : analyticsOf(analytics),
    requires_second_factor:
      wishes.secondFactor === undefined ? row.requires_second_factor : secondFactorOf(wishes.secondFactor),
    ...chatOf(row, wishes),
  }
}

function mailFromOf(text: string): string | null {
  if (text === 'none') return null
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text) && text.length <= 200) return text
  throw new ProviderRefused(`"${text}" is not an address that e-mail can come from.`)
}

/** Each once, in the order in which they are tried. */
function listed(said: readonly string[], known: readonly string[]): string[] {
  const wrong = said.find((one) => !known.includes(one))
  if (wrong === undefined) return [...new Set(said)]
  throw new ProviderRefused(`"${wrong}" is none of ${known.join(', ')}.`)
}

/** What a debtor has to get ends on paper. */
function onPaper(said: readonly string[], known: readonly string[]): string[] {
  const ways = listed(said, known)
  if (ways.at(-1) === 'LETTER') return ways
  throw new ProviderRefused('Letters and bills end on paper: the last way is LETTER.')
}

function limitsWith(before: GuessSettings, [name, said]: readonly [string, string]): GuessSettings {
  if (!LIMITS.includes(name)) throw new ProviderRefused(`"${name}" is none of ${LIMITS.join(', ')}.`)
  const others = Object.fromEntries(Object.entries(before).filter(([one]) => one !== name))
  if (said === 'default') return others
  if (said === 'off') return { ...others, [name]: null }
  if (/^\d{1,6}$/.test(said)) return { ...others, [name]: Number(said) }
  throw new ProviderRefused(`${name} is a whole number, "off" or "default", not "${said}".`)
}

function secondFactorOf(said: string): boolean | null {
  if (said === 'required') return true
  if (said === 'optional') return false
  if (said === 'default') return null
  throw new ProviderRefused(`A second factor is "required", "optional" or "default", not "${said}".`)
}

function analyticsOf(text: string): string | null {
  if (text === 'none') return null
  if (/^G-[A-Z0-9]{4,16}$/.test(text)) return text
  throw new ProviderRefused(`"${text}" is not a code such as G-ABC12345.`)
}

function chatOf(
  row: InstanceRow,
  { chat, chatMode, chatHosts }: RuleWishes,
): Pick<Rules, 'helpdesk_chat_html' | 'chat_mode' | 'chat_hosts'> {
  if (chat !== undefined && chat !== null && (chat.trim() === '' || chat.length > LARGEST_CHAT))
    throw new ProviderRefused(`The chat has 1 to ${LARGEST_CHAT} characters of HTML.`)
  const mode = chatMode ?? row.chat_mode
  if (mode !== 'page' && mode !== 'frame')
    throw new ProviderRefused(`The chat stands in the "page" or in a "frame", not in "${mode}".`)
  const wrong = chatHosts?.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host))
  if (wrong !== undefined) throw new ProviderRefused(`"${wrong}" is not a host such as chat.example.com.`)
  return {
    helpdesk_chat_html: chat === undefined ? row.helpdesk_chat_html : chat,
    chat_mode: mode,
    chat_hosts: chatHosts ? [...chatHosts] : row.chat_hosts,
  }
}
