/**
 * The messages of everything but the first screen, in two chunks: the words of the pages come with the first of them,
 * more words with what is opened there. Which message stands where is decided in vite.config.ts.
 */
import { fetchAnew, openWords } from '@kvitt/ui/language/late-words.ts'

const WORDS = {
  sv: () => import('virtual:words/sv'),
  en: () => import('virtual:words/en'),
  nb: () => import('virtual:words/nb'),
  da: () => import('virtual:words/da'),
  fi: () => import('virtual:words/fi'),
}
const MORE = {
  sv: () => import('virtual:more/sv'),
  en: () => import('virtual:more/en'),
  nb: () => import('virtual:more/nb'),
  da: () => import('virtual:more/da'),
  fi: () => import('virtual:more/fi'),
}

const loadWords = openWords(WORDS)
const loadMore = openWords(MORE)

/** Fetches `part` and the words of the pages together. A failure of either is thrown. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part.catch(fetchAnew<Part>), loadWords()])
  return loaded
}

/** As `withWords`, for what is opened on a page and has words of its own. */
export async function withMoreWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part.catch(fetchAnew<Part>), loadWords(), loadMore()])
  return loaded
}
