import { escapeHtml, timeText } from '../html.ts'
import { CHANNEL_NAMES } from '../mail/mailbox.ts'
import type { Mailbox, Message } from '../mail/mailbox.ts'
import type { Answer } from '../serve.ts'
import { renderIcon } from './icons.ts'
import type { Icon } from './icons.ts'

const SHOWN = 40
const CHANNELS = Object.keys(CHANNEL_NAMES) as Message['channel'][]
const VIEWS = ['shown', 'text', 'source'] as const
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
  /** As a mail program shows it, its plain text, or the HTML it is made of. */
  view: (typeof VIEWS)[number]
  /** Only what went this way; null for all. */
  channel: string | null
}

export function viewOf(name: string | null): Picked['view'] {
  return VIEWS.find((view) => view === name) ?? 'shown'
}

/** The mailbox: what was sent to anybody, newest first, and one of it open. */
export function renderMailbox(mailbox: Mailbox, picked: Picked): string {
  const all = mailbox.messages()
  const channels = CHANNELS.filter((channel) => all.some((message) => message.channel === channel))
  const channel = channels.find((name) => name === picked.channel)
  const messages = channel ? all.filter((message) => message.channel === channel) : all
  const count = messages.length > 0 ? ` <span>${messages.length}</span>` : ''
  const head = `<div class="card-head"><h2>${renderIcon('mail')}Mailbox${count}</h2></div>${renderChannels(channels, channel)}`
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

/** A tab for each way that something went. */
function renderChannels(channels: Message['channel'][], picked?: Message['channel']): string {
  if (channels.length < 2) return ''
  const tab = (name: string, text: string, isPicked: boolean) =>
    `<button type="button" data-pick="channel=${name}" data-key="channel-${name}" aria-pressed="${isPicked}">${text}</button>`
  const tabs = channels.map((name) => tab(name, CHANNEL_NAMES[name], name === picked))
  return `<div class="tabs ways" role="group" aria-label="Sent by">${tab('', 'All', picked === undefined)}${tabs.join('')}</div>`
}

function renderLine(message: Message, isOpen: boolean): string {
  return `<li><button type="button" class="mail" data-pick="mail=${message.id}" data-key="mail-${message.id}" aria-current="${isOpen}">
${renderIcon(ICONS[message.channel])}<span class="unseen">${CHANNEL_NAMES[message.channel]}</span>
<strong>${escapeHtml(message.to.split('\n')[0] ?? '')}</strong><span>${timeText(message.atMs, false)}</span>
<span class="subject">${escapeHtml(message.subject)}</span></button></li>`
}

function renderOpen(message: Message, view: Picked['view']): string {
  const { html } = message
  const viewed = html === null ? 'text' : view
  const tab = (name: Picked['view'], text: string) =>
    `<button type="button" data-pick="view=${name}" data-key="view-${name}" aria-pressed="${name === viewed}">${text}</button>`
  const tabs =
    html === null
      ? ''
      : `<div class="tabs">${tab('shown', 'Shown')}${tab('text', 'Text')}${tab('source', 'Source')}</div>`
  const body =
    viewed === 'shown'
      ? `<iframe src="/page/mail/${message.id}" title="${escapeHtml(message.subject)}" sandbox="allow-popups"></iframe>`
      : `<pre tabindex="0">${escapeHtml((viewed === 'source' && html) || message.text)}</pre>`
  const attachments = message.attachments.map(
    ({ name, bytes }, index) =>
      `<li>${renderIcon('letter')}<a href="${attachmentPath(message.id, index)}" target="_blank" rel="noopener">${escapeHtml(name)}</a>, ${Math.ceil(bytes / 1024)} kB</li>`,
  )
  return `<div class="open-mail"><div class="card-head"><h3>${escapeHtml(message.subject)}</h3>${tabs}</div>
<p class="quiet">${fromAndTo(message)}</p>${body}${
    attachments.length > 0 ? `<ul class="attached">${attachments.join('')}</ul>` : ''
  }</div>`
}

function fromAndTo({ channel, from, fromAddress, to }: Message): string {
  if (channel === 'letter') return 'On paper, by post'
  if (channel === 'digital_mailbox') return `In the digital mailbox of ${escapeHtml(to)}`
  if (channel === 'electronic_invoice') return `Electronic invoice to ${escapeHtml(to)}`
  const sender = fromAddress && fromAddress !== from ? `${from} (${fromAddress})` : from
  return `From ${escapeHtml(sender)} to ${escapeHtml(to)}`
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
