import { amountText, dayText, escapeHtml, hashSource } from '../html.ts'
import type { Answer, Call } from '../serve.ts'
import type { Bank } from './bank.ts'
import { accountNumberOf, referenceOf, stateOf, twoDecimals } from './payment.ts'
import type { Payment } from './payment.ts'
import { languageOf, SIGN_TEXTS } from './sign-texts.ts'
import type { SignLanguage } from './sign-texts.ts'
import { SIGN_STYLE } from './sign-style.ts'

export interface SignPageParts {
  bank: Bank
  today(): Promise<string>
}

/**
 * The bank's page where the payer lands: `GET` shows the payment, `POST` with `act` approve, decline or
 * cancel decides and sends the browser back to the client. Undefined when the path is not of this page.
 * There is no login: the unguessable last part of the path is what allows the act.
 */
export async function answerSignPage(
  { bank, today }: SignPageParts,
  call: Call,
): Promise<Answer | undefined> {
  const token = /^\/bank\/sign\/([A-Za-z0-9_-]+)$/.exec(call.path)?.[1]
  if (token === undefined) return undefined
  const language = languageOf(call.headers['accept-language'])
  const payment = bank.findByToken(token)
  if (payment === undefined) return answerHtml(404, renderUnknown(language), [])
  if (call.method === 'POST') {
    const act = new URLSearchParams(call.body).get('act')
    if (act === 'approve' && (await bank.sign(payment.paymentId, false))) return goBack(payment, false)
    if ((act === 'decline' || act === 'cancel') && bank.decline(payment.paymentId))
      return goBack(payment, true)
    // Decided in another tab or too late: the page says what holds now.
    return { status: 303, headers: { location: call.path } }
  }
  if (call.method !== 'GET' && call.method !== 'HEAD') return { status: 405, headers: { allow: 'GET, POST' } }
  if (payment.status === 'RCVD') bank.open(payment.paymentId)
  const shown = bank.find(payment.paymentId) ?? payment
  return answerHtml(200, renderPayment(shown, language, await today()), [
    new URL(shown.redirectUri).origin,
    ...(shown.nokRedirectUri === undefined ? [] : [new URL(shown.nokRedirectUri).origin]),
  ])
}

function goBack(payment: Payment, isRefused: boolean): Answer {
  const location = (isRefused ? payment.nokRedirectUri : undefined) ?? payment.redirectUri
  return { status: 303, headers: { location, 'cache-control': 'no-store' } }
}

/** The form's answer leads to the client's origin, which form-action has to name. */
function answerHtml(status: number, body: string, formTargets: string[]): Answer {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(SIGN_STYLE)}`,
    'img-src data:',
    `form-action 'self' ${formTargets.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body,
  }
}

function renderFrame(language: SignLanguage, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Demobanken</title>
<link rel="icon" href="data:,">
<style>${SIGN_STYLE}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true"></span><span class="name">Demobanken</span>
<span class="tape">${escapeHtml(SIGN_TEXTS[language].sandbox)}</span></header>
<main>${content}</main>
</body>
</html>`
}

function renderUnknown(language: SignLanguage): string {
  const texts = SIGN_TEXTS[language]
  return renderFrame(language, texts.unknown, `<h1>${escapeHtml(texts.unknown)}</h1>`)
}

function renderPayment(payment: Payment, language: SignLanguage, today: string): string {
  const texts = SIGN_TEXTS[language]
  const { currency, amount } = payment.instructedAmount
  const day = payment.executionDate ?? payment.requestedExecutionDate ?? today
  const when =
    payment.status === 'RCVD' && day <= today
      ? texts.now
      : dayText(day, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const fact = (name: string, value: string) =>
    `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`
  const facts = `<p class="label">${escapeHtml(texts.payTo)}</p>
<p class="payee">${escapeHtml(payment.creditorName)}</p>
<p class="label">${escapeHtml(texts.amount)}</p>
<p class="amount">${amountText(twoDecimals(amount))} <span>${currency}</span></p>
<dl>${fact(texts.account, accountNumberOf(payment.creditorAccount))}
${fact(texts.reference, referenceOf(payment))}
${payment.status === 'RJCT' || payment.status === 'CANC' ? '' : fact(texts.when, when)}</dl>`
  const state = stateOf(payment)
  if (state !== 'waiting') {
    const target = (payment.status === 'RJCT' ? payment.nokRedirectUri : undefined) ?? payment.redirectUri
    const link = `<a class="primary" href="${escapeHtml(target)}">${escapeHtml(texts.back)}</a>`
    const title = texts.endings[state]
    return renderFrame(language, title, `<h1>${escapeHtml(title)}</h1>${facts}${link}`)
  }
  const button = (act: string, kind: string, text: string) =>
    `<button name="act" value="${act}" class="${kind}">${escapeHtml(text)}</button>`
  return renderFrame(
    language,
    texts.title,
    `<h1>${escapeHtml(texts.title)}</h1>${facts}
<form method="post">${button('approve', 'primary', texts.approve)}
<div class="pair">${button('decline', '', texts.decline)}${button('cancel', '', texts.cancel)}</div></form>`,
  )
}
