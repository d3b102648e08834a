/** The answer that the head of the page has asked for before the program came, for whoever asks for it first. */

import type { PageStart } from './page-start.ts'

/** The answer to a GET of `url` that is already on its way, once; undefined when there is none. */
export function takeEarlyAnswer(url: string): Promise<Response> | undefined {
  const page = globalThis as PageStart
  if (page.kvittEarly?.url !== url) return undefined
  const { response } = page.kvittEarly
  page.kvittEarly = undefined
  return response
}

/** Is there such an answer, and does it bring what was asked for? Waits for it, and leaves it where it is. */
export async function hasEarlyAnswer(url: string): Promise<boolean> {
  const { kvittEarly: early } = globalThis as PageStart
  if (early?.url !== url) return false
  const response = await early.response.catch(() => undefined)
  return response?.ok ?? false
}
