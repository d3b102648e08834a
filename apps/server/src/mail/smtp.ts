/** E-mail over SMTP, always encrypted, with time-outs. */
import { readFileSync } from 'node:fs'
import type { MailConfig } from '../../config/config-messages.ts'

export type MailMessage = {
  /** Ours; the same for every try, so that mail programs can tell a repeat. */
  readonly id: string
  readonly to: string
  readonly senderName: string
  /** Null: the installation's. */
  readonly senderAddress: string | null
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly attachment: { readonly name: string; readonly bytes: Uint8Array } | undefined
}

export type SendMail = (letter: MailMessage) => Promise<void>

/** Nobody took it. `isFinal`: nor will anybody, however often it is tried. `code` names no person. */
export class NotSent extends Error {
  override name = 'NotSent'
  readonly isFinal: boolean
  readonly code: string
  constructor(code: string, isFinal: boolean) {
    super(code)
    this.code = code
    this.isFinal = isFinal
  }
}

const CONNECT_MS = 10_000
const SILENCE_MS = 15_000

/** The way to a mail server. Throws NotSent when a letter was not taken, or when that is not known. */
export function openSmtp(config: NonNullable<MailConfig['smtp']>, from: string): SendMail {
  return async (letter) => {
    // Loaded with the first letter: most processes send none.
    const { createTransport } = await import('nodemailer')
    const url = new URL(config.url)
    const isTls = url.protocol === 'smtps:'
    try {
      const transport = createTransport({
        host: url.hostname,
        port: Number(url.port || (isTls ? 465 : 587)),
        secure: isTls,
        requireTLS: !isTls,
        ...(url.username
          ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
          : {}),
        tls: { minVersion: 'TLSv1.2', ...(config.caFile ? { ca: readFileSync(config.caFile) } : {}) },
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      await transport.sendMail({
        messageId: `<${letter.id}@${from.split('@')[1]}>`,
        from: { name: letter.senderName, address: letter.senderAddress ?? from },
        replyTo: letter.replyTo,
        to: { name: '', address: letter.to },
        subject: letter.subject,
        text: letter.text,
        ...(letter.html === null ? {} : { html: letter.html }),
        ...(letter.attachment ? { attachments: [pdfOf(letter.attachment)] } : {}),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      throw notSent(error)
    }
  }
}

function pdfOf({ name, bytes }: NonNullable<MailMessage['attachment']>) {
  return { filename: name, content: Buffer.from(bytes), contentType: 'application/pdf' }
}

function notSent(error: unknown): NotSent {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown }
  // 5xx to the letter itself is for good; to the login it is our own setting, and the letter can wait for that.
  if (typeof responseCode === 'number') {
    return new NotSent(`SMTP ${responseCode}`, responseCode >= 500 && code !== 'EAUTH')
  }
  return new NotSent(typeof code === 'string' ? code : 'no answer', false)
}
