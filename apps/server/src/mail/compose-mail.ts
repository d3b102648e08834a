/** What a message says, as plain text and as HTML. Subjects name no amount and nobody. */
import { textOf, type Language, type TextKey } from '../platform/texts.ts'

export const MAIL_KINDS = [
  'payment_received',
  'payment_received_in_part',
  'payment_received_too_much',
  'direct_payment',
  'direct_payment_in_part',
  'direct_payment_too_much',
  'payment_moved',
  'payment_gone_back',
  'payment_sent_back',
  'payment_reversed',
  'direct_payment_reversed',
  'dispute_received',
  'dispute_opened',
  'dispute_rejected',
  'dispute_upheld',
  'dispute_upheld_in_part',
  'question_answered',
  'request_answered',
  'costs_waived',
  'interest_waived',
  'all_interest_waived',
  'written_off',
  'new_invoice',
  'more_time',
  'more_time_on_claim',
  'credited',
  'stopped',
  'recalled',
  'plan_started',
  'plan_instalment',
  'plan_missed',
  'plan_ended',
  'interest_invoice',
  'expired_notice',
  'reminder',
  'collection_notice',
  'demand',
  'staff_invited',
  'staff_added',
  'staff_forgotten',
  'staff_password_changed',
  'staff_factor_on',
  'staff_factor_off',
  'staff_factor_reset',
  'staff_recovery_used',
  'staff_webhook_off',
  'staff_payout_account',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** With a link that proves somebody: nothing of them is kept once they are sent, and nobody else is shown what they say. */
export const SECRET_MAIL_KINDS: readonly MailKind[] = ['staff_invited', 'staff_forgotten']

/** What the creditor and its staff are told: the debtor's portal is no place of theirs. */
const TO_CREDITOR: readonly MailKind[] = [
  'dispute_opened',
  'staff_invited',
  'staff_added',
  'staff_forgotten',
  'staff_password_changed',
  'staff_factor_on',
  'staff_factor_off',
  'staff_factor_reset',
  'staff_recovery_used',
  'staff_webhook_off',
  'staff_payout_account',
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
  const open = TO_CREDITOR.includes(kind) ? undefined : say('mail.open')
  const caution = say('mail.caution')
  const link = open === undefined ? [] : [`${open}:\n${head.portalUrl}`]
  const { checkUrl } = head
  const check =
    open === undefined || checkUrl === undefined ? undefined : { text: say('mail.check'), url: checkUrl }
  const checked = check === undefined ? [] : [`${check.text}:\n${check.url}`]
  const text = [greeting, ...paragraphs, ...link, contact, caution, ...checked].join('\n\n')
  return {
    subject,
    text: `${text}\n`,
    html: page({ language, subject, greeting, paragraphs, open, contact, caution, check, head }),
  }
}

type PageParts = {
  readonly language: Language
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** On the button to the debtor's portal. */
  readonly open: string | undefined
  readonly contact: string
  readonly caution: string
  /** The way to the check. */
  readonly check: { readonly text: string; readonly url: string } | undefined
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
  const check =
    parts.check === undefined
      ? ''
      : `\n<p style="margin:16px 0 0;${font};${quiet}"><a href="${escape(parts.check.url)}" style="color:#16181d">${escape(parts.check.text)}</a></p>`
  return `<!doctype html>
<html lang="${parts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escape(parts.subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f5f7">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d9dce1;border-radius:12px">
<p style="margin:0 0 24px;${font};font-size:15px;line-height:24px;font-weight:600;color:#16181d">${escape(head.name)}</p>
${paragraph(parts.greeting, body)}
${parts.paragraphs.map((text) => paragraph(text, body)).join('\n')}
${button}${paragraph(parts.contact, quiet)}
${paragraph(parts.caution, `${quiet};margin:0`)}${check}
</div></body></html>
`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
