/** SMS over HTTPS: 46elks' interface, a form with basic authentication. */
import { CALLING_CODES } from '@kvitt/domain/instances/phone.ts'
import type { MailConfig } from '../../config/config-messages.ts'
import { NotSent } from './smtp.ts'

export type SendSms = (sms: {
  readonly to: string
  readonly from: string
  readonly text: string
}) => Promise<void>

const TIMEOUT_MS = 10_000

/** The way to phones. Throws NotSent when a message was not taken, or when that is not known. */
export function openSms(config: NonNullable<MailConfig['sms']>): SendSms {
  const credentials = Buffer.from(`${config.user}:${config.password}`).toString('base64')
  return async ({ to, from, text }) => {
    let status: number
    try {
      const answer = await fetch(`${config.baseUrl}/a1/sms`, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ from: senderName(from), to, message: text }),
      })
      await answer.body?.cancel()
      status = answer.status
    } catch {
      throw new NotSent('no answer', false)
    }
    // 400 is the number's or the text's fault and stays so; the rest can pass: credit, rights, their own trouble.
    if (status < 200 || status > 299) throw new NotSent(`SMS ${status}`, status === 400)
  }
}

/** What a phone shows as the sender: 3 to 11 of the letters and digits that every network takes. */
export function senderName(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 11)
  return /^[A-Za-z][A-Za-z0-9]{2}/.test(plain) ? plain : 'Message'
}

/**
 * A phone number as networks write it, `+46701234567`, from how people write it in `country`. Undefined when it
 * cannot be one.
 */
export function phoneOf(text: string, country: string): string | undefined {
  const digits = text
    .replace('(0)', '')
    .replace(/[\s()./-]/g, '')
    .replace(/^00/, '+')
  const own = CALLING_CODES[country]
  const whole = digits.startsWith('+') || own === undefined ? digits : `+${own}${digits.replace(/^0/, '')}`
  return /^\+[1-9]\d{6,14}$/.test(whole) ? whole : undefined
}
