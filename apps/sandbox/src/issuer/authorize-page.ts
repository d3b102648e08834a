import { escapeHtml, hashSource } from '../html.ts'
import type { Answer } from '../serve.ts'
import { ACCOUNTS } from './staff.ts'

const STYLE = `:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.2}
fieldset{border:0;margin:0;padding:0}
label{display:block;padding:.4rem 0}
input[type=email]{font:inherit;box-sizing:border-box;width:100%;padding:.6rem;border:1px solid;border-radius:.4rem;background:Canvas;color:CanvasText}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button{font:inherit;padding:.6rem 1.25rem;border:1px solid;border-radius:.4rem;background:Canvas;color:CanvasText;cursor:pointer}
button.first{background:CanvasText;color:Canvas;font-weight:600}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`

/** Who signs in is picked, as there is no password here. `hint` is who the client thinks it is, `client` where it leads back to. */
export function renderAuthorize(hint: string, client: string): Answer {
  const email = hint.toLowerCase()
  const isKnown = ACCOUNTS.some((one) => one.email === email)
  const choices = ACCOUNTS.map(
    (one) =>
      `<label><input type="radio" name="email" value="${one.email}"${one.email === email ? ' checked' : ''}> ${one.name}, ${one.email}</label>`,
  )
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo issuer</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Demo issuer</h1><p>Who signs in? There is no password here: this plays the company's own sign-in.</p>
<form method="post"><fieldset><legend>Account</legend>${choices.join('')}</fieldset>
<label for="other">Somebody else</label><input id="other" name="other" type="email" value="${isKnown ? '' : escapeHtml(hint)}">
<div class="acts"><button class="first" name="act" value="sign-in">Sign in</button><button name="act" value="decline">Cancel</button></div>
</form></main></body></html>`
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The form's answer leads to the client.
      'content-security-policy': `default-src 'none'; style-src ${hashSource(STYLE)}; img-src data:; form-action 'self' ${client}; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body,
  }
}
