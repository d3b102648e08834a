/** An article: "did this help?" is answered in place. */
import { helpedAnswer } from '../helped.ts'
import { nodesOf } from '../make-elements.ts'
import { wordsFrom } from '../words.ts'
import type { PageData } from './start.ts'

export function startArticle({ book, language, base }: PageData): void {
  const t = wordsFrom(book)
  const rung = document.querySelector<HTMLAnchorElement>('footer a[href^="tel:"]')
  const way = {
    phone: rung?.textContent ?? '',
    phoneHref: rung?.pathname ?? '',
    base: `${base}/${language}/`,
  }
  const form = document.querySelector<HTMLFormElement>('form#helped')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const helped = (event.submitter as HTMLButtonElement | null)?.value ?? 'yes'
    void fetch(location.pathname, { method: 'POST', body: new URLSearchParams({ helped }) })
      // It leads on to the page without a script, whose address says whether it was counted.
      .then(
        ({ ok, url }) => ok && new URL(url).searchParams.get('counted') === 'yes',
        () => false,
      )
      .then((isCounted) => {
        const [answer] = nodesOf(helpedAnswer({ isCounted, hasHelped: helped === 'yes' }, t, way))
        if (!(answer instanceof HTMLElement)) return
        form.replaceWith(answer)
        // The button that was pressed is gone; the next Tab goes on from here.
        answer.tabIndex = -1
        answer.focus()
      })
  })
}
