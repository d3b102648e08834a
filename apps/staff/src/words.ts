/** The messages of every view but the to-do list: whoever opens the portal does not wait for them. */
import { fetchAnew, openWords } from '@kvitt/ui/language/late-words.ts'

const loadWords = openWords({
  sv: () => import('virtual:words/sv'),
  en: () => import('virtual:words/en'),
  nb: () => import('virtual:words/nb'),
  da: () => import('virtual:words/da'),
  fi: () => import('virtual:words/fi'),
})

/** Fetches `part` and the words of the views together. A failure of either is thrown. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part.catch(fetchAnew<Part>), loadWords()])
  return loaded
}
