/** Sends what waits in the outbox, each message until it was taken or is given up. */
import type { Context } from '../context.ts'
import { claimMailRows, giveUpRow, markSentRow, putBackRow, type WaitingMail } from './outbox.queries.ts'
import { NotSent, type SendMail } from './smtp.ts'

/** 30 s, 1 min, 2 min ... up to 6 hours between tries: about two days in all. */
const MOST_TRIES = 16
const LONGEST_PAUSE_S = 6 * 3600

/**
 * Sends everything that is due. A message whose sender died is sent again after five minutes, under the same
 * Message-ID. What nobody takes becomes a matter for a person.
 */
export async function deliverMail(context: Pick<Context, 'db' | 'log'>, send: SendMail): Promise<void> {
  for (;;) {
    const batch = await claimMailRows(context.db, ['EMAIL'])
    if (batch.length === 0) return
    for (const mail of batch) await deliverOne(context, mail, send)
  }
}

async function deliverOne(
  context: Pick<Context, 'db' | 'log'>,
  mail: WaitingMail,
  send: SendMail,
): Promise<void> {
  try {
    await send({
      id: mail.id,
      to: mail.recipient,
      senderName: mail.sender_name,
      replyTo: mail.reply_to,
      subject: mail.subject,
      text: mail.text_body,
      html: mail.html_body,
    })
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
