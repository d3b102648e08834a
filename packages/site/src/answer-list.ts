/** The answers that a search has found, as the list below its field has them. */
import { type Child, el } from './element.ts'
import { type Found, markedParts } from './find-articles.ts'

/** @param asked the question, whose words are marked, and what stands before the name of an article */
export function answerList(
  found: readonly Found[],
  asked: { readonly question: string; readonly first: string },
): Child {
  return found.map(({ entry }, index) =>
    el(
      'li',
      { role: 'presentation' },
      // The link itself is what is chosen: an option with a link in it would be two things.
      el(
        'a',
        {
          role: 'option',
          id: `answer-${index}`,
          'aria-selected': 'false',
          href: `${asked.first}${entry.topic}/`,
          tabindex: '-1',
        },
        ...markedParts(entry.title, asked.question).map(({ text, isMatch }) =>
          isMatch ? el('mark', {}, text) : text,
        ),
      ),
    ),
  )
}
