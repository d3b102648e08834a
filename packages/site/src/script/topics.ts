/** The search of the support site. Its index is fetched when it is first used, and kept for when there is no network. */
import { el } from '../element.ts'
import { type Found, markedParts, openSearch, type SearchEntry } from '../find-articles.ts'
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
  let search: Promise<(question: string) => Found[]> | undefined
  const open = (): NonNullable<typeof search> => {
    search ??= fetch(index)
      .then((response) => {
        if (!response.ok) throw new Error(`the search was answered ${response.status}`)
        return response.json() as Promise<SearchEntry[]>
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
      (find) => field.value === question && show(place, question, { found: find(question), first }, t),
      () => {
        show(place, '', { found: [], first }, t)
        place.status.textContent = t(navigator.onLine ? 'support.unreachable' : 'support.offline')
      },
    )
  })
  field.addEventListener('keydown', (event) => move(event, place))
  place.form.addEventListener('submit', (event) => {
    event.preventDefault()
    // A list that was closed answers nothing.
    if (place.list.hidden) return
    const { list } = place
    const chosen = list.querySelector<HTMLAnchorElement>('[aria-selected=true] a') ?? list.querySelector('a')
    chosen?.click()
  })
  // What was typed before the script was there counts.
  const asked = field.value || new URLSearchParams(location.search).get('question')
  if (asked) {
    field.value = asked
    field.dispatchEvent(new Event('input'))
  }
}

/** What was found, and what stands before the name of an article. */
type Answers = { readonly found: readonly Found[]; readonly first: string }

function show({ field, list, status }: Place, question: string, { found, first }: Answers, t: Words): void {
  const shown = found.slice(0, MOST_SHOWN)
  const isAsked = question.trim().length > 1
  list.replaceChildren(
    ...nodesOf(
      shown.map(({ entry }, index) =>
        el(
          'li',
          { role: 'option', id: `answer-${index}`, 'aria-selected': 'false' },
          el(
            'a',
            { href: `${first}${entry.topic}/`, tabindex: '-1' },
            ...markedParts(entry.title, question).map(({ text, isMatch }) =>
              isMatch ? el('mark', {}, text) : text,
            ),
          ),
        ),
      ),
    ),
  )
  list.hidden = shown.length === 0
  field.setAttribute('aria-expanded', String(shown.length > 0))
  field.removeAttribute('aria-activedescendant')
  status.textContent = !isAsked
    ? ''
    : shown.length === 0
      ? t('support.none')
      : t('support.found', { n: String(shown.length) })
}

/** Arrows walk through the answers and open what Escape has closed. */
function move(event: KeyboardEvent, { field, list }: Place): void {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
  if (event.key.startsWith('Arrow') && options.length > 0) {
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
  }
  const at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true')
  const next =
    event.key === 'ArrowDown' ? Math.min(at + 1, options.length - 1) : event.key === 'ArrowUp' ? at - 1 : at
  if (event.key === 'Escape' && !list.hidden) {
    // What was typed stays; a browser empties the field with the next one.
    event.preventDefault()
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
  }
  if (next === at || options.length === 0) return
  event.preventDefault()
  for (const [index, option] of options.entries())
    option.setAttribute('aria-selected', String(index === next))
  if (next >= 0) field.setAttribute('aria-activedescendant', `answer-${next}`)
  else field.removeAttribute('aria-activedescendant')
}
