import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Clock } from '../clock.ts'
import { StartRefusal } from '../config.ts'
import type { Delays } from '../delays.ts'
import type { Faults } from '../faults.ts'
import type { Journal } from '../journal.ts'
import type { Mailbox, Message } from './mailbox.ts'

const LARGEST_BYTES = 10 * 1024 * 1024
const HANG_MS = 30_000

export interface SmtpParts {
  mailbox: Mailbox
  faults: Pick<Faults, 'consume'>
  delays: Pick<Delays, 'secondsOf'>
  journal: Pick<Journal, 'saved'>
  clock: Clock
  key: string
  certificate: string
}

export interface RunningSmtp {
  port: number
  stop(): Promise<void>
}

/**
 * A mail server that takes everything, for everybody, after STARTTLS. Faults: a letter that is not answered for
 * half a minute, refused for now, or kept and refused all the same.
 */
export async function startSmtp(parts: SmtpParts, port: number, host: string): Promise<RunningSmtp> {
  const server = new SMTPServer({
    secure: false,
    key: parts.key,
    cert: parts.certificate,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    size: LARGEST_BYTES,
    closeTimeout: 1_000,
    logger: false,
    onMailFrom(_, session, reply) {
      reply(session.secure ? null : refusal(530, 'Must issue a STARTTLS command first'))
    },
    onData(stream, session, reply) {
      const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
      void readAll(stream)
        .then((bytes) => take(parts, bytes, to))
        .then(reply)
    },
  })
  // A client that breaks off is no reason to end.
  server.on('error', () => {})
  const taken = await listen(server, port, host)
  return { port: taken, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

function listen(server: SMTPServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code})`
      reject(new StartRefusal(`Port ${port} on ${host} ${reason}; set SANDBOX_PORT to another.`))
    }
    server.server.once('error', refuse)
    server.listen(port, host, () => {
      server.server.off('error', refuse)
      resolve((server.server.address() as AddressInfo).port)
    })
  })
}

/** Null when the letter was taken, else what the sender is answered. */
async function take(parts: SmtpParts, bytes: Buffer, to: string): Promise<Error | null> {
  const { faults, delays, journal, clock } = parts
  if (faults.consume('timeout')) {
    await new Promise<void>((resolve) => void clock.after(HANG_MS, resolve))
    return refusal(421, 'Too slow')
  }
  if (faults.consume('error500')) return refusal(451, 'Try again later')
  await keep(parts, bytes, to)
  await journal.saved()
  const seconds = delays.secondsOf('mail') ?? 0
  if (seconds > 0) await new Promise<void>((resolve) => void clock.after(seconds * 1_000, resolve))
  return faults.consume('error-after-success') ? refusal(451, 'Try again later') : null
}

async function keep({ mailbox, clock }: SmtpParts, bytes: Buffer, to: string): Promise<void> {
  const mail = await PostalMime.parse(bytes)
  const attached = mail.attachments.map(({ filename, mimeType, content }) => ({
    name: filename ?? '',
    type: mimeType,
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  }))
  const message: Message = {
    id: randomUUID(),
    channel: 'email',
    to,
    from: mail.from?.name ?? mail.from?.address ?? '',
    fromAddress: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
    attachments: attached.map(({ name, type, content }) => ({ name, type, bytes: content.byteLength })),
    messageId: mail.messageId ?? null,
    atMs: clock.now(),
  }
  mailbox.add(
    message,
    attached.map(({ content }) => content),
  )
}

function refusal(responseCode: number, text: string): Error & { responseCode: number } {
  return Object.assign(new Error(text), { responseCode })
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
