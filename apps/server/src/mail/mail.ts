/** Messages to debtors: written down in the transaction of what they tell of, and sent afterwards. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { textOf, type Language } from '../platform/texts.ts'
import { composeMail, type MailKind } from './compose-mail.ts'
import { languageOf, languageOfCountry, letterhead } from './letterhead.ts'
import { insertMailRow, readAddressee, type AddresseeRow, type Channel } from './outbox.queries.ts'
import { phoneOf } from './sms.ts'

export { openAccessPoint, senderOf } from './access-point.ts'
export { MAIL_KINDS, RESTING_MAIL_KINDS, SECRET_MAIL_KINDS, type MailKind } from './compose-mail.ts'
export { deliverMail, type Ways } from './deliver-mail.ts'
export { portalUrlIn, portalUrlOf } from './letterhead.ts'
export { listMessages } from './office-messages.ts'
export { endDeadRow as endDeadMail } from './outbox.queries.ts'
export { openDigitalMailbox } from './digital-mailbox.ts'
export type { DateLetter, DrawLetter, DropStepMail, WriteBill } from './prepare-mail.ts'
export { openPrintQueue, putTakenAway, readPrintQueue } from './print-queue.ts'
export {
  queueBills,
  queueInvoice,
  queueStepMail,
  readdressLetters,
  redrawLetters,
  type PerformedStep,
} from './step-mail.ts'
export { dropLetterRows as dropLetters, forgetDrawnRow, hasUnsentLetter } from './step-mail.queries.ts'
export { openSms, phoneOf, senderName } from './sms.ts'
export { openSmtp } from './smtp.ts'

export type MailWish = {
  readonly kind: MailKind
  /** What it tells of, such as `payment:<id>`: told once, however often it is asked for. */
  readonly cause: string
  readonly instanceId: string
  /** The invoice or claim that it is about. */
  readonly debt: Debt
  /** Another address than the debtor's own. */
  readonly to?: string
  /** True when it tells the creditor, at its contact address and in its country's language. */
  readonly isToCreditor?: boolean
  /** What the kind's sentences name besides the debt and the creditor, in the reader's language. */
  readonly params?: (language: Language) => Readonly<Record<string, string>>
}

/**
 * Writes a message about an invoice or claim down, to be sent when this transaction is in the books: in the order of
 * the instance an e-mail, or an SMS that only says that there is something to read; nothing to who has neither.
 */
export async function queueMail(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  wish: MailWish,
): Promise<void> {
  const { instanceId, debt, kind, cause, isToCreditor } = wish
  const who = await readAddressee(tx, instanceId, debt)
  const ways = waysTo(who, wish)
  const [first, ...others] = ways
  if (first === undefined) return
  const language = isToCreditor ? languageOfCountry(who.creditor_country) : languageOf(who)
  const head = letterhead(context, who, language)
  const params = {
    // Whoever typed an address need not be the debtor, and learns no name from us.
    ...(wish.to === undefined ? { name: isToCreditor ? who.creditor_name : who.name } : {}),
    about: textOf(language, 'claimId' in debt ? 'mail.about_claim' : 'mail.about_invoice', {
      number: who.number,
    }),
    creditor: who.creditor_name,
    ...wish.params?.(language),
  }
  insertMailRow(tx, {
    instanceId,
    id: newId(context.clock.now()),
    kind,
    cause,
    debt,
    language,
    channel: first.channel,
    recipient: first.recipient,
    representativeId: wish.to === undefined && !isToCreditor ? who.representative_id : null,
    nextChannels: others.map(({ channel }) => channel),
    ...composeMail(kind, language, params, head),
  })
}

export type StaffMailWish = {
  readonly kind: Extract<MailKind, `staff_${string}`>
  readonly cause: string
  readonly instance: { readonly id: string; readonly language: Language; readonly row: BrandRow }
  readonly recipient: string
  readonly params: Readonly<Record<string, string>>
}

type BrandRow = {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly palette: { readonly fill: string; readonly onFill: string }
}

/** Writes an e-mail to somebody of the staff down, in the instance's language. */
export function queueToStaff(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { kind, cause, instance, recipient, params }: StaffMailWish,
): void {
  const { name, phone, email, palette } = instance.row
  const head = { name, phone, email, portalUrl: config.publicUrl, fill: palette.fill, onFill: palette.onFill }
  insertMailRow(tx, {
    instanceId: instance.id,
    id: newId(clock.now()),
    kind,
    cause,
    debt: undefined,
    language: instance.language,
    channel: 'EMAIL',
    recipient,
    representativeId: null,
    nextChannels: [],
    ...composeMail(kind, instance.language, params, head),
  })
}

type Way = { readonly channel: Channel; readonly recipient: string }

/** The ways that reach the debtor now, the instance's first one first. Another address has no other way. */
function waysTo(who: AddresseeRow, { to, isToCreditor }: MailWish): Way[] {
  if (isToCreditor) return who.creditor_email ? [{ channel: 'EMAIL', recipient: who.creditor_email }] : []
  if (to !== undefined) return [{ channel: 'EMAIL', recipient: to }]
  const addresses: Partial<Record<Channel, string | undefined>> = {
    EMAIL: who.email || undefined,
    SMS: phoneOf(who.phone ?? '', who.phone_country),
  }
  return who.news_channels.flatMap((channel) => {
    const recipient = addresses[channel]
    return recipient === undefined ? [] : [{ channel, recipient }]
  })
}
