/**
 * Acts that are done in ten seconds and can be taken back until then. What stands here outlives the page that asked:
 * somebody goes on to the next case, and hears from wherever they are what became of it.
 */
import { MOST_UNDO_SECONDS } from '@kvitt/domain/acts/act.ts'
import type { CallAnswering } from '@kvitt/domain/calls.ts'
import { failureText, staffCall } from '@kvitt/office/calls.ts'
import { dismiss, offerUndo, report, reportToStay } from '@kvitt/office/messages/messages.ts'
import { useSyncExternalStore } from 'react'
import { api, queries } from '../calls.ts'
import { t } from '../text.ts'

type LaterAct = {
  /** The address of the act, below `/api`. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** The same for every try of one wish. */
  readonly key: string
  /** The row that it is about: until it is done, nobody is asked for it again. */
  readonly subject: string
  /** Said while it can be taken back, and when it is done. */
  readonly waits: string
  readonly done: string
}

const LOOK_MS = 1_000
/** A process may have died with it: it is looked after for so long. */
const MOST_LOOKS = 30

let waiting: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function setWaiting(subject: string, isWaiting: boolean): void {
  const next = new Set(waiting)
  if (isWaiting) next.add(subject)
  else next.delete(subject)
  waiting = next
  for (const listener of listeners) listener()
}

/** The rows that something is done with in a moment. */
export function useWaiting(): ReadonlySet<string> {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => waiting,
  )
}

/** Asks for it, and offers to take it back. Resolves once the server has kept it; refused as the act itself would be. */
export async function askLater(act: LaterAct): Promise<void> {
  const { path, body, key, subject, waits } = act
  const headers = { 'Idempotency-Key': key, 'Undo-Seconds': String(MOST_UNDO_SECONDS) }
  const sent = body === undefined ? { headers } : { headers, body }
  const call = { method: 'POST', path } as const
  const answer = await api.ask<CallAnswering<{ readonly actId?: string } | undefined>>(call, sent)
  const actId = answer?.actId
  if (actId === undefined) {
    // A process of an older release does it at once: there is nothing to take back.
    reload()
    return report('ok', act.done)
  }
  setWaiting(subject, true)
  const offer = offerUndo(waits, { seconds: MOST_UNDO_SECONDS, act: () => void takeBack(act, actId, offer) })
  setTimeout(() => void follow(act, actId, { offer, looks: 0 }), MOST_UNDO_SECONDS * 1_000)
}

// Everything about debts may have changed, and with it what is to do.
const reload = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })

function end({ subject }: LaterAct, offer: number): void {
  dismiss(offer)
  setWaiting(subject, false)
  reload()
}

async function takeBack(act: LaterAct, id: string, offer: number): Promise<void> {
  try {
    const { state } = await api.ask(staffCall('DELETE', '/client/acts/:id', { id }))
    if (state !== 'TAKEN_BACK') return
    end(act, offer)
    report('ok', t('undo.taken_back'))
  } catch (error) {
    report('bad', failureText(error))
  }
}

type Looking = { readonly offer: number; readonly looks: number }

async function follow(act: LaterAct, id: string, { offer, looks }: Looking): Promise<void> {
  if (looks === 0) dismiss(offer)
  const found = await api.ask(staffCall('GET', '/client/acts/:id', { id })).catch(() => undefined)
  switch (found?.state) {
    case 'DONE':
      end(act, offer)
      report('ok', act.done)
      return
    case 'REFUSED':
      end(act, offer)
      reportToStay('bad', t('undo.refused', { what: act.waits, why: found.message ?? '' }))
      return
    case 'TAKEN_BACK':
      // Nobody has said so when the answer to the taking back was lost.
      if (!waiting.has(act.subject)) return
      end(act, offer)
      report('ok', t('undo.taken_back'))
      return
    default:
      if (looks < MOST_LOOKS) {
        setTimeout(() => void follow(act, id, { offer, looks: looks + 1 }), LOOK_MS)
        return
      }
      end(act, offer)
      reportToStay('bad', t('undo.unknown', { what: act.waits }))
  }
}
