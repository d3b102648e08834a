/** What staff and programs ask for that is not done at once: for some seconds it can be taken back. */

/** Where an act stands that was asked for with `Undo-Seconds`. REFUSED: what it was asked of had changed meanwhile. */
export const ACT_STATES = ['WAITING', 'DONE', 'TAKEN_BACK', 'REFUSED'] as const
export type ActState = (typeof ACT_STATES)[number]

/** So long an act may be asked to wait, in seconds. */
export const MOST_UNDO_SECONDS = 10

/** The seconds that a header `Undo-Seconds` asks for: 0 without one, undefined for what is no such number. */
export function readUndoSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return 0
  const seconds = /^\d{1,2}$/.test(header.trim()) ? Number(header) : undefined
  return seconds !== undefined && seconds <= MOST_UNDO_SECONDS ? seconds : undefined
}

/** So many rows one act may be asked for at once. */
export const MOST_ROWS = 10_000
