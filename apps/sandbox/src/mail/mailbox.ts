import type { Journal } from '../journal.ts'

/** Something that was sent to somebody, on whatever way. */
export interface Message {
  id: string
  channel: 'email' | 'sms'
  to: string
  from: string
  subject: string
  text: string
  /** As a mail program would show it; null when there is only text. */
  html: string | null
  attachments: { name: string; type: string; bytes: number }[]
  /** The sender's own id: a message that was sent twice has the same one. */
  messageId: string | null
  atMs: number
}

const KEPT = 500

export interface Mailbox {
  add(message: Message): void
  /** Newest first. */
  messages(): Message[]
  replay(message: Message): void
}

/** Everything that was delivered; the newest 500 are kept. */
export function openMailbox(journal: Pick<Journal, 'append'>, report: (text: string) => void): Mailbox {
  let messages: Message[] = []
  const keep = (message: Message) => {
    messages = [message, ...messages].slice(0, KEPT)
  }
  return {
    add(message) {
      journal.append({ type: 'message', message })
      keep(message)
      report(`${NAMES[message.channel]} to ${message.to}: ${message.subject}`)
    },
    messages: () => messages,
    replay: keep,
  }
}

const NAMES: Record<Message['channel'], string> = { email: 'E-mail', sms: 'SMS' }
