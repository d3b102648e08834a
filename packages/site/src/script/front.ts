/** The homepage's first page: the check answers in place, the door keeps its pair out of the server's log. */
import { checkAnswer, type CheckAnswer } from '../message-check.ts'
import { nodesOf } from '../make-elements.ts'
import { servicesInWords, type ServiceState } from '../service-states.ts'
import { type Words, wordsFrom } from '../words.ts'
import type { PageData } from './start.ts'

const LONGEST = 20_000

export function startFrontPage({ book, language }: PageData): void {
  const t = wordsFrom(book)
  startCheck(t, language)
  startDoor()
  void tellServices(t)
}

async function ask(message: string, language: string): Promise<CheckAnswer> {
  if (message.trim() === '') return 'empty'
  try {
    const response = await fetch('/api/public/messages/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ message: message.slice(0, LONGEST) }),
    })
    const answer = (await response.json()) as { genuine?: boolean; code?: string }
    if (answer.code === 'check_throttled') return 'later'
    if (!response.ok) return 'failed'
    return answer.genuine === true ? 'yes' : 'no'
  } catch {
    return 'failed'
  }
}

function startCheck(t: Words, language: string): void {
  const form = document.getElementById('check-form')
  const field = document.querySelector<HTMLInputElement>('#message')
  const place = document.getElementById('answer')
  if (!form || !field || !place) return
  let asked = 0
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const mine = ++asked
    void ask(field.value, language).then((answer) => {
      // An answer to what is no longer asked is none.
      if (mine === asked) place.replaceChildren(...nodesOf(checkAnswer(answer, t)))
      if (answer === 'empty') field.focus()
    })
  })
  field.addEventListener('input', () => {
    asked += 1
    place.replaceChildren()
  })
}

/** Behind the hash the pair stays in the browser until the portal asks with it. */
function startDoor(): void {
  const form = document.querySelector<HTMLFormElement>('#door')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const pair = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') pair.set(name, value)
    const action = new URL(form.action)
    location.assign(`${action.origin}/#${action.pathname}?${pair}`)
  })
}

async function tellServices(t: Words): Promise<void> {
  const place = document.getElementById('services')
  if (!place) return
  try {
    const response = await fetch('/api/public/service-states')
    if (!response.ok) return
    const { services } = (await response.json()) as { services: ServiceState[] }
    place.dataset.state = services.some(({ state }) => state === 'silent') ? 'silent' : 'works'
    place.textContent = servicesInWords(services, t)
  } catch {
    // The link to the page of services stays.
  }
}
