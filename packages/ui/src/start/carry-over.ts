/**
 * The prerendered start page can be used before its program has come: what was typed into it, where the cursor
 * stood, and a form that was sent meanwhile are carried over to the page that takes its place.
 */

import type { PageStart } from './page-start.ts'

type Typed = { readonly name: string; readonly value: string; readonly isFocused: boolean }

function readTyped(root: Element): Typed[] {
  return [...root.querySelectorAll<HTMLInputElement>('input[name]')]
    .map((field) => ({
      name: field.name,
      value: field.value,
      isFocused: field === document.activeElement,
    }))
    .filter(({ value, isFocused }) => value !== '' || isFocused)
}

function typeAgain(root: Element, typed: readonly Typed[]): HTMLInputElement | undefined {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  let last: HTMLInputElement | undefined
  for (const { name, value, isFocused } of typed) {
    const field = root.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)
    if (!field) continue
    last = field
    if (value !== '' && field.value === '') {
      // Past React's own setter, so that it notices a change.
      setValue?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (isFocused) field.focus({ preventScroll: true })
  }
  return last
}

/** Puts `page` in the place of `root`, and does there again what a person has done here. */
export function carryOver(root: Element, page: HTMLElement): void {
  const typed = readTyped(root)
  page.id = root.id
  root.replaceWith(page)
  // As soon as the page listens, and before anybody else can type.
  queueMicrotask(() => doAgain(page, typed))
}

function doAgain(page: Element, typed: readonly Typed[]): void {
  const field = typeAgain(page, typed)
  const start = globalThis as PageStart
  if (start.kvittSent) field?.form?.requestSubmit()
  const { kvittPressed: pressed } = start
  if (pressed) [...page.querySelectorAll('button')].find((b) => b.textContent === pressed)?.click()
  delete start.kvittSent
  delete start.kvittPressed
}
