import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Journal } from '../journal.ts'
import { isRecord } from '../serve.ts'
import type { Mailbox } from './mailbox.ts'

export interface PrinterParts {
  mailbox: Mailbox
  journal: Pick<Journal, 'saved'>
  clock: Clock
}

/**
 * The printing house: takes every `<id>.pdf` out of the product's print queue, with the `<id>.json` beside it, and
 * delivers it. What it has delivered it does not deliver again, though it died before it took the file away.
 */
export async function takeLetters({ mailbox, journal, clock }: PrinterParts, folder: string): Promise<void> {
  for (const name of waitingIn(folder)) {
    const id = name.slice(0, -'.pdf'.length)
    const ticket = readTicket(join(folder, `${id}.json`))
    const isDelivered = mailbox.messages().some(({ messageId }) => messageId === id)
    if (ticket && !isDelivered) {
      const pdf = readFileSync(join(folder, name))
      mailbox.add(
        {
          id,
          channel: 'letter',
          to: ticket.to.join('\n'),
          from: '',
          subject: ticket.title,
          text: [ticket.title, '', ...ticket.to].join('\n'),
          html: null,
          attachments: [{ name, type: 'application/pdf', bytes: pdf.byteLength }],
          messageId: id,
          atMs: clock.now(),
        },
        [pdf],
      )
    }
    await journal.saved()
    if (ticket) {
      rmSync(join(folder, name), { force: true })
      rmSync(join(folder, `${id}.json`), { force: true })
    }
  }
}

function waitingIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f-]{36}\.pdf$/.test(name))
  } catch {
    // The product makes the folder with its first letter.
    return []
  }
}

function readTicket(path: string): { title: string; to: string[] } | undefined {
  try {
    const ticket: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isRecord(ticket) || typeof ticket['title'] !== 'string' || !Array.isArray(ticket['to']))
      return undefined
    return { title: ticket['title'], to: ticket['to'].map(String) }
  } catch {
    return undefined
  }
}
