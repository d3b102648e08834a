import { escapeHtml } from '../html.ts'

/** A control call that a button makes: method, path, body. */
export type ButtonCall = readonly [method: string, path: string, body?: object]

export interface Button {
  /** Keeps the focus when the region around the button is drawn again. */
  key: string
  text: string
  /** Made one after the other. */
  calls: readonly ButtonCall[]
  shortcut?: string
  kind?: string
  /** Said by screen readers after the text. */
  label?: string
  /** More about the button, shown on hover. */
  hint?: string
  /** Of a choice: whether it is the one that holds. */
  pressed?: boolean
}

export function renderButton(button: Button): string {
  const { key, text, calls, shortcut, kind, label, hint, pressed } = button
  const attributes = [
    `data-key="${escapeHtml(key)}"`,
    `data-calls="${escapeHtml(JSON.stringify(calls))}"`,
    ...(kind ? [`class="${kind}"`] : []),
    ...(label ? [`aria-label="${escapeHtml(`${text}: ${label}`)}"`] : []),
    ...(pressed === undefined ? [] : [`aria-pressed="${pressed}"`]),
    ...(hint ? [`title="${escapeHtml(hint)}"`] : []),
    ...(shortcut ? [`data-shortcut="${shortcut}" aria-keyshortcuts="${shortcut.toUpperCase()}"`] : []),
  ]
  const cap = shortcut ? ` <kbd aria-hidden="true">${shortcut.toUpperCase()}</kbd>` : ''
  return `<button type="button" ${attributes.join(' ')}>${escapeHtml(text)}${cap}</button>`
}

export function renderTools(buttons: string[]): string {
  return `<div class="tools">${buttons.join('')}</div>`
}
