/**
 * What a page does when it asks a process of another release. It comes when it is needed, and is no component: the first load has no room
 * for it, and it has to be heard and pressed over a dialog too, behind which nothing can be.
 */
import { say } from '../language/speak.ts'
import css from './other-release.module.css'

/** How often, and how soon, it is asked again: the next process is one of ours, if there is any left. */
const TRIES = 3
const WAIT_MS = 250

/** Sends a call again that a process of another contract did nothing of. When nobody is left who can do it, the page says so. */
export async function askAgain(send: () => Promise<Response>, first: Response): Promise<Response> {
  let response = first
  for (let tries = 0; tries < TRIES && response.headers.has('X-Other-Contract'); tries++) {
    await new Promise((next) => setTimeout(next, WAIT_MS))
    response = await send()
  }
  if (response.headers.has('X-Other-Contract')) {
    const told = (await response.clone().json()) as { code?: string } | null
    if (told?.code === 'other_release') showNewVersion()
  }
  return response
}

/** Says that there is a new version, beside a button that loads it: what was typed stays until then. */
function showNewVersion(): void {
  const page = globalThis.document
  if (!page) return
  const place = page.querySelector('dialog[open]') ?? page.body
  if (place.querySelector(`:scope > .${css.bar}`)) return
  const bar = page.createElement('div')
  bar.className = css.bar ?? ''
  bar.role = 'alert'
  const text = page.createElement('p')
  text.textContent = say('version.new')
  const button = page.createElement('button')
  button.type = 'button'
  button.textContent = say('version.reload')
  button.addEventListener('click', () => page.defaultView?.location.reload())
  bar.append(text, button)
  place.prepend(bar)
}
