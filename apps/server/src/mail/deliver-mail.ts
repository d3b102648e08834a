/** Sends what waits in the outbox, each message until it was taken or is given up. */
import type { Context } from '../context.ts'
import { claimMailRows, giveUpRow, markSentRow, putBackRow, type WaitingMail } from './outbox.queries.ts'
import type { SendSms } from './sms.ts'
import { NotSent, type SendMail } from './smtp.ts'

/** 30 s, 1 min, 2 min ... up to 6 hours between tries: about two days in all. */
const MOST_TRIES = 16
const LONGEST_PAUSE_S = 6 * 3600

/** The ways that messages can go here. What has none waits. */
export type Ways = { readonly EMAIL?: SendMail | undefined; readonly SMS?: SendSms | undefined }

/**
 * Sends everything that is due. A message whose sender died is sent again after five minutes, under the same
 * Message-ID. What nobody takes becomes a matter for a person.
 */
export async function deliverMail(context: Pick<Context, 'db' | 'log'>, ways: Ways): Promise<void> {
  const channels = (['EMAIL', 'SMS'] as const).filter((channel) => ways[channel])
  if (channels.length === 0) return
  for (;;) {
    const batch = await claimMailRows(context.db, channels)
    if (batch.length === 0) return
    for (const mail of batch) await deliverOne(context, mail, ways)
  }
}

async function send(mail: WaitingMail, ways: Ways): Promise<void> {
  if (mail.channel === 'SMS') {
    await ways.SMS?.({ to: mail.recipient, from: mail.sender_name, text: mail.text_body })
    return
  }
  await ways.EMAIL?.({
    id: mail.id,
    to: mail.recipient,
    senderName: mail.sender_name,
    replyTo: mail.reply_to,
    subject: mail.subject,
    text: mail.text_body,
    html: mail.html_body,
  })
}

async function deliverOne(
  context: Pick<Context, 'db' | 'log'>,
  mail: WaitingMail,
  ways: Ways,
): Promise<void> {
  try {
    await send(mail, ways)
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    const isOver = error.isFinal || mail.tries >= MOST_TRIES
    context.log.warn({ mailId: mail.id, code: error.code, tries: mail.tries, isOver }, 'mail not sent')
    if (isOver) await giveUpRow(context.db, mail, error.code)
    else {
      const inSeconds = Math.min(LONGEST_PAUSE_S, 30 * 2 ** (mail.tries - 1))
      await putBackRow(context.db, mail, { inSeconds, error: error.code })
    }
    return
  }
  await markSentRow(context.db, mail)
}
