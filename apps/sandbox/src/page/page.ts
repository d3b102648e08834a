import { hashSource } from '../html.ts'
import { answerJson } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import { renderByHand } from './by-hand-part.ts'
import { answerAttachment, answerMail } from './mailbox-part.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'
import { renderRegions } from './parts.ts'
import type { PageParts, Regions } from './parts.ts'

const POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(PAGE_STYLE)}`,
  `script-src ${hashSource(PAGE_SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The sandbox's page at `/` and, for its script, its changing regions; undefined for other paths. */
export async function answerPage(parts: PageParts, call: Call): Promise<Answer | undefined> {
  if (call.method !== 'GET') return undefined
  if (call.path === '/page/regions') return answerJson(200, await renderRegions(parts, call.query))
  const mailId = /^\/page\/mail\/([0-9a-f-]{36})$/.exec(call.path)?.[1]
  if (mailId !== undefined) return answerMail(parts.mailbox, mailId)
  const [, attachedTo, index] = /^\/page\/mail\/([0-9a-f-]{36})\/(\d{1,2})$/.exec(call.path) ?? []
  if (attachedTo !== undefined) return answerAttachment(parts.mailbox, attachedTo, Number(index))
  if (call.path !== '/') return undefined
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: renderPage(await renderRegions(parts, call.query)),
  }
}

function renderPage(regions: Regions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox: the payer, the bank and the post</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><span class="tape">Sandbox</span><h1>Play the payer, the bank and the post</h1>
<span class="quiet">No real money, no real people</span>
<a href="/receiver">Webhooks</a>
<div id="day" data-region tabindex="-1">${regions.day}</div></header>
<p id="alert" role="alert"></p>
<p id="more" class="unseen" role="status"></p>
<nav aria-label="On this page"><a href="#phone">Phone</a><a href="#ledger">Ledger</a><a href="#bank">Bank</a>
<a href="#faults">Faults</a><a href="#mailbox">Mail</a><a href="#activity">Log</a></nav>
<main>
<div class="left">
<section id="phone" data-region tabindex="-1" aria-label="The payer’s phone">${regions.phone}</section>
<section id="ledger" class="card" data-region tabindex="-1" aria-label="The ledger">${regions.ledger}</section>
</div>
<div class="middle">
<section id="bank" class="card" data-region tabindex="-1" aria-label="The bank">${regions.bank}</section>
<section class="card" aria-label="Pay by hand">${renderByHand()}</section>
<section id="faults" class="card" data-region tabindex="-1" aria-label="Faults">${regions.faults}</section>
</div>
<div class="right">
<section id="mailbox" class="card" data-region tabindex="-1" aria-label="The mailbox">${regions.mailbox}</section>
<section id="activity" class="card" data-region tabindex="-1" aria-label="What happened">${regions.activity}</section>
</div>
</main>
<footer><div id="foot" data-region tabindex="-1">${regions.foot}</div>
<button type="button" id="keys" aria-pressed="true">Keys</button></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>`
}
