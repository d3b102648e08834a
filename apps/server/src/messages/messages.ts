/**
 * Is a message from here? Answers yes or no to one thing that stands in it: a reference, a payee account, or its sender. What it
 * is about, and whom, nobody learns (threat check.enumerate).
 */
import { addressesOf, addressOf } from '@kvitt/domain/account-address.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isRfValid, normaliseReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { hostName, type Instance } from '../instances/instances.ts'
import { phoneOf, senderName } from '../mail/mail.ts'
import { takeQuestion } from '../sign-in/sign-in.ts'
import { knowsAny } from './messages.queries.ts'

/** Nothing that is asked about is longer. */
const LONGEST = 200
/** What is printed before a number. */
const LABEL =
  /^(?:ocr|kid|fik|ref(?:erens|erence|eranse)?|viite(?:numero)?|bankgiro|bg|plusgiro|pg|iban|konto|swish|tel)\b[\s.:]*/i

/** Answers whether `message` is this instance's. Refuses when this network has asked too often. */
export async function checkMessage(
  context: Context,
  instance: Instance,
  { message, address }: { readonly message: string; readonly address: string },
): Promise<boolean> {
  if (!(await takeQuestion(context, instance, { scope: 'message-check', address }))) {
    throw new Refusal('check_throttled')
  }
  const text = message.length > LONGEST ? '' : message.normalize('NFKC').trim().replace(LABEL, '')
  // Looked up whatever was typed, so that no kind of answer comes sooner than another.
  const isKnown = await knowsAny(context.db, instance.id, {
    references: referencesIn(text),
    addresses: accountsIn(text),
  })
  return isSender(context, instance, text) || isKnown
}

/** As the books have references: digits without the frame of an RF reference, and with or without leading zeros. */
function referencesIn(text: string): string[] {
  const plain = normaliseReference(text).replaceAll('-', '').toUpperCase()
  if (isRfValid(plain)) return [plain, plain.slice(4)]
  return /^\d{2,25}$/.test(plain) ? [plain] : []
}

function accountsIn(text: string): string[] {
  const swish = addressOf('SWISH', text)
  return [...addressesOf({ scheme: 'LOCAL', account: text }), ...(swish ? [swish] : [])]
}

function isSender(context: Context, instance: Instance, text: string): boolean {
  return (
    text !== '' &&
    (isMail(context, instance, text) ||
      isName(instance, text) ||
      isPhone(instance, text) ||
      isSite(instance, text))
  )
}

function isMail({ config }: Context, { row }: Instance, text: string): boolean {
  const from = row.mail_from ?? config.mail.from
  return [row.email, from].some((own) => own.toLowerCase() === text.toLowerCase())
}

/** The name that a phone shows, and the whole one. */
function isName({ row }: Instance, text: string): boolean {
  return [row.name, senderName(row.name)].some((own) => own.toLowerCase() === text.toLowerCase())
}

function isPhone({ row }: Instance, text: string): boolean {
  const phone = phoneOf(text, row.country)
  return phone !== undefined && phone === phoneOf(row.phone, row.country)
}

/** A web address of ours: the host in it, whole, and not what only looks like it. */
function isSite({ host, row }: Instance, text: string): boolean {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return false
  const { hostname, protocol, username } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '' || !hostname.includes('.')) return false
  const own = [host, row.homepage && URL.canParse(row.homepage) ? new URL(row.homepage).hostname : undefined]
  const asked = hostName(hostname)
  return own.some((one) => one !== undefined && (asked === one || asked?.endsWith(`.${one}`) === true))
}
