/** What the page says about what was done and what failed: shown for four seconds, kept in a log for those who need longer. */
import { useSyncExternalStore, type ReactNode } from 'react'

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
  /** It stands until somebody closes it. */
  readonly stays?: boolean
  /** What there is to it, as a dialog that is opened from the message. */
  readonly details?: (onClose: () => void) => ReactNode
  /** It is done in these seconds, and taken back by this until then. */
  readonly undo?: { readonly seconds: number; readonly act: () => void }
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

function show(said: Omit<Message, 'id' | 'time'>, now: Date): number {
  const message = { ...said, id: next++, time: clockText(now) }
  // Each of two acts is taken back by itself, whatever they are called.
  const others = state.shown.filter((one) => one.text !== said.text || one.undo !== undefined)
  set({ shown: [...others, message], log: [message, ...state.log].slice(0, MOST_KEPT) })
  return message.id
}

/** Shows a message; the same one again while it stands there takes its place. */
export function report(tone: Message['tone'], text: string, now = new Date()): void {
  const id = show({ tone, text }, now)
  setTimeout(() => dismiss(id), SHOWN_MS + FADE_MS)
}

/** What somebody has to know although they have gone on meanwhile: it stands until they close it. */
export function reportToStay(tone: Message['tone'], text: string, details?: Message['details']): void {
  show({ tone, text, stays: true, ...(details && { details }) }, new Date())
}

/** Says what is done in some seconds, with the way to take it back. It stands until it is dismissed; answers by which name. */
export function offerUndo(text: string, undo: NonNullable<Message['undo']>, now = new Date()): number {
  return show({ tone: 'ok', text, undo }, now)
}

export function dismiss(id: number): void {
  set({ ...state, shown: state.shown.filter((one) => one.id !== id) })
}

/** What failed belongs to the page on which it did: on the next one it is in the log only. What was done, and what stays, goes along. */
export function leavePage(): void {
  const kept = state.shown.filter(({ tone, stays, undo }) => tone === 'ok' || stays || undo !== undefined)
  if (kept.length < state.shown.length) set({ ...state, shown: kept })
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
