/** What waiting costs, worked out here: nothing that is typed leaves the browser. */
import { nodesOf } from '../make-elements.ts'
import { type TypedDebt, waitingResult } from '../waiting-steps.ts'
import { wordsFrom } from '../words.ts'
import type { PageData } from './start.ts'

const PAUSE_MS = 400

export function startWaiting({ book, language }: PageData): void {
  const t = wordsFrom(book)
  const form = document.querySelector<HTMLFormElement>('#waiting')
  const place = document.getElementById('result')
  if (!form || !place) return
  place.setAttribute('aria-live', 'polite')
  const show = (): void => {
    const typed = Object.fromEntries(new FormData(form)) as TypedDebt
    place.replaceChildren(...nodesOf(waitingResult(typed, language, t)))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(show, PAUSE_MS)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    show()
  })
}
