/** Many that are done in ten seconds, and taken back until then. What stands here outlives the page that asked. */
import { MOST_UNDO_SECONDS } from '@kvitt/domain/acts/act.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { dismiss, offerUndo, report, reportToStay } from '@kvitt/office/messages/messages.ts'
import type { ReactNode } from 'react'
import { queries } from '../calls.ts'
import { t } from '../text.ts'
import { readBulk, takeBackMany, type Bulk } from './bulk-calls.ts'

type LaterMany = {
  /** "Pause: 3 invoices" */
  readonly name: string
  /** What they come to, as it was seen: "SEK 2,526.00". */
  readonly sum: string
  /** What was done comes to, as text. */
  readonly sumOf: (bulk: Bulk) => string
  /** Shows what was refused; false when the page that could is gone. */
  readonly onRefused: (bulk: Bulk) => boolean
  /** The same wherever somebody is by then: what was refused and why, with the way to each row. */
  readonly outcomeOf: (bulk: Bulk, onClose: () => void) => ReactNode
}

const LOOK_MS = 1_000
/** As many looks as the longest list needs; it is done by a job, whoever looks. */
const MOST_LOOKS = 600

/** Offers to take back what the server keeps for some seconds, and says what became of it. */
export function followMany(many: LaterMany, bulk: Bulk): void {
  const { name, sum } = many
  const offer = offerUndo(t('bulk.waits', { what: name, sum }), {
    seconds: MOST_UNDO_SECONDS,
    act: () => void takeBack(bulk.id, offer),
  })
  setTimeout(() => {
    dismiss(offer)
    void look(many, bulk.id, 0)
  }, MOST_UNDO_SECONDS * 1_000)
}

// Everything about debts may have changed, and with it what is to do.
const reload = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })

/** What was said to be taken back: once is enough. */
const told = new Set<string>()

function sayTakenBack(id: string): void {
  if (told.has(id)) return
  told.add(id)
  report('ok', t('undo.taken_back'))
}

async function takeBack(id: string, offer: number): Promise<void> {
  try {
    await takeBackMany(id)
    dismiss(offer)
    sayTakenBack(id)
  } catch (error) {
    report('bad', failureText(error))
  }
}

async function look(many: LaterMany, id: string, looks: number): Promise<void> {
  const { name, sumOf, onRefused, outcomeOf } = many
  const bulk = await readBulk(id).catch(() => undefined)
  // Also where the answer to the taking back was lost.
  if (bulk?.isTakenBack) return sayTakenBack(id)
  if (bulk === undefined || bulk.left > 0) {
    if (looks < MOST_LOOKS) setTimeout(() => void look(many, id, looks + 1), LOOK_MS)
    else reportToStay('bad', t('undo.unknown', { what: name }))
    return
  }
  reload()
  const { done, refused, reasons } = bulk
  if (refused.length === 0) return report('ok', t('bulk.done_sum', { what: name, n: done, sum: sumOf(bulk) }))
  if (onRefused(bulk)) return
  const why = reasons.map(({ message }) => message).join(' ')
  const sum = done > 0 ? ` (${sumOf(bulk)})` : ''
  const text = t('bulk.some_refused', { what: name, done, sum, refused: refused.length, why })
  reportToStay('bad', text, (onClose) => outcomeOf(bulk, onClose))
}
