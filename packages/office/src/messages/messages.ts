/** What the page says about what was done and what failed: shown for four seconds, kept in a log for those who need longer. */
import { useSyncExternalStore } from 'react'

/** Specification section 9; the fade of 0.6 s is in the style. */
export const SHOWN_MS = 4000
const FADE_MS = 600
const MOST_KEPT = 50

export type Message = {
  readonly id: number
  readonly tone: 'ok' | 'bad'
  readonly text: string
  /** When, in the words of the page's language: "14:05". */
  readonly time: string
}

export type Messages = { readonly shown: readonly Message[]; readonly log: readonly Message[] }

let state: Messages = { shown: [], log: [] }
let next = 1
const listeners = new Set<() => void>()

function set(changed: Messages): void {
  state = changed
  for (const listener of listeners) listener()
}

const clockText = (now: Date): string =>
  [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')

/** Shows a message; the same one again while it stands there takes its place. */
export function report(tone: Message['tone'], text: string, now = new Date()): void {
  const message = { id: next++, tone, text, time: clockText(now) }
  const others = state.shown.filter((one) => one.text !== text)
  set({ shown: [...others, message], log: [message, ...state.log].slice(0, MOST_KEPT) })
  setTimeout(() => dismiss(message.id), SHOWN_MS + FADE_MS)
}

export function dismiss(id: number): void {
  set({ ...state, shown: state.shown.filter((one) => one.id !== id) })
}

export function useMessages(): Messages {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => state,
  )
}
