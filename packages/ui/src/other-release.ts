/** Whether the release that this page is of has gone: a call that nobody here knows any more has told so. */

let isGone = false
const listeners = new Set<() => void>()

/** A call was answered so that the page has to be loaded anew. */
export function tellOtherRelease(): void {
  isGone = true
  for (const changed of listeners) changed()
}

export const isReleaseGone = (): boolean => isGone

export function onOtherRelease(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
