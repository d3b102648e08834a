import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../journal.ts'

/** Something that was sent to somebody, on whatever way. */
export interface Message {
  id: string
  channel: 'email' | 'sms' | 'letter' | 'digital_mailbox' | 'electronic_invoice'
  to: string
  from: string
  /** The address that an e-mail came from. */
  fromAddress?: string
  subject: string
  text: string
  /** As a mail program would show it; null when there is only text. */
  html: string | null
  attachments: Attachment[]
  /** The sender's own id: a message that was sent twice has the same one. */
  messageId: string | null
  atMs: number
}

export interface Attachment {
  name: string
  type: string
  bytes: number
}

const KEPT = 500

export interface Mailbox {
  /** `contents` are those of the attachments, in their order. */
  add(message: Message, contents?: readonly Uint8Array[]): void
  /** Newest first. */
  messages(): Message[]
  /** An attachment and what is in it; undefined when there is none such. */
  attachment(id: string, index: number): (Attachment & { content: Buffer }) | undefined
  replay(message: Message): void
}

/** Everything that was delivered; the newest 500 are kept, with their attachments in `folder`. */
export function openMailbox(
  journal: Pick<Journal, 'append'>,
  folder: string,
  report: (text: string) => void,
): Mailbox {
  let messages: Message[] = []
  const path = (message: Message, index: number) => join(folder, `${message.id}-${index}`)
  const keep = (message: Message) => {
    const all = [message, ...messages]
    messages = all.slice(0, KEPT)
    for (const old of all.slice(KEPT)) {
      for (const index of old.attachments.keys()) rmSync(path(old, index), { force: true })
    }
  }
  return {
    add(message, contents = []) {
      if (contents.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const [index, content] of contents.entries()) {
        writeFileSync(path(message, index), content, { mode: 0o600 })
      }
      journal.append({ type: 'message', message })
      keep(message)
      report(`${CHANNEL_NAMES[message.channel]} to ${message.to.split('\n')[0]}: ${message.subject}`)
    },
    messages: () => messages,
    attachment(id, index) {
      const message = messages.find((one) => one.id === id)
      const attachment = message?.attachments[index]
      if (!message || !attachment) return undefined
      try {
        return { ...attachment, content: readFileSync(path(message, index)) }
      } catch {
        return undefined
      }
    },
    replay: keep,
  }
}

export const CHANNEL_NAMES: Record<Message['channel'], string> = {
  email: 'E-mail',
  sms: 'SMS',
  letter: 'Letter',
  digital_mailbox: 'Digital mailbox',
  electronic_invoice: 'E-invoice',
}
