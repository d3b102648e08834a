/**
 * The provider's chat: its HTML runs in the page, or in a frame of its own that reaches nothing here (D-08). Never
 * before the visitor has agreed and is signed in, and never on the start page.
 */
import { readHash } from '@kvitt/ui/routes.ts'
import type { PageInstance } from '../instance.ts'
import { isSignedIn } from '../session.ts'
import css from './chat.module.css'

/** The policy lets in whatever has the page's nonce: only scripts from hosts that the provider listed get it. */
function isAllowed(script: HTMLScriptElement, hosts: readonly string[]): boolean {
  const src = script.getAttribute('src')
  if (src === null) return true
  if (!URL.canParse(src)) return false
  const { protocol, hostname } = new URL(src)
  return protocol === 'https:' && hosts.includes(hostname)
}

function runInPage(html: string, hosts: readonly string[]): void {
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
  const template = document.createElement('template')
  template.innerHTML = html
  for (const written of template.content.querySelectorAll('script')) {
    // A script that was parsed from text never runs; a new one does.
    const script = document.createElement('script')
    for (const { name, value } of written.attributes) script.setAttribute(name, value)
    script.textContent = written.textContent
    script.nonce = nonce
    if (isAllowed(written, hosts)) written.replaceWith(script)
    else written.remove()
  }
  const box = document.createElement('div')
  box.id = 'helpdesk-chat'
  box.className = 'no-print'
  box.append(template.content)
  document.body.append(box)
}

function openFrame(title: string): void {
  const frame = document.createElement('iframe')
  frame.id = 'helpdesk-chat'
  frame.className = css.frame ?? ''
  frame.title = title
  frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-popups')
  frame.referrerPolicy = 'no-referrer'
  frame.src = '/chat'
  document.body.append(frame)
}

/** Shows the chat wherever it may stand, now and later. Leaving for the start page ends what it had begun. */
export function showChat(instance: PageInstance, title: string): void {
  const { helpdeskChatHtml: html, chat } = instance
  if (!html || !chat) return
  let isShown = false
  const settle = () => {
    const view = readHash(location.hash).segments[0] ?? 'login'
    const mayShow = isSignedIn() && !['login', 'logout'].includes(view)
    if (mayShow && !isShown) {
      isShown = true
      if (chat.mode === 'frame') openFrame(title)
      else runInPage(html, chat.hosts)
    } else if (!mayShow && isShown) location.reload()
  }
  addEventListener('hashchange', settle)
  // A session begins and ends without any event.
  setInterval(settle, 1_000)
  settle()
}
