/** The homepage's first page: the check answers in place, the door keeps its pair out of the server's log. */
import type { MessageAnswer } from '@kvitt/domain/messages/message-check.contract.ts'
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'
import { findSolution } from '@kvitt/ui/find-solution.ts'
import { faultsOfDoor, pairOfDoor } from '../door-form.ts'
import { el } from '../element.ts'
import { checkAnswer, checkTyped, isFault } from '../message-check.ts'
import { nodesOf } from '../make-elements.ts'
import { type Words, wordsFrom } from '../words.ts'
import { clearFault, showFaults, tellFault } from './faults.ts'
import { tellServices } from './services.ts'
import type { PageData } from './start.ts'

const LONGEST_REFERENCE = 200

export function startFrontPage({ book, language, portal = '' }: PageData): void {
  const t = wordsFrom(book)
  startCheck(t, language, `${portal}/${language}/`)
  startDoor(t, `${portal}/#/${language}/`)
  void tellServices(t)
}

const send = (path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`/api/public${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

type Told = Partial<MessageAnswer> & { code?: string; params?: { challenge?: string } }

/** `onCalculation`: told when this device has to calculate first, in the place of a wait. */
async function askOne(
  message: string,
  { language, onCalculation }: { language: string; onCalculation: () => void },
): Promise<MessageAnswer | 'later' | 'failed'> {
  const check = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    send('/messages/check', { message }, { 'accept-language': language, ...headers })
  try {
    let response = await check({})
    let told = (await response.json()) as Told
    // Over plain http a browser has nothing to calculate with.
    if (told.params?.challenge && globalThis.crypto?.subtle) {
      onCalculation()
      const made = await send('/challenges', { paymentReference: message.slice(0, LONGEST_REFERENCE) }, {})
      const challenge = (await made.json()) as ChallengeAnswer
      const number = await findSolution(challenge)
      response = await check({ 'challenge-solution': `${challenge.challenge}.${number}` })
      told = (await response.json()) as Told
    }
    if (told.code === 'check_throttled') return 'later'
    if (!response.ok) return 'failed'
    return { ...told, genuine: told.genuine === true }
  } catch {
    return 'failed'
  }
}

function startCheck(t: Words, language: string, portal: string): void {
  const form = document.getElementById('check-form')
  const field = document.querySelector<HTMLTextAreaElement>('#message')
  const place = document.getElementById('answer')
  if (!(form instanceof HTMLFormElement) || !field || !place) return
  // What is sent in no address may be longer than one.
  field.removeAttribute('maxlength')
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  const rung = document.querySelector<HTMLAnchorElement>('footer a[href^="tel:"]')
  const phone = rung ? { text: rung.textContent ?? '', href: rung.pathname } : undefined
  let asked = 0
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const mine = ++asked
    const onCalculation = (): void => {
      if (mine === asked) place.replaceChildren(...nodesOf(el('p', {}, t('check.calculating'))))
    }
    const ask = (text: string) => askOne(text, { language, onCalculation })
    void checkTyped(field.value, ask).then((result) => {
      // An answer to what is no longer asked is none.
      if (mine !== asked) return
      const nodes = nodesOf(checkAnswer(result, t, { phone, portal }))
      clearFault(field, place)
      if (isFault(result.answer)) return tellFault(field, place, { nodes, isFocused: true })
      place.replaceChildren(...nodes)
      place.scrollIntoView({ block: 'nearest' })
    })
  })
  field.addEventListener('input', () => {
    asked += 1
    clearFault(field, place)
    place.replaceChildren()
  })
}

/** The answer to a reference leads to the door, whose fields it fills: what is in no address is in no log. */
function fillDoor(form: HTMLFormElement): void {
  document.getElementById('answer')?.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('a[data-pair]')
    if (!link) return
    event.preventDefault()
    for (const [name, value] of new URLSearchParams(link.dataset.pair)) {
      const input = form.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = value
    }
    // With both of them the invoice opens; without the postal code that field is asked for.
    if (new URLSearchParams(link.dataset.pair).get('zip')) form.requestSubmit()
    else form.querySelector<HTMLInputElement>('#zip')?.focus()
  })
}

/** Behind the hash the pair stays in the browser until the portal asks with it. */
function startDoor(t: Words, portal: string): void {
  const form = document.querySelector<HTMLFormElement>('#door')
  if (!form) return
  fillDoor(form)
  let isSent = false
  const read = (): { paymentReference: string; zip: string } => {
    const sent = new FormData(form)
    const of = (name: string): string => {
      const value = sent.get(name)
      return typeof value === 'string' ? value : ''
    }
    return { paymentReference: of('paymentReference'), zip: of('zip') }
  }
  const show = (isNow: boolean): boolean => {
    const faults = Object.entries(faultsOfDoor(read())).map(([name, wrong]) => [name, t(wrong)] as const)
    showFaults(form, Object.fromEntries(faults), isNow)
    return faults.length > 0
  }
  // Once it was pressed, a fault goes as soon as it is mended.
  form.addEventListener('input', () => isSent && show(false))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    isSent = true
    if (show(true)) return
    location.assign(`${portal}?${pairOfDoor(read())}`)
  })
}
