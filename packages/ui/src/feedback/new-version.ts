/**
 * The bar of a page whose release is gone. No component: it has to be heard and pressed over a dialog too, behind which nothing can be.
 */
import { say } from '../language/speak.ts'
import css from './new-version.module.css'

/** Says that there is a new version, beside a button that loads it: what was typed stays until then. */
export function showNewVersion(): void {
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
