import { escapeHtml, timeText } from '../html.ts'
import { CHANNEL_NAMES } from '../mail/mailbox.ts'
import type { Mailbox, Message } from '../mail/mailbox.ts'
import type { Answer } from '../serve.ts'
import { renderIcon } from './icons.ts'
import type { Icon } from './icons.ts'

const SHOWN = 40
const ICONS: Record<Message['channel'], Icon> = {
  email: 'mail',
  sms: 'phone',
  letter: 'letter',
  digital_mailbox: 'inbox',
  electronic_invoice: 'invoice',
}

export interface Picked {
  /** The message that is open; null for the newest. */
  id: string | null
  /** As a mail program shows it, or its plain text. */
  view: 'shown' | 'text'
}

/** The mailbox: what was sent to anybody, newest first, and one of it open. */
export function renderMailbox(mailbox: Mailbox, picked: Picked): string {
  const messages = mailbox.messages()
  const count = messages.length > 0 ? ` <span>${messages.length}</span>` : ''
  const head = `<div class="card-head"><h2>${renderIcon('mail')}Mailbox${count}</h2></div>`
  const open = messages.find(({ id }) => id === picked.id) ?? messages[0]
  if (open === undefined) {
    return `${head}<p class="quiet">Nothing was sent yet. A confirmation comes when a payment is settled or an invoice is disputed, a reminder when a night has sent one.</p>`
  }
  const lines = messages.slice(0, SHOWN).map((message) => renderLine(message, message === open))
  const older = messages.length - SHOWN
  return `${head}<ul class="mails" tabindex="0" aria-label="Messages, newest first">${lines.join('')}</ul>${
    older > 0 ? `<p class="quiet">and ${older} older</p>` : ''
  }${renderOpen(open, picked.view)}`
}

function renderLine(message: Message, isOpen: boolean): string {
  return `<li><button type="button" class="mail" data-pick-mail="${message.id}" data-key="mail-${message.id}" aria-current="${isOpen}">
${renderIcon(ICONS[message.channel])}<span class="unseen">${CHANNEL_NAMES[message.channel]}</span>
<strong>${escapeHtml(message.to.split('\n')[0] ?? '')}</strong><span>${timeText(message.atMs, false)}</span>
<span class="subject">${escapeHtml(message.subject)}</span></button></li>`
}

function renderOpen(message: Message, view: Picked['view']): string {
  const isShown = view === 'shown' && message.html !== null
  const tab = (name: Picked['view'], text: string) =>
    `<button type="button" data-pick-view="${name}" data-key="view-${name}" aria-pressed="${isShown === (name === 'shown')}">${text}</button>`
  const tabs =
    message.html === null ? '' : `<div class="tabs">${tab('shown', 'Shown')}${tab('text', 'Text')}</div>`
  const body = isShown
    ? `<iframe src="/page/mail/${message.id}" title="${escapeHtml(message.subject)}" sandbox="allow-popups"></iframe>`
    : `<pre>${escapeHtml(message.text)}</pre>`
  const attachments = message.attachments.map(
    ({ name, bytes }, index) =>
      `<li>${renderIcon('letter')}<a href="${attachmentPath(message.id, index)}" target="_blank" rel="noopener">${escapeHtml(name)}</a>, ${Math.ceil(bytes / 1024)} kB</li>`,
  )
  return `<div class="open-mail"><div class="card-head"><h3>${escapeHtml(message.subject)}</h3>${tabs}</div>
<p class="quiet">${fromAndTo(message)}</p>${body}${
    attachments.length > 0 ? `<ul class="attached">${attachments.join('')}</ul>` : ''
  }</div>`
}

function fromAndTo({ channel, from, to }: Message): string {
  if (channel === 'letter') return 'On paper, by post'
  if (channel === 'digital_mailbox') return `In the digital mailbox of ${escapeHtml(to)}`
  if (channel === 'electronic_invoice') return `Electronic invoice to ${escapeHtml(to)}`
  return `From ${escapeHtml(from)} to ${escapeHtml(to)}`
}

/** Where an attachment is opened. */
export function attachmentPath(id: string, index: number): string {
  return `/page/mail/${id}/${index}`
}

/** An attachment; anything but a PDF is saved, not shown. */
export function answerAttachment(mailbox: Mailbox, id: string, index: number): Answer {
  const found = mailbox.attachment(id, index)
  if (!found) return { status: 404 }
  const isPdf = found.type === 'application/pdf'
  return {
    status: 200,
    headers: {
      'content-type': isPdf ? found.type : 'application/octet-stream',
      'content-disposition': isPdf ? 'inline' : 'attachment',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body: found.content,
  }
}

/** A message as a mail program would show it: no script, no picture from elsewhere, links in a window of their own. */
export function answerMail(mailbox: Mailbox, id: string): Answer {
  const message = mailbox.messages().find((one) => one.id === id)
  if (!message?.html) return { status: 404 }
  const base = '<base target="_blank">'
  const body = /<head>/i.test(message.html)
    ? message.html.replace(/<head>/i, `<head>${base}`)
    : `${base}${message.html}`
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        'img-src data:',
        "frame-ancestors 'self'",
        'sandbox allow-popups',
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body,
  }
}
