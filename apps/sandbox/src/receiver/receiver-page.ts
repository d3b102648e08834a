import { escapeHtml, hashSource, timeText } from '../html.ts'
import { PAGE_STYLE } from '../page/page-style.ts'
import type { Answer } from '../serve.ts'
import { MODES } from './receiver.ts'
import type { Received, Receiver } from './receiver.ts'

const STYLE = `${PAGE_STYLE}
.receiver{display:grid;grid-template-columns:minmax(0,1fr);max-width:60rem}
.receiver form{grid-template-columns:minmax(0,1fr);gap:1rem;margin:0;justify-items:start}
.receiver fieldset{border:0;padding:0;display:grid;gap:.375rem}
.receiver legend{font-weight:600;padding:0 0 .375rem}
.receiver fieldset label{display:flex;gap:.5rem;align-items:center;font-size:.875rem;color:var(--text)}
.receiver [type=radio]{width:1rem;min-height:1rem;height:1rem;margin:0;accent-color:var(--fill)}
.receiver .secret{width:100%}
.receiver .secret input{font-family:monospace}
.come{list-style:none;padding:0;display:grid;gap:.75rem}
.come li{border-top:1px solid var(--line);padding-top:.75rem}
.come pre{white-space:pre-wrap;overflow-wrap:anywhere;font:400 .75rem/1.125rem monospace;margin-top:.375rem}
.right-one{color:var(--ok)}.wrong-one{color:var(--bad)}
`

const POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(STYLE)}`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What has come, whether it is signed by the secret, and how the receiver behaves. */
export function answerReceiverPage(receiver: Receiver): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: renderPage(receiver),
  }
}

function renderPage(receiver: Receiver): string {
  const come = receiver.received()
  const list =
    come.length === 0
      ? '<p class="quiet">Nothing has come yet. Make a webhook in the creditor’s portal with this page’s address, and send a test event.</p>'
      : `<ol class="come">${come.map(renderOne).join('')}</ol>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox: a receiver of webhooks</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><span class="tape">Sandbox</span><h1>A creditor’s program that receives webhooks</h1><a href="/">Back to the sandbox</a></header>
<main class="receiver">
<section class="card" aria-label="How it behaves">
<form method="post" action="/receiver/settings">
<label class="secret"><span>Secret, as the portal shows it once</span>
<input name="secret" value="${escapeHtml(receiver.secret())}" placeholder="whsec_…" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>What it does with what comes</legend>${renderModes(receiver)}</fieldset>
<div><button type="submit">Save</button></div>
</form>
</section>
<section class="card" aria-label="What has come">
<div class="card-head"><h2>What has come <span>${come.length || ''}</span></h2><a href="/receiver">Look again</a></div>
${list}
</section>
</main>
</body>
</html>`
}

function renderModes(receiver: Receiver): string {
  return Object.entries(MODES)
    .map(([mode, text]) => {
      const checked = mode === receiver.mode() ? ' checked' : ''
      return `<label><input type="radio" name="mode" value="${mode}"${checked}> ${escapeHtml(text)}</label>`
    })
    .join('')
}

const SAYS: Record<Received['signature'], string> = {
  right: 'Signature is right',
  wrong: 'Signature is wrong',
  'too old': 'Signature is right, but too old',
  'no secret yet': 'Not checked: no secret yet',
}

function renderOne({ atMs, id, type, body, signature }: Received): string {
  const look = signature === 'right' ? 'right-one' : signature === 'no secret yet' ? 'quiet' : 'wrong-one'
  return `<li><strong>${escapeHtml(type)}</strong> <span class="quiet">${timeText(atMs, true)}</span>
<span class="${look}">${SAYS[signature]}</span><pre>${escapeHtml(id)}
${escapeHtml(body)}</pre></li>`
}
