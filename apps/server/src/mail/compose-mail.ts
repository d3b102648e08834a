/** What a message says, as plain text and as HTML. Subjects name no amount and nobody. */
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import { ARTICLE_OF } from './article-of-mail.ts'

/** Every kind of message has its line there. */
export type MailKind = keyof typeof ARTICLE_OF
export const MAIL_KINDS = Object.keys(ARTICLE_OF) as MailKind[]

/** With a link that proves somebody: nothing of them is kept once they are sent, and nobody else is shown what they say. */
export const SECRET_MAIL_KINDS: readonly MailKind[] = ['staff_invited', 'staff_forgotten']

/** What asks for money: it rests with its debtor (M-34). What answers a debtor, and a new invoice, does not. */
export const RESTING_MAIL_KINDS: readonly MailKind[] = [
  'plan_instalment',
  'plan_missed',
  'plan_ended',
  'interest_invoice',
  'expired_notice',
  'reminder',
  'collection_notice',
  'demand',
]

/** Whose message it is. */
export type Letterhead = {
  readonly name: string
  readonly phone: string
  readonly email: string
  /** The debtor portal's address. */
  readonly portalUrl: string
  /** Where the homepage checks whether a message is from here; left out where nobody is led there. */
  readonly checkUrl?: string
  /** What stands before the names of the support site's articles in this language. */
  readonly articlesUrl?: string
  /** The brand's button and the text on it, `#rrggbb`. */
  readonly fill: string
  readonly onFill: string
}

export type Composed = { readonly subject: string; readonly text: string; readonly html: string }

/** `params` are the values that the kind's sentences name; without a `name` nobody is greeted by it. */
export function composeMail(
  kind: MailKind,
  language: Language,
  params: Readonly<Record<string, string>>,
  head: Letterhead,
): Composed {
  const say = (key: TextKey): string => textOf(language, key, { ...params, instance: head.name })
  const subject = say(`mail.${kind}.subject`)
  const greeting = say(params.name === undefined ? 'mail.hello_anyone' : 'mail.hello')
  // A sentence that is for some only leaves no empty line.
  const paragraphs = say(`mail.${kind}.body`)
    .split('\n')
    .filter((line) => line !== '')
  const contact = textOf(language, 'mail.contact', {
    instance: head.name,
    phone: head.phone,
    email: head.email,
  })
  const article: string | undefined = ARTICLE_OF[kind]
  const open = article === undefined ? undefined : say('mail.open')
  const caution = say('mail.caution')
  const { checkUrl, articlesUrl, portalUrl } = head
  const wayTo = (key: TextKey, url: string | undefined): Way | undefined =>
    article === undefined || url === undefined ? undefined : { text: say(key), url }
  const more = wayTo('mail.more', articlesUrl && `${articlesUrl}${article}/`)
  const check = wayTo('mail.check', checkUrl)
  const asLine = (way: Way | undefined): string[] => (way ? [`${way.text}:\n${way.url}`] : [])
  const text = [
    greeting,
    ...paragraphs,
    ...asLine(open === undefined ? undefined : { text: open, url: portalUrl }),
    ...asLine(more),
    contact,
    caution,
    ...asLine(check),
  ].join('\n\n')
  return {
    subject,
    text: `${text}\n`,
    html: page({ language, subject, greeting, paragraphs, open, contact, caution, more, check, head }),
  }
}

type Way = { readonly text: string; readonly url: string }

type PageParts = {
  readonly language: Language
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** On the button to the debtor's portal. */
  readonly open: string | undefined
  readonly contact: string
  readonly caution: string
  /** To the article that explains it. */
  readonly more: Way | undefined
  /** To the check of whether it is real. */
  readonly check: Way | undefined
  readonly head: Letterhead
}

/** Mail programs know little CSS: a single column, everything inline. */
function page(parts: PageParts): string {
  const { head } = parts
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
  const paragraph = (text: string, style: string): string =>
    `<p style="margin:0 0 16px;${font};${style}">${escape(text)}</p>`
  const body = 'font-size:16px;line-height:24px;color:#16181d'
  const quiet = 'font-size:13px;line-height:20px;color:#4a4f57'
  const button =
    parts.open === undefined
      ? ''
      : `<p style="margin:8px 0 24px"><a href="${escape(head.portalUrl)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${escape(head.fill)};color:${escape(head.onFill)};${font};font-size:16px;font-weight:600;text-decoration:none">${escape(parts.open)}</a></p>\n`
  const way = (to: Way | undefined, margin: string): string =>
    to === undefined
      ? ''
      : `<p style="margin:${margin};${font};${quiet}"><a href="${escape(to.url)}" style="color:#16181d">${escape(to.text)}</a></p>\n`
  return `<!doctype html>
<html lang="${parts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escape(parts.subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f5f7">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d9dce1;border-radius:12px">
<p style="margin:0 0 24px;${font};font-size:15px;line-height:24px;font-weight:600;color:#16181d">${escape(head.name)}</p>
${paragraph(parts.greeting, body)}
${parts.paragraphs.map((text) => paragraph(text, body)).join('\n')}
${button}${way(parts.more, '0 0 16px')}${paragraph(parts.contact, quiet)}
${paragraph(parts.caution, `${quiet};margin:0`)}
${way(parts.check, '16px 0 0')}</div></body></html>
`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
