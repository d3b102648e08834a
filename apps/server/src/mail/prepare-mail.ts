/** Makes a message as it is sent: who gets it, its text, and the letter or bill that goes along. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { groupZip } from '@kvitt/domain/people/zip.ts'
import type { Context } from '../context.ts'
import { isDebtResting } from '../ledger/resting-debts.queries.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { textOf } from '../platform/texts.ts'
import { composeMail, RESTING_MAIL_KINDS, type MailKind } from './compose-mail.ts'
import { languageOf, letterhead } from './letterhead.ts'
import { readAddressee, type AddresseeRow, type UnwrittenMail, type WaitingMail } from './outbox.queries.ts'
import { keepLetter, readMatter, type MatterRow } from './prepare-mail.queries.ts'
import { phoneOf } from './sms.ts'
import { NotSent } from './smtp.ts'

/** A letter as a PDF. `name` is what it is saved as, `title` its heading without a number. */
export type DrawnLetter = { readonly name: string; readonly title: string; readonly bytes: Uint8Array }

/** The letter of a reminder or demand by its step, or the copy of an invoice; undefined when there is none. */
export type DrawLetter = (of: {
  readonly instanceId: string
  readonly stepId: string | null
  readonly debt: Debt
}) => Promise<DrawnLetter | undefined>

/** An invoice of ours as a file that programs read (UBL); `to` is the debtor's electronic address. */
export type WriteBill = (of: {
  readonly instanceId: string
  readonly invoiceId: string
  readonly to: string
}) => Promise<Uint8Array | undefined>

/**
 * Drops the message about a step, with what the step did when the message is all that there was of it. `drop` answers
 * false when the message waits no more. `again`: how such a step comes again where nothing speaks against it.
 */
export type DropStepMail = (
  of: { readonly instanceId: string; readonly stepId: string; readonly again: 'PLANNED' | 'ON_HOLD' },
  drop: (tx: Transaction) => Promise<boolean>,
) => Promise<void>

/**
 * Gives the letter about a step its full time to pay from the day on which it leaves, and plans what follows it anew. Answers
 * its last day to pay; null when the step does not stand any more.
 */
export type DateLetter = (of: {
  readonly instanceId: string
  readonly stepId: string
  readonly on: CalendarDate
}) => Promise<string | null>

export type Prepared = {
  /** Who gets it, in the words of the way that it goes. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly letter: DrawnLetter | undefined
  /** Undefined of a message to staff. */
  readonly who: AddresseeRow | undefined
}

/** Why a message is not sent now: `later` asks again, the rest is for good. */
export type Held = 'later' | 'disputed' | 'paused' | 'over' | 'late' | 'no way'

type Standing = Pick<
  MatterRow,
  'invoice_status' | 'claim_status' | 'balance_minor' | 'is_part_payment' | 'step_status'
>

/** What became of what a step was about: is there still something to say? Undefined: yes. */
export function heldBy(matter: Standing): Exclude<Held, 'late' | 'no way'> | undefined {
  const status = matter.claim_status ?? matter.invoice_status
  // Taken back already, and whoever gave the letter up makes it wait again: it was written for another day.
  if (matter.step_status !== null && matter.step_status !== 'PERFORMED') return 'over'
  if (status === 'DISPUTED') return 'disputed'
  if (status === 'PAUSED') return 'paused'
  // Signed and not settled: either it will be paid in a moment, or the message goes after all.
  if (status === 'PENDING_AUTHORIZATION') return 'later'
  const isOpen = status === 'ACTIVATED' || status === 'OPEN' || status === 'RESUME'
  return isOpen && matter.balance_minor > 0 && !matter.is_part_payment ? undefined : 'over'
}

/** A bill waits where a reminder is dropped: it is the only word of what is owed. */
function billHeldBy(matter: Standing): 'later' | 'over' | undefined {
  const held = heldBy(matter)
  return held === 'disputed' || held === 'paused' ? 'later' : held
}

export type PrepareContext = Pick<Context, 'db' | 'clock' | 'config' | 'log'> & {
  readonly drawLetter: DrawLetter
  readonly writeBill: WriteBill
  readonly dropStepMail: DropStepMail
  readonly dateLetter: DateLetter
}

/** Throws NotSent when it cannot be composed for this way. */
export async function prepareMail(context: PrepareContext, mail: WaitingMail): Promise<Prepared | Held> {
  if (mail.claim_id === null && mail.invoice_id === null) return toStaff(mail)
  if (await restsByNow(context, mail)) return 'later'
  const debt: Debt = mail.claim_id ? { claimId: mail.claim_id } : { invoiceId: mail.invoice_id ?? '' }
  const matter = mail.text_body === null ? await readMatter(context.db, mail) : undefined
  const held = matter && (mail.step_id === null ? billHeldBy(matter) : heldBy(matter))
  if (held) return held
  const who = await readAddressee(context.db, mail.instance_id, debt)
  // Their last day has been: once they are ended, it rests or goes to somebody else.
  if (who.represented_until !== null && who.represented_until < context.clock.today(who.time_zone))
    return 'later'
  if (matter && (await isLate(context, mail, matter))) return 'late'
  if (mail.channel === 'SMS') return shortMessage(context, who, mail)
  if (mail.text_body !== null) {
    const { subject, text_body: text, html_body: html } = mail
    return { to: recipientOf(mail, who) ?? emailOf(who), subject, text, html, letter: undefined, who }
  }
  if (!matter) throw new Error(`message ${mail.id} is about nothing`)
  return prepareUnwritten(context, mail, { debt, matter, who })
}

/** Its debtor was flagged since the message was taken up to be sent. */
async function restsByNow({ db }: PrepareContext, mail: WaitingMail): Promise<boolean> {
  if (!(RESTING_MAIL_KINDS as readonly string[]).includes(mail.kind)) return false
  return isDebtResting(db, mail.instance_id, mail.claim_id ?? mail.invoice_id ?? '')
}

/** The address that it was written to; not a guardian's who acts no more (M-37). */
function recipientOf(mail: WaitingMail, who: AddresseeRow): string | null {
  const isOver = mail.representative_id !== null && mail.representative_id !== who.representative_id
  return isOver ? null : mail.recipient
}

/** A message that is about no debt is to somebody of the staff, and written down whole. */
function toStaff({ id, recipient, subject, text_body: text, html_body: html }: WaitingMail): Prepared {
  if (recipient === null || text === null) throw new Error(`message ${id} is about nothing`)
  return { to: recipient, subject, text, html, letter: undefined, who: undefined }
}

/** Whether nobody can pay by the last day that a letter gives, which is counted from the day on which it leaves. */
async function isLate(context: PrepareContext, mail: WaitingMail, matter: MatterRow): Promise<boolean> {
  const { instance_id: instanceId, step_id: stepId } = mail
  if (stepId === null || matter.last_pay_date === null) return false
  const on = context.clock.today(matter.time_zone)
  const lastDay = await context.dateLetter({ instanceId, stepId, on })
  return lastDay === null || lastDay < on
}

/** What only says that there is something to read. */
function shortMessage(context: PrepareContext, who: AddresseeRow, mail: WaitingMail): Prepared | Held {
  const to = recipientOf(mail, who) ?? phoneOf(who.phone ?? '', who.phone_country)
  if (to === undefined && mail.next_channels.length > 0) throw new NotSent('no number', true)
  if (to === undefined) return 'no way'
  const language = languageOf(who)
  const head = letterhead(context, who, language)
  const text = textOf(language, 'mail.sms', {
    instance: head.name,
    url: head.portalUrl,
  })
  return { to, subject: '', text, html: null, letter: undefined, who }
}

type Subject = { readonly debt: Debt; readonly matter: MatterRow; readonly who: AddresseeRow }

async function prepareUnwritten(
  context: PrepareContext,
  mail: UnwrittenMail,
  { debt, matter, who }: Subject,
): Promise<Prepared> {
  const plain = { html: null, letter: undefined, who }
  if (mail.channel === 'ELECTRONIC_INVOICE') {
    if (!who.electronic_address) throw new NotSent('no address', true)
    return { ...plain, to: who.electronic_address, subject: '', text: '' }
  }
  const to = addressFor(mail, { matter, who })
  const kind = mail.kind as MailKind
  const letter = kind === 'expired_notice' ? undefined : await draw(context, mail, debt)
  if (mail.channel !== 'EMAIL') return { ...plain, to, subject: letter?.title ?? '', text: to, letter }
  const language = languageOf(who)
  const about = textOf(language, 'claimId' in debt ? 'mail.about_claim' : 'mail.about_invoice', {
    number: who.number,
  })
  const params = {
    name: who.name,
    about,
    creditor: who.creditor_name,
    amount: printedAmount(matter.total_minor ?? 0, matter.currency, language),
    dueDate: matter.expire_date ?? '',
  }
  return { to, letter, who, ...composeMail(kind, language, params, letterhead(context, who, language)) }
}

function addressFor({ channel }: UnwrittenMail, { matter, who }: Omit<Subject, 'debt'>): string {
  if (channel === 'EMAIL') return emailOf(who)
  if (channel === 'LETTER') return envelopeOf(matter)
  if (!who.identification_number) throw new NotSent('no number', true)
  return `${who.debtor_country} ${who.identification_number}`
}

function emailOf(who: AddresseeRow): string {
  if (!who.email) throw new NotSent('no address', true)
  return who.email
}

/** The lines of an envelope; the country when it is another than the creditor's. */
function envelopeOf(matter: MatterRow): string {
  if (!matter.address?.trim() || !matter.city?.trim()) throw new NotSent('no address', true)
  const abroad = matter.country === matter.creditor_country ? null : matter.country
  const place = `${groupZip(matter.country, matter.zip)} ${matter.city}`
  const lines = [matter.debtor_name, matter.address, matter.address2, place, abroad]
  return lines.filter((line) => line?.trim()).join('\n')
}

/**
 * The letter, drawn now. A digital mailbox knows a repeat only by its bytes, so that what goes there is kept, and goes
 * on as it was when that way is closed.
 */
async function draw(context: PrepareContext, mail: UnwrittenMail, debt: Debt): Promise<DrawnLetter> {
  const { drawLetter, log } = context
  const subject = { instanceId: mail.instance_id, stepId: mail.step_id, debt }
  const letter = await drawLetter(subject).catch((error: unknown) => {
    log.error({ err: error, mailId: mail.id }, 'letter not drawn')
    throw new NotSent('not drawn', false)
  })
  if (!letter) throw new NotSent('no letter', true)
  if (mail.channel !== 'DIGITAL_MAILBOX' && mail.file_id === null) return letter
  const id = newId(context.clock.now())
  return { ...letter, bytes: await keepLetter(context.db, mail, { id, bytes: letter.bytes }) }
}
