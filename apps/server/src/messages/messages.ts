/**
 * Is a message from here? Answers yes or no to one thing that stands in it: a reference, a payee account, or its sender. What it
 * is about, and whom, nobody learns (threat check.enumerate).
 */
import { addressesOf, addressOf } from '@kvitt/domain/account-address.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { MessageAnswer, MessageKind } from '@kvitt/domain/messages/message-check.contract.ts'
import { labelOf, type LabelKind } from '@kvitt/domain/messages/message-label.ts'
import { lettersApart } from '@kvitt/domain/letters-apart.ts'
import { LONGEST_REFERENCE, readReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { hostName, shortName, type Instance } from '../instances/instances.ts'
import { phoneOf, senderName } from '../mail/mail.ts'
import { forgiveQuestion, spendSolution, takeQuestion } from '../sign-in/sign-in.ts'
import { knowsAny } from './messages.queries.ts'

const SCOPE = 'message-check'
/** Nothing that is asked about is longer. */
const LONGEST = 200

export type AskedMessage = {
  readonly message: string
  /** Where the question comes from. */
  readonly address: string
  /** Of a challenge, as the call brings it; anything. */
  readonly solution?: string | undefined
}

/**
 * Answers whether `message` is this instance's, and as what. Refuses when this network has asked too often; and what may be a reference, when
 * strangers together have asked for too many that there are not: a solved challenge takes the place of either wait.
 */
export async function checkMessage(
  context: Context,
  instance: Instance,
  { message, address, solution }: AskedMessage,
): Promise<MessageAnswer> {
  const typed = message.length > LONGEST ? '' : message.normalize('NFKC').trim()
  const label = labelOf(typed)
  const text = label?.rest ?? typed
  // What is called an account is looked for among accounts alone: somebody's reference has the digits of a stranger's.
  const mayBe = (kind: LabelKind): boolean => label === undefined || label.kind === kind
  // A bankgiro as it is written is no reference, whoever's digits it has.
  const isGiro = label === undefined && /^\d{3,4}\p{Pd}\d{4}$/u.test(text)
  const references = mayBe('reference') && !isGiro ? referencesIn(text) : []
  // Only references can be guessed: who we are, and where money goes, everybody may know.
  const isShared = references.length > 0
  const isLifted =
    solution !== undefined &&
    (await spendSolution(context, instance, { reference: message, address, solution }))
  if (!(await takeQuestion(context, instance, { scope: SCOPE, address, isShared, isLifted }))) {
    throw new Refusal('check_throttled', isLifted ? {} : { challenge: 'offered' })
  }
  // Looked up whatever was typed, so that no kind of answer comes sooner than another.
  const addresses = mayBe('account') ? accountsIn(text) : []
  const { isReference, isAccount } = await knowsAny(context.db, instance.id, { references, addresses })
  const what =
    senderKind(context, instance, typed) ??
    (label?.kind === 'phone' && isPhone(instance, text) ? 'sender' : undefined) ??
    (label?.kind === 'company' && isNumberOf(instance, text) ? 'name' : undefined) ??
    (isAccount ? 'account' : isReference ? 'reference' : undefined)
  if (what !== undefined && isShared) await forgiveQuestion(context, instance, SCOPE)
  if (what !== undefined) return { genuine: true, what }
  const spelling = nearName(instance, typed)
  return { genuine: false, ...(spelling !== undefined && { spelling }) }
}

/**
 * As the books may have what was typed: digits without the frame of an RF reference, and with any number of leading zeros. Banks and
 * slips fill a reference up with them or leave them out.
 */
function referencesIn(text: string): string[] {
  const digits = readReference(text)
  if (!/^\d{2,25}$/.test(digits)) return []
  const bare = digits.replace(/^0+(?=\d)/, '')
  return Array.from({ length: LONGEST_REFERENCE - bare.length + 1 }, (_, zeros) => '0'.repeat(zeros) + bare)
}

function accountsIn(text: string): string[] {
  const swish = addressOf('SWISH', text)
  return [...addressesOf({ scheme: 'LOCAL', account: text }), ...(swish ? [swish] : [])]
}

function senderKind(context: Context, instance: Instance, text: string): MessageKind | undefined {
  if (text === '') return undefined
  if (isName(instance, text) || isNumberOf(instance, text)) return 'name'
  if (isMail(context, instance, text) || isPhone(instance, text)) return 'sender'
  return isSite(context, instance, text) ? 'link' : undefined
}

/** The addresses that our mail is read at and comes from. */
function mailsOf({ config }: Context, { row }: Instance): string[] {
  return [row.email, row.mail_from ?? config.mail.from].map((own) => own.toLowerCase())
}

function isMail(context: Context, instance: Instance, text: string): boolean {
  return mailsOf(context, instance).includes(text.toLowerCase())
}

/** Where anybody gets an address: what stands behind the @ of one is not ours. */
const ANYBODYS_MAIL =
  /^(?:.+\.)?(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|telia|online|mail)\.[a-z.]+$/

/** What stands behind the @ of our addresses. */
function mailDomains(context: Context, instance: Instance): string[] {
  return mailsOf(context, instance)
    .map((mail) => mail.slice(mail.lastIndexOf('@') + 1))
    .filter((domain) => !ANYBODYS_MAIL.test(domain))
}

/** Stands at the end of a company's name, and is seldom said. */
const LEGAL_FORM = /[\s,]+(ab|as|asa|a\/s|aps|oy|oyj|gmbh|ltd)\.?(\s*\(publ\))?$/i

/** The whole name, also without its legal form, the one that our pages show, and the one that a phone shows. */
function namesOf(instance: Instance): string[] {
  const { name } = instance.row
  return [name, name.replace(LEGAL_FORM, ''), shortName(instance), senderName(name)].map(plainName)
}

const plainName = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ')

/** Letter for letter; with another legal form it is another company's. */
function isName(instance: Instance, text: string): boolean {
  return namesOf(instance).includes(plainName(text))
}

/** So many letters has a name that another one can be told to be nearly. */
const LEAST_LETTERS = 5
const mostApart = (own: string): number => (own.length < 8 ? 1 : 2)

/** A name that looks like ours and is not: one or two letters off, or with another legal form. Says nothing but how we are called. */
function nearName(instance: Instance, text: string): string | undefined {
  const { name } = instance.row
  // Longer than any name of ours by more than is looked for.
  if (text.length < LEAST_LETTERS || text.length > name.length + 10) return undefined
  const asked = [plainName(text), plainName(text.replace(LEGAL_FORM, ''))]
  // How it is spelt is told of the one that was meant.
  return [shortName(instance), name, name.replace(LEGAL_FORM, ''), senderName(name)].find((own) => {
    const plain = plainName(own)
    const most = mostApart(plain)
    return plain.length >= LEAST_LETTERS && asked.some((one) => lettersApart(one, plain, most) <= most)
  })
}

/** The number that the register of companies has of us, as it stands in the head of each letter. */
function isNumberOf({ row }: Instance, text: string): boolean {
  const digits = (number: string): string => number.replaceAll(/[\s-]/g, '')
  return digits(text) === digits(row.identification_number)
}

function isPhone({ row }: Instance, text: string): boolean {
  const phone = phoneOf(text, row.country)
  return phone !== undefined && phone === phoneOf(row.phone, row.country)
}

/**
 * A web address of ours: the host in it, whole, and not what only looks like it. One address and nothing beside it: what stands
 * behind ours, an account or another address, would be told to be ours too.
 */
function isSite(context: Context, instance: Instance, text: string): boolean {
  const { config } = context
  const { host, row } = instance
  if (/\s|:\/\/.*:\/\//.test(text)) return false
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return false
  const { hostname, port, protocol, username } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '') return false
  const homepage = row.homepage && URL.canParse(row.homepage) ? new URL(row.homepage) : undefined
  const known = new URL(config.publicUrl)
  // No other name below ours: it may be another provider's, or somebody's who rents one there.
  const bare = homepage?.hostname.replace(/^www\./, '')
  // The default provider's messages lead to the address of the installation (`portalUrl` of letterhead.ts).
  const portals = [host, `home.${host}`, `support.${host}`, row.is_default ? known.hostname : undefined]
  const asked = hostName(hostname)
  if (asked === undefined) return false
  /** At another port of a host anybody may listen who is on it. The usual one has no number. */
  const isAt = (hosts: readonly (string | undefined)[], own: string | undefined): boolean =>
    hosts.includes(asked) && (port === '' || port === own)
  return (
    isAt(portals, known.port) ||
    isAt(bare ? [bare, `www.${bare}`] : [], homepage?.port) ||
    isAt(mailDomains(context, instance), '')
  )
}
