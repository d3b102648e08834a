/** Sends what waits in the outbox, each message until it was taken or is given up. */
import type { Context } from '../context.ts'
import {
  claimMailRows,
  dropRow,
  giveUpRow,
  markSentRow,
  putBackRow,
  type WaitingMail,
} from './outbox.queries.ts'
import { fateOf, type PrintQueue } from './print-queue.ts'
import type { SendSms } from './sms.ts'
import { NotSent, type SendMail } from './smtp.ts'
import { readStates } from './step-mail.queries.ts'
import { prepareStepMail, type DrawLetter, type Held, type Prepared } from './step-mail.ts'

/** 30 s, 1 min, 2 min ... up to 6 hours between tries: about two days in all. */
const MOST_TRIES = 16
const LONGEST_PAUSE_S = 6 * 3600

/** The ways that messages can go here. What has none waits. */
export type Ways = {
  readonly EMAIL?: SendMail | undefined
  readonly SMS?: SendSms | undefined
  readonly LETTER?: PrintQueue | undefined
}

export type DeliverContext = Pick<Context, 'db' | 'log' | 'config'> & { readonly drawLetter: DrawLetter }

/**
 * Sends everything that is due. A message whose sender died is sent again after five minutes: an e-mail under the
 * same Message-ID, a letter only when it is not in the print queue. What nobody takes becomes a matter for a person.
 */
export async function deliverMail(context: DeliverContext, ways: Ways): Promise<void> {
  const channels = (['EMAIL', 'SMS', 'LETTER'] as const).filter((channel) => ways[channel])
  if (channels.length === 0) return
  if (ways.LETTER) await finishLetters(context, ways.LETTER)
  for (;;) {
    const batch = await claimMailRows(context.db, channels)
    if (batch.length === 0) return
    for (const mail of batch) await deliverOne(context, mail, ways)
  }
}

/** Letters of a process that died between the database and the folder. */
async function finishLetters({ db }: DeliverContext, queue: PrintQueue): Promise<void> {
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

async function prepare(context: DeliverContext, mail: WaitingMail): Promise<Prepared | Held> {
  if (mail.step_id !== null) return prepareStepMail(context, mail)
  const { recipient: to, subject, text_body: text, html_body: html } = mail
  return { to, subject, text, html, letter: undefined }
}

/** Hands a message over. A letter is only staged: it comes into view when the database says that it was sent. */
async function send(mail: WaitingMail, ready: Prepared, ways: Ways): Promise<void> {
  const { to, subject, text, html, letter } = ready
  if (mail.channel === 'SMS') return ways.SMS?.({ to, from: mail.sender_name, text })
  if (mail.channel === 'LETTER') {
    if (!letter) throw new NotSent('no letter', true)
    return ways.LETTER?.stage(mail, { title: subject, to: to.split('\n') }, letter.bytes)
  }
  await ways.EMAIL?.({
    id: mail.id,
    to,
    senderName: mail.sender_name,
    replyTo: mail.reply_to,
    subject,
    text,
    html,
    attachment: letter,
  })
}

async function deliverOne(context: DeliverContext, mail: WaitingMail, ways: Ways): Promise<void> {
  let recipient: string
  try {
    const ready = await prepare(context, mail)
    if (ready === 'later') {
      return await putBackRow(context.db, mail, { inSeconds: LONGEST_PAUSE_S, error: 'payment under way' })
    }
    if (typeof ready === 'string') return await dropRow(context.db, mail, ready)
    await send(mail, ready, ways)
    recipient = ready.to
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    return putOff(context, mail, error)
  }
  const counts = await markSentRow(context.db, mail, recipient)
  if (mail.channel === 'LETTER') await (counts ? ways.LETTER?.release(mail) : ways.LETTER?.discard(mail))
}

async function putOff(context: DeliverContext, mail: WaitingMail, error: NotSent): Promise<void> {
  const isOver = error.isFinal || mail.tries >= MOST_TRIES
  context.log.warn({ mailId: mail.id, code: error.code, tries: mail.tries, isOver }, 'mail not sent')
  if (isOver) return giveUpRow(context.db, mail, error.code)
  const inSeconds = Math.min(LONGEST_PAUSE_S, 30 * 2 ** (mail.tries - 1))
  await putBackRow(context.db, mail, { inSeconds, error: error.code })
}
