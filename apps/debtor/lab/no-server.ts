/** In the place of server and device: says what the state that is looked at needs, and nothing else. */
import { queries } from '../src/calls.ts'
import type { Calls, Guise } from './part.ts'

let answers: Calls = {}

const fetchFile = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  if (!url.startsWith('/api/')) return fetchFile(input, init)
  const piece = Object.keys(answers).find((part) => url.includes(part))
  if (piece === undefined) return new Promise(() => {})
  const answer = answers[piece]
  return answer instanceof Response ? answer.clone() : Response.json(answer)
}

// What the samples have put into the cache is neither old nor forgotten.
const { queries: usual } = queries.getDefaultOptions()
queries.setDefaultOptions({ queries: { ...usual, staleTime: Infinity, gcTime: Infinity } })

/** From here on there are these answers, and the browser is what it is said to be. */
export function pretend(calls: Calls, guise: Guise): void {
  answers = calls
  for (const name of ['onLine', 'userAgent'] as const) {
    Reflect.deleteProperty(navigator, name)
    const value = guise[name]
    if (value !== undefined) Object.defineProperty(navigator, name, { value, configurable: true })
  }
}
