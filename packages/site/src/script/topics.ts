/** The search of the support site. Its index is fetched when it is first used, and kept for when there is no network. */
import { answerList } from '../answer-list.ts'
import { openSearch, type SearchAnswer, type SearchIndex } from '../find-articles.ts'
import { nodesOf } from '../make-elements.ts'
import { type Words, wordsFrom } from '../words.ts'
import type { PageData } from './start.ts'

const MOST_SHOWN = 6

type Place = {
  readonly form: HTMLElement
  readonly field: HTMLInputElement
  readonly list: HTMLElement
  readonly status: HTMLElement
}

function findPlace(): Place | undefined {
  const form = document.getElementById('search')
  const field = document.querySelector<HTMLInputElement>('#question')
  const [list, status] = ['answers', 'found'].map((id) => document.getElementById(id))
  return form && field && list && status ? { form, field, list, status } : undefined
}

export function startTopics({ base, language, index = '', book }: PageData): void {
  const place = findPlace()
  if (!place) return
  const t = wordsFrom(book)
  let search: Promise<(question: string) => SearchAnswer> | undefined
  const open = (): NonNullable<typeof search> => {
    search ??= fetch(index)
      .then((response) => {
        if (!response.ok) throw new Error(`the search was answered ${response.status}`)
        return response.json() as Promise<SearchIndex>
      })
      .then(openSearch)
    search.catch(() => (search = undefined))
    return search
  }
  const first = `${base}/${language}/`
  if (!navigator.onLine) place.status.textContent = t('support.offline')
  const { field } = place
  field.addEventListener('focus', () => void open())
  field.addEventListener('input', () => {
    const question = field.value
    void open().then(
      (find) => field.value === question && show(place, question, { ...find(question), first }, t),
      () => {
        show(place, '', { ...NOTHING, first }, t)
        place.status.textContent = t(navigator.onLine ? 'support.unreachable' : 'support.offline')
      },
    )
  })
  field.addEventListener('keydown', (event) => move(event, place))
  closeWhenLeft(place)
  place.form.addEventListener('submit', (event) => {
    event.preventDefault()
    // A list that was closed answers nothing.
    if (place.list.hidden) return
    const { list } = place
    const chosen = list.querySelector<HTMLAnchorElement>('[aria-selected=true]') ?? list.querySelector('a')
    chosen?.click()
  })
  // What was typed before the script was there counts.
  const asked = field.value || new URLSearchParams(location.search).get('question')
  if (asked) {
    field.value = asked
    field.focus()
    field.dispatchEvent(new Event('input'))
  }
}

const NOTHING: SearchAnswer = { found: [], isTooLittle: false }

function setOpen({ field, list }: Place, isOpen: boolean): void {
  list.hidden = !isOpen
  field.setAttribute('aria-expanded', String(isOpen))
}

/** The list closes when the focus goes elsewhere, and opens again where the field is pressed. */
function closeWhenLeft(place: Place): void {
  const { form, field, list } = place
  // A browser that gives a pressed link no focus would close the list under the finger.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  form.addEventListener('focusout', ({ relatedTarget }) => {
    // Whoever looks at another window comes back to what was open.
    const isElsewhere = document.activeElement !== field && !form.contains(relatedTarget as Node | null)
    if (isElsewhere) setOpen(place, false)
  })
  field.addEventListener('click', () => setOpen(place, list.childElementCount > 0))
}

/** What was found, and what stands before the name of an article. */
type Answers = SearchAnswer & { readonly first: string }

function show(place: Place, question: string, { found, isTooLittle, first }: Answers, t: Words): void {
  const { field, list, status } = place
  const shown = found.slice(0, MOST_SHOWN)
  const isAsked = question.trim().length > 1
  list.replaceChildren(...nodesOf(answerList(shown, { question, first })))
  // An answer that comes when the field was left opens nothing.
  setOpen(place, shown.length > 0 && document.activeElement === field)
  field.removeAttribute('aria-activedescendant')
  status.textContent = !isAsked
    ? ''
    : shown.length === 0
      ? t(isTooLittle ? 'support.more' : 'support.none')
      : t('support.found', { n: String(shown.length) })
}

/** Arrows walk through the answers and open what Escape has closed. */
function move(event: KeyboardEvent, place: Place): void {
  const { field, list } = place
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
  if (event.key.startsWith('Arrow') && options.length > 0) {
    setOpen(place, true)
  }
  const at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true')
  const next =
    event.key === 'ArrowDown' ? Math.min(at + 1, options.length - 1) : event.key === 'ArrowUp' ? at - 1 : at
  if (event.key === 'Escape' && !list.hidden) {
    // What was typed stays; a browser empties the field with the next one.
    event.preventDefault()
    setOpen(place, false)
  }
  if (next === at || options.length === 0) return
  event.preventDefault()
  for (const [index, option] of options.entries())
    option.setAttribute('aria-selected', String(index === next))
  if (next >= 0) field.setAttribute('aria-activedescendant', `answer-${next}`)
  else field.removeAttribute('aria-activedescendant')
}
