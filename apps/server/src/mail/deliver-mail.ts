/** Sends what waits in the outbox, each message until it was taken or is given up. */
import type { SendToAccessPoint } from './access-point.ts'
import type { SendToMailbox } from './digital-mailbox.ts'
import {
  CHANNELS,
  claimMailRows,
  dropRow,
  giveUpRow,
  goNextWayRow,
  markSentRow,
  putBackRow,
  type WaitingMail,
} from './outbox.queries.ts'
import { readStates } from './prepare-mail.queries.ts'
import { prepareMail, type PrepareContext, type Prepared } from './prepare-mail.ts'
import type { Connection } from '../platform/database/database.ts'
import { StoreUnavailable } from '../platform/store/store.ts'
import { endTask, MAIL_MATTER, reopenTasks, quarantine } from '../tasks/tasks.ts'
import { fateOf, type PrintQueue } from './print-queue.ts'
import type { SendSms } from './sms.ts'
import { NotSent, type SendMail } from './smtp.ts'

/** 30 s, 1 min, 2 min ... up to 6 hours between tries: about two days in all. */
const MOST_TRIES = 16
/** An hour, when there is another way: a demand has a last day to pay, and says so. */
const MOST_TRIES_BEFORE_NEXT = 8
const LONGEST_PAUSE_S = 6 * 3600

/** The ways that messages can go here. What has none of the first three waits for it; the others are passed by. */
export type Ways = {
  readonly EMAIL?: SendMail | undefined
  readonly SMS?: SendSms | undefined
  readonly LETTER?: PrintQueue | undefined
  readonly DIGITAL_MAILBOX?: SendToMailbox | undefined
  readonly ELECTRONIC_INVOICE?: SendToAccessPoint | undefined
}

/**
 * Sends everything that is due. A message whose sender died is sent again after five minutes: an e-mail under the same
 * Message-ID, to a mailbox or as an electronic invoice under the same name, a letter only when it is not in the print
 * queue. What does not go one way goes the next; what nobody takes becomes a matter for a person.
 */
export async function deliverMail(context: PrepareContext, ways: Ways): Promise<void> {
  const hasStore = !ways.LETTER || (await finishLetters(context, ways.LETTER))
  const channels = CHANNELS.filter(
    (channel) =>
      // Letters wait for their store, and nothing else does.
      (channel !== 'LETTER' || hasStore) &&
      (ways[channel] ?? (channel === 'DIGITAL_MAILBOX' || channel === 'ELECTRONIC_INVOICE')),
  )
  for (;;) {
    const batch = await claimMailRows(context.db, channels)
    if (batch.length === 0) return
    for (const mail of batch) {
      const matter = { instanceId: mail.instance_id, about: `send mail ${mail.id}` }
      await quarantine(context, matter, () => deliverOne(context, mail, ways))
    }
  }
}

/** Letters of a process that died between the database and the store. Answers whether the store can be reached. */
async function finishLetters(context: PrepareContext, queue: PrintQueue): Promise<boolean> {
  return reaches(context, () => finishStaged(context, queue))
}

/** What could not be put into view now is when messages are sent the next time. */
async function reaches({ log }: PrepareContext, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    log.warn({ code: error.code }, 'the store of letters cannot be reached')
    return false
  }
}

async function finishStaged({ db }: PrepareContext, queue: PrintQueue): Promise<void> {
  const staged = await queue.staged()
  if (staged.length === 0) return
  const states = await readStates(
    db,
    staged.map(({ id }) => id),
  )
  for (const letter of staged) {
    const fate = fateOf(
      letter,
      states.find(({ id }) => id === letter.id),
    )
    if (fate !== 'wait') await queue[fate](letter)
  }
}

/** Hands a message over. A letter is only staged: it comes into view when the database says that it was sent. */
async function send(context: PrepareContext, mail: WaitingMail, ready: Prepared, ways: Ways): Promise<void> {
  const { to, subject, text, html, letter, who } = ready
  switch (mail.channel) {
    case 'SMS':
      return ways.SMS?.({ to, from: mail.sender_name, text })
    case 'LETTER':
      if (!letter) throw new NotSent('no letter', true)
      return ways.LETTER?.stage(mail, { title: subject, to: to.split('\n') }, letter.bytes)
    case 'DIGITAL_MAILBOX':
      if (!letter || !who) throw new NotSent('no letter', true)
      return openWay(ways.DIGITAL_MAILBOX)({
        id: mail.id,
        provider: mail.sender_alias,
        country: who.debtor_country,
        kind: who.debtor_kind,
        number: who.identification_number ?? '',
        subject,
        pdf: letter.bytes,
      })
    case 'ELECTRONIC_INVOICE':
      return openWay(ways.ELECTRONIC_INVOICE)({
        id: mail.id,
        provider: mail.sender_alias,
        to,
        write: () => writeBill(context, mail, to),
      })
    case 'EMAIL': {
      const { id, sender_name: senderName, sender_address: senderAddress, reply_to: replyTo } = mail
      const sender = { senderName, senderAddress, replyTo }
      return ways.EMAIL?.({ id, to, ...sender, subject, text, html, attachment: letter })
    }
  }
}

function openWay<Way>(way: Way | undefined): Way {
  if (way === undefined) throw new NotSent('not offered', true)
  return way
}

async function writeBill(context: PrepareContext, mail: WaitingMail, to: string): Promise<Uint8Array> {
  const subject = { instanceId: mail.instance_id, invoiceId: mail.invoice_id ?? '', to }
  const bill = await context.writeBill(subject).catch((error: unknown) => {
    context.log.error({ err: error, mailId: mail.id }, 'electronic invoice not written')
    throw new NotSent('not written', false)
  })
  if (!bill) throw new NotSent('no invoice', true)
  return bill
}

async function deliverOne(context: PrepareContext, mail: WaitingMail, ways: Ways): Promise<void> {
  let sent: { readonly recipient: string; readonly representativeId: string | null }
  try {
    // Asked before the letter is drawn: most installations have neither.
    if (mail.channel === 'DIGITAL_MAILBOX' || mail.channel === 'ELECTRONIC_INVOICE')
      openWay(ways[mail.channel])
    const ready = await prepareMail(context, mail)
    if (ready === 'later') {
      const pause = { inSeconds: LONGEST_PAUSE_S, error: 'waits', isTry: false }
      return await putBackRow(context.db, mail, pause)
    }
    if (typeof ready === 'string') return await dropMail(context, mail, ready)
    await send(context, mail, ready, ways)
    sent = { recipient: ready.to, representativeId: instead(mail, ready) }
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    return putOff(context, mail, error)
  }
  const counts = await markSentRow(context.db, mail, sent)
  const { LETTER: queue } = ways
  if (mail.channel === 'LETTER' && queue)
    await reaches(context, () => (counts ? queue.release(mail) : queue.discard(mail)))
}

/** Who gets it in the debtor's place: not what was written to another address, such as the creditor's. */
function instead(mail: WaitingMail, { to, who }: Prepared): string | null {
  const isOwn =
    mail.recipient === null || mail.representative_id !== null || to === who?.email || to === who?.phone
  return isOwn ? (who?.representative_id ?? null) : null
}

function dropMail(context: PrepareContext, mail: WaitingMail, reason: string): Promise<void> {
  return endUnsent(context, mail, { again: 'PLANNED', end: (db) => dropRow(db, mail, reason) })
}

/** What to mend, for whoever looks. A letter comes again by itself, once that person has said so. */
const MEND: Readonly<Record<string, string>> = {
  'no address': 'There is no address: enter an e-mail address, or a street and a city.',
  'no number': 'There is no number to send to: enter a phone number, or an e-mail address.',
}
const MEND_OTHER = 'Nobody took it: look at error and refusals.'
const LETTER_AGAIN =
  'Its step and fee have been taken back. Once this task is done, the next night writes it again, unless a later one stands for it.'

function giveUp(context: PrepareContext, mail: WaitingMail, error: string): Promise<void> {
  const isLetter = mail.step_id !== null && mail.kind !== 'expired_notice'
  const mend = `${MEND[error] ?? MEND_OTHER}${isLetter ? ` ${LETTER_AGAIN}` : ''}`
  return endUnsent(context, mail, { again: 'ON_HOLD', end: (tx) => die(tx, mail, { error, mend }) })
}

/** The message is dead, and a person is asked what to do: both or neither. Answers false when it waited no more. */
async function die(
  tx: Connection,
  mail: WaitingMail,
  { error, mend }: { readonly error: string; readonly mend: string },
): Promise<boolean> {
  const dead = await giveUpRow(tx, mail, error)
  if (!dead) return false
  const details = { ...dead, error, mend }
  const { instance_id: instanceId, id } = mail
  await reopenTasks(tx, [{ instanceId, kind: 'mail_undeliverable', about: `mail:${id}`, details }])
  return true
}

type End = {
  readonly again: 'PLANNED' | 'ON_HOLD'
  readonly end: (db: Connection) => Promise<boolean>
}

async function endUnsent(context: PrepareContext, mail: WaitingMail, { again, end }: End): Promise<void> {
  const { instance_id: instanceId, step_id: stepId } = mail
  if (stepId === null) {
    await context.db.transaction(end)
    return
  }
  const about = `${MAIL_MATTER}${mail.id}`
  const isDone = await quarantine(context, { instanceId, about }, async () => {
    await context.dropStepMail({ instanceId, stepId, again }, end)
    return true
  })
  if (isDone) await endTask(context.db, { instanceId, kind: 'work_stuck', about })
}

async function putOff(context: PrepareContext, mail: WaitingMail, error: NotSent): Promise<void> {
  const hasNext = mail.next_channels.length > 0
  const isOver = error.isFinal || mail.tries >= (hasNext ? MOST_TRIES_BEFORE_NEXT : MOST_TRIES)
  const { id: mailId, channel, tries } = mail
  // That somebody has no mailbox is nothing to look into.
  const level = isOver && hasNext ? 'info' : 'warn'
  context.log[level]({ mailId, channel, code: error.code, tries, isOver }, 'mail not sent')
  if (isOver && hasNext) return goNextWayRow(context.db, mail, error.code)
  if (isOver) return giveUp(context, mail, error.code)
  const inSeconds = Math.min(LONGEST_PAUSE_S, 30 * 2 ** (mail.tries - 1))
  await putBackRow(context.db, mail, { inSeconds, error: error.code, isTry: true })
}
