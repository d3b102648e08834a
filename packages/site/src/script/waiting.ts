/** What waiting costs, worked out here: nothing that is typed leaves the browser. */
import { type CalendarDate, date } from '@kvitt/domain/calendar.ts'
import { nodesOf } from '../make-elements.ts'
import { faultOfDebt, figuresIn, type TypedDebt, waitingResult } from '../waiting-steps.ts'
import { wordsFrom } from '../words.ts'
import { showFaults } from './faults.ts'
import type { PageData } from './start.ts'

const PAUSE_MS = 400

/** Where the visitor is. */
function today(): CalendarDate {
  const now = new Date()
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return date(`${now.getFullYear()}-${month}-${day}`)
}

export function startWaiting({ book, language }: PageData): void {
  const t = wordsFrom(book)
  const form = document.querySelector<HTMLFormElement>('#waiting')
  const place = document.getElementById('result')
  if (!form || !place) return
  // A browser's own words for a day are in its own language.
  form.noValidate = true
  const read = (): TypedDebt => Object.fromEntries(new FormData(form)) as TypedDebt
  const figures = figuresIn(form)
  const resultOf = (typed: TypedDebt): Node[] =>
    nodesOf(waitingResult(typed, language, t, { today: today(), figures }))
  // The built page does not know which of its days have passed; a form that the browser has filled in again says its own debt.
  const example = place.querySelector(':scope > .example')
  place.replaceChildren(...(example ? [example] : []), ...resultOf(read()))
  place.setAttribute('aria-live', 'polite')
  const show = (isSent: boolean): void => {
    const typed = read()
    place.replaceChildren(...resultOf(typed))
    const faults = Object.entries(faultOfDebt(typed))
      // Whoever empties a field to type another value is told when they have sent it.
      .filter(([name]) => isSent || typed[name as keyof TypedDebt] !== '')
      .map(([name, wrong]) => [name, t(wrong)] as const)
    showFaults(form, Object.fromEntries(faults), isSent)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => show(false), PAUSE_MS)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    show(true)
  })
}
